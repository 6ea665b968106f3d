"""The environment for Gymnasium: its games are those of the rules, and Gymnasium's own check passes."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from gpusolve.backend import Backend  # noqa: E402
from gpusolve.errors import BadInput  # noqa: E402
from gpusolve.games.tetris import Position, Variant, environment, suggest  # noqa: E402
from gpusolve.games.tetris.environment import ACTIONS, ID, NESTetrisVector, action_of  # noqa: E402
from gpusolve.games.tetris.recording import drawn_pieces  # noqa: E402
from gpusolve.games.tetris.rules.board import can_spawn, level_at, place, points  # noqa: E402
from gpusolve.games.tetris.rules.reachability import plans, timed_paths  # noqa: E402
from gpusolve.games.tetris.rules.sources import Source, pieces  # noqa: E402


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
@pytest.mark.parametrize("delay_ms", [0, 300])
def test_gymnasium_s_check_passes(mode: str, delay_ms: int) -> None:
    check_env(gymnasium.make(ID, device="cpu:1", render_mode=mode, reach="30hz", delay_ms=delay_ms).unwrapped)


def some_action(mask: npt.NDArray[np.int8], random: np.random.Generator, low: bool = True) -> npt.NDArray[np.int64]:
    """Return a legal action for each game: the lowest placement, or any."""
    rows = np.arange(ACTIONS) // 10 % 22 if low else 0
    chosen: npt.NDArray[np.int64] = np.where(mask, rows + random.random(mask.shape), -1).argmax(axis=1)
    return chosen


def test_games_are_those_of_the_rules(backend: Backend) -> None:
    """Boards, lines, rewards and ends are replayed; every mask of the first pieces is what the rules reach."""
    rules: dict[str, Any] = {"reach": "30hz", "source": "nes", "start_level": 18, "max_lines": 5}
    games = gymnasium.make_vec(ID, num_envs=3, device=backend, **rules)
    assert isinstance(games.unwrapped, NESTetrisVector)
    seen, info = games.reset(seed=7)
    random, seed = np.random.default_rng(1), 7
    number, dealt = [0, 1, 2], 3
    boards, lines, turns, over, ends = [np.zeros((22, 10), np.uint8)] * 3, [0] * 3, [0] * 3, [False] * 3, 0
    for step in range(45):
        assert games.observation_space.contains(seen)
        actions = some_action(info["action_mask"], random)
        for game in range(3):
            piece, following = islice(pieces(seed, number[game], "nes"), turns[game], turns[game] + 2)
            assert (seen["piece"][game], seen["following"][game]) == (piece, following)
            assert (seen["board"][game] == boards[game]).all()
            assert (seen["lines"][game, 0], seen["level"][game, 0]) == (lines[game], level_at(lines[game], 18))
            if step < 4:
                reached = timed_paths(boards[game], piece, "30hz", level_at(lines[game], 18))
                assert (
                    sorted(action_of(*state) for state in reached) == np.flatnonzero(info["action_mask"][game]).tolist()
                )
        seen, rewards, ended, cut, info = games.step(actions)
        assert not cut.any()
        for game in range(3):
            if over[game]:
                boards[game], lines[game], turns[game], over[game] = np.zeros((22, 10), np.uint8), 0, 0, False
                number[game], dealt = dealt, dealt + 1
                assert (rewards[game], ended[game]) == (0, False)
                continue
            piece, following = islice(pieces(seed, number[game], "nes"), turns[game], turns[game] + 2)
            orientation, row = divmod(int(actions[game]) // 10, 22)
            boards[game], cleared, _ = place(boards[game], piece, (orientation, row, int(actions[game]) % 10))
            lines[game], turns[game] = lines[game] + cleared, turns[game] + 1
            assert rewards[game] == points(cleared, lines[game], 18)
            over[game] = lines[game] >= 5 or not can_spawn(boards[game], following)
            assert ended[game] == over[game]
            ends += over[game]
    assert ends


def test_an_action_that_is_not_legal_ends_its_game_alone() -> None:
    games = gymnasium.make_vec(ID, num_envs=4, device="cpu:1")
    _, info = games.reset(seed=1)
    actions = some_action(info["action_mask"], np.random.default_rng(1))
    actions[1:] = [np.flatnonzero(info["action_mask"][1] == 0)[0], ACTIONS, -1]
    seen, rewards, ended, _, info = games.step(actions)
    assert ended.tolist() == [False, True, True, True]
    assert (rewards == 0).all()
    assert not seen["board"][1:].any()
    _, _, ended, _, info = games.step(some_action(info["action_mask"], np.random.default_rng(2)))
    assert not ended.any()
    assert (info["action_mask"].sum(axis=1) > 0).all()


def test_room_for_few_placements_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    for usual in (environment.USUAL, 5):
        monkeypatch.setattr(environment, "USUAL", usual)
        games = gymnasium.make_vec(ID, num_envs=4, device="cpu:1")
        _, info = games.reset(seed=1)
        random = np.random.default_rng(1)
        for _ in range(6):
            boards, *_, info = games.step(some_action(info["action_mask"], random, low=False))
        seen.append((boards["board"], info["action_mask"]))
    assert all((one == other).all() for one, other in zip(*seen, strict=True))


def test_the_seed_decides() -> None:
    """The same seed deals the same pieces, another one others; without one the pieces go on."""
    games = gymnasium.make_vec(ID, num_envs=64, device="cpu:1")
    dealt = [games.reset(seed=seed)[0]["piece"] for seed in (5, 5, 6, None)]
    assert (dealt[0] == dealt[1]).all()
    assert (dealt[0] != dealt[2]).any()
    assert (dealt[2] != dealt[3]).any()
    one = gymnasium.make(ID, device="cpu:1")
    assert one.reset(seed=5)[0]["piece"] == dealt[0][0]


def first_pieces(seed: int, number: int) -> list[int]:
    return [*islice(pieces(seed, number, "nes"), 0, 2)]


def shown(seen: dict[str, npt.NDArray[Any]]) -> list[list[int]]:
    return [[int(piece), int(then)] for piece, then in zip(seen["piece"], seen["following"], strict=True)]


def test_each_game_can_have_its_own_seed() -> None:
    """Game 0 of its seed, and then 1, 2, ... in its place; those with None have a random seed."""
    games = gymnasium.make_vec(ID, num_envs=3, device="cpu:1", source="nes")
    seen, _ = games.reset(seed=[9, None, 4])
    assert [shown(seen)[0], shown(seen)[2]] == [first_pieces(9, 0), first_pieces(4, 0)]
    games.step(np.full(3, -1))  # not legal, so all games end
    seen, *_ = games.step(np.zeros(3, np.int64))
    assert [shown(seen)[0], shown(seen)[2]] == [first_pieces(9, 1), first_pieces(4, 1)]
    seen, _ = games.reset(seed=5)
    assert shown(seen) == [first_pieces(5, number) for number in range(3)]
    randoms = {games.reset(seed=[None] * 3) and games.unwrapped._own[0][0] for _ in range(3)}
    assert len(randoms) == 3


def test_a_mask_starts_some_games_only() -> None:
    games = gymnasium.make_vec(ID, num_envs=3, device="cpu:1", source="nes")
    random = np.random.default_rng(1)
    seen, info = games.reset(seed=8)
    for _ in range(4):
        seen, *_, info = games.step(some_action(info["action_mask"], random))
    games.step(np.where(np.arange(3) == 1, -1, some_action(info["action_mask"], random)))  # game 1 ends
    before = games.reset(options={"reset_mask": np.array([True, True, False])})[0]
    assert shown(before)[:2] == [first_pieces(8, 3), first_pieces(8, 4)]
    assert not before["board"][:2].any()
    assert before["board"][2].any()
    options = {"reset_mask": np.array([False, True, False])}
    seen, info = games.reset(seed=[1, 2, 3], options=options)
    assert shown(seen) == [shown(before)[0], first_pieces(2, 0), shown(before)[2]]
    assert list(options) == ["reset_mask"]
    _, _, ended, _, _ = games.step(some_action(info["action_mask"], random))
    assert not ended.any()


@pytest.mark.parametrize(
    ("seed", "options"),
    [
        ([1, 2], None),
        ([1, 2, -1], None),
        ([1, 2, 0.5], None),
        ([1, 2, True], None),
        (True, None),
        (1.5, None),
        (np.array(5), None),
        (None, {"reset_mask": [True, False, False]}),
        (None, {"reset_mask": np.zeros(3, np.bool_)}),
        (None, {"reset_mask": np.ones(2, np.bool_)}),
        (None, {"reset_mask": np.ones(3, np.int8)}),
    ],
)
def test_wrong_seeds_and_masks_are_refused_and_change_nothing(seed: Any, options: Any) -> None:
    games = NESTetrisVector(3, device="cpu:1", source="nes")
    games.reset(seed=8)
    with pytest.raises((BadInput, TypeError)):
        games.reset(seed=seed, options=options)
    games.step(np.full(3, -1))
    assert shown(games.step(np.zeros(3, np.int64))[0]) == [first_pieces(8, number) for number in range(3, 6)]


@pytest.mark.parametrize(
    "actions",
    [np.array([0.5, 1, 2]), np.array([np.nan, 1, 2]), np.array([0.0, 1, 2]), np.zeros(2, np.int64), ["a", "b", "c"]],
)
def test_actions_that_are_no_whole_numbers_are_refused(actions: Any) -> None:
    games = NESTetrisVector(3, device="cpu:1")
    games.reset(seed=8)
    with pytest.raises(BadInput, match="actions: expected 3 whole numbers"):
        games.step(actions)
    one = gymnasium.make(ID, device="cpu:1").unwrapped
    one.reset(seed=1)
    with pytest.raises(BadInput):
        one.step(0.5)


@pytest.mark.parametrize("source", ["uniform8", "nes"])
def test_games_can_start_from_a_position(source: Source) -> None:
    """Each goes on with the pieces of `play` from there; an action that is not legal starts it again."""
    variant = Variant("30hz", source, 18, 430, double_killscreen=True)
    start = Position.parse("####...###/####..####/#########. T I 360")
    games = gymnasium.make_vec(ID, num_envs=3, device="cpu:1", **vars(variant))
    seen, info = games.reset(seed=7, options={"position": str(start)})
    random = np.random.default_rng(1)
    for turn in range(5):
        for game in range(3):
            drawn = [*islice(drawn_pieces(7, game, variant, start), turn, turn + 2)]
            assert [seen["piece"][game], seen["following"][game]] == drawn
        if not turn:
            assert (seen["board"] == start.board).all()
            assert (seen["lines"].tolist(), seen["level"].tolist()) == ([[360]] * 3, [[42]] * 3)
            advice = suggest(start.board, "T", "I", lines=360, variant=variant, playouts=0)
            legal = np.flatnonzero(info["action_mask"][0]).tolist()
            assert sorted(action_of(*each.state) for each in advice) == legal
        seen, *_, info = games.step(some_action(info["action_mask"], random))
    games.step(np.full(3, -1))
    seen, _, _, _, info = games.step(np.zeros(3, np.int64))
    assert (seen["board"] == start.board).all()
    assert not games.reset(seed=7)[0]["board"].any()
    for wrong in ("##########", "#......... T", start, 5):
        with pytest.raises((BadInput, TypeError)):
            gymnasium.make_vec(ID, device="cpu:1").reset(options={"position": wrong})


def test_a_mask_is_what_sample_takes_and_boards_are_drawn() -> None:
    one = gymnasium.make(ID, device="cpu:1", render_mode="ansi")
    with pytest.raises(gymnasium.error.ResetNeeded):
        one.unwrapped.games.step(np.zeros(1, np.int64))
    seen, info = one.reset(seed=3)
    action = one.action_space.sample(info["action_mask"])
    seen, reward, ended, cut, info = one.step(action)
    assert (type(reward), ended, cut, int(seen["board"].sum())) == (float, False, False, 4)
    assert one.render().count("#") == 4
    assert gymnasium.make(ID, device="cpu:1").render_mode is None


def test_pictures_show_the_board_and_the_pieces() -> None:
    games = gymnasium.make_vec(ID, num_envs=2, device="cpu:1", reach="30hz", delay_ms=300, render_mode="rgb_array")
    assert games.unwrapped.render() is None
    start = Position.parse("####...###/#########. T I 12", games.unwrapped.variant)
    _, info = games.reset(seed=1, options={"position": start})
    colours = environment.PALETTE

    def count(image: npt.NDArray[np.uint8], colour: int) -> int:
        middle = image[8::16, 8::16]
        return int((middle == colours[colour]).all(axis=2).sum())

    for image in games.render():
        assert (image.shape, image.dtype) == ((352, 272, 3), np.uint8)
        assert [count(image, number) for number in (3, 0, environment.FILLED)] == [4, 0, 16]  # the I is not known yet
    games.step(some_action(info["action_mask"], np.random.default_rng(1)))
    assert [count(games.render()[0], number) for number in (3, 0, environment.FILLED)] == [4, 4, 16]


def test_with_a_reaction_time_a_piece_takes_two_steps(backend: Backend) -> None:
    """First an aim, while the next piece is hidden; then one of the placements that a plan of the rules leaves."""
    rules: dict[str, Any] = {"reach": "12hz", "source": "nes", "start_level": 18, "max_lines": 8, "delay_ms": 300}
    games = gymnasium.make_vec(ID, num_envs=3, device=backend, **rules)
    seen, info = games.reset(seed=7)
    random, choices = np.random.default_rng(1), 0
    boards, turns, lines, over = [np.zeros((22, 10), np.uint8)] * 3, [0] * 3, [0] * 3, [False] * 3
    for _ in range(12):
        assert games.observation_space.contains(seen)
        assert seen["following"].tolist() == [7] * 3
        aims = some_action(info["action_mask"], random)
        seen, rewards, ended, _, info = games.step(aims)
        assert not rewards.any()
        assert not ended.any()
        for game in range(3):
            piece, following = islice(pieces(7, game, "nes"), turns[game], turns[game] + 2)
            assert (seen["piece"][game], seen["following"][game]) == (piece, following)
            assert (seen["board"][game] == boards[game]).all()
            left = [
                {action_of(*state) for state in plan}
                for plan in plans(boards[game], piece, "12hz", level_at(lines[game], 18), delay=18)
            ]
            most = max(len(plan) for plan in left if int(aims[game]) in plan)
            mine = {*np.flatnonzero(info["action_mask"][game]).tolist()}
            assert mine == next(plan for plan in left if int(aims[game]) in plan and len(plan) == most)
            choices += len(mine) > 1
        actions = some_action(info["action_mask"], random)
        seen, rewards, ended, _, info = games.step(actions)
        for game in range(3):
            piece, following = islice(pieces(7, game, "nes"), turns[game], turns[game] + 2)
            orientation, row = divmod(int(actions[game]) // 10, 22)
            boards[game], cleared, _ = place(boards[game], piece, (orientation, row, int(actions[game]) % 10))
            lines[game], turns[game] = lines[game] + cleared, turns[game] + 1
            assert rewards[game] == points(cleared, lines[game], 18)
            over[game] = lines[game] >= 8 or not can_spawn(boards[game], following)
            assert ended[game] == over[game]
        if any(over):
            break
    assert choices


def test_games_with_a_reaction_time_end_and_start_alone() -> None:
    games = gymnasium.make_vec(ID, num_envs=3, device="cpu:1", reach="30hz", source="nes", delay_ms=300)
    random = np.random.default_rng(1)
    seen, info = games.reset(seed=8)
    actions = some_action(info["action_mask"], random)
    actions[1] = -1
    seen, _, ended, _, info = games.step(actions)  # game 1 ends, the others have a plan
    assert (ended.tolist(), seen["following"][1]) == ([False, True, False], 7)
    known = seen["following"].tolist()
    seen, _, ended, _, info = games.step(some_action(info["action_mask"], random))
    assert not ended.any()
    assert seen["following"].tolist() == [7, 7, 7]
    assert [seen["piece"][0], seen["piece"][2]] == [known[0], known[2]]
    assert [int(seen["piece"][1])] == first_pieces(8, 3)[:1]
    assert [board.sum() for board in seen["board"]] == [4, 0, 4]
    seen, *_ = games.step(some_action(info["action_mask"], random))
    assert [int(seen["following"][1])] == first_pieces(8, 3)[1:]
    seen, _ = games.reset(options={"reset_mask": np.array([True, False, False])})
    assert (seen["following"] == 7).tolist() == [True, False, False]


def test_the_player_s_plan_can_be_followed() -> None:
    """Each adjustment of a suggested plan is among what is left after aiming at one of them."""
    variant = Variant("30hz+tuck", "nes", 18, 430, 300, double_killscreen=True)
    games = environment.NESTetris(device="cpu:1", **vars(variant))
    for text in ("####...###/####..####/#########. T I 0", "#........./##......##/###....### L S 340"):
        start = Position.parse(text, variant)
        plan = {action_of(*each.state) for each in suggest(start, playouts=0).plan}
        found = []
        for aim in plan:
            games.reset(seed=1, options={"position": start})
            _, _, _, _, info = games.step(aim)
            found.append(plan <= {*np.flatnonzero(info["action_mask"]).tolist()})
        assert any(found)


@pytest.mark.parametrize(
    "wrong",
    [
        {"num_envs": 0},
        {"reach": "free", "delay_ms": 300},
        {"hz": 31},
        {"reach": "fast"},
        {"source": "x"},
        {"max_lines": 0},
        {"render_mode": "human"},
        {"device": "x"},
    ],
)
def test_wrong_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        NESTetrisVector(**wrong)
    with pytest.raises(BadInput):
        NESTetrisVector(device="cpu:1").reset(seed=-1)
