"""Find ``kernels/`` and ``wordlists/``: inside an installed package, or at the root of a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path


def kernels_dir() -> Path:
    """Return the folder with the CUDA sources."""
    return _folder("kernels")


def wordlists_dir() -> Path:
    """Return the folder with the shipped word lists."""
    return _folder("wordlists")


@cache
def _folder(name: str) -> Path:
    package = Path(__file__).resolve().parent
    for place in (package / name, package.parents[1] / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(
        f"gpusolve's folder {name} is neither in {package} nor in {package.parents[1]}: reinstall gpusolve"
    )
