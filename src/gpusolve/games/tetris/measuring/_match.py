"""Our player against the results of another on the same piece lists."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks, files
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import _play as recording, kernels
from gpusolve.games.tetris._play import Recording
from gpusolve.games.tetris.kernels import Games
from gpusolve.games.tetris.measuring._evaluate import CONFIDENCE, CONFIDENCES, Estimate, estimate, interval_of
from gpusolve.games.tetris.players import branching, playing
from gpusolve.games.tetris.players.playing import POLICIES, RESULTS, WIDE_POLICIES
from gpusolve.games.tetris.players.value import LearnedValue
from gpusolve.games.tetris.players.weights import Weights, WeightsLike, best_weights, load_evaluation
from gpusolve.games.tetris.rules import board as rules, sources
from gpusolve.games.tetris.variant import Settings, check_settings
from gpusolve.runs.run import Run

KIND = "tetris.match"
COLUMNS = ("pieces", "score", "lines")
GAME = "game"
MOST_GAMES = 1_000_000
MOST_PIECES = 100_000
"""Of a list; a game to 10,000 lines takes 25,055 at most."""
MOST_SCORE = 2**31 - 1


@dataclass(frozen=True)
class Results:
    """What another player made: its piece lists, and the score and the lines of each game, int64.

    `checked`: of how many games every placement was given, and can be reached.
    """

    pieces: list[list[int]]
    scores: npt.NDArray[np.int64]
    lines: npt.NDArray[np.int64]
    checked: int

    @property
    def digest(self) -> str:
        """SHA-256 of all of it."""
        lists = b"\xff".join(map(bytes, self.pieces))
        return hashlib.sha256(lists + self.scores.tobytes() + self.lines.tobytes()).hexdigest()


@dataclass(frozen=True)
class Match:
    """Our games (arrays of shape (1, games)) beside those of another player; differences are ours less theirs.

    `complete`: whether all were played, before the time limit; of `theirs` there are as many as of ours. `short`: how
    many of ours ended because their list did. `seconds`: what all took.
    """

    weights: Weights | LearnedValue
    ours: Games
    theirs: Results
    confidence: float
    short: int
    seconds: float
    complete: bool

    @property
    def differences(self) -> npt.NDArray[np.int64]:
        """Of the scores, game by game."""
        differences: npt.NDArray[np.int64] = self.ours.scores[0] - self.theirs.scores
        return differences

    @property
    def difference(self) -> Estimate:
        """Their mean."""
        return estimate(self.differences)

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of that mean."""
        return interval_of(self.difference, self.confidence)

    @property
    def wins(self) -> int:
        """Games in which we have the greater score."""
        return int((self.differences > 0).sum())

    @property
    def losses(self) -> int:
        """Games in which the other player has."""
        return int((self.differences < 0).sum())


