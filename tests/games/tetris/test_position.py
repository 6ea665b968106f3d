"""Positions: their texts, and the same advice from everything that takes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.tetris.oracle import PUBLISHED, some_boards, worth
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import Variant, match, play, replay, review, suggest
from gpusolve.games.tetris.kernels import PLACEMENTS, columns_of, state_of
from gpusolve.games.tetris.measuring.advice import AdvicePolicy
from gpusolve.games.tetris.players.playing import choose
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.shipped import player_of
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.rules.board import PIECES, board_text, place
from gpusolve.games.tetris.rules.features import fixed_point
from gpusolve.games.tetris.rules.losses import stakes
from gpusolve.games.tetris.rules.reachability import frames_of_taps, plans
from gpusolve.games.tetris.rules.sources import Source, transitions
from gpusolve.testing.plugin import Done
from serve.client import Server, serving

CPU = open_backend("cpu:1")
ON_CPU = ("--device", "cpu:1", "--quiet", "--json")
PLACES = (
    "####...###/####..####/#########. T I",
    "#........./##......##/###....### L S",
    "........#./#.######../#########./#########./#########. O Z",
    "....#...../#...##..#./##.#######/########.#/#######.## J L",
)
"""Boards from flat to full of holes, each with a piece and the next one."""


RULES: dict[str, Any] = {
    "reach": "30hz+tuck", "source": "nes", "start_level": 18, "max_lines": 430, "double_killscreen": True
}  # fmt: skip
OPTIONS = (
    *("--reach", "30hz+tuck", "--source", "nes", "--start-level", "18", "--max-lines", "430"),
    "--double-killscreen",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    pytest.importorskip("starlette")
    with serving(tmp_path_factory.mktemp("served"), "--jobs", "1") as server:
        yield server


@pytest.mark.parametrize("delay_ms", [0, 300])
@pytest.mark.parametrize(
    "level", [18, 39, *(pytest.param(level, marks=pytest.mark.thorough) for level in (28, 29, 38))]
)
def test_all_ways_give_the_same_advice(
    run: Callable[..., Done], server: Server, tmp_path: Path, level: int, delay_ms: int
) -> None:
    """In Python, on the command line and by HTTP, as boards in the browser ask: suggestions, reviews, games, matches.

    And the environment has the same placements.
    """
    variant = Variant(delay_ms=delay_ms, **RULES)
    lines, player = variant.line_of(level), player_of(None, variant)

    def asked(command: str, *words: str) -> dict[str, Any]:
        options = [*OPTIONS, "--delay-ms", str(delay_ms), *ON_CPU]
        found: dict[str, Any] = json.loads(run("tetris", command, *words, *options).out)
        return found

    def requested(command: str, **fields: Any) -> dict[str, Any]:
        rules = RULES | {"delay_ms": delay_ms}
        status, found = server.call(f"tetris/{command}", rules | fields)
        assert status == 200, found
        return dict(found)

    for text in PLACES:
        position = Position.parse(f"{text} {lines}", variant)
        board, piece, following = text.split()
        advice = suggest(position, playouts=0, backend=CPU)
        best, placed = advice[0], advice[-1]
        assert (advice.level, advice.player, advice.position) == (level, player.name, position)
        best_place, placement = (best.column, best.turned, best.row), (placed.column, placed.turned, placed.row)
        for ways in (
            suggest(board, piece, following, lines=lines, variant=variant, playouts=0, backend=CPU),
            suggest(position.board, piece, following, level=level, variant=variant, playouts=0, backend=CPU),
            suggest(str(position), variant=variant, playouts=0, backend=CPU),
        ):
            assert ways == advice
        shown = advice.to_json()
        given = {"board": board, "piece": piece, "following": following, "playouts": 0}
        for found in (
            asked("suggest", board, piece, following, "--level", str(level), "--playouts", "0"),
            asked("suggest", str(position), "--playouts", "0"),
            requested("suggest", **given, level=level, top=100),
            requested("suggest", board=str(position), playouts=0, top=100),
        ):
            rows = found.pop("rows")
            assert rows == shown["rows"][: len(rows)]
            assert {name: found[name] for name in shown.keys() - {"rows"}} == {
                name: value for name, value in shown.items() if name != "rows"
            }

        after, _, _ = place(position.board, position.piece, placed.state)
        game = [(board, piece), (after, following)]
        [judged] = review(game, lines=lines, variant=variant, playouts=0, backend=CPU).rows
        assert (judged.best, judged.best_value, judged.value) == (best.state, best.value, placed.value)
        assert (judged.loss, judged.level, judged.count) == (placed.loss, level, len(advice))
        listed = f"{board} {piece} {','.join(map(str, placement))}\n{board_text(after)} {following}"
        (tmp_path / "game").write_text(listed, encoding="utf-8")
        for found in (
            asked("review", str(tmp_path / "game"), "--lines", str(lines), "--playouts", "0"),
            requested("review", game={"content": listed}, lines=lines, playouts=0),
        ):
            row = found["rows"][0]
            assert (row["best_place"], row["best_value"]) == ([*best_place], best.value)
            assert (row["place"], row["value"], row["loss"]) == ([*placement], placed.value, placed.loss)

        placements, chosen = choose(
            player, columns_of(position.board[None]), [position.piece], following=position.pieces[1:], levels=level,
            lines=lines, policy=Policy("two-piece"), variant=variant, backend=CPU,
        )  # fmt: skip
        assert state_of(position.piece, int(placements.placements[0, chosen[0]])) == best.state
        environment = pytest.importorskip("gpusolve.games.tetris.environment")
        games = environment.NESTetris(device="cpu:1", **vars(variant))
        seen, info = games.reset(seed=1, options={"position": position})
        assert (int(seen["level"][0]), int(seen["lines"][0])) == (level, lines)
        legal = {environment.action_of(*each.state) for each in advice}
        assert legal == {*np.flatnonzero(info["action_mask"]).tolist()}
    if level >= 38:
        played = play(start=position, seed=1, backend=CPU)
        assert (played.player, played.turns[0].state) == (player.name, best.state)
        assert review(played, playouts=0, backend=CPU).rows[0].best == best.state
        found = requested("play", start=str(position), seed=1)
        assert found["turns"] == played.to_json()["turns"]
        played.save(tmp_path / "game.json")
        [own] = [match(tmp_path / "game.json", backend=CPU)]
        assert (own.player.name, own.ours.scores.tolist()) == (player.name, [[played.score]])
        assert (own.ours.lines.tolist(), own.difference.estimate.mean) == ([[played.lines]], 0)


def test_a_position_has_its_rules() -> None:
    variant = Variant("30hz", start_level=18)
    position = Position.parse("#########. I T 297", variant)
    assert (position.variant, position.level) == (replace(variant, max_lines=430), 35)
    assert position == Position.of("#########.", 0, 3, lines=297, variant=variant)
    assert position != Position.parse("#########. I T 297")
    assert Position.of("#########. I", level=29, variant=variant).lines == 230
    for wrong in ({"lines": 3}, {"piece": "I"}, {"variant": Variant("15hz")}):
        with pytest.raises(BadInput, match="position: expected without"):
            suggest(position, **wrong, playouts=0, backend=CPU)
    with pytest.raises(BadInput, match="expected without lines, which are given as an option"):
        suggest("#########. I T 297", level=18, playouts=0, backend=CPU)
    with pytest.raises(BadInput, match="position: expected without"):
        play(start=position, variant=Variant("15hz"), backend=CPU)


@pytest.mark.parametrize(("policy", "breadths"), [("two-piece", None), ("branching", "6,3"), ("branching", (5, 3, 2))])
@pytest.mark.parametrize("delay_ms", [0, 300])
def test_the_plan_is_what_the_player_does(policy: AdvicePolicy, breadths: Any, delay_ms: int) -> None:
    """Each adjustment is the placement that the player makes with that next piece, and worth what `suggest` says."""
    variant = Variant(delay_ms=delay_ms, **RULES)
    asked = partial(suggest, policy=policy, breadths=breadths, playouts=0, backend=CPU)
    for text in PLACES[:2]:
        position = replace(Position.parse(text, variant), following=None)
        advice = asked(position)
        assert [each.following for each in advice.plan] == [*range(7)]
        chances = transitions("nes")[position.piece]
        assert [each.chance for each in advice.plan] == (chances / chances.sum()).tolist()
        for each in advice.plan:
            known = asked(replace(position, following=each.following))
            assert (known[0].state, known[0].value) == (each.state, each.value)
            assert known.score == each.score == stakes(18, 430).future[0] - each.value
            assert len(known.plan) == (7 if delay_ms else 1)
            assert each in known.plan
        assert advice.score == pytest.approx(sum(each.chance * (each.score or 0) for each in advice.plan))
        if policy == "branching":  # the search leaves out placements that advice rates
            continue
        plan = Policy("branching", (PLACEMENTS,))  # two pieces, after every placement: games leave some out
        placements, chosen = choose(
            player_of(None, variant), np.repeat(columns_of(position.board[None]), 7, axis=0), [position.piece] * 7,
            following=range(7), levels=18, policy=plan, variant=variant, backend=CPU,
        )  # fmt: skip
        made = placements.placements[range(7), chosen].tolist()
        assert [each.state for each in advice.plan] == [state_of(position.piece, number) for number in made]


def test_a_branching_value_is_the_expectation_over_what_follows() -> None:
    """With breadths (k, all) a placement is worth the best reply, by its expectation over the piece after it."""
    variant = Variant("30hz", max_lines=230)
    [text] = PLACES[1:2]
    position = Position.parse(text, variant)
    asked = partial(suggest, playouts=0, variant=variant, backend=CPU)
    wide = asked(position.board, position.piece, position.following, policy="branching", breadths="3,200")
    for each in wide[:6]:
        after, cleared, _ = place(position.board, position.piece, each.state)
        at_stake = stakes(19, 230)
        then = asked(after, position.following, lines=cleared)  # the next piece is not known
        assert each.value == pytest.approx(int(at_stake.lost[0, cleared]) + min(one.value for one in then))


def test_games_to_the_end_give_the_score_and_its_deviation() -> None:
    variant = Variant("30hz", "nes", 18, 430, double_killscreen=True)
    position = Position.parse(f"{PLACES[0]} 420", variant)
    advice = suggest(position, games=8, playouts=0, seed=3, backend=CPU)
    assert advice == suggest(position, games=8, playouts=0, seed=3, backend=CPU)
    [only] = advice.plan
    assert only.mean is not None
    assert only.deviation is not None
    assert only.error == pytest.approx(only.deviation / 8**0.5)
    assert (advice.mean, advice.deviation) == pytest.approx((only.mean, only.deviation))
    assert 0 <= only.mean <= stakes(18, 430).future[420] + 4 * 300 * 50
    unknown = suggest(replace(position, following=None), games=4, playouts=0, seed=3, backend=CPU)
    means = [each.mean or 0 for each in unknown.plan]
    chances = [each.chance for each in unknown.plan]
    assert unknown.mean == pytest.approx(np.dot(means, chances))
    squares = [(each.deviation or 0) ** 2 + (each.mean or 0) ** 2 for each in unknown.plan]
    assert unknown.deviation == pytest.approx((np.dot(squares, chances) - np.dot(means, chances) ** 2) ** 0.5)


@pytest.mark.parametrize("text", ["#........./##......#./#########. O O", "#########./" * 4 + " I O"])
def test_advice_by_branching_with_weights_is_the_expectation_of_its_definition(text: str) -> None:
    """Every placement is worth V of the published program, in the weights' unit."""
    board, piece, following = (position := Position.parse(text)).board, position.piece, position.following
    assert following is not None
    advice = suggest(position, player=PUBLISHED, policy="branching", breadths=(3, 2), playouts=0, backend=CPU)
    assert advice[0].value == min(each.value for each in advice)
    shift = fixed_point(PUBLISHED)[1]
    for each in advice[:10]:
        after, cleared, _ = place(board, piece, each.state)
        value = worth(after, following, 1, int(cleared == 4), (3, 2)) / 56
        assert each.value == pytest.approx(value / 2**shift)
    [move] = review([(position.board, PIECES[piece], (1, 0))], player=PUBLISHED, policy="branching", playouts=0)
    assert (
        move.best
        == suggest(replace(position, following=None), player=PUBLISHED, policy="branching", playouts=0)[0].state
    )


