"""The console's delayed auto-shift against a plain port of its routine."""

from __future__ import annotations

import numpy as np

from games.tetris.oracle import EMPTY, some_boards
from gpusolve.games.tetris.rules import das
from gpusolve.games.tetris.rules.board import (
    PIECES,
    Board,
    State,
    can_spawn,
    fits,
    gravity,
    moved,
    pressed,
    spawn_state,
)


class Console:
    """A falling piece under the routine ``shift_tetrimino`` of the console, which has no idea of plans."""

    def __init__(self, board: Board, piece: int, charge: int) -> None:
        self.board, self.piece, self.state, self.charge = board, piece, spawn_state(piece), charge

    def shift(self, held: str, newly: str) -> None:
        if newly:
            self.charge = 0
        elif held:
            self.charge += 1
            if self.charge < 0x10:
                return
            self.charge = 0x0A
        else:
            return
        after = pressed(self.piece, self.state, held)
        if fits(self.board, self.piece, after):
            self.state = after
        else:
            self.charge = 0x10

    def rotate(self, press: str) -> None:
        after = pressed(self.piece, self.state, press)
        assert fits(self.board, self.piece, after)
        self.state = after

    def drop(self) -> bool:
        """Return whether the piece dropped."""
        below = moved(self.state, 1, 0)
        if not fits(self.board, self.piece, below):
            return False
        self.state = below
        return True


def replayed(board: Board, piece: int, presses: tuple[str, ...], level: int, charge: int) -> tuple[State, int, int]:
    """Return where the piece locks, the charge then, and how often left or right was pressed since it appeared."""
    console, frame, held, again = Console(board, piece, charge), 0, "", 0
    frames, _ = gravity(level)
    while True:
        now = [press.split(":")[1] for press in presses if press.startswith(f"{frame}:")]
        before = held
        for press in now:
            if press == "release":
                held = ""
            elif press.startswith("hold"):
                held = press.split()[1]
        newly = held if held != before and frame > 0 else ""
        if frame == 0 and len([press for press in now if press.startswith("hold")]) == 2:
            newly = held  # held one button before the piece appeared, and pressed the other on its first frame
        again += bool(newly)
        console.shift(held, newly)
        for press in now:
            if "clockwise" in press:
                assert frame % 2 == 0
                console.rotate(press)
        frame += 1
        if frame % frames == 0 and not console.drop():
            return console.state, console.charge, again


def test_every_path_leads_there_on_the_console_and_keeps_the_charge() -> None:
    checked = 0
    for board, level in ((EMPTY, 29), *zip(some_boards(5, 6), (18, 19, 29, 18, 19, 29), strict=True)):
        for piece in (0, 1, 3, 4):
            for state, presses in das.das_paths(board, piece, level).items():
                for charge in (15, 16):
                    at, after, again = replayed(board, piece, presses, level, charge)
                    assert at == state, presses
                    assert after >= 15
                    assert again <= 1
                checked += 1
    assert checked > 300


def test_a_ready_charge_shifts_at_once_and_then_every_six_frames() -> None:
    state, button, shifts = spawn_state(6), das.Button("left", das.READY), []
    for frame in range(30):
        before = state
        state, button = das.held(EMPTY, 6, state, button, "left")
        shifts += [frame] * (state != before)
    assert shifts == [0, 6, 12, 18]  # then the wall is reached
    assert button == das.Button("left", 16, again=False)


def test_without_a_charge_the_second_shift_comes_after_sixteen_frames() -> None:
    state, button, shifts = spawn_state(6), das.Button(), []
    for frame in range(30):
        before = state
        state, button = das.held(EMPTY, 6, state, button, "right")
        shifts += [frame] * (state != before)
    assert shifts == [0, 16, 22, 28]


def test_a_released_button_keeps_the_charge_and_a_wall_fills_it() -> None:
    walled = np.zeros_like(EMPTY)
    walled[:, 0:4] = 1
    state, button = das.held(walled, 6, spawn_state(6), das.Button("", 3), "left")
    assert state == spawn_state(6)
    assert button == das.Button("left", 16, again=True)
    assert das.held(EMPTY, 6, state, das.Button("left", 12), "")[1].charge == 12


def test_the_kill_screen_takes_the_outer_columns() -> None:
    """With one row per frame the piece is at the bottom after 20 frames, in which a held button shifts four times."""
    counts = [len(das.das_paths(EMPTY, piece, 29)) for piece in range(7)]
    assert counts == [14, 28, 28, 28, 14, 14, 7]
    assert [len(das.das_paths(EMPTY, piece, 19)) for piece in range(7)] == [17, 34, 34, 34, 17, 17, 9]


def test_a_piece_that_spawns_always_has_a_placement() -> None:
    for board in some_boards(11, 10):
        for piece in range(len(PIECES)):
            assert bool(das.das_paths(board, piece, 29)) == can_spawn(board, piece)
