"""Recordings of games: played, as JSON, and read again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gpusolve import files
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import branching, kernels, rules, sources
from gpusolve.games.tetris.evaluation import POLICIES
from gpusolve.games.tetris.kernels import Settings
from gpusolve.games.tetris.rules import PIECES, Turn
from gpusolve.games.tetris.weights import WeightsLike, load_weights
from gpusolve.seeds import random_seed

SCHEMA = "gpusolve.tetris.game/1"


@dataclass(frozen=True)
class Recording:
    """A game: how it came about, and its turns."""

    weights: str
    policy: str
    seed: int
    game: int
    settings: Settings
    turns: list[Turn]

    @property
    def score(self) -> int:
        """The points at the end."""
        return self.turns[-1].score if self.turns else 0

    @property
    def lines(self) -> int:
        """The lines at the end."""
        return self.turns[-1].lines if self.turns else 0

    @property
    def summary(self) -> str:
        """The end of the game in a line."""
        four = sum(turn.cleared == 4 for turn in self.turns)
        return f"score {self.score:,}, {self.lines} lines, {four} tetrises ({rate(four, self.lines)}), " + (
            f"{len(self.turns)} pieces"
        )


def play(
    weights: WeightsLike = "published",
    policy: str = "two-piece",
    breadths: tuple[int, ...] | None = None,
    game: int = 0,
    settings: Settings = Settings(),
    seed: int | None = None,
    backend: Backend | None = None,
) -> Recording:
    """Plays game number `game` of `seed` and keeps every turn. Raises BadInput as `evaluate` does."""
    if policy not in POLICIES:
        raise BadInput(f"policy {policy}: expected one of {', '.join(POLICIES)}")
    breadths = branching.breadths_of(policy, breadths)
    chosen = load_weights(weights)
    seed = random_seed() if seed is None else seed
    backend = backend or open_backend()
    if policy == "branching":
        placed = branching.play(chosen.values, 1, seed, game, breadths, settings, backend=backend)[1][0]
    else:
        placed = kernels.trace(backend, chosen.values, seed, game, policy, settings)
    pieces = sources.pieces(seed, game, settings.source)
    states = [(piece, kernels.state_of(piece, placement)) for piece, placement in zip(pieces, placed, strict=False)]
    return Recording(chosen.name, policy, seed, game, settings, _turns(states, settings.start_level))


def replay(file: Path) -> Recording:
    """The game that `save` wrote. Raises BadInput for what is not a game, and for one that the rules do not allow."""
    found = files.read_json(file)
    try:
        if found["schema"] != SCHEMA:
            raise ValueError
        settings = Settings(found["reach"], found["source"], int(found["start_level"]), int(found["max_lines"]))
        states = []
        for name, orientation, row, column in found["turns"]:
            piece = PIECES.index(name)
            if not 0 <= orientation < len(rules.orientations(piece)):
                raise ValueError
            states.append((piece, (int(orientation), int(row), int(column))))
        about = str(found["weights"]), str(found["policy"]), int(found["seed"]), int(found["game"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f'{file}: expected a game saved by `gpusolve tetris play`, "schema": "{SCHEMA}"') from error
    try:
        return Recording(*about, settings, _turns(states, settings.start_level))
    except BadInput as error:
        raise BadInput(f"{file}: {error}") from error


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


def _turns(states: list[tuple[int, rules.State]], start_level: int) -> list[Turn]:
    """The turns that place each piece in its state. Raises BadInput where it does not fit, or hangs in the air."""
    board = np.zeros((rules.ROWS, rules.COLUMNS), np.uint8)
    lines, score = 0, 0
    turns = []
    for number, (piece, state) in enumerate(states, 1):
        rests = not rules.fits(board, piece, rules.moved(state, 1, 0))
        if not rules.fits(board, piece, state) or not rests:
            raise BadInput(f"turn {number}: {PIECES[piece]} cannot rest there")
        board, cleared, _ = rules.place(board, piece, state)
        lines += cleared
        score += rules.points(cleared, lines, start_level)
        turns.append(Turn(piece, state, cleared, lines, score, rules.level_at(lines, start_level)))
    return turns