def test_a_placement_that_ends_the_game_has_only_its_own_points() -> None:
    position = Position.parse("#########./" * 4 + " I T 226", Variant("30hz", start_level=18, max_lines=230))
    advice = suggest(position, player="30hz", games=2, playouts=0, backend=CPU)
    assert advice[0].tetris
    assert (advice.mean, advice.deviation, advice.score) == (1200 * 30, 0, None)


@pytest.mark.parametrize("following", [None, "S"])
def test_with_a_reaction_time_the_advice_is_a_plan(following: str | None) -> None:
    """All adjustments of the plan are placements that one plan of the rules leaves; presses are those of that plan."""
    variant = Variant("30hz+tuck", "nes", 18, 430, 300, double_killscreen=True)
    for text in PLACES:
        position = Position.parse(text, variant)
        advice = suggest(position.board, position.piece, following, level=29, variant=variant, playouts=0, backend=CPU)
        adjusted = {then: each for each in advice for then in each.when}
        assert sorted(adjusted) == [*range(7)]
        listed = plans(position.board, position.piece, "30hz+tuck", 29, delay=18)
        assert any({each.state: each.presses for each in adjusted.values()}.items() <= plan.items() for plan in listed)
        if following is None:
            chances = transitions("nes")[position.piece]
            likely = [sum(chances[then] for then in each.when) for each in advice]
            assert likely[0] == max(likely)
        else:
            assert adjusted[PIECES.index(following)] == advice[0]
        assert [each.value for each in advice[1:]] == sorted(each.value for each in advice[1:])


