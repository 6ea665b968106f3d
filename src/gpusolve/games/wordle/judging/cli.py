"""The commands of ``gpusolve wordle`` that judge games, guesses and strategies. The game's `cli` adds them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from gpusolve.games.wordle.cli_options import (
    ANSWERS_HELP,
    GUESSES_HELP,
    MODE_HELP,
    SCORING_HELP,
    AnswersOption,
    GuessesOption,
    HiddenOnly,
    HistoryArgument,
    ModeOption,
    ScoringOption,
)
from gpusolve.games.wordle.rules import Mode, Scoring
from gpusolve.output.options import Device, Html, Json, Quiet, open_device

TOP = 20
FROM_TREE = "as in the tree file"


def analyze(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="guesses", help="The guesses of a game, each alone or with its pattern, such as salet:-y--g."
        ),
    ],
    answer: Annotated[str | None, typer.Option(help="The hidden word.", show_default="the last guess")] = None,
    guesses: GuessesOption = "wordle-guesses",
    answers: AnswersOption = "wordle-answers",
    mode: ModeOption = "easy",
    scoring: ScoringOption = "wordle",
    guess_hidden_only: HiddenOnly = False,
    html: Html = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Judge a finished game. Show how each guess compares with the best guess, and what was skill and what was luck."""
    from gpusolve.games import wordle
    from gpusolve.games.wordle.drawing import widening_note
    from gpusolve.games.wordle.judging import drawing
    from gpusolve.output import report

    variant = wordle.Variant.load(guesses, answers, mode=mode, scoring=scoring, guess_hidden_only=guess_hidden_only)
    backend, begin = open_device(device, quiet), time.perf_counter()
    game = wordle.analyze(words, variant, answer=answer, backend=backend)
    seconds = time.perf_counter() - begin
    report.note(widening_note(variant), quiet or not game.widened)
    if html is not None:
        drawing.save_page(html, game)
    if json:
        report.json_line(
            "wordle.analyze/1",
            answer=game.answer,
            mode=mode,
            scoring=scoring,
            guess_hidden_only=guess_hidden_only,
            widened=game.widened,
            solved=game.solved,
            skill=game.skill,
            lost=game.lost,
            luck=game.luck,
            moves=drawing.move_rows(game),
            device=backend.name,
            seconds=seconds,
        )
        return
    drawing.show_analysis(game)


def explain(
    history: HistoryArgument = None,
    guess: Annotated[str | None, typer.Option(help="Guess to explain.", show_default="the best guess")] = None,
    guesses: GuessesOption = "wordle-guesses",
    answers: AnswersOption = "wordle-answers",
    mode: ModeOption = "easy",
    scoring: ScoringOption = "wordle",
    guess_hidden_only: HiddenOnly = False,
    top: Annotated[int, typer.Option(min=1, help="Number of cells to show.")] = TOP,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show why a guess is good. For each pattern, show the answers that it leaves and the best next guess."""
    from gpusolve.games import wordle
    from gpusolve.games.wordle import rules
    from gpusolve.games.wordle.drawing import turn_fields, widening_note
    from gpusolve.games.wordle.judging import drawing
    from gpusolve.output import report

    turns = rules.parse_history(history or [])
    variant = wordle.Variant.load(guesses, answers, mode=mode, scoring=scoring, guess_hidden_only=guess_hidden_only)
    backend, begin = open_device(device, quiet), time.perf_counter()
    explanation = wordle.explain(turns, variant, guess=guess, backend=backend)
    seconds = time.perf_counter() - begin
    report.note(widening_note(variant), quiet or not explanation.widened)
    if json:
        report.json_line(
            "wordle.explain/1",
            history=turn_fields(turns),
            mode=mode,
            scoring=scoring,
            guess_hidden_only=guess_hidden_only,
            widened=explanation.widened,
            guess=explanation.guess,
            answers=explanation.answers,
            total=explanation.total,
            mean=explanation.mean,
            exact=explanation.exact,
            proven=explanation.proven,
            best=explanation.best,
            cells=[
                {
                    "pattern": rules.pattern_text(cell.pattern),
                    "words": cell.words,
                    "guess": cell.guess,
                    "total": cell.total,
                }
                for cell in explanation.cells
            ],
            device=backend.name,
            seconds=seconds,
        )
        return
    drawing.show_explanation(explanation, top)


def verify(
    tree: Annotated[Path, typer.Argument(help="A tree file, or a strategy in the nested form of other solvers.")],
    guesses: Annotated[str | None, typer.Option(help=GUESSES_HELP, show_default=FROM_TREE)] = None,
    answers: Annotated[str | None, typer.Option(help=ANSWERS_HELP, show_default=FROM_TREE)] = None,
    mode: Annotated[Mode | None, typer.Option(help=MODE_HELP, show_default=FROM_TREE)] = None,
    scoring: Annotated[Scoring | None, typer.Option(help=SCORING_HELP, show_default=FROM_TREE)] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check a strategy against every answer. Show its total number of guesses and worst answers, or its first fault."""
    from gpusolve.games import wordle
    from gpusolve.games.wordle.judging import drawing
    from gpusolve.output import report

    verified = wordle.verify(tree, guesses=guesses, answers=answers, mode=mode, scoring=scoring)
    if json:
        report.json_line(
            "wordle.verify/1",
            guess=verified.guess,
            guesses=len(verified.variant.guesses),
            answers=len(verified.turns),
            mode=verified.variant.mode,
            scoring=verified.variant.scoring,
            guess_hidden_only=verified.variant.guess_hidden_only,
            total=verified.total,
            mean=verified.mean,
            distribution=verified.distribution,
            worst=verified.worst,
        )
        return
    drawing.show_verified(verified)
