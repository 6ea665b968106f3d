"""Numba functions whose cache on disk is never stale.

Numba keeps compiled code until the function's own file changes. But the code also contains what comes from other files:
called functions, and constants such as tables. So the stamp that Numba compares is extended by a digest of every module
that the function's module imports, directly or indirectly, from the same package or from gpusolve.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

from numba import njit
from numba.core import event

from gpusolve.files import locked

inlined = njit(nogil=True, forceinline=True)
"""Decorator for a small function that compiled functions call: it is inlined there."""


def compiled(function: Callable[..., Any]) -> Any:
    """Compile on the first call, without the interpreter's lock, and keep the machine code on disk if possible."""
    try:
        dispatcher = njit(nogil=True, cache=True)(function)
    except RuntimeError:  # "no locator available"
        _warn_of_no_cache()
        return njit(nogil=True)(function)
    # Numba has no public way to extend its stamp; under NUMBA_DISABLE_JIT there is no cache.
    kept: Any = getattr(dispatcher, "_cache", None)
    if file := getattr(kept, "_cache_file", None):
        file._source_stamp = (file._source_stamp, digest(function.__module__))
        index = Path(file._index_path)
        kept.save_overload = partial(_save, kept.save_overload, index)
        file.load, file.save = _in_turn(index, file.load), _in_turn(index, file.save)
    return dispatcher


def _in_turn(index: Path, method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a method so that one process at a time runs it: Numba writes a function's index, then its machine code.

    Two processes that compile a function for different argument types at the same moment could choose the same file
    name, and a later process would load the wrong code.
    """

    def alone(*arguments: Any) -> Any:
        with locked(index):
            return method(*arguments)

    return alone


def _save(save: Callable[..., None], index: Path, *compiled: Any) -> None:
    """Keep the compiled code unless the disk is full; then it is compiled again next time.

    Numba writes its index first. Without the machine code, the index would point to an earlier version's file.
    """
    try:
        save(*compiled)
    except OSError:
        with suppress(OSError):
            index.unlink()
        _warn_of_no_cache()


@cache
def _warn_of_no_cache() -> None:
    warnings.warn(
        "there is no writable folder for compiled kernels, so each run compiles them again: "
        "set NUMBA_CACHE_DIR to a writable folder",
        RuntimeWarning,
        stacklevel=3,
    )


def without_scipy() -> None:
    """Let Numba start without importing scipy.linalg, which takes 0.1 s only to find out whether it exists.

    Call it only in a process that belongs to gpusolve. Numba then uses a loop instead of BLAS in np.convolve and
    np.correlate; np.dot and similar functions look for SciPy again when a kernel calls them.
    """
    if "scipy.linalg" not in sys.modules:
        sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
        with suppress(ImportError):  # other versions of Numba may have it elsewhere
            import_module("numba.np.arraymath")
        del sys.modules["scipy.linalg"]


class _Announcer(event.Listener):
    """Calls `call` when Numba first compiles a function that is not in its cache on disk."""

    def __init__(self, call: Callable[[], None]) -> None:
        self._call: Callable[[], None] | None = call

    def on_start(self, event: Any) -> None:
        call, self._call = self._call, None
        if call is not None:
            call()

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def announcing(call: Callable[[], None]) -> Iterator[None]:
    """Call `call` once within the block, when a function first has to be compiled.

    Numba's listeners belong to the whole process, so the command line uses this for the time of one command, and the
    library never does.
    """
    with event.install_listener("numba:compile", _Announcer(call)):
        yield


@cache
def digest(module: str) -> str:
    """Return the SHA-256 of a module's text and of all modules of its package or gpusolve that it imports."""
    package = module.partition(".")[0]
    texts: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in texts or name.partition(".")[0] not in (package, "gpusolve"):
            continue
        texts[name], imported = _read(name)
        waiting += imported
    return hashlib.sha256(repr(sorted(texts.items())).encode()).hexdigest()


@cache
def _read(module: str) -> tuple[str, list[str]]:
    """Return the text of a module and the full names of its imports, without importing it; empty if not a module."""
    package, *inner = module.split(".")
    for folder in getattr(sys.modules.get(package), "__path__", ()):
        path = Path(folder, *inner)
        for file, parent in ((path / "__init__.py", module), (path.with_suffix(".py"), module.rpartition(".")[0])):
            if file.is_file():
                text = file.read_text(encoding="utf-8")
                return text, list(_imported(ast.parse(text), parent))
    return "", []


def _imported(node: ast.AST, package: str) -> Iterator[str]:
    """Yield the imported names, both a and a.b for ``from a import b``, except what only type checkers import."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = resolve_name("." * node.level + (node.module or ""), package)
        yield from (module, *(f"{module}.{alias.name}" for alias in node.names))
    elif isinstance(node, ast.stmt | ast.Module | ast.ExceptHandler):
        typing = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for child in node.orelse if isinstance(node, ast.If) and typing else ast.iter_child_nodes(node):
            yield from _imported(child, package)