def test_without_a_piece_to_follow_a_plan_there_are_no_adjustments() -> None:
    assert not any(each.when for each in suggest("#########.", "I", "T", playouts=0, backend=CPU))


@pytest.mark.parametrize("source", ["uniform8", "nes"])
def test_a_game_that_starts_from_a_position_can_be_saved_and_replayed(source: Source, tmp_path: Path) -> None:
    variant = Variant("30hz", source, 18, 240)
    start = Position.parse("####...###/####..####/#########. T 225", variant)
    played = play("30hz", start=start, playouts=2, seed=7, backend=CPU)
    played.save(tmp_path / "game.json")
    assert vars(replay(tmp_path / "game.json")) == vars(replace(played, prospects=()))
    assert (played.turns[0].piece, played.turns[0].level, played.first_lines) == (PIECES.index("T"), 28, 225)
    assert played.lines >= 240
    assert len(played.prospects) == len(played.turns)
    assert [turn.piece for turn in played.turns] == [*islice(played.drawn, len(played.turns))]
    after, before = next(played.boards)
    assert (before == start.board).all()
    assert (after == place(start.board, start.piece, played.turns[0].state)[0]).all()
    longer = play("30hz", start=replace(start, following=played.turns[1].piece), seed=7, backend=CPU)
    assert longer.turns[0] == played.turns[0]
    other = play("30hz", start=replace(start, following=played.turns[1].piece), seed=8, backend=CPU)
    assert other.turns[0] == played.turns[0]
    assert other.turns != longer.turns
    played.save(tmp_path / "game.json")
    own = match(tmp_path / "game.json", player="30hz", backend=CPU)
    assert (own.ours.scores[0].tolist(), own.checked) == ([played.score], 1)
    (tmp_path / "games.csv").write_text(f"pieces,score,lines,game\nITL,{played.score},{played.lines},game.json\n")
    with pytest.raises(BadInput, match="game from a position: expected one from the empty board"):
        match(tmp_path / "games.csv", player="30hz", variant=variant, backend=CPU)


