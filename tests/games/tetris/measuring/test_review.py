"""Reviews of games: the losses are those of suggestions, and a list of boards means the same as a recorded game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import Recording, Review, Variant, play, review, suggest
from gpusolve.games.tetris.rules.board import PIECES, ROWS, board_text, player_place
from gpusolve.testing.plugin import Done

CPU = open_backend("cpu:1")
WELL = "#########./" * 4


@pytest.fixture(scope="module")
def game() -> Recording:
    """The first pieces of a game."""
    played = play("two-piece", policy="greedy", variant=Variant(max_lines=6), seed=5, backend=CPU)
    return replace(played, variant=Variant())


@pytest.fixture(scope="module")
def reviewed(game: Recording) -> Review:
    return review(game, playouts=0, backend=CPU)


def test_losses_are_those_of_suggestions(game: Recording, reviewed: Review) -> None:
    placed = game.turns
    assert [each.state for each in reviewed.rows] == [turn.state for turn in placed]
    assert [each.lines for each in reviewed.rows] == [turn.lines for turn in placed]
    for at in range(0, len(placed) - 1, 5):
        each = reviewed.rows[at]
        ranked = suggest(
            reviewed.boards[at], each.piece, placed[at + 1].piece, lines=placed[at - 1].lines if at else 0, playouts=0,
            backend=CPU,
        )  # fmt: skip
        [mine] = [one for one in ranked if one.state == each.state]
        assert (each.value, each.best_value, each.count) == (mine.value, ranked[0].value, len(ranked))
        assert each.loss == mine.value - ranked[0].value
        assert each.rank == 1 + sum(one.value < mine.value for one in ranked)
    assert reviewed.rows[-1].following is not None  # the seed gives the piece that is only seen
    losses = [each.loss or 0 for each in reviewed.rows]
    assert reviewed.loss == sum(losses)
    assert [reviewed[number - 1].loss for number in reviewed.costliest[:3]] == sorted(losses)[:-4:-1]
    assert reviewed.columns()["loss"] == losses


def hexadecimal(board: np.ndarray[Any, Any]) -> str:
    columns = [int("".join(map(str, column)), 2) for column in board.T.tolist()]  # the top row is the highest bit
    return " ".join(f"{column:x}" for column in columns)


def test_every_form_of_a_list_means_the_recorded_game(game: Recording, reviewed: Review, tmp_path: Path) -> None:
    boards = [*reviewed.boards, *(after for after, _ in list(game.boards)[-1:])]
    letters = [PIECES[turn.piece] for turn in game.turns]
    last = reviewed.rows[-1].following
    assert last is not None
    letters.append(PIECES[last])
    forms: list[Callable[[Any], str]] = [
        lambda board: board_text(board).replace("\n", "/"),
        lambda board: board_text(board),
        lambda board: "".join(map(str, board.reshape(-1).tolist())),
        hexadecimal,
    ]
    arrays = [*zip(boards, letters, strict=True)]
    expected = reviewed.columns()
    assert review(arrays, playouts=0, backend=CPU).columns() == expected
    lines = [f"{forms[at % 4](board)} {letter}" for at, (board, letter) in enumerate(arrays)]
    (tmp_path / "list.txt").write_text("\n".join(lines), encoding="utf-8")
    assert review(tmp_path / "list.txt", playouts=0, backend=CPU).columns() == expected
    game.save(tmp_path / "game.json")
    assert review(str(tmp_path / "game.json"), playouts=0, backend=CPU).columns() == expected


def test_a_placement_may_be_named_and_another_board_follow() -> None:
    positions = [(WELL, "I", (1, 0)), (WELL, "I", (10, 1)), ("." * 10, "T", (4, 0))]
    lay, clears, after = review(positions, playouts=0, backend=CPU).rows
    assert (lay.missed, clears.missed, clears.cleared, clears.loss) == (True, False, 4, 0)
    assert lay.loss is not None
    assert lay.loss > 0
    assert (lay.following, clears.following) == (None, PIECES.index("T"))  # the tetris leads to the empty board
    assert (after.lines, player_place(after.piece, after.state)) == (4, (4, 0, 1))
    ranked = suggest(WELL, "I", playouts=0, backend=CPU)
    assert lay.best_value == ranked[0].value


@pytest.mark.parametrize("player", ["learned", "two-piece"])
@pytest.mark.thorough
def test_with_a_delay_a_player_is_compared_with_its_own_plans(player: str) -> None:
    variant = Variant("12hz", "nes", 19, 8, delay_ms=500)
    game = play(player, variant=variant, seed=3, backend=CPU)
    mine = review(game, player=player, playouts=0, backend=CPU)
    assert {each.loss for each in mine.rows} == {0}
    assert any(each.rank > 1 for each in mine.rows)  # with the next piece known, something else was better
    other = review(game, player="published", playouts=0, backend=CPU)
    assert {each.loss is None or each.loss >= 0 for each in other.rows} == {True}
    assert other.best < len(other.rows)


def test_phases_add_up(game: Recording) -> None:
    """Lines, burned lines, losses and placements of all phases are those of the game; levels are those before."""
    long = play("two-piece", policy="greedy", variant=Variant("30hz", "nes", 18, 150), seed=5, backend=CPU)
    reviewed = review(long, playouts=0, backend=CPU)
    assert [each.name for each in reviewed.phases] == ["to 18", "19 to 28"]
    assert sum(each.placements for each in reviewed.phases) == len(long.turns)
    assert sum(each.loss for each in reviewed.phases) == pytest.approx(reviewed.loss)
    assert sum(each.best for each in reviewed.phases) == reviewed.best
    first, second = reviewed.phases
    before = [18, *(turn.level for turn in long.turns[:-1])]
    assert first.placements == sum(level == 18 for level in before)
    assert first.lines + second.lines == long.lines
    for phase, levels in ((first, {18}), (second, {19, 20, 21})):
        tetrises = [turn.cleared == 4 for turn, level in zip(long.turns, before, strict=True) if level in levels]
        assert phase.tetrises == sum(tetrises)
        assert phase.burned == phase.lines - 4 * phase.tetrises
        assert phase.tetris_rate == (4 * phase.tetrises / phase.lines if phase.lines else None)


def test_a_slip_beside_the_best_placement_is_a_misdrop() -> None:
    """One column beside a tetris costs more than a line of it; the same loss far away is a choice."""
    places = [(10, 1), (9, 1), (4, 1)]
    [best, beside, far] = review(
        [(WELL, "I", place) for place in places], variant=Variant("30hz"), playouts=0, backend=CPU
    ).rows
    assert (best.loss, best.misdrop) == (0, False)
    assert (beside.loss or 0) > 300 * 20
    assert (far.loss or 0) > 300 * 20
    assert [each.misdrop for each in (beside, far)] == [True, False]


def test_a_list_that_goes_beyond_230_lines_belongs_to_a_longer_game() -> None:
    reviewed = review(
        [(WELL, "I"), ("..........", "T"), ("....###.../.....#....", "T")], lines=229, backend=CPU, playouts=0
    )
    assert (reviewed.variant.max_lines, [each.lines for each in reviewed.rows]) == (430, [233, 233])


def test_a_board_that_does_not_follow_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "list").write_text(
        f"{WELL} I\n.......... T\n####...... T\n#######... J\n#######... L", encoding="utf-8"
    )
    reviewed = review(tmp_path / "list", playouts=0, backend=CPU)
    assert [each.number for each in reviewed.rows] == [1]
    assert [(each.number, each.reason.partition(", ")[2]) for each in reviewed.skipped] == [
        (2, "line 2: no placement of T leads to the next board"),
        (3, "line 3: no placement of T leads to the next board"),
        (4, "line 4: no placement of J leads to the next board"),
    ]


def test_by_weights_a_missed_tetris_decides() -> None:
    [lay] = review([(WELL, "I", (1, 0))], player="published", playouts=0, backend=CPU).rows
    assert (lay.missed, lay.loss) == (True, None)


def test_chances_are_those_of_suggestions() -> None:
    places = [(1, 0), (10, 1)]
    reviewed = review([(WELL, "I", place) for place in places], playouts=4, seed=3, backend=CPU)
    for each, place in zip(reviewed.rows, places, strict=True):
        ranked = suggest(WELL, "I", mine=place, lines=each.lines - each.cleared, playouts=4, seed=3, backend=CPU)
        assert ranked.mine is not None
        mine = ranked.mine.suggestion
        assert mine.prospect is not None
        assert (each.prospect, each.cleared) == (mine.prospect, mine.cleared)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "game without placements"),
        ("..........", "game without placements"),
        (".......... T", "game without placements"),
        (".......... T\n####......", "line 1: no placement of T leads to the next board"),
        (".......... T\n.......... ", "line 1: no placement of T"),
        (".......... T 9,0", "line 1: placement 9,0: expected column 1, 2, 3, 4, 5, 6, 7 or 8 for T"),
        (".......... T 1,2,3,4", "line 1: placement 1,2,3,4: expected column and turns"),
        (".......... T 11,0", "line 1: placement: column 11"),
        ("hello", "line 1: board, line 1: 5 cells"),
        ("..........\n.........", "line 1: board, line 2: 9 cells"),
        (".......... T 1,0\n\n######### I 1,0", "line 3: board, line 1: 9 cells"),
        ("#" * 20_000, "line 1: 10,000 characters without a piece"),
        ("#.........\n" * ROWS + "I 1,0", "line 1: I cannot reach|line 1: placement"),
        ("...##.....\n" * ROWS + "I 1,0", "line 1: I cannot spawn"),
    ],
)
def test_wrong_lists_are_refused_with_the_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "list").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=message):
        review(tmp_path / "list", playouts=0, backend=CPU)


@pytest.mark.parametrize(
    "positions",
    [[], [5], [("x", "T")], [("." * 10, "Q", (1, 0))], [("." * 10, "T"), ("." * 10, None)], [(1, 2, 3, 4)]],
)
def test_wrong_positions_are_refused(positions: Any) -> None:
    with pytest.raises(BadInput):
        review(positions, playouts=0, backend=CPU)


def test_a_recorded_game_has_its_own_rules(game: Recording) -> None:
    with pytest.raises(BadInput, match="expected none with a recorded game"):
        review(game, variant=Variant("30hz"), playouts=0, backend=CPU)
    with pytest.raises(BadInput, match="lines 100: expected fewer, the game is over with 100"):
        review([("." * 10, "T", (1, 0))], lines=100, variant=Variant(max_lines=100), playouts=0, backend=CPU)
    with pytest.raises(BadInput, match="position 2: the game was over with 4 lines"):
        review([(WELL, "I", (10, 1)), (WELL, "I", (1, 0))], variant=Variant(max_lines=4), playouts=0, backend=CPU)


def test_the_command(run: Callable[..., Done], tmp_path: Path) -> None:
    (tmp_path / "list").write_text(f"{WELL} I 1,0\n{WELL} I 10,1", encoding="utf-8")
    arguments = ("tetris", "review", str(tmp_path / "list"), "--playouts", "2", "--device", "cpu:1", "--quiet")
    done = run(*arguments, "--html", str(tmp_path / "page.html"))
    assert re.search(r": 2 placements, 1 of them the best, [\d,]+ points lost, .*\n$", done.out)
    assert "Chances of a tetris" in (tmp_path / "page.html").read_text(encoding="utf-8")
    found = json.loads(run(*arguments, "--json", "--top", "1").out)
    assert (found["placements"], found["best"], found["costliest"]) == (2, 1, [1])
    assert found["loss"] == found["rows"][0]["loss"] > 0
    assert found["rows"][1]["place"] == found["rows"][1]["best_place"] == [10, 1, 1]
    shown = run(*arguments)
    assert "points lost, a missed tetris\nbest                         placed" in shown.out
    assert shown.out.count("IIIIIIII") == 1
    assert run("tetris", "review", str(tmp_path / "none"), "--quiet").code == 2
