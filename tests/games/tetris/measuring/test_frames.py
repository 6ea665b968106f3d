"""Recordings by NestrisChamps: positions are read from frames of every version, and wrong frames change nothing."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from games.tetris.screens import frame, frames_of
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import Recording, Variant, play, review
from gpusolve.games.tetris.measuring.frames import is_recording, read_frames
from gpusolve.games.tetris.rules.board import points

CPU = open_backend("cpu:1")
DATA = Path(__file__).parents[5] / "shared" / "data"


@pytest.fixture(scope="module")
def game() -> Recording:
    return play("two-piece", policy="greedy", variant=Variant("30hz", "nes", 18, 12), seed=5, backend=CPU)


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("packed", [False, True])
def test_every_placement_is_read(game: Recording, version: int, packed: bool, tmp_path: Path) -> None:
    content = b"".join(frames_of(game, version))
    assert is_recording(content)
    (tmp_path / "game.ngf").write_bytes(gzip.compress(content) if packed else content)
    reviewed = review(tmp_path / "game.ngf", player="two-piece", variant=Variant("30hz"), playouts=0, backend=CPU)
    assert [each.state for each in reviewed.rows] == [turn.state for turn in game.turns]
    assert [each.lines for each in reviewed.rows] == [turn.lines for turn in game.turns]
    assert (reviewed.skipped, reviewed.misread, reviewed.frames) == ((), 0, 3 * len(game.turns) + 1)
    assert (reviewed.variant.start_level, reviewed.variant.source) == (18, "nes")
    assert [each.following for each in reviewed.rows[:-1]] == [each.piece for each in reviewed.rows[1:]]


def test_frames_that_were_misread_are_counted(game: Recording) -> None:
    frames = [*frames_of(game, 3)]
    empty = frame(3, [1023] * 7, 7, 4095, 255, np.zeros((22, 10), np.uint8))
    begin = read_frames(b"".join(frames), "x")
    wrong = read_frames(b"".join([empty, *frames[:7], empty, empty, *frames[7:]]), "x")
    assert (begin.misread, wrong.misread, wrong.count) == (0, 3, len(frames) + 3)
    assert [each.piece for each in wrong.positions] == [each.piece for each in begin.positions]
    assert all((a.board == b.board).all() for a, b in zip(wrong.positions, begin.positions, strict=True))
    assert (wrong.level, wrong.lines) == (18, 0)


def test_a_board_that_was_misread_is_left_out(game: Recording, tmp_path: Path) -> None:
    """The placements before and after it do not connect; all others are judged as before, with their lines."""
    frames = [*frames_of(game, 2)]
    for at in (15, 16, 17):  # the sixth piece
        board = bytearray(frames[at])
        board[-1] ^= 0b10101010  # four cells of the lowest row
        frames[at] = bytes(board)
    (tmp_path / "game.ngf").write_bytes(b"".join(frames))
    reviewed = review(tmp_path / "game.ngf", player="two-piece", variant=Variant("30hz"), playouts=0, backend=CPU)
    left_out = [each.number for each in reviewed.skipped]
    assert left_out == [5, 6]
    assert "no placement of" in reviewed.skipped[0].reason
    numbers = [each.number for each in reviewed.rows]
    assert numbers == [number for number in range(1, len(game.turns) + 1) if number not in left_out]
    assert [each.lines for each in reviewed.rows] == [game.turns[number - 1].lines for number in numbers]
    assert reviewed.index_of(7) == 4
    shown = "".join(str(part) for part in reviewed.drawing())
    assert "2 placements left out, the first one number 5" in shown


def test_other_files_are_refused(game: Recording, tmp_path: Path) -> None:
    good = b"".join(frames_of(game, 2))
    for content, message in (
        (good[:-1], "expected frames of NestrisChamps"),
        (bytes(73), "expected frames of NestrisChamps"),
        (good[:72] + bytes([3 << 5]) + good[73:], "frame 2: version 3, expected 2"),
        (gzip.compress(good)[:-9], "expected frames|damaged"),
        (b"\x1f\x8bxx", "damaged"),
        (frame(2, [0] * 7, 7, 0, 18, np.zeros((22, 10), np.uint8)), "no piece in its 1 frames"),
    ):
        with pytest.raises(BadInput, match=message):
            read_frames(content, "x")
    (tmp_path / "game.ngf").write_bytes(good)
    with pytest.raises(BadInput, match="lines 5: expected none with a recording"):
        review(tmp_path / "game.ngf", lines=5, backend=CPU)


@pytest.mark.skipif(not DATA.is_dir(), reason="the published games are not here")
@pytest.mark.parametrize(("name", "pieces", "score"), [("nes-game-1", 594, 941_540), ("nes-game-2", 590, 777_520)])
def test_published_games_connect(name: str, pieces: int, score: int) -> None:
    """All placements but the last connect without a clock; their points and lines are those of the recording."""
    content = (DATA / f"{name}.ngf").read_bytes()
    frames = read_frames(content, name)
    assert len(frames.positions) == pieces
    reviewed = review(DATA / f"{name}.ngf", player="two-piece", playouts=0, backend=CPU)
    assert [each.number for each in reviewed.skipped] == [pieces - 1]
    scored = sum(points(each.cleared, each.lines, 18) for each in reviewed.rows)
    soft_drops = score - scored
    assert 0 <= soft_drops <= 20 * pieces
    assert reviewed.rows[-1].lines == frames.positions[-1].lines
    known = [each.lines for each in frames.positions]
    assert [each.lines for each in reviewed.rows[:-1]] == known[1 : len(reviewed.rows)]
