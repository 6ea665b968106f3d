"""Arrays in files, which can come from strangers: what they declare is checked before memory is used for it."""

from __future__ import annotations

import io
import math
import re
import struct
import zipfile
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

MOST_AXES = 8
MOST_ITEMS = 1 << 48
"""More than any array has along an axis."""
_TYPE = re.compile(r"[<>|][biufU][0-9]{1,9}")  # an array of objects would be pickled; the other types are never written
_START = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([^']{1,12})', 'fortran_order': (False|True), 'shape': \(([0-9, ]{0,200})\), \} *\n"
)
_WRONG = (
    ArithmeticError, AttributeError, EOFError, LookupError, OSError, RuntimeError, TypeError, ValueError,
    struct.error, zipfile.BadZipFile,
)  # fmt: skip
"""The errors that `zipfile` raises for damaged and for hostile archives."""


def declared(dtype: str, shape: Sequence[int]) -> tuple[np.dtype[Any], int]:
    """Return the type with NumPy's name `dtype`, and the size in bytes of an array of this type and shape.

    Raises ValueError for a type that is never written, and for a shape that no array has.

    >>> declared("<f8", [2, 3])
    (dtype('float64'), 48)
    """
    try:
        found = np.dtype(dtype) if _TYPE.fullmatch(dtype) else None
    except (TypeError, ValueError):
        found = None
    if found is None or not found.itemsize:
        raise ValueError(f"type {dtype[:40]}: expected numbers, truth values or text")
    if len(shape) > MOST_AXES or min(shape, default=0) < 0 or max(shape, default=0) > MOST_ITEMS:
        raise ValueError(f"shape {str(shape)[:40]}: expected at most {MOST_AXES} axes, and no negative sizes")
    return found, math.prod(shape) * found.itemsize


def read_archive(content: bytes) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays in an archive that `numpy.savez` wrote, by name. They take as much memory as the archive.

    Raises ValueError for any other archive, and for compressed arrays, whose size says nothing about their memory.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            for member in members:
                if member.compress_type != zipfile.ZIP_STORED or member.file_size != member.compress_size:
                    raise ValueError("its arrays are compressed")
            if sum(member.file_size for member in members) > len(content):
                raise ValueError("its arrays overlap")
            return {member.filename.removesuffix(".npy"): _read(archive.read(member)) for member in members}
    except _WRONG as error:
        raise ValueError(str(error) or type(error).__name__) from error


def _read(content: bytes) -> npt.NDArray[Any]:
    """Return the array in a file that `numpy.save` wrote. Raises ValueError for any other content."""
    start = len(_START) + 2
    end = start + int.from_bytes(content[start - 2 : start], "little")
    header = _HEADER.fullmatch(content, start, end) if content.startswith(_START) else None
    if header is None:
        raise ValueError("an array without a header")
    shape = [int(size) for size in re.findall(r"[0-9]+", header[3].decode())]
    dtype, size = declared(header[1].decode("latin-1"), shape)
    if size != len(content) - end:
        raise ValueError(f"{len(content) - end:,} bytes for {size:,} bytes of {dtype}")
    return np.ndarray(shape, dtype, content, end, order="F" if header[2] == b"True" else "C").copy("K")
