"""The placements that presses reach."""

from __future__ import annotations

import numpy as np
import pytest

from games.tetris.oracle import EMPTY, some_boards
from gpusolve.games.tetris.rules import reachability
from gpusolve.games.tetris.rules.board import (
    COLUMNS,
    PIECES,
    ROWS,
    Board,
    cells_of,
    fits,
    gravity,
    moved,
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


@pytest.mark.parametrize(("reach", "level"), [("15hz", 18), ("15hz+tuck", 29), ("slow5+tuck", 19), ("0,9,11+tuck", 29)])
def test_the_presses_of_a_placement_lead_to_it_frame_by_frame(reach: str, level: int) -> None:
    """With +tuck only the last press leaves the rhythm, and only after a tap of the rhythm that was left out."""
    rhythm, tucks = reachability.rhythm_of(reach)
    frames, rows = gravity(level, doubled=True)
    tucked = 0
    for board in some_boards(7, 12):
        for piece in range(7):
            for state, path in reachability.timed_paths(board, piece, reach, level, doubled=True).items():
                pressing: dict[int, list[str]] = {}
                for time, press in (each.split(":") for each in path):
                    pressing.setdefault(int(time), []).append(press)
                here, frame, is_falling = spawn_state(piece), 0, True
                while is_falling:
                    for press in pressing.pop(frame, ()):
                        here = pressed(piece, here, press)
                        assert fits(board, piece, here)
                    frame += 1
                    for _ in range(rows if frame % frames == 0 else 0):
                        is_falling = is_falling and fits(board, piece, moved(here, 1, 0))
                        here = moved(here, 1, 0) if is_falling else here
                assert here == state
                assert not pressing
                times = sorted({int(each.split(":")[0]) for each in path})
                late = [frame for frame in times if not reachability.is_tap(rhythm, frame)]
                assert late == (times[-1:] if late else [])
                if late:
                    left_out = [frame for frame in range(late[0]) if reachability.is_tap(rhythm, frame)][-1]
                    assert left_out not in times
                    tucked += 1
    assert (tucked > 0) == tucks


@pytest.mark.parametrize("doubled", [False, True])
@pytest.mark.parametrize("level", [18, 29, 39])
def test_what_lies_below_does_not_matter_before_a_piece_gets_there(level: int, doubled: bool) -> None:
    """The presses are those of a piece that falls on this board from its spawn."""
    random = np.random.default_rng(level)
    for height in (0, 3, 9, 14, 19):
        board = np.zeros((ROWS, COLUMNS), np.uint8)
        board[ROWS - height :] = random.random((height, COLUMNS)) < 0.7
        for piece in range(7):
            start, way = reachability._spawned(board, piece), "30hz+tuck"
            found = reachability._fall(board, piece, start, reach=way, level=level, doubled=doubled)[1]
            assert reachability.timed_paths(board, piece, way, level, doubled=doubled) == found


def test_a_tuck_comes_between_two_taps() -> None:
    """At level 29 an O is below the roof on frame 10 alone, and slow5 taps on the frames 6 and 18."""
    roofed = np.zeros((ROWS, COLUMNS), np.uint8)
    roofed[11, :4] = roofed[14:, :9] = 1
    for reach, under in (("slow5", []), ("0,6,18+tuck", [(0, 12, 3)]), ("slow5+tuck", [(0, 12, 3)])):
        states = reachability.placements(roofed, 6, reach, 29)
        assert [state for state in states if state[1] == 12 and state[2] < 4] == under


def test_the_rhythm_starts_again_when_the_next_piece_is_known() -> None:
    """With slow5 and the next piece known on frame 30, four quick taps follow instead of one on frame 36."""
    assert reachability.restarts("slow5", 30) == (30, 36)
    far = {
        reach: max(
            len({cells_of(6, state) for state in plan}) for plan in reachability.plans(EMPTY, 6, reach, 18, delay=30)
        )
        for reach in ("slow5", "slow5+tuck")
    }
    assert far["slow5"] < far["slow5+tuck"]
