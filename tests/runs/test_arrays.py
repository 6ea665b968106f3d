"""Arrays in files: only what `numpy.savez` writes is read, and it takes no more memory than the file."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from gpusolve.runs.arrays import declared, read_archive

ARRAYS: dict[str, npt.NDArray[Any]] = {
    "doubles": np.arange(6.0).reshape(2, 3),
    "columns first": np.asfortranarray(np.arange(6, dtype=np.int16).reshape(2, 3)),
    "one": np.array(7),
    "none": np.zeros((0, 4), np.uint8),
    "text": np.array("a\u2713"),
    "flags": np.array([True, False]),
}


def archive(members: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as written:
        for name, content in members.items():
            written.writestr(name, content)
    return file.getvalue()


def saved(array: npt.NDArray[Any]) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def headed(header: str, content: bytes = bytes(24)) -> bytes:
    """Return an array's file with another header."""
    line = f"{header:<117}\n".encode("latin-1")
    return b"\x93NUMPY\x01\x00" + len(line).to_bytes(2, "little") + line + content


def test_arrays_are_read_as_they_were_written() -> None:
    file = io.BytesIO()
    np.savez(file, **ARRAYS)  # type: ignore[arg-type]
    arrays = read_archive(file.getvalue())
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].flags.f_contiguous == array.flags.f_contiguous
        assert arrays[name].flags.writeable
        assert np.array_equal(arrays[name], array)


@pytest.mark.parametrize(
    "header",
    [
        "",
        "{}",
        "[" * 100,
        "{'descr': '|O', 'fortran_order': False, 'shape': (3,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-3,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1, -3), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3.0,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296, 3), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 999999999999999999), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (" + "1, " * 20 + "3), }",
        "{'descr': '<f9', 'fortran_order': False, 'shape': (3,), }",
        "{'descr': '<U0', 'fortran_order': False, 'shape': (3,), }",
        "{'descr': '<U999999999', 'fortran_order': False, 'shape': (3,), }",
        "{'descr': '<M8[s]', 'fortran_order': False, 'shape': (3,), }",
        "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 'more': 1}",
    ],
)
def test_a_header_that_is_not_ours_is_refused(header: str) -> None:
    with pytest.raises(ValueError, match=r"header|expected|bytes"):
        read_archive(archive({"a.npy": headed(header)}))


def test_a_header_of_ours_is_read() -> None:
    array = read_archive(archive({"a.npy": headed("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }")}))["a"]
    assert array.tolist() == [0, 0, 0]


@pytest.mark.parametrize("content", [b"", b"PK", b"\x93NUMPY", bytes(1000), saved(np.arange(3))])
def test_other_files_are_not_archives(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_archive(content)
    if content:
        with pytest.raises(ValueError, match=r"."):
            read_archive(archive({"a.npy": content[:-1]}))


def test_an_array_of_objects_is_refused() -> None:
    with pytest.raises(ValueError, match="type"):
        read_archive(archive({"a.npy": saved(np.array([{}], object))}))


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compressed_arrays_are_refused_before_they_are_inflated(method: int) -> None:
    content = archive({"a.npy": saved(np.zeros(8 << 20))}, method)
    assert len(content) < 1 << 20
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="compressed"):
            read_archive(content)
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


def overlapping(times: int) -> bytes:
    """Return an archive whose list of contents names the same bytes several times."""
    one = archive({"a.npy": saved(np.zeros(1 << 17))})
    start = one.index(b"PK\x01\x02")
    end = one.index(b"PK\x05\x06")
    size = (end - start) * times
    ending = b"PK\x05\x06\0\0\0\0" + times.to_bytes(2, "little") * 2 + size.to_bytes(4, "little")
    return one[:start] + one[start:end] * times + ending + start.to_bytes(4, "little") + b"\0\0"


def test_arrays_that_share_bytes_are_refused() -> None:
    assert read_archive(overlapping(1))["a"].size == 1 << 17
    with pytest.raises(ValueError, match="overlap"):
        read_archive(overlapping(2))


def test_damage_anywhere_in_an_archive_is_a_value_error() -> None:
    """The digest of a checkpoint finds such damage first, but a stranger can compute it again."""
    file = io.BytesIO()
    np.savez(file, **ARRAYS)  # type: ignore[arg-type]
    whole, chance = file.getvalue(), np.random.default_rng(1)
    for _ in range(3000):
        content = bytearray(whole)
        for position in chance.integers(0, len(whole), chance.integers(1, 4)):
            content[position] = chance.integers(256)
        try:
            arrays = read_archive(bytes(content[: chance.integers(1, 2 * len(whole))]))
        except ValueError:
            continue
        assert sum(array.nbytes for array in arrays.values()) <= len(whole)


def test_the_declared_size() -> None:
    assert declared("|b1", []) == (np.dtype(bool), 1)
    assert declared("<U5", [2, 0]) == (np.dtype("<U5"), 0)
