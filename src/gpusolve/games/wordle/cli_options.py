"""Options of several commands of ``gpusolve wordle``."""

from __future__ import annotations

from typing import Annotated

import typer

from gpusolve.games.wordle.rules import Advice, Measure, Mode, Scoring

HistoryArgument = Annotated[
    list[str] | None, typer.Argument(help="The guesses so far with their patterns, such as salet:-y--g.")
]
GUESSES_HELP = "Words that can be guessed: a shipped list's name, or a file with one word per line."
ANSWERS_HELP = "Words that can be hidden: a shipped list's name, or a file with one word per line."
SCORING_HELP = "Rules of the patterns. presence: every letter that occurs in the answer and is not green is yellow."
MODE_HELP = (
    "Allowed guesses. hard: words with all revealed letters; ultra-hard: words that are consistent with every pattern."
)
GuessesOption = Annotated[str, typer.Option(help=GUESSES_HELP)]
AnswersOption = Annotated[str, typer.Option(help=ANSWERS_HELP)]
ScoringOption = Annotated[Scoring, typer.Option(help=SCORING_HELP)]
ModeOption = Annotated[Mode, typer.Option(help=MODE_HELP)]
MeasureOption = Annotated[Measure, typer.Option(help="Measure by which the best guess is chosen.")]
AdviceOption = Annotated[
    Advice,
    typer.Option(
        help="Measure by which guesses are ranked. exact: the mean number of guesses to the end, if few answers remain."
    ),
]
HiddenOnly = Annotated[bool, typer.Option("--guess-hidden-only", help="Guess only words that can still be the answer.")]
First = Annotated[str | None, typer.Option(help="First guess.", show_default="the best guess")]
