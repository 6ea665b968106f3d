"""Strategies compared: what is counted, that it comes again, and that it can be stopped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.quordle import Variant, _simulate as simulation, rules, simulate
from gpusolve.games.wordle.words import word_list

CPU = open_backend("cpu")
SMALL = Variant.load(word_list("wordle-answers")[::20])


def test_counts_are_those_of_the_games() -> None:
    found = simulate(SMALL, "all", 40, 3, 6, seed=4, backend=CPU)
    assert (found.games, found.complete, found.strategies) == (40, True, rules.STRATEGIES)
    ends: list[list[int]] = []
    for i, strategy in enumerate(rules.SIMPLE):
        games = [
            rules.play(
                [SMALL.answers[place] for place in rules.deal(4, number, 3, len(SMALL.answers))],
                SMALL.answers,
                strategy,
                6,
                "consistent",
                "wordle",
                rules.picker(4, number),
            )
            for number in range(40)
        ]
        ends.append([len(game.guesses) if game.won else 0 for game in games])
        won = [end for end in ends[-1] if end]
        assert found.won(i) == len(won)
        assert found.mean(i).mean == pytest.approx(np.mean(won))
        assert found.board_turn(i).mean == pytest.approx(
            np.mean([turn for game in games for turn in game.turns if turn])
        )
        assert found.distribution(i) == {turn: won.count(turn) for turn in sorted(set(won))}
        assert list(found.lost[i]) == [number for number, end in enumerate(ends[-1]) if not end]
    for i, one in enumerate(ends):
        for j, other in enumerate(ends):
            wins = np.array(other, bool).astype(int) - np.array(one, bool)
            assert found.difference(i, j).mean == pytest.approx(wins.mean())
            half = 2.5758293 * wins.std(ddof=1) / 40**0.5
            assert found.difference(i, j).high - found.difference(i, j).mean == pytest.approx(half)
            both = [a - b for a, b in zip(one, other, strict=True) if a and b]
            assert found.fewer(i, j).mean == pytest.approx(np.mean(both))


def test_wilsons_interval() -> None:
    """7 of 10 at 99 %: 0.3200 to 0.9204, the formula worked out by hand."""
    together = np.zeros((1, 1, 3, 3), np.int64)
    together[0, 0, 2, 2], together[0, 0, 0, 0] = 7, 3
    found = simulation.Simulation(("joint",), 1, 2, 0, together, together[0, 0][:1], ((),), 0.0, True).rate(0)
    assert (round(found.low, 4), round(found.high, 4)) == (0.32, 0.9204)


def test_batches_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = simulate(SMALL, "all", 50, seed=9, backend=CPU)
    monkeypatch.setattr(simulation, "AT_ONCE_JOINT", 7)
    parts = simulate(SMALL, "all", 50, seed=9, backend=CPU)
    assert (whole.together == parts.together).all()
    assert (whole.solved == parts.solved).all()
    assert whole.lost == parts.lost


def test_a_run_that_is_stopped_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "AT_ONCE_JOINT", 20)
    file = tmp_path / "run"
    part = simulate(SMALL, "joint", 100, seed=2, time_limit=0, checkpoint=file, backend=CPU)
    assert (part.games, part.complete) == (20, False)
    rest = simulate(SMALL, "joint", 100, resume=file, backend=CPU)
    assert (rest.seed, rest.complete) == (2, True)
    assert (rest.together == simulate(SMALL, "joint", 100, seed=2, backend=CPU).together).all()
    with pytest.raises(BadInput, match="made with boards 4, not with 3"):
        simulate(SMALL, "joint", 100, 3, 9, resume=file, backend=CPU)
    with pytest.raises(BadInput, match="made with answers"):
        simulate(None, "joint", 100, resume=file, backend=CPU)


def test_every_device_plays_the_same(backend: Backend) -> None:
    found = simulate(SMALL, "all", 12, 4, 8, seed=6, backend=backend)
    assert (found.together == simulate(SMALL, "all", 12, 4, 8, seed=6, backend=CPU).together).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"boards": 0}, "boards 0: expected a whole number, 1 to 32"),
        ({"boards": 33}, "boards 33: expected a whole number, 1 to 32"),
        ({"boards": 4, "guesses": 3}, "guesses 3: expected a whole number, 4 to 64"),
        ({"games": 0}, "games 0"),
        ({"strategy": "luck"}, "strategy luck: expected one of left-to-right"),
        ({"variant": Variant.load(["crane", "trace", "stale"])}, "boards 4: only 3 words may be hidden"),
    ],
)
def test_what_cannot_be_played(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        simulate(**arguments)  # type: ignore[arg-type]
