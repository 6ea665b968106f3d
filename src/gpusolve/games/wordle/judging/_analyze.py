"""A finished game, guess by guess: what each guess cost beside the best one, and what was luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import rules
from gpusolve.games.wordle._suggest import after, fitting
from gpusolve.games.wordle.proof.descent import FREE
from gpusolve.games.wordle.proof.values import WIDTH, valued
from gpusolve.games.wordle.rules import SOLVED, History
from gpusolve.games.wordle.variant import Variant, check_variant


@dataclass(frozen=True)
class Move:
    """One guess of a game.

    `remaining`, `left`: answers before and after it. `cost`: guesses that it takes to the end on average, itself
    included, if all that follow are the best; `best`: the guess that costs least, `best_cost`, `best_pattern` and
    `best_left` what it would have got (None: the answer is not known). `luck`: how many guesses fewer than on average
    the pattern has left to do. `exact`: whether the costs are; else they are those of the best strategies known.
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
        """Guesses that it costs more than the best; 0 for all that are equally good."""
        return self.cost - self.best_cost

    @property
    def skill(self) -> float:
        """The best cost in per cent of its own: 100 where no guess is better."""
        return 100 * self.best_cost / self.cost


@dataclass(frozen=True)
class Analysis:
    """A game's moves. `answer`: None if it is not known.

    `widened`: no listed answer fits, so that every word that may be guessed is taken for a possible answer.
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
        """Guesses lost by all moves."""
        return sum(move.lost for move in self.moves)

    @property
    def luck(self) -> float:
        """Guesses won by luck."""
        return sum(move.luck for move in self.moves)

    @property
    def skill(self) -> float:
        """The mean skill of the moves, in per cent."""
        return sum(move.skill for move in self.moves) / len(self.moves)


def analyze(
    words: Sequence[str | tuple[str, int | str]],
    answer: str | None = None,
    variant: Variant | None = None,
    backend: Backend | None = None,
) -> Analysis:
    """Judges a game: `words` are its guesses, alone or with their patterns (``salet:-y--g``).

    Patterns that are not given follow from the `answer` (None: the last word). The guesses that the game took are the
    cost of the best first guess, and what was lost, less the luck. If no listed answer fits, every word that may be
    guessed is taken for a possible answer. Raises BadInput for a game that breaks the rules, goes on after the answer
    or has a guess that is none, and NoSolution where no word at all fits.

    >>> game = analyze(["salet:-y--g", "draft", "chart"])
    >>> [(move.left, move.best, round(move.lost, 2), round(move.luck, 2)) for move in game.moves[1:]]
    [(3, 'croup', 0.25, -0.5), (0, 'chart', 0.0, 1.0)]
    """
    variant, backend = check_variant(variant), open_backend(backend)
    history, answer = _game(words, answer, variant)
    for guess, _ in history:
        if guess not in variant.guesses:
            raise BadInput(f"guess '{guess}': not among the {len(variant.guesses):,} guesses")
    played = fitting(history, variant, backend)
    if answer is not None and answer not in played.answers:
        played = fitting([(answer, SOLVED)], variant, backend)
    values = [_Value(history[:turn], played, backend) for turn in range(len(history) + 1)]
    moves = []
    for turn, (guess, code) in enumerate(history):
        value, following = values[turn], values[turn + 1]
        cost = value.cost_of(guess)
        best, best_cost = value.best(guess)
        then = None if answer is None else rules.pattern(best, answer, variant.scoring)
        to_do = 0.0 if code == SOLVED else following.best(None)[1]
        left = 0 if code == SOLVED else following.remaining
        best_left = None if then is None else value.left(best, then)
        moves.append(
            Move(
                guess,
                code,
                value.remaining,
                left,
                cost,
                best,
                best_cost,
                then,
                best_left,
                cost - 1 - to_do,
                value.exact,
            )
        )
    return Analysis(moves, answer, played, played is not variant)


class _Value:
    """What guesses cost at some point of a game."""

    def __init__(self, history: History, variant: Variant, backend: Backend) -> None:
        table = after(history, variant, "patterns", backend)
        self.remaining = len(table.answers)
        self._position = valued(table, variant, backend)
        self.exact = self._position.exact
        self._totals: dict[str, int] = {}

    def cost_of(self, guess: str) -> float:
        """The mean number of guesses to the end, this one included."""
        position = self._position
        if guess not in self._totals:
            self._totals[guess] = position.cost_after(position.guesses.place[guess], FREE)
        return self._totals[guess] / self.remaining

    def best(self, guess: str | None) -> tuple[str, float]:
        """The guess that costs least and its cost: of equals `guess`, then one that can be the answer."""
        position = self._position
        if self.exact:
            found = self._exact(guess)
        else:
            chosen = [position.guesses[int(i)] for i in position.table.ranking("patterns")[:WIDTH]]
            chosen += [guess] if guess else []
            found = {word: round(self.cost_of(word) * self.remaining) for word in chosen}
        best = min(found, key=lambda word: (found[word], word != guess, word not in position.answers, word))
        return best, found[best] / self.remaining

    def _exact(self, guess: str | None) -> dict[str, int]:
        """A best guess, and those as good of the answers that remain; `guess` too, if it is."""
        position, part = self._position, self._position.table.partition
        total, best = position.cost(np.arange(self.remaining))
        found = {position.guesses[best]: total}
        for i in position.own.tolist():
            if 3 * self.remaining - part.patterns[0, i] - 1 <= total == position.cost_after(i, FREE, total + 1):
                found[position.guesses[i]] = total
        if guess is not None and round(self.cost_of(guess) * self.remaining) == total:
            found[guess] = total
        return found

    def left(self, guess: str, code: int) -> int:
        """Answers that a pattern would leave."""
        position = self._position
        codes = position.patterns[:, position.guesses.place[guess]]
        return 0 if code == SOLVED else int(np.count_nonzero(codes == code))


def _game(
    words: Sequence[str | tuple[str, int | str]], answer: str | None, variant: Variant
) -> tuple[list[tuple[str, int]], str | None]:
    """The game's turns, and its answer if it is known."""
    if isinstance(words, str):
        raise TypeError(f"words: expected a list of guesses, as ['{words}']")
    if not words:
        raise BadInput("no guesses: expected those of a game, as salet crony ...")
    bare = [isinstance(word, str) and ":" not in word for word in words]
    if answer is not None:
        answer = rules.parse_word(answer)
    elif bare[-1]:
        answer = rules.parse_word(str(words[-1]))
    elif any(bare):
        raise BadInput(f"'{words[bare.index(True)]}': expected its pattern, too, or --answer")
    turns: list[tuple[str, int | str]] = []
    for word, alone in zip(words, bare, strict=True):
        if not alone:
            turns.append(rules.parse_turn(word))
            continue
        assert answer is not None
        guess = rules.parse_word(str(word))
        turns.append((guess, rules.pattern(guess, answer, variant.scoring)))
    history = rules.parse_history(turns)
    for guess, code in history:
        if answer is not None and rules.pattern(guess, answer, variant.scoring) != code:
            raise BadInput(
                f"'{guess}:{rules.pattern_text(code)}': not the pattern that it gets when {answer} is hidden"
            )
    if history[-1][1] == SOLVED:
        answer = history[-1][0]
    return history, answer
