"""The best strategy of a game of Wordle, proven."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof import starts
from gpusolve.games.wordle.proof.descent import FREE
from gpusolve.games.wordle.proof.position import Position
from gpusolve.games.wordle.proof.searchers import Searchers, open_searchers
from gpusolve.games.wordle.proof.starts import MOST_TURNS, Progress, Start
from gpusolve.games.wordle.rules import Objective, Turns
from gpusolve.games.wordle.variant import Variant, check_variant
from gpusolve.games.wordle.words import WordList, word_list
from gpusolve.runs.run import Run
from gpusolve.wordlists import Words

KIND = "wordle.solve"
DIRECT = 300
"""Where more answers remain, first words are compared one by one, so that the search can be stopped and resumed."""
FEW = 40
"""Of so many answers a strategy for the worst case has the best mean, too; with more the first found will do."""
HURRIED = 3
"""Guesses tried in each state when time is up."""


class Tree(NamedTuple):
    """A strategy: a guess, as an index into the variant's guesses, and what follows each pattern but five greens.

    A single answer that is left is a tree, too: its guess, and no cells.
    """

    guess: int
    cells: dict[int, Tree]


@dataclass(frozen=True, eq=False)
class Solution:
    """The best strategy after some history.

    `starts`: the best next guesses, the best first; where the worst case counts, all that attain it. `tree`: the
    strategy of the first of them, and `turns`, int32 (answers,), the guesses that it takes for each of `answers`.
    `compared`: how many next guesses were. `complete`: whether the search came to its end. `proven`: whether none of
    those compared does better; no, where time ran out or only so many guesses were tried in each state. `states`: sets
    of answers met.
    """

    guesses: WordList
    answers: WordList
    objective: Objective
    starts: list[Start]
    tree: Tree
    turns: npt.NDArray[np.int32]
    compared: int
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
    objective: Objective = "mean",
    within: int | None = None,
    start: str | None = None,
    first_words: Words | None = None,
    best: int | None = None,
    width: int | None = None,
    memory: int = 1024,
    workers: int | str = 1,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
    backend: Backend | None = None,
) -> Solution:
    """The best strategy for the answers that remain after `history`, proven.

    By `objective` ``mean`` it has the fewest guesses over all answers, each found `within` so many (None: what is left
    of the game's six). By ``worst`` it finds all `within` so many, or within the fewest possible (None), whatever the
    mean. By ``worst-mean`` it has the fewest guesses over all answers of those strategies that do the latter.

    `start`: the next guess. Else `first_words` are compared: ``all`` of them (None: likewise), the ``top 100`` by their
    patterns, a file or the words themselves; by ``worst`` all are told that attain it, else the `best` so many (None:
    one) exactly. `width`: only so many guesses are tried in each state, which is fast and proves nothing. `memory`: MiB
    for what has been found out, for each worker. `open_workers` tells of `workers`, for whom next guesses are jobs, or
    the cells of a single one. `Run` tells of `time_limit`, `checkpoint` and `resume`; when time is up and no start is
    done, there is a strategy made in a hurry.

    Raises BadInput for what does not fit together, as `suggest` does for a history, and NoSolution where no strategy
    finds every answer in time.

    >>> solution = solve(["salet:-y--g"])
    >>> solution.guess, solution.total, solution.proven
    ('croup', 45, True)
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
            checks.check_integer(name, number, least, most)
    checks.check_choice("objective", objective, rules.OBJECTIVES)
    if objective == "worst" and best is not None:
        raise BadInput("objective worst: expected no best: all that attain it are told")
    if objective != "mean" and width is not None:
        raise BadInput(f"objective {objective}: expected no width: the worst case is proven")
    if start is not None and first_words is not None:
        raise BadInput(f"start {start}: expected either this or first words")
    checks.check_memory("memory", memory, memory << 20)
    limit = max(1, rules.GUESSES - len(turns)) if within is None else within
    if turns and turns[-1][1] == rules.SOLVED:
        raise BadInput("the last guess has solved the game: expected a history that leaves something to find")
    backend = open_backend(backend)
    position = Position(after(turns, variant, "patterns", backend), variant, width or 0, memory, backend)
    chosen = _choose(position, start, first_words, best)
    settings = {
        "guesses": variant.guesses.digest,
        "answers": variant.answers.digest,
        "mode": variant.mode,
        "scoring": variant.scoring,
        "guess_hidden_only": variant.guess_hidden_only,
        "history": [[guess, code] for guess, code in turns],
        "first_words": WordList([position.guesses[i] for i in chosen]).digest if chosen is not None else "direct",
        "objective": objective,
        "within": limit if objective == "mean" else within,
        "best": best or 1,
        "width": width,
    }
    run = Run(KIND, settings, 0, checkpoint, resume, time_limit)
    with open_searchers(workers, position, turns, run=run, progress=progress, backend=backend) as searchers:
        found, complete, limit = _compare(
            searchers, chosen, objective, limit if objective == "mean" else within, best or 1, run, progress, backend
        )
    if not found and complete:
        allowed = f"{limit} guess{'es' * (limit > 1)}"
        raise NoSolution(f"no strategy finds all {len(position.answers):,} answers within {allowed}")
    if not found:
        return _in_a_hurry(position, chosen, run)
    tree = _tree(position, np.arange(len(position.answers)), limit, None, objective, found[0].guess)
    return _solution(position, objective, found, tree, chosen, complete, complete and width is None, run)


def _compare(
    searchers: Searchers,
    chosen: list[int] | None,
    objective: Objective,
    within: int | None,
    best: int,
    run: Run,
    tell: Callable[[Progress], None],
    backend: Backend,
) -> tuple[list[Start], bool, int]:
    """The best next guesses, whether all were compared, and within how many turns."""
    limit = starts.turns_of(run, "within") or within
    if objective == "worst" or limit is None:
        found, complete = starts.least_turns(searchers, chosen, within, objective != "worst", run, tell)
        limit = found[0].value if found else within or MOST_TURNS
        if objective == "worst" or not (found and complete):
            return found if objective == "worst" else [], complete, limit
        run.state.clear()
    if chosen is None:
        return *starts.least_at_all(searchers.position, limit, run, tell), limit
    if len(chosen) == 1:
        return *starts.total_of(searchers, chosen[0], limit, run, tell), limit
    return *starts.least_total(searchers, chosen, best, limit, run, tell, backend), limit


def _solution(
    position: Position,
    objective: Objective,
    found: list[Start],
    tree: Tree,
    chosen: list[int] | None,
    complete: bool,
    proven: bool,
    run: Run,
) -> Solution:
    turns = np.zeros(len(position.answers), np.int32)
    _walk(position, tree, np.arange(len(turns)), 1, turns)
    compared = len(position.guesses) if chosen is None else len(chosen)
    return Solution(
        position.variant.guesses, position.answers, objective, found, tree, turns, compared, complete, proven,
        position.states, run.seconds,
    )  # fmt: skip


def _in_a_hurry(position: Position, chosen: list[int] | None, run: Run) -> Solution:
    """A strategy that is at hand when time is up and none is found: of few guesses in each state."""
    position.restrict(HURRIED)
    everything = np.arange(len(position.answers))
    guess = position.table.ranking("entropy")[0] if chosen is None else chosen[0]
    tree = _tree(position, everything, FREE, None, "mean", position.guesses[int(guess)])
    turns = np.zeros(len(everything), np.int32)
    _walk(position, tree, everything, 1, turns)
    start = Start(position.guesses[int(guess)], int(turns.sum()))
    return _solution(position, "mean", [start], tree, chosen, False, False, run)


def _choose(position: Position, start: str | None, first_words: Words | None, best: int | None) -> list[int] | None:
    """The first words to compare, those with the most patterns first; None: they are left to the search."""
    place = position.guesses.place
    by_patterns: list[int] = position.table.ranking("patterns").tolist()
    if start is not None:
        start = rules.parse_word(start)
        if start not in place:
            raise BadInput(f"start '{start}': not among the {len(place):,} guesses that may be made")
        return [place[start]]
    if first_words is None:
        return by_patterns if len(position.answers) > DIRECT or best is not None else None
    if isinstance(first_words, str):
        if first_words == "all":
            return by_patterns
        if top := re.fullmatch("top *([0-9]{1,6})", first_words):
            checks.check_integer("first words: top", int(top[1]), 1, 1 << 20)
            return by_patterns[: int(top[1])]
    words = word_list(first_words)
    for word in words:
        if word not in place:
            raise BadInput(f"first word '{word}': not among the {len(place):,} guesses that may be made")
    return [i for i in by_patterns if position.guesses[i] in words]


def _tree(
    position: Position,
    members: npt.NDArray[np.intp],
    turns: int,
    allowed: npt.NDArray[np.bool_] | None,
    objective: Objective,
    first: str | None = None,
    via: tuple[int, int] = (-1, -1),
) -> Tree:
    """The best strategy for some of the answers, which the search has been through.

    `allowed`: what might be guessed before the last guess, which is told by `via` with its pattern.
    """
    if first is not None:
        guess = position.guesses.place[first]
    elif len(members) == 1:  # most states of a tree
        return Tree(position.variant.guesses.place[position.answers[members[0]]], {})
    elif objective == "worst" and len(members) > FEW:
        guess = position.solvable(members, turns, via, allowed)[1]
    else:
        guess = position.cost(members, turns, via=via, allowed=allowed)[1]
    left = turns if turns == FREE else turns - 1
    now = position.allowed_after(allowed, *via)
    cells = {
        code: _tree(position, cell, left, now, objective, via=(guess, code))
        for code, cell in position.cells(guess, members).items()
    }
    return Tree(position.variant.guesses.place[position.guesses[guess]], cells)


def _walk(
    position: Position, tree: Tree, members: npt.NDArray[np.intp], depth: int, turns: npt.NDArray[np.int32]
) -> None:
    """turns[members]: the guesses that a strategy takes."""
    turns[members] = depth
    if not tree.cells:
        return
    guess = position.guesses.place[position.variant.guesses[tree.guess]]
    for code, cell in position.cells(guess, members).items():
        _walk(position, tree.cells[code], cell, depth + 1, turns)
