"""Recorded results of the slow rules on boards and in whole games, and an expectimax in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from gpusolve.games.tetris.players.value import LearnedValue
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.rules import features, policies, reachability, sources
from gpusolve.games.tetris.rules.board import (
    COLUMNS,
    ROWS,
    Board,
    Cells,
    State,
    Turn,
    board_text,
    cells_of,
    level_at,
    parse_board,
    place,
    points,
)
from gpusolve.games.tetris.rules.losses import READY, SIZE, loss
from gpusolve.games.tetris.rules.sources import Source
from gpusolve.games.tetris.variant import Variant
from recorded import recorded

PUBLISHED = load_weights("published").values
FIXED, _ = features.fixed_point(PUBLISHED)
BAD = tuple(-w for w in PUBLISHED)
EMPTY = np.zeros((ROWS, COLUMNS), np.uint8)


def some_boards(seed: int, count: int) -> list[Board]:
    """Return random piles of any height and density, many with overhangs and pockets, some up to the spawn."""
    random = np.random.default_rng(seed)
    boards = []
    for _ in range(count):
        board = EMPTY.copy()
        height = random.integers(0, 21)
        board[ROWS - height :] = random.random((height, COLUMNS)) < random.uniform(0.3, 0.95)
        board[board.all(axis=1)] = 0
        boards.append(board)
    return boards


# --- learned values ---------------------------------------------------------------------------------------------------


KEPT: dict[int, LearnedValue] = {}
"""The values that `slow_least` was given: they cannot be hashed, and while they are kept, no other has their number."""


@cache
def some_value(seed: int, *, phases: int = 1, horizon: int = 230) -> LearnedValue:
    """Return a value of numbers that differ nearly everywhere, so that a wrong index leads to a wrong loss."""
    random = np.random.default_rng(seed)
    tables = random.integers(-2000, 2000, phases * SIZE).astype(np.int16)
    endgame = random.integers(0, 300_000, (horizon + 1) * READY).astype(np.int32)
    return LearnedValue("random", "", tables, endgame)


def slow_least(
    learned: LearnedValue, board: Board, piece: int, lines: int, variant: Variant
) -> list[tuple[int, State, Board, int]]:
    """Return each placement's loss, its state, the board after it and the lines then; the least loss first."""
    KEPT[id(learned)] = learned
    return _slow_least(id(learned), board.astype(np.uint8).tobytes(), piece, lines, variant)


@lru_cache(1 << 14)  # the same boards are met on many ways through a tree, and again in the next test
def _slow_least(
    number: int, cells: bytes, piece: int, lines: int, variant: Variant
) -> list[tuple[int, State, Board, int]]:
    learned, board = KEPT[number], np.frombuffer(cells, np.uint8).reshape(ROWS, COLUMNS)
    at_stake = learned.stakes(variant)
    level = level_at(lines, variant.start_level)
    ranked = []
    for number, state in enumerate(reachability.placements(board, piece, variant.reach, level)):
        after, cleared, _ = place(board, piece, state)
        then = min(lines + cleared, variant.max_lines)
        lost = int(at_stake.lost[lines, cleared])
        lost += loss(learned.tables, learned.endgame, after, lines=then, at_stake=at_stake)
        ranked.append((lost, number, state, after, then))
    return [(lost, state, after, then) for lost, _, state, after, then in sorted(ranked, key=lambda row: row[:2])]


# --- boards -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A board, two pieces, and the best placements. `moves`: cells of a placement -> its features, value, lines."""

    board: Board
    piece: int
    following: int
    moves: dict[Cells, tuple[list[int], int, int]]
    greedy: Cells
    two_piece: Cells
    breadths: tuple[int, ...]
    branching: Cells


@cache
def cases() -> list[Case]:
    """Return the recorded cases: boards of a game, random piles, and piles that are ready for a tetris."""
    return [
        Case(
            parse_board(case["board"]),
            case["piece"],
            case["following"],
            {_cells(cells): (values, value, cleared) for cells, values, value, cleared in case["moves"]},
            _cells(case["greedy"]),
            _cells(case["two_piece"]),
            tuple(case["breadths"]),
            _cells(case["branching"]),
        )
        for case in recorded("tetris/boards", lambda: [_case(*given) for given in _boards()])
    ]


def _cells(cells: list[list[int]]) -> Cells:
    return tuple((row, column) for row, column in cells)


def _boards() -> Iterator[tuple[Board, int, int, tuple[int, ...]]]:
    boards, board = [], EMPTY
    for turn in policies.play(FIXED, seed=20, max_lines=12):
        board, _, _ = place(board, turn.piece, turn.state)
        boards.append(board)
    piles = [pile for pile in some_boards(5, 20) if 40 < pile.sum() < 130]
    ready = [parse_board("#########.\n" * 3), parse_board("####.###..\n" + "####.#####\n" * 4)]
    for number, board in enumerate([*boards[5::14][:3], *piles[:3], *ready]):
        if number in (0, 7):
            yield board, 6, number % 7, (3, 5, 5)
        else:
            yield board, (3 * number + 1) % 7, (2 * number + 1) % 7, (4, 3) if number % 2 else (2, 3, 2)


def _case(board: Board, piece: int, following: int, breadths: tuple[int, ...]) -> dict[str, Any]:
    moves = []
    for state in reachability.placements(board, piece):
        after, cleared, lowest = place(board, piece, state)
        value = features.value(FIXED, board, piece, state)
        moves.append([cells_of(piece, state), features.features(after, cleared, lowest), value, cleared])
    greedy, two_piece = policies.greedy(FIXED, board, piece), policies.two_piece(FIXED, board, piece, following)
    assert greedy is not None
    assert two_piece is not None
    return {
        "board": board_text(board).replace("\n", "/"),
        "piece": piece,
        "following": following,
        "moves": moves,
        "greedy": cells_of(piece, greedy),
        "two_piece": cells_of(piece, two_piece),
        "breadths": breadths,
        "branching": cells_of(piece, expectimax(board, piece, following, breadths)),
    }


