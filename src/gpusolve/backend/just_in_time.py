"""Numba compiles the twins that no library contains. A cache on disk, which is never stale, keeps their machine code.

Numba keeps compiled code until the function's own file changes. But the code also contains what comes from other files,
so the stamp that Numba compares is extended by a digest of all sources that the function depends on (see `sources`).
"""

from __future__ import annotations

import hashlib
import pickle
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import numba
from numba import njit
from numba.core.registry import cpu_target
from numba.extending import typeof_impl

from gpusolve import clock
from gpusolve.backend import caches
from gpusolve.backend.compilation import watchers
from gpusolve.backend.intrinsics import Intrinsic
from gpusolve.backend.sources import digest
from gpusolve.errors import BadInput
from gpusolve.files import locked

types: Any = numba.types  # its annotations lack some of them
config: Any = numba.config
SEAL = hashlib.sha256().digest_size
"""Bytes at the end of a kept file that tell whether it is damaged."""
is_ahead = False
"""Whether this process compiles for a library: nothing is kept, and Python cannot call what is compiled."""
_lock = threading.RLock()
_waiting: list[set[str]] = []
"""For each function that is being compiled, the names of those that its outermost caller still needs."""


@typeof_impl.register(Intrinsic)
def _(intrinsic: Any, context: Any) -> Any:
    """Let a compiled function call an intrinsic: for Numba it is its own."""
    typing = cpu_target.typing_context
    found = intrinsic.numba
    typing.refresh()
    return typing.resolve_value_type(found)


def made(twin: Any) -> Any:
    """Return Numba's function of a twin, with a cache on disk if Python calls it."""
    if type(twin) not in typeof_impl.registry:  # let compiled functions call it: for Numba it is its own function
        typeof_impl.register(type(twin), lambda twin, context: types.Dispatcher(twin.numba))
    with _lock:
        if "numba" in vars(twin):  # another thread was faster
            return twin.numba
        options: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}
        if not twin.options.python or is_ahead:
            options["no_cpython_wrapper"] = True
        if twin.options.inlined:
            options["forceinline"] = True
        if not twin.options.counted:
            options["_nrt"] = False
        is_kept = twin.options.python and not is_ahead
        function = _with_cache(twin.function, options) if is_kept else njit(**options)(twin.function)
        compiler = getattr(function, "_compiler", None)
        if compiler is None:  # under NUMBA_DISABLE_JIT it is the plain function
            return function
        # Numba has no public way to extend its stamp or to look elsewhere.
        file = getattr(function._cache, "_cache_file", None)
        if file is not None:
            _keep(function._cache, file, digest(twin.function.__module__))
        compiler.compile = partial(_compile, twin, compiler.compile, is_kept and file is None)
        vars(twin)["numba"] = function
        return function


def _with_cache(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return Numba's function with a cache in gpusolve's folder, or in the one that the user has chosen."""
    before = config.CACHE_DIR
    try:
        with suppress(BadInput):
            config.CACHE_DIR = before or str(caches.folder("kernels"))
        return njit(cache=True, **options)(function)
    except RuntimeError:  # "no locator available"
        return njit(**options)(function)
    finally:
        config.CACHE_DIR = before


def _keep(kept: Any, file: Any, stamp: str) -> None:
    """Let Numba's cache of a function depend on all sources, and survive power cuts, full disks and other processes."""
    file._source_stamp = (file._source_stamp, stamp)
    index = Path(file._index_path)
    kept.save_overload = partial(_save, kept.save_overload, index)
    file._dump = partial(_sealed, file._dump)
    file._load_index, file._load_data = partial(_index_of, file), partial(_data_of, file)
    file.load, file.save = _in_turn(index, file.load), _in_turn(index, file.save)


def _compile(twin: Any, compile: Callable[..., Any], is_lost: bool, *arguments: Any) -> Any:
    """Compile a function while the clock of the searches stands still, and report it to `watchers`."""
    if is_lost:
        _warn_of_no_cache()
    with clock.compiling:
        _waiting.append(_waiting[0] if _waiting else called_by(twin))  # Numba lets one thread at a time compile
        _waiting[0].discard(twin.name)
        for report in watchers:
            report(twin.__name__, len(_waiting[0]))
        try:
            return compile(*arguments)
        finally:
            _waiting.pop()
            if not _waiting:
                for report in watchers:
                    report("", 0)


def called_by(twin: Any) -> set[str]:
    """Return the names of all twins that a twin calls, directly or indirectly, and its own."""
    found: dict[str, Any] = {}
    waiting = [twin]
    while waiting:
        one = waiting.pop()
        if one.name not in found:
            found[one.name] = one
            names = one.function.__globals__
            cells = [cell.cell_contents for cell in one.function.__closure__ or ()]
            used = [names.get(name) for name in one.function.__code__.co_names]
            waiting += [other for other in (*used, *cells) if isinstance(other, type(twin))]
    return set(found)


def is_kept(twin: Any, signature: tuple[Any, ...]) -> bool:
    """Return whether the user's cache has a function's machine code for these types of arguments."""
    kept: Any = getattr(twin.numba, "_cache", None)
    if (file := getattr(kept, "_cache_file", None)) is None:
        return False
    with suppress(Exception):  # an unreadable index, of whatever form, is replaced when the function is compiled
        return kept._index_key(signature, twin.numba.targetctx.codegen()) in file._load_index()
    return False


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
        caches.shrink(caches.home() / "kernels", caches.MOST_KERNELS)
    except BadInput:  # there is no home
        return
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
