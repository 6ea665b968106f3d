"""The best strategy of a game of Wordle, proven."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.descent import FREE, NEVER
from gpusolve.games.wordle.position import Position
from gpusolve.games.wordle.rules import SOLVED, Turns
from gpusolve.games.wordle.variant import Variant, check_variant
from gpusolve.games.wordle.words import WordList, word_list
from gpusolve.run import Run
from gpusolve.wordlists import Words

KIND = "wordle.solve"
MOST_TURNS = 98
DIRECT = 300
"""Where more answers remain, first words are compared one by one, so that the search can be stopped and resumed."""


class Tree(NamedTuple):
    """A strategy: a guess, as an index into the variant's guesses, and what follows each pattern but five greens.

    A single answer that is left is a tree, too: its guess, and no cells.
    """

    guess: int
    cells: dict[int, Tree]


class Start(NamedTuple):
    """A first guess and the fewest guesses over all answers that follow from it, itself included."""

    guess: str
    total: int


@dataclass(frozen=True, eq=False)
class Progress:
    """How far a search is: first words done, of so many; the best total so far (None: none yet); states met."""

    done: int
    of: int
    best: int | None
    states: int


@dataclass(frozen=True, eq=False)
class Solution:
    """The best strategy after some history.

    `within`: the guesses that an answer may take. `starts`: the best next guesses, each with its least total, the best
    first; `tree`: the strategy of the first of
    them, and `turns`, int32 (answers,), the guesses that it takes for each of `answers`. `first_words`: how many were
    compared. `proven`: whether no strategy that begins with one of them takes fewer guesses over all answers; if not,
    either time ran out or only so many guesses were tried in each state. `states`: sets of answers met.
    """

    guesses: WordList
    answers: WordList
    within: int
    starts: list[Start]
    tree: Tree
    turns: npt.NDArray[np.int32]
    first_words: int
    complete: bool
    proven: bool
    states: int
    seconds: float

    @property
    def guess(self) -> str:
        """The best next guess."""
        return self.guesses[self.tree.guess]

    @property
    def total(self) -> int:
        """Guesses over all answers."""
        return int(self.turns.sum())

    @property
    def mean(self) -> float:
        """Guesses per answer."""
        return self.total / len(self.turns)

    @property
    def worst(self) -> int:
        """The most guesses that an answer takes."""
        return int(self.turns.max())

    @property
    def distribution(self) -> dict[int, int]:
        """Number of guesses -> how many answers need it."""
        counts = np.bincount(self.turns)
        return {turns: int(counts[turns]) for turns in range(1, len(counts))}

    def __repr__(self) -> str:
        proven = "proven" if self.proven else "not proven"
        return f"<Solution: {self.guess}, {len(self.answers):,} answers in {self.total:,} guesses, {proven}>"


def solve(
    history: Turns = (),
    variant: Variant | None = None,
    within: int | None = None,
    start: str | None = None,
    first_words: Words | None = None,
    best: int = 1,
    width: int | None = None,
    memory: int = 1024,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
    backend: Backend | None = None,
) -> Solution:
    """The strategy with the fewest guesses over all answers that remain after `history`, proven.

    `within`: every answer must be found in so many guesses (None: what is left of the game's six). `start`: the next guess; else `first_words` are compared,
    ``all`` of them (None: likewise), the ``top 100`` by their number of patterns, a file or the words themselves, and
    the `best` so many are told exactly. `width`: only so many guesses are tried in each state, which is fast and proves
    nothing. `memory`: MiB for what has been found out. `Run` tells of `time_limit`, `checkpoint` and `resume`.

    Raises BadInput for what does not fit together, as `suggest` does for a history, and NoSolution where no strategy
    does it `within` so many guesses, or none was found in time.

    >>> solution = solve(["salet:-y--g"])
    >>> solution.guess, solution.total, solution.proven
    ('court', 43, True)
    """
    variant = check_variant(variant)
    turns = rules.parse_history(history)
    for name, number, least, most in (
        ("within", within, 1, MOST_TURNS),
        ("best", best, 1, 1 << 20),
        ("width", width, 1, 1 << 20),
        ("memory", memory, 1, 1 << 20),
    ):
        if number is not None:
            checks.whole(name, number, least, most)
    if start is not None and first_words is not None:
        raise BadInput(f"start {start}: expected either this or first words")
    checks.memory("memory", memory, memory << 20)
    limit = max(1, rules.GUESSES - len(turns)) if within is None else within
    position = Position(turns, variant, width or 0, memory, backend)
    chosen = _choose(position, start, first_words)
    settings = {
        "guesses": variant.guesses.digest,
        "answers": variant.answers.digest,
        "mode": variant.mode,
        "scoring": variant.scoring,
        "guess_hidden_only": variant.guess_hidden_only,
        "history": [[guess, code] for guess, code in turns],
        "first_words": WordList([position.guesses[i] for i in chosen]).digest if chosen is not None else "direct",
        "within": limit,
        "width": width,
    }
    run = Run(KIND, settings, 0, checkpoint, resume, time_limit)
    if chosen is None:
        starts, complete = _directly(position, limit, run, progress)
    else:
        compare = _compare if len(chosen) > 1 else _one
        starts, complete = compare(position, chosen, best, limit, run, resume, progress)
    if not starts:
        if not complete:
            raise NoSolution("no strategy was found in the time allowed")
        raise NoSolution(f"no strategy finds all {len(position.answers):,} answers within {limit} guesses")
    everything = np.arange(len(position.answers))
    tree = _tree(position, everything, limit, None, position.guesses.place[starts[0].guess])
    found = np.zeros(len(everything), np.int32)
    _walk(position, tree, everything, 1, found)
    return Solution(
        variant.guesses, position.answers, limit, starts, tree, found, 1 if chosen is None else len(chosen),
        complete, complete and width is None, position.states, run.seconds,
    )  # fmt: skip


def _choose(position: Position, start: str | None, first_words: Words | None) -> list[int] | None:
    """The first words to compare, those with the most patterns first; None: they are left to the search."""
    place, by_patterns = position.guesses.place, position.table.ranking("patterns").tolist()
    if start is not None:
        first_words = [rules.parse_word(start)]
    if first_words is None:
        return by_patterns if len(position.answers) > DIRECT else None
    if isinstance(first_words, str):
        if first_words == "all":
            return by_patterns
        if top := re.fullmatch("top *([0-9]{1,6})", first_words):
            checks.whole("first words: top", int(top[1]), 1, 1 << 20)
            return by_patterns[: int(top[1])]
    words = word_list(first_words)
    for word in words:
        if word not in place:
            raise BadInput(f"first word '{word}': not among the {len(place):,} guesses that may be made")
    return [i for i in by_patterns if position.guesses[i] in words]


def _directly(
    position: Position, limit: int, run: Run, progress: Callable[[Progress], None]
) -> tuple[list[Start], bool]:
    """The best next guess of a position with few answers; whether the search came to its end."""
    everything = np.arange(len(position.answers))
    with run.saved(dict) as more:
        for total, guess in position.each(iter([lambda: position.cost(everything, limit)]), lambda: more()):
            progress(Progress(1, 1, total, position.states))
            return [Start(position.guesses[guess], total)] if total < NEVER else [], True
    return [], False


def _compare(
    position: Position,
    chosen: list[int],
    best: int,
    limit: int,
    run: Run,
    resume: Path | None,
    progress: Callable[[Progress], None],
) -> tuple[list[Start], bool]:
    """The best of the first words chosen, exactly, in order; whether all were compared.

    Each is a job that depends on nothing but the word and the total to beat: that of the last of the `best` so far.
    """
    low, exact, done = (np.zeros(len(chosen), kind) for kind in (np.int32, np.bool_, np.bool_))
    if resume is not None:
        low, exact, done = (
            _row(run, resume, name, one) for name, one in (("low", low), ("exact", exact), ("done", done))
        )

    def to_beat() -> int:
        found = np.sort(low[exact])
        return int(found[best - 1]) + 1 if len(found) >= best else NEVER

    def job(i: int, beta: int) -> Callable[[], tuple[int, int, int]]:
        return lambda: (i, beta, position.cost_after(chosen[i], limit, beta))

    def jobs() -> Iterator[Callable[[], tuple[int, int, int]]]:
        for i in range(len(chosen)):
            if not done[i]:
                yield job(i, to_beat())

    with run.saved(lambda: {"low": low, "exact": exact, "done": done}) as more:

        def tick() -> bool:
            best_yet = int(low[exact].min()) if exact.any() else None
            progress(Progress(int(done.sum()), len(chosen), best_yet, position.states))
            return more()

        for i, beta, total in position.each(jobs(), tick):
            low[i], exact[i], done[i] = min(total, NEVER), total < min(beta, NEVER), True
    ranked = sorted((int(low[i]), position.guesses[chosen[i]]) for i in np.flatnonzero(exact))
    return [Start(word, total) for total, word in ranked[:best]], bool(done.all())


def _one(
    position: Position,
    chosen: list[int],
    best: int,
    limit: int,
    run: Run,
    resume: Path | None,
    progress: Callable[[Progress], None],
) -> tuple[list[Start], bool]:
    """The same for one first word, whose cells are the jobs."""
    cells = position.cells(chosen[0], np.arange(len(position.answers)))
    codes = sorted(cells, key=lambda code: -len(cells[code]))
    low = np.zeros(len(codes), np.int32)
    if resume is not None:
        low = _row(run, resume, "low", low)
    left = limit if limit == FREE else limit - 1

    def job(i: int) -> Callable[[], tuple[int, int]]:
        return lambda: (i, position.cost(cells[codes[i]], left, via=(chosen[0], codes[i]))[0])

    with run.saved(lambda: {"low": low}) as more:

        def tick() -> bool:
            progress(Progress(int((low > 0).sum()), len(low), None, position.states))
            return more() and not (low >= NEVER).any()

        for i, found in position.each((job(i) for i in np.flatnonzero(low == 0)), tick):
            low[i] = found
    total = len(position.answers) + int(low.sum())
    solved = bool((low > 0).all())
    return [Start(position.guesses[chosen[0]], total)] if solved and total < NEVER else [], solved or total >= NEVER


def _row(run: Run, resume: Path, name: str, like: npt.NDArray[Any]) -> npt.NDArray[Any]:
    row = run.state.get(name)
    if not isinstance(row, np.ndarray) or (row.shape, row.dtype) != (like.shape, like.dtype):
        raise BadInput(f"checkpoint {resume}: damaged: expected {name} of {len(like):,} first words")
    return row


def _tree(
    position: Position,
    members: npt.NDArray[np.intp],
    turns: int,
    allowed: npt.NDArray[np.bool_] | None,
    guess: int | None = None,
) -> Tree:
    """The best strategy for some of the answers, which the search has been through."""
    if guess is None:
        guess = position.cost(members, turns, allowed=allowed)[1]
    cells = {
        code: _tree(position, cell, turns if turns == FREE else turns - 1, position.allowed_after(allowed, guess, code))
        for code, cell in position.cells(guess, members).items()
    }
    return Tree(position.variant.guesses.place[position.guesses[guess]], cells)


def _walk(
    position: Position, tree: Tree, members: npt.NDArray[np.intp], depth: int, turns: npt.NDArray[np.int32]
) -> None:
    """turns[members]: the guesses that a strategy takes."""
    turns[members] = depth
    guess = position.guesses.place[position.variant.guesses[tree.guess]]
    for code, cell in position.cells(guess, members).items():
        _walk(position, tree.cells[code], cell, depth + 1, turns)
