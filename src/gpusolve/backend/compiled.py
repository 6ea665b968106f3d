"""Numba functions whose machine code is shipped, or kept in a cache on disk that is never stale.

Numba keeps compiled code until the function's own file changes. But the code also contains what comes from other files:
called functions, and constants such as tables. So the stamp that Numba compares is extended by a digest of every module
that the function's module imports, directly or indirectly, from the same package or from gpusolve. What this module
itself imports is left out, because it becomes part of no function.
"""

from __future__ import annotations

import ast
import hashlib
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path
from typing import Any, TypeVar

from numba import njit
from numba.core import event
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher

from gpusolve import clock
from gpusolve.backend import machine_code
from gpusolve.backend.signatures import text_of
from gpusolve.files import locked

SEAL = hashlib.sha256().digest_size
"""Bytes at the end of a kept file that tell whether it is damaged."""
_Function = TypeVar("_Function", bound=Callable[..., Any])
_NOT_FROM_C: dict[str, Any] = {"no_cfunc_wrapper": True}
_NOT_FROM_PYTHON: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_UNCOUNTED: dict[str, Any] = {"_nrt": False, **_NOT_FROM_PYTHON}


def inlined(function: _Function) -> _Function:
    """Let compiled functions call a small function, which is inlined there. Python cannot call it."""
    small: _Function = njit(nogil=True, forceinline=True, **_NOT_FROM_PYTHON)(function)
    return small


def borrowing(function: _Function) -> _Function:
    """Like `inlined`, for a function that neither creates nor returns arrays: it counts no references to them.

    So named tuples of arrays cost nothing. With counting, each field that is read costs two atomic operations: Q-less'
    `fill` then takes six times as long. What it calls in a loop has to be borrowing as well.
    """
    small: _Function = njit(nogil=True, forceinline=True, **_UNCOUNTED)(function)
    return small


def compiled(function: Callable[..., Any]) -> Any:
    """Load a function's machine code on the first call, or compile it; it runs without the interpreter's lock.

    The code comes from the wheel if it contains it (see `machine_code`), or from the user's cache on disk.
    """
    try:
        dispatcher = njit(nogil=True, cache=True, **_NOT_FROM_C)(function)
    except RuntimeError:  # "no locator available"
        dispatcher = njit(nogil=True, **_NOT_FROM_C)(function)
    # Numba has no public way to extend its stamp or to look elsewhere; under NUMBA_DISABLE_JIT there is no cache.
    kept: Any = getattr(dispatcher, "_cache", None)
    if kept is None:
        return dispatcher
    stamp = digest(function.__module__)
    if file := getattr(kept, "_cache_file", None):
        file._source_stamp = (file._source_stamp, stamp)
        index = Path(file._index_path)
        kept.save_overload = partial(_save, kept.save_overload, index)
        file._dump = partial(_sealed, file._dump)
        file._load_index, file._load_data = partial(_index_of, file), partial(_data_of, file)
        file.load, file.save = _in_turn(index, file.load), _in_turn(index, file.save)
    kept.load_overload = partial(_load, kept.load_overload, dispatcher, stamp)
    compiler = dispatcher._compiler
    compiler.compile = partial(_compile, compiler.compile, file is not None)
    return dispatcher


def _load(load: Callable[..., Any], dispatcher: Any, stamp: str, signature: Any, context: Any) -> Any:
    """Return the compiled function from the wheel, or from the user's cache; None if it must be compiled."""
    if (code := machine_code.shipped()) is not None:
        with suppress(ValueError):  # it has no text, so it is not shipped
            if data := code.load(name_of(dispatcher), text_of(tuple(signature)), stamp):
                context.refresh()
                rebuild: Any = CompileResult._rebuild
                return rebuild(context, *data)
    return load(signature, context)


def _compile(compile: Callable[..., Any], is_kept: bool, *arguments: Any) -> Any:
    """Compile a function while the clock of the searches stands still."""
    if not is_kept:
        _warn_of_no_cache()
    with clock.compiling:
        return compile(*arguments)


def name_of(dispatcher: Any) -> str:
    """Return a compiled function's module and name, such as ``gpusolve.runs.store:_mixed``."""
    return f"{dispatcher.py_func.__module__}:{dispatcher.py_func.__qualname__}"


