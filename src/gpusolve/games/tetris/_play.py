"""Recordings of games: played, as JSON, and read again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from gpusolve import checks, files
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, plain
from gpusolve.games.tetris import kernels
from gpusolve.games.tetris.measuring.prospects import MOST_PLAYOUTS, Prospect, prospects
from gpusolve.games.tetris.players import branching, playing
from gpusolve.games.tetris.players.playing import POLICIES
from gpusolve.games.tetris.players.value import LearnedValue
from gpusolve.games.tetris.players.weights import WeightsLike, best_weights, load_evaluation
from gpusolve.games.tetris.rules import board as rules, sources
from gpusolve.games.tetris.rules.board import PIECES, Turn
from gpusolve.games.tetris.variant import Settings, check_settings
from gpusolve.runs.seeds import check_seed, random_seed

SCHEMA = "gpusolve.tetris.game/1"
FIELDS = {"weights", "policy", "seed", "game", "score", "lines", "turns", "reach", "source", "start_level", "max_lines"}
"""Those that every game has; other settings came later, and are as they were where they are missing."""


@dataclass(frozen=True)
class Recording:
    """A game: how it came about, and its turns; `prospects`: what was to come after each, if playouts told."""

    weights: str
    policy: str
    seed: int
    game: int
    settings: Settings
    turns: list[Turn]
    prospects: tuple[Prospect, ...] = ()

    @property
    def score(self) -> int:
        """The points at the end."""
        return self.turns[-1].score if self.turns else 0

    @property
    def lines(self) -> int:
        """The lines at the end."""
        return self.turns[-1].lines if self.turns else 0

    @property
    def boards(self) -> Iterator[tuple[rules.Board, rules.Board]]:
        """The board after each turn, and before it."""
        before = np.zeros((rules.ROWS, rules.COLUMNS), np.uint8)
        for turn in self.turns:
            after, _, _ = rules.place(before, turn.piece, turn.state)
            yield after, before
            before = after

    @property
    def summary(self) -> str:
        """The end of the game in a line."""
        four = sum(turn.cleared == 4 for turn in self.turns)
        return f"score {self.score:,}, {self.lines} lines, {four} tetrises ({rate(four, self.lines)}), " + (
            f"{len(self.turns)} pieces"
        )


def play(
    weights: WeightsLike | LearnedValue | None = None,
    policy: str = "two-piece",
    breadths: tuple[int, ...] | None = None,
    ties: str | None = None,
    game: int = 0,
    settings: Settings = Settings(),
    playouts: int = 0,
    seed: int | None = None,
    backend: Backend | None = None,
) -> Recording:
    """Plays game number `game` of `seed` and keeps every turn; `weights` as `evaluate` has them, and what it raises.

    `playouts`: so many times two-piece play goes on from the board after each turn, with the next piece known, for what
    is to come.
    """
    checks.check_choice("policy", policy, POLICIES)
    check_settings(settings)
    checks.check_integer("game", game, 0, kernels.MOST_GAME - 1)
    checks.check_integer("playouts", playouts, 0, MOST_PLAYOUTS)
    ties = branching.ties_of(policy, ties)
    chosen = load_evaluation(best_weights(settings.reach) if weights is None else weights)
    playing.breadths_of(chosen.judge, policy, breadths, settings)
    seed = random_seed() if seed is None else check_seed(seed)
    backend = open_backend(backend)
    placed = playing.trace(backend, chosen.judge, seed, game, policy, breadths, settings, ties)
    pieces = sources.pieces(seed, game, settings.source)
    states = [(piece, kernels.state_of(piece, placement)) for piece, placement in zip(pieces, placed, strict=False)]
    played = Recording(chosen.name, policy, seed, game, settings, _turns(states, settings))
    if not playouts or not played.turns:
        return played
    choose = playing.chooser(backend, chosen.judge, "two-piece", None, settings)
    boards = kernels.columns_of(np.stack([board for board, _ in played.boards]))
    levels = np.array([min(turn.level, kernels.LEVELS - 1) for turn in played.turns], np.int32)
    lines = np.array([min(turn.lines, settings.max_lines - 1) for turn in played.turns], np.int32)
    drawn = list(islice(sources.pieces(seed, game, settings.source), len(played.turns) + 1))[1:]
    known = [[piece] for piece in drawn]
    found = prospects(choose, boards, levels, lines, known, drawn, playouts, settings, seed, backend)
    return replace(played, prospects=tuple(found))


def replay(file: Path) -> Recording:
    """The game that `save` wrote. Raises BadInput for what is not a game, and for one that the rules do not allow."""
    found = files.read_json(file, "game")
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise BadInput(f'game {file}: expected a game saved by `gpusolve tetris play`, "schema": "{SCHEMA}"')
    try:
        return _recording(found)
    except BadInput as error:
        raise BadInput(f"game {file}: {error}") from None


def _recording(found: dict[str, Any]) -> Recording:
    """The game that an object tells. Raises BadInput for the first thing in it that cannot be."""
    missing = sorted(FIELDS - found.keys())
    if missing:
        raise BadInput(f"{', '.join(missing)}: missing")
    settings = Settings(**{field.name: found[field.name] for field in fields(Settings) if field.name in found})
    checks.check_choice("policy", found["policy"], POLICIES)
    checks.check_integer("game", found["game"], 0, kernels.MOST_GAME - 1)
    check_seed(found["seed"])
    if not isinstance(found["weights"], str) or not isinstance(found["turns"], list):
        raise BadInput("expected the name of its weights, and a list of turns")
    states = [_state(number, turn) for number, turn in enumerate(found["turns"], 1)]
    about = plain(found["weights"]), found["policy"], found["seed"], found["game"]
    recording = Recording(*about, settings, _turns(states, settings))
    for name in ("score", "lines"):
        if found[name] != getattr(recording, name):
            raise BadInput(f"{name} {str(found[name])[:40]}: its turns give {getattr(recording, name)}")
    return recording


def _state(number: int, turn: Any) -> tuple[int, rules.State]:
    """A piece and where it rests: [letter, orientation, row, column]."""
    if not isinstance(turn, list) or len(turn) != 4 or turn[0] not in tuple(PIECES):
        raise BadInput(f"turn {number}: expected a piece of {PIECES}, its orientation, row and column")
    piece = PIECES.index(turn[0])
    for name, value, most in zip(
        ("orientation", "row", "column"),
        turn[1:],
        (len(rules.orientations(piece)) - 1, rules.ROWS - 1, rules.COLUMNS - 1),
        strict=True,
    ):
        checks.check_integer(f"turn {number}: {name}", value, 0, most)
    return piece, (turn[1], turn[2], turn[3])


def save(path: Path, recording: Recording) -> None:
    """Writes JSON that `replay` reads. Raises BadInput where it cannot be written."""
    files.write(path, json.dumps({"schema": SCHEMA} | as_json(recording)) + "\n", "game")


def as_json(recording: Recording) -> dict[str, Any]:
    """The game as one object: each turn is [piece, orientation, row, column] of the box around its cells."""
    return {
        "weights": recording.weights,
        "policy": recording.policy,
        "seed": recording.seed,
        "game": recording.game,
        **vars(recording.settings),
        "score": recording.score,
        "lines": recording.lines,
        "turns": [[PIECES[turn.piece], *turn.state] for turn in recording.turns],
    }


def rate(tetrises: int, lines: int) -> str:
    """The percentage of lines that were cleared four at a time."""
    return f"{100 * 4 * tetrises / lines:.0f} %" if lines else "-"


def _turns(states: list[tuple[int, rules.State]], settings: Settings) -> list[Turn]:
    """The turns that place each piece in its state.

    Raises BadInput where it does not fit, or hangs in the air, and for turns after the game's last line.
    """
    start_level = settings.start_level
    board = np.zeros((rules.ROWS, rules.COLUMNS), np.uint8)
    lines, score = 0, 0
    turns = []
    for number, (piece, state) in enumerate(states, 1):
        if lines >= settings.max_lines:
            raise BadInput(f"turn {number}: the game was over with {lines} lines")
        rests = not rules.fits(board, piece, rules.moved(state, 1, 0))
        if not rules.fits(board, piece, state) or not rests:
            raise BadInput(f"turn {number}: {PIECES[piece]} cannot rest there")
        board, cleared, _ = rules.place(board, piece, state)
        lines += cleared
        score += rules.points(cleared, lines, start_level)
        turns.append(Turn(piece, state, cleared, lines, score, rules.level_at(lines, start_level)))
    return turns
