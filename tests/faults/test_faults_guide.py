"""``docs/faults.md`` and ``docs/serving.md``: every test that they name exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "faults.md"
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", GUIDE.read_text(encoding="utf-8"))
SERVING = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "docs" / "serving.md").read_text(encoding="utf-8"))


def test_the_tests_that_are_named_exist() -> None:
    assert SERVING
    missing = [
        f"{file}::{name}"
        for file, name in [*NAMED, *SERVING]
        if not (ROOT / file).is_file()
        or not re.search(rf"^ *def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.M)
    ]
    assert not missing


def test_every_fault_has_a_test() -> None:
    rows = [line for line in GUIDE.read_text(encoding="utf-8").splitlines() if re.match(r"\| \d+ \|", line)]
    assert [int(row.split("|")[1]) for row in rows] == [*range(1, 17)]
    assert all("::test_" in row for row in rows)
    assert len(NAMED) > len(rows)
