"""Options of several commands of ``gpusolve wordle``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gpusolve.games.wordle.rules import Advice, Measure, Mode, Scoring
from gpusolve.output.options import WORDS_HELP

if TYPE_CHECKING:
    from gpusolve.games.wordle.variant import Variant

HistoryArgument = Annotated[
    list[str] | None,
    typer.Argument(
        help="The guesses so far with their patterns, such as salet:-y--g or salet -y--g; or the text that Wordle "
        "shares, pasted in quotes, and the guesses alone, such as 'Wordle 1,234 2/6 ...' salet craft; or - to read "
        "that text from stdin."
    ),
]
GUESSES_HELP = f"Words that can be guessed: {WORDS_HELP}"
ANSWERS_HELP = f"Words that can be hidden: {WORDS_HELP}"
SCORING_HELP = "Rules of the patterns. presence: every letter that occurs in the answer and is not green is yellow."
MODE_HELP = (
    "Allowed guesses. hard: words with all revealed letters; ultra-hard: words that are consistent with every pattern."
)
GuessesOption = Annotated[
    str | None, typer.Option(help=GUESSES_HELP, show_default="wordle-guesses, or the answers if they are other words")
]
AnswersOption = Annotated[str, typer.Option(help=ANSWERS_HELP)]
WeightedAnswers = Annotated[
    str | None, typer.Option(help=ANSWERS_HELP, show_default="wordle-answers, or the words of --weights")
]
DigraphsOption = Annotated[
    str,
    typer.Option(
        help="Letters that the language writes with two or three characters, such as 'dz dzs sz'.", show_default="none"
    ),
]
ScoringOption = Annotated[Scoring, typer.Option(help=SCORING_HELP)]
ModeOption = Annotated[Mode, typer.Option(help=MODE_HELP)]
MeasureOption = Annotated[Measure, typer.Option(help="Measure by which the best guess is chosen.")]
AdviceOption = Annotated[
    Advice,
    typer.Option(
        help="Measure by which guesses are ranked. exact: the mean number of guesses to the end where it is known (few "
        "answers remain, or the original lists before the first guess), else entropy."
    ),
]
ADVERSARY_HELP = (
    "No word is hidden: each guess gets the pattern that leaves most words, as in the game Absurdle. Among equals, it "
    "is the one with the fewest greens, then yellows."
)
HiddenOnly = Annotated[bool, typer.Option("--guess-hidden-only", help="Guess only words that can still be the answer.")]
First = Annotated[str | None, typer.Option(help="First guess.", show_default="the best guess")]


def read_history(items: list[str] | None, variant: Variant, *, json: bool, quiet: bool) -> list[tuple[str, int]]:
    """Return the turns that a history's arguments give, in any form."""
    from gpusolve.games.wordle import sharing

    items = with_shared(items or [], variant, json=json, quiet=quiet)
    return sharing.parse_history(items, variant.length, variant.digraphs)


def with_shared(items: list[str], variant: Variant, *, json: bool, quiet: bool) -> list[str]:
    """Return arguments with the text of stdin in place of -, and with the guesses of a shared text.

    The user is asked for guesses that are missing, unless the output is JSON.
    """
    from gpusolve.games.wordle import rules, sharing
    from gpusolve.output import dialogue, report

    length, digraphs = variant.length, variant.digraphs
    items = [dialogue.read_input() if item == "-" else item for item in items]
    share = sharing.read_share(items, length, digraphs)
    if share is None:
        return items
    report.note(
        "the result has the star of hard mode; --mode hard judges by its rules",
        quiet or not share.hard or variant.mode != "easy",
    )
    if share.guesses or json:
        return items
    patterns = [rules.pattern_text(code, length) for code in sharing.patterns_of(share)]
    return [*items, *dialogue.ask_guesses(patterns, lambda word: rules.parse_word(word, length, digraphs))]
