"""NVIDIA's run-time compiler: the resources that a kernel uses on an architecture. It needs no driver and no GPU.

It gets the options of `gpusolve.backend.cuda` and those that CuPy adds, so that the machine code is that of a GPU.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from gpusolve.backend.cuda import OPTIONS
from gpusolve.testing.kept import kept_file
from gpusolve.testing.stand_in.signatures import compiler_options

ARCHITECTURES = ("sm_80", "sm_90", "sm_120")
"""The oldest to the newest architecture that users are likely to have: A100, H100, RTX 50."""

_ENTRY = re.compile(r"Compiling entry function '(\w+)'")
_FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")


@dataclass(frozen=True)
class Resources:
    """Resources of a kernel: registers per thread, and bytes per thread (``shared``: per block)."""

    registers: int
    spill_stores: int
    spill_loads: int
    stack: int
    shared: int


def missing() -> str:
    """Return the reason why ``compile`` cannot work here, or ""."""
    try:
        _nvrtc().nvrtcVersion()  # loads the library itself
    except Exception as error:  # ImportError, or an error of cuda-pathfinder
        return f"NVRTC cannot be loaded (cuda-bindings, nvidia-cuda-nvrtc): {error}"
    return ""


def compile(text: str, name: str, arch: str) -> dict[str, Resources]:
    """Compile a CUDA text to machine code and return the resources of each kernel.

    `name` is the file's name in messages, `arch` an architecture such as ``sm_80``. The compiler's report is kept in
    the user's cache folder, so the same compiler does not compile the same text again. Raises RuntimeError with the
    compiler's log if it refuses the text.
    """
    key = "\0".join([text, name, *options_for(arch), _version()])

    def make(file: Path) -> None:
        file.write_text(_report(text, name, arch), encoding="utf-8")

    file = kept_file("nvrtc", key, f"-{Path(name).stem}-{arch}.txt", make)
    return resources(file.read_text(encoding="utf-8"))


def options_for(arch: str) -> tuple[str, ...]:
    """Return the options with which CuPy compiles a program for an architecture.

    >>> options_for("sm_90")
    ('--std=c++17', '-ftz=true', '-arch=sm_90', '--device-as-default-execution-space')
    """
    before, *after = compiler_options()
    return (*OPTIONS, before, f"-arch={arch}", *after)


def _report(text: str, name: str, arch: str) -> str:
    nvrtc = _nvrtc()
    program = _checked(nvrtc.nvrtcCreateProgram(text.encode(), name.encode(), 0, [], []))
    try:
        options = [option.encode() for option in (*options_for(arch), "--ptxas-options=-v")]
        (status,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
        log = bytearray(_checked(nvrtc.nvrtcGetProgramLogSize(program)))
        _checked(nvrtc.nvrtcGetProgramLog(program, log))
        report = log.rstrip(b"\0").decode()
        if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            raise RuntimeError(f"NVRTC refuses {name} for {arch}:\n{report}")
    finally:
        nvrtc.nvrtcDestroyProgram(program)
    return report


def _version() -> str:
    """Return the compiler's version and, if it comes from a wheel, the more precise version of that."""
    _, major, minor = _nvrtc().nvrtcVersion()
    try:
        return f"{major}.{minor} {version('nvidia-cuda-nvrtc')}"
    except PackageNotFoundError:
        return f"{major}.{minor}"


def resources(report: str) -> dict[str, Resources]:
    """Parse the report of ``ptxas -v``. Spills of a device function that is not inlined count for its kernel.

    >>> resources('''ptxas info    : Compiling entry function 'twice' for 'sm_80'
    ... ptxas info    : Function properties for twice
    ...     16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
    ... ptxas info    : Used 64 registers, used 1 barriers, 1024 bytes smem, 368 bytes cmem[0]''')
    {'twice': Resources(registers=64, spill_stores=12, spill_loads=8, stack=16, shared=1024)}
    """
    _, *rest = _ENTRY.split(report)
    found = {}
    for kernel, part in zip(rest[::2], rest[1::2], strict=True):
        frames = [[int(number) for number in frame] for frame in _FRAME.findall(part)]
        used = _USED.search(part)
        if not frames or used is None:
            raise ValueError(f"expected a report of ptxas -v, not: {part}")
        shared = _SHARED.search(part)
        stack, stores, loads = (sum(column) for column in zip(*frames, strict=True))
        found[kernel] = Resources(int(used[1]), stores, loads, stack, int(shared[1]) if shared else 0)
    return found


def _nvrtc() -> Any:
    return importlib.import_module("cuda.bindings.nvrtc")


def _checked(answer: tuple[Any, ...]) -> Any:
    status, *values = answer
    if int(status) != 0:
        raise RuntimeError(f"NVRTC: {status}")
    return values[0] if values else None
