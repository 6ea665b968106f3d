"""Series: results do not depend on batches, workers or stops, and a checkpoint that does not fit is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import jobs
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.runs.run import Run
from gpusolve.runs.series import Column, Rows, extend

CPU = open_backend("cpu")
COLUMNS = {
    "square": Column(np.int64, least=0),
    "pair": Column(np.int32, (2, None, 3), 0, 99),
}


def squares(run: Run, items: int) -> Rows:
    return Rows(run.state, items, **COLUMNS)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_series_is_extended_in_order_and_resumed(workers: int, tmp_path: Path) -> None:
    file, seen = tmp_path / "run", list[int]()
    first = Run("toy", {}, seed=1, checkpoint=file, time_limit=0)
    some = squares(first, 30)
    assert not extend(some, 30, first, jobs.tables, batch=7, workers=workers, backend=CPU)
    assert 0 < some.done < 30
    rest = Run("toy", {}, resume=file)
    whole = squares(rest, 30)
    assert whole.done == some.done
    assert extend(whole, 30, rest, jobs.tables, batch=7, workers=workers, progress=seen.append, each=2, backend=CPU)
    assert seen == sorted(seen)
    assert seen[-1] == 60
    square, pair = whole.first(30)
    assert np.array_equal(square, np.arange(30) ** 2)
    assert np.array_equal(pair, np.broadcast_to(np.arange(30)[None, :, None], (2, 30, 3)))
    longer = Run("toy", {}, resume=file)
    kept = squares(longer, 4)
    assert extend(kept, 4, longer, jobs.tables, backend=CPU)
    assert kept.done == 30
    assert [array.shape for array in kept.first(4)] == [(4,), (2, 4, 3)]
    assert Run("toy", {}, resume=file).state.array("pair", np.int32, (2, 30, 3)).flags.c_contiguous


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"square": np.array([-1, 4])}, "no element below 0"),
        ({"pair": np.zeros((2, 3, 3), np.int32)}, r"shape \(2, 2, 3\)"),
        ({"pair": np.full((2, 2, 3), 100, np.int32)}, "no element above 99"),
    ],
)
def test_a_checkpoint_that_does_not_fit_is_refused(change: dict[str, object], problem: str) -> None:
    state = {"square": np.array([1, 4]), "pair": np.zeros((2, 2, 3), np.int32)}
    assert Rows(Fields("checkpoint", state), 1, **COLUMNS).done == 2
    with pytest.raises(BadInput, match=problem):
        Rows(Fields("checkpoint", state | change), 1, **COLUMNS)
