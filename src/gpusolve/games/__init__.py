"""One folder a game; the command line finds them by their ``cli.py``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any


def lazily(package: str, names: Sequence[str], modules: Sequence[str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a game's package, whose `names` are in its `modules`.

    They are imported on first use, so that ``--help``, which needs none of them, does not wait for NumPy.
    """

    def find(name: str) -> Any:
        if name in names:
            for module in modules:
                found = import_module(f"{package}.{module}")
                if hasattr(found, name):
                    return getattr(found, name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find