def match(
    results: Path | str | Results,
    weights: WeightsLike | LearnedValue | None = None,
    policy: str = "two-piece",
    breadths: tuple[int, ...] | None = None,
    ties: str | None = None,
    confidence: float | None = None,
    settings: Settings = Settings(),
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Match:
    """Plays the piece lists of `results`, or the file that `read_results` takes; otherwise as `evaluate`."""
    checks.check_choice("policy", policy, POLICIES)
    check_settings(settings)
    if confidence is not None:
        checks.check_number("confidence", confidence, *CONFIDENCES)
    ties = branching.ties_of(policy, ties)
    chosen = load_evaluation(best_weights(settings.reach) if weights is None else weights)
    wide = playing.breadths_of(chosen.judge, policy, breadths, settings)
    backend = open_backend(backend)
    theirs = results if isinstance(results, Results) else read_results(Path(results), settings, backend)
    same = {
        "results": theirs.digest,
        "weights_values": chosen.values,
        "policy": policy,
        "breadths": wide if policy in WIDE_POLICIES else None,
        "ties": ties,
        **asdict(settings),
    }
    run = Run(KIND, same, seed=0, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    parts = [_played(run.state)]
    games, done = len(theirs.pieces), len(parts[0])
    at_once = playing.at_once(backend, chosen.judge, policy, breadths, settings)
    with run.saved(lambda: {"results": np.concatenate(parts)}) as more:
        while done < games and more():
            lists = theirs.pieces[done : done + at_once]
            played, _ = playing.play_lists(backend, chosen.judge, lists, policy, breadths, settings, ties)
            parts.append(np.stack([getattr(played, name)[0] for name in RESULTS], axis=-1))
            done += len(lists)
            progress(done)
    ours = np.concatenate(parts)[:games]
    found = Games(*(ours[None, :, i] for i in range(len(RESULTS))))
    done = len(ours)
    lengths = np.array([len(pieces) - 1 for pieces in theirs.pieces[:done]])
    short = int(((found.pieces[0] >= lengths) & (found.lines[0] < settings.max_lines)).sum())
    theirs = Results(theirs.pieces[:done], theirs.scores[:done], theirs.lines[:done], theirs.checked)
    return Match(chosen, found, theirs, confidence or CONFIDENCE, short, run.seconds, done == games)


def read_results(path: Path, settings: Settings = Settings(), backend: Backend | None = None) -> Results:
    """The games of another player: a CSV file with the columns ``pieces`` (letters), ``score`` and ``lines``.

    A column ``game`` may name a file of the game, as `gpusolve tetris play --out` writes them, beside the CSV file:
    then its placements are checked. Such a file may also stand instead of the CSV file. Raises BadInput, with the line,
    for what is no such thing, for more lines than `settings` allow, and for a game that differs from its line or makes
    a placement that the clock does not reach.
    """
    text = files.read_text(path, "results")
    if text.lstrip().startswith("{"):
        game = recording.replay(path)
        pieces = _list_of(game)
        _check(game, pieces, game.score, game.lines, settings)
        check_reachable(game, settings, backend)
        return Results([pieces], np.array([game.score]), np.array([game.lines]), 1)
    reader = csv.DictReader(io.StringIO(text))
    try:
        columns, rows = reader.fieldnames or [], list(reader)
    except csv.Error as error:
        raise BadInput(f"results {path}, line {reader.line_num}: {error}") from None
    if sorted(set(columns) - {GAME}) != sorted(COLUMNS) or len(set(columns)) != len(columns):
        raise BadInput(f"results {path}: expected the columns {', '.join(COLUMNS)}, and perhaps {GAME}")
    if not 1 <= len(rows) <= MOST_GAMES:
        raise BadInput(f"results {path}: {len(rows):,} games, expected 1 to {MOST_GAMES:,}")
    lists, scores, lines, checked = [], [], [], 0
    for number, row in enumerate(rows, 2):
        try:
            lists.append(_pieces(row["pieces"]))
            scores.append(_whole(row, "score", MOST_SCORE))
            lines.append(_whole(row, "lines", settings.max_lines + 3))
            if row.get(GAME):
                game = recording.replay(path.parent / row[GAME])
                _check(game, lists[-1], scores[-1], lines[-1], settings)
                check_reachable(game, settings, backend)
                checked += 1
        except BadInput as error:
            raise BadInput(f"results {path}, line {number}: {error}") from None
    return Results(lists, np.array(scores, np.int64), np.array(lines, np.int64), checked)


def check_reachable(game: Recording, settings: Settings = Settings(), backend: Backend | None = None) -> None:
    """Raises BadInput for the first placement of a game that cannot be reached under the clock of `settings`."""
    if not game.turns:
        return
    first = rules.level_at(0, game.settings.start_level)
    levels = [first, *(turn.level for turn in game.turns[:-1])]
    found = kernels.placements(
        open_backend(backend),
        kernels.columns_of(np.stack([before for _, before in game.boards])),
        [turn.piece for turn in game.turns],
        np.array(levels),
        settings.reach,
        doubled=settings.double_killscreen,
    )
    for number, turn in enumerate(game.turns):
        placed = found.placements[number, : found.counts[number]].tolist()
        if turn.state not in (kernels.state_of(turn.piece, placement) for placement in placed):
            column, turned, row = rules.player_place(turn.piece, turn.state)
            raise BadInput(
                f"turn {number + 1}: {rules.PIECES[turn.piece]} turned {turned} times cannot be reached in column "
                f"{column}, row {row} ({settings.reach}, level {levels[number]})"
            )


def _check(game: Recording, pieces: list[int], score: int, lines: int, settings: Settings) -> None:
    """Raises BadInput for a game that is not that of its line."""
    if game.settings.start_level != settings.start_level:
        raise BadInput(f"game from level {game.settings.start_level}: expected {settings.start_level}")
    if [turn.piece for turn in game.turns] != pieces[: len(game.turns)]:
        raise BadInput("game: its pieces are not those of the list")
    if game.lines > settings.max_lines + 3:
        raise BadInput(f"game with {game.lines} lines: expected at most {settings.max_lines + 3}")
    if (game.score, game.lines) != (score, lines):
        raise BadInput(f"game: it has {game.score} points and {game.lines} lines, expected {score} and {lines}")


def _list_of(game: Recording) -> list[int]:
    """The pieces of a game, and those after them if they are its seed's."""
    placed = [turn.piece for turn in game.turns]
    more = (game.settings.max_lines * rules.COLUMNS + rules.ROWS * rules.COLUMNS) // 4
    drawn = list(islice(sources.pieces(game.seed, game.game, game.settings.source), len(placed) + more))
    return drawn if drawn[: len(placed)] == placed else placed


def _pieces(text: str | None) -> list[int]:
    letters = (text or "").strip().upper()
    if not 2 <= len(letters) <= MOST_PIECES or re.fullmatch(f"[{rules.PIECES}]+", letters) is None:
        raise BadInput(f"pieces {letters[:20]}: expected 2 to {MOST_PIECES:,} letters of {rules.PIECES}")
    return [rules.PIECES.index(letter) for letter in letters]


def _whole(row: dict[str, Any], name: str, most: int) -> int:
    found = checks.digits((row[name] or "").strip(), most)
    if found is None:
        raise BadInput(f"{name} {str(row[name])[:40]}: expected a whole number, 0 to {most:,}")
    return found


def _played(state: dict[str, Any]) -> npt.NDArray[np.int32]:
    """What a checkpoint holds; nothing for a run that begins. Raises BadInput for what is no such thing."""
    if not state:
        return np.zeros((0, len(RESULTS)), np.int32)
    found = np.asarray(state.get("results"))
    if found.dtype != np.int32 or found.ndim != 2 or found.shape[1] != len(RESULTS) or (found < 0).any():
        raise BadInput("checkpoint: expected the results of games")
    return found
