"""Points and bonuses, against the printed ones and as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.quiddler.deals import Deal
from gpusolve.games.quiddler.variant import STANDARD, VALUES, parse_bonus, parse_values, score


def test_the_points_are_the_printed_ones() -> None:
    printed = "A2 B8 C8 D5 E2 F6 G6 H7 I2 J13 K8 L3 M5 N5 O2 P6 Q15 R5 S3 T3 U4 V11 W10 X12 Y4 Z14 CL10 ER7 IN7 QU9 TH9"
    assert " ".join(f"{card.upper()}{points}" for card, points in VALUES.items()) == printed


def test_the_bonus_grows_with_the_letters() -> None:
    row = STANDARD.bonus_row()
    assert row[:14] == [0, 0, 0, 0, 0, 2, 5, 10, 20, 30, 40, 50, 60, 70]
    assert len(row) == 33


def test_a_score_computed_by_hand() -> None:
    deal = Deal(("q", "u"), ("z", "a"))  # 15 + 4 used, 14 + 2 left
    assert score(deal, [0, 1], [2]) == 3
    assert score(deal, [], [2, 7]) == 35 + 10


def test_values_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "values"
    file.write_text("q 10\nqu: 5\n\nZ=7\n")
    values = parse_values(file)
    assert (values["q"], values["qu"], values["z"], values["a"]) == (10, 5, 7, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q", "line 1: 'q': expected a pair"),
        ("a 1\nst 2", "line 2: 'st' is not a card"),
        ("a -1", "line 1: '-1' points: expected a whole number"),
        ("a 1001", "from 0 to 1000"),
        ("", "line 1: empty: expected pairs"),
    ],
)
def test_bad_values_are_reported_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "values"
    file.write_text(text)
    with pytest.raises(BadInput, match=message):
        parse_values(file)


def test_bonuses_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "bonus"
    file.write_text("5 2\n6 5\n")
    assert parse_bonus(str(file)) == {5: 2, 6: 5}


@pytest.mark.parametrize("text", ["5", "x:2", "0:2", "33:2", "5:x", "5:2000", "5:2:3", ""])
def test_a_bonus_that_cannot_be_read_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput):
        parse_bonus(text)
