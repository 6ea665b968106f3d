"""Judgement of a finished game: what each guess cost compared with the best one, and what was luck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import rules, sharing
from gpusolve.games.wordle.analysis.moves import Alternative, Move
from gpusolve.games.wordle.analysis.states import COMPARED, Left, State
from gpusolve.games.wordle.history import check_history, widen
from gpusolve.games.wordle.variant import Variant, check_variant
from gpusolve.games.wordle.weights.chances import likely
from gpusolve.games.wordle.weights.mistakes import check_guess
from gpusolve.reprs import columns_of
from gpusolve.result import FLAT, Result, reported

VALUES = (
    *("guess", "remaining", "likely", "left", "likely_left", "chance", "cost", "best", "best_cost", "lost", "skill"),
    *("luck", "saved", "exact", "reason"),
)
"""What `Analysis.columns` has of each move."""


@dataclass(frozen=True, repr=False)
class Analysis(Result, schema="wordle.analyze/4"):
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
        Whether no listed answer fits the game, so that every word that may be guessed counts as a possible answer, each
        with its chance where chances are known.
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
        possible answer, each with its chance where chances are known. With weights, the words that are not listed then
        share one percent of the listed words' weight.

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

    >>> game = analyze(["salet:-y--g", "draft", "chart"], Variant.load(answers="wordle-answers"))
    >>> [(move.words, move.best, round(move.lost, 2), move.skill, move.luck) for move in game.moves[1:]]
    [(['apart', 'chart', 'quart'], 'croup', 0.25, 74, 30), ([], 'chart', 0.0, 99, 82)]
    >>> game.moves[2].reason
    'No guess is better: it leaves 1.3 words on average; chart was the answer, with a chance of 33 %.'
    """
    variant, backend = likely(check_variant(variant)), open_backend(backend)
    words = sharing.items_of(words)
    place = "last word" if answer is None else "answer"
    history, answer = _parse_game(sharing.with_guesses(words, variant.length, variant.digraphs), answer, variant)
    if answer is not None:
        check_guess(answer, variant, place)
    for guess, _ in history:
        check_guess(guess, variant)
    check_history(history, variant)
    played = widen(variant, history, backend)
    if answer is not None and answer not in played.answers:
        played = widen(variant, [(answer, rules.solved_code(variant.length))], backend)
    states = [State(history[:turn], played, backend) for turn in range(len(history) + 1)]
    moves = []
    for number, ((guess, _), state, following) in enumerate(zip(history, states, states[1:], strict=False), 1):
        if not state.allows(guess):
            raise BadInput(
                f"guess {number}, '{guess}': expected an answer that remains, because no others may be guessed"
            )
        moves.append(_judged(history[number - 1], state, following, answer))
    return Analysis(moves, answer, played, played is not variant)


def _judged(turn: tuple[str, int], state: State, following: State, answer: str | None) -> Move:
    """Return the judgement of a guess. `following` is the state after it."""
    (guess, code), scoring = turn, state.variant.scoring
    cost = state.cost_of(guess)
    best, best_cost = state.best(guess)
    left, best_left = state.left(guess), state.left(best)
    best_pattern = None if answer is None else rules.pattern(best, answer, scoring=scoring)
    solved = rules.solves(guess, code)
    alternatives = []
    for word, (each, exact) in state.others(guess, COMPARED).items():
        pattern = None if answer is None else rules.pattern(word, answer, scoring=scoring)
        size, likely_size = _counts(state.left(word), pattern)
        alternatives.append(Alternative(word, each, pattern, size, likely_size, exact))
    size, likely_size = _counts(best_left, best_pattern)
    return Move(
        guess=guess,
        pattern=code,
        chance=state.chance(guess),
        remaining=state.remaining,
        likely=state.likely,
        left=int(left.sizes[code]),
        likely_left=int(left.likely[code]),
        words=[] if solved else following.words,
        mean_left=left.mean(left.sizes),
        mean_likely_left=left.mean(left.likely),
        known_places=state.known_places(guess),
        cost=cost,
        best=best,
        best_cost=best_cost,
        best_mean_likely_left=best_left.mean(best_left.likely),
        best_pattern=best_pattern,
        best_left=size,
        best_likely_left=likely_size,
        alternatives=alternatives,
        luck=left.luck(code),
        saved=cost - 1 - (0.0 if solved else following.best(None)[1]),
        exact=state.is_exact(guess),
    )


def _counts(left: Left, pattern: int | None) -> tuple[int | None, int | None]:
    """Return the number of answers after a pattern, and that of the likely ones, if the pattern is known."""
    return (None, None) if pattern is None else (int(left.sizes[pattern]), int(left.likely[pattern]))


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
