"""`make gpu` without a GPU: with the stand-in for CuPy and scaled-down benchmarks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from gpusolve.backend import open_backend
from gpusolve.testing.tools import need_emulation

ROOT = Path(__file__).parents[1]
STAND_IN = """
import sys
from gpusolve.testing.stand_in import StandIn
sys.modules["cupy"] = StandIn()
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    "games", [["queuedle", "wordle"], pytest.param(["quiddler", "tetris"], marks=pytest.mark.slow)], ids="-".join
)
def test_the_report_is_complete(tmp_path: Path, games: list[str]) -> None:
    need_emulation()
    (tmp_path / "cupy.py").write_text(STAND_IN)
    out = tmp_path / "results" / "gpu.md"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(tmp_path)])}
    arguments = ["--scale", "1e-5", "--out", str(out), "--tests", "tests/backend/test_program.py", "--", *games]
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "gpu.py"), *arguments],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    text = out.read_text(encoding="utf-8")
    assert "failed" not in text
    for section in ("The card: 132 multiprocessors", "## Tests", " passed", "## Cold start", "| compile wordle.cu |"):
        assert section in text
    for game in games:
        _, calls, kernels = text.split(f"### {game}\n")[1].split("###")[0].split("|\n|---")
        assert len(calls.splitlines()) > 2
        assert f"| {game}." in kernels


def test_a_failure_is_reported_and_the_rest_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import gpu

    def fail() -> int:
        raise RuntimeError("out of\nmemory")

    def works(backend: object, scale: float) -> dict[str, SimpleNamespace]:
        return {
            "one": SimpleNamespace(run=fail, unit="boards", goal=""),
            "other": SimpleNamespace(run=lambda: 5, unit="boards", goal="many"),
        }

    module = ModuleType("some_game")
    monkeypatch.setattr(module, "works", works, raising=False)
    monkeypatch.setitem(sys.modules, "some_game", module)
    _, _, one, other = gpu.call_rows("some_game", open_backend("cpu:1"), open_backend("cpu:1"), 1.0)
    assert one == "| one | failed: RuntimeError: out of memory |"
    assert other.startswith("| other | 0.0000")
    assert other.endswith(" | many |")


def test_a_machine_without_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import harness

    monkeypatch.setenv("PATH", "")
    assert "commit unknown" in harness.heading("Title", open_backend("cpu:1"))
