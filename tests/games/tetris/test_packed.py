"""Packed files of learned values: nothing is lost, damage is found, and a shipped value is unpacked once."""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings, strategies as st

from gpusolve.errors import BadInput
from gpusolve.games.tetris import LearnedValue, load_value, packed
from gpusolve.games.tetris.players import value as values
from gpusolve.games.tetris.players.value import pack_value, shipped_values, untrained
from gpusolve.games.tetris.rules.losses import READY, SIZE
from gpusolve.runs import store

DIGESTS = {
    "learned": "c0d3d9ff8a47dfffdafefc3700c86a1ebeddfc3ed9b61030a38d91c7326f6363",
    "tournament-10hz": "c53198c8b09d8bc7d7d373328c5ad1ed429f5b10162d9fbbbc75b4f9439b6f07",
    "tournament-12hz": "fd18153cac28479b71e2a24252454602dd5768b472b7f450c44b97be7b9f187d",
    "tournament-12hz-300ms": "fb0342de0530cb2d3b10d9a8df73be9c2e27063d88be357803d2e561e49c3baf",
    "tournament-15hz": "5c680e8ecc66cd2404a5f997bbeff11d550d4a26409541a2eed096651e6d6841",
    "tournament-20hz": "51d47c55c58585d116823c0595b01ff32a36a4202cdb42429e7590537e1c3f84",
    "tournament-24hz": "36bc104e62f4250b14d44d14ff2aa4e1cf8a098ad96acd02fd87e03873211717",
    "tournament-30hz": "47805403db95af05d6ef55612aa281762bddc1d97741c899f428ac542021f092",
    "tournament-30hz-300ms": "749818f8d204cbe3f8973cb43ce8aec489bf1db2ea093fc44131137824f1b8c3",
    "tournament-slow5": "9f19da24fbea6bc73ec05d96ccfc928b792388365e071c5a2da5c802bbb02b39",
}
"""The digests of the shipped values before they were packed."""
PHASES = {
    "learned": (0,),
    "tournament-10hz": (0,),
    "tournament-12hz": (0, 19, 29, 39),
    "tournament-12hz-300ms": (0, 19, 29, 39),
    "tournament-15hz": (0, 19, 29, 39),
    "tournament-slow5": (0, 19, 29, 39),
}
SHAPES = [(3, 4, 2), (5,), (2, 2, 2, 2, 2), (40, 3)]
TOTAL = 24 + 5 + 32 + 120


@pytest.mark.parametrize("name", DIGESTS)
def test_shipped_values_are_what_they_were(name: str) -> None:
    """The values in the cache are unpacked from the files, whose digests are part of their names."""
    value = load_value(name)
    assert (value.name, value.digest) == (name, DIGESTS[name])
    assert value.phases == PHASES.get(name, (0, 29, 39))


def test_all_shipped_values_are_small() -> None:
    assert shipped_values() == sorted(DIGESTS)
    assert sum(len(zlib.compress(path.read_bytes())) for path in values.FOLDER.iterdir()) < 20_000_000  # in a wheel


def wide(numbers: Any) -> npt.NDArray[np.int32]:
    return np.array(numbers, np.int32)


def assert_nothing_is_lost(numbers: Any, reference: Any, other: Any) -> bytes:
    code = packed.encode(wide(numbers), wide(reference), wide(other), SHAPES)
    assert np.array_equal(packed.decode(code, wide(reference), wide(other), SHAPES), numbers)
    return code


sixteen_bits = st.lists(st.integers(-32768, 32767), min_size=TOTAL, max_size=TOTAL)


@given(sixteen_bits, sixteen_bits)
@settings(max_examples=50)
def test_nothing_is_lost_of_any_numbers(numbers: list[int], reference: list[int]) -> None:
    assert_nothing_is_lost(numbers, reference, 2 * wide(reference))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("most", [1, 3, 300, 32768])
def test_nothing_is_lost_of_random_numbers(seed: int, most: int) -> None:
    chance = np.random.default_rng(seed)
    numbers, known = chance.integers(-most, most, (2, TOTAL)), chance.integers(-65535, 65536, TOTAL)
    assert_nothing_is_lost(numbers[0] * chance.integers(0, 2, TOTAL), numbers[1], known)


