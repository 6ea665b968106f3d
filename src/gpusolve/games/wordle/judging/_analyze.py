"""Judgement of a finished game: what each guess cost compared with the best one, and what was luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.history import after, widen
from gpusolve.games.wordle.judging.proven import Proven, proven_totals
from gpusolve.games.wordle.proof.descent import FREE
from gpusolve.games.wordle.proof.values import WIDTH, valued
from gpusolve.games.wordle.rules import SOLVED, History
from gpusolve.games.wordle.variant import Variant, check_variant


@dataclass(frozen=True)
class Move:
    """One guess of a finished game, compared with the best guess.

    Costs are numbers of guesses from this one to the end, averaged over the answers that are still possible.

    Attributes
    ----------
    guess : str
        The guess.
    pattern : int
        Its pattern, 0..242.
    remaining, left : int
        Number of possible answers before and after the guess.
    cost : float
        Cost of the guess, followed by best play.
    best : str
        A guess of the lowest cost; the guess itself if no other is better.
    best_cost : float
        Cost of the best guess.
    best_pattern, best_left : int or None
        The pattern that the best guess would have got, and the number of answers after it. None if the answer is not
        known.
    luck : float
        Number of guesses that the pattern saved, compared with an average pattern.
    exact : bool
        Whether both costs are exact: searched in full, or among the totals that are proven for these words. Otherwise
        a cost that is not proven is that of the best strategy found here.
    """

    guess: str
    pattern: int
    remaining: int
    left: int
    cost: float
    best: str
    best_cost: float
    best_pattern: int | None
    best_left: int | None
    luck: float
    exact: bool

    @property
    def lost(self) -> float:
        """Number of guesses that the guess costs more than the best one; 0 for every guess that is equally good."""
        return self.cost - self.best_cost

    @property
    def skill(self) -> float:
        """Cost of the best guess in percent of the cost of this one: 100 if no guess is better."""
        return 100 * self.best_cost / self.cost


@dataclass(frozen=True)
class Analysis:
    """A finished game and the judgement of its guesses.

    Attributes
    ----------
    moves : list of Move
        The guesses.
    answer : str or None
        The answer, or None if it is not known.
    variant : Variant
        The words and rules.
    widened : bool
        Whether no listed answer fits the game, so that every word that may be guessed counts as a possible answer.
    """

    moves: list[Move]
    answer: str | None
    variant: Variant
    widened: bool

    @property
    def solved(self) -> bool:
        """Whether the last guess was the answer."""
        return bool(self.moves[-1].pattern == SOLVED)

    @property
    def lost(self) -> float:
        """Number of guesses that all moves together cost more than the best ones."""
        return sum(move.lost for move in self.moves)

    @property
    def luck(self) -> float:
        """Number of guesses saved by luck."""
        return sum(move.luck for move in self.moves)

    @property
    def skill(self) -> float:
        """Mean skill of the moves, in percent."""
        return sum(move.skill for move in self.moves) / len(self.moves)


def analyze(
    words: Sequence[str | tuple[str, int | str]],
    variant: Variant | None = None,
    *,
    answer: str | None = None,
    backend: Backend | None = None,
) -> Analysis:
    """Judge the guesses of a finished game.

    The number of guesses that the game took is the cost of the best first guess, plus what the moves lost, minus luck.

    Parameters
    ----------
    words : sequence
        The guesses in order, each alone or with its pattern (``salet:-y--g``). If the answer is not known, all of them
        need a pattern.
    variant : Variant, optional
        The rules; by default, the original game.
    answer : str, optional
        The hidden word; by default, the last guess if it has no pattern or five greens.
    backend : Backend, optional
        The device; by default, the one that ``GPUSOLVE_DEVICE`` names.

    Returns
    -------
    Analysis
        The judgement of each guess. If no listed answer fits the game, every word that may be guessed counts as a
        possible answer.

    Raises
    ------
    BadInput
        If the game breaks the rules or goes on after the answer, if a word is not among the guesses, or if a pattern is
        missing.
    NoSolution
        If no word fits the patterns.

    Examples
    --------
    >>> game = analyze(["salet:-y--g", "draft", "chart"])
    >>> [(move.left, move.best, round(move.lost, 2), round(move.luck, 2)) for move in game.moves[1:]]
    [(3, 'croup', 0.25, -0.5), (0, 'chart', 0.0, 1.0)]
    """
    variant, backend = check_variant(variant), open_backend(backend)
    history, answer = _parse_game(words, answer, variant)
    if answer is not None and answer not in variant.guesses:
        raise BadInput(f"answer '{answer}': not among the {len(variant.guesses):,} guesses")
    for guess, _ in history:
        if guess not in variant.guesses:
            raise BadInput(f"guess '{guess}': not among the {len(variant.guesses):,} guesses")
    played = widen(variant, history, backend)
    if answer is not None and answer not in played.answers:
        played = widen(variant, [(answer, SOLVED)], backend)
    states = [_State(history[:turn], played, backend) for turn in range(len(history) + 1)]
    moves = []
    for (guess, code), state, following in zip(history, states, states[1:], strict=False):
        cost = state.cost_of(guess)
        best, best_cost = state.best(guess)
        best_pattern = None if answer is None else rules.pattern(best, answer, scoring=variant.scoring)
        to_do = 0.0 if code == SOLVED else following.best(None)[1]
        moves.append(
            Move(
                guess=guess,
                pattern=code,
                remaining=state.remaining,
                left=0 if code == SOLVED else following.remaining,
                cost=cost,
                best=best,
                best_cost=best_cost,
                best_pattern=best_pattern,
                best_left=None if best_pattern is None else state.left(best, best_pattern),
                luck=cost - 1 - to_do,
                exact=state.is_exact(guess),
            )
        )
    return Analysis(moves, answer, played, played is not variant)


class _State:
    """The costs of guesses at some point of a game."""

    def __init__(self, history: History, variant: Variant, backend: Backend) -> None:
        table = after(history, variant, "patterns", backend)
        self.remaining = len(table.answers)
        self._position = valued(table, variant, backend=backend)
        self._proven = Proven() if history or self._position.exact else proven_totals(variant)
        self._totals = dict(self._proven.totals)

    def is_exact(self, guess: str) -> bool:
        """Return whether the cost of the guess and that of the best one are exact."""
        return self._position.exact or (self._proven.all_compared and guess in self._proven.totals)

    def cost_of(self, guess: str) -> float:
        """Return the mean number of guesses to the end, counting this one."""
        position = self._position
        if guess not in self._totals:
            self._totals[guess] = position.cost_after(position.guesses.place[guess], FREE)
        return self._totals[guess] / self.remaining

    def best(self, guess: str | None) -> tuple[str, float]:
        """Return the guess of the lowest cost, and the cost. Ties go to `guess`, then to the answers that remain."""
        position = self._position
        if position.exact:
            totals = self._best_totals(guess)
        else:
            candidates = list(self._proven.totals)
            if not self._proven.all_compared:
                candidates += [position.guesses[int(i)] for i in position.table.ranking("patterns")[:WIDTH]]
            candidates += [guess] if guess else []
            totals = {word: round(self.cost_of(word) * self.remaining) for word in candidates}
        best = min(totals, key=lambda word: (totals[word], word != guess, word not in position.answers, word))
        return best, totals[best] / self.remaining

    def _best_totals(self, guess: str | None) -> dict[str, int]:
        """Return a best guess, and the answers that remain and `guess` if they are as good; with the exact total."""
        position, partition = self._position, self._position.table.partition
        total, best = position.cost(np.arange(self.remaining))
        totals = {position.guesses[best]: total}
        for i in position.own.tolist():
            bound = 3 * self.remaining - partition.patterns[0, i] - 1
            if bound <= total == position.cost_after(i, FREE, total + 1):
                totals[position.guesses[i]] = total
        if guess is not None and round(self.cost_of(guess) * self.remaining) == total:
            totals[guess] = total
        return totals

    def left(self, guess: str, code: int) -> int:
        """Return the number of answers that remain after a guess and its pattern."""
        position = self._position
        codes = position.patterns[:, position.guesses.place[guess]]
        return 0 if code == SOLVED else int(np.count_nonzero(codes == code))


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
        answer = rules.parse_word(answer)
    elif bare[-1]:
        answer = rules.parse_word(str(words[-1]))
    elif any(bare):
        raise BadInput(f"'{words[bare.index(True)]}': expected its pattern as well, or the answer")
    turns: list[tuple[str, int | str]] = []
    for word, alone in zip(words, bare, strict=True):
        if not alone:
            turns.append(rules.parse_turn(word))
            continue
        assert answer is not None
        guess = rules.parse_word(str(word))
        turns.append((guess, rules.pattern(guess, answer, scoring=variant.scoring)))
    history = rules.parse_history(turns)
    for guess, code in history:
        if answer is not None and rules.pattern(guess, answer, scoring=variant.scoring) != code:
            turn = f"{guess}:{rules.pattern_text(code)}"
            raise BadInput(f"'{turn}': not the pattern that this guess gets when {answer} is hidden")
    if history[-1][1] == SOLVED:
        answer = history[-1][0]
    return history, answer
