"""Count the instructions of a launch without a GPU: NVIDIA's compiler makes PTX, and the CPU runs it.

`Counting` runs and counts, `translation` turns PTX into C++, and `machines` contains the limits of a GPU.
"""

from gpusolve.testing.counting.counting import Counted, Counting, Text

__all__ = ["Counted", "Counting", "Text"]
