"""Shipped machine code is used where it fits, and nowhere else."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve import clock
from gpusolve.backend import compiled, machine_code
from gpusolve.backend.ahead import Job, compile_side_by_side
from gpusolve.backend.levels import Level, levels, suitable
from gpusolve.backend.shipping import ship
from gpusolve.backend.signatures import types_of

TWIN = """
import numpy as np
from gpusolve.backend.compiled import compiled

FACTOR = 3

@compiled
def mixed(values, out):
    for i in range(len(values)):
        out[i] = values[i] * values[i] * np.float32(FACTOR) + values[len(values) - 1 - i] / np.float32(7)
    return len(values)
"""
LIST = "# a comment\nhall.twins:mixed (float32[::1], float32[::1])\n"
FUNCTION, SIGNATURE = "hall.twins:mixed", "float32[::1], float32[::1]"

pytestmark = pytest.mark.skipif(not levels(), reason="there is no level for this kind of processor")


def usable() -> list[Level]:
    return suitable(machine_code.codegen.get_host_cpu_features())


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a package and its machine code for the highest and the lowest level of this machine."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("code")
    (source / "hall").mkdir()
    for name, text in {"__init__.py": "", "twins.py": TWIN, "signatures.txt": LIST}.items():
        (source / "hall" / name).write_text(text)
    done: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(source))
        ship(out, list({usable()[0], usable()[-1]}), [source / "hall" / "signatures.txt"], done.append)
    assert set(done) == {FUNCTION}
    return out


@pytest.fixture
def call(shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., tuple[bytes, bool]]]:
    """Call the function as a new process with an empty cache would; return its result and whether it was compiled."""
    caches = iter(range(100))

    def call(text: str = TWIN, code: Path | str = shipped) -> tuple[bytes, bool]:
        folder = tmp_path / f"call{next(caches)}"
        (folder / "hall").mkdir(parents=True)
        (folder / "hall" / "__init__.py").touch()
        (folder / "hall" / "twins.py").write_text(text)
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setenv("GPUSOLVE_MACHINE_CODE", str(code))
        forget()
        values = np.linspace(-2, 3, 1000, dtype=np.float32)
        result = np.empty_like(values)
        before = clock.compiling.seconds
        twin: Any = import_module("hall.twins").mixed
        assert twin(values, result) == 1000
        return result.tobytes(), clock.compiling.seconds > before

    yield call
    forget()


def forget() -> None:
    """Restore the state of a new process, in which no module is imported and no file was read."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "hall"]:
        del sys.modules[name]
    compiled.digest.cache_clear()
    compiled._read.cache_clear()
    machine_code.shipped.cache_clear()


