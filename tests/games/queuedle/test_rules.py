"""The rules of Queuedle: the daily puzzle, slides and words."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from gpusolve.errors import BadInput
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.positions import SIZES, Moves, Position, move_text
from gpusolve.wordlists import load_words

LONDON = "Europe/London"
SPEC = Position(("fndoi", "eedgr", "aadqs", "oeilx", "eyatg"), "aikiueieexuatov")
COUNTS = dict(
    a=9, b=2, c=2, d=4, e=12, f=2, g=3, h=2, i=9, j=1, k=1, l=4, m=2,
    n=6, o=8, p=2, q=1, r=6, s=4, t=6, u=4, v=2, w=2, x=1, y=2, z=1,
)  # fmt: skip
WORDS = rules.usable(load_words("scowl-70"), 5)


def plain_draw(seed: int) -> str:
    """Draw forty letters in another way: exact products, then rounded as doubles round them."""
    letters = []
    state = seed
    for _ in range(40):
        state = int(float(Fraction(state) * 16807)) % 2147483647
        index = math.floor((state - 1) / 2147483646 * sum(COUNTS.values()))
        for letter, count in COUNTS.items():
            if index < count:
                letters.append(letter)
                break
            index -= count
    return "".join(letters)


def plain_holds_a_word(letters: str) -> bool:
    board = [letters[5 * r : 5 * r + 5] for r in range(5)]
    board += [letters[c:25:5] for c in range(5)]
    return any(line[a : a + n] in WORDS for line in board for n in (3, 4, 5) for a in range(6 - n))


def test_the_tiles_are_those_of_scrabble() -> None:
    assert "".join(letter * count for letter, count in COUNTS.items()) == rules.TILES
    assert len(rules.TILES) == 98


def test_the_published_puzzle_is_a_draw_of_its_day() -> None:
    seed = rules.daily_seed(date(2025, 5, 31), LONDON)
    assert seed == 1748646000000
    assert rules.draw(seed + 351) == SPEC


@pytest.mark.parametrize("offset", range(50))
def test_fifty_dates_agree_with_a_second_implementation(offset: int) -> None:
    day = date(2025, 1, 1) + timedelta(days=7 * offset)
    puzzle, seed, tries = rules.draw_daily(day, LONDON, WORDS)
    summer = date(2025, 3, 30) < day <= date(2025, 10, 26)
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(hours=int(summer))
    first = int(midnight.timestamp()) * 1000
    assert seed == first + tries
    assert "".join(puzzle.grid) + puzzle.queue == plain_draw(seed)
    assert all(plain_holds_a_word(plain_draw(first + k)) for k in range(tries))
    assert not plain_holds_a_word(plain_draw(seed))


def test_the_day_begins_at_the_zones_midnight() -> None:
    day = date(2025, 5, 31)
    hours = [(rules.daily_seed(day, zone) - rules.daily_seed(day, "UTC")) / 3.6e6 for zone in ("Asia/Tokyo", LONDON)]
    assert hours == [-9, -1]
    with pytest.raises(BadInput, match="Mars/Olympus"):
        rules.daily_seed(day, "Mars/Olympus")


def test_slides_move_letters_as_drawn() -> None:
    position = Position(("abcd", "efgh", "ijkl", "mnop"), "xyzw")
    after = {
        move_text(move): rules.slide(position, move).grid for move in rules.legal_moves(position) if move // 4 == 1
    }
    assert after == {
        "l2": ("abcd", "fghx", "ijkl", "mnop"),
        "r2": ("abcd", "xefg", "ijkl", "mnop"),
        "u2": ("afcd", "ejgh", "inkl", "mxop"),
        "d2": ("axcd", "ebgh", "ifkl", "mjop"),
    }


def test_the_first_slide_of_a_line_fixes_its_direction() -> None:
    position = Position(("abcd", "efgh", "ijkl", "mnop"), "xyz")
    assert len(rules.legal_moves(position)) == 16
    moved = rules.slide(rules.slide(position, 4), 4)
    assert 5 not in rules.legal_moves(moved)
    assert len(rules.legal_moves(moved)) == 15
    assert rules.legal_moves(rules.slide(moved, 0)) == []


def test_words_within_words_and_repeats_count() -> None:
    words = {"ten", "tent", "tenth", "ent", "net"}
    assert rules.score(("tenth", "qqqqq", "qqqqq", "qqqqq", "qqqqq"), words) == 3 + 4 + 5 + 3
    assert [entry.word for entry in rules.find_words(("tenqq", "eqqqq", "nqqqq", "qqqqq", "qqten"), words)] == [
        "ten",
        "ten",
        "ten",
    ]


def test_cells_of_words_are_marked() -> None:
    grid = ("tenq", "qqqq", "qqqe", "qten")
    marks = rules.marked(grid, rules.find_words(grid, {"ten"}))
    assert ["".join(".#"[mark] for mark in row) for row in marks] == ["###.", "....", "....", ".###"]


@given(st.sampled_from(SIZES), st.data())
def test_any_legal_game_replays_and_its_notation_reads_back(size: int, data: st.DataObject) -> None:
    letters = st.text("abcdefghijklmnopqrstuvwxyz", min_size=size, max_size=size)
    start = Position(tuple(data.draw(letters) for _ in range(size)), data.draw(st.text("aeiou", max_size=31)))
    position = start
    while moves := rules.legal_moves(position):
        position = rules.slide(position, data.draw(st.sampled_from(moves)))
    assert len(position.moves) == len(start.queue)
    assert Moves.parse(str(position.moves), size=size) == position.moves
    assert rules.replay(start, position.moves)[-1] == position


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("d6", "move 1, 'd6'"),
        ("d1 x2", "move 2, 'x2'"),
        ("d1 u1", "move 2, u1: move 1"),
        ("d1 d1 d1", "queue is empty"),
    ],
)
def test_an_invalid_sequence_of_slides_is_refused(moves: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        rules.replay(Position(SPEC.grid, "ab"), Moves.parse(moves, size=5))


@pytest.mark.parametrize("move", [-1, 20])
def test_a_number_that_is_not_a_slide_is_refused(move: int) -> None:
    with pytest.raises(BadInput, match=rf"move 2, {move}: expected a whole number, 0 to 19"):
        rules.replay(SPEC, [0, move])


def test_a_dictionary_without_a_usable_word_is_refused() -> None:
    with pytest.raises(BadInput, match="none of its 2 words"):
        rules.usable(["ox", "oxtails"], 5)
