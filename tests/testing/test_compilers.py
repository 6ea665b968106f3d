"""Which C++ compiler the emulation uses."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gpusolve.testing import compilers
from gpusolve.testing.compilers import Compiler, find_compiler


def program(folder: Path, name: str, says: str, code: int = 0) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\necho '{says}'\nexit {code}\n")
    file.chmod(0o755)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder on PATH; the wheel `ziglang` is not installed."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("GPUSOLVE_CXX", raising=False)
    monkeypatch.setattr(compilers, "find_spec", lambda name: None)
    compilers._examined.cache_clear()
    return tmp_path


def test_without_a_compiler(path: Path) -> None:
    assert find_compiler() is None


def test_gcc_comes_before_clang(path: Path) -> None:
    program(path, "clang++", "clang version 19")
    assert find_compiler() == Compiler(("clang++",), "clang++", clang=True)
    program(path, "g++", "g++ (Debian 12.2.0) 12.2.0")
    assert find_compiler() == Compiler(("g++",), "g++", clang=False)


def test_on_macos_gcc_is_clang(path: Path) -> None:
    program(path, "g++", "Apple clang version 17.0.0")
    assert find_compiler() == Compiler(("g++",), "g++", clang=True)


def test_a_compiler_that_fails_is_passed_over(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On macOS without the developer tools, g++ only prints how to install them."""
    program(path, "g++", "xcode-select: no developer tools were found", code=1)
    monkeypatch.setattr(compilers, "find_spec", lambda name: name)
    assert find_compiler() == Compiler((sys.executable, "-m", "ziglang", "c++"), "ziglang", clang=True)


def test_a_compiler_can_be_chosen(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(path, "g++", "g++ 12")
    program(path, "clang++-19", "clang version 19")
    monkeypatch.setenv("GPUSOLVE_CXX", "clang++-19 --target=here")
    assert find_compiler() == Compiler(("clang++-19", "--target=here"), "clang++-19", clang=True)
    monkeypatch.setenv("GPUSOLVE_CXX", "nowhere")
    assert find_compiler() is None


def test_messages_of_the_compiler(path: Path) -> None:
    file = path / "g++"
    file.write_text("#!/bin/sh\necho 'line 3: no' >&2\nexit 1\n")
    file.chmod(0o755)
    with pytest.raises(RuntimeError, match="g\\+\\+ refuses the kernels:\nline 3: no"):
        Compiler(("g++",), "g++", clang=False).compile("text", "c++", [])
