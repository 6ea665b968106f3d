"""The options that several commands of ``gpusolve wordle`` have."""

from __future__ import annotations

from typing import Annotated

import typer

from gpusolve.games.wordle.rules import Advice, Measure, Mode, Scoring

GuessesOption = Annotated[str, typer.Option(help="The words that may be guessed: a shipped list's name or a file.")]
AnswersOption = Annotated[str, typer.Option(help="The words that may be hidden: a shipped list's name or a file.")]
ScoringOption = Annotated[
    Scoring, typer.Option(help="presence: every letter that is not green and occurs anywhere is yellow.")
]
MeasureOption = Annotated[Measure, typer.Option(help="What makes a guess better.")]
AdviceOption = Annotated[
    Advice, typer.Option(help="What makes a guess better; exact: fewer guesses to the end, where few answers remain.")
]
ModeOption = Annotated[
    Mode, typer.Option(help="hard: use what is revealed; ultra-hard: only guesses that fit every pattern seen.")
]
HiddenOnly = Annotated[bool, typer.Option("--guess-hidden-only", help="Guess remaining answers only.")]
First = Annotated[str | None, typer.Option(help="The first guess, instead of the best one.")]
