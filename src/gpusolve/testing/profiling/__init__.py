"""Profile a launch without a GPU: lanes, memory, races and instructions, line by line of the ``.cu``.

`profile` runs one launch and returns a `Profile`, which prints a table and draws pictures in a notebook.
``docs/profiling.md`` is the introduction.
"""

from gpusolve.testing.profiling.launch import profile
from gpusolve.testing.profiling.parts import Array, Line, Race
from gpusolve.testing.profiling.results import Profile

__all__ = ["Array", "Line", "Profile", "Race", "profile"]
