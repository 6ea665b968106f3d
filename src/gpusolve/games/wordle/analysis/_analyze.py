"""Judgement of a finished game: what each guess cost compared with the best one, and what was luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import kernels, rules, sharing
from gpusolve.games.wordle.analysis.openings import Openings, known_openings
from gpusolve.games.wordle.cpu.proof.memory import FREE
from gpusolve.games.wordle.history import after, widen
from gpusolve.games.wordle.proof.values import WIDTH, best_totals, valued
from gpusolve.games.wordle.rules import History
from gpusolve.games.wordle.variant import Variant, check_variant
from gpusolve.games.wordle.weights.chances import likely
from gpusolve.games.wordle.wordlist import encode
from gpusolve.reprs import columns_of
from gpusolve.result import FLAT, Result, reported, written

ALTERNATIVES = 5
"""Number of other guesses that are listed beside each guess."""
MANY = 3_000
"""Number of answers beyond which fewer guesses are compared, because the cost of each takes more than a second."""
VALUES = ("guess", "remaining", "left", "cost", "best", "best_cost", "lost", "skill", "luck", "saved", "exact")
"""What `Analysis.columns` has of each move."""
MOST_SKILL = MOST_LUCK = 99
"""The highest values of skill and luck."""


@dataclass(frozen=True, repr=False)
class Alternative(Result):
    """Another guess that could have been made, and what it would have cost.

    Attributes
    ----------
    guess : str
        The guess.
    cost : float
        Mean number of guesses from this one to the end, with best play afterwards.
    pattern, left : int or None
        The pattern that it would have got, and the number of answers after it. None if the answer is not known.
    exact : bool
        Whether the cost is exact. Otherwise it is that of the best strategy found here.
    """

    guess: str
    cost: float
    pattern: int | None = field(metadata=written("marks"))
    left: int | None
    exact: bool

    @property
    def marks(self) -> str | None:
        """The pattern as text."""
        return _marks(self.guess, self.pattern)


@dataclass(frozen=True, repr=False)
class Move(Result):
    """One guess of a finished game, compared with the best guess.

    Costs are numbers of guesses from this one to the end, averaged over the answers that are still possible; if they
    have weights, by weight.

    Attributes
    ----------
    guess : str
        The guess.
    pattern : int
        Its pattern, 0..242 for five letters.
    remaining, left : int
        Number of possible answers before and after the guess. 0 are left after the answer itself.
    words : list of str
        The answers that are left after the guess.
    mean_left : float
        Number of answers left after this guess, averaged over all possible answers.
    cost : float
        Cost of the guess, followed by best play.
    best : str
        A guess of the lowest cost; the guess itself if no other is better.
    best_cost : float
        Cost of the best guess.
    best_pattern, best_left : int or None
        The pattern that the best guess would have got, and the number of answers after it. None if the answer is not
        known.
    alternatives : list of Alternative
        The best other guesses, at most five, in the order of their costs.
    luck : int
        From 0 to 99: the percentage of possible answers, by weight, that would have left more answers than this one
        did, where those that leave as many count half. 50 is average.
    saved : float
        Number of guesses that the pattern saved, compared with an average pattern.
    exact : bool
        Whether both costs are exact: searched in full, or among the totals that are proven for these words. Otherwise
        a cost that is not proven is that of the best strategy found here.
    """

    guess: str
    pattern: int = field(metadata=written("marks"))
    remaining: int
    left: int
    words: list[str] = field(repr=False)
    mean_left: float
    cost: float
    best: str
    best_cost: float
    best_pattern: int | None = field(metadata=written("best_marks"))
    best_left: int | None
    alternatives: list[Alternative] = field(repr=False)
    luck: int
    saved: float
    exact: bool

    @property
    def marks(self) -> str:
        """The pattern as text."""
        return rules.pattern_text(self.pattern, rules.length_of(self.guess))

    @property
    def best_marks(self) -> str | None:
        """The pattern of the best guess as text."""
        return _marks(self.best, self.best_pattern)

    @reported
    def solved(self) -> bool:
        """Whether the guess was the answer."""
        return rules.solves(self.guess, self.pattern)

    @reported
    def lost(self) -> float:
        """Number of guesses that the guess costs more than the best one; 0 for every guess that is equally good."""
        return self.cost - self.best_cost

    @reported
    def skill(self) -> int:
        """Skill from 0 to 99: 99 if no guess is better, 0 if the guess wastes a whole guess, in proportion between."""
        return round(MOST_SKILL * (1 - min(self.lost, 1)))


@dataclass(frozen=True, repr=False)
class Analysis(Result, schema="wordle.analyze/3"):
    """A finished game and the judgement of its guesses.

    Attributes
    ----------
    moves : list of Move
        The guesses.
    answer : str or None
        The answer, or None if it is not known.
    variant : Variant
        The words and rules by which the game is judged. The lists have names: ``variant.answers.name``.
    widened : bool
        Whether no listed answer fits the game, so that every word that may be guessed counts as a possible answer.
    """

    moves: list[Move]
    answer: str | None
    variant: Variant = field(metadata=FLAT)
    widened: bool

    @reported
    def guesses(self) -> int:
        """Number of words that can be guessed."""
        return len(self.variant.guesses)

    @reported
    def answers(self) -> int:
        """Number of words that can be hidden."""
        return len(self.variant.answers)

    def columns(self) -> dict[str, list[Any]]:
        """Return the guesses as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            The attributes of each `Move` that are numbers or words, and its ``pattern`` as text.
        """
        columns = columns_of(self.moves, *VALUES)
        return columns | {"pattern": [move.marks for move in self.moves]}

    @reported
    def solved(self) -> bool:
        """Whether the last guess was the answer."""
        return self.moves[-1].solved

    @reported
    def lost(self) -> float:
        """Number of guesses that all moves together cost more than the best ones."""
        return sum(move.lost for move in self.moves)

    @reported
    def saved(self) -> float:
        """Number of guesses that luck saved in all moves together."""
        return sum(move.saved for move in self.moves)

    @reported
    def skill(self) -> int:
        """Mean skill of the moves, from 0 to 99."""
        return round(sum(move.skill for move in self.moves) / len(self.moves))

    @reported
    def luck(self) -> int:
        """Mean luck of the moves, from 0 to 99; 50 is average."""
        return round(sum(move.luck for move in self.moves) / len(self.moves))


def _marks(guess: str, code: int | None) -> str | None:
    return None if code is None else rules.pattern_text(code, rules.length_of(guess))


def analyze(
    words: Sequence[str | tuple[str, int | str]] | str,
    variant: Variant | None = None,
    *,
    answer: str | None = None,
    backend: Backend | None = None,
) -> Analysis:
    """Judge a finished game.

    It is shown how each guess compares with the best guess, and what was skill and what was luck. The number of guesses
    that the game took is the cost of the best first guess, plus what the moves lost, minus what luck saved.

    Parameters
    ----------
    words : str or sequence
        The guesses of a game, each alone or with its pattern, such as ``salet:-y--g``; or the text that Wordle shares,
        pasted in quotes, and the guesses alone, for which the command asks if you leave them out. If the answer is not
        known, all of them need a pattern.
    variant : Variant, optional
        The words and the rules. By default every accepted word can be the answer, each with its chance.
    answer : str, optional
        The hidden word. By default the last guess, if it has no pattern or only greens.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Analysis
        The judgement of each guess. If no listed answer fits the game, every word that may be guessed counts as a
        possible answer. With weights, the words that are not listed then share one percent of the listed words' weight.

    Raises
    ------
    BadInput
        If the game breaks the rules or goes on after the answer, if a word is not among the guesses, or if a pattern is
        missing.
    NoSolution
        If no word fits the patterns.

    Examples
    --------
    ``gpusolve wordle analyze crane moist badly``

    >>> game = analyze(["salet:-y--g", "draft", "chart"])
    >>> [(move.words, move.best, round(move.lost, 2), move.skill, move.luck) for move in game.moves[1:]]
    [(['apart', 'chart', 'quart'], 'croup', 0.25, 74, 30), ([], 'chart', 0.0, 99, 82)]
    """
    variant, backend = likely(check_variant(variant)), open_backend(backend)
    words = sharing.items_of(words)
    history, answer = _parse_game(sharing.with_guesses(words, variant.length, variant.digraphs), answer, variant)
    if answer is not None and answer not in variant.guesses:
        raise BadInput(f"answer '{answer}': not among the {len(variant.guesses):,} guesses")
    for guess, _ in history:
        if guess not in variant.guesses:
            raise BadInput(f"guess '{guess}': not among the {len(variant.guesses):,} guesses")
    played = widen(variant, history, backend)
    if answer is not None and answer not in played.answers:
        played = widen(variant, [(answer, rules.solved_code(variant.length))], backend)
    states = [_State(history[:turn], played, backend) for turn in range(len(history) + 1)]
    moves = []
    for number, ((guess, code), state, following) in enumerate(zip(history, states, states[1:], strict=False), 1):
        if not state.allows(guess):
            raise BadInput(
                f"guess {number}, '{guess}': expected an answer that remains, because no others may be guessed"
            )
        cost = state.cost_of(guess)
        best, best_cost = state.best(guess)
        best_pattern = None if answer is None else rules.pattern(best, answer, scoring=variant.scoring)
        solved = rules.solves(guess, code)
        to_do = 0.0 if solved else following.best(None)[1]
        moves.append(
            Move(
                guess=guess,
                pattern=code,
                remaining=state.remaining,
                left=0 if solved else following.remaining,
                words=[] if solved else following.words,
                mean_left=state.mean_left(guess),
                cost=cost,
                best=best,
                best_cost=best_cost,
                best_pattern=best_pattern,
                best_left=None if best_pattern is None else state.left(best, best_pattern),
                alternatives=state.alternatives(guess, answer),
                luck=state.luck(guess, code),
                saved=cost - 1 - to_do,
                exact=state.is_exact(guess),
            )
        )
    return Analysis(moves, answer, played, played is not variant)


class _State:
    """The costs of guesses at some point of a game."""

    def __init__(self, history: History, variant: Variant, backend: Backend) -> None:
        table = after(history, variant, "patterns", backend)
        self.words = table.answers[:]
        self.remaining = len(self.words)
        self._table, self._backend = table, backend
        self._position = valued(table, variant, backend=backend)
        self._mass = self._position.mass
        self._openings = Openings() if history or self._position.exact else known_openings(variant)
        share = self._mass / int(table.partition.masses[0])
        self._totals = {word: round(total * share) for word, total in self._openings.totals.items()}

    def allows(self, guess: str) -> bool:
        """Return whether the guess may be made here: where only answers that remain may, it has to be one of them."""
        return guess in self._position.guesses

    def is_exact(self, guess: str) -> bool:
        """Return whether the cost of the guess and that of the best one are exact."""
        return self._position.exact or (self._openings.all_compared and guess in self._openings.totals)

    def cost_of(self, guess: str) -> float:
        """Return the mean number of guesses to the end, counting this one."""
        position = self._position
        if guess not in self._totals:
            self._totals[guess] = position.cost_after(position.guesses.place[guess], FREE)
        return self._totals[guess] / self._mass

    def best(self, guess: str | None) -> tuple[str, float]:
        """Return the guess of the lowest cost, and the cost. Ties go to `guess`, then to the answers that remain."""
        totals = self._best_totals | ({} if guess is None else {guess: self._total_of(guess)})
        best = min(totals, key=lambda word: (totals[word], word != guess, *self._rank(word)))
        return best, totals[best] / self._mass

    def alternatives(self, guess: str, answer: str | None) -> list[Alternative]:
        """Return the best other guesses in the order of their costs; ties go to the answers that remain."""
        totals = {word: total for word, total in self._best_totals.items() if word != guess}
        best = sorted(totals, key=lambda word: (totals[word], *self._rank(word)))[:ALTERNATIVES]
        scoring = self._position.variant.scoring
        codes = {word: None if answer is None else rules.pattern(word, answer, scoring=scoring) for word in best}
        return [
            Alternative(
                guess=word,
                cost=totals[word] / self._mass,
                pattern=code,
                left=None if code is None else self.left(word, code),
                exact=self._position.exact or (self._openings.exact and word in self._openings.totals),
            )
            for word, code in codes.items()
        ]

    @cached_property
    def _best_totals(self) -> dict[str, int]:
        """The totals of the best guesses: all answers among the best ones, and enough others to be alternatives."""
        position, partition = self._position, self._table.partition
        if not position.exact:
            candidates = list(self._openings.totals)
            if not self._openings.all_compared:
                width = WIDTH if self.remaining > MANY else ALTERNATIVES
                candidates += [position.guesses[int(i)] for i in self._table.ranking("patterns")[:width]]
            return {word: self._total_of(word) for word in candidates}
        most = ALTERNATIVES + 1 if self.remaining > 1 else 1  # beside the only answer, every guess is wasted
        found = best_totals(position, most, FREE, ties=False)
        totals = {position.guesses[i]: total for i, total in found.items()}
        total = min(totals.values())
        for i in position.own.tolist():
            bound = 3 * self._mass - partition.next[0, i] - partition.now[0, i]
            if bound <= total == position.cost_after(i, FREE, total + 1):
                totals[position.guesses[i]] = total
        return totals

    def _total_of(self, guess: str) -> int:
        self.cost_of(guess)
        return self._totals[guess]

    def _rank(self, guess: str) -> tuple[bool, bool, str]:
        """Return a key that sorts equally good guesses: those that can be the answer, then those of the answer list."""
        return guess not in self._table.answers, guess not in self._position.variant.answers, guess

    def left(self, guess: str, code: int) -> int:
        """Return the number of answers that remain after a guess and its pattern."""
        return int(self._sizes(guess)[code])

    def mean_left(self, guess: str) -> float:
        """Return the number of answers that remain after a guess, averaged over the answers by their weights."""
        return float(self._masses(guess) @ self._sizes(guess)) / int(self._table.partition.masses[0])

    def luck(self, guess: str, code: int) -> int:
        """Return the luck of getting a pattern: its rank from 0 to 99 by the number of answers that it leaves."""
        masses, sizes = self._masses(guess), self._sizes(guess)
        worse, same = masses[sizes > sizes[code]].sum(), masses[sizes == sizes[code]].sum()
        return round(MOST_LUCK * float(worse + same / 2) / int(self._table.partition.masses[0]))

    def _codes(self, guess: str) -> npt.NDArray[np.integer[Any]]:
        """Return the pattern of a guess for each answer that remains, shape (answers,)."""
        scoring = self._position.variant.scoring
        terms = kernels.terms_of(encode([guess]))
        codes = kernels.pattern_matrix(self._backend.host, terms, self._table.answers.letters, scoring=scoring)
        return np.asarray(codes[0])

    def _masses(self, guess: str) -> npt.NDArray[np.integer[Any]]:
        """Return the weight of the answers that give each pattern, shape (3^length,); without weights, their number."""
        masses = np.zeros(self._position.n_cells, np.int64)
        np.add.at(masses, self._codes(guess), 1 if self._table.weights is None else self._table.weights)
        return masses

    def _sizes(self, guess: str) -> npt.NDArray[np.intp]:
        """Return the number of answers that remain after each pattern, shape (3^length,): none after greens only."""
        sizes = np.bincount(self._codes(guess), minlength=self._position.n_cells)
        sizes[-1] = 0
        return sizes


def _parse_game(
    words: Sequence[str | tuple[str, int | str]], answer: str | None, variant: Variant
) -> tuple[list[tuple[str, int]], str | None]:
    """Return the turns of the game, and the answer if it is known."""
    if isinstance(words, str):
        raise TypeError(f"words: expected a list of guesses, such as ['{words}']")
    if not words:
        raise BadInput("no guesses: expected the guesses of a game, such as salet crony ...")
    bare = [isinstance(word, str) and ":" not in word for word in words]
    if answer is not None:
        answer = rules.parse_word(answer, variant.length, variant.digraphs)
    elif bare[-1]:
        answer = rules.parse_word(str(words[-1]), variant.length, variant.digraphs)
    elif any(bare):
        raise BadInput(f"'{words[bare.index(True)]}': expected its pattern as well, or the answer")
    turns: list[tuple[str, int | str]] = []
    for word, alone in zip(words, bare, strict=True):
        if not alone:
            turns.append(rules.parse_turn(word, variant.length, variant.digraphs))
            continue
        assert answer is not None
        guess = rules.parse_word(str(word), variant.length, variant.digraphs)
        turns.append((guess, rules.pattern(guess, answer, scoring=variant.scoring)))
    history = rules.parse_history(turns)
    for guess, code in history:
        if answer is not None and rules.pattern(guess, answer, scoring=variant.scoring) != code:
            turn = rules.turn_text(guess, code)
            raise BadInput(f"'{turn}': not the pattern that this guess gets when {answer} is hidden")
    if rules.solves(*history[-1]):
        answer = history[-1][0]
    return history, answer
