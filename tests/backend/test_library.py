"""Functions in a library give the results of Numba, and a library is used where it fits and nowhere else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.package import TWINS, write
from gpusolve.backend import building, just_in_time, library, sources
from gpusolve.backend.ahead import compile_side_by_side, job
from gpusolve.backend.levels import Level, instructions, levels
from gpusolve.backend.signatures import types_of

Import = Callable[..., Any]

pytestmark = pytest.mark.skipif(not levels(), reason="there is no level for this kind of processor")


def usable(built: Path) -> list[Level]:
    """Return the levels that this machine can use."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUSOLVE_MACHINE_CODE", str(built))
        library.forget()
        found = library.usable()
    library.forget()
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build libraries of a package for the highest and the lowest level of this machine."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("libraries")
    file, done = write(source), list[str]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(source), os.environ.get("PYTHONPATH", "")]))
        patch.syspath_prepend(source)
        building.build_caller(out, levels()[0].machine)
        forget()
        patch.setenv("GPUSOLVE_MACHINE_CODE", str(out))
        own = library.usable()
        building.build(out, list(dict.fromkeys((own[0], own[-1]))), [file], done.append)
    forget()
    assert len(done) == 9 * len({own[0], own[-1]})
    return out


@pytest.fixture
def hall(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Import]:
    """Import the twins as a new process with an empty cache would, with the libraries in a folder."""
    folders = iter(range(100))

    def hall(twins: str = TWINS, code: Path | str = built) -> Any:
        folder = tmp_path / f"hall{next(folders)}"
        write(folder, twins)
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setenv("GPUSOLVE_MACHINE_CODE", str(code))
        forget()
        return import_module("hall.twins")

    yield hall
    forget()


