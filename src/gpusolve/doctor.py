"""Examine this machine: what gpusolve needs, what it finds, and the exact command that fixes a missing part."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gpusolve.backend import caches
from gpusolve.backend.driver import driver_version
from gpusolve.checks import shown
from gpusolve.errors import BadInput, DeviceUnavailable
from gpusolve.games import find_games
from gpusolve.installation import install_command
from gpusolve.lists import formats, kept, public
from gpusolve.resources import kernels_dir, wordlists_dir

SEARCH = {"search": "gpusolve.search"}
"""The heuristic search has a list of compiled functions, as games have."""
VISIBLE = "CUDA_VISIBLE_DEVICES"
"""The environment variable by which CUDA hides GPUs from a process."""
OLDEST = (12, 0)
"""The oldest CUDA version of a driver for which there is an extra."""


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
        *(_compiled(game, file) for game, file in lists().items()),
        *_caches(),
    ]


def lists(games: Sequence[str] = ()) -> dict[str, Path]:
    """Return the lists of compiled functions (see `backend.ahead`), by default of all games and of the search.

    Raises BadInput for a game without a list.
    """
    from gpusolve.backend.ahead import LIST

    known = {**find_games(), **SEARCH}
    found: dict[str, Path] = {}
    for game in games or known:
        spec = find_spec(known[game]) if game in known else None
        files = [Path(folder, LIST) for folder in (spec and spec.submodule_search_locations) or ()]
        if files and files[0].is_file():
            found[game] = files[0]
        elif games:
            having = ", ".join(name for name in known if name in lists())
            raise BadInput(f"game {shown(game)}: expected one of {having}")
    return found


def compile_games(files: Mapping[str, Path], done: Callable[[], None]) -> None:
    """Compile what neither a library nor the user's cache has, for these lists, on all cores.

    `done` is called for each function. Raises RuntimeError if a function cannot be compiled.
    """
    from gpusolve.backend.ahead import compile_side_by_side, job
    from gpusolve.backend.cpu import CpuBackend

    largest_first = sorted(files.values(), key=lambda file: -file.stat().st_size)
    compile_side_by_side([job(file) for file in largest_first], CpuBackend().threads, lambda _: done())


def count(files: Mapping[str, Path]) -> int:
    """Return the number of functions in these lists."""
    from gpusolve.backend.ahead import entries

    return sum(1 for file in files.values() for _ in entries(file))


def _compiled(game: str, file: Path) -> Check:
    """Say which of a game's functions need not be compiled any more."""
    from gpusolve.backend import library
    from gpusolve.backend.ahead import entries

    name, listed = f"compiled: {game}", list(entries(file))
    try:
        missing = [entry for entry in listed if not library.has(*entry)]
        kept = sum(map(_is_kept, missing))
    except Exception as error:  # a broken part is a finding here, not a crash
        return Check(name, False, _first_line(error), install_command(again=True))
    in_library, left = len(listed) - len(missing), len(missing) - kept
    about = f"{len(listed) - left} of {len(listed)} kernels"
    about += f", {in_library} in the library" if in_library and kept else ""
    refused = {reason for function, _ in missing if (reason := library.refused(library.part_of(function)))}
    compile_them = f"gpusolve doctor --compile {game}"
    if left and refused:
        return Check(name, False, f"{about}; the library cannot be used: {' and '.join(sorted(refused))}", compile_them)
    return Check(name, True, about + f"; the others: {compile_them}" * bool(left))


def _is_kept(entry: tuple[str, str]) -> bool:
    """Return whether the user's cache has a function for these types of arguments."""
    from gpusolve.backend import just_in_time
    from gpusolve.backend.ahead import found
    from gpusolve.backend.signatures import types_of

    function, signature = entry
    return just_in_time.is_kept(found(function), types_of(signature))


def _caches() -> list[Check]:
    """Say how much the user's cache folder contains."""
    found = []
    for name, place in caches.contents().items():
        files, size = caches.size(place)
        found.append(
            Check(f"cache: {name}", True, f"{files:,} file{'s' * (files != 1)}, {size / 2**20:,.1f} MiB, {place}")
        )
    return found


