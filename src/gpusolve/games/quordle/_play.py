"""One game at a time: played, helped through, judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_choice
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.quordle import kernels, player
from gpusolve.games.quordle.rules import (
    STRATEGIES,
    Game,
    Strategy,
    Turn,
    check_guesses,
    parse_hidden,
    parse_turns,
)
from gpusolve.games.quordle.variant import Variant, check_variant
from gpusolve.games.wordle.rules import SOLVED, parse_word, pattern, possible
from gpusolve.runs.seeds import check_seed, random_seed

Fits = list[npt.NDArray[np.intp]]
"""The answers that fit each unsolved board."""


@dataclass(frozen=True)
class Row:
    """A guess: its cost, the boards that it solves on average and the bits that it tells, all boards together.

    `mean`: guesses that the game takes from there on, over games played out; None where none were.
    """

    guess: str
    cost: float
    solves: float
    bits: float
    mean: float | None


@dataclass(frozen=True)
class Suggestions:
    """What is left on each board, in the list's order, none where it is solved; and guesses, the best first."""

    remaining: list[list[str]]
    rows: list[Row]


@dataclass(frozen=True)
class Judged:
    """A guess of a game that is over, with the one that `joint` would have made there; `left`: words on each board."""

    made: Row
    best: Row
    left: list[int]


def play(
    hidden: Sequence[str],
    variant: Variant | None = None,
    strategy: Strategy = "joint",
    guesses: int | None = None,
    seed: int | None = None,
    backend: Backend | None = None,
) -> Game:
    """A game with these hidden words, one a board; `guesses`, None: boards + 5; `seed` of the strategy ``random``.

    Raises BadInput for words that are not among the answers, and for what cannot be played.

    >>> play(["hello", "world", "tests", "value"], Variant.load("quordle-article"), "left-to-right").guesses[:3]
    ['aback', 'dding', 'elope']
    """
    variant = check_variant(variant)
    words = check_hidden(hidden, variant)
    guesses = check_guesses(guesses, len(words))
    check_choice("strategy", strategy, STRATEGIES)
    seed = random_seed() if seed is None else check_seed(seed)
    places = np.array([[variant.answers.place[word] for word in words]], np.uint16)
    backend = open_backend(backend)
    if strategy == "joint":
        joint = player.prepare(backend, variant)
        found = player.play(backend, places, player.prepare_opening(backend, joint), guesses)
        names = variant.dictionary
    else:
        lists = kernels.tables(backend, variant.answers, variant.player, variant.scoring)
        found = kernels.games(backend, places, lists, strategy, guesses, seed)
        names = variant.answers
    made = [names[place] for place in found.guessed[0] if place != kernels.NO_WORD]
    return Game(made, found.turns[0].tolist())


def check_hidden(hidden: Sequence[str], variant: Variant) -> list[str]:
    """The words of a game, in lower case. Raises BadInput as `rules.parse_hidden`, and for one that is no answer."""
    words = parse_hidden(hidden)
    for board, word in enumerate(words, 1):
        if word not in variant.answers:
            raise BadInput(f"board {board}: {word}: not among the {len(variant.answers):,} answers")
    return words


def check_made(made: Sequence[str], variant: Variant) -> list[str]:
    """The guesses of a game, in lower case. Raises BadInput for one that may not be guessed."""
    guesses, known = [parse_word(word) for word in made], variant.dictionary
    for number, guess in enumerate(guesses, 1):
        if guess not in known:
            raise BadInput(f"guess {number}, {guess}: not among the {len(known):,} words of the dictionary")
    return guesses


def suggest(
    history: Sequence[str | Turn] = (),
    variant: Variant | None = None,
    boards: int | None = None,
    guesses: int | None = None,
    backend: Backend | None = None,
) -> Suggestions:
    """What is left on each board after some guesses, and every guess, the best one by `joint` first.

    `history`: a guess and the patterns of all boards, ``carle:-y--g,-----,y----,--g--``; a board that was solved
    before has none. `boards`, None: as the history has, or 4; `guesses`, None: boards + 5. Raises BadInput for patterns
    that contradict one another, and NoSolution where no answer gives them; both name the board.

    >>> found = suggest(["carle:-y---,----y", "aunty:ggggg,-----"])
    >>> len(found.remaining[1]), found.rows[0].guess
    (10, 'shied')
    """
    turns = parse_turns(history, boards)
    number = len(turns[0].patterns) if turns else boards or 4
    variant = check_variant(variant, number)
    left = check_guesses(guesses, number) - len(turns)
    backend = open_backend(backend)
    joint = player.prepare(backend, variant)
    fits = _fits(turns, number, variant, backend.to_host(joint.codes))
    remaining = [[variant.answers[i] for i in fit] for fit in fits]
    unsolved = [fit for fit in fits if len(fit)]
    rows = _rows(backend, unsolved, variant, joint, left, first=not turns) if unsolved else []
    return Suggestions(remaining, rows)


