"""Run an instrumented launch and collect what ``profiler.h`` counted and found."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend.kernel import Kernel
from gpusolve.testing import emulation
from gpusolve.testing.extent import Extent
from gpusolve.testing.profiling.instrument import AROUND_SHARED
from gpusolve.testing.profiling.parts import Access, Fault, Race
from gpusolve.testing.profiling.shared_library import Library, SharedArray, dynamic_array, library

MOST_EVENTS = 20_000_000
"""Most events of a block of threads: 640 MB."""
AROUND = 1 << 20
"""Unused bytes on both sides of each argument. They show which array a wrong index was meant for."""
MOST_OWNERS = 1 << 16
"""Elements of an array whose first thread is recorded."""
ATOMIC, EXCHANGE = 3, 4  # kinds of a site that is not a call
_VERBS = {1: "reads", 2: "writes", 3: "updates"}


class _Place(ctypes.Structure):
    _fields_ = (
        ("start", ctypes.c_void_p), ("bytes", ctypes.c_uint64), ("element", ctypes.c_uint32),
        ("space", ctypes.c_uint32), ("constant", ctypes.c_uint32), ("owners", ctypes.c_uint32),
        ("owner", ctypes.c_void_p), ("before", ctypes.c_uint64), ("after", ctypes.c_uint64),
        ("written", ctypes.c_uint64),
    )  # fmt: skip


_RACE = np.dtype([(name, "u4") for name in (
    "first_site", "second_site", "first_kind", "second_kind", "first_thread", "second_thread", "place", "element",
)] + [("count", "u8")])  # fmt: skip


_FAULT = np.dtype([(name, "u4") for name in ("what", "site", "kind", "thread", "place", "bytes")] + [
    ("offset", "i8"), ("count", "u8"),
])  # fmt: skip
_WHAT = ("outside", "misaligned", "unwritten", "null")


@dataclass(frozen=True)
class Raw:
    """What ``profiler.h`` counted, and the kind and line of each site that is not a call."""

    counts: npt.NDArray[np.uint64]
    extras: list[tuple[int, tuple[str, int]]]
    races: npt.NDArray[Any]
    faults: npt.NDArray[Any]
    steps: npt.NDArray[np.uint32]
    places: list[tuple[str, str, tuple[int, ...], int]]
    owners: list[npt.NDArray[np.int32]]
    granules: list[int]


def find_races(text: str, kernel: Kernel, extent: Extent, values: tuple[Any, ...]) -> tuple[Race | Fault, ...]:
    """Look for races and wrong accesses in a launch, and count nothing.

    Parameters
    ----------
    text : str
        The CUDA text, with its headers inserted.
    kernel : Kernel
        One of its kernels.
    extent : Extent
        The blocks of the grid, the threads of a block, and the dynamic shared memory.
    values : tuple
        All arguments. They are not checked.

    Returns
    -------
    tuple of Race or Fault
        The races, and shared memory that is read before it is written.

    Raises
    ------
    RuntimeError
        At an access outside of all arrays, or one that is not aligned.
    """
    raw = watch(text, kernel, extent, values, lockstep=False)
    built = library(text)
    return (*(races := found_races(text, built, raw)), *found_faults(text, built, raw, races))


def watch(
    text: str, kernel: Kernel, extent: Extent, values: tuple[Any, ...], *,
    block: int = 0, warp: int = 0, lockstep: bool = True,
) -> Raw:  # fmt: skip
    """Run an instrumented launch and return what ``profiler.h`` counted. The arrays are written."""
    fine = False
    while True:
        placed = tuple(
            emulation.aligned(value, AROUND) if parameter.is_array else value
            for parameter, value in zip(kernel.parameters, values, strict=True)
        )
        raw, again = _watch_once(text, kernel, extent, placed, block, warp, lockstep, fine)
        if not again or fine:
            break
        fine = True  # an access was smaller than an element: follow single bytes
    for parameter, value, copy in zip(kernel.parameters, values, placed, strict=True):
        if parameter.is_array and not parameter.constant:
            value[...] = copy
    return raw


def _watch_once(
    text: str, kernel: Kernel, extent: Extent, values: tuple[Any, ...], block: int, warp: int, lockstep: bool,
    fine: bool,
) -> tuple[Raw, bool]:  # fmt: skip
    built = library(text)
    code = built.code
    places: list[_Place] = []
    about: list[tuple[str, str, tuple[int, ...], int]] = []
    owners: list[npt.NDArray[np.int32]] = []

    def add(
        name: str,
        space: int,
        start: int,
        size: int,
        element: int,
        shape: tuple[int, ...],
        constant: bool,
        written: bool = False,
    ) -> None:
        granule = 1 if fine else element
        owner = np.full(min(size // granule, MOST_OWNERS), -1, np.int32)
        around = (AROUND, AROUND) if space == 0 else (0, AROUND_SHARED)
        places.append(_Place(start, size, granule, space, constant, len(owner), owner.ctypes.data, *around, written))
        about.append((name, ("global", "shared")[space], shape, element))
        owners.append(owner)

    for parameter, value in zip(kernel.parameters, values, strict=True):
        if parameter.is_array and value.nbytes:
            add(parameter.name, 0, value.ctypes.data, value.nbytes, value.itemsize, value.shape, parameter.constant)
    symbols = (ctypes.c_void_p * (len(built.shared) + 1)).in_dll(code, "gpusolve_shared")
    for array, start in zip(built.shared, symbols[:-1], strict=True):
        assert start is not None
        if _belongs(array, kernel):
            element = array.element or 1
            add(array.name, 1, start, array.bytes, element, (array.bytes // element,), False, array.element > 0)
    if extent.shared_memory:
        name, element = dynamic_array(text, kernel.name)
        start = ctypes.addressof(ctypes.c_char.in_dll(code, "gpusolve_dynamic_shared"))
        size = extent.shared_memory // element * element
        add(name, 1, start, size, element, (size // element,), False, True)
    given = (_Place * len(places))(*places)
    function = code[f"launch_{kernel.name}"]
    function.restype = ctypes.c_char_p
    passed = [emulation.as_c(parameter, value) for parameter, value in zip(kernel.parameters, values, strict=True)]
    with emulation.lock:
        code.profile_begin(
            ctypes.c_uint(len(built.sites)), given, ctypes.c_uint(len(places)), ctypes.c_int(lockstep),
            ctypes.c_uint(block), ctypes.c_uint(warp), ctypes.c_ulonglong(MOST_EVENTS),
        )  # fmt: skip
        error = function(extent.as_c(), ctypes.c_int(0), emulation.stacks(False), *passed)
        again = bool(code.profile_end())
        extra_count = code.profile_extra_count()
        extras = _copied(code.profile_extras, (extra_count, 2), np.dtype(np.uint32))
        raw = Raw(
            _copied(code.profile_counts, (len(built.sites) + extra_count, 2, 7), np.dtype(np.uint64)),
            list(zip(map(int, extras[:, 0]), emulation.places_of(text, map(int, extras[:, 1])), strict=True)),
            _copied(code.profile_races, (code.profile_race_count(),), _RACE),
            _copied(code.profile_faults, (code.profile_fault_count(),), _FAULT),
            _copied(code.profile_steps, (code.profile_step_count(), 2), np.dtype(np.uint32)),
            about, owners, [place.element for place in places],
        )  # fmt: skip
    if error:
        ends = [fault for fault in found_faults(text, built, raw, ()) if fault.what != "unwritten"]
        readable = emulation.readable(text, error)
        raise RuntimeError(f"{kernel.name}: {ends[-1]}" if ends else readable)
    if fine:
        raw = replace(raw, owners=[_coarser(owner, size) for owner, (*_, size) in zip(owners, about, strict=True)])
    return raw, again


def _coarser(owner: npt.NDArray[np.int32], element: int) -> npt.NDArray[np.int32]:
    """Return the owners of elements from those of bytes."""
    whole = owner[: len(owner) // element * element].reshape(-1, element)
    return np.ascontiguousarray(whole.max(axis=1, initial=-1)) if len(whole) else owner[:0]


def _belongs(array: SharedArray, kernel: Kernel) -> bool:
    """Return whether an array may be used by a kernel: it is not that of another kernel."""
    owner = re.match(r"_ZZ(\d+)(\w+)", array.symbol)
    return owner is None or owner[2][: int(owner[1])] == kernel.name


def _copied(function: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    function.restype = ctypes.c_void_p
    size = int(np.prod(shape)) * dtype.itemsize
    if not size:
        return np.zeros(shape, dtype)
    return np.frombuffer(ctypes.string_at(function(), size), dtype).reshape(shape)


def line_of(built: Library, raw: Raw, site: int) -> tuple[str, int]:
    """Return the file and the line of a site."""
    return built.sites[site].line if site < len(built.sites) else raw.extras[site - len(built.sites)][1]


def found_faults(text: str, built: Library, raw: Raw, races: tuple[Race, ...]) -> tuple[Fault, ...]:
    """Name the lines and the elements of wrong accesses. A read that comes too early because of a race is not one."""
    texts, faults = emulation.texts_of(text), []
    racing = {(race.array, access.file, access.line) for race in races for access in (race.first, race.second)}
    for fault in raw.faults:
        name, space, shape, element = raw.places[fault["place"]]
        file, line = line_of(built, raw, int(fault["site"]))
        if (name, file, line) in racing:
            continue
        verb, said = _VERBS[int(fault["kind"])], texts.get((file, line), "").strip()
        access = Access(int(fault["thread"]), verb, file, line, said)
        at, size, count = int(fault["offset"]) // element, int(np.prod(shape)), int(fault["count"])
        faults.append(Fault(_WHAT[fault["what"]], name, at, size, space, access, int(fault["bytes"]), count))
    return tuple(faults)


def found_races(text: str, built: Library, raw: Raw) -> tuple[Race, ...]:
    """Name the lines of races."""
    texts = emulation.texts_of(text)

    def access(thread: int, kind: int, site: int) -> Access:
        line = line_of(built, raw, site)
        return Access(int(thread), _VERBS[int(kind)], *line, texts.get(line, "").strip())

    races: dict[tuple[Any, ...], Race] = {}
    for race in raw.races:
        name, space, _, element = raw.places[race["place"]]
        at = int(race["element"]) * raw.granules[race["place"]] // element
        first = access(race["first_thread"], race["first_kind"], int(race["first_site"]))
        second = access(race["second_thread"], race["second_kind"], int(race["second_site"]))
        key = (name, *sorted([(first.file, first.line, first.verb), (second.file, second.line, second.verb)]))
        before = races.get(key)
        if before:
            races[key] = replace(before, count=before.count + int(race["count"]))
        else:
            races[key] = Race(name, at, space, first, second, int(race["count"]))
    return tuple(races.values())
