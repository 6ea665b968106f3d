"""Small cases of Tetris: the placements that `suggest` lists, and the presses that lead to them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

import numpy as np

from gpusolve.errors import NoSolution
from gpusolve.games.tetris import Suggestions
from gpusolve.games.tetris.rules import features, reachability
from gpusolve.games.tetris.rules.board import (
    COLUMNS,
    PIECES,
    ROWS,
    Board,
    State,
    board_text,
    fits,
    level_at,
    moved,
    place,
    player_place,
    pressed,
    spawn_state,
)
from small.cases import Check, Trial, call, differences, first_of

REACHES = ["free", "free", "30hz", "15hz", "12hz", "slow5", "das", "30hz+tuck", "0,2,4", "5,7,20"]


def draw_board(chance: random.Random) -> Board:
    """Return a random pile of any height and density, without full rows."""
    board = np.zeros((ROWS, COLUMNS), np.uint8)
    height, density = chance.choice([0, 2, 5, 10, 16, 19, 21]), chance.uniform(0.2, 0.95)
    for row in range(ROWS - height, ROWS):
        for column in range(COLUMNS):
            board[row, column] = chance.random() < density
    board[board.all(axis=1), chance.randrange(COLUMNS)] = 0
    return board


def draw_suggest(chance: random.Random) -> Trial:
    board, piece, reach = draw_board(chance), chance.randrange(7), chance.choice(REACHES)
    start_level, lines = chance.choice([0, 9, 18, 19, 29]), chance.choice([0, 0, 10, 100, 220])
    doubled = reach != "free" and chance.random() < 0.2
    following = chance.choice([None, None, *range(7)])
    weights = [round(chance.uniform(-10, 10), 2) for _ in features.FEATURES]
    made = call(
        "suggest",
        board_text(board).replace("\n", "/"),
        PIECES[piece],
        None if following is None else PIECES[following],
        player=weights,
        lines=lines,
        variant=call("Variant", reach, start_level=start_level, double_killscreen=doubled or None),
        playouts=0,
    )
    placed = partial(reachability.placements, board, piece, reach, level_at(lines, start_level), doubled=doubled)
    return Trial(made, lambda found: fault_of_suggestions(board, piece, placed(), reach == "free", found))


def fault_of_suggestions(
    board: Board, piece: int, placements: Sequence[State], free: bool, found: Suggestions | NoSolution
) -> str:
    if isinstance(found, NoSolution):
        return f"refused, but there are {len(placements)} placements" if placements else ""
    faults = [differences(states=(sorted(row.state for row in found), sorted(placements)))]
    if free:
        faults.append(differences(reached=(sorted(row.state for row in found), sorted(reached(board, piece)))))
    values = [row.value for row in found if not (row.tetris or row.tetris_next or row.stuck)]
    faults.append("" if values == sorted(values) else "the placements are not in the order of their values")
    for row in found:
        after, cleared, lowest = place(board, piece, row.state)
        faults.append(
            differences(
                cleared=(row.cleared, cleared),
                place=((row.column, row.turned, row.row), player_place(piece, row.state)),
                features=(row.features, features.features(after, cleared, lowest)),
            )
        )
        if free:
            faults.append(_fault_of_presses(board, piece, row.state, row.presses))
    return first_of(faults)


def reached(board: Board, piece: int) -> set[State]:
    """Return the placements that presses lead to without a clock, by trying all presses in every state."""
    states, waiting = set[State](), [spawn_state(piece)]
    while waiting:
        state = waiting.pop()
        if state not in states and fits(board, piece, state):
            states.add(state)
            waiting += [pressed(piece, state, press) for press in reachability.PRESSES]
    return {state for state in states if not fits(board, piece, moved(state, 1, 0))}


def _fault_of_presses(board: Board, piece: int, end: State, presses: Sequence[str]) -> str:
    state = spawn_state(piece)
    for press in presses:
        state = pressed(piece, state, press)
        if not fits(board, piece, state):
            return f"{presses} lead through a filled cell"
    return differences(end=(state, end))


CHECKS = [Check("tetris suggest", draw_suggest)]
