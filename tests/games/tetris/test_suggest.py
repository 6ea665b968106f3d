"""Suggestions by a learned value."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from games.tetris.oracle import slow_least, some_boards, some_value
from gpusolve.backend import Backend, open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import play, review, suggest
from gpusolve.games.tetris.measuring.advice import AdvicePolicy
from gpusolve.games.tetris.players.value import untrained
from gpusolve.games.tetris.rules import sources
from gpusolve.games.tetris.rules.board import State
from gpusolve.games.tetris.rules.losses import stakes
from gpusolve.games.tetris.variant import Variant

CPU = open_backend("cpu:1")


@pytest.mark.parametrize(("piece", "following", "lines"), [(4, None, 0), (2, 0, 0), (0, 5, 137), (6, 1, 227)])
def test_the_value_of_a_suggestion_is_what_is_about_to_be_lost(
    backend: Backend, piece: int, following: int | None, lines: int
) -> None:
    learned, variant = some_value(5), Variant("30hz", max_lines=230)
    at_stake, board = stakes(19, 230), some_boards(9, 1)[0]
    expected: dict[State, float] = {}
    chances = sources.transitions("uniform8")[piece] if following is None else np.ones(1, np.int64)
    for _, state, after, then in slow_least(learned, board, piece, lines, variant):
        leasts = []
        for other in range(7) if following is None else [following]:
            second = slow_least(learned, after, other, then, variant) if then < 230 else []
            leasts.append(second[0][0] if second else int(at_stake.future[then]))
        expected[state] = int(at_stake.lost[lines, then - lines]) + int(chances @ leasts) / int(chances.sum())
    ranked = suggest(board, piece, following, player=learned, lines=lines, variant=variant, playouts=4, backend=backend)
    assert {suggestion.state: suggestion.value for suggestion in ranked} == expected
    assert [suggestion.value for suggestion in ranked[1:]] == sorted(each.value for each in ranked[1:])
    assert [each.loss for each in ranked] == [max(0, each.value - ranked[0].value) for each in ranked]
    assert all(suggestion.prospect is not None for suggestion in ranked[:5])


@pytest.mark.parametrize(("player", "policy"), [(None, "two-piece"), (None, "branching"), ("published", "branching")])
@pytest.mark.parametrize("following", ["S", None])
def test_all_placements_are_ranked_by_one_value(
    player: str | None, policy: AdvicePolicy, following: str | None
) -> None:
    """Also those that games leave out: the best one loses nothing, and every other one its difference."""
    board, variant = "#.....#..#/#.....#.#./##.#.#####/#########./#########.", Variant("12hz", start_level=18)
    ranked = suggest(board, "L", following, player=player, policy=policy, variant=variant, playouts=0, backend=CPU)
    values = [each.value for each in ranked]
    assert values == sorted(values)
    assert [each.loss for each in ranked] == [value - values[0] for value in values]
    assert ranked.plan == () or following is None or ranked.plan[0].state == ranked[0].state


@pytest.mark.parametrize("delay_ms", [0, 300])
def test_a_placement_that_looks_bad_at_first_can_be_best(delay_ms: int) -> None:
    """On this board a game leaves out the placements that are best with the next piece, and loses 151,529 points."""
    variant = Variant("30hz+tuck", start_level=18, delay_ms=delay_ms)
    board = "#####...../.........#/....######/....######/...#######"
    advice = suggest(board, "J", "T", level=19, variant=variant, playouts=0, backend=CPU)
    [then] = [each for each in advice.plan if each.following == advice.position.following]
    assert then.state == advice[0].state
    game = play(start=advice.position, seed=1, backend=CPU)
    made = game.turns[0].state
    assert [each.loss for each in advice if each.state == made] == [151_529]
    judged = review(game, playouts=0, backend=CPU)[0]
    assert (judged.state, judged.best, judged.loss) == (made, advice[0].state, 151_529)


@pytest.mark.parametrize("policy", ["two-piece", "branching"])
def test_an_ended_game_is_worth_least(policy: AdvicePolicy) -> None:
    """Even for a value that expects to lose more than there is: an O on top of the stack leaves no room."""
    value = untrained()
    value = replace(value, endgame=value.endgame + 30_000_000)
    board, variant = "....##..../" * 18, Variant("30hz", start_level=18)
    ranked = suggest(board, "O", "O", player=value, policy=policy, variant=variant, playouts=0, backend=CPU)
    assert max(each.value for each in ranked[:-3]) > stakes(18, 230).future[0]
    assert {each.column for each in ranked[-3:]} == {4, 5, 6}
    assert ranked[-3].value > ranked[-4].value


def test_a_level_determines_the_lines() -> None:
    learned, board = some_value(5), "#########./" * 3
    by_level = suggest(board, "T", "I", player=learned, level=20, playouts=0, backend=CPU)
    by_lines = suggest(board, "T", "I", player=learned, lines=140, playouts=0, backend=CPU)
    assert by_level == by_lines != suggest(board, "T", "I", player=learned, playouts=0, backend=CPU)
    assert by_level.level == 20
    with pytest.raises(BadInput, match="level 20: expected without lines"):
        suggest(board, "T", "I", player=learned, level=20, lines=140, backend=CPU)


def test_a_position_belongs_to_a_game_that_lasts_as_long() -> None:
    variant = Variant("30hz", start_level=18)
    assert variant.game_at() == (variant, 0)
    assert variant.game_at(lines=229) == (variant, 229)
    assert variant.game_at(level=29) == (replace(variant, max_lines=430), 230)
    assert variant.game_at(lines=430) == (replace(variant, max_lines=10_000), 430)
    assert variant.game_at(level=5) == (replace(variant, start_level=5), 0)
    with pytest.raises(BadInput, match="lines 300: expected fewer, the game is over with 300"):
        replace(variant, max_lines=300).game_at(lines=300)
    with pytest.raises(BadInput, match="level 256"):
        variant.game_at(level=256)
