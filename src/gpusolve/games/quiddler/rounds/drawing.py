"""How the card game looks: the choices of a turn, and rounds against simple players."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gpusolve.games.quiddler._hand import LARGEST, SMALLEST
from gpusolve.games.quiddler.rounds._simulate import COUNT, RoundsOfSize, Simulation
from gpusolve.games.quiddler.rounds._turn import Choice, TurnAdvice
from gpusolve.output import report
from gpusolve.output.parts import Line, Part, Table, Title


def turn_advice(turn: TurnAdvice) -> Iterator[Part]:
    """Yield the choices of a turn, the best one first."""
    yield Title(_named(turn.choices[0]))
    rows = [
        (_named(choice), f"{choice.score:.2f}")
        + (() if choice.ahead is None else (f"{choice.ahead:+.2f}", f"{choice.error:.2f}"))
        for choice in turn.choices
    ]
    yield Table(("choice", "score", "ahead", "error")[: 2 if turn.exact else 4], rows, "the choices of this turn")
    if turn.exact:
        yield Line("expected scores of this last turn, exact")
    else:
        yield Line(
            f"expected score of the round, and how far ahead of the mean of the others, with its standard error: "
            f"{turn.samples} samples of the unseen cards, after which all play simply; seed {turn.seed}"
        )


def choice(choice: Choice) -> Iterator[Part]:
    """Yield what to do, with its expected score."""
    yield Line(f"{_named(choice)}: {choice.score:.2f}")


def simulation(simulation: Simulation) -> Iterator[Part]:
    """Yield how far the player is ahead with each number of cards, and in all."""
    rows = [
        (
            size.cards,
            size.count,
            f"{size.score:.2f}",
            f"{size.ahead:+.2f}",
            _error(size.error),
            f"{size.out_first:.0%}",
        )
        for size in simulation.rounds
    ]
    yield Title(f"{simulation.ahead:+.1f} points ahead of simple players")
    yield Table(("cards", "rounds", "score", "ahead", "error", "out first"), rows, "rounds against simple players")
    yield Line(
        f"ahead by {simulation.ahead:.1f}, standard error {_error(simulation.error)}, in "
        f"{'a round of each size' if len(simulation.rounds) > 1 else 'a round'}; {simulation.players} players, "
        f"{simulation.samples} samples, seed {simulation.seed}, {simulation.seconds:.1f} s"
        + ("" if simulation.complete else "; stopped by the time limit")
    )


def rounds_of_size(rounds: RoundsOfSize) -> Iterator[Part]:
    """Yield how far the player is ahead with this number of cards."""
    yield Line(f"{rounds.cards} cards: ahead by {rounds.ahead:.2f}, standard error {_error(rounds.error)}")


def simulate_progress(value: Callable[[str], Any], quiet: bool) -> report.Progress:
    """Return the progress bar of a simulation."""
    sizes = LARGEST - SMALLEST + 1 if value("cards") is None else 1
    return report.Progress("rounds", (value("count") or COUNT) * sizes * (value("players") or 2), quiet)


def _error(error: float | None) -> str:
    return "unknown" if error is None else f"{error:.2f}"


def _named(choice: Choice) -> str:
    """Return a choice in words."""
    parts = []
    if choice.draw == "stock":
        parts.append("draw from the stock")
    elif choice.draw is not None:
        parts.append(f"take {choice.draw}")
    if choice.words:
        parts.append(f"lay down {' '.join(choice.words)}")
    if choice.discard is not None:
        parts.append(f"discard {choice.discard}")
    return ", ".join(parts)