@pytest.mark.parametrize(
    "numbers",
    [
        np.zeros(TOTAL),
        np.full(TOTAL, -32768),
        np.full(TOTAL, 32767),
        np.where(np.arange(TOTAL) % 2, -32768, 32767),
        np.where(np.arange(TOTAL) < TOTAL - 1, 0, -32768),
        2 ** (np.arange(TOTAL) % 16) - 1,
        -(2 ** (np.arange(TOTAL) % 16)),
    ],
)
def test_nothing_is_lost_of_extreme_numbers(numbers: npt.NDArray[Any]) -> None:
    for known in (np.zeros(TOTAL), numbers, numbers[::-1]):
        assert_nothing_is_lost(numbers, known, known)


def test_the_code_has_room_for_numbers_that_nobody_expects() -> None:
    """After many zeros, or many ones of 15 digits, the other kind costs the most bits that are possible."""
    shapes = [(30_000,), (1,)]
    for usual, rare in ((0, 21845), (21845, 0), (21845, -21846)):
        numbers = np.full(30_001, usual, np.int32)
        numbers[[-3, -1]] = rare
        none = np.zeros_like(numbers)
        code = packed.encode(numbers, none, none, shapes)
        assert np.array_equal(packed.decode(code, none, none, shapes), numbers)


def test_numbers_that_the_reference_predicts_take_little_space() -> None:
    chance = np.random.default_rng(1)
    shapes, known = [(100, 100, 2)], chance.integers(-1000, 1000, 20_000).astype(np.int32)
    likely = np.where(chance.random(20_000) < 0.01, known, 0).astype(np.int32)
    assert len(packed.encode(known, 0 * known, 0 * known, shapes)) > 24_000
    assert len(packed.encode(likely, 0 * known, 0 * known, shapes)) < 600


@given(st.binary(max_size=300))
@settings(max_examples=50)
def test_other_bytes_are_the_code_of_some_numbers(content: bytes) -> None:
    none = np.zeros(TOTAL, np.int32)
    assert np.abs(packed.decode(content, none, none, SHAPES)).max() <= 65535


@pytest.fixture(scope="module")
def small() -> LearnedValue:
    """Return a value with two sets of tables of which each has few numbers; the second is like the first."""
    chance, tables = np.random.default_rng(5), np.full((2, SIZE), -32768, np.int16)
    tables[0, chance.integers(0, SIZE, 5000)] = chance.integers(-32768, 32768, 5000)
    tables[1] = (tables[0] + np.int32(40_000)).astype(np.int16)
    tables[1, :9] = 7
    endgame = chance.integers(0, 1_000_000, 231 * READY).astype(np.int32)
    return LearnedValue("small", "made for a test", tables.reshape(-1), endgame, (0, 19))


