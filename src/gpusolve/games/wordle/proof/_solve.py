"""The best strategy for a game of Wordle, with a proof that it is the best."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from gpusolve import checks, clock
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution, NotFound, WrongSolution
from gpusolve.fields import Fields
from gpusolve.games.wordle import rules, sharing
from gpusolve.games.wordle.analysis.strategies import Tree, reply_of, walk, weighted_total
from gpusolve.games.wordle.cpu.proof.memory import FREE
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof.position import NO_TURN, Position
from gpusolve.games.wordle.proof.searchers import open_searchers
from gpusolve.games.wordle.proof.starts import MOST_TURNS, Comparer, Comparison, Progress, Start
from gpusolve.games.wordle.rules import History, Objective, Turns
from gpusolve.games.wordle.variant import Variant, check_variant
from gpusolve.games.wordle.wordlist import WordList, word_list
from gpusolve.notebook import as_html
from gpusolve.runs.run import Run
from gpusolve.wordlists import Words

KIND = "wordle.solve"
DIRECT = 300
"""With more answers left, next guesses are compared one by one, so that the search can be stopped and resumed."""
FEW = 40
"""A strategy for the worst case has the best mean, too, on up to this many answers; with more, any strategy will do."""
HURRIED = 3
"""Beam width of the strategy that is made when the time is up."""
HURRIED_SECONDS = 2.0
"""Seconds after which no further next guess is tried for that strategy."""


class _Compared(NamedTuple):
    """The result of the comparison, the limit on the number of guesses that it holds for, and a guess that keeps it.

    The guess is known (not -1) only after the first stage of ``worst-mean``.
    """

    comparison: Comparison
    limit: int
    keeps_limit: int = -1


@dataclass(frozen=True, eq=False)
class Solution:
    """The best strategy after a history.

    Attributes
    ----------
    guesses, answers : WordList
        The variant's guesses, and the answers that remain.
    objective : {"mean", "worst", "worst-mean"}
        What the strategy minimizes.
    within : int or None
        The limit: every answer is found within this number of guesses. None if there is no limit.
    starts : list of Start
        The best next guesses with their values, the best first, each with a mark whether its value is proven. By the
        worst case: all guesses that attain it.
    tree : Tree
        The strategy of the first of them.
    turns : ndarray of int32, shape (answers,)
        Number of guesses that the strategy takes for each answer.
    compared : int
        Number of next guesses that were compared.
    complete : bool
        Whether the search was finished.
    proven : bool
        Whether it is proven that none of the guesses compared does better. It is not if the time ran out, or if a
        width limited the guesses tried in each state.
    states : int
        Number of sets of answers met.
    seconds : float
        Duration of the search, earlier sessions included.
    weights : ndarray of int64, shape (answers,), or None
        The weights of the answers; None if all are equally likely.
    chances : int
        Number of guesses that the game has left, up to six in all.
    """

    guesses: WordList
    answers: WordList
    objective: Objective
    within: int | None
    starts: list[Start]
    tree: Tree
    turns: npt.NDArray[np.int32]
    compared: int
    complete: bool
    proven: bool
    states: int
    seconds: float
    weights: npt.NDArray[np.int64] | None = None
    chances: int = rules.GUESSES

    _repr_html_ = as_html

    @property
    def guess(self) -> str:
        """The best next guess."""
        return self.guesses[self.tree.guess]

    @property
    def total(self) -> int:
        """Number of guesses over all answers; with weights, the guesses of each answer are multiplied by its weight."""
        return weighted_total(self.turns, self.weights)

    @property
    def weight(self) -> int:
        """The weight of all answers; without weights, their number."""
        return len(self.turns) if self.weights is None else int(self.weights.sum())

    @property
    def mean(self) -> float:
        """Expected number of guesses: the total divided by the weight."""
        return self.total / self.weight

    @property
    def won(self) -> float:
        """The chance of finding the answer within the six guesses of a game."""
        in_time = self.turns <= self.chances
        return float((in_time.sum() if self.weights is None else self.weights[in_time].sum()) / self.weight)

    @property
    def worst(self) -> int:
        """Largest number of guesses that an answer takes."""
        return int(self.turns.max())

    @property
    def distribution(self) -> dict[int, int]:
        """Number of guesses -> number of answers that need it."""
        counts = np.bincount(self.turns)
        return {turns: int(counts[turns]) for turns in range(1, len(counts))}

    def __repr__(self) -> str:
        proven = "proven" if self.proven else "not proven"
        return f"<Solution: {self.guess}, {len(self.answers):,} answers in {self.total:,} guesses, {proven}>"


def solve(
    history: Turns = (),
    variant: Variant | None = None,
    *,
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
    """Find the best strategy for the answers that remain, and prove that it is the best.

    If the answers have weights, the number of guesses of each answer is multiplied by its weight, so that a strategy
    with the least total has the least expected number of guesses. The worst case does not depend on weights.

    Parameters
    ----------
    history : sequence
        The guesses so far with their patterns, each as ``salet:-y--g``, ``("salet", "-y--g")`` or ``("salet", 165)``.
    variant : Variant, optional
        The rules; by default, the original game.
    objective : {"mean", "worst", "worst-mean"}
        ``mean``: minimize the number of guesses over all answers. ``worst``: minimize the number of guesses of the
        worst case. ``worst-mean``: minimize the number of guesses over all answers among the strategies that are best
        in the worst case.
    within : int, optional
        Every answer must be found within this number of guesses. By default, ``mean`` takes what is left of the six
        guesses of a game, and the other objectives take the fewest guesses that are possible.
    start : str, optional
        The next guess. By default, next guesses are compared.
    first_words : str, Path or iterable of str, optional
        The next guesses to compare: ``all`` (the default), ``top N`` for the N guesses with the most patterns, a file
        or the words.
    best : int, optional
        Number of next guesses whose totals are found exactly, 1 by default. Objective ``worst`` does not take it,
        because it reports all guesses that attain the worst case.
    width : int, optional
        Beam width: try only this number of guesses in each state, which is fast and proves nothing.
    memory : int
        Size of the transposition table of each worker in MiB.
    workers : int or str
        Number of worker processes, or a Dask scheduler's address or file. Each next guess is a job; if there is only
        one, each of its cells is a job.
    time_limit : float, optional
        Stop after this many seconds. If no next guess is finished by then, the strategy comes from a quick search with
        a small beam width; it keeps the limit on the number of guesses, too.
    checkpoint : Path, optional
        Save the state of the search to this file.
    resume : Path, optional
        Continue the search from this checkpoint.
    progress : callable, optional
        Called with the `Progress` of the search.
    backend : Backend, optional
        The device; by default, the one that ``GPUSOLVE_DEVICE`` names.

    Returns
    -------
    Solution
        The strategy, and the best next guesses.

    Raises
    ------
    BadInput
        If the history or the checkpoint is wrong, or the arguments do not fit together.
    NoSolution
        If no answer fits the history, or if no strategy finds every answer `within` the number of guesses.
    NotFound
        If the time or the width did not suffice to find a strategy within the limit.
    WrongSolution
        If the strategy does not keep what the search promises by the rules, which would be a fault of gpusolve.

    Examples
    --------
    >>> solution = solve(["salet:-y--g"])
    >>> solution.guess, solution.total, solution.proven
    ('croup', 45, True)
    """
    variant = check_variant(variant)
    turns = sharing.parse_history(history, variant.length, variant.digraphs)
    if within is not None:
        checks.check_integer("within", within, 1, MOST_TURNS)
    for name, number in (("best", best), ("width", width), ("memory", memory)):
        if number is not None:
            checks.check_integer(name, number, 1, 1 << 20)
    checks.check_choice("objective", objective, rules.OBJECTIVES)
    if objective == "worst" and best is not None:
        raise BadInput("objective worst: expected no best, because all guesses that attain the worst case are reported")
    if objective != "mean" and width is not None:
        raise BadInput(f"objective {objective}: expected no width, because the worst case is proven")
    if start is not None and first_words is not None:
        raise BadInput(f"start {start}: expected either a start or first words, not both")
    checks.check_memory("memory", memory, memory << 20)
    if objective == "mean" and within is None:
        within = max(1, rules.GUESSES - len(turns))
    if turns and turns[-1][1] == rules.solved_code(variant.length):
        raise BadInput("the last guess has solved the game: expected a history that is not solved yet")
    backend = open_backend(backend)
    table = after(turns, variant, "patterns", backend)
    position = Position(table, variant, width=width or 0, memory=memory, backend=backend)
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
        "within": within,
        "best": best or 1,
        "width": width,
    }
    if variant.weights is not None:
        settings["weights"] = variant.weights.digest
    run = Run(KIND, settings, seed=0, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    with open_searchers(workers, position, turns, run=run, progress=progress, backend=backend) as searchers:
        comparer = Comparer(searchers, run, run.state, progress, backend)
        compared = _compare(comparer, chosen, objective=objective, within=within, best=best or 1)
    comparison, limit = compared.comparison, compared.limit
    if not comparison.starts and comparison.complete:
        if width is not None:
            raise NotFound(f"with a width of {width:,}, no strategy was found that {_finds(position, limit)}")
        raise NoSolution(f"no strategy {_finds(position, limit)}")
    if not comparison.starts:
        return _solve_quickly(position, turns, objective=objective, compared=compared, chosen=chosen, run=run)
    try:
        everything = np.arange(len(position.answers))
        tree = strategy_of(position, everything, turns=limit, objective=objective, first=comparison.starts[0].guess)
        return _solution(
            position,
            objective=objective,
            within=limit,
            comparison=comparison,
            tree=tree,
            played=replayed(position, turns, tree, limit),
            chosen=chosen,
            proven=comparison.complete and width is None,
            run=run,
            history=len(turns),
        )
    except WrongSolution as error:
        if run.state:  # a forged value of a first word shows only here
            raise BadInput(f"{run.state.place}, or a fault of gpusolve: {error}") from error
        raise


def _compare(
    comparer: Comparer, chosen: list[int] | None, *, objective: Objective, within: int | None, best: int
) -> _Compared:
    """Compare the next guesses.

    A search for the worst case has one stage, and one for the mean another. ``worst-mean`` has both, and the
    checkpoint says in which of them it was.
    """
    state, guesses = comparer.state, comparer.position.guesses
    limit = state.integer("within", 1, MOST_TURNS) if "within" in state else within
    if within not in (None, limit):
        raise state.wrong("within", f"{within}, as in the settings")
    if "keeps_limit" in state:
        comparer = replace(comparer, keeps_limit=state.integer("keeps_limit", -1, len(guesses) - 1))
    if objective == "worst" or limit is None:
        comparison = comparer.fewest_turns(chosen, turns=within, first_only=objective != "worst")
        limit = comparison.starts[0].value if comparison.starts else within or MOST_TURNS
        if objective == "worst" or not comparison.starts or not comparison.complete:
            return _Compared(comparison if objective == "worst" else Comparison([], comparison.complete), limit)
        kept = guesses.place[comparison.starts[0].guess]
        comparer = replace(comparer, state=Fields(state.place), keeps_limit=kept)  # the second stage is a new one
    if chosen is None:
        comparison = comparer.least_total(turns=limit)
    elif len(chosen) == 1:
        comparison = comparer.total_after(chosen[0], turns=limit)
    else:
        comparison = comparer.rank_by_total(chosen, count=best, turns=limit)
    return _Compared(comparison, limit, comparer.keeps_limit)


def _solution(
    position: Position,
    *,
    objective: Objective,
    within: int | None,
    comparison: Comparison,
    tree: Tree,
    played: npt.NDArray[np.int32],
    chosen: list[int] | None,
    proven: bool,
    run: Run,
    history: int,
) -> Solution:
    """Return the solution with this strategy, which was played against every answer after `history` guesses.

    Raises WrongSolution if it does not attain the value that the search has found.
    """
    best = comparison.starts[0]
    reached = int(played.max()) if objective == "worst" else weighted_total(played, position.weights)
    if best.proven and (reached > best.value if objective == "worst" else reached != best.value):
        raise WrongSolution(f"the strategy that begins with {best.guess} takes {reached:,}, not {best.value:,}")
    return Solution(
        guesses=position.variant.guesses,
        answers=position.answers,
        objective=objective,
        within=within,
        starts=comparison.starts,
        tree=tree,
        turns=played,
        compared=len(position.guesses) if chosen is None else len(chosen),
        complete=comparison.complete,
        proven=proven,
        states=position.states,
        seconds=run.seconds,
        weights=position.weights,
        chances=max(0, rules.GUESSES - history),
    )


def _solve_quickly(
    position: Position, turns: History, *, objective: Objective, compared: _Compared, chosen: list[int] | None, run: Run
) -> Solution:
    """Return a strategy within the limit that is made in a moment, when the time is up before a result.

    Next guesses are tried with a small beam width, in order, until one of them keeps the limit. Raises NotFound if
    none does in HURRIED_SECONDS.
    """
    position.restrict(HURRIED)
    limit, end = compared.limit, clock.now() + HURRIED_SECONDS
    candidates: list[int] = position.table.ranking("entropy").tolist() if chosen is None else chosen
    first, search = compared.keeps_limit, "worst"
    for guess in candidates:
        if position.cost_after(guess, limit) < position.never:
            first, search = guess, "mean"
            break
        if clock.now() > end:
            break
    if first < 0:
        raise NotFound(f"the time is up, and no strategy was found yet that {_finds(position, limit)}")
    if search == "worst":
        position.restrict(0)
    everything, word = np.arange(len(position.answers)), position.guesses[first]
    tree = strategy_of(position, everything, turns=limit, objective=cast(Objective, search), first=word)
    played = replayed(position, turns, tree, limit)
    value = int(played.max()) if objective == "worst" else weighted_total(played, position.weights)
    return _solution(
        position,
        objective=objective,
        within=None if limit == MOST_TURNS else limit,
        comparison=Comparison([Start(word, value, proven=False)], complete=False),
        tree=tree,
        played=played,
        chosen=chosen,
        proven=False,
        run=run,
        history=len(turns),
    )


def _finds(position: Position, limit: int) -> str:
    return f"finds all {len(position.answers):,} answers within {limit} guess{'es' * (limit > 1)}"


def _choose(position: Position, start: str | None, first_words: Words | None, best: int | None) -> list[int] | None:
    """Return the next guesses to compare, the most patterns first; None if one search over all guesses is enough."""
    index_of = position.guesses.place
    by_patterns: list[int] = position.table.ranking("patterns").tolist()
    if start is not None:
        start = rules.parse_word(start, position.length, position.variant.digraphs)
        if start not in index_of:
            raise BadInput(f"start '{start}': not among the {len(index_of):,} guesses that may be made")
        return [index_of[start]]
    if first_words is None:
        return by_patterns if len(position.answers) > DIRECT or best is not None else None
    if isinstance(first_words, str):
        if first_words == "all":
            return by_patterns
        if top := re.fullmatch("top *([0-9]{1,6})", first_words):
            checks.check_integer("first words: top", int(top[1]), 1, 1 << 20)
            return by_patterns[: int(top[1])]
    words = word_list(first_words, digraphs=position.variant.digraphs)
    for word in words:
        if word not in index_of:
            raise BadInput(f"first word '{word}': not among the {len(index_of):,} guesses that may be made")
    return [i for i in by_patterns if position.guesses[i] in words]


def strategy_of(
    position: Position,
    members: npt.NDArray[np.intp],
    *,
    turns: int,
    objective: Objective,
    first: str | None = None,
    via: tuple[int, int] = NO_TURN,
    allowed: npt.NDArray[np.bool_] | None = None,
) -> Tree:
    """Return the best strategy for some of the answers; the search has left most of it in the transposition table.

    `first` is the first guess, where it is known. `via` and `allowed` are as in `Position.cost`.
    """
    if first is not None:
        guess = position.guesses.place[first]
    elif len(members) == 1:  # true of most states of a tree
        return Tree(position.variant.guesses.place[position.answers[members[0]]], {})
    elif objective == "worst" and len(members) > FEW:
        guess = position.solvable(members, turns=turns, via=via, allowed=allowed)[1]
    else:
        guess = position.cost(members, turns=turns, via=via, allowed=allowed)[1]
    left = turns if turns == FREE else turns - 1
    now = position.allowed_after(allowed, *via)
    cells = {
        code: strategy_of(position, cell, turns=left, objective=objective, via=(guess, code), allowed=now)
        for code, cell in position.cells(guess, members).items()
    }
    return Tree(position.variant.guesses.place[position.guesses[guess]], cells)


def replayed(position: Position, turns: History, tree: Tree, within: int | None) -> npt.NDArray[np.int32]:
    """Play a strategy against every answer by the rules; return the number of guesses for each answer.

    Raises WrongSolution if it breaks the rules, misses an answer or takes more than `within` guesses: the search is
    wrong then, not the user.
    """
    try:
        played = walk(reply_of(tree, position.variant.guesses), position.variant, turns, "the strategy")
    except BadInput as error:
        raise WrongSolution(f"the search has returned a wrong strategy: {error}") from error
    if list(played) != position.answers[:] or (within is not None and max(played.values()) > within):
        raise WrongSolution(f"the search has returned a strategy that does not find every answer within {within}")
    return np.fromiter(played.values(), np.int32, len(played))