def rewritten(file: Path, to: Path, change: Callable[[str, bytes], bytes]) -> Path:
    """Write a copy of a zip file with changed entries, and return its folder."""
    to.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(to, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return to.parent


def test_shipped_code_is_used_and_gives_the_results_of_compiled_code(call: Callable[..., tuple[bytes, bool]]) -> None:
    expected, was_compiled = call(code="")
    assert was_compiled
    assert call() == (expected, False)


def test_all_levels_give_the_same_results(
    call: Callable[..., tuple[bytes, bool]], shipped: Path, tmp_path: Path
) -> None:
    results = set()
    for level in {usable()[0], usable()[-1]}:
        only = rewritten(shipped / f"{level.name}.zip", tmp_path / level.name / f"{level.name}.zip", lambda _, c: c)
        result, was_compiled = call(code=only)
        assert not was_compiled
        results.add(result)
    assert len(results) == 1


def test_the_highest_level_is_chosen(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_MACHINE_CODE", str(shipped))
    forget()
    chosen = machine_code.shipped()
    assert chosen is not None
    assert chosen.level == usable()[0]


def test_code_of_other_sources_is_refused(call: Callable[..., tuple[bytes, bool]]) -> None:
    changed = TWIN.replace("FACTOR = 3", "FACTOR = 4")
    assert call(changed) == (call(changed, code="")[0], True)


@pytest.mark.parametrize("field", ["numba", "llvmlite", "python", "triple", "BOUNDSCHECK"])
def test_code_of_another_version_or_setting_is_refused(
    call: Callable[..., tuple[bytes, bool]], shipped: Path, tmp_path: Path, field: str
) -> None:
    def change(name: str, content: bytes) -> bytes:
        if name != machine_code.ABOUT:
            return content
        about = json.loads(content)
        about["made by"][field] = "0.1"
        return json.dumps(about).encode()

    name = f"{usable()[0].name}.zip"
    assert call(code=rewritten(shipped / name, tmp_path / "other" / name, change)) == (call(code="")[0], True)


def test_code_of_another_level_is_refused(
    call: Callable[..., tuple[bytes, bool]], shipped: Path, tmp_path: Path
) -> None:
    """A file under another level's name is not used, nor is one of a level that the machine lacks."""
    own, unknown = f"{usable()[0].name}.zip", tmp_path / "unknown" / "x86-64-v9.zip"
    assert call(code=rewritten(shipped / own, unknown, lambda _, content: content))[1]

    def change(name: str, content: bytes) -> bytes:
        return content.replace(usable()[0].name.encode(), b"x86-64-v9") if name == machine_code.ABOUT else content

    assert call(code=rewritten(shipped / own, tmp_path / "other" / own, change))[1]
    assert suitable("-avx2,+avx") == []


@pytest.mark.parametrize("cut", [0, 1, 100, -100])
def test_damaged_code_is_refused(
    call: Callable[..., tuple[bytes, bool]], shipped: Path, tmp_path: Path, cut: int
) -> None:
    name = f"{usable()[0].name}.zip"
    content = (shipped / name).read_bytes()
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / name).write_bytes(content[:cut])
    assert call(code=tmp_path / "cut") == (call(code="")[0], True)


def test_a_flipped_bit_is_noticed(call: Callable[..., tuple[bytes, bool]], shipped: Path, tmp_path: Path) -> None:
    name = f"{usable()[0].name}.zip"
    content = bytearray((shipped / name).read_bytes())
    with zipfile.ZipFile(shipped / name) as archive:
        place = archive.getinfo(machine_code.entry(FUNCTION, SIGNATURE))
    content[place.header_offset + 200 + place.compress_size // 2] ^= 4
    (tmp_path / "flipped").mkdir()
    (tmp_path / "flipped" / name).write_bytes(content)
    assert call(code=tmp_path / "flipped") == (call(code="")[0], True)


def test_a_users_choice_of_processor_is_respected(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_MACHINE_CODE", str(shipped))
    monkeypatch.setattr(machine_code.config, "CPU_NAME", "generic")
    forget()
    assert machine_code.shipped() is None
    forget()


def test_a_list_is_compiled_for_the_users_cache(shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hall").mkdir()
    for name, text in {"__init__.py": "", "twins.py": TWIN, "signatures.txt": LIST}.items():
        (tmp_path / "hall" / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("GPUSOLVE_MACHINE_CODE", "")
    job = Job(tmp_path / "hall" / "signatures.txt")
    forget()
    where = [compiled.origin(import_module("hall.twins").mixed, types_of(SIGNATURE))]
    done: list[str] = []
    compile_side_by_side([job], 2, done.append)
    where.append(compiled.origin(import_module("hall.twins").mixed, types_of(SIGNATURE)))
    assert (where, done) == (["", "kept"], [FUNCTION])
    monkeypatch.setenv("GPUSOLVE_MACHINE_CODE", str(shipped))
    machine_code.shipped.cache_clear()
    assert compiled.origin(import_module("hall.twins").mixed, types_of(SIGNATURE)) == "shipped"
    (tmp_path / "hall" / "signatures.txt").write_text("hall.twins:mixed (int64)\n")
    with pytest.raises(RuntimeError, match="signatures"):
        compile_side_by_side([job], 2, done.append)
    forget()
