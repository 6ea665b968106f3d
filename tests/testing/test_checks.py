"""The checks of a program: correct programs pass, and every fault is named."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numba
import pytest

from gpusolve.backend import Program
from gpusolve.testing import checks
from gpusolve.testing.checks import check_compiles, check_sanitized, check_twins, numba_functions
from gpusolve.testing.emulation import sanitized
from gpusolve.testing.tools import need_emulation
from testing.test_nvrtc import SPILLING

Write = Callable[..., Program]

KERNEL = """
extern "C" __global__ void twice(int first, int last, int* __restrict__ x /*[last]*/) {
    EACH_ITEM(item, 1) x[item] *= 2;  // without blockIdx and gridDim
}
"""
TWIN = """
def twice(first, last, x):
    for item in range(first, last):
        x[item] *= 2
"""


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Make a program from a CUDA text and a module of Numba functions."""

    def write(kernels: str = KERNEL, twins: str = TWIN, plain: tuple[str, ...] = ()) -> Program:
        module = ModuleType("written_twins")
        exec(twins, module.__dict__)
        for name, function in list(vars(module).items()):
            if callable(function) and name not in plain:
                setattr(module, name, numba.njit(function))
        monkeypatch.setitem(sys.modules, module.__name__, module)
        source = tmp_path / "written.cu"
        source.write_text('#include "common.cuh"\n' + kernels)
        return Program(source, module.__name__)

    return write


def test_equal_twins_pass(write: Write) -> None:
    check_twins(write())
    check_twins(write(twins=TWIN + "def _helper(x): pass\ndef plain(): pass\n", plain=("plain",)))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("twice(int", "thrice(int", "thrice: written_twins has no Numba function of this name"),
        ("twice(int", "thrice(int", "twice: a public function of written_twins, but not a kernel of written.cu"),
        ("x /*", "y /*", "twice: the parameters are first, last, y, the twin's first, last, x"),
        ("x /*[last]*/", "x /*[last]*/, int y", "the parameters are first, last, x, y, the twin's first, last, x"),
        ("/*[last]*/", "", "twice: the array x has no shape: expected brackets after it"),
        ("EACH_ITEM(item, 1) ", "int item = 0; ", "twice: the kernel contains EACH_ITEM 0 times: expected once"),
        ("EACH_ITEM(item, 1) ", "EACH_ITEM(i, 1) {} EACH_ITEM(item, 1) ", "the kernel contains EACH_ITEM 2 times"),
        ("{\n", "{\n    int block = blockIdx.x;\n", "written.cu uses blockIdx: expected EACH_ITEM, whose loop cannot"),
        ("{\n", "{\n    int step = gridDim.x * BLOCK;\n", "written.cu uses gridDim"),
        (KERNEL, "int x;", "written.cu has no kernel"),
    ],
)
def test_each_difference_between_twins_is_named(write: Write, old: str, new: str, message: str) -> None:
    assert old in KERNEL
    with pytest.raises(AssertionError) as error:
        check_twins(write(KERNEL.replace(old, new)))
    assert message in str(error.value)


def test_a_twin_must_be_compiled_by_numba(write: Write) -> None:
    with pytest.raises(AssertionError, match="twice: written_twins has no Numba function of this name"):
        check_twins(write(plain=("twice",)))


def test_all_faults_are_named_at_once(write: Write) -> None:
    with pytest.raises(AssertionError) as error:
        check_twins(write(KERNEL.replace("/*[last]*/", "") + KERNEL.replace("twice", "thrice")))
    assert str(error.value).count("\n") == 1


def test_the_numba_functions_of_a_module() -> None:
    module = ModuleType("a_game")
    exec("def score(first, last, boards, out): pass\ndef _helper(x): pass\ndef plain(x): pass\n", module.__dict__)
    vars(module).update(score=numba.njit(module.score), _helper=numba.njit(module._helper))
    assert numba_functions(module) == {"score": ["first", "last", "boards", "out"]}


def test_a_spill_needs_a_reason(write: Write) -> None:
    with pytest.raises(AssertionError, match=r"^crowded: \d+ bytes of registers spilled and \d+ loaded on sm_90: "):
        check_compiles(write(SPILLING), "sm_90")
    with pytest.raises(AssertionError, match=r"^crowded: "):
        check_compiles(write("// spills: crowded:\n" + SPILLING), "sm_90")  # the reason is missing
    used = check_compiles(write("// spills: crowded: 128 values live at once\n" + SPILLING), "sm_90")
    assert used["crowded"].spill_stores > used["roomy"].spill_stores == 0
    with pytest.raises(AssertionError, match="the comment `// spills: cramped` names no kernel"):
        check_compiles(write("// spills: cramped: many values live at once\n" + KERNEL), "sm_90")


def test_a_kernel_that_cannot_be_parsed_is_found_by_the_compiler(write: Write) -> None:
    other = 'extern "C" __global__ void\nother(int first, int last) {}\n'
    with pytest.raises(AssertionError, match=r"written\.cu: Program sees the kernels twice, the compiler other, twice"):
        check_compiles(write(other + KERNEL), "sm_90")


# ---- the sanitized run ----------------------------------------------------------------------------------------------

SUITE = """
from pathlib import Path
import numpy as np
from gpusolve.backend import Program
from gpusolve.testing import emulation

def test_it(backend):
    assert (backend.name, backend.machine.sanitize, backend.machine.reverse) == ("emulated", True, True)
    x = backend.asarray(np.arange({length}, dtype=np.int32))
    backend.run_range(program := Program(Path({source!r}), ""), program.kernel("twice"), 0, 5, (x,))
    assert x.tolist()[:5] == [0, 2, 4, 6, 8]

def test_without_a_device():
    raise AssertionError("this test must not run")
"""


@pytest.mark.thorough
@pytest.mark.skipif(sanitized(), reason="this is the sanitized run")
def test_a_sanitized_run(write: Write, tmp_path: Path) -> None:
    need_emulation()
    program, suite = write(), tmp_path / "test_suite.py"
    suite.write_text(SUITE.format(length=5, source=str(program.source)))
    check_sanitized(suite)
    suite.write_text(SUITE.format(length=4, source=str(program.source)))
    with pytest.raises(AssertionError, match=rf"^{program.source.name}:\d+: heap-buffer-overflow\n"):
        check_sanitized(suite)
    suite.write_text("def test_nothing(): pass\n")
    with pytest.raises(AssertionError, match="the sanitized run ended with 5"):
        check_sanitized(suite)
    suite.write_text("import pytest\ndef test_it(backend): pytest.skip()\n")
    with pytest.raises(AssertionError, match="1 skipped"):
        check_sanitized(suite)


@pytest.mark.parametrize(
    ("output", "line"),
    [
        (
            "#0 in powers kernels/powers.cu:9\nSUMMARY: AddressSanitizer: heap-buffer-overflow x.h:3",
            "powers.cu:9: heap-",
        ),
        ("powers.cu:9:31: runtime error: signed integer overflow: 2 * 3", "powers.cu:9: runtime error: signed integer"),
        ("E assert 3 == 4 in powers.cu:9", ""),
    ],
)
def test_the_line_that_a_sanitizer_names(output: str, line: str) -> None:
    found = checks._named(output)
    assert found.startswith(line)
    assert bool(found) == bool(line)
