"""Options that several commands of ``gpusolve wordle`` have."""

from __future__ import annotations

from typing import Annotated

import typer

from gpusolve.games.wordle.rules import Advice, Measure, Mode, Scoring

HistoryArgument = Annotated[
    list[str] | None, typer.Argument(help="The guesses so far with their patterns, such as salet:-y--g.")
]
GUESSES_HELP = "Words that may be guessed: a shipped list's name, or a file with one word per line."
ANSWERS_HELP = "Words that may be hidden: a shipped list's name, or a file with one word per line."
SCORING_HELP = "How guesses are marked. presence: a letter that is not green is yellow if it occurs in the answer."
MODE_HELP = "Allowed guesses. hard: they use all revealed letters; ultra-hard: they fit every pattern so far."
GuessesOption = Annotated[str, typer.Option(help=GUESSES_HELP)]
AnswersOption = Annotated[str, typer.Option(help=ANSWERS_HELP)]
ScoringOption = Annotated[Scoring, typer.Option(help=SCORING_HELP)]
ModeOption = Annotated[Mode, typer.Option(help=MODE_HELP)]
MeasureOption = Annotated[Measure, typer.Option(help="Measure by which the best guess is chosen.")]
AdviceOption = Annotated[
    Advice,
    typer.Option(help="How guesses are ranked. exact: by the fewest guesses to the end, once few answers remain."),
]
HiddenOnly = Annotated[bool, typer.Option("--guess-hidden-only", help="Guess only answers that remain.")]
First = Annotated[str | None, typer.Option(help="First guess.", show_default="the best one")]
