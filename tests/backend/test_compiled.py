"""Numba functions are compiled again when any file that they depend on has changed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from gpusolve.backend import compilation, just_in_time, sources

TEXTS = {
    "__init__": "",
    "numbers": "TABLE = (3, 4)\n",
    "tables": "import numpy as np\nfrom .numbers import TABLE\nWIDTHS = np.array(TABLE)\n",
    "helpers": """
from gpusolve.backend.compiled import compiled, inlined

@inlined
def squared(x): return x * x

@compiled
def doubled(x): return 2 * x
""",
    "twins": """
from room.helpers import doubled, squared
from room import tables
from gpusolve.backend.compiled import compiled

WIDTHS = tables.WIDTHS

@compiled
def area(x): return WIDTHS[0] * squared(x) + doubled(x)
""",
    "other": "NUMBER = 1\n",
}


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Create a package whose twin uses helpers from one module, and a table that one module builds from another's."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr("gpusolve.backend.caches.folder", lambda name: tmp_path / name)
    folder = tmp_path / "room"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / f"{name}.py").write_text(text)
    yield folder
    forget()


def forget() -> None:
    """Restore the state of a new process, in which no module is imported and no file was read."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "room"]:
        del sys.modules[name]
    sources.forget()


def area() -> tuple[int, bool]:
    """Return the result for 10, and whether another process compiled it."""
    forget()
    twin: Any = import_module("room.twins").area
    result = int(twin(10))
    return result, bool(getattr(twin, "numba", twin).stats.cache_hits)


@pytest.mark.parametrize(
    ("file", "before", "after", "result"),
    [
        ("numbers", "(3, 4)", "(5, 4)", 520),
        ("tables", "np.array(TABLE)", "np.array(TABLE) + 1", 420),
        ("helpers", "x * x", "x * x * x", 3020),
        ("helpers", "2 * x", "7 * x", 370),
        ("twins", "WIDTHS[0]", "WIDTHS[1]", 420),
    ],
)
def test_a_change_in_any_module_compiles_again(room: Path, file: str, before: str, after: str, result: int) -> None:
    assert area() == (320, False)
    assert area() == (320, True)
    (room / f"{file}.py").write_text(TEXTS[file].replace(before, after))
    assert area() == (result, False)
    assert area() == (result, True)


def test_a_change_in_a_module_that_is_not_imported_does_not_matter(room: Path) -> None:
    assert area() == (320, False)
    (room / "other.py").write_text("NUMBER = 2\n")
    assert area() == (320, True)
    typing = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from room.other import NUMBER\n"
    (room / "numbers.py").write_text(typing + TEXTS["numbers"])
    assert area() == (320, False)
    (room / "other.py").write_text("NUMBER = 3\n")
    assert area() == (320, True)


CLOSURES = """
from gpusolve.backend.compiled import compiled, inlined

def twins_for(factor):
    @inlined
    def times(x): return factor * x

    @compiled
    def area(x): return times(times(x))

    return area

area, volume = twins_for(2), twins_for(3)
"""


def test_closures_that_call_closures_are_kept(room: Path) -> None:
    (room / "twins.py").write_text(CLOSURES)
    for is_kept in (False, True):
        forget()
        twins: Any = import_module("room.twins")
        assert (twins.area(10), twins.volume(10)) == (40, 90)
        assert [bool(twin.numba.stats.cache_hits) for twin in (twins.area, twins.volume)] == [is_kept] * 2


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: bytes([content[0] ^ 1]) + content[1:],
        lambda content: content[: len(content) // 2] + b"\0" * (len(content) - len(content) // 2),
        lambda content: content[:-200] + bytes([content[-200] ^ 16]) + content[-199:],
        lambda content: b"x" * len(content),
    ],
)
def test_damaged_code_is_compiled_again(room: Path, suffix: str, damage: Callable[[bytes], bytes]) -> None:
    """A power cut can leave any file empty, cut short or with other bytes."""
    assert area() == (320, False)
    for file in (room.parent / "kernels").rglob(f"*.{suffix}"):
        file.write_bytes(damage(file.read_bytes()))
    assert area() == (320, False)
    assert area() == (320, True)


def test_on_a_full_disk_functions_are_compiled_each_time(room: Path) -> None:
    """Nothing is left on disk that a later process would mistake for the new code."""
    resource = pytest.importorskip("resource")
    assert area() == (320, False)
    (room / "numbers.py").write_text("TABLE = (5, 4)\n")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))  # enough for the index, too little for the code
    try:
        just_in_time._warn_of_no_cache.cache_clear()
        with pytest.warns(RuntimeWarning, match="there is no writable folder for compiled kernels"):
            assert area() == (520, False)
        assert area() == (520, False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        just_in_time._warn_of_no_cache.cache_clear()
    assert area() == (520, False)
    assert area() == (520, True)


def test_the_functions_that_are_compiled_are_reported(room: Path) -> None:
    found: list[tuple[str, int]] = []
    with compilation.watching(lambda name, left: found.append((name, left))):
        assert area() == (320, False)
        assert area() == (320, True)
    assert found[0] == ("area", 2)
    assert sorted(name for name, _ in found) == ["", "area", "doubled", "squared"]
    assert [left for _, left in found] == [2, 1, 0, 0]


def test_a_function_without_a_cache_is_compiled_with_a_warning(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.core.caching.CacheImpl._locator_classes", [])
    just_in_time._warn_of_no_cache.cache_clear()
    forget()
    twin: Any = import_module("room.twins").area
    with pytest.warns(RuntimeWarning, match="there is no writable folder for compiled kernels"):
        assert twin(10) == 320
    just_in_time._warn_of_no_cache.cache_clear()


def test_numba_itself_does_not_notice_the_change(room: Path) -> None:
    """This is why `compiled` exists; if Numba ever checks more than one file, remove it."""
    for name in ("helpers", "twins"):
        plain = TEXTS[name].replace("from gpusolve.backend.compiled import compiled", "from numba import njit")
        plain = plain.replace("from numba import njit, inlined", "from numba import njit\ninlined = njit")
        (room / f"{name}.py").write_text(plain.replace("@compiled", "@njit(cache=True)"))
    assert area() == (320, False)
    (room / "numbers.py").write_text("TABLE = (5, 4)\n")
    assert area() == (320, True)


def test_the_twins_of_tetris_depend_on_their_tables() -> None:
    read = sources.dependencies("gpusolve.games.tetris.cpu")
    rooms = {"rules": ("board", "features", "sources"), "cpu": ("tables", "boards", "values", "games")}
    assert {f"gpusolve.games.tetris.{room}.{name}" for room, names in rooms.items() for name in names} | {
        "gpusolve.backend.intrinsics.bits",
        "gpusolve.runs.seeds",
    } <= {*read}


def test_one_process_at_a_time_uses_the_cache_of_a_function(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from gpusolve.backend.just_in_time import _in_turn\n"
        "def use(name):\n"
        "    print(name, flush=True); time.sleep(0.05); print(name, flush=True)\n"
        "for _ in range(5): _in_turn(Path('index'), use)(sys.argv[1])\n"
    )
    out = tmp_path / "out"
    with out.open("a") as file:
        both = [subprocess.Popen([sys.executable, "-c", code, name], cwd=tmp_path, stdout=file) for name in "ab"]
        assert [process.wait() for process in both] == [0, 0]
    names = out.read_text().split()
    assert len(names) == 20
    assert names[::2] == names[1::2]  # each use ends before the next one begins
