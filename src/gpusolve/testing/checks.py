"""Checks for every program. A test calls a check; an AssertionError says what is wrong.

::

    from my_game.kernels import PROGRAM

    def test_twins():
        check_twins(PROGRAM)

    @pytest.mark.parametrize("arch", ARCHITECTURES)
    def test_compiles(arch):
        check_compiles(PROGRAM, arch)

    def test_sanitized():
        check_sanitized(Path(__file__).parent / "test_kernels.py")
"""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from gpusolve.backend import Program
from gpusolve.backend.compiled import Twin
from gpusolve.testing import emulation, nvrtc
from gpusolve.testing.tools import lacking, need_emulation, need_nvrtc

_MAY_SPILL = re.compile(r"^// spills: (\w+): \S", re.MULTILINE)  # followed by the reason
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_COMMON = re.compile(r'^#line 1 "common\.cuh"\n.*?(?=^#line )', re.DOTALL | re.MULTILINE)
_KERNEL = 'extern "C" __global__ void '


def check_twins(program: Program) -> None:
    """Check that every kernel has a Numba twin with the same parameters, a shape for each array, and one safe loop.

    The public Numba functions of the program's twin module must be exactly the kernels. `EACH_ITEM` is the safe loop; a
    handwritten loop over ``blockIdx`` overflows 32 bits near 2^31 items.

    >>> from gpusolve.games.wordle.kernels import PROGRAM
    >>> check_twins(PROGRAM)
    """
    faults = [] if program.kernels else [f"{program.source.name} has no kernel"]
    module = import_module(program.twins)
    twins = numba_functions(module)
    for name, kernel in program.kernels.items():
        names = [parameter.python_name for parameter in kernel.parameters]
        if name not in twins:
            faults.append(f"{name}: {program.twins} has no Numba function of this name")
        elif twins[name] != names:
            faults.append(f"{name}: the parameters are {', '.join(names)}, the twin's {', '.join(twins[name])}")
        faults += [
            f"{name}: the array {parameter.name} has no shape: expected brackets after it, /*[last]...*/ or /*[]*/"
            for parameter in kernel.parameters
            if parameter.is_array and parameter.shape is None
        ]
    faults += [
        f"{name}: a public function of {program.twins}, but not a kernel of {program.source.name}"
        for name in twins
        if name not in program.kernels and getattr(module, name).__module__.startswith(program.twins)
    ]
    _check(faults + _loop_faults(program))


def numba_functions(module: ModuleType) -> dict[str, list[str]]:
    """Return the parameter names of each public compiled function of a module, by `compiled` or by Numba itself.

    >>> from gpusolve.games.wordle import cpu
    >>> numba_functions(cpu)["patterns"][:2]
    ['first', 'last']
    """
    from numba.extending import is_jitted

    return {
        name: list(inspect.signature(inspect.unwrap(function)).parameters)
        for name, function in vars(module).items()
        if not name.startswith("_") and (isinstance(function, Twin) or is_jitted(function))
    }


def check_compiles(program: Program, arch: str) -> dict[str, nvrtc.Resources]:
    """Check that NVIDIA's compiler accepts the text for `arch` and that no kernel spills registers.

    A kernel that must spill gives the reason in a line ``// spills: <kernel>: <why>``. The test is skipped without the
    compiler (the wheels ``cuda-bindings`` and ``nvidia-cuda-nvrtc``; it needs no GPU and no driver). Returns the
    resources of each kernel. Raises RuntimeError with the compiler's log if it refuses the text.
    """
    need_nvrtc()
    found = nvrtc.compile(program.text, program.source.name, arch)
    allowed = set(_MAY_SPILL.findall(program.text))
    spilling = {kernel: used for kernel, used in found.items() if used.spill_stores or used.spill_loads}
    faults = [
        f"{kernel}: {used.spill_stores} bytes of registers spilled and {used.spill_loads} loaded on {arch}: "
        f"expected none, or a line `// spills: {kernel}: <why>`"
        for kernel, used in spilling.items()
        if kernel not in allowed
    ]
    faults += [f"the comment `// spills: {name}` names no kernel" for name in sorted(allowed - set(found))]
    if set(found) != set(program.kernels):
        names = f"{', '.join(sorted(program.kernels))}, the compiler {', '.join(sorted(found))}"
        faults.append(f"{program.source.name}: Program sees the kernels {names}")
    _check(faults)
    return found


def check_sanitized(*tests: str | Path) -> None:
    """Check that `tests` (files or folders) pass under sanitizers, with the threads run in reverse order.

    They run with ``--device emulated`` in a separate pytest, whose kernels g++ compiles with AddressSanitizer and
    UndefinedBehaviorSanitizer. A kernel that lacks a barrier is likely to fail in the reverse order. At least one test
    must use the fixture ``backend``, and no test may be skipped.
    """
    need_emulation()
    if emulation.sanitized():
        pytest.skip("this is the sanitized run")
    if not emulation.have_sanitizers():
        lacking("emulated", "g++ has no AddressSanitizer here")
    options = ["-p", "gpusolve.testing.plugin", "-p", "no:cacheprovider", "--device", "emulated"]
    options += ["-v", "--capture=sys"]  # if a sanitizer ends a test, it is the last one named
    environment = os.environ | emulation.sanitizer_environment() | {"GPUSOLVE_EMULATE_ORDER": "reverse"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *map(str, tests)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode or " passed" not in done.stdout or " skipped" in done.stdout:
        output = done.stdout + done.stderr
        raise AssertionError(f"{_named(output)}the sanitized run ended with {done.returncode}:\n{output[-8000:]}")


def _named(output: str) -> str:
    r"""Return a line with the first line of a ``.cu`` that a sanitizer names, and its fault; "" if it names none.

    >>> _named("SUMMARY: AddressSanitizer: heap-buffer-overflow kernels/powers.cu:9 in powers")
    'powers.cu:9: heap-buffer-overflow\n'
    """
    if found := re.search(r"runtime error: .*", output):  # UndefinedBehaviorSanitizer
        what = found[0]
        place = re.search(r"([^\s/]+\.cuh?:\d+)[:\d]*: runtime error", output)
    else:
        found = re.search(r"SUMMARY: AddressSanitizer: (\S+)", output)
        what = found[1] if found else ""
        place = re.search(r"([^\s/]+\.cuh?:\d+)", output)
    return f"{place[1]}: {what}\n" if place and what else ""


def _loop_faults(program: Program) -> list[str]:
    text = _COMMENT.sub("", _COMMON.sub("", program.text))
    faults = [
        f"{program.source.name} uses {word}: expected EACH_ITEM, whose loop cannot overflow"
        for word in ("blockIdx", "gridDim")
        if re.search(rf"\b{word}\b", text)
    ]
    for name, body in zip(program.kernels, text.split(_KERNEL)[1:], strict=True):
        if (loops := len(re.findall(r"\bEACH_ITEM\(", body))) != 1:
            faults.append(f"{name}: the kernel contains EACH_ITEM {loops} times: expected once")
    return faults


def _check(faults: list[str]) -> None:
    __tracebackhide__ = True
    if faults:
        raise AssertionError("\n".join(faults))
