"""How exactly presses have to be timed, and where a piece comes to rest without some of them, in plain Python.

The presses of a placement are grouped into taps: a shift and a turn on one frame are one tap. The *window* of a tap has
the frames on which it may come, in any timing of the same taps in the same order that leads to the same placement. A
person keeps the order and the pace, but not the beat: a tap may start on any frame, as long as any two taps in a row
are as far apart as the two closest taps of the rhythm, and taps that answer to the next piece come after it is known.

A press that is *missed* does nothing, and the player goes on with the others on their frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from itertools import groupby, pairwise
from typing import NamedTuple, TypeAlias

from gpusolve.games.tetris.rules.board import ROWS, Board, State, gravity, moved, pressed, spawn_state
from gpusolve.games.tetris.rules.reachability import all_fits, is_tap, rhythm_of

Path: TypeAlias = tuple[str, ...]
"""Presses, each written ``frame:press``, as `reachability.timed_paths` has them."""
Falls: TypeAlias = list[tuple[int, int]]
"""Ranges of frames, each with its first frame and the one after its last."""
BEAT = 121
"""Frames of a rhythm in which its two closest taps are found."""


class Tap(NamedTuple):
    """Presses on one frame: a shift, a turn, or a shift and then a turn."""

    frame: int
    presses: tuple[str, ...]


class Falling:
    """A piece that falls on a board."""

    def __init__(self, board: Board, piece: int, level: int, *, doubled: bool = False) -> None:
        self.piece, self.spawn = piece, spawn_state(piece)
        self.frames, self.rows = gravity(level, doubled)
        self.free = all_fits(board, piece)
        self.after = cache(partial(pressed, piece))
        self.fitting, self.open_frames, self.falls = cache(self._fitting), cache(self._open_frames), cache(self._falls)

    def height(self, frame: int) -> int:
        """Return the number of rows that the piece has dropped before the presses of a frame."""
        return frame // self.frames * self.rows

    def _fitting(self, state: State) -> list[bool]:
        """Return whether a state at the height of the spawn fits after each number of drops, from 0 on."""
        orientation, top, column = state
        return [row < ROWS and self.free((orientation, row, column)) for row in range(top, top + ROWS + self.rows + 1)]

    def _open_frames(self, state: State) -> int:
        """Return the frames on which a state at the height of the spawn fits that has dropped since, as bits."""
        return sum(((1 << self.frames) - 1) << self.frames * k for k, fits in enumerate(self._at_drops(state)) if fits)

    def _falls(self, state: State) -> Falls:
        """Return the frames between which a state falls without coming to rest, if nobody presses.

        These are ranges of frames that have no frame in common, each from its first frame to the one after its last.
        """
        fits, found, first = self.fitting(state), [], 0
        for k in range(len(self._at_drops(state))):
            if not all(fits[k * self.rows + 1 : (k + 1) * self.rows + 1]):
                found.append((first, (k + 1) * self.frames))
                first = found[-1][1]
        return found

    def _at_drops(self, state: State) -> list[bool]:
        return self.fitting(state)[: ROWS + 1 : self.rows]

    def last_break(self, state: State, lowest: int) -> int:
        """Return the first frame from which on a state falls to `lowest` drops without coming to rest before."""
        fits, height = self.fitting(state), lowest
        while height >= 0 and fits[height]:
            height -= 1
        return -(-(height + 1) // self.rows) * self.frames

    def dropped(self, state: State, rows: int) -> tuple[State, bool]:
        """Return the state some rows lower, or where it comes to rest before, and whether it comes to rest."""
        for _ in range(rows):
            below = moved(state, 1, 0)
            if not self.free(below):
                return state, True
            state = below
        return state, False

    def rest(self, state: State) -> State:
        """Return where a piece comes to rest that nobody presses."""
        at_rest = False
        while not at_rest:
            state, at_rest = self.dropped(state, 1)
        return state


def taps_of(path: Path) -> list[Tap]:
    """Return presses as taps.

    >>> taps_of(("4:left", "6:left", "6:clockwise"))
    [Tap(frame=4, presses=('left',)), Tap(frame=6, presses=('left', 'clockwise'))]
    """
    split = [press.split(":") for press in path]
    return [Tap(int(frame), tuple(press for _, press in each)) for frame, each in groupby(split, lambda one: one[0])]


@cache
def pace_of(reach: str) -> int:
    """Return the number of frames between the two closest taps of a rhythm.

    >>> pace_of("30hz"), pace_of("13hz+tuck"), pace_of("slow5"), pace_of("0,7,12")
    (2, 4, 2, 5)
    """
    frames = [frame for frame in range(BEAT) if is_tap(rhythm_of(reach)[0], frame)]
    return min((later - frame for frame, later in pairwise(frames)), default=2)


def landings(falling: Falling, path: Path, missed: Sequence[float]) -> dict[State, float]:
    """Return the placements to which presses lead, with their chances, if each is missed with a chance of its own.

    Misses are independent. A press that meets an obstacle does nothing, as in the console.
    """
    flying, landed, frame = {falling.spawn: 1.0}, dict[State, float](), 0
    for (at, press), chance in zip((each.split(":") for each in path), missed, strict=True):
        rows, frame = falling.height(int(at)) - falling.height(frame), int(at)
        before, flying = flying, {}
        for state, likely in before.items():
            lower, at_rest = falling.dropped(state, rows)
            if at_rest:
                _add(landed, lower, likely)
                continue
            there = falling.after(lower, press)
            if not falling.free(there):
                there = lower
            _add(flying, there, likely * (1 - chance))
            _add(flying, lower, likely * chance)
    for state, likely in flying.items():
        _add(landed, falling.rest(state), likely)
    return landed


def windows(falling: Falling, path: Path, *, pace: int, known: int = 0) -> list[range]:
    """Return the window of each press: the frames from the first to the last on which its tap may come.

    These are the frames without a break around the one of the path. `pace` is the least number of frames between two
    taps in a row; taps that come on frame `known` or later in the path may not come earlier than that.
    """
    taps = taps_of(path)
    steps: list[list[State]] = []  # the states after each press of each tap, at the height of the spawn
    states = [falling.spawn]  # before the first tap and after each
    for _, presses in taps:
        made = [states[-1]]
        for press in presses:
            made.append(falling.after(made[-1], press))
        steps.append(made[1:])
        states.append(made[-1])
    aim = landing(falling, path)
    lowest = aim[1] - states[-1][1]  # drops until the piece rests
    end = (lowest // falling.rows + 1) * falling.frames  # it rests before this frame
    can = []  # the frames on which each tap can be made, by obstacles and by what is known
    for tap, made in zip(taps, steps, strict=True):
        can.append(_from(known if tap.frame >= known else 0) & ((1 << end) - 1))
        for state in made:
            can[-1] &= falling.open_frames(state)
    wins = _from(falling.last_break(states[-1], lowest)) & ((1 << end) - 1)
    early: list[int] = []
    for number in range(len(taps)):
        early.append(_reached(can[number], falling.falls(states[number]), early[-1] if early else None, pace))
    late = [each & wins for each in can[-1:]]
    for number in range(len(taps) - 1, 0, -1):
        late.insert(0, _leading(can[number - 1], falling.falls(states[number]), late[0], pace))
    found = []
    for tap, before, after in zip(taps, early, late, strict=True):
        closed = ~(before & after)
        last = tap.frame + _lowest(closed >> tap.frame + 1)
        found += [range((closed & ~_from(tap.frame)).bit_length(), last + 1)] * len(tap.presses)
    return found


def landing(falling: Falling, path: Path) -> State:
    """Return the placement to which presses lead, of which none is missed."""
    state, frame = falling.spawn, 0
    for at, press in (each.split(":") for each in path):
        rows, frame = falling.height(int(at)) - falling.height(frame), int(at)
        state, at_rest = falling.dropped(state, rows)
        if at_rest:
            return state
        there = falling.after(state, press)
        state = there if falling.free(there) else state
    return falling.rest(state)


def _from(frame: int) -> int:
    """Return all frames from one on, as bits."""
    return -1 << frame


def _lowest(bits: int) -> int:
    """Return the number of the lowest bit that is set."""
    return (bits & -bits).bit_length() - 1


def _reached(can: int, falls: Falls, before: int | None, pace: int) -> int:
    """Return the frames on which a tap can be made after those before it; `before` is None for the first tap.

    `can` has the frames on which the tap can be made, and `before` those of the tap before.
    """
    if before is None:
        return can & ~_from(falls[0][1])
    found = 0
    for first, end in falls:
        if here := before & _from(first) & ~_from(end):
            found |= can & _from(_lowest(here) + pace) & ~_from(end)
    return found


def _leading(can: int, falls: Falls, after: int, pace: int) -> int:
    """Return the frames on which a tap can be made so that the next one, on one of `after`, leads to the placement."""
    found = 0
    for first, end in falls:
        if here := after & _from(first) & ~_from(end):
            found |= can & _from(first) & ~_from(max(0, here.bit_length() - pace))
    return found


def _add(chances: dict[State, float], state: State, likely: float) -> None:
    if likely:
        chances[state] = chances.get(state, 0.0) + likely
