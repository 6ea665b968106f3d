"""The placements that presses reach."""

from __future__ import annotations

import numpy as np
import pytest

from games.tetris.oracle import EMPTY
from gpusolve.games.tetris.rules import reachability
from gpusolve.games.tetris.rules.board import (
    COLUMNS,
    PIECES,
    ROWS,
    Board,
    cells_of,
    fits,
    parse_board,
    pressed,
    spawn_state,
)


def parsed(text: str) -> Board:
    return parse_board("\n".join(line.strip() for line in text.strip().splitlines()))


@pytest.mark.parametrize(("reach", "level"), [("free", 19), ("30hz", 18), ("30hz", 19)])
def test_placements_on_the_empty_board(reach: str, level: int) -> None:
    counts = {name: len(reachability.placements(EMPTY, i, reach, level)) for i, name in enumerate(PIECES)}
    assert counts == {"I": 17, "L": 34, "J": 34, "T": 34, "Z": 17, "S": 17, "O": 9}


def test_a_t_can_spin_under_an_overhang_but_not_under_gravity() -> None:
    pit = parsed("""
        ###.....##
        ###...####
        ####.#####
        """)
    spun = {cells_of(3, state) for state in reachability.placements(pit, 3)}
    assert ((20, 3), (20, 4), (20, 5), (21, 4)) in spun
    roofed = parsed("""
        #..#......
        #...######
        ##.#######
        """)
    states = reachability.placements(roofed, 3)
    assert ((20, 1), (20, 2), (20, 3), (21, 2)) in {cells_of(3, state) for state in states}
    assert ((20, 1), (20, 2), (20, 3), (21, 2)) not in {
        cells_of(3, state) for state in reachability.placements(roofed, 3, "12hz", 29)
    }


def test_every_path_leads_to_its_state() -> None:
    pit = parsed("#######.##\n##..######\n###.######")
    for piece in range(7):
        for state, path in reachability.free_paths(pit, piece).items():
            here = spawn_state(piece)
            for press in path:
                here = pressed(piece, here, press)
                assert fits(pit, piece, here)
            assert here == state


def test_gravity_limits_how_far_taps_reach() -> None:
    wall = np.zeros((ROWS, COLUMNS), np.uint8)
    wall[8:, :9] = 1
    free = reachability.placements(wall, 0)
    assert (1, 18, 9) in free
    assert (1, 18, 9) in reachability.placements(wall, 0, "30hz", 18)
    assert (1, 18, 9) not in reachability.placements(wall, 0, "15hz", 29)
