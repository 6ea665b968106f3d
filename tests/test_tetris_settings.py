"""The benchmark that compares the 42 settings of Tetris with published means."""

from __future__ import annotations

import math
import statistics
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The benchmark as a module."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    for name in ("harness", "tetris_tournament", "tetris_settings"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import tetris_settings

    return tetris_settings


def test_holm_s_correction_is_the_step_down_procedure(benchmark: Any) -> None:
    """Claims are accepted from the smallest chance on, until one exceeds the limit over the number of those left."""
    random = np.random.default_rng(3)
    for _ in range(200):
        chances = (random.random(8) ** 4).tolist()
        accepted = set[int]()
        for rank, number in enumerate(sorted(range(8), key=lambda each: chances[each])):
            if chances[number] > 0.05 / (8 - rank):
                break
            accepted.add(number)
        assert accepted == {number for number, each in enumerate(benchmark.holm(chances)) if each <= 0.05}


def test_the_chance_of_a_difference_is_that_of_student_s_t(benchmark: Any) -> None:
    """With one degree of freedom it is an angle, with two a root, with very many that of the normal distribution."""
    for t in (0.0, 0.3, 1.0, 4.0, 30.0):
        assert benchmark.chance_of(t, 1) == pytest.approx(1 - 2 * math.atan(t) / math.pi, abs=2e-5)
        assert benchmark.chance_of(t, 2) == pytest.approx(1 - t / math.sqrt(2 + t * t), abs=1e-6)
    for t in (0.5, 2.0, 3.5):
        assert benchmark.chance_of(t, 1e7) == pytest.approx(2 * statistics.NormalDist().cdf(-t), rel=1e-4)


def test_games_are_kept_and_reported(benchmark: Any, tmp_path: Path) -> None:
    """The file has a row for each game; two settings of opposite sign are counted before and after the correction."""
    games = [
        benchmark.Game(
            taps, 0, "player", "abc", game, benchmark.PUBLISHED[taps[:4]][0] + lead + 1000 * game, 430, 1000, 2.5
        )
        for taps, lead in (("30hz+tuck", 90_000), ("10hz+tuck", -90_000))
        for game in range(4)
    ]
    path = tmp_path / "games.csv"
    benchmark.write_games(path, games)
    assert path.read_text().count("\n") == 9
    assert benchmark.read_games(path) == [*games[4:], *games[:4]]
    text = benchmark.report(games)
    assert "4 games in each setting, 8 in all" in text
    assert "ahead in 1 of 2 settings, in 1 by more than two" in text
    assert "and in 1 after Holm's correction. It is behind in 1, in 1 by more than two, and in 1 after" in text
    assert "| 30hz+tuck | 0 | 4 | 2,834,518 ± 645 | 2,834,518 | 2,743,018 | +91,500 ± 6,134 |" in text
    assert benchmark.report([]) == "No games yet."