@pytest.fixture(scope="module")
def content(small: LearnedValue, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("packed") / "small.packed"
    pack_value(path, small)
    return path.read_bytes()


@pytest.fixture
def shipped(content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ship the small value alone, with an empty cache, and return its file."""
    monkeypatch.setattr("gpusolve.games.tetris.players.value.FOLDER", tmp_path)
    monkeypatch.setenv("GPUSOLVE_TABLES", str(tmp_path / "tables"))
    (tmp_path / "small.packed").write_bytes(content)
    values._load_packed.cache_clear()
    return tmp_path / "small.packed"


def never(*_: Any) -> Any:
    raise AssertionError("unpacked again")


def test_a_shipped_value_is_unpacked_once(shipped: Path, small: LearnedValue, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shipped.stat().st_size < 30_000
    first = load_value("small")
    assert (first.digest, first.about, first.phases) == (small.digest, small.about, small.phases)
    values._load_packed.cache_clear()
    monkeypatch.setattr(packed, "unpack", never)
    again = load_value("small")
    assert again.digest == small.digest
    assert not again.tables.flags.writeable
    assert load_value("small") is again
    (path,) = store.paths()
    assert path.name.startswith("tetris-small-")


@pytest.mark.thorough
def test_a_value_is_packed_as_what_differs_from_shipped_ones(shipped: Path, small: LearnedValue) -> None:
    tables = small.tables.copy()
    tables[3] ^= 5
    pack_value(shipped.with_name("other.packed"), replace(small, name="other", tables=tables), references=["small"])
    assert shipped.with_name("other.packed").stat().st_size < shipped.stat().st_size / 2
    assert np.array_equal(load_value("other").tables, tables)
    shipped.unlink()
    values._load_packed.cache_clear()
    assert np.array_equal(load_value("other").tables, tables)  # from the cache
    for path in store.paths():
        path.unlink()
    values._load_packed.cache_clear()
    with pytest.raises(BadInput, match="value small: expected one that comes with gpusolve"):
        load_value("other")
    with pytest.raises(BadInput, match="value none: expected one that comes with gpusolve"):
        pack_value(shipped, small, references=["none"])


def test_another_packed_file_of_the_same_name_is_unpacked(shipped: Path) -> None:
    load_value("small")
    other = untrained("small")
    pack_value(shipped, other)
    assert load_value("small").digest == other.digest


@pytest.mark.parametrize("place", [0, 5000, -1])
def test_a_damaged_file_in_the_cache_heals(shipped: Path, small: LearnedValue, place: int) -> None:
    load_value("small")
    (path,) = store.paths()
    intact = path.read_bytes()
    damaged = bytearray(intact)
    damaged[place] ^= 1
    path.write_bytes(damaged if place > 0 else damaged[:place])
    values._load_packed.cache_clear()
    assert load_value("small").digest == small.digest
    assert path.read_bytes() == intact


def test_a_value_needs_no_cache(shipped: Path, small: LearnedValue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUSOLVE_TABLES", str(shipped / "tables"))  # below a file
    with pytest.warns(RuntimeWarning, match="cannot be written"):
        found = load_value("small")
    assert (found.digest, found.tables.flags.writeable) == (small.digest, False)
    values._load_packed.cache_clear()

    def homeless() -> Path:
        raise BadInput("no home folder")

    monkeypatch.setattr(store, "folder", homeless)
    assert load_value("small").digest == small.digest


def test_a_damaged_packed_file_is_refused(shipped: Path, content: bytes) -> None:
    chance = np.random.default_rng(9)
    header = content.index(b"\n", 65)
    places = [0, 3, 64, 65, 70, header, header + 1, len(content) - 1, *chance.integers(0, len(content), 60).tolist()]
    damaged = [content[:place] for place in places]
    for place in places:
        changed = bytearray(content)
        changed[place] ^= 1 << int(chance.integers(8))
        damaged.append(bytes(changed))
    for wrong in damaged:
        shipped.write_bytes(wrong)
        with pytest.raises(BadInput, match=r"^value .*small.packed: damaged") as error:
            load_value("small")
        assert "\n" not in str(error.value)
    assert not store.paths()
    shipped.unlink()
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        packed.unpack(shipped, never)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"about": 5}, "about 5: expected an object"),
        ({"about": {}}, "it has no name"),
        ({"endgame": 0}, "endgame 0: expected a whole number, 1 to"),
        ({"endgame": 9}, "endgame"),
        ({"sets": []}, "sets .*: expected 1 to 8"),
        ({"sets": [{}] * 9}, "sets .*: expected 1 to 8"),
        ({"sets": [{"shift": 70_000, "bytes": 0}]}, "shift 70,?000: expected"),
        ({"sets": [{"shift": 0, "bytes": 1 << 30}]}, "bytes .*: expected"),
        ({"sets": [{"reference": ["small", 0], "shift": 0, "bytes": 0}]}, "reference .*: expected the name of a value"),
        ({"sets": [{"reference": 3, "shift": 0, "bytes": 0}]}, "reference 3: expected the name of a value"),
        ({"sets": [{"other": ["untrained", 1], "shift": 0, "bytes": 0}]}, "other .*: expected the name of a value"),
        ({"schema": "gpusolve.tetris.packed/0"}, "not a packed value of this version"),
    ],
)
def test_a_header_that_cannot_be_is_refused(
    shipped: Path, content: bytes, change: dict[str, Any], message: str
) -> None:
    _, header, rest = content.split(b"\n", 2)
    forged = json.dumps(json.loads(header) | change).encode() + b"\n" + rest
    shipped.write_bytes(hashlib.sha256(forged).hexdigest().encode() + b"\n" + forged)
    with pytest.raises(BadInput, match=message):
        packed.unpack(shipped, lambda _: untrained().tables)