def test_a_position_beyond_the_usual_last_line_is_played_on() -> None:
    played = play("published", policy="greedy", start="########.. I T 9990", seed=1, backend=CPU)
    assert played.variant.max_lines == 10_000
    assert played.turns[0].level == 1005
    over = play("published", policy="greedy", start="....##..../" * 20 + " T I", seed=1, backend=CPU)
    assert (over.turns, over.lines, over.score) == ([], 0, 0)


def test_texts_lead_back_to_positions() -> None:
    for text in PLACES:
        assert str(Position.parse(text)) == text
        assert str(Position.parse(f"{text} 17")) == f"{text} 17"
    assert str(Position.parse(".......... i")) == ".......... I"
    assert Position.parse("0 0 0 0 0 0 0 0 0 f S 12") == Position.of(".........#/" * 4, 5, lines=12)
    for board in some_boards(3, 20):
        position = Position(board, 2, 4, 33)
        assert (Position.parse(str(position)).board == board).all()
        assert hash(Position.parse(str(position))) == hash(position)


def test_a_board_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "board").write_text("#########.\n#########.\n", encoding="utf-8")
    advice = suggest(tmp_path / "board", "I", "T", mine="10,1", playouts=0, backend=CPU)
    assert advice == suggest("#########./" * 2, 0, 3, mine=(10, 1), playouts=0, backend=CPU)
    assert advice.mine is not None
    assert advice.mine.suggestion.column == 10


