"""Kernels that would end the process by a signal: each is an error in one line, and the next launch works."""

from __future__ import annotations

import os
import re
import signal
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gpusolve.backend import Program
from gpusolve.testing.emulated import EmulatedBackend
from gpusolve.testing.emulation import runs_ahead, sanitized
from gpusolve.testing.profiling import profile
from gpusolve.testing.tools import need_emulation

pytestmark = pytest.mark.skipif(sanitized(), reason="AddressSanitizer reports crashes itself, and ends the process")
ITEMS, CULPRIT = 1000, 700
OVERFLOW, MEMORY = "SIGSEGV: its stack overflows", "SIGSEGV: it reads or writes memory that is not there"
TRAP = "(SIGILL|SIGTRAP): it reaches a trap"
KINDS = {"recursion": OVERFLOW, "array": OVERFLOW, "pointer": MEMORY, "index": MEMORY, "division": "SIGFPE: it divides"}
KINDS |= {"trap": r"__trap\(\)", "compiler's trap": TRAP}
TEXT = """#include "common.cuh"
__device__ __noinline__ int deeper(volatile int* n) { volatile int m = *n + 1; return deeper(&m) + m; }
__device__ __noinline__ int large(int n) { volatile char all[1 << 20]; all[n] = 1; return all[n]; }
extern "C" __global__ void __launch_bounds__(BLOCK) crash(int first, int last,
        const int* __restrict__ kinds /*[last]*/, i64 address, int* __restrict__ out /*[last]*/) {
    EACH_ITEM(item, 1) {
        volatile int kind = kinds[item];
        out[item] = 7;
        if (kind == 1) out[item] = deeper(&kind);
        if (kind == 2) out[item] = large(kind);
        if (kind == 3) *(int*)address = 1;
        if (kind == 4) out[i64(1) << 40] = 1;
        if (kind == 5) out[item] = 100 / (kind - 5);
        if (kind == 6) __trap();
        if (kind == 7) __builtin_trap();
    }
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    need_emulation()
    source = tmp_path_factory.mktemp("crashes") / "crash.cu"
    source.write_text(TEXT)
    return Program(source, twins="")


def launch(program: Program, backend: EmulatedBackend, kind: str = "") -> list[int]:
    kinds = np.zeros(ITEMS, np.int32)
    kinds[CULPRIT] = list(KINDS).index(kind) + 1 if kind else 0
    found: list[int] = backend.to_host(backend.launch(program, "crash", ITEMS, backend.asarray(kinds), 16)).tolist()
    return found


@pytest.mark.parametrize("races", [False, True], ids=["plain", "races"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_crash_is_an_error_of_the_launch(program: Program, kind: str, races: bool) -> None:
    backend = EmulatedBackend(races=races)
    with pytest.raises(RuntimeError) as caught:
        launch(program, backend, kind)
    if races and KINDS[kind] == MEMORY:  # noticed before it happens
        place = "through a null pointer" if kind == "pointer" else r"element -?[\d,]+ of (out|kinds), which has"
        assert re.search(rf"crash: thread {CULPRIT} writes {place}", str(caught.value))
    else:
        assert re.search(rf"crash: block \d: thread {CULPRIT % 256}: {KINDS[kind]}", str(caught.value))
    assert "\n" not in str(caught.value)
    assert launch(program, backend) == [7] * ITEMS


@pytest.mark.skipif(runs_ahead(), reason="this test chooses itself that lanes run ahead")
@pytest.mark.parametrize("options", [{"reverse": True}, {"ahead": True}], ids=["reverse", "ahead"])
def test_a_crash_is_an_error_in_every_order(program: Program, options: dict[str, bool]) -> None:
    with pytest.raises(RuntimeError, match=OVERFLOW):
        launch(program, EmulatedBackend(**options), "recursion")


def test_a_crash_is_an_error_of_a_profile(program: Program) -> None:
    kinds = np.full(1, list(KINDS).index("division") + 1, np.int32)
    with pytest.raises(RuntimeError, match="crash: block 0: thread 0: SIGFPE"):
        profile(program, "crash", 1, kinds, 16, instructions=False)


def test_threads_may_crash_at_the_same_time(program: Program) -> None:
    backend = EmulatedBackend()

    def crashes(kind: str) -> bool:
        with pytest.raises(RuntimeError, match=KINDS[kind]):
            launch(program, backend, kind)
        return launch(program, backend) == [7] * ITEMS

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(crashes, [*KINDS] * 3))


@pytest.mark.parametrize("kind", ["", "division"], ids=["result", "error"])
def test_a_signal_does_after_a_launch_what_it_did_before(program: Program, kind: str) -> None:
    received: list[int] = []
    before = signal.signal(signal.SIGFPE, lambda number, _: received.append(number))
    try:
        if kind:
            with pytest.raises(RuntimeError, match="SIGFPE"):
                launch(program, EmulatedBackend(), kind)
        else:
            launch(program, EmulatedBackend())
        assert not received
        os.kill(os.getpid(), signal.SIGFPE)
        assert received == [signal.SIGFPE]
    finally:
        signal.signal(signal.SIGFPE, before)