def _fits(turns: Sequence[Turn], boards: int, variant: Variant, codes: npt.NDArray[np.uint8]) -> Fits:
    """The answers that fit each board; none where it is solved."""
    for turn in turns:
        if turn.guess not in variant.dictionary:
            raise BadInput(f"{turn.guess}: not among the {len(variant.dictionary):,} words of the dictionary")
    seen = [
        [(turn.guess, code) for turn in turns if (code := turn.patterns[board]) is not None] for board in range(boards)
    ]
    found = []
    for history in seen:
        fit = np.arange(len(variant.answers))
        for guess, code in history:
            fit = fit[codes[fit, variant.dictionary.place[guess]] == code]
        found.append(fit)
    none = [board for board, fit in enumerate(found) if not len(fit)]
    for board in none:
        if not possible(seen[board], variant.scoring):
            raise BadInput(f"board {board + 1}: the patterns contradict one another: no five letters give them")
    if none:
        raise NoSolution(f"board {none[0] + 1}: none of the {len(variant.answers):,} answers gives these patterns")
    return [fit[:0] if history and history[-1][1] == SOLVED else fit for fit, history in zip(found, seen, strict=True)]


def _rows(
    backend: Backend,
    boards: Fits,
    variant: Variant,
    joint: player.Joint,
    left: int,
    first: bool,
    made: Sequence[str] = (),
) -> list[Row]:
    """Every guess, the one that `joint` makes first, then what was played out, then by cost; or these as they stand."""
    costs = player.costs(backend, boards, left, joint)
    own = backend.to_host(joint.own)
    solves = np.zeros(len(costs))
    for fit in boards:
        solves[own[fit]] += 1 / len(fit)
    known = float(sum(np.log2(len(fit)) for fit in boards))
    bits = known - costs / player.ONE - solves * player.worth(len(boards), left) / player.ONE
    asked = [variant.dictionary.place[word] for word in made]
    means = {}
    if not first and player.looks_ahead(boards, left):
        means = player.ahead(backend, boards, costs, joint, asked)
    if made:
        chosen = asked
    else:
        best = joint.opener if first else next(iter(means), player.best(boards, costs, own))
        order = dict.fromkeys([best, *means, *np.argsort(costs, kind="stable").tolist()])
        chosen = list(order)
    return [
        Row(variant.dictionary[g], float(costs[g] / player.ONE), float(solves[g]), float(max(bits[g], 0)), means.get(g))
        for g in chosen
    ]


def analyze(
    hidden: Sequence[str],
    made: Sequence[str],
    variant: Variant | None = None,
    guesses: int | None = None,
    backend: Backend | None = None,
) -> list[Judged]:
    """What each guess of a game was worth, and what `joint` would have guessed there.

    `hidden`: one word a board; `made`: the guesses in order; `guesses`, None: boards + 5. A cost is in bits: what is
    left to be known on average, less `player.worth` for each board that is solved. Raises BadInput for words that are
    not in the lists, and for a guess after the last board is solved.

    >>> [one.best.guess for one in analyze(["crane", "trace"], ["carle", "crane", "trace"])]
    ['carle', 'angst', 'brace']
    """
    variant = check_variant(variant)
    words, tried = check_hidden(hidden, variant), check_made(made, variant)
    places = [variant.answers.place[word] for word in words]
    most = check_guesses(guesses, len(words))
    backend = open_backend(backend)
    joint = player.prepare(backend, variant)
    codes = backend.to_host(joint.codes)
    fits: Fits = [np.arange(len(variant.answers)) for _ in words]
    found = []
    for number, guess in enumerate(tried, 1):
        left = most - number + 1
        unsolved = [fit for fit in fits if len(fit)]
        if not unsolved:
            raise BadInput(f"guess {number}, {guess}: expected no guess after the last board is solved")
        best = _rows(backend, unsolved, variant, joint, left, first=number == 1)[0]
        (row,) = _rows(backend, unsolved, variant, joint, left, number == 1, [guess])
        found.append(Judged(row, best, [len(fit) for fit in fits]))
        column = codes[:, variant.dictionary.place[guess]]
        fits = [
            fit[:0] if not len(fit) or guess == word else fit[column[fit] == column[place]]
            for fit, place, word in zip(fits, places, words, strict=True)
        ]
    return found


def turns_of(hidden: Sequence[str], guesses: Sequence[str], variant: Variant) -> list[Turn]:
    """The guesses of a game, each with the patterns that the boards showed; None for one that was solved before."""
    solved = [False] * len(hidden)
    found = []
    for guess in guesses:
        codes = [
            None if done else pattern(guess, word, scoring=variant.scoring)
            for word, done in zip(hidden, solved, strict=True)
        ]
        solved = [done or code == SOLVED for done, code in zip(solved, codes, strict=True)]
        found.append(Turn(guess, tuple(codes)))
    return found
