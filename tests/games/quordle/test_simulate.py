"""Simulations: their counts are right, reproducible and independent of batches, and they can be resumed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.games.quordle import Variant, _simulate, rules, simulate
from gpusolve.games.wordle.wordlist import word_list
from gpusolve.runs import checkpoint

CPU = open_backend("cpu")
SMALL = Variant.load(word_list("wordle-answers")[::20])


def test_the_counts_are_those_of_games_played_by_the_rules() -> None:
    simulation = simulate(SMALL, count=40, boards=3, max_guesses=6, seed=4, backend=CPU)
    assert (simulation.count, simulation.complete, simulation.strategies) == (40, True, rules.STRATEGIES)
    ends: list[list[int]] = []
    for i, strategy in enumerate(rules.SIMPLE):
        games = [
            rules.play(
                [SMALL.answers[place] for place in rules.deal(4, number, 3, len(SMALL.answers))],
                SMALL.answers,
                strategy,
                max_guesses=6,
                player="consistent",
                scoring="wordle",
                pick=rules.picker(4, number),
            )
            for number in range(40)
        ]
        ends.append([len(game.guesses) if game.won else 0 for game in games])
        won = [end for end in ends[-1] if end]
        assert simulation.won(i) == len(won)
        assert simulation.mean(i).mean == pytest.approx(np.mean(won))
        assert simulation.board_turn(i) == pytest.approx(
            np.mean([turn for game in games for turn in game.turns if turn])
        )
        assert simulation.distribution(i) == {turn: won.count(turn) for turn in sorted(set(won))}
        assert list(simulation.lost[i]) == [number for number, end in enumerate(ends[-1]) if not end]
    for i, ends_of_i in enumerate(ends):
        for j, ends_of_j in enumerate(ends):
            wins = np.array(ends_of_j, bool).astype(int) - np.array(ends_of_i, bool)
            assert simulation.rate_gain(i, j) == pytest.approx(wins.mean())
            low, high = simulation.rate_gain_interval(i, j)
            n, losses, gains = len(wins) + 2, (wins < 0).sum() + 0.5, (wins > 0).sum() + 0.5
            middle = (gains - losses) / n
            error = ((losses + gains) / n - middle**2) ** 0.5 / n**0.5
            assert (low, high) == pytest.approx((middle - 2.5758293 * error, middle + 2.5758293 * error))
            saved = [a - b for a, b in zip(ends_of_i, ends_of_j, strict=True) if a and b]
            assert simulation.guesses_saved(i, j).mean == pytest.approx(np.mean(saved))


def made_up(pairs: np.ndarray) -> _simulate.Simulation:
    return _simulate.Simulation(
        strategies=("joint",),
        boards=1,
        max_guesses=2,
        seed=0,
        pairs=pairs[None, None],
        solved=pairs[:1],
        lost=((),),
        seconds=0.0,
        complete=True,
        variant=Variant.load(),
    )


def test_wilsons_interval() -> None:
    """7 of 10 at 99 %: 0.3200 to 0.9204, from the formula by hand."""
    low, high = made_up(np.diag([3, 0, 7])).rate_interval(0)
    assert (round(low, 4), round(high, 4)) == (0.32, 0.9204)


def test_a_single_game_has_a_mean_but_no_interval() -> None:
    estimate = made_up(np.diag([0, 0, 1])).mean(0)
    assert estimate.mean == 2
    assert np.isnan(estimate.interval()).all()


def test_the_size_of_batches_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = simulate(SMALL, count=50, seed=9, backend=CPU)
    monkeypatch.setattr(_simulate, "AT_ONCE_JOINT", 7)
    parts = simulate(SMALL, count=50, seed=9, backend=CPU)
    assert (whole.pairs == parts.pairs).all()
    assert (whole.solved == parts.solved).all()
    assert whole.lost == parts.lost


def test_a_simulation_is_stopped_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_simulate, "AT_ONCE_JOINT", 20)
    file = tmp_path / "run"
    play = partial(simulate, strategy="joint", count=100, backend=CPU)
    part = play(SMALL, seed=2, time_limit=0, checkpoint=file)
    assert (part.count, part.complete) == (20, False)
    rest = play(SMALL, resume=file)
    assert (rest.seed, rest.complete) == (2, True)
    assert (rest.pairs == play(SMALL, seed=2).pairs).all()
    with pytest.raises(BadInput, match="made with boards 4, not with 3"):
        play(SMALL, boards=3, max_guesses=9, resume=file)
    with pytest.raises(BadInput, match="made with another value of answers"):
        play(resume=file)


STATE = {
    "pairs": np.zeros((1, 1, 3, 3), np.int64),
    "solved": np.zeros((1, 3), np.int64),
    "lost": np.full((1, _simulate.MOST_LOST), -1),
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pairs": STATE["pairs"] - 1}, "pairs .*: expected no element below 0"),
        ({"pairs": STATE["pairs"].astype(np.int32)}, "pairs .*: expected an array of int64"),
        ({"pairs": np.zeros((2, 2, 3, 3), np.int64)}, "pairs .*: expected an array of int64"),
        ({"solved": [0, 0, 0]}, r"solved \[0, 0, 0\]: expected an array"),
        ({"lost": STATE["lost"] - 1}, "lost .*: expected no element below -1"),
    ],
)
def test_a_made_up_checkpoint_is_refused(change: dict[str, object], message: str) -> None:
    assert _simulate._Tally.read(Fields("checkpoint x", STATE), 1, 2).done == 0
    with pytest.raises(BadInput, match=f"^checkpoint x: {message}"):
        _simulate._Tally.read(Fields("checkpoint x", STATE | change), 1, 2)


def test_a_checkpoint_has_the_same_games_for_every_strategy(tmp_path: Path) -> None:
    file = tmp_path / "run"
    simulate(SMALL, count=5, seed=2, checkpoint=file, backend=CPU)
    settings, state = checkpoint.load(file, _simulate.KIND)
    state.values["pairs"][1, 2, 0, 0] += 1
    checkpoint.save(file, _simulate.KIND, dict(settings.values), dict(state.values))
    with pytest.raises(BadInput, match="expected the same number of games for every pair of strategies"):
        simulate(SMALL, count=5, resume=file, backend=CPU)


def test_every_device_plays_the_same_games(backend: Backend) -> None:
    play = partial(simulate, SMALL, count=12, max_guesses=8, seed=6)
    assert (play(backend=backend).pairs == play(backend=CPU).pairs).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"boards": 0}, "boards 0: expected a whole number, 1 to 32"),
        ({"boards": 33}, "boards 33: expected a whole number, 1 to 32"),
        ({"boards": 4, "max_guesses": 3}, "max_guesses 3: expected a whole number, 4 to 64"),
        ({"count": 0}, "count 0"),
        ({"strategy": "luck"}, "strategy luck: expected one of left-to-right"),
        ({"variant": Variant.load(["crane", "trace", "stale"])}, "boards 4: only 3 words can be hidden"),
    ],
)
def test_impossible_games_are_bad_input(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        simulate(**arguments)  # type: ignore[arg-type]


def test_equal_results_of_few_games_do_not_prove_that_there_is_no_difference() -> None:
    pairs = np.zeros((2, 2, 10, 10), np.int64)
    pairs[:, :, 7, 7] = 20
    simulation = replace(
        made_up(np.zeros((10, 10), np.int64)),
        strategies=("random", "joint"),
        max_guesses=9,
        pairs=pairs,
        solved=np.zeros((2, 10), np.int64),
        lost=((), ()),
    )
    row = simulation.rows[0]
    assert row.wins_less is not None
    assert row.guesses_more is not None
    assert (row.wins_less.mean, row.guesses_more.mean) == (0, 0)
    assert row.wins_less.low < -0.1
    assert row.wins_less.high > 0.1
    assert np.isnan(row.guesses_more.low)
