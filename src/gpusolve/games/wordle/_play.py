"""One game against a hidden answer, or against the adversary, always with the best guess."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import rules
from gpusolve.games.wordle._suggest import rank
from gpusolve.games.wordle.analysis.strategies import reply_after
from gpusolve.games.wordle.analysis.trees import read_strategy
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.rules import Advice
from gpusolve.games.wordle.tables import PartitionTable
from gpusolve.games.wordle.variant import Variant, check_first, check_variant
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.notebook import as_html, as_text
from gpusolve.runs.seeds import check_seed
from gpusolve.wordlists import Words


@dataclass(frozen=True)
class Turn:
    """One guess of a game.

    Attributes
    ----------
    guess : str
        The guess.
    pattern : int
        Its pattern, 0..242 for five letters.
    remaining : int
        Number of answers that were possible before the guess.
    """

    guess: str
    pattern: int
    remaining: int

    _repr_html_ = as_html
    __repr__ = as_text


def play(
    answer: str | None = None,
    variant: Variant | None = None,
    *,
    adversary: bool = False,
    first: str | None = None,
    sort: Advice = "exact",
    strategy: Path | None = None,
    backend: Backend | None = None,
) -> list[Turn]:
    """Play a game against a hidden answer or the adversary, always with the best guess.

    Parameters
    ----------
    answer : str, optional
        The hidden word. Against the adversary there is none.
    variant : Variant, optional
        The rules; by default, the original game.
    adversary : bool
        Whether to play against an adversary that hides no word, but gives each guess the pattern that leaves most
        words (`rules.reply`; the game is known as Absurdle). `beat_adversary` finds the fewest guesses against it.
    first : str, optional
        The first guess, instead of the best one.
    sort : {"exact", "entropy", "expected", "patterns", "largest"}
        What makes a guess the best. ``exact`` makes the guess that `suggest` ranks first: the fewest guesses to the
        end on average where they are known, elsewhere ``entropy`` with a bonus for guesses that can be the answer. The
        measures alone give no bonus.
    strategy : Path, optional
        A tree file, whose guesses are made instead.
    backend : Backend, optional
        The device; by default, the one that ``GPUSOLVE_DEVICE`` names.

    Returns
    -------
    list of Turn
        The guesses. The last one is the answer.

    Raises
    ------
    BadInput
        If `answer` is not among the answers or `first` not among the guesses, if there is an adversary and an answer
        or neither, or if the strategy is for other words, begins with another word than `first`, or has no reply.

    Examples
    --------
    >>> [turn.guess for turn in play("crane")]
    ['salet', 'beard', 'cezve', 'crane']
    >>> [turn.guess for turn in play(adversary=True, sort="largest")]
    ['arise', 'bludy', 'chump', 'touch', 'vouch']
    """
    variant = check_variant(variant)
    checks.check_choice("sort", sort, rules.ADVICE)
    if (answer is None) != adversary:
        raise BadInput("answer: expected a hidden word, or the adversary, which hides none")
    if answer is not None:
        answer = rules.parse_word(answer, variant.length, variant.digraphs)
        if answer not in variant.answers:
            raise BadInput(f"{answer}: not among the {len(variant.answers):,} answers")
    first = check_first(first, variant)
    tree = None if strategy is None else read_strategy(strategy, variant)
    if tree is not None and first not in (None, tree.guess):
        raise BadInput(f"first guess '{first}': the strategy begins with {tree.guess}")
    backend = open_backend(backend)
    turns: list[Turn] = []
    while not turns or not rules.solves(turns[-1].guess, turns[-1].pattern):
        history = [(turn.guess, turn.pattern) for turn in turns]
        if sort == "exact" and tree is None and (turns or first is None):
            table: PartitionTable = rank(history, variant, sort=sort, count=1, backend=backend)
        else:
            table = after(history, variant, "entropy" if sort == "exact" else sort, backend)
        guess = first if first and not turns else table.best
        if tree is not None:
            reply = reply_after(tree, history)
            if reply is None:
                hidden = "against the adversary" if answer is None else f"when {answer} is hidden"
                raise BadInput(f"tree {strategy}: no reply after {len(turns)} guesses, {hidden}")
            guess = reply
        if answer is None:
            code = rules.reply(guess, table.answers, scoring=variant.scoring)
        else:
            code = rules.pattern(guess, answer, scoring=variant.scoring)
        turns.append(Turn(guess, code, len(table.answers)))
    return turns


def random_answer(answers: Words = "wordle-answers", *, seed: int) -> str:
    """Draw an answer. The same seed gives the same answer. Raises BadInput unless `seed` is from 0 to 2^64 - 1.

    >>> random_answer(["crane", "trace"], seed=1)
    'crane'
    """
    return random.Random(check_seed(seed)).choice(word_list(answers))
