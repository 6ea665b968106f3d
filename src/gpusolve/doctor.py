"""Examine this machine: what gpusolve needs, what it finds, and the exact command that fixes a missing part."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from gpusolve.backend.driver import driver_version
from gpusolve.errors import DeviceUnavailable
from gpusolve.resources import kernels_dir, wordlists_dir

REINSTALL = "pip install --force-reinstall gpusolve"


@dataclass(frozen=True)
class Check:
    """One part of the installation: whether it works, what was found, and the command that fixes it."""

    name: str
    ok: bool
    found: str
    fix: str = ""


def examine() -> list[Check]:
    """Examine the CPU side, then what CUDA needs, then the shipped data. Never raises."""
    return [
        Check("gpusolve", True, f"{_version('gpusolve')}, Python {platform.python_version()} ({sys.executable})"),
        *_cpu(),
        *_cuda(),
        *_data(),
    ]


def _cpu() -> list[Check]:
    from gpusolve.backend.cpu import CpuBackend

    backend = CpuBackend()
    return [
        Check("numpy", True, _version("numpy")),
        Check("numba", True, f"{_version('numba')}, {backend.threads} threads"),
    ]


def _cuda() -> list[Check]:
    driver = driver_version()
    extra = "cuda12" if driver is not None and driver[0] == 12 else "cuda13"
    install = f"pip install 'gpusolve[{extra}]'"
    if driver is not None:
        checks = [Check("NVIDIA driver", True, f"runs CUDA up to {driver[0]}.{driver[1]}")]
    else:
        checks = [Check("NVIDIA driver", False, "none: gpusolve uses the CPU", "if you have a GPU, install its driver")]
    try:
        import cupy
    except ImportError:
        missing = Check("CuPy", False, "not installed", install)
        return [*checks, missing]
    checks.append(Check("CuPy", True, str(cupy.__version__)))
    if driver is None:
        return checks  # every other check would only report the same

    def examine_part(name: str, question: Callable[[], str], fix: str) -> None:
        try:
            checks.append(Check(name, True, question()))
        except Exception as error:  # a broken part is a finding here, not a crash
            checks.append(Check(name, False, (str(error).strip() or type(error).__name__).splitlines()[0], fix))

    examine_part("CUDA runtime", lambda: _dotted(cupy.cuda.runtime.runtimeGetVersion()), install)
    examine_part("NVRTC", lambda: "{}.{}".format(*cupy.cuda.nvrtc.getVersion()), install)
    examine_part("GPU", lambda: _gpus(cupy), "nvidia-smi  # shows whether the driver sees the GPU")
    examine_part("probe kernel", _probe, f"{install}  # a CuPy that matches the driver")
    return checks


def _gpus(cupy: Any) -> str:
    gpus = []
    for index in range(cupy.cuda.runtime.getDeviceCount()):
        about = cupy.cuda.runtime.getDeviceProperties(index)
        with cupy.cuda.Device(index):
            free, total = cupy.cuda.runtime.memGetInfo()
        gpus.append(
            f"cuda:{index} {about['name'].decode()}, sm_{about['major']}{about['minor']}, "
            f"{free / 2**30:.1f} of {total / 2**30:.1f} GiB free"
        )
    if not gpus:
        raise DeviceUnavailable("the driver finds no GPU")
    return "; ".join(gpus)


def _probe() -> str:
    from gpusolve.backend.cuda import CudaBackend

    return f"compiled and ran on {CudaBackend().about}"


def _data() -> list[Check]:
    from gpusolve.wordlists import shipped

    try:
        sources = sorted(path.name for path in kernels_dir().glob("*.cu"))
        checks = [Check("kernels", True, f"{kernels_dir()}: {', '.join(sources)}")]
        wordlists_dir()
    except FileNotFoundError as error:
        return [Check("data", False, str(error), REINSTALL)]
    for words in shipped():
        if words.is_intact():
            checks.append(Check(words.name, True, f"{words.count:,} words, sha256 {words.sha256[:16]}"))
        else:
            checks.append(Check(words.name, False, "missing or changed", REINSTALL))
    return checks


def _dotted(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "running from a checkout" if package == "gpusolve" else "not installed"
