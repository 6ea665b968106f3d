"""The public names of a package, which ``__init__.pyi`` lists: each is imported when it is first used."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def attach(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the functions ``__getattr__`` and ``__dir__`` and the list ``__all__`` of a package.

    Parameters
    ----------
    package, file : str
        The package's ``__name__`` and ``__file__``. Beside the file, ``__init__.pyi`` has lines such as
        ``from ._solve import solve as solve``.

    Examples
    --------
    >>> import gpusolve.games.wordle
    >>> get, names, listed = attach("gpusolve.games.wordle", gpusolve.games.wordle.__file__)
    >>> get("solve").__module__, "solve" in listed, names() == sorted(listed)
    ('gpusolve.games.wordle.proof._solve', True, True)
    """
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8"))
    found = [line for line in stub.body if isinstance(line, ast.ImportFrom) and line.level == 1 and line.module]
    modules = {
        alias.asname or alias.name: (f"{package}.{line.module}", alias.name) for line in found for alias in line.names
    }

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, attribute = modules[name]
        value = getattr(import_module(module), attribute)
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: sorted(modules), sorted(modules)
