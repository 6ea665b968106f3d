"""The memory of the searches: kept to, too little, and more than the machine has."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from games.queuedle.oracle import CPU, LARGE, WORDS
from gpusolve.errors import BadInput
from gpusolve.games.queuedle.search import memory
from gpusolve.games.queuedle.search.auto import beams_in_rounds
from gpusolve.games.queuedle.search.searches import Solution, Solver


def test_a_beam_does_not_depend_on_memory(solver: Solver) -> None:
    whole = solver.beam(width=3000)
    assert not whole.proven
    least = memory.fixed_bytes(solver.boards, 1) + 3000 * memory.width_bytes(solver.boards) + 28 * 20 * 100
    tight = solver.beam(width=3000, memory=-(-least // (1 << 20)))
    assert (tight.score, tight.moves, tight.generated) == (whole.score, whole.moves, whole.generated)


def test_too_little_memory_is_refused_before_a_table_is_made(solver: Solver) -> None:
    with pytest.raises(BadInput, match=r"memory 250: too little for a beam of 1,000,000: expected at least \d+ MiB"):
        solver.beam(width=1_000_000, memory=250)
    with pytest.raises(BadInput, match="memory 10: too little for a beam of 1:"):
        beams_in_rounds(solver, memory=10, time_limit=1.0)
    six = Solver(LARGE, dictionary=WORDS, backend=CPU)
    runs: list[Callable[[], Solution]] = [
        lambda: beams_in_rounds(six, memory=300),
        lambda: six.beam(width=10, memory=300),
    ]
    for run in runs:
        with pytest.raises(BadInput, match=r"memory 300: too little for a beam of \d+: expected at least [\d,]+ MiB"):
            run()
    assert "scores" not in vars(six)


def test_more_memory_than_the_machine_has_free_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(CPU), "free_memory", property(lambda backend: 292 << 20))
    six = Solver(LARGE, dictionary=WORDS, backend=CPU)
    searches: list[Callable[[Solver], Solution]] = [beams_in_rounds, Solver.beam, Solver.best_first]
    for search in searches:
        with pytest.raises(BadInput, match=r"a search on a 6x6 grid needs [\d,]+ MiB, and 292 are free"):
            search(six)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc to read the peak from")
def test_a_beam_keeps_to_its_memory() -> None:
    """A separate process reports its peak in KiB."""
    program = "from gpusolve.cli import main; main(); print(open('/proc/self/status').read())"
    arguments = "queuedle solve lpaie/priio/atuaj/ziafa/cgaee aweaeetn --strategy beam --width 300000"
    arguments += " --memory 285 --device cpu --quiet"
    command = [sys.executable, "-c", program, *arguments.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "beam: " in done.stdout
    peak = next(line for line in done.stdout.splitlines() if line.startswith("VmHWM:"))
    assert int(peak.split()[1]) < 285 << 10
