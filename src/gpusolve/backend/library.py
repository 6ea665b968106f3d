"""Libraries of twins: machine code that was made when the package was built, and that needs no Numba.

There is a folder for each processor level (see `levels`) and in it two files for each part of the package: the library,
such as ``gpusolve.games.wordle.so``, and a JSON file that says from which sources it was made. Functions of other
sources, and files that are damaged, are never used; Numba compiles these functions instead. ``caller.so``, for every
processor of this kind, calls the functions (see building/native/caller.c).
"""

from __future__ import annotations

import ctypes
import json
import os
import pickle
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from gpusolve import files
from gpusolve.backend import sources
from gpusolve.backend.levels import REGISTERS, Level, suitable

SCHEMA = "gpusolve.twins/3"
SUFFIX = ".so"
CALLER = f"caller{SUFFIX}"
TABLE = "twin:"
"""Begins the symbol of a function's table in a library; the function's name follows."""
SETTINGS = (
    *("NUMBA_DISABLE_JIT", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_BOUNDSCHECK", "NUMBA_DEBUGINFO"),
    *("NUMBA_OPT", "NUMBA_LOOP_VECTORIZE", "NUMBA_SLP_VECTORIZE"),
)
"""Settings of Numba that change the machine code. A library does not know them."""
DAMAGES = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What reading a damaged file raises."""


class Variant(ctypes.Structure):
    """An entry of a function's table: machine code for one list of argument types (see building/native/caller.c)."""

    _fields_ = (("code", ctypes.c_char_p), ("run", ctypes.c_void_p), ("result", ctypes.c_char_p))


@dataclass(frozen=True)
class Library:
    """The library of a part of the package, and the digest of each module's text when it was made."""

    native: ctypes.CDLL
    made_from: Mapping[str, str]
    dependencies: Mapping[str, Sequence[str]]
    """Module of a function -> the modules that it depended on (see `sources`)."""
    functions: Mapping[str, Sequence[str]]
    """Name of a function -> the signatures that it is compiled for."""

    def has(self, function: str) -> bool:
        """Return whether it contains a function, made from the sources of today."""
        if function not in self.functions:
            return False
        names = self.dependencies[function.partition(":")[0]]  # if no text has changed, these have not either
        return all(sources.text_digest(name) == self.made_from[name] for name in names)


def part_of(function: str) -> str:
    """Return the part of the package whose library has a function: a game, or another package.

    >>> part_of("gpusolve.games.wordle.cpu.partitions:patterns"), part_of("gpusolve.search.heap:_pop")
    ('gpusolve.games.wordle', 'gpusolve.search')
    """
    names = function.partition(":")[0].split(".")
    return ".".join(names[: 3 if names[:2] == ["gpusolve", "games"] else 2])


def folder() -> Path | None:
    """Return the folder of the libraries: the package's, or ``GPUSOLVE_MACHINE_CODE``; None if that is empty."""
    chosen = os.environ.get("GPUSOLVE_MACHINE_CODE")
    if chosen is None:
        return Path(__file__).resolve().parents[1] / "machine_code"
    return Path(chosen).absolute() if chosen else None  # the name of a file alone would be looked for in other folders


def function(name: str) -> Callable[..., Any] | None:
    """Return a function of Python that calls a twin, given its module and name; None if no library has it.

    It takes what the twin takes, and returns NotImplemented for types of arguments that the library was not made for.
    Exceptions of the twin are raised, and the interpreter's lock is released while it runs.
    """
    found = library(part_of(name))
    if found is None or not found.has(name):
        return None
    try:
        table = Variant.in_dll(found.native, TABLE + name)
    except ValueError:  # it has no such table
        return None
    bound: Callable[..., Any] = _caller().bind(ctypes.addressof(table))
    return bound


@cache
def library(part: str) -> Library | None:
    """Return the library of a part for the highest level that this machine has; None if there is none to use."""
    place = folder()
    if place is None or settings():
        return None
    for level in usable():
        with suppress(*DAMAGES):
            return _library(place, level, part)
    return None


def _library(place: Path, level: Level, part: str) -> Library:
    """Open the library of a part. Raises one of DAMAGES if it is missing or damaged."""
    native, about = _opened(library_file(place, level, part), ctypes.CDLL)
    if about["level"] != level.name:
        raise ValueError(f"made for {about['level']}")
    return Library(native, dict(about["made from"]), dict(about["dependencies"]), dict(about["functions"]))


def _opened(path: Path, kind: type[ctypes.CDLL]) -> tuple[ctypes.CDLL, dict[str, Any]]:
    """Open a library, and read the JSON file beside it. Raises one of DAMAGES, also if they do not fit together."""
    about = _about(path)
    if about["crc32"] != zlib.crc32(path.read_bytes()):
        raise ValueError("damaged, or of another version")
    return kind(str(path)), about


def _about(path: Path) -> dict[str, Any]:
    """Read the JSON file beside a library. Raises one of DAMAGES unless it is complete and of this version."""
    text, _, seal = path.with_suffix(".json").read_bytes().rpartition(b"\n")
    about: dict[str, Any] = json.loads(text)
    if seal != _seal(text) or about["schema"] != SCHEMA:
        raise ValueError("damaged, or of another version")
    return about


def _seal(text: bytes) -> bytes:
    """Return the last line of a JSON file, which tells whether the file is damaged."""
    return f"{zlib.crc32(text):08x}".encode()


@cache
def usable() -> list[Level]:
    """Return the levels whose libraries this machine can use, the highest first; none if the caller is missing."""
    try:
        found = (ctypes.c_uint32 * len(REGISTERS))()
        _caller().features(found)
    except DAMAGES:
        return []
    return suitable(dict(zip(REGISTERS, found, strict=True)))


def settings() -> str:
    """Return a setting of Numba that machine code in a library does not obey; "" if there is none."""
    return next((name for name in SETTINGS if os.environ.get(name)), "")


def refused(part: str) -> str:
    """Return why a part's library is not used although there is a file of this name; "" otherwise."""
    place = folder()
    if place is None or library(part) is not None:
        return ""
    if not usable() and os.path.exists(place):
        try:
            _caller()
        except DAMAGES as error:
            return str(error)
    for level in usable():
        if os.path.exists(library_file(place, level, part)):
            try:
                _library(place, level, part)
            except DAMAGES as error:
                return str(error)
            return f"{settings()} is set"
    return ""


def has(function: str, signature: str) -> bool:
    """Return whether a library has a function for a list of argument types (see `signatures`)."""
    found = library(part_of(function))
    return found is not None and found.has(function) and signature in found.functions[function]


def library_file(folder: Path, level: Level, part: str) -> Path:
    """Return the file of a part's library for a level."""
    return folder / level.name / f"{part}{SUFFIX}"


def about_library(level: Level, functions: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return what the JSON file of a library says, if it is made now with these functions and signatures."""
    dependencies = {
        module: list(sources.dependencies(module)) for module in sorted({name.partition(":")[0] for name in functions})
    }
    made_from = {name: sources.text_digest(name) for names in dependencies.values() for name in names}
    return {
        "level": level.name,
        "functions": functions,
        "dependencies": dependencies,
        "made from": made_from,
        "made by": sources.builder_digest(),
    }


def is_saved(path: Path, about: dict[str, Any]) -> bool:
    """Return whether there is a library whose JSON file says all this."""
    try:
        expected = {"crc32": zlib.crc32(path.read_bytes())} | about
        return bool(expected.items() <= _about(path).items())
    except DAMAGES:
        return False


def save(path: Path, content: bytes, about: dict[str, Any]) -> None:
    """Write a library and the JSON file beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write(path, content)
    text = json.dumps({"schema": SCHEMA, "crc32": zlib.crc32(content)} | about).encode()
    files.write(path.with_suffix(".json"), text + b"\n" + _seal(text))


def forget() -> None:
    """Read all files again when they are needed, as a new process does."""
    for kept in (library, usable, _caller):
        kept.cache_clear()


@cache
def _caller() -> Any:
    place = folder()
    if place is None:
        raise OSError("no folder")
    # Not CDLL, which would release the interpreter's lock: the caller does so itself, while a twin runs.
    caller, _ = _opened(place / CALLER, ctypes.PyDLL)
    caller.bind.argtypes, caller.bind.restype = [ctypes.c_void_p], ctypes.py_object
    caller.start.argtypes, caller.start.restype = [ctypes.py_object] * 6, None
    caller.features.restype = None
    caller.start(np.ndarray, np.number, np.bool_, tuple, _array, _raise)
    return caller


def _array(letter: str, address: int, ndim: int, shape: int) -> np.ndarray[Any, Any]:
    """Return a copy of an array in memory, given the letter of its type, its address, and the address of its shape."""
    lengths = tuple((ctypes.c_int64 * ndim).from_address(shape))
    made = np.empty(lengths, np.dtype(letter))
    if made.size:
        ctypes.memmove(made.ctypes.data, address, made.nbytes)
    return made


def _raise(address: int, size: int, is_dynamic: int) -> NoReturn:
    """Raise the exception of a twin, which Numba has pickled; without its arguments if they were found at run time."""
    kind, arguments, *_ = pickle.loads(ctypes.string_at(address, size))
    raise kind() if is_dynamic or arguments is None else kind(*arguments)
