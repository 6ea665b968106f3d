"""Files that a stranger made in the form of our tables: refused in one line, or made again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gpusolve.errors import BadInput
from gpusolve.games.sliding import automaton, open_databases, tables
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
