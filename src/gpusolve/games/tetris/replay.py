"""A played game: as JSON, as frames of text, and as one HTML page that needs nothing else."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import branching, kernels, rules
from gpusolve.games.tetris.kernels import Settings
from gpusolve.games.tetris.rules import PIECES, Board, Turn

SCHEMA = "gpusolve.tetris.game/1"
PAGE = Path(__file__).with_name("replay.html")


@dataclass(frozen=True)
class Replay:
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
        return f"score {self.score:,}, {self.lines} lines, {four} tetrises ({_rate(four, self.lines)}), " + (
            f"{len(self.turns)} pieces"
        )


def record(
    backend: Backend,
    weights: Sequence[float],
    seed: int,
    game: int = 0,
    policy: str = "two-piece",
    settings: Settings = Settings(),
    breadths: tuple[int, ...] = branching.BREADTHS,
    name: str = "",
) -> Replay:
    """Plays game number `game` of `seed` and keeps every turn."""
    if policy == "branching":
        placed = branching.play(backend, weights, 1, seed, game, breadths, settings)[1][0]
    else:
        placed = kernels.trace(backend, weights, seed, game, policy, settings)
    pieces = rules.pieces(seed, game, settings.source)
    states = [(piece, kernels.state_of(piece, placement)) for piece, placement in zip(pieces, placed, strict=False)]
    return Replay(name, policy, seed, game, settings, _turns(states, settings.start_level))


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


def save(path: Path, replay: Replay) -> None:
    """Writes JSON that `load` reads. Raises BadInput where it cannot be written."""
    _write(path, json.dumps(as_json(replay), indent=None) + "\n")


def as_json(replay: Replay) -> dict[str, Any]:
    """The game as one object: each turn is [piece, orientation, row, column] of the box around its cells."""
    return {
        "schema": SCHEMA,
        "weights": replay.weights,
        "policy": replay.policy,
        "seed": replay.seed,
        "game": replay.game,
        **vars(replay.settings),
        "score": replay.score,
        "lines": replay.lines,
        "turns": [[PIECES[turn.piece], *turn.state] for turn in replay.turns],
    }


def load(path: Path) -> Replay:
    """A game from a file. Raises BadInput for what is no game, or one that the rules do not allow."""
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'not text'}") from error
    except ValueError as error:
        raise BadInput(f"{path}: not JSON: {error}") from error
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
        raise BadInput(f'{path}: expected a game saved by `gpusolve tetris play`, "schema": "{SCHEMA}"') from error
    try:
        return Replay(*about, settings, _turns(states, settings.start_level))
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error


def frames(replay: Replay) -> Iterator[str]:
    """The board with each piece where it came to rest, and what stands beside it, as text."""
    board: Board = np.zeros((rules.ROWS, rules.COLUMNS), np.uint8)
    score, lines, level, four = 0, 0, rules.level_at(0, replay.settings.start_level), 0
    for number, turn in enumerate(replay.turns):
        following = PIECES[replay.turns[number + 1].piece] if number + 1 < len(replay.turns) else "-"
        rows = rules.board_text(board, turn.piece, turn.state).splitlines()[2:]
        beside = [
            f"next   {following}",
            f"score  {score:,}",
            f"lines  {lines}",
            f"level  {level}",
            f"tetris {_rate(four, lines)}",
            f"piece  {number + 1}",
        ]
        beside += [""] * (len(rows) - len(beside))
        yield "\n".join(f"|{row.replace('.', ' ')}|  {text:<20}" for row, text in zip(rows, beside, strict=True))
        board, _, _ = rules.place(board, turn.piece, turn.state)
        score, lines, level, four = turn.score, turn.lines, turn.level, four + (turn.cleared == 4)


def save_html(path: Path, replay: Replay) -> None:
    """Writes a page that plays the game, with nothing to load from elsewhere. Raises BadInput as `save` does."""
    turns = [
        [
            PIECES[turn.piece],
            [list(cell) for cell in rules.cells_of(turn.piece, turn.state)],
            turn.score,
            turn.lines,
            turn.level,
        ]
        for turn in replay.turns
    ]
    about = f"{replay.weights}, {replay.policy}, seed {replay.seed}, game {replay.game}"
    page = PAGE.read_text(encoding="utf-8")
    page = page.replace("{{about}}", html.escape(about)).replace("{{level}}", str(replay.settings.start_level))
    _write(path, page.replace("{{turns}}", json.dumps(turns, separators=(",", ":"))))


def _rate(tetrises: int, lines: int) -> str:
    return f"{100 * 4 * tetrises / lines:.0f} %" if lines else "-"


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from error