EMOJI = "⬛⬛⬛⬛⬛⬛⬛⬛⬛⬛\n🟦🟦🟦🟦🟥🟥⬜⬜🟧⬛\n🟩\ufe0f🟪🟫🟨⬜⬜⬜⬜⬜⬛"
NUMBERS = [[0] * 10, [1, 1, 1, 1, 2, 2, 3, 3, 7, 0], [4, 5, 6, 7, 8, 9, 10, 1, 1, 0]]


@pytest.mark.parametrize(
    "text",
    [
        EMOJI,
        "⬜⬜⬜⬜⬜⬜⬜⬜⬜⬜/🟦🟦🟦🟦🟥🟥🟧🟧🟧⬜/🟩🟩🟩🟩🟩🟩🟩🟩🟩⬜",
        "IIIIZZOOL./SSTTTJJJJ.",
        "iiii zzool.\nSSTTTJJJJ_",
        json.dumps(NUMBERS),
        json.dumps([number for row in NUMBERS for number in row]),
        json.dumps([["I"] * 9 + [""], ["x"] * 9 + ["."]]),
        json.dumps(["#########.", "#########."]),
        json.dumps([[True] * 9 + [None]] * 2),
        "■■■■■■■■■□\n█████████░",
    ],
)
def test_boards_as_people_write_them(text: str, run: Callable[..., Done]) -> None:
    expected = Position.of("#########./" * 2, "I", lines=12)
    assert Position.of(text, "I", lines=12) == expected == Position.parse(f"{text} I 12")
    assert run("tetris", "suggest", text, "I", "--playouts", "0", *ON_CPU).code == 0


