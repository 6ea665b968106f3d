"""The best strategy for a game of Wordle, with a proof that it is the best."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from gpusolve import checks, clock, files
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput, NoSolution, NotFound, WrongSolution
from gpusolve.fields import Fields
from gpusolve.games.wordle import rules, sharing
from gpusolve.games.wordle.analysis.strategies import Tree, reply_of, walk, weighted_total
from gpusolve.games.wordle.analysis.trees import save_tree
from gpusolve.games.wordle.cpu.proof.memory import FREE
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof.position import NO_TURN, Position
from gpusolve.games.wordle.proof.searchers import open_searchers
from gpusolve.games.wordle.proof.starts import MOST_TURNS, Comparer, Comparison, Progress, Start
from gpusolve.games.wordle.rules import History, Objective, TurnFields, Turns, turn_fields
from gpusolve.games.wordle.variant import Variant, check_variant
from gpusolve.games.wordle.weights.mistakes import not_accepted
from gpusolve.games.wordle.wordlist import WordList, word_list
from gpusolve.result import FLAT, HIDDEN, Result, reported, written
from gpusolve.runs.run import Run
from gpusolve.wordlists import Words, known

KIND = "wordle.solve"
DIRECT = 300
"""With more answers left, next guesses are compared one by one, so that the search can be stopped and resumed."""
MOST_NUMBER = 1 << 20
"""Maximum of the options that are numbers of guesses, or of MiB."""
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


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Result, schema="wordle.solve/2"):
    """The best strategy after a history.

    Attributes
    ----------
    guesses, answers : WordList
        The variant's guesses, and the answers that remain.
    objective : {"mean", "worst", "worst-mean"}
        What the strategy minimizes.
    max_guesses : int or None
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
    history : list of (str, int)
        The guesses before, each with its pattern.
    variant : Variant or None
        The words and the rules.
    """

    guesses: WordList = field(metadata=HIDDEN)
    answers: WordList = field(metadata=written("_answers"))
    objective: Objective
    max_guesses: int | None
    starts: list[Start]
    tree: Tree = field(metadata=HIDDEN)
    turns: npt.NDArray[np.int32] = field(metadata=HIDDEN)
    compared: int
    complete: bool
    proven: bool
    states: int
    seconds: float
    weights: npt.NDArray[np.int64] | None = field(default=None, metadata=HIDDEN)
    chances: int = field(default=rules.GUESSES, metadata=HIDDEN)
    history: list[tuple[str, int]] = field(default_factory=list, metadata=written("_history"))
    variant: Variant = field(default_factory=Variant.load, repr=False, metadata=FLAT)

    def save(self, out: Path | None = None) -> None:
        """Write the strategy to a tree file. Raises BadInput if it cannot be written.

        Parameters
        ----------
        out : Path, optional
            Write the strategy to this tree file.
        """
        if out is not None:
            tree = reply_of(self.tree, self.guesses)
            save_tree(out, tree, self.variant, total=int(self.turns.sum()), history=self.history)

    @property
    def _answers(self) -> int:
        return len(self.answers)

    @property
    def _history(self) -> list[TurnFields]:
        return turn_fields(self.history)

    @reported
    def guess(self) -> str:
        """The best next guess."""
        return self.guesses[self.tree.guess]

    @reported
    def total(self) -> int:
        """Number of guesses over all answers; with weights, the guesses of each answer are multiplied by its weight."""
        return weighted_total(self.turns, self.weights)

    @reported
    def weight(self) -> int:
        """The weight of all answers; without weights, their number."""
        return len(self.turns) if self.weights is None else int(self.weights.sum())

    @reported
    def mean(self) -> float:
        """Expected number of guesses: the total divided by the weight."""
        return self.total / self.weight

    @reported
    def won(self) -> float:
        """The chance of finding the answer within the six guesses of a game."""
        in_time = self.turns <= self.chances
        return float((in_time.sum() if self.weights is None else self.weights[in_time].sum()) / self.weight)

    @reported
    def worst(self) -> int:
        """Largest number of guesses that an answer takes."""
        return int(self.turns.max())

    @reported
    def distribution(self) -> dict[int, int]:
        """Number of guesses -> number of answers that need it."""
        counts = np.bincount(self.turns)
        return {turns: int(counts[turns]) for turns in range(1, len(counts))}

    def __repr__(self) -> str:
        proven = "proven" if self.proven else "not proven"
        return f"<Solution: {self.guess}, {len(self.answers):,} answers in {self.total:,} guesses, {proven}>"


def solve(
    history: Turns | str = (),
    variant: Variant | None = None,
    *,
    objective: Objective = "mean",
    max_guesses: int | None = None,
    first: Words | None = None,
    top: int | None = None,
    width: int | None = None,
    memory: int = 1024,
    workers: int | str = 1,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
    backend: Backend | None = None,
) -> Solution:
    """Find the best strategy and prove that it is optimal.

    The option `objective` chooses what is minimized. `beat_adversary` plays against an adversary that hides no word. If
    the answers have weights, the number of guesses of each answer is multiplied by its weight, so that a strategy with
    the least total has the least expected number of guesses. The worst case does not depend on weights.

    Parameters
    ----------
    history : str or sequence
        The guesses so far with their patterns, such as ``salet:-y--g``; or the text that Wordle shares, pasted in
        quotes, and the guesses alone. In Python also ``("salet", "-y--g")`` or ``("salet", 165)``.
    variant : Variant, optional
        The words and the rules. By default the original game.
    objective : {"mean", "worst", "worst-mean"}
        Objective to minimize. ``mean``: the mean number of guesses; ``worst``: the number of guesses in the worst case;
        ``worst-mean``: first the worst case, then the mean.
    max_guesses : int, optional
        Maximum number of guesses for an answer, 1 to 98. By default for ``mean`` the guesses that remain of six;
        otherwise the fewest possible.
    first : str, Path or iterable of str, optional
        Next guess, or next guesses to compare: a word, words separated by commas, ``all``, ``top 100`` by number of
        patterns, or a file with one word per line. By default the best guess is searched for.
    top : int, optional
        Number of best guesses to find and prove; not with ``--objective worst``, which reports all that attain the
        worst case. By default 1.
    width : int, optional
        Beam width: number of guesses to try in each state. This is fast but proves nothing.
    memory : int, default 1024
        Size of each worker's transposition table in MiB.
    workers : int or str, default 1
        Number of worker processes, or a Dask scheduler's address or file. The result does not depend on it. Each next
        guess is a job; if there is only one, each of its cells is a job.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count. If no next guess is finished by then, the strategy comes from a quick search with a small beam width; it
        keeps the limit on the number of guesses, too.
    checkpoint : Path, optional
        Save the state of the run to this file from time to time.
    resume : Path, optional
        Continue from this checkpoint.
    progress : callable, optional
        Called with the `Progress` of the search.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Solution
        The strategy, and the best next guesses.

    Raises
    ------
    BadInput
        If the history or the checkpoint is wrong, or the arguments do not fit together.
    NoSolution
        If no answer fits the history, or if no strategy finds every answer within `max_guesses`.
    NotFound
        If the time or the width did not suffice to find a strategy within the limit.
    WrongSolution
        If the strategy does not keep what the search promises by the rules, which would be a fault of gpusolve.

    Examples
    --------
    ``gpusolve wordle solve salet:-y--g --top 3 --out tree.json``

    >>> solution = solve(["salet:-y--g"])
    >>> solution.guess, solution.total, solution.proven
    ('croup', 45, True)
    """
    variant = check_variant(variant)
    turns = sharing.parse_history(history, variant.length, variant.digraphs)
    if max_guesses is not None:
        max_guesses = checks.check_integer("max_guesses", max_guesses, 1, MOST_TURNS)
    if top is not None:
        top = checks.check_integer("top", top, 1, MOST_NUMBER)
    if width is not None:
        width = checks.check_integer("width", width, 1, MOST_NUMBER)
    memory = checks.check_integer("memory", memory, 1, MOST_NUMBER)
    checks.check_choice("objective", objective, rules.OBJECTIVES)
    if objective == "worst" and top is not None:
        raise BadInput("objective worst: expected no top, because all guesses that attain the worst case are reported")
    if objective != "mean" and width is not None:
        raise BadInput(f"objective {objective}: expected no width, because the worst case is proven")
    checks.check_memory("memory", memory, memory << 20)
    if turns and turns[-1][1] == rules.solved_code(variant.length):
        raise BadInput("the last guess has solved the game: expected a history that is not solved yet")
    if objective == "mean" and max_guesses is None:
        max_guesses = rules.GUESSES - len(turns)
        if max_guesses < 1:
            raise BadInput(
                "the game is over after six guesses: expected at most five, or max_guesses for a longer game"
            )
    backend = open_backend(backend)
    table = after(turns, variant, "patterns", backend)
    position = Position(table, variant, width=width or 0, memory=memory, backend=backend)
    chosen = _choose(position, first, top)
    settings = {
        "guesses": variant.guesses.digest,
        "answers": variant.answers.digest,
        "mode": variant.mode,
        "scoring": variant.scoring,
        "guess_hidden_only": variant.guess_hidden_only,
        "history": [[guess, code] for guess, code in turns],
        "first": WordList([position.guesses[i] for i in chosen]).digest if chosen is not None else "direct",
        "objective": objective,
        "max_guesses": max_guesses,
        "top": top or 1,
        "width": width,
    }
    if variant.weights is not None:
        settings["weights"] = variant.weights.digest
    run = Run(KIND, settings, seed=0, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    with open_searchers(workers, position, turns, run=run, progress=progress, backend=backend) as searchers:
        comparer = Comparer(searchers, run, run.state, progress, backend)
        compared = _compare(comparer, chosen, objective=objective, within=max_guesses, best=top or 1)
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
            max_guesses=limit,
            comparison=comparison,
            tree=tree,
            played=replayed(position, turns, tree, limit),
            chosen=chosen,
            proven=comparison.complete and width is None,
            run=run,
            history=turns,
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
    state, position = comparer.state, comparer.position
    most = MOST_TURNS if within is None else within
    limit = state.integer("within", 1, most) if "within" in state else most
    if objective == "mean" and limit != most:
        raise state.wrong("within", f"{within}, as in the settings")
    if "keeps_limit" in state:
        comparer = replace(comparer, keeps_limit=state.integer("keeps_limit", -1, len(position.guesses) - 1))
    if objective != "mean" and "within" not in state:
        candidates = position.table.ranking("patterns").tolist() if chosen is None else chosen
        comparison = comparer.fewest_turns(candidates, most=most, first_only=objective != "worst")
        limit = comparison.starts[0].value if comparison.starts else most
        if objective == "worst" or not comparison.starts or not comparison.complete:
            return _Compared(comparison if objective == "worst" else Comparison([], comparison.complete), limit)
        kept = position.guesses.place[comparison.starts[0].guess]
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
    max_guesses: int | None,
    comparison: Comparison,
    tree: Tree,
    played: npt.NDArray[np.int32],
    chosen: list[int] | None,
    proven: bool,
    run: Run,
    history: History,
) -> Solution:
    """Return the solution with this strategy, which was played against every answer after a history.

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
        max_guesses=max_guesses,
        starts=comparison.starts,
        tree=tree,
        turns=played,
        compared=len(position.guesses) if chosen is None else len(chosen),
        complete=comparison.complete,
        proven=proven,
        states=position.states,
        seconds=run.seconds,
        weights=position.weights,
        chances=max(0, rules.GUESSES - len(history)),
        history=list(history),
        variant=position.variant,
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
        max_guesses=None if limit == MOST_TURNS else limit,
        comparison=Comparison([Start(word, value, proven=False)], complete=False),
        tree=tree,
        played=played,
        chosen=chosen,
        proven=False,
        run=run,
        history=turns,
    )


def _finds(position: Position, limit: int) -> str:
    return f"finds all {len(position.answers):,} answers within {limit} guess{'es' * (limit > 1)}"


def _choose(position: Position, first: Words | None, top: int | None) -> list[int] | None:
    """Return the next guesses to compare, the most patterns first; None if one search over all guesses is enough."""
    index_of = position.guesses.place
    by_patterns: list[int] = position.table.ranking("patterns").tolist()
    if first is None:
        return by_patterns if len(position.answers) > DIRECT or top is not None else None
    if first == "all":
        return by_patterns
    if isinstance(first, str):
        if number := re.fullmatch("top *([0-9]{1,6})", first):
            checks.check_integer("first: top", int(number[1]), 1, MOST_NUMBER)
            return by_patterns[: int(number[1])]
        found = known(first)
        is_list = found is not None and (found.is_shipped or first not in index_of)  # a list may be called like a word
        if not (is_list or files.exists(first)):
            first = checks.words_of(first)
    words = word_list(first, length=position.length, digraphs=position.variant.digraphs)
    for word in words:
        if word not in index_of:
            raise BadInput(f"first guess '{word}': {not_accepted(word, position.guesses)}")
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