def _cpu() -> list[Check]:
    from gpusolve.backend.cpu import CpuBackend

    backend = CpuBackend()
    return [
        Check("numpy", True, _version("numpy")),
        Check("numba", True, f"{_version('numba')}, {backend.threads} threads"),
    ]


def _cuda() -> list[Check]:
    driver, packages = driver_version(), cupy_packages()
    install = cupy_command(driver, packages)
    checks = [_driver(driver)]
    if len(packages) > 1:
        return [*checks, Check("CuPy", False, f"{' and '.join(packages)} are installed: expected one", install)]
    try:
        import cupy
    except ImportError as error:
        found = f"{packages[0]} is damaged: {_first_line(error)}" if packages else "not installed"
        return [*checks, Check("CuPy", False, found, install)]
    checks.append(Check("CuPy", True, str(cupy.__version__)))
    if driver is None:
        return checks  # every other check would only report the same

    def examine_part(name: str, question: Callable[[], str], fix: str) -> None:
        try:
            checks.append(Check(name, True, question()))
        except Exception as error:  # a broken part is a finding here, not a crash
            checks.append(Check(name, False, _first_line(error), fix))

    examine_part("CUDA runtime", lambda: _dotted(cupy.cuda.runtime.runtimeGetVersion()), install)
    examine_part("NVRTC", lambda: "{}.{}".format(*cupy.cuda.nvrtc.getVersion()), install)
    hidden = f"unset {VISIBLE}  # it is '{visible}'" if (visible := os.environ.get(VISIBLE)) is not None else ""
    examine_part("GPU", lambda: _gpus(cupy), hidden or "nvidia-smi  # shows whether the driver sees the GPU")
    examine_part("probe kernel", _probe, f"{install}  # a CuPy that matches the driver")
    return checks


def _driver(version: tuple[int, int] | None) -> Check:
    if version is None:
        return Check("NVIDIA driver", False, "none: gpusolve uses the CPU", "if you have a GPU, install its driver")
    about = f"runs CUDA up to {version[0]}.{version[1]}"
    if version < OLDEST:
        wanted = f"install a newer driver, for CUDA {OLDEST[0]} or later"
        return Check("NVIDIA driver", False, f"{about}, too old for CuPy", wanted)
    return Check("NVIDIA driver", True, about)


def cupy_packages() -> list[str]:
    """Return the names of the installed packages that bring CuPy. More than one is a fault."""
    return sorted(set(packages_distributions().get("cupy", [])))


def cupy_command(driver: tuple[int, int] | None, packages: Sequence[str]) -> str:
    """Return the command that installs the CuPy for a driver, given as (major, minor).

    A package for CUDA 12 works with every later driver, so it is kept. Other packages of CuPy are removed first,
    because they would overwrite each other's files.
    """
    older = driver is not None and driver < (13, 0)
    extra = "cuda12" if older or list(packages) == ["cupy-cuda12x"] else "cuda13"
    others = [package for package in packages if package != f"cupy-{extra}x" or len(packages) > 1]
    return f"pip uninstall {' '.join(others)} && " * bool(others) + install_command(extra)


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
        return [Check("data", False, str(error), install_command(again=True))]
    for words in shipped():
        if words.is_intact():
            checks.append(Check(words.name, True, f"{words.count:,} words, sha256 {words.sha256[:16]}"))
        else:
            checks.append(Check(words.name, False, "missing or changed", install_command(again=True)))
    return [*checks, *map(_kept_list, kept.names())]


def _kept_list(name: str) -> Check:
    """Say whether a list that the user keeps can be used."""
    is_own = name not in public.BY_NAME
    try:
        words = formats.count_words(kept.read(name), name)
    except BadInput as error:
        return Check(name, False, str(error), f"gpusolve lists {'remove' if is_own else 'get'} {name}")
    return Check(name, True, f"{words:,} words, {'your own' if is_own else 'downloaded'}, {kept.path_of(name)}")


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _dotted(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "running from a checkout" if package == "gpusolve" else "not installed"
