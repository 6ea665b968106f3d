"""Advice and games of a player who misses presses."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import Variant, evaluate, play, review, suggest, train, train_value
from gpusolve.games.tetris.kernels import columns_of
from gpusolve.games.tetris.measuring.advice import AdvicePolicy, Adviser
from gpusolve.games.tetris.players.misses import _drawn, chances_of, chooser_of, miss_of
from gpusolve.games.tetris.players.player import policy_of
from gpusolve.games.tetris.players.shipped import player_of
from gpusolve.games.tetris.players.turns import Now
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.rules.board import State, parse_board
from gpusolve.games.tetris.rules.timing import Falling
from gpusolve.games.tetris.variant import misses_of

LEDGE = "#####...../.........#/....######/....######/...#######"
"""A piece can be tucked under a ledge."""
WIDE = "#.....#..#/#.....#.#./##.#.#####/#########./#########."
RULES = Variant("30hz+tuck", "nes", 19)


def expected(position: Position, path: tuple[str, ...], values: dict[State, float]) -> float:
    """Return the expectation of values over where the piece comes to rest."""
    variant = position.variant
    falling = Falling(position.board, position.piece, position.level, doubled=variant.double_killscreen)
    _, landed = chances_of(falling, path, variant)
    return sum(likely * values[state] for state, likely in landed.items())


@pytest.mark.parametrize(("reach", "level"), [("30hz+tuck", 19), ("15hz+tuck", 29), ("30hz", 18)])
def test_a_value_is_the_expectation_over_where_the_piece_comes_to_rest(reach: str, level: int) -> None:
    """The values without misses, times the chances of the rules; the best one is the least of all."""
    variant = Variant(reach, "nes", 18, 430)
    lines = variant.line_of(level)
    sure = suggest(LEDGE, "J", "T", lines=lines, variant=variant, playouts=0)
    values = {each.state: each.value for each in sure}
    careful = suggest(
        LEDGE,
        "J",
        "T",
        lines=lines,
        variant=replace(variant, miss=(0.6, 0.3, 0.05)),
        playouts=0,
    )
    assert {each.state for each in careful} == set(values)
    for each in careful:
        assert each.value == pytest.approx(expected(careful.position, each.presses, values))
        assert each.made <= 1
    assert careful[0].value == min(each.value for each in careful)
    assert careful.plan[0].value == careful[0].value


def test_a_narrow_tuck_is_worth_less() -> None:
    """A player who always misses a tuck within two frames does not aim at one."""
    position = Position.of(LEDGE, "J", "T", variant=RULES)
    best = suggest(position, playouts=0)[0]
    narrow = [each for each in suggest(position, playouts=0) if each.window is not None and each.window <= 2]
    assert narrow, best
    careful = suggest(
        LEDGE,
        "J",
        "T",
        variant=replace(RULES, miss=(1, 1, 0)),
        playouts=0,
    )
    assert careful[0].window is None or careful[0].window > 2
    rows = {each.state: each for each in careful}
    assert all(rows[each.state].made == 0 for each in narrow)
    assert all(each.loss is not None and each.loss >= 0 for each in careful)


def test_no_chance_is_the_same_as_none() -> None:
    """The advice and the game of a chance of 0 are those of today; the rules are the same."""
    assert replace(RULES, miss=(0, 0)) == RULES
    position = Position.of(LEDGE, "J", "T", variant=replace(RULES, miss=(0,)))
    assert suggest(position, playouts=0).to_json() == suggest(LEDGE, "J", "T", variant=RULES, playouts=0).to_json()


@pytest.mark.parametrize("policy", ["two-piece", "branching"])
@pytest.mark.parametrize("delay_ms", [0, 300])
def test_advice_is_the_same_where_no_press_can_be_missed(policy: AdvicePolicy, delay_ms: int) -> None:
    """With a chance for windows of one frame, on boards whose best placements have wider ones."""
    variant = Variant("12hz", start_level=18, delay_ms=delay_ms)
    asked = partial(suggest, policy=policy, level=18, playouts=0)
    for board in (WIDE, "#####..###/" * 2 + "#########."):
        for pieces in ("LS", "TI"):
            sure = asked(board, *pieces, variant=variant)
            careful = asked(board, *pieces, variant=replace(variant, miss=(0.001,)))
            assert careful[0].state == sure[0].state
            assert [each.state for each in careful.plan] == [each.state for each in sure.plan]
            values = {each.state: each.value for each in sure}
            assert all(each.value == pytest.approx(values[each.state]) for each in careful if each.made == 1)


@pytest.mark.parametrize("delay_ms", [0, 300])
def test_suggestions_reviews_and_games_aim_at_the_same_placement(delay_ms: int) -> None:
    """A game's first piece rests where the presses of the best suggestion can lead; a review has the same best."""
    variant = Variant(
        "20hz+tuck",
        "nes",
        18,
        4,
        delay_ms,
        miss=(0.4, 0.2, 0.1),
    )
    for pieces in ("JT", "IO"):
        position = Position.of(LEDGE, *pieces, variant=variant)
        suggested = suggest(position, playouts=0)
        best = suggested[0]
        falling = Falling(position.board, position.piece, position.level)
        game = play(start=position, seed=1)
        assert game.turns[0].state in chances_of(falling, best.presses, variant)[1]
        judged = review(game, playouts=0)[0]
        assert judged.best == best.state or judged.loss == 0
        assert judged.best_value == pytest.approx(best.value) or judged.loss == 0
        assert suggest(position, playouts=0, following=None).to_json() == suggested.to_json()
        assert suggested.plan[0].following == (0 if delay_ms else position.following)


