"""Totals of first words that are proven, but take longer to prove than a command may take to judge a game."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from gpusolve.games.wordle.variant import Variant

FILE = Path(__file__).with_name("proven.json")


@dataclass(frozen=True)
class Proven:
    """The proven totals of a variant.

    Attributes
    ----------
    totals : dict of str to int
        First word -> the fewest guesses over all answers.
    all_compared : bool
        Whether no other first word needs fewer guesses than the last of these.
    """

    totals: dict[str, int] = field(default_factory=dict)
    all_compared: bool = False


def proven_totals(variant: Variant) -> Proven:
    """Return the proven totals of a variant. There are none with weights, and only for known word lists and rules.

    >>> proven_totals(Variant.load()).totals["crane"], proven_totals(Variant.load(answers=["crane"])).totals
    (7930, {})
    """
    if variant.weights is not None:
        return Proven()
    rules = {
        "guesses": variant.guesses.digest,
        "answers": variant.answers.digest,
        "mode": variant.mode,
        "scoring": variant.scoring,
        "guess_hidden_only": variant.guess_hidden_only,
    }
    for known in json.loads(FILE.read_text(encoding="utf-8"))["variants"]:
        if rules.items() <= known.items():
            return Proven(known["totals"], known["all_compared"])
    return Proven()