def origin(dispatcher: Any, signature: tuple[Any, ...]) -> str:
    """Return where a function's machine code for these argument types is: ``shipped``, ``kept``, or "" if nowhere."""
    stamp = digest(dispatcher.py_func.__module__)
    if (code := machine_code.shipped()) is not None and code.has(name_of(dispatcher), text_of(signature), stamp):
        return "shipped"
    kept: Any = getattr(dispatcher, "_cache", None)
    if (file := getattr(kept, "_cache_file", None)) is None:
        return ""
    with suppress(Exception):  # an unreadable index, of whatever form, is replaced when the function is compiled
        if kept._index_key(signature, dispatcher.targetctx.codegen()) in file._load_index():
            return "kept"
    return ""


def _in_turn(index: Path, method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a method so that one process at a time runs it: Numba writes a function's index, then its machine code.

    Two processes that compile a function for different argument types at the same moment could choose the same file
    name, and a later process would load the wrong code.
    """

    def alone(*arguments: Any) -> Any:
        with locked(index):
            return method(*arguments)

    return alone


def _sealed(dump: Callable[[Any], bytes], value: Any) -> bytes:
    """Return what Numba keeps in a file, with its SHA-256 behind it."""
    content = dump(value)
    return content + hashlib.sha256(content).digest()


def _unsealed(content: bytes) -> Any:
    """Return what `_sealed` has made bytes of. Raises OSError if they are damaged, as after a power cut."""
    value, seal = content[:-SEAL], content[-SEAL:]
    if hashlib.sha256(value).digest() != seal:
        raise OSError("damaged")
    return pickle.loads(value)


def _index_of(file: Any) -> dict[Any, str]:
    """Return the index of the kept code; empty if it is damaged, or of another version or source."""
    with suppress(Exception):  # a damaged version, which Numba writes before the sealed part, can raise anything
        with Path(file._index_path).open("rb") as stream:
            version = pickle.load(stream)
            stamp, found = _unsealed(stream.read())
        if (version, stamp) == (file._version, file._source_stamp):
            overloads: dict[Any, str] = found
            return overloads
    return {}


def _data_of(file: Any, name: str) -> Any:
    """Return kept code. Raises OSError if it is missing or damaged, so that Numba compiles the function again."""
    return _unsealed(Path(file._data_path(name)).read_bytes())


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


class _Watcher(event.Listener):
    """Reports each function of gpusolve that Numba starts to compile, and how many others it calls."""

    def __init__(self, report: Callable[[str, int], None]) -> None:
        self._report = report
        self._compiling: list[str] = []
        self._left: set[str] = set()

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        name = name_of(dispatcher)
        self._compiling.append(name)
        if len(self._compiling) == 1:
            self._left = called_by(dispatcher)
        self._left.discard(name)
        if dispatcher.py_func.__module__.partition(".")[0] not in ("numba", "llvmlite"):
            self._report(dispatcher.py_func.__name__, len(self._left))

    def on_end(self, event: Any) -> None:
        self._compiling.pop()
        if not self._compiling:
            self._report("", 0)


def called_by(dispatcher: Any) -> set[str]:
    """Return the names of all compiled functions that a function calls, directly or indirectly, and its own."""
    found: dict[str, Any] = {}
    waiting = [dispatcher]
    while waiting:
        function = waiting.pop()
        if name_of(function) not in found:
            found[name_of(function)] = function
            names = function.py_func.__globals__
            cells = [cell.cell_contents for cell in function.py_func.__closure__ or ()]
            used = [names.get(name) for name in function.py_func.__code__.co_names]
            waiting += [other for other in (*used, *cells) if isinstance(other, Dispatcher)]
    return set(found)


@contextmanager
def watching(report: Callable[[str, int], None]) -> Iterator[None]:
    """Call ``report(name, left)`` within the block before a function is compiled; the name is empty after the last one.

    `left` is the number of other functions that have to be compiled for the same call, at most.

    Numba's listeners belong to the whole process, so the command line uses this for the time of one command, and the
    library never does.
    """
    with event.install_listener("numba:compile", _Watcher(report)):
        yield


@cache
def digest(module: str) -> str:
    """Return the SHA-256 of a module's text and of the modules of its package or gpusolve that it depends on."""
    package = module.partition(".")[0]
    texts: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in texts or name.partition(".")[0] not in (package, "gpusolve"):
            continue
        texts[name], imported = _read(name)
        waiting += imported if name != __name__ else []
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
