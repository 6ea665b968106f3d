"""Greedy play: always the best guess by one measure. One game, or the games against every answer at once.

For all answers the decision tree is grown level by level; each level is one batch of states for the device.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import kernels, rules
from gpusolve.games.wordle._suggest import after, allowed_mask, exact_totals
from gpusolve.games.wordle.judging._verify import read_strategy, reply_after
from gpusolve.games.wordle.rules import GUESSES, MEASURES, SOLVED, Advice, Measure, check_choice
from gpusolve.games.wordle.variant import Variant, check_variant
from gpusolve.games.wordle.words import WordList, word_list
from gpusolve.output.notebook import html_table
from gpusolve.runs.seeds import MASK64
from gpusolve.wordlists import Words

FEW = 2  # of so many answers the first is as good as any guess can be, and the tie goes to it


@dataclass(frozen=True)
class Turn:
    """One guess of a game: its pattern 0..242 and how many answers were possible before it."""

    guess: str
    pattern: int
    remaining: int


@dataclass(frozen=True, eq=False)
class Simulation:
    """`turns[i]` (int32): the guesses that the strategy needs for `answers[i]`; `seconds`: what the simulation took."""

    answers: WordList
    turns: npt.NDArray[np.int32]
    seconds: float

    @property
    def total(self) -> int:
        """Guesses over all answers."""
        return int(self.turns.sum())

    @property
    def mean(self) -> float:
        """Guesses per answer."""
        return self.total / len(self.answers)

    @property
    def lost(self) -> int:
        """Answers that need more than the six guesses of the game."""
        return int((self.turns > GUESSES).sum())

    @property
    def distribution(self) -> dict[int, int]:
        """Number of guesses -> how many answers need it."""
        counts = np.bincount(self.turns)
        return {turns: int(counts[turns]) for turns in range(1, len(counts))}

    @property
    def worst(self) -> list[str]:
        """The answers that need the most guesses."""
        return [self.answers[i] for i in np.flatnonzero(self.turns == self.turns.max())]

    def columns(self) -> dict[str, Any]:
        """Name -> values, in the order of the answers: what ``pandas.DataFrame`` and ``polars.DataFrame`` take.

        >>> simulate(Variant.load(answers=["crane", "trace"])).columns()
        {'answer': ['crane', 'trace'], 'turns': array([1, 2], dtype=int32)}
        """
        return {"answer": self.answers[:], "turns": self.turns}

    def __repr__(self) -> str:
        return f"<Simulation: {len(self.answers):,} answers, mean {self.mean:.5f} guesses, {self.lost:,} lost>"

    def _repr_html_(self) -> str:
        rows = self.distribution
        return html_table(repr(self)[1:-1], {"guesses": list(rows), "answers": list(rows.values())}, len(rows))


@dataclass(frozen=True, eq=False)
class State:
    """A set of answers (indices, ascending) and which guesses the mode allows there (None: all, or not asked)."""

    members: npt.NDArray[np.intp]
    allowed: npt.NDArray[np.bool_] | None


def play(
    answer: str,
    variant: Variant | None = None,
    first: str | None = None,
    sort: Advice = "exact",
    strategy: Path | None = None,
    backend: Backend | None = None,
) -> list[Turn]:
    """A game of the variant (None: the original) against a hidden `answer`, each guess the best by `sort` alone.

    ``exact``: the one that takes the fewest guesses to the end, as `solver.exact_totals` knows it, else by entropy.

    `first` is the first guess instead; with `strategy`, a tree file, its guesses are made. Raises BadInput if `answer`
    is not among the answers or `first` not among the guesses, and for a strategy that is for other words, begins with
    another word or has no reply.

    >>> [turn.guess for turn in play("crane")]
    ['soare', 'civet', 'crane']
    """
    variant = check_variant(variant)
    check_choice("sort", sort, rules.ADVICE)
    measure = "entropy" if sort == "exact" else sort
    answer = rules.parse_word(answer)
    if answer not in variant.answers:
        raise BadInput(f"{answer}: not among the {len(variant.answers):,} answers")
    first = check_first(first, variant)
    tree = None if strategy is None else read_strategy(strategy, variant)
    if tree is not None and first not in (None, tree.guess):
        raise BadInput(f"first guess '{first}': the strategy begins with {tree.guess}")
    backend = open_backend(backend)
    turns: list[Turn] = []
    while not turns or turns[-1].pattern != SOLVED:
        history = [(turn.guess, turn.pattern) for turn in turns]
        table = after(history, variant, measure, backend)
        guess = first if first and not turns else table.best
        if tree is not None:
            reply = reply_after(tree, history)
            if reply is None:
                raise BadInput(f"tree {strategy}: no reply after {len(turns)} guesses, when {answer} is hidden")
            guess = reply
        elif sort == "exact" and guess != first and (totals := exact_totals(table, variant, len(turns), 1, backend)):
            guess = table.guesses[min(totals, key=lambda i: (totals[i], not table.partition.contains[0, i], i))]
        turns.append(Turn(guess, rules.pattern(guess, answer, variant.scoring), len(table.answers)))
    return turns


def random_answer(answers: Words = "wordle-answers", seed: int = 0) -> str:
    """One of the answers; the same seed gives the same. Raises BadInput for a seed below 0 or of more than 64 bits."""
    checks.check_integer("seed", seed, 0, MASK64)
    return random.Random(seed).choice(word_list(answers))


def check_first(first: str | None, variant: Variant) -> str | None:
    """The first guess as it stands among the guesses. Raises BadInput if it does not."""
    if first is None:
        return None
    first = rules.parse_word(first)
    if first not in variant.guesses:
        raise BadInput(f"first guess '{first}': not among the {len(variant.guesses):,} guesses")
    return first


def simulate(
    variant: Variant | None = None,
    first: str | None = None,
    sort: Measure = "entropy",
    progress: Callable[[int], None] = lambda solved: None,
    backend: Backend | None = None,
) -> Simulation:
    """Plays the greedy strategy, the best guess by `sort` in each state, against every answer.

    The same games as `play`, all of them at once. `progress` is called with the number of answers solved. Raises
    BadInput if `first` is not among the guesses.

    >>> simulate(first="salet").distribution
    {1: 0, 2: 79, 3: 1206, 4: 982, 5: 46, 6: 2}
    """
    begin = time.perf_counter()
    variant = check_variant(variant)
    check_choice("sort", sort, MEASURES)
    first = check_first(first, variant)
    backend = open_backend(backend)
    guesses, answers = variant.guesses, variant.answers

    restricted = variant.mode != "easy" and not variant.guess_hidden_only  # an answer that remains fits every mode
    turns = np.zeros(len(answers), np.int32)
    level = [State(np.arange(len(answers)), None)]
    depth, solved = 1, 0
    while level:
        if depth == 1 and first is not None:
            choices = [guesses.place[first]]
        else:
            choices = []
            for batch in _batches(level, backend.batch(kernels.PARTITION_BYTES * len(guesses))):
                choices += _choose(backend, variant, batch, sort)
        unique, row_of = np.unique(choices, return_inverse=True)
        terms = kernels.terms_of(guesses.letters[unique])
        rows = kernels.pattern_matrix(backend, terms, answers.letters, scoring=variant.scoring)
        following = []
        for state, guess, row in zip(level, choices, row_of, strict=True):
            codes = rows[row, state.members]
            for code in np.unique(codes):
                members = state.members[codes == code]
                if code == SOLVED:
                    turns[members] = depth
                    solved += len(members)
                    continue
                allowed = state.allowed
                if restricted and len(members) > FEW:
                    seen = [(guesses[guess], int(code))]
                    mask = allowed_mask(backend, guesses.letters, seen, variant.mode, variant.scoring)
                    allowed = mask if allowed is None else allowed & mask
                following.append(State(members, allowed))
        level = following
        depth += 1
        progress(solved)
    return Simulation(answers, turns, time.perf_counter() - begin)


def _choose(backend: Backend, variant: Variant, states: list[State], sort: Measure) -> list[int]:
    """The best guess of each state, as an index into the guesses."""
    own, terms = variant.answer_guesses, variant.guesses.terms
    choices = [int(own[state.members[0]]) for state in states]
    open_states = [i for i, state in enumerate(states) if len(state.members) > FEW]
    if not open_states:
        return choices
    hidden_only = variant.guess_hidden_only
    if hidden_only:  # then only an answer can be guessed
        terms = replace(terms, guesses=terms.guesses[own])
    masks, allowed = [states[i].allowed for i in open_states], None
    if any(mask is not None for mask in masks):
        everything = np.ones(len(terms.guesses), np.bool_)
        allowed = np.array([everything if mask is None else mask for mask in masks])
    subsets = [states[i].members for i in open_states]
    found = kernels.choose(
        backend,
        terms,
        variant.answers.letters,
        subsets,
        measure=sort,
        scoring=variant.scoring,
        allowed=allowed,
        contained=hidden_only,
    )
    for i, best in zip(open_states, (own[found] if hidden_only else found).tolist(), strict=True):
        choices[i] = best
    return choices


def _batches(states: list[State], size: int) -> Iterator[list[State]]:
    for start in range(0, len(states), size):
        yield states[start : start + size]
