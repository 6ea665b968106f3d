"""Files that a stranger made in the form of our tables: refused in one line, or made again."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from gpusolve.errors import BadInput
from gpusolve.games.sliding import automaton, open_databases, scramble, solve, tables
from gpusolve.games.sliding.databases.catalogue import partition_of, path_of
from gpusolve.runs import store


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path))


def rewrite(path: Path, name: str, array: object) -> None:
    """Replace an array of a table, with valid checksums; None removes it."""
    table = store.open_table(path)
    arrays = {other: np.array(kept) for other, kept in table.arrays.items() if other != name}
    store.save(path, table.about, arrays if array is None else arrays | {name: np.asarray(array)})


@pytest.mark.parametrize("steps", [None, np.zeros(5, np.uint32), np.zeros((9**4, 2), np.uint16), np.array("text")])
def test_databases_of_another_type_or_size_are_refused(steps: object) -> None:
    open_databases(3, 3)
    (path,) = store.paths()
    rewrite(path, "steps", steps)
    with pytest.raises(BadInput, match=f"^table {path}: damaged: "):
        open_databases(3, 3)


@pytest.mark.parametrize(
    "counts", [None, np.zeros((2, 3), np.int64), np.array([[-1]]), np.array(1.5), np.zeros((0, 0))]
)
def test_a_table_without_sensible_counts_is_listed_as_damaged(counts: object) -> None:
    open_databases(3, 3)
    assert not tables()[0].damaged
    rewrite(store.paths()[0], "counts", counts)
    assert "counts" in str(tables()[0].damaged)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("codes", None),
        ("codes", np.zeros(3)),
        ("counts", np.array([10**9])),
        ("counts", np.array(["a"])),
        ("depth", np.array(-(2**63))),
        ("depth", np.array(10**18)),
        ("depth", np.array([7])),
    ],
)
def test_forbidden_strings_of_another_form_are_computed_again(name: str, array: object) -> None:
    expected = automaton(rows=3, columns=3, depth=8).table
    rewrite(store.paths()[0], name, array)
    assert np.array_equal(automaton(rows=3, columns=3, depth=8).table, expected)


def test_tables_are_removed_by_name_or_form(tmp_path: Path) -> None:
    for rows, columns in ((2, 3), (3, 3), (2, 4)):
        open_databases(rows, columns)
    (tmp_path / "other.table").touch()
    kept = [table.path for table in tables()]
    removed = tables(remove=kept[1].stem)
    assert (removed.removed, [table.path for table in removed]) == ([kept[1].stem], [kept[0], kept[2]])
    for name in (kept[1].stem, "other", "*.table", "SLIDING-*", "../sliding-*", ""):
        with pytest.raises(BadInput, match=r"^remove .*: expected the name of a table"):
            tables(remove=name)
    assert tables(remove="sliding-[23]x*").tables == []
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".lock", ".lock", ".lock", ".table"]


def test_a_damaged_table_can_be_removed(tmp_path: Path) -> None:
    (tmp_path / "sliding-broken.table").write_bytes(b"no table")
    assert [bool(table.damaged) for table in tables()] == [True]
    assert tables(remove="sliding-broken").removed == ["sliding-broken"]


def test_a_table_that_cannot_be_removed(tmp_path: Path) -> None:
    (tmp_path / "sliding-folder.table").mkdir()
    with pytest.raises(BadInput, match=r"^table .*sliding-folder.table: cannot be removed: "):
        tables(remove="*")


def test_optima_are_the_same_while_tables_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No two tables have room, so each search builds its own again."""
    boards = scramble(rows=3, columns=4, count=2, seed=1)
    expected = [solve(board, depth=4).length for board in boards]
    monkeypatch.setenv(store.LIMIT, "0")
    partitions = ("1,2,4,5,8/3,6,7,9,10,11", "1,2,3,4,5/6,7,8,9,10,11+1,4,5,8,9/2,3,6,7,10,11", None)
    for partition in partitions:
        with pytest.warns(RuntimeWarning, match=f"{store.LIMIT}.; removed: "):
            found = [solve(board, partition=partition, depth=4) for board in boards]
        assert [(each.length, each.lower_bound, each.proven) for each in found] == [
            (length, length, True) for length in expected
        ]
        assert len(store.paths()) == 1


def test_the_time_of_the_last_use_is_shown(tmp_path: Path) -> None:
    open_databases(3, 3)
    path = path_of(partition_of(3, 3))
    for file in (path, path.with_suffix(store.USED)):
        os.utime(file, (86_400, 86_400))
    assert [table.used for table in tables()] == ["1970-01-02T00:00:00+00:00"]
    assert tables()[0].used.startswith("1970")  # looking is no use
    open_databases(3, 3)
    assert tables()[0].used > "2026"
