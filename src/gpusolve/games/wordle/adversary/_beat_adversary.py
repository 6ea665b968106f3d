"""The fewest guesses against the adversary, with a proof that no fewer are enough."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.backend.threads import Outcome, Threads
from gpusolve.errors import BadInput, NoSolution, NotFound
from gpusolve.fields import Fields
from gpusolve.games.wordle import rules, sharing
from gpusolve.games.wordle._play import PlayedTurn
from gpusolve.games.wordle.adversary.position import Position
from gpusolve.games.wordle.adversary.replay import replayed
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof.starts import MOST_TURNS, Progress
from gpusolve.games.wordle.rules import TurnFields, Turns, turn_fields
from gpusolve.games.wordle.variant import Variant, check_variant
from gpusolve.games.wordle.weights.mistakes import not_accepted
from gpusolve.result import FLAT, Result, reported, written
from gpusolve.runs.run import Run

KIND = "wordle.adversary"
TICK = 0.2  # seconds between two looks at the clock


@dataclass(frozen=True, eq=False, repr=False)
class Duel(Result, schema="wordle.beat-adversary/1"):
    """A game against the adversary with the fewest guesses.

    Attributes
    ----------
    turns : list of PlayedTurn
        The guesses, each with the adversary's answer and the number of answers before it. The last one wins.
    at_least : int
        The number of guesses that are proven to be necessary.
    states : int
        Number of sets of answers searched.
    seconds : float
        Duration of the search, earlier sessions included.
    history : list of (str, int)
        The guesses before, each with its pattern.
    max_guesses : int or None
        The largest number of guesses that was tried.
    variant : Variant
        The words and the rules.
    """

    turns: list[PlayedTurn]
    at_least: int
    states: int
    seconds: float
    history: list[tuple[str, int]] = field(metadata=written("_history"))
    max_guesses: int | None
    variant: Variant = field(repr=False, metadata=FLAT)

    @property
    def _history(self) -> list[TurnFields]:
        return turn_fields(self.history)

    @reported
    def guesses(self) -> int:
        """Number of guesses of the line."""
        return len(self.turns)

    @reported
    def complete(self) -> bool:
        """Whether the search was finished."""
        return self.proven

    @reported
    def guess(self) -> str:
        """The next guess."""
        return self.turns[0].guess

    @reported
    def proven(self) -> bool:
        """Whether it is proven that no fewer guesses are enough."""
        return self.at_least == len(self.turns)

    def __repr__(self) -> str:
        line, proven = " ".join(turn.guess for turn in self.turns), "proven" if self.proven else "not proven"
        return f"<Duel: {line}, {proven}>"


def beat_adversary(
    history: Turns | str = (),
    variant: Variant | None = None,
    *,
    max_guesses: int | None = None,
    first: str | None = None,
    memory: int = 1024,
    time_limit: float | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
    backend: Backend | None = None,
) -> Duel:
    """Find the fewest guesses against an adversary, and prove that no fewer are enough.

    No word is hidden: each guess gets the pattern that leaves most words, as in the game Absurdle (`rules.reply`).
    Among equals, it is the one with the fewest greens, then yellows. So a game has no chance, and one line of guesses
    is the best play. First all lines of two guesses are excluded, then all lines of three, and so on until a line wins.
    It is replayed by the rules before it is returned.

    Parameters
    ----------
    history : str or sequence
        The guesses so far with their patterns, such as ``salet:-y--g``; or the text that Wordle shares, pasted in
        quotes, and the guesses alone. In Python also ``("salet", "-y--g")`` or ``("salet", 165)``.
    variant : Variant, optional
        The words and the rules. By default the original game. The answers have no
        weights, because the adversary counts words.
    max_guesses : int, optional
        Maximum number of guesses, 1 to 98. By default there is no limit.
    first : str, optional
        Next guess. By default all guesses are compared.
    memory : int, default 1024
        Size of the table of sets that were searched in vain, in MiB.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
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
    Duel
        The line of play, and whether it is proven that none is shorter.

    Raises
    ------
    BadInput
        If the history or the checkpoint is wrong, or if the answers have weights.
    NoSolution
        If no answer fits the history, or if no line wins within `max_guesses`.
    NotFound
        If the time did not suffice to find a line within `max_guesses`.
    WrongSolution
        If the rules refuse the line, which would be a fault of gpusolve.

    Examples
    --------
    ``gpusolve wordle beat-adversary salet:-y--g``

    >>> duel = beat_adversary(["salet:-y--g"])
    >>> [turn.guess for turn in duel.turns], duel.proven
    (['acrid', 'abuna', 'graft'], True)
    """
    variant = check_variant(variant)
    turns = sharing.parse_history(history, variant.length, variant.digraphs)
    if max_guesses is not None:
        max_guesses = checks.check_integer("max_guesses", max_guesses, 1, MOST_TURNS)
    memory = checks.check_integer("memory", memory, 1, 1 << 20)
    checks.check_memory("memory", memory, memory << 20)
    if variant.weights is not None:
        raise BadInput("weights: expected none against the adversary, which counts words")
    if turns and rules.solves(*turns[-1]):
        raise BadInput("the last guess has solved the game: expected a history that is not solved yet")
    backend = open_backend(backend)
    table = after(turns, variant, "patterns", backend)
    position = Position(table, variant, memory=memory, backend=backend)
    if first is not None:
        first = rules.parse_word(first, variant.length, variant.digraphs)
        if first not in position.guesses:
            raise BadInput(f"first guess '{first}': {not_accepted(first, position.guesses)}")
    settings = {
        "guesses": variant.guesses.digest,
        "answers": variant.answers.digest,
        "mode": variant.mode,
        "scoring": variant.scoring,
        "guess_hidden_only": variant.guess_hidden_only,
        "history": [[guess, code] for guess, code in turns],
        "first": first,
        "max_guesses": max_guesses,
    }
    run = Run(KIND, settings, seed=0, checkpoint=checkpoint, resume=resume, time_limit=time_limit)
    search = _Search(position, run, progress, None if first is None else position.guesses.place[first])
    search.deepen(max_guesses)
    line, limit = search.best, max_guesses or MOST_TURNS
    if len(line) > limit:
        found = f"beats the adversary within {limit} guess{'es' * (limit > 1)}"
        if search.refuted >= limit:
            raise NoSolution(f"no line of guesses {found}")
        raise NotFound(f"the time is up, and no line of guesses was found yet that {found}")
    played = replayed([position.guesses[guess] for guess in line], turns, variant)
    return Duel(played, search.refuted + 1, position.states, run.seconds, turns, max_guesses, variant)


class _Search:
    """A search that excludes short lines before longer ones, and first guesses in order.

    Parameters
    ----------
    position : Position
        The position that is searched.
    run : Run
        The run that saves the search and limits its time.
    report : callable
        Called with the `Progress` from time to time.
    start : int or None
        The first guess, if it is given.
    """

    def __init__(self, position: Position, run: Run, report: Callable[[Progress], None], start: int | None) -> None:
        self.position, self._run, self._report, self._start = position, run, report, start
        state = run.state or Fields("checkpoint", {"refuted": 0, "done": 0})
        self.refuted = state.integer("refuted", 0, MOST_TURNS)
        """No line of up to this many guesses wins."""
        self._done = state.integer("done", 0, len(position.guesses))
        """First guesses, in the order of the search, that begin no line one longer that wins."""
        self.best = self._quick_line()
        """The shortest line that is known."""
        if self.refuted >= len(self.best):
            raise state.wrong("refuted", f"less than {len(self.best)}, because a line of that length wins")

    def deepen(self, within: int | None) -> None:
        """Search until the best line is proven to be the best, or no line wins within a limit, or the time is up."""
        with self._run.saved(lambda: {"refuted": self.refuted, "done": self._done}) as more:
            while self.refuted + 1 < len(self.best) and self.refuted != within:
                try:
                    found = self._line(self.refuted + 1, more)
                except InterruptedError:
                    return
                if found:
                    self.best = found
                else:
                    self.refuted, self._done = self.refuted + 1, 0

    def _quick_line(self) -> list[int]:
        """Return a line that wins, which need not be the shortest."""
        state = self.position.start
        if self._start is None:
            return self.position.quick_line(state)
        rank = self.position.reply(state, self._start)
        if self.position.wins(self._start, rank):
            return [self._start]
        return [self._start, *self.position.quick_line(self.position.after(state, self._start, rank))]

    def _line(self, turns: int, more: Callable[[], bool]) -> list[int] | None:
        """Return a line of `turns` guesses that wins, or None. Raises InterruptedError if the time is up."""
        position, state = self.position, self.position.start
        if self._start is not None:
            jobs = [(0, self._start, position.reply(state, self._start))]
        elif turns <= 3:
            return position.line(state, turns)
        else:
            jobs = position.next_guesses(state, turns)
        waiting, started = enumerate(jobs[self._done :], self._done), self._done
        done, lines = SimpleQueue[Outcome[tuple[int, list[int] | None]]](), dict[int, list[int] | None]()
        position.tables.stop[0] = 0
        with Threads(position.threads) as threads:
            try:
                while True:
                    self._report(Progress(self._done, len(jobs), len(self.best), position.states))
                    if not more():
                        raise InterruptedError
                    for number, (_, guess, rank) in islice(waiting, 2 * position.threads - (started - self._done)):
                        threads.start(partial(self._rest, number, guess, rank, turns - 1), done)
                        started += 1
                    if started == self._done:
                        return None
                    with suppress(Empty):
                        number, line = done.get(timeout=TICK).value()
                        lines[number] = line
                    while self._done in lines:  # in order, so that the line does not depend on the threads
                        if line := lines.pop(self._done):
                            return line
                        self._done += 1
            finally:
                position.tables.stop[0] = 1

    def _rest(self, number: int, guess: int, rank: int, turns: int) -> tuple[int, list[int] | None]:
        """Return the number of a job, and a line that wins with a guess and `turns` more, or None."""
        rest = self.position.line(self.position.after(self.position.start, guess, rank), turns)
        return number, [guess, *rest] if rest else None
