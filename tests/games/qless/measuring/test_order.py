"""The order in which shapes are tried: read from a file, and estimated."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gpusolve.errors import BadInput
from gpusolve.games.qless import Shapes, Variant, rate, shapes, solve
from gpusolve.games.qless.measuring.order import DAILY, Order, read_order

LABELS = Path(__file__).parents[5] / "shared" / "data" / "qless-labelled-rolls.json"


@pytest.fixture(scope="module")
def twelve() -> Shapes:
    return shapes()


def as_words(shapes: Shapes, number: int, mirrored: bool) -> list[dict[str, object]]:
    """Return a shape as the daily game's repository has it: columns before rows."""
    cells = [divmod(int(cell), 16) for cell in shapes.cells[number]]
    words = []
    for slot in shapes.slots(number):
        row, column = cells[slot.cells[0]]
        start, down = ([row, column], slot.across) if mirrored else ([column, row], not slot.across)
        words.append({"start": start, "length": len(slot.cells), "down": down, "intersects": []})
    return words


def test_an_order_is_read_from_json_in_either_orientation_and_from_lines(tmp_path: Path, twelve: Shapes) -> None:
    wanted = [8000, 0, 700, 0]
    file = tmp_path / "grids.json"
    file.write_text(json.dumps([as_words(twelve, number, bool(i % 2)) for i, number in enumerate(wanted)]))
    assert read_order(file, Variant()).numbers.tolist() == wanted
    file.write_text("\n".join(twelve.text(number) for number in wanted) + "\n\n")
    assert read_order(file, Variant()).numbers.tolist() == wanted
    long_words = read_order(file, Variant(min_length=4)).numbers  # shapes with a word of three letters have no number
    shortest = [min(len(slot.cells) for slot in twelve.slots(number)) for number in wanted]
    assert (long_words >= 0).tolist() == [length >= 4 for length in shortest]
    assert {length >= 4 for length in shortest} == {True, False}


def test_shapes_are_tried_one_by_one_until_there_are_ten_solutions(twelve: Shapes) -> None:
    solutions = solve("cddeeimprtwx")
    of_shape = np.bincount(solutions.shape, minlength=len(twelve))
    few, many = int(np.argmax(of_shape == 3)), int(np.argmax(of_shape))
    none = int(np.argmax(of_shape == 0))
    assert Order(np.array([none, few, few, -1, none, many, many]), DAILY).tried(solutions) == (
        6 + 2 * of_shape[many],
        6,
    )
    assert Order(np.array([few, few, few, few]), DAILY).tried(solutions) == (12, 4)
    assert Order(np.array([few, none, few, few]), DAILY).tried(solutions) == (9, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no shapes of this variant"),
        ("[]", "no shapes of this variant"),
        ("[5]", "shape 1: expected a list of words"),
        ('[["tea"]]', "shape 1: .*start"),
        ('[[{"start": [0], "length": 7, "down": true}]]', "shape 1: start"),
        ('[[{"start": [0, 99], "length": 7, "down": true}]]', "shape 1: start"),
        ('[[{"start": [0, 0], "length": 7, "down": 1}]]', "shape 1: down 1: expected true or false"),
        ('[[{"start": [0, 0], "length": 7, "down": true}]]', "shape 1: 7 cells: expected 12"),
        ("[[", "not JSON"),
        ("tea", "line 1: tea: expected a shape"),
        ("###", "line 1: 3 cells: expected 12"),
        ("######.............######", "line 1: the cells are not connected"),
    ],
)
def test_what_is_no_order_is_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "order"
    file.write_text(text)
    with pytest.raises(BadInput, match=message) as error:
        read_order(file, Variant())
    assert str(file) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.skipif(not LABELS.exists(), reason="the labelled rolls of the daily game are not here")
def test_the_rating_agrees_with_the_daily_game_as_often_as_measured() -> None:
    labels = {roll: day for day, rolls in json.loads(LABELS.read_text()).items() for roll in rolls}
    agreed = sum(rate(roll, variant=Variant(common=True)).difficulty == day for roll, day in labels.items())
    assert (len(labels), agreed) == (175, 86)


def test_the_words_of_the_dictionary_do_not_change_the_difficulty() -> None:
    every, common = rate("cglmmnnnortu"), rate("cglmmnnnortu", variant=Variant(common=True))
    assert (every.solutions, common.solutions) == (62, 7)
    assert every.everyday_solutions == common.everyday_solutions == 7
    assert every.difficulty == common.difficulty == "saturday"
