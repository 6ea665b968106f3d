"""The commands of ``gpusolve wordle`` that judge games, guesses and strategies. The game's `cli` adds them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gpusolve import clock
from gpusolve.checks import split_words
from gpusolve.games.wordle.cli_options import (
    ANSWERS_HELP,
    GUESSES_HELP,
    MODE_HELP,
    SCORING_HELP,
    GuessesOption,
    HiddenOnly,
    HistoryArgument,
    ModeOption,
    ScoringOption,
    WeightedAnswers,
    read_history,
    with_shared,
)
from gpusolve.games.wordle.rules import Mode, Scoring
from gpusolve.output.options import Device, Html, Json, Quiet, Weights, open_device

TOP = 20
FROM_TREE = "as in the tree file"


def analyze(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="guesses",
            help="The guesses of a game, each alone or with its pattern, such as salet:-y--g; or the text that Wordle "
            "shares, pasted in quotes, and the guesses alone, for which you are asked if you leave them out; or - to "
            "read that text from stdin.",
        ),
    ],
    answer: Annotated[str | None, typer.Option(help="The hidden word.", show_default="the last guess")] = None,
    guesses: GuessesOption = None,
    answers: WeightedAnswers = None,
    mode: ModeOption = "easy",
    scoring: ScoringOption = "wordle",
    guess_hidden_only: HiddenOnly = False,
    weights: Weights = None,
    html: Html = None,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Judge a finished game. Show how each guess compares with the best guess, and what was skill and what was luck."""
    from gpusolve.games import wordle
    from gpusolve.games.wordle.analysis import drawing
    from gpusolve.games.wordle.drawing import rounding_note, widening_note
    from gpusolve.output import report

    variant = wordle.Variant.load(
        guesses, answers, mode=mode, scoring=scoring, guess_hidden_only=guess_hidden_only, weights=weights
    )
    words = with_shared(split_words(words), variant, json=json, quiet=quiet)
    report.note(rounding_note(variant), quiet or variant.weights is None or variant.weights.exact)
    backend, begin = open_device(device, quiet), clock.now()
    game = wordle.analyze(words, variant, answer=answer, backend=backend)
    seconds = clock.now() - begin
    report.note(widening_note(variant), quiet or not game.widened)
    if html is not None:
        from gpusolve.games.wordle.pages import pictures

        pictures.save_page(html, game)
    if json:
        report.json_line("wordle.analyze/2", **drawing.analysis_fields(game), device=backend.name, seconds=seconds)
        return
    drawing.show_analysis(game)


def explain(
    history: HistoryArgument = None,
    guess: Annotated[str | None, typer.Option(help="Guess to explain.", show_default="the best guess")] = None,
    guesses: GuessesOption = None,
    answers: WeightedAnswers = None,
    mode: ModeOption = "easy",
    scoring: ScoringOption = "wordle",
    guess_hidden_only: HiddenOnly = False,
    weights: Weights = None,
    top: Annotated[int, typer.Option(min=1, help="Number of cells to show.")] = TOP,
    device: Device = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show why a guess is good. For each pattern, show the answers that it leaves and the best next guess."""
    from gpusolve.games import wordle
    from gpusolve.games.wordle import rules
    from gpusolve.games.wordle.analysis import drawing
    from gpusolve.games.wordle.drawing import list_fields, rounding_note, turn_fields, widening_note
    from gpusolve.output import report

    variant = wordle.Variant.load(
        guesses, answers, mode=mode, scoring=scoring, guess_hidden_only=guess_hidden_only, weights=weights
    )
    turns = read_history(history, variant, json=json, quiet=quiet)
    report.note(rounding_note(variant), quiet or variant.weights is None or variant.weights.exact)
    backend, begin = open_device(device, quiet), clock.now()
    explanation = wordle.explain(turns, variant, guess=guess, backend=backend)
    seconds = clock.now() - begin
    report.note(widening_note(variant), quiet or not explanation.widened)
    if json:
        report.json_line(
            "wordle.explain/1",
            history=turn_fields(turns),
            mode=mode,
            scoring=scoring,
            guess_hidden_only=guess_hidden_only,
            **list_fields(variant, widened=explanation.widened),
            weight=explanation.weight,
            guess=explanation.guess,
            answers=explanation.answers,
            total=explanation.total,
            mean=explanation.mean,
            exact=explanation.exact,
            proven=explanation.proven,
            best=explanation.best,
            cells=[
                {
                    "pattern": rules.pattern_text(cell.pattern, variant.length),
                    "words": cell.words,
                    "guess": cell.guess,
                    "total": cell.total,
                    "weight": cell.weight,
                }
                for cell in explanation.cells
            ],
            device=backend.name,
            seconds=seconds,
        )
        return
    drawing.show_explanation(explanation, top)


def verify(
    tree: Annotated[Path, typer.Argument(help="A tree file, or a strategy of another solver in one of the two forms.")],
    guesses: Annotated[str | None, typer.Option(help=GUESSES_HELP, show_default=FROM_TREE)] = None,
    answers: Annotated[str | None, typer.Option(help=ANSWERS_HELP, show_default=FROM_TREE)] = None,
    mode: Annotated[Mode | None, typer.Option(help=MODE_HELP, show_default=FROM_TREE)] = None,
    scoring: Annotated[Scoring | None, typer.Option(help=SCORING_HELP, show_default=FROM_TREE)] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check a strategy against every answer. Show its total number of guesses and worst answers, or its first fault.

    Two forms of other solvers are read. Nested JSON: {"guess": "crane", "map": {"00000": {...}, "00002": "those"}}.
    Text with a line for each answer: crane BBBBG1 those YBBBG2 ... GGGGG3. A line may leave out what it shares with the
    line above it.
    """
    from gpusolve.games import wordle
    from gpusolve.games.wordle.analysis import drawing
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