def test_all_placements_of_one_plan_are_adjustments() -> None:
    """With a reaction time the player with misses follows one plan, too."""
    variant = replace(RULES, delay_ms=300, miss=(0.3, 0.1, 0))
    adviser = Adviser.of(None, "two-piece", None, variant, open_backend("cpu:1"))
    position = Position.of(LEDGE, "L", variant=variant)
    ranking = adviser.rank(position)
    placed = adviser.adjusted(position, ranking, range(7))
    assert [*placed] == [*range(7)]
    assert placed[3] == adviser.adjusted(position, ranking, [3])[3]


def test_games_repeat_and_lose_by_misses() -> None:
    """The same seed gives the same game; a player who misses much scores less."""
    variant = Variant(
        "20hz+tuck",
        "nes",
        18,
        12,
        miss=(0.9, 0.5, 0.3),
    )
    game = play(variant=variant, seed=4)
    assert [turn.state for turn in game.turns] == [turn.state for turn in play(variant=variant, seed=4).turns]
    assert game.turns != play(variant=replace(variant, miss=()), seed=4).turns


@pytest.mark.parametrize("delay_ms", [0, 300])
def test_every_device_aims_and_misses_alike(backend: Backend, delay_ms: int) -> None:
    """Three boards with a piece each: the same placements come out as one by one on a CPU."""
    variant = Variant("30hz+tuck", "nes", 19, 230, delay_ms, miss=(0.5, 0.3, 0.1))
    player = player_of(None, variant)
    policy = policy_of(player, variant=variant)
    board = columns_of(parse_board(LEDGE)[None])
    now = Now(
        np.repeat(board, 3, axis=0), *(np.array(each, np.int32) for each in ([2, 0, 6], [3, 6, 1], [19] * 3, [0] * 3))
    )
    made, chosen = chooser_of(player, backend, policy, variant)(Now(*map(backend.asarray, now)))
    assert backend.to_host(chosen).tolist() == [0, 0, 0]
    alone = chooser_of(player, open_backend("cpu:1"), policy, variant)
    for game, number in enumerate(backend.to_host(made.placements)[:, 0].tolist()):
        placements, _ = alone(Now(*(array[game : game + 1] for array in now)))
        assert placements.placements[0, 0] == number


def test_measuring_with_misses_can_be_resumed(tmp_path: Path) -> None:
    """Two games at once, and one after the other, are the same two; a run without misses is another one."""
    variant, path = Variant("30hz+tuck", "nes", 19, 2, miss=(0.5, 0.1)), tmp_path / "games"
    whole = evaluate(variant=variant, count=2, seed=7)
    evaluate(variant=variant, count=1, seed=7, checkpoint=path)
    assert evaluate(variant=variant, count=2, seed=7, resume=path).score == whole.score
    with pytest.raises(BadInput, match="checkpoint"):
        evaluate(variant=replace(variant, miss=()), count=2, seed=7, resume=path)
    assert "miss" not in replace(variant, miss=()).settings  # as in checkpoints from before


def test_draws_follow_the_chances() -> None:
    """Of 3,000 draws with a chance of 0.2, 600 are to be expected, with a standard deviation of 22."""
    chances = np.array([0.0, 0.2, 0.8, 0.0])
    drawn = [_drawn(chances, [number, 5]) for number in range(3000)]
    assert set(drawn) == {1, 2}
    assert abs(drawn.count(1) - 600) < 110
    assert [miss_of(frames, (0.5, 0.2)) for frames in (1, 2, 3)] == [0.5, 0.2, 0]


@pytest.mark.parametrize("miss", ["", "  "])
def test_no_text_is_no_chance(miss: str) -> None:
    with pytest.raises(BadInput, match=r"^miss: expected numbers from 0 to 1 separated by commas"):
        misses_of(miss)


def test_what_cannot_count_on_misses_says_so() -> None:
    """Weights, simple policies and trainings."""
    variant = replace(RULES, miss=(0.1,))
    with pytest.raises(BadInput, match="expected a player with a learned value, not published"):
        suggest(LEDGE, "J", player="published", variant=variant)
    with pytest.raises(BadInput, match="policy greedy: expected two-piece or branching where presses can be missed"):
        play(policy="greedy", variant=variant)
    with pytest.raises(BadInput, match="not published"):
        evaluate("published", variant=variant)
    for training in (train, train_value):
        with pytest.raises(BadInput, match=r"miss 0\.1: expected none in a training"):
            training(variant=variant)
