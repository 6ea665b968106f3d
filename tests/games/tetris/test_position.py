"""Positions: their texts, and the same advice from everything that takes them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from games.tetris.oracle import some_boards
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris import Variant, match, play, replay, review, suggest
from gpusolve.games.tetris.kernels import columns_of, state_of
from gpusolve.games.tetris.players.playing import choose
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.shipped import player_of
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.rules.board import PIECES, board_text, place
from gpusolve.games.tetris.rules.reachability import plans
from gpusolve.games.tetris.rules.sources import Source, transitions
from gpusolve.testing.plugin import Done

CPU = open_backend("cpu:1")
ON_CPU = ("--device", "cpu:1", "--quiet", "--json")
PLACES = (
    "####...###/####..####/#########. T I",
    "#........./##......##/###....### L S",
    "........#./#.######../#########./#########./#########. O Z",
    "....#...../#...##..#./##.#######/########.#/#######.## J L",
)
"""Boards from flat to full of holes, each with a piece and the next one."""


@pytest.mark.parametrize("delay_ms", [0, 300])
@pytest.mark.parametrize("level", [18, 28, 29, 38, 39])
def test_all_ways_give_the_same_advice(run: Callable[..., Done], tmp_path: Path, level: int, delay_ms: int) -> None:
    variant = Variant("30hz+tuck", "nes", 18, 430, delay_ms, double_killscreen=True)
    options = ["--reach", "30hz+tuck", "--source", "nes", "--start-level", "18", "--max-lines", "430"]
    options += ["--delay-ms", str(delay_ms), "--double-killscreen", *ON_CPU]
    lines, player = variant.line_of(level), player_of(None, variant)

    def asked(*words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(run("tetris", *words, *options).out)
        return found

    for text in PLACES:
        position = Position.parse(f"{text} {lines}")
        board, piece, following = text.split()
        advice = suggest(board, piece, following, lines=lines, variant=variant, playouts=0, backend=CPU)
        best, placed = advice[0], advice[-1]
        assert (advice.level, advice.player, advice.position) == (level, player.name, position)
        by_level = suggest(position.board, piece, following, level=level, variant=variant, playouts=0, backend=CPU)
        assert advice == by_level
        found = asked("suggest", board, piece, following, "--level", str(level), "--playouts", "0")
        shown = found["rows"][0]
        assert (found["player"], found["lines"]) == (player.name, lines)
        assert (shown["column"], shown["turned"], shown["row"]) == (best.column, best.turned, best.row)
        assert (shown["value"], shown["presses"]) == (best.value, list(best.presses))

        after, _, _ = place(position.board, position.piece, placed.state)
        game = [(board, piece), (after, following)]
        [judged] = review(game, lines=lines, variant=variant, playouts=0, backend=CPU).rows
        assert (judged.best, judged.best_value, judged.value) == (best.state, best.value, placed.value)
        assert (judged.loss, judged.level, judged.count) == (placed.loss, level, len(advice))
        (tmp_path / "game").write_text(f"{board} {piece}\n{board_text(after)} {following}", encoding="utf-8")
        [row] = asked("review", str(tmp_path / "game"), "--lines", str(lines), "--playouts", "0")["rows"]
        assert (row["best_place"], row["best_value"]) == ([best.column, best.turned, best.row], best.value)

        placements, chosen = choose(
            player, columns_of(position.board[None]), [position.piece], following=position.pieces[1:], levels=level,
            lines=lines, policy=Policy("two-piece"), variant=variant, backend=CPU,
        )  # fmt: skip
        assert state_of(position.piece, int(placements.placements[0, chosen[0]])) == best.state
    if level >= 38:
        played = play(start=str(position), variant=variant, seed=1, backend=CPU)
        assert (played.player, played.turns[0].state) == (player.name, best.state)
        assert review(played, playouts=0, backend=CPU).rows[0].best == best.state


@pytest.mark.parametrize("following", [None, "S"])
def test_with_a_reaction_time_the_advice_is_a_plan(following: str | None) -> None:
    """All adjustments of the plan are placements that one plan of the rules leaves; presses are those of that plan."""
    variant = Variant("30hz+tuck", "nes", 18, 430, 300, double_killscreen=True)
    for text in PLACES:
        position = Position.parse(text)
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
    start = Position.parse("####...###/####..####/#########. T 225")
    played = play("30hz", start=start, variant=variant, playouts=2, seed=7, backend=CPU)
    played.save(tmp_path / "game.json")
    assert vars(replay(tmp_path / "game.json")) == vars(replace(played, prospects=()))
    assert (played.turns[0].piece, played.turns[0].level, played.first_lines) == (PIECES.index("T"), 28, 225)
    assert played.lines >= 240
    assert len(played.prospects) == len(played.turns)
    assert [turn.piece for turn in played.turns] == [*islice(played.drawn, len(played.turns))]
    after, before = next(played.boards)
    assert (before == start.board).all()
    assert (after == place(start.board, start.piece, played.turns[0].state)[0]).all()
    longer = play("30hz", start=replace(start, following=played.turns[1].piece), variant=variant, seed=7, backend=CPU)
    assert longer.turns[0] == played.turns[0]
    other = play("30hz", start=replace(start, following=played.turns[1].piece), variant=variant, seed=8, backend=CPU)
    assert other.turns[0] == played.turns[0]
    assert other.turns != longer.turns
    with pytest.raises(BadInput, match="game from a position: expected one from the empty board"):
        match(tmp_path / "game.json", player="30hz", variant=variant, backend=CPU)


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