def forget() -> None:
    """Restore the state of a new process, in which no module is imported and no file was read."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "hall"]:
        del sys.modules[name]
    sources.forget()
    library.forget()


def about_of(file: Path) -> dict[str, Any]:
    """Return what a JSON file beside a library says."""
    about: dict[str, Any] = json.loads(file.read_bytes().splitlines()[0])
    return about


def sealed(about: dict[str, Any]) -> bytes:
    """Return the content of such a file."""
    text = json.dumps(about).encode()
    return text + b"\n" + library._seal(text)


def is_compiled(twin: Any) -> bool:
    """Return whether Numba has compiled a twin in this process."""
    return "numba" in vars(twin) and bool(twin.numba.overloads)


def mixed(twins: Any) -> tuple[bytes, bool]:
    """Return the result of `mixed`, and whether Numba has compiled it."""
    values = np.linspace(-2, 3, 1000, dtype=np.float32)
    out = np.empty_like(values)
    assert twins.mixed(values, out) == 1000
    return out.tobytes(), is_compiled(twins.mixed)


def test_a_library_gives_the_results_of_numba(hall: Import) -> None:
    expected, was_compiled = mixed(hall(code=""))
    assert was_compiled
    assert mixed(hall()) == (expected, False)


def test_numba_is_not_imported(built: Path, tmp_path: Path) -> None:
    write(tmp_path)
    code = (
        "import sys, numpy as np; from hall.twins import counted\n"
        "print(counted(np.arange(5)), [name for name in ('numba', 'llvmlite', 'scipy') if name in sys.modules])\n"
        "print(counted(np.arange(5.0)), 'numba' in sys.modules)\n"
    )
    environment = os.environ | {
        "GPUSOLVE_MACHINE_CODE": str(built),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(sources.__file__).parents[2])]),
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
    }
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "10 []\n10.0 True\n"


def test_numbers_named_tuples_and_results(hall: Import) -> None:
    twins = hall()
    big = np.uint64(2**64 - 2)
    for call in (twins.numbers, twins.numbers.numba):
        found = call(-(2**63), big, True, 0.25, np.float32(1.5), None)
        assert found == (-(2**63) + 1, 2**64 - 1, False, 0.5, 3.0, True)
        assert [type(each) for each in found] == [int, int, bool, float, float, bool]
    first = np.arange(5, dtype=np.int32)
    first.flags.writeable = False
    field = twins.Field(twins.Pair(first, np.array([[1, 65535]], np.uint16)), 2.5)
    wide = np.arange(24, dtype=np.uint8).reshape(4, 6)[:, ::2]
    assert twins.sums(field, wide) == twins.sums.numba(field, wide) == (10, 65535, 2.5, 6, 3)
    values = np.array([3, -(2**62), 7])
    for call in (twins.sorted_twice, twins.sorted_twice.numba):
        out, (backwards, empty), count = call(values)
        assert (out.tolist(), backwards.tolist(), count) == ([-(2**62), 3, 7], [7, 3, -(2**62)], 3)
        assert (out.dtype, empty.shape, empty.dtype) == (np.int64, (2, 0), np.int16)
        assert out.flags.writeable


def test_only_what_it_was_made_for_reaches_a_library(hall: Import) -> None:
    """Other types, layouts and values are left to Numba; what no compiled function takes is its error."""
    twins = hall()
    ints = np.arange(6, dtype=np.int32)
    only_read = np.arange(6, dtype=np.int32)
    only_read.flags.writeable = False
    assert [twins.counted(each) for each in (ints, only_read, ints.astype(np.int64), ints[:0])] == [15, 15, 15, 0]
    assert not is_compiled(twins.counted)
    unaligned = np.frombuffer(b"x" + ints.tobytes(), np.int32, offset=1)
    others = [
        ints[::2],
        ints.astype(np.int16),
        ints.astype(">i4").astype(np.int16),
        ints.reshape(2, 3)[0][:2],
        unaligned,
    ]
    assert [twins.counted(each) for each in others] == [6, 15, 15, 1, 15]
    assert is_compiled(twins.counted)
    for wrong in ("text", [object()], np.array(["a"]), np.zeros(3, [("x", "i4")]), object()):
        with pytest.raises(Exception, match=r"(?s).*"):
            twins.counted(wrong)
    with pytest.raises(TypeError):
        twins.counted()
    with pytest.raises(TypeError):
        twins.counted(ints, ints)


def test_many_calls_keep_no_memory(hall: Import) -> None:
    resource = pytest.importorskip("resource")
    twins = hall()
    values = np.arange(1 << 20)[::-1].copy()
    grown = []
    for _ in range(2):
        for _ in range(10):
            twins.sorted_twice(values)
            with pytest.raises(ValueError, match="one"):
                twins.failing(1, values)
        grown.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert grown[1] - grown[0] < 8 << 10  # KiB; each call makes 16 MiB
    assert sys.getrefcount(values) <= 3


def test_exceptions(hall: Import) -> None:
    twins = hall()
    values = np.arange(9)
    assert twins.failing(5, values) == 5
    cases = {1: (ValueError, ("one", 1)), 2: (ZeroDivisionError, ("integer division by zero",)), 3: (KeyError, ())}
    for x, (kind, arguments) in cases.items():
        with pytest.raises(kind) as error:
            twins.failing(x, values)
        assert error.value.args[: len(arguments)] == arguments or kind is ZeroDivisionError
    with pytest.raises(ValueError, match=r"^$"):  # Numba would say which shapes differ
        twins.failing(4, values)
    assert not is_compiled(twins.failing)


def test_other_threads_go_on_while_a_twin_runs(hall: Import) -> None:
    twins = hall()
    thread = threading.Thread(target=twins.long, args=(300_000_000,))
    thread.start()
    turns = 0
    while thread.is_alive():
        time.sleep(0.001)
        turns += 1
    assert turns > 20
    assert not is_compiled(twins.long)


def test_threads_call_at_the_same_time(hall: Import) -> None:
    twins = hall()
    wrong: list[int] = []

    def call(seed: int) -> None:
        values = np.random.default_rng(seed).integers(0, 1000, 50)
        for _ in range(2000):
            out, _, count = twins.sorted_twice(values)
            if count != 50 or out.tolist() != sorted(values.tolist()) or twins.counted(values) != values.sum():
                wrong.append(seed)

    threads = [threading.Thread(target=call, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_calls_twins(hall: Import) -> None:
    twins = hall()
    assert twins.counted(np.arange(4)) == 6
    process = os.fork()
    if not process:
        right = twins.counted(np.arange(5)) == 10 and twins.mixed(*np.zeros((2, 3), np.float32)) == 3
        os._exit(0 if right and not is_compiled(twins.mixed) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0


def test_all_levels_give_the_same_results(hall: Import, built: Path, tmp_path: Path) -> None:
    found = set()
    for level in {usable(built)[0], usable(built)[-1]}:
        folder = tmp_path / level.name
        folder.mkdir()
        for name in (library.CALLER, "caller.json", level.name):
            (folder / name).symlink_to(built / name)
        result, was_compiled = mixed(hall(code=folder))
        assert not was_compiled
        found.add(result)
    assert len(found) == 1


def test_the_instructions_are_those_that_llvm_finds(built: Path) -> None:
    from llvmlite.binding import get_host_cpu_features

    own = levels()[0].needed
    known = {name for name, is_there in get_host_cpu_features().items() if is_there}
    assert {level.name for level in usable(built)} == {level.name for level in levels() if level.needed <= known}
    assert instructions(dict.fromkeys(["1.ecx", "7.ebx", "7.ecx", "80000001.ecx", "xcr0"], 2**32 - 1)) >= own


def test_wide_registers_need_a_system_that_keeps_them() -> None:
    everything = dict.fromkeys(["1.ecx", "7.ebx", "7.ecx", "80000001.ecx"], 2**32 - 1)
    old, middle, new = (instructions(everything | {"xcr0": kept}) for kept in (0x2, 0x7, 0xE7))
    assert {"avx", "fma", "f16c", "avx2", "avx512f"}.isdisjoint(old)
    assert {"popcnt", "bmi2"} <= old
    assert {"avx2", "fma"} <= middle
    assert "avx512bw" not in middle
    assert "avx512bw" in new


def test_functions_of_other_sources_are_compiled(hall: Import) -> None:
    changed = TWINS.replace("FACTOR = 3", "FACTOR = 4")
    assert mixed(hall(changed)) == (mixed(hall(changed, code=""))[0], True)


@pytest.mark.parametrize("variable", ["NUMBA_CPU_NAME", "NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT"])
def test_settings_of_numba_are_respected(hall: Import, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    twins = hall()
    monkeypatch.setenv(variable, "1")
    assert library.function("hall.twins:mixed") is None
    assert library.refused("hall.twins") == f"{variable} is set"
    monkeypatch.delenv(variable)
    forget()
    assert not mixed(twins)[1]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "half": lambda content: content[: len(content) // 2],
    "one byte short": lambda content: content[:-1],
    "zeros": lambda content: content[: len(content) // 2] + b"\0" * (len(content) - len(content) // 2),
    "one bit": lambda content: (
        content[: len(content) // 3] + bytes([content[len(content) // 3] ^ 4]) + content[len(content) // 3 + 1 :]
    ),
    "text": lambda content: b"x" * len(content),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["hall.twins.so", "hall.twins.json", "caller.so", "caller.json"])
def test_damaged_files_are_not_used(hall: Import, built: Path, tmp_path: Path, name: str, damage: str) -> None:
    """A power cut can leave any file empty, cut short or with other bytes."""
    code = tmp_path / "damaged"
    for file in built.rglob("*.*"):
        content = file.read_bytes()
        to = code / file.relative_to(built)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(DAMAGES[damage](content) if file.name == name else content)
    twins = hall(code=code)
    result, was_compiled = mixed(twins)
    assert result == mixed(hall(code=""))[0]
    assert was_compiled


def test_a_library_of_another_version_or_level_is_refused(hall: Import, built: Path, tmp_path: Path) -> None:
    for change in ({"schema": "gpusolve.twins/0"}, {"level": "x86-64-v9"}, {"crc32": 1}):
        code = tmp_path / next(iter(change))
        for file in built.rglob("*.*"):
            to = code / file.relative_to(built)
            to.parent.mkdir(parents=True, exist_ok=True)
            content = file.read_bytes()
            if file.name == "hall.twins.json":
                content = sealed(about_of(file) | change)
            to.write_bytes(content)
        assert mixed(hall(code=code))[1]
        assert library.refused("hall.twins") == (
            "made for x86-64-v9" if "level" in change else "damaged, or of another version"
        )


def test_what_only_looks_like_a_number_or_a_tuple_is_left_to_numba(hall: Import) -> None:
    twins = hall()

    class Pretender:
        __class__: Any = property(lambda self: tuple)

    class Fault:
        @property  # type: ignore[misc]
        def __class__(self) -> Any:
            raise ValueError("a trap")

    native = library.function("hall.twins:long")
    assert native is not None
    for wrong in (Pretender(), Fault(), np.bytes_(b"a"), np.datetime64(1, "s"), np.timedelta64(1, "s"), np.str_("a")):
        assert native(wrong) is NotImplemented
    nested: Any = 1
    for _ in range(5000):
        nested = (nested,)
    assert native(nested) is NotImplemented
    assert native(np.int64(3)) == twins.long(3)


def test_a_library_without_a_function_that_its_file_names(hall: Import, built: Path, tmp_path: Path) -> None:
    code = tmp_path / "without"
    shutil.copytree(built, code)
    for file in code.rglob("hall.twins.so"):
        content = file.read_bytes().replace(b"twin:hall.twins:mixed", b"twin:hall.twins:maxed")
        library.save(file, content, about_of(file.with_suffix(".json")) | {"crc32": zlib.crc32(content)})
    assert mixed(hall(code=code))[1]


def test_a_folder_can_be_named_from_the_working_folder(
    hall: Import, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(built)
    assert not mixed(hall(code="."))[1]


def test_a_damaged_caller_is_named(hall: Import, built: Path, tmp_path: Path) -> None:
    code = tmp_path / "damaged"
    shutil.copytree(built, code)
    (code / library.CALLER).write_bytes(b"")
    assert mixed(hall(code=code))[1]
    assert library.refused("hall.twins") == "damaged, or of another version"


def test_a_missing_symbol_is_no_crash(hall: Import, built: Path, tmp_path: Path) -> None:
    code = tmp_path / "missing"
    for level in usable(built):
        file = library.library_file(code, level, "hall.twins")
        other = (built / library.CALLER).read_bytes()
        library.save(file, other, {"level": level.name, "functions": {}, "dependencies": {}, "made from": {}})
    library.save(code / library.CALLER, other, {})
    assert mixed(hall(code=code))[1]


@pytest.mark.thorough
def test_a_library_that_is_up_to_date_stays(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    forget()
    level = usable(built)[-1]
    place = library.library_file(built, level, "hall.twins")
    before, done = place.stat().st_mtime_ns, list[str]()
    building.build(built, [level], [file], done.append)
    assert (place.stat().st_mtime_ns, len(done)) == (before, 9)
    place.write_bytes(b"")
    building.build(built, [level], [file], done.append)
    assert zlib.crc32(place.read_bytes()) == about_of(place.with_suffix(".json"))["crc32"]
    file.write_text("hall.twins:mixed (int64)\n")
    with pytest.raises(RuntimeError, match="hall"):
        building.build(tmp_path / "out", [level], [file], done.append)
    forget()


@pytest.mark.thorough
def test_a_list_is_compiled_for_the_users_cache(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("GPUSOLVE_MACHINE_CODE", "")
    forget()
    signature = types_of("float32[::1], float32[::1]")
    where = [just_in_time.is_kept(import_module("hall.twins").mixed, signature)]
    done: list[str] = []
    compile_side_by_side([job(file)], 2, done.append)
    forget()
    where.append(just_in_time.is_kept(import_module("hall.twins").mixed, signature))
    assert (where, len(done)) == ([False, True], 9)
    assert not library.has("hall.twins:mixed", "float32[::1], float32[::1]")
    monkeypatch.setenv("GPUSOLVE_MACHINE_CODE", str(built))
    forget()
    assert library.has("hall.twins:mixed", "float32[::1], float32[::1]")
    file.write_text("hall.twins:mixed (int64)\n")
    with pytest.raises(RuntimeError, match="signatures"):
        compile_side_by_side([job(file)], 2, done.append)
    forget()
