"""The chances of a tetris and of topping out, by playouts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from games.tetris.oracle import PUBLISHED
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import drawing, kernels, play, suggest
from gpusolve.games.tetris._suggest import PLAYED
from gpusolve.games.tetris.measuring import prospects
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.rules import board as rules, policies, sources
from gpusolve.games.tetris.rules.features import fixed_point
from gpusolve.games.tetris.variant import Variant
from gpusolve.testing.plugin import Done

Run = Callable[..., Done]
CPU = open_backend("cpu")
HIGH = "..........\n" * 4 + "#.#.######\n" * 16


@pytest.mark.parametrize("source", sources.SOURCES)
def test_pieces_follow_as_those_of_the_source_do(source: str) -> None:
    pairs: Counter[tuple[int, int]] = Counter()
    for number in range(300):
        pairs.update(pairwise([3, *prospects._draw(3, 100, source, 5, number)]))
    counts = np.array([[pairs[a, b] for b in range(7)] for a in range(7)])
    table = sources.transitions(source)
    expected = counts.sum(axis=1, keepdims=True) * table / table.sum(axis=1, keepdims=True)
    assert ((counts - expected) ** 2 / expected).sum() < 79  # chi-squared, 42 degrees of freedom, p = 0.0005


@cache
def slow_prospect(pile: str) -> tuple[int, float, float]:
    """Return two playouts of a pile and the shares with a tetris and with an end, by playing two pieces ahead."""
    tetrises, ends = 0, 0
    for number in range(2):
        pieces, here, tetris = (
            [0, *prospects._draw(0, prospects.AHEAD, "nes", 7, number)],
            rules.parse_board(pile),
            False,
        )
        for piece, following in pairwise(pieces):
            state = policies.two_piece(fixed_point(PUBLISHED)[0], here, piece, following, reach="30hz", level=29)
            if state is None:
                ends += 1
                break
            here, cleared, _ = rules.place(here, piece, state)
            tetris |= cleared == 4
        tetrises += tetris
    return 2, tetrises / 2, ends / 2


def test_playouts_are_the_games_of_the_policy(backend: Backend) -> None:
    piles, variant = (HIGH, "#########.\n" * 4), Variant("30hz", "nes")
    estimates = prospects.prospects(
        load_weights(PUBLISHED).chooser(backend, Policy("two-piece"), variant),
        kernels.columns_of([rules.parse_board(pile) for pile in piles]),
        levels=np.full(2, 29, np.int32),
        lines=np.zeros(2, np.int32),
        pieces=[[3, 0], [3, 0]],
        playouts=2,
        variant=variant,
        seed=7,
        backend=backend,
    )
    assert [(one.playouts, one.tetris_chance, one.risk) for one in estimates] == [slow_prospect(pile) for pile in piles]


def test_a_ready_well_brings_a_tetris_and_a_tower_the_end() -> None:
    ready = suggest("#########./" * 4, "O", "I", player="two-piece", backend=CPU)
    high = suggest(HIGH, "S", "Z", level=29, variant=Variant("10hz"), backend=CPU)
    assert ready[0].prospect is not None
    assert ready[0].prospect.tetris_chance == 1
    assert ready[0].prospect.risk == 0
    assert high[0].prospect is not None
    assert high[0].prospect.risk > 0.5
    assert [one.prospect is None for one in ready] == [rank >= PLAYED for rank in range(len(ready))]


def test_the_same_question_has_the_same_answer() -> None:
    asked = [suggest(HIGH, "T", "J", playouts=20, seed=seed, backend=CPU) for seed in (None, 0, 1)]
    assert asked[0] == asked[1] != asked[2]
    assert all(one.prospect is None for one in suggest(HIGH, "T", "J", playouts=0, backend=CPU))


def test_playouts_start_from_the_users_placement_too(run: Run) -> None:
    worst = suggest("#########./#########.", "O", "I", playouts=0, backend=CPU)[-1]
    mine = f"{worst.column},{worst.turned},{worst.row}"
    options = ("suggest", "#########./#########.", "O", "I", "--device", "cpu", "--quiet", "--mine", mine)
    output = json.loads(run("tetris", *options, "--json").out)
    assert output["mine"]["rank"] > PLAYED
    assert 0 <= output["mine"]["risk"] <= 1
    assert (output["playouts"], output["pieces_ahead"], output["seed"]) == (100, 20, 0)
    text = run("tetris", *options).out
    assert "within 20 pieces, from 100 playouts" in text
    assert "risk %" in text
    assert "risk %" not in run("tetris", *options, "--playouts", "0").out


def test_a_game_shows_the_chances_after_each_turn(run: Run) -> None:
    options = ("play", "--seed", "4", "--max-lines", "4", "--reach", "30hz", "--device", "cpu", "--quiet")
    estimated = json.loads(run("tetris", *options, "--playouts", "10", "--json").out)
    plain = json.loads(run("tetris", *options, "--json").out)
    assert (estimated["turns"], plain["prospects"]) == (plain["turns"], [])
    assert len(estimated["prospects"]) == len(estimated["turns"])
    assert all(0 <= one["risk"] <= 1 and 0 <= one["tetris_chance"] <= 1 for one in estimated["prospects"])
    game = play("30hz", variant=Variant("30hz", max_lines=4), playouts=10, seed=4, backend=CPU)
    assert all("in 20 pieces" in frame and "end " in frame for frame in drawing.frames(game))


@pytest.mark.parametrize("value", [-1, 10_001, 1.5, None, True])
def test_an_invalid_number_of_playouts_is_refused(value: int) -> None:
    with pytest.raises(BadInput, match="playouts"):
        suggest(HIGH, "T", playouts=value, backend=CPU)
