"""Random numbers that come again: a seed where none is given, and the generator behind deals and pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpusolve.checks import check_integer

if TYPE_CHECKING:  # a command line may import this, and is not to wait for NumPy
    import numpy as np
    import numpy.typing as npt

MASK64 = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
"""What SplitMix64 adds to its state for each number."""


def random_seed() -> int:
    """A seed that nobody can foretell, below 2^31."""
    from random import SystemRandom

    return SystemRandom().randrange(2**31)


def check_seed(seed: Any) -> int:
    """The seed, as it is. Raises BadInput unless it is a whole number below 2^64: then no two mean the same."""
    check_integer("seed", seed, 0, MASK64)
    return int(seed)


def mix(x: int) -> int:
    """SplitMix64's output function (Steele, Lea and Flood 2014): 64 well-stirred bits of 64.

    >>> hex(mix(GOLDEN))
    '0xe220a8397b1dcdaf'
    """
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK64
    return x ^ x >> 31


def mix_all(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """`mix` of every number of an array, uint64.

    >>> import numpy as np
    >>> hex(mix_all(np.array([GOLDEN], np.uint64))[0])
    '0xe220a8397b1dcdaf'
    """
    import numpy as np

    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ x >> np.uint64(31), np.uint64)