# --- games ------------------------------------------------------------------------------------------------------------


class Key(NamedTuple):
    """The parameters of a recorded game, as `policies.play` takes them."""

    policy: str
    seed: int
    game: int
    source: Source
    start_level: int
    max_lines: int
    reach: str
    delay_ms: int = 0


GREEDY = [
    Key("greedy", 7, game, source, 18, 6, reach)
    for reach in reachability.REACHES
    for source in sources.SOURCES
    for game in (5, 6)
]
TWO_PIECE = [
    Key("two-piece", 11, 2, "uniform8", 19, 2, "free"),
    Key("two-piece", 11, 2, "nes", 19, 2, "free"),
    Key("two-piece", 11, 2, "uniform8", 19, 2, "30hz"),
]
SEEDS = [Key("greedy", seed, 0, "uniform8", 19, 1, "free") for seed in (-5, 2**40)]
LOST = [Key(policy, 1, game, "uniform8", 19, 230, "free") for policy in policies.POLICIES for game in range(3)]
BRANCHING = [Key("branching", 5, game, "uniform8", 19, 4, "free") for game in (1, 2, 3)]
BREADTHS = (2, 2)


@cache
def games() -> dict[Key, list[Turn]]:
    """Return the recorded games by their keys. The games of LOST, with BAD weights, top out."""
    keys = [*GREEDY, *TWO_PIECE, *SEEDS, *LOST, *BRANCHING]
    games = recorded("tetris/games", lambda: [[_flat(turn) for turn in _game(key)] for key in keys])
    return {key: [_turn(*row) for row in rows] for key, rows in zip(keys, games, strict=True)}


DELAYED = [
    Key("two-piece", 9, 4, "nes", 18, 1, "30hz", 300),
    Key("two-piece", 9, 2, "uniform8", 19, 1, "12hz", 150),
]


@cache
def delayed() -> dict[Key, list[Turn]]:
    """Return the recorded games of a player who learns the next piece after a delay."""
    games = recorded("tetris/delayed", lambda: [[*map(_flat, _game(key))] for key in DELAYED])
    return {key: [_turn(*row) for row in rows] for key, rows in zip(DELAYED, games, strict=True)}


def _flat(turn: Turn) -> list[int]:
    return [turn.piece, *turn.state, turn.cleared, turn.lines, turn.score, turn.level]


def _turn(piece: int, orientation: int, row: int, column: int, *board: int) -> Turn:
    return Turn(piece, (orientation, row, column), *board)


def _game(key: Key) -> list[Turn]:
    if key in BRANCHING:
        return _branching_game(key)
    return policies.play(features.fixed_point(BAD)[0] if key in LOST else FIXED, **key._asdict())


def _branching_game(key: Key) -> list[Turn]:
    board, lines, score = EMPTY, 0, 0
    drawn = sources.pieces(key.seed, key.game, key.source)
    piece, following = next(drawn), next(drawn)
    turns: list[Turn] = []
    while lines < key.max_lines and reachability.placements(board, piece):
        state = expectimax(board, piece, following, BREADTHS)
        board, cleared, _ = place(board, piece, state)
        lines += cleared
        score += points(cleared, lines, key.start_level)
        turns.append(Turn(piece, state, cleared, lines, score, level_at(lines, key.start_level)))
        piece, following = following, next(drawn)
    return turns


# --- expectimax -------------------------------------------------------------------------------------------------------


def ranked(board: Board, piece: int, reach: str = "free", level: int = 19) -> list[tuple[int, int, State]]:
    """Return (evaluation, number, placement) for each placement, the least first."""
    moves = []
    for number, state in enumerate(reachability.placements(board, piece, reach, level)):
        tetris = place(board, piece, state)[1] == 4
        moves.append((features.value(FIXED, board, piece, state) - tetris * features.DECISIVE, number, state))
    return sorted(moves)


def worth(
    board: Board,
    piece: int,
    depth: int,
    tetrises: int,
    breadths: tuple[int, ...],
    reach: str = "free",
    level: int = 19,
) -> int:
    """Return V(b, s, d, t) by its definition, times 56^d."""
    moves = ranked(board, piece, reach, level)
    if not moves:
        return features.DECISIVE * int(56**depth)
    if depth == 0:
        offset = features.DECISIVE if place(board, piece, moves[0][2])[1] == 4 else 0
        return moves[0][0] + offset - features.DECISIVE * tetrises
    worths: list[int] = []
    for _, _, state in moves[: breadths[-depth]]:
        after, cleared, _ = place(board, piece, state)
        scored = tetrises + (cleared == 4)
        worths.append(
            sum((2 if s == piece else 9) * worth(after, s, depth - 1, scored, breadths, reach, level) for s in range(7))
        )
        if cleared == 4:
            break
    return min(worths)


def expectimax(board: Board, piece: int, following: int, breadths: tuple[int, ...]) -> State:
    """Return the placement that branching should choose if the piece fits; pieces are drawn as by ``uniform8``."""
    moves = ranked(board, piece)
    if place(board, piece, moves[0][2])[1] == 4:
        return moves[0][2]
    worths = []
    for rank, (_, _, state) in enumerate(moves[: breadths[0]]):
        after, _, _ = place(board, piece, state)
        worths.append((worth(after, following, len(breadths) - 1, 0, breadths), rank, state))
    return min(worths)[2]
