"""What is known of first words, but takes longer to find than a command may take to advise or to judge."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from gpusolve.games.wordle.variant import Variant

FILE = Path(__file__).with_name("openings.json")


@dataclass(frozen=True)
class Openings:
    """Known totals of first words of a variant.

    Attributes
    ----------
    totals : dict of str to int
        First word -> the fewest guesses over all answers, by weight if they have weights.
    all_compared : bool
        Whether no other first word needs fewer guesses than the last of these.
    exact : bool
        Whether the totals are proven; otherwise they are those of the best strategies known.
    """

    totals: dict[str, int] = field(default_factory=dict)
    all_compared: bool = False
    exact: bool = True


def known_openings(variant: Variant) -> Openings:
    """Return what is known of the first words of a variant: only for certain word lists, weights and rules.

    >>> known_openings(Variant.load()).totals["crane"], known_openings(Variant.load(answers=["crane"])).totals
    (7930, {})
    """
    rules = {
        "guesses": variant.guesses.digest,
        "answers": variant.answers.digest,
        "weights": None if variant.weights is None else variant.weights.digest,
        "mode": variant.mode,
        "scoring": variant.scoring,
        "guess_hidden_only": variant.guess_hidden_only,
    }
    for known in json.loads(FILE.read_text(encoding="utf-8"))["variants"]:
        if rules.items() <= known.items():
            if variant.weights is None:
                return Openings(known["totals"], known["all_compared"])
            mass = variant.weights.total
            return Openings({word: round(mean * mass) for word, mean in known["means"].items()}, exact=False)
    return Openings()
