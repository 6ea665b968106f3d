"""Tables that fit the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from gpusolve.output.table import table_lines

NAMES = ["", "mean score", "won %"]
ROWS = [("left-to-right", 1_052.5, "85.24 ± 0.09"), ("joint", 7.25, "")]


def drawn(columns: list[str], rows: Sequence[tuple[object, ...]], width: int | None = None) -> str:
    lines = table_lines(columns, rows, width)
    assert width is None or max(map(len, lines)) <= width
    return "\n" + "\n".join(lines) + "\n"


def test_numbers_are_right_aligned_even_if_some_are_missing() -> None:
    assert (
        drawn(["n", "word", "some", "solved"], [(1, "a", "", True), (10, "bb", "7", False)])
        == """
 n  word  some  solved
--  ----  ----  ------
 1  a           ✓
10  bb       7
"""
    )


def test_a_table_is_whole_if_it_fits() -> None:
    assert (
        drawn(NAMES, ROWS)
        == drawn(NAMES, ROWS, 40)
        == """
               mean score  won %
-------------  ----------  ------------
left-to-right  1052.50000  85.24 ± 0.09
joint             7.25000
"""
    )


def test_headings_are_folded_first() -> None:
    assert (
        drawn(["guess", "its mean", "best mean"], [("salet", 3, 2)], 18)
        == """
        its  best
guess  mean  mean
-----  ----  ----
salet     3     2
"""
    )


def test_then_columns_move_closer_together() -> None:
    assert (
        drawn(["guess", "mean", "size"], [("salet", 3, 2)], 15)
        == """
guess mean size
----- ---- ----
salet    3    2
"""
    )


def test_then_text_is_folded_between_words() -> None:
    assert (
        drawn(["word", "cards", "points"], [("unworthy", "two from three", 39), ("nu", "none", 9)], 24)
        == """
word      cards   points
--------  ------  ------
unworthy  two         39
          from
          three
nu        none         9
"""
    )


def test_the_widest_column_is_folded_first() -> None:
    assert (
        drawn(["player", "what it does"], [("two piece", "looks at both pieces and plays on"), ("one", "reads")], 28)
        == """
player     what it does
---------  -----------------
two piece  looks at both
           pieces and plays
           on
one        reads
"""
    )


def test_a_range_stays_on_one_line() -> None:
    lines = table_lines(["name", "range"], [("a long name of words", "1.25 to 3.50"), ("b", "12 ± 3")], 20)
    assert next(line.strip() for line in lines if " to " in line).endswith("1.25 to 3.50")
    assert max(map(len, lines)) <= 20


def test_long_names_are_divided_after_punctuation() -> None:
    assert (
        drawn(["file", "state"], [("sliding-5x5-1.2.5.6.7.10-0.1.2.5.6.7.table", "intact")], 34)
        == """
file                        state
--------------------------  ------
sliding-5x5-1.2.5.6.7.10-   intact
0.1.2.5.6.7.table
"""
    )


def test_at_last_the_table_is_divided_into_blocks() -> None:
    assert (
        drawn(["", "lines", "holes", "wells", "rows"], [("1 yours", 4, 0, 2, 8), ("2", 3, 1, 0, 9)], 21)
        == """
         lines  holes
-------  -----  -----
1 yours      4      0
2            3      1

         wells  rows
-------  -----  ----
1 yours      2     8
2            0     9
"""
    )


def test_an_empty_table_has_its_headings() -> None:
    assert (
        drawn(["word", "points"], [])
        == """
word  points
----  ------
"""
    )
