"""Recordings by NestrisChamps: what a program read from the screen of a console, frame by frame.

A file is a sequence of frames of equal length, perhaps compressed by gzip. A frame has the field with the falling piece
in it, the number of each piece so far, the next piece, the lines and the level. A new piece has appeared where the
number of one piece grows by one. The programs read images, so single frames can be wrong.

The format is that of NestrisChamps (https://github.com/timotheeg/nestrischamps, ``public/js/BinaryFrame.js``), in three
versions.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np

from gpusolve.errors import BadInput
from gpusolve.games.tetris.measuring.positions import Listed
from gpusolve.games.tetris.rules.board import COLUMNS, ROWS, Board, orientations
from gpusolve.games.tetris.rules.sources import NES_ORDER

SIZES = {1: 71, 2: 72, 3: 73}
"""Bytes of a frame by the version of the format."""
SEEN = 20
"""The rows that a console shows."""
MOST_BYTES = 100_000_000
UNKNOWN = 7
"""The number of a piece that could not be read."""
SETTLED = 3
"""So many frames in a row that agree are right, even if they do not follow from those before."""


@dataclass(frozen=True)
class Frames:
    """What the frames of a game say.

    `positions` has the board before each piece, the piece, and the lines cleared before it; `level` and `lines` are
    those of the first piece. `count` is the number of frames, `misread` that of frames that do not fit in with the
    others.
    """

    positions: list[Listed] = field(repr=False)
    level: int
    lines: int
    count: int
    misread: int


class _Frame(NamedTuple):
    """A frame: numbers of pieces in the console's order, cells as a number whose bit 10 row + column is that cell."""

    number: int
    counts: tuple[int, ...]
    piece: int
    following: int
    lines: int
    level: int
    cells: int


class _Piece(NamedTuple):
    """A piece while it falls: its number, or None if it could not be read, and its frames."""

    piece: int | None
    frames: list[_Frame]


def is_recording(content: bytes) -> bool:
    """Return whether a file is a recording in this format, and not text: by its first frame, which has zeros."""
    return content[:2] == b"\x1f\x8b" or (b"\0" in content[: SIZES[1]] and content[0] >> 5 in SIZES)


def read_frames(content: bytes, source: str) -> Frames:
    """Read the positions of a game from the frames of a recording.

    Raises BadInput for a file in another format or version, and for one without a piece.
    """
    frames = list(_frames(_unpacked(content, source), source))
    pieces, misread = _pieces(frames)
    if not pieces:
        raise BadInput(f"{source}: no piece in its {len(frames):,} frames")
    positions = []
    for piece, seen in pieces:
        board = _board_before(piece, seen)
        if piece is not None and board is not None:
            name = f"{source}, frame {seen[0].number}"
            positions.append(Listed(name, board, piece, lines=_usual(frame.lines for frame in seen)))
    level, lines = (_usual(getattr(frame, name) for frame in pieces[0].frames) for name in ("level", "lines"))
    return Frames(positions, level, lines, len(frames), misread)


def _unpacked(content: bytes, source: str) -> bytes:
    """Return the frames of a file, which may be compressed."""
    if content[:2] != b"\x1f\x8b":
        return content
    try:
        unpacker = zlib.decompressobj(wbits=31)
        found = unpacker.decompress(content, MOST_BYTES)
    except zlib.error as error:
        raise BadInput(f"{source}: damaged: {error}") from None
    if unpacker.unconsumed_tail:
        raise BadInput(f"{source}: expected at most {MOST_BYTES:,} bytes of frames")
    if not unpacker.eof:
        raise BadInput(f"{source}: damaged: it ends in the middle")
    return found


def _frames(content: bytes, source: str) -> Iterable[_Frame]:
    """Yield the frames whose numbers could be read."""
    version = content[0] >> 5 if content else 0
    size = SIZES.get(version)
    if size is None or len(content) % size:
        raise BadInput(f"{source}: expected frames of NestrisChamps, version 1, 2 or 3")
    for number, begin in enumerate(range(0, len(content), size), 1):
        frame = content[begin : begin + size]
        if frame[0] >> 5 != version:
            raise BadInput(f"{source}, frame {number}: version {frame[0] >> 5}, expected {version} as before")
        yield _frame(number, frame, version)


def _frame(number: int, frame: bytes, version: int) -> _Frame:
    """Read a frame; unknown numbers are all ones."""
    if version == 1:
        lines, level, after, width = (frame[9] & 0x7F) << 2 | frame[10] >> 6, frame[10] & 0x3F, 11, 8
    else:
        lines, level, after, width = (frame[6] & 0xF) << 8 | frame[7], frame[8], 12, 7 + version
    numbers = after + 2
    field = numbers + (7 * width + 7) // 8
    bits = int.from_bytes(frame[numbers:field]) >> (-7 * width) % 8
    counts = tuple(bits >> width * (6 - i) & (1 << width) - 1 for i in range(7))
    pairs = np.frombuffer(frame[field : field + SEEN * COLUMNS // 4], np.uint8)[:, None] >> np.array([6, 4, 2, 0]) & 3
    cells = int.from_bytes(np.packbits(pairs.reshape(-1) > 0, bitorder="little").tobytes(), "little")
    return _Frame(number, counts, frame[after + 1] & 7, frame[after] & 7, lines, level, cells)


def _pieces(frames: list[_Frame]) -> tuple[list[_Piece], int]:
    """Return the pieces with their frames, and the number of frames that do not fit in with the others."""
    pieces: list[_Piece] = []
    waiting: list[_Frame] = []  # frames that do not follow from those before
    misread = 0
    counts: tuple[int, ...] = (0,) * 7
    for frame in frames:
        grown = [i for i in range(7) if frame.counts[i] != counts[i]]
        if not grown and pieces:
            pieces[-1].frames.append(frame)
        elif len(grown) == 1 and frame.counts[grown[0]] == counts[grown[0]] + 1:
            pieces.append(_Piece(NES_ORDER[grown[0]], [frame]))
            counts = frame.counts
        else:
            waiting = [*waiting, frame] if waiting and waiting[-1].counts == frame.counts else [frame]
            misread += 1
            if len(waiting) == SETTLED and any(frame.counts):
                piece = None if frame.piece == UNKNOWN else NES_ORDER[frame.piece]
                pieces.append(_Piece(piece, waiting))
                counts, misread, waiting = frame.counts, misread - SETTLED, []
            continue
        waiting = []
    return pieces, misread


def _board_before(piece: int | None, frames: list[_Frame]) -> Board | None:
    """Return the board on which a piece falls: what is left of most frames without one of the piece's states."""
    left = Counter(
        frame.cells & ~state
        for frame in frames
        for state in (_states(piece) if piece is not None else ())
        if frame.cells & state == state
    )
    if not left:
        return None
    [(cells, _)] = left.most_common(1)
    board = np.zeros((ROWS, COLUMNS), np.uint8)
    for at in range(SEEN * COLUMNS):
        board[ROWS - SEEN + at // COLUMNS, at % COLUMNS] = cells >> at & 1
    return board


@cache
def _states(piece: int) -> list[int]:
    """Return the cells of every state of a piece on the rows that are seen."""
    found = []
    for shape, _, _ in orientations(piece):
        height, width = (max(each) for each in zip(*shape, strict=True))
        found += [
            sum(1 << COLUMNS * (row + r) + column + c for r, c in shape)
            for row in range(SEEN - height)
            for column in range(COLUMNS - width)
        ]
    return found


def _usual(numbers: Iterable[int]) -> int:
    """Return the first number that is among the most frequent ones."""
    return Counter(numbers).most_common(1)[0][0]
