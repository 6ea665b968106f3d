"""Files that users name: writing is atomic and follows links, devices are not replaced, endless files are refused."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from gpusolve import files
from gpusolve.errors import BadInput, ReaderGone

POSIX = pytest.mark.skipif(os.name != "posix", reason="devices, links and pipes of a POSIX system")


def test_round_trip(tmp_path: Path) -> None:
    for content in (b"\0\xff", b""):
        files.write(tmp_path / "file", content)
        assert files.read(tmp_path / "file") == content
    files.write(tmp_path / "file", "\ufeffgrün\n")
    assert files.read_text(tmp_path / "file") == "grün\n"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_failed_write_keeps_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files.write(tmp_path / "file", "before")

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(BadInput, match=r"weights .*file: cannot be written: No space left on device"):
        files.write(tmp_path / "file", "after", "weights")
    assert files.read(tmp_path / "file") == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@POSIX
def test_a_link_is_followed_and_the_mode_is_kept(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "file", tmp_path / "link"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    files.write(link, "after")
    assert link.is_symlink()
    assert target.read_text() == "after"
    assert target.stat().st_mode & 0o777 == 0o640
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "folder" / "new")
    files.write(dangling, "made")
    assert (tmp_path / "folder" / "new").read_text() == "made"


@POSIX
def test_devices_and_pipes_are_not_replaced(tmp_path: Path) -> None:
    files.write("/dev/null", "anything")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(BadInput, match="/dev/full: cannot be written: No space left on device"):
        files.write("/dev/full", "anything")
    assert Path("/dev/full").is_char_device()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    files.write(pipe, "through")
    reader.join(10)
    assert (read, pipe.is_fifo()) == ([b"through"], True)


@pytest.mark.parametrize("name", ["", ".", "none/file", "x" * 300, "a\0b", "file/below"])
def test_names_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    for call in (files.check_writable, lambda path: files.write(path, "x")):
        with pytest.raises(BadInput, match="cannot be written: "):
            call(name)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@POSIX
@pytest.mark.parametrize("name", ["", ".", "none", "x" * 300, "a\0b"])
def test_names_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match="cannot be read: "):
        files.read(name)


@POSIX
def test_an_endless_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST", 1 << 20)
    with pytest.raises(BadInput, match="/dev/zero: larger than 1 MiB"):
        files.read("/dev/zero")


def test_a_binary_file_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc\xff")
    with pytest.raises(BadInput, match=r"words .*file: not a UTF-8 text file \(byte 3\)"):
        files.read_text(tmp_path / "file", "words")


def test_a_name_that_occurs_twice_in_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "twice.json"
    path.write_text('{"a": {"name": 1, "name": 2}}')
    with pytest.raises(BadInput, match=r"game .*: an object has the name 'name' twice"):
        files.read_json(path, "game")


def test_half_a_surrogate_pair_is_written_as_an_escape(tmp_path: Path) -> None:
    path = tmp_path / "text"
    files.write(path, "a\ud800b")
    files.append(path, "\udcff")
    assert path.read_text() == r"a\ud800b\udcff"


@POSIX
def test_an_open_file_is_written_where_it_is(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    files.write(f"/dev/fd/{writer}", "through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    with pytest.raises(ReaderGone):
        files.write(f"/dev/fd/{writer}", "nobody")
    os.close(writer)
    with (tmp_path / "out").open("wb") as file:
        for text in ("first ", "second"):
            files.write(f"/dev/fd/{file.fileno()}", text)
    assert (tmp_path / "out").read_text() == "first second"
    with pytest.raises(BadInput, match="/dev/fd/999: cannot be written: Bad file descriptor"):
        files.check_writable("/dev/fd/999")
