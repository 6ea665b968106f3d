"""The longest game against the adversary in which every guess leaves fewer answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpusolve import checks, clock
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.wordle import rules, sharing
from gpusolve.games.wordle._play import PlayedTurn
from gpusolve.games.wordle.adversary.longest import Longest
from gpusolve.games.wordle.adversary.position import Position
from gpusolve.games.wordle.adversary.replay import replayed
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.rules import TurnFields, Turns, turn_fields
from gpusolve.games.wordle.variant import Variant, check_variant
from gpusolve.result import FLAT, Result, reported, written


@dataclass(frozen=True, eq=False, repr=False)
class LongDuel(Result, schema="wordle.outlast-adversary/1"):
    """A long game against the adversary.

    Attributes
    ----------
    turns : list of PlayedTurn
        The guesses, each with the adversary's answer and the number of answers before it. The last one wins.
    at_most : int
        The number of guesses that is proven not to be exceeded.
    states : int
        Number of positions that were decided.
    seconds : float
        Duration of the search.
    history : list of (str, int)
        The guesses before, each with its pattern.
    variant : Variant
        The words and the rules.
    """

    turns: list[PlayedTurn]
    at_most: int
    states: int
    seconds: float
    history: list[tuple[str, int]] = field(metadata=written("_history"))
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
        """Whether it is proven that no game takes more guesses."""
        return self.at_most == len(self.turns)

    def __repr__(self) -> str:
        return f"<LongDuel: {len(self.turns)} guesses, {'proven' if self.proven else f'at most {self.at_most}'}>"


def outlast_adversary(
    history: Turns | str = (),
    variant: Variant | None = None,
    *,
    width: int = 10,
    time_limit: float | None = 60,
    backend: Backend | None = None,
) -> LongDuel:
    """Find the longest game against an adversary in which every guess leaves fewer answers.

    No word is hidden: each guess gets the pattern that leaves most words, as in the game Absurdle (`rules.reply`). In
    hard mode that makes a sport of long games. A beam finds a long game first. Then games that are longer are looked
    for and excluded, from the end of this game to its beginning, until the time is up. The game is replayed by the
    rules before it is returned.

    Parameters
    ----------
    history : str or sequence
        The guesses so far with their patterns, such as ``salet:-y--g``; or the text that Wordle shares, pasted in
        quotes, and the guesses alone. In Python also ``("salet", "-y--g")`` or ``("salet", 165)``.
    variant : Variant, optional
        The words and the rules. By default the original game. The answers have no
        weights, because the adversary counts words.
    width : int, default 10
        Number of positions that the beam keeps after each guess, 1 to 100,000.
    time_limit : float, default 60
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count. The beam is finished in any case. None: search to the end; from the start that takes too long.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    LongDuel
        The line of play, and the number of guesses that no game exceeds.

    Raises
    ------
    BadInput
        If the history is wrong, or if the answers have weights.
    NoSolution
        If no answer fits the history.
    WrongSolution
        If the rules refuse the line, which would be a fault of gpusolve.

    Notes
    -----
    A bound and a table of positions make exact results possible late in a game: see `adversary.longest.Longest` and
    `cpu.outlast.most_turns`. The longest game from the start is not known. Evan Krall has looked for it in 2022
    (https://www.evankrall.com/posts/absurdle-highscore/).

    Examples
    --------
    ``gpusolve wordle outlast-adversary salet:-y--g --mode hard``

    >>> duel = outlast_adversary(["salet:-y--g"], Variant.load(mode="hard"))
    >>> len(duel.turns), duel.proven
    (16, True)
    """
    variant = check_variant(variant)
    turns = sharing.parse_history(history, variant.length, variant.digraphs)
    width = checks.check_integer("width", width, 1, 100_000)
    if time_limit is not None:
        checks.check_number("time_limit", time_limit, 0, float("inf"))
    if variant.weights is not None:
        raise BadInput("weights: expected none against the adversary, which counts words")
    if turns and rules.solves(*turns[-1]):
        raise BadInput("the last guess has solved the game: expected a history that is not solved yet")
    backend = open_backend(backend)
    position = Position(after(turns, variant, "patterns", backend), variant, memory=1, backend=backend)
    begin = clock.now()
    end = begin + (float("inf") if time_limit is None else time_limit)
    search = Longest(position, variant, lambda: clock.now() < end)
    search.settle(search.quick_line(width))
    line = [position.guesses[guess] for guess in search.line()]
    played = replayed(line, turns, variant)
    high = search.bounds(search.root).high
    return LongDuel(played, high, search.states, clock.now() - begin, turns, variant)
