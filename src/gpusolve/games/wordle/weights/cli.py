"""The command of ``gpusolve wordle`` that writes weighted lists. The game's `cli` adds it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gpusolve import clock
from gpusolve.games.wordle.cli_options import GUESSES_HELP, DigraphsOption
from gpusolve.output.options import Json, Quiet, writable

SHOWN = 20
"""Number of words that are shown if the list is written to a file."""


def words(
    language: Annotated[str, typer.Option(help="Language of the words, such as en, de or pt.")] = "en",
    length: Annotated[int, typer.Option(min=1, help="Number of letters of each word.")] = 5,
    top: Annotated[int, typer.Option(min=1, help="Number of words, the most frequent ones.")] = 4000,
    guesses: Annotated[
        str | None,
        typer.Option(
            help=f"Take only words of this list. {GUESSES_HELP}",
            show_default="wordle-guesses for English words of five letters, else all words",
        ),
    ] = None,
    digraphs: DigraphsOption = "",
    out: Annotated[
        Path | None, typer.Option(callback=writable, help="Write the list to this file instead of stdout.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List frequent words with weights.

    The list is for the option --weights of other commands. The weight of a word follows from its frequency: it is the
    chance that a list of answers has it, times 10,000. The package wordfreq is needed: pip install
    'gpusolve[wordfreq]'.
    """
    from gpusolve.games import wordle
    from gpusolve.games.wordle import drawing
    from gpusolve.output import report

    begin = clock.now()
    found = wordle.words(language, length=length, top=top, guesses=guesses, digraphs=digraphs.split())
    seconds = clock.now() - begin
    if out is not None:
        found.save(out)
    if json:
        report.json_line(
            "wordle.words/1",
            language=language,
            length=length,
            weight=found.total,
            seconds=seconds,
            words=[
                {"word": word, "weight": weight, "zipf": found.zipf[word]} for word, weight in found.weights.items()
            ],
        )
    elif out is None:
        report.text(found.text().rstrip("\n"))
    else:
        report.text(f"{drawing.count(len(found.weights), 'word')}, weight {found.total:,}, in {out}")
        report.text(drawing.listed([*found.weights], SHOWN))
