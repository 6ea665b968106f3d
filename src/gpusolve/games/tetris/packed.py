"""Packed files of learned values: those that come with gpusolve, in an eighth of the space of the tables.

A file is a line with the SHA-256 of all that follows, a line of JSON, the compressed table of lines to come, and the
sets of tables one after the other. A set is coded as its differences from a reference, which is a set of another value,
an earlier one of the same value, or zeros: see `cpu.packing`. Packing and unpacking lose nothing.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import product, zip_longest
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve import files
from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.games.tetris.cpu.packing import MOST_COUNT, code
from gpusolve.games.tetris.rules.losses import MOST_PHASES, READY, SHAPES, SIZE
from gpusolve.games.tetris.variant import MOST_LINES

SCHEMA = "gpusolve.tetris.packed/1"
SUFFIX = ".packed"
MOST_HEADER = 1 << 14
MOST_BYTES = 14
"""No number takes more bytes: it is 8 binary decisions of at most 12 bits, and 13 digits of one bit each."""
MOST_REFERENCES = 2
"""`pack` tries this number of sets as the reference of a set, each with every other set that is known."""
SHORTEST = 4
"""The bytes of the code of no number at all."""
Set: TypeAlias = npt.NDArray[np.int16]
About: TypeAlias = dict[str, Any]


def pack(about: About, tables: Set, endgame: npt.NDArray[np.int32], others: Mapping[str, Set]) -> bytes:
    """Return the content of a packed file.

    Parameters
    ----------
    about : dict
        What the file says about the value, in JSON values; its ``name`` is that of the value.
    tables, endgame : numpy.ndarray
        The numbers of the value (`players.value.LearnedValue`).
    others : mapping
        Name -> tables of the values from which differences can be kept. `unpack` needs those that are used.
    """
    known: dict[tuple[str, int] | None, Set] = {None: np.zeros(SIZE, np.int16)}
    known |= {(name, k): part for name, other in others.items() for k, part in enumerate(other.reshape(-1, SIZE))}
    sets, codes = [], []
    for number, part in enumerate(tables.reshape(-1, SIZE)):
        unlike = {place: _unlike(part, other) for place, other in known.items()}
        likely = sorted(known, key=lambda place: unlike[place])[:MOST_REFERENCES]
        reference, other = likely[0], None
        found = _coded(part, known[reference], known[other])
        for one, two in product(likely, known) if found else ():
            tried = _coded(part, known[one], known[two])
            if len(tried) < len(found):
                found, reference, other = tried, one, two
        shift = _shift(part, known[reference])
        sets.append({"reference": reference, "other": other, "shift": shift, "bytes": len(found)})
        codes.append(found)
        known[about["name"], number] = part
    first = lzma.compress(endgame.astype("<i4").tobytes(), lzma.FORMAT_ALONE)
    header = {"schema": SCHEMA, "about": about, "endgame": len(first), "sets": sets}
    rest = b"".join([json.dumps(header).encode(), b"\n", first, *codes])
    return hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest


def read_about(path: Path) -> About:
    """Return what a packed file says about its value, and as ``packed`` its digest, without reading all of it."""
    try:
        with path.open("rb") as file:
            start = file.read(MOST_HEADER)
    except OSError as error:
        raise BadInput(f"value {path}: cannot be read: {error.strerror}") from None
    digest, header, _ = _header(start, str(path))
    return {**header.object("about").values, "packed": digest}


def unpack(path: Path, tables_of: Callable[[str], Set]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays ``tables`` and ``endgame`` of a packed file.

    Parameters
    ----------
    path : Path
        The file.
    tables_of : callable
        Returns the tables of the value with a name, for the references.

    Raises
    ------
    BadInput
        If the file cannot be read, or if it is damaged.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"value {path}: cannot be read: {error.strerror}") from None
    digest, header, begin = _header(content, str(path))
    if hashlib.sha256(memoryview(content)[len(digest) + 1 :]).hexdigest() != digest:
        raise BadInput(f"value {path}: damaged: expected the SHA-256 that it begins with")
    name, length = header.object("about").text("name"), header.integer("endgame", 1, len(content))
    try:
        endgame = np.frombuffer(lzma.decompress(content[begin : begin + length]), "<i4").astype(np.int32)
    except (lzma.LZMAError, ValueError) as error:
        raise BadInput(f"{header.place}: endgame: {error}") from None
    if len(endgame) not in range(READY, (MOST_LINES + 1) * READY + 1, READY):
        raise header.wrong("endgame", f"1 to {MOST_LINES + 1:,} rows of {READY} numbers")
    begin, found = begin + length, dict[tuple[str, int], Set]()
    entries = header.objects("sets")
    if not 1 <= len(entries) <= MOST_PHASES:
        raise header.wrong("sets", f"1 to {MOST_PHASES}")
    for number, entry in enumerate(entries):
        base, other = (_set_of(entry, one, name, found, tables_of) for one in ("reference", "other"))
        shift, length = entry.integer("shift", -65535, 65535), entry.integer("bytes", 0, len(content) - begin)
        numbers = base.astype(np.int32) + shift
        if length:
            numbers += decode(content[begin : begin + length], *_context(base, other))
        found[name, number], begin = numbers.astype(np.int16), begin + length
    arrays: dict[str, npt.NDArray[Any]] = {"tables": np.concatenate(list(found.values())), "endgame": endgame}
    for array in arrays.values():
        array.setflags(write=False)  # as what is mapped is, so that the same machine code serves both
    return arrays


def encode(
    numbers: npt.NDArray[np.int32],
    reference: npt.NDArray[np.int32],
    other: npt.NDArray[np.int32],
    shapes: Iterable[tuple[int, ...]] = tuple(SHAPES.values()),
) -> bytes:
    """Return the code of numbers, -32,768 to 32,767, of tables of some shapes; see `cpu.packing.code`.

    >>> few, known = np.array([0, 0, 7, 8, 0, 0], np.int32), np.zeros(6, np.int32)
    >>> decode(encode(few, known, known, [(2, 3)]), known, known, [(2, 3)]).tolist()
    [0, 0, 7, 8, 0, 0]
    """
    stream = np.empty(MOST_BYTES * len(numbers) + SHORTEST, np.uint8)
    return stream[: code(0, stream, numbers, reference, other, _filled(shapes), scales())].tobytes()


def decode(
    content: bytes,
    reference: npt.NDArray[np.int32],
    other: npt.NDArray[np.int32],
    shapes: Iterable[tuple[int, ...]] = tuple(SHAPES.values()),
) -> npt.NDArray[np.int32]:
    """Return the numbers whose code this is; of other bytes, some numbers."""
    numbers = np.zeros(len(reference), np.int32)
    stream = np.frombuffer(content.ljust(SHORTEST, b"\0"), np.uint8).copy()
    code(1, stream, numbers, reference, other, _filled(shapes), scales())
    return numbers


@cache
def scales() -> npt.NDArray[np.int32]:
    """Return int32 (3, 4096): the logistic function and its inverse, and by how much a counter moves.

    The first row has ln(p / (1 - p)) * 256 for p * 4096 = 0, 1, ..., the second its inverse from -2047 on, and the
    third 65,536 / (n + 1.6) for a counter that has seen n bits. No number is near a half before it is rounded, so
    they are the same with every library of mathematics.

    >>> int(scales()[0, 2048]), int(scales()[1, 2047]), hashlib.sha256(scales().tobytes()).hexdigest()[:8]
    (0, 2048, '1b46415b')
    """
    table = np.zeros((3, 4096), np.int32)
    chances, logits = np.arange(1, 4096), np.arange(-2047, 2048)
    table[0, 0], table[0, 1:] = -2047, np.rint(np.log(chances / (4096 - chances)) * 256).clip(-2047, 2047)
    table[1, :-1] = np.rint(4096 / (1 + np.exp(-logits / 256))).clip(1, 4095)
    table[2, : MOST_COUNT + 1] = 65_536 * 10 // (np.arange(MOST_COUNT + 1) * 10 + 16)
    return table


def _filled(shapes: Iterable[tuple[int, ...]]) -> npt.NDArray[np.int64]:
    """Return shapes as the rows of an array, filled up with zeros."""
    return np.array(list(zip_longest(*shapes, fillvalue=0)), np.int64).T.copy()


def _header(content: bytes, place: str) -> tuple[str, Fields, int]:
    """Return the digest and the header of a packed file, and the number of bytes that they take."""
    digest, _, rest = content[:MOST_HEADER].partition(b"\n")
    line, end, _ = rest.partition(b"\n")
    place = f"value {place}: damaged"
    try:
        found = files.parse_json(line.decode(), place) if end and len(digest) == 64 else None
        text = digest.decode("ascii")
    except UnicodeDecodeError:
        found = None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise BadInput(f"{place}, or not a packed value of this version")
    return text, Fields(place, found), len(digest) + len(line) + 2


def _set_of(
    entry: Fields, field: str, own: str, found: Mapping[tuple[str, int], Set], tables_of: Callable[[str], Set]
) -> Set:
    """Return the set of tables that a packed set refers to."""
    match entry.values.get(field):
        case None:
            return np.zeros(SIZE, np.int16)
        case [str(name), int(number)] if name == own and (name, number) in found:
            return found[name, number]
        case [str(name), int(number)] if name != own and 0 <= number < len(tables := tables_of(name)) // SIZE:
            return tables[number * SIZE : (number + 1) * SIZE]
    raise entry.wrong(field, "the name of a value and the number of one of its sets")


def _context(base: Set, other: Set) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return what is known about a set from its reference and another set, each without its most frequent number."""
    wide = base.astype(np.int32)
    beyond = other - wide
    return wide - _most_frequent(wide), beyond - _most_frequent(beyond)


def _most_frequent(numbers: npt.NDArray[Any]) -> int:
    """Return the most frequent number, the least if there are several."""
    least = int(numbers.min())
    return least + int(np.bincount(numbers.astype(np.int32) - least).argmax())


def _shift(part: Set, base: Set) -> int:
    """Return by how much the numbers of a set are greater than those of its reference, most of them at least."""
    return _most_frequent(part) - _most_frequent(base)


def _coded(part: Set, base: Set, other: Set) -> bytes:
    """Return the code of a set; nothing if it is its reference."""
    numbers = (part - base.astype(np.int32) - _shift(part, base) + 32768 & 65535) - 32768
    return encode(numbers, *_context(base, other)) if numbers.any() else b""


def _unlike(part: Set, other: Set) -> int:
    """Return how many numbers of a set differ from those of another, apart from the most frequent difference."""
    difference = part - other.astype(np.int32)
    return int(np.count_nonzero(difference != _most_frequent(difference)))