@pytest.mark.parametrize(
    "text", ["[", "[[1]]", '[["II"]]', "[[1.5]]", "[[-1,1]]", "[{}]", "IIII", "I" * 10, "⬛" * 9, "[" * 9999]
)
def test_wrong_boards_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="board"):
        Position.of(text, "I")


CELLS = "0" * 190 + "1111111110"


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (
            f"https://stackrabbit.herokuapp.com/engine?board={CELLS}&currentPiece=T&nextPiece=O&level=18&lines=40"
            "&reactionTime=18&inputFrameTimeline=X....",
            Position.of(CELLS, "T", "O", lines=40, variant=Variant("12hz", start_level=18, delay_ms=300)),
        ),
        (
            f"/get-move?board={CELLS}&currentPiece=1&nextPiece=6&level=29&lines=0&inputFrameTimeline=X-X---",
            Position.of(CELLS, "O", "Z", variant=Variant(Variant.load(taps="X.X..." * 20).reach, start_level=29)),
        ),
        (f"?board={CELLS}&currentPiece=i&lines=12", Position.of(CELLS, "I", lines=12)),
        (f"?board={CELLS}&currentPiece=i&level=19&lines=185", Position.of(CELLS, "I", lines=185)),
        (f"?board={CELLS}&currentPiece=i&level=19&lines=5", Position.of(CELLS, "I", lines=5)),
        (
            f"http://127.0.0.1:8000/tetris?board={CELLS}&piece=J&next=S&lines=297&reach=20hz%2Btuck&source=nes"
            "&start_level=18&max_lines=430&delay_ms=300&double_killscreen=yes",
            Position.of(
                CELLS, "J", "S", lines=297, variant=Variant("20hz+tuck", "nes", 18, 430, 300, double_killscreen=True)
            ),
        ),
        (
            f"/tetris?board={CELLS}&piece=J&reach=12hz&miss=0.5,0.2,0",
            Position.of(CELLS, "J", variant=Variant("12hz", miss=(0.5, 0.2))),
        ),
        (f"?board={CELLS}&currentPiece=i&level=29&lines=300", Position.of(CELLS, "I", lines=300)),
        (f"/tetris?board={CELLS}&piece=J&level=42", Position.of(CELLS, "J", level=42)),
    ],
)
def test_addresses_are_positions(address: str, expected: Position) -> None:
    assert Position.parse(address) == expected
    assert suggest(address, playouts=0, backend=CPU).position == expected


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (f"?board={CELLS}&level=18", "address: expected a board and a piece"),
        (f"?board={CELLS}&currentPiece=X", "piece 'X': expected one of"),
        (f"?board={CELLS}&currentPiece=T&level=x", "address: level x: expected a whole number"),
        (f"?board={CELLS}&currentPiece=T&level=40&lines=0", "level 40: no game has it after 0 lines"),
        (f"?board={CELLS}&currentPiece=T&level=19&lines=300", "level 19: no game has it after 300 lines"),
        (f"?board={CELLS}&currentPiece=T&inputFrameTimeline=....", "taps ....: expected at least one X"),
        (f"?board={CELLS}&currentPiece=T&inputFrameTimeline=XX", "taps XX: X after X"),
        ("?board=12&currentPiece=T", "board, line 1: 2 cells|board '12'"),
    ],
)
def test_wrong_addresses_are_refused(address: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        suggest(address, playouts=0, backend=CPU)
    with pytest.raises(BadInput, match="address: expected without level and lines"):
        suggest(address, level=18, playouts=0, backend=CPU)


def test_a_timeline_begins_again() -> None:
    assert [Variant.load(taps=text).reach for text in ("X.", "X..", "X...", "X....", "X.....")] == [
        "30hz", "20hz", "15hz", "12hz", "10hz",
    ]  # fmt: skip
    taps = frames_of_taps(Variant.load(taps=".X...X.").reach)
    assert taps[:5] == (1, 5, 8, 12, 15)
    assert len(taps) == 100
