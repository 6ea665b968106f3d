"""Reproducible random numbers: random seeds, and the generator of deals and pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpusolve.checks import check_integer

if TYPE_CHECKING:  # the command line imports this module and must not wait for NumPy
    import numpy as np
    import numpy.typing as npt

MASK64 = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
"""The increment of SplitMix64's state."""


def random_seed() -> int:
    """Return an unpredictable seed below 2^31."""
    from random import SystemRandom

    return SystemRandom().randrange(2**31)


def check_seed(seed: Any) -> int:
    """Return the seed. Raises BadInput unless it is an integer from 0 to 2^64 - 1."""
    seed = check_integer("seed", seed, 0, MASK64)
    return int(seed)


def mix(x: int) -> int:
    """Apply SplitMix64's output function (Steele, Lea and Flood 2014), a bijection that mixes 64 bits.

    >>> hex(mix(GOLDEN))
    '0xe220a8397b1dcdaf'
    """
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK64
    return x ^ x >> 31


def mix_all(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Apply `mix` to every number of an array of uint64.

    >>> import numpy as np
    >>> hex(mix_all(np.array([GOLDEN], np.uint64))[0])
    '0xe220a8397b1dcdaf'
    """
    import numpy as np

    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ x >> np.uint64(31), np.uint64)
