"""The stand-in for CuPy: it accepts what CuPy accepts and refuses what CuPy or a GPU cannot do."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import gpusolve.backend.cuda
from backend.weighing import COLUMNS, EXPECTED, ITEMS, PROBE, arguments, weigh
from gpusolve.backend import Backend
from gpusolve.backend.cuda import CudaBackend
from gpusolve.errors import DeviceUnavailable
from gpusolve.games.queuedle import Puzzle, kernels
from gpusolve.games.queuedle.search.spaces import BoardSpace
from gpusolve.search import beam, best_first, kernels as beam_kernels
from gpusolve.testing.emulated import EmulatedBackend
from gpusolve.testing.stand_in import Machine, StandIn, cuda, installed, signatures
from gpusolve.testing.stand_in.arrays import KEEP_ORDER, ndarray
from gpusolve.testing.stand_in.device import ATTRIBUTES
from gpusolve.testing.stand_in.functions import ARRAYS, NUMBERS_TOO, PYTHON, SEQUENCES
from gpusolve.testing.stand_in.machine import CUDARuntimeError
from gpusolve.testing.stand_in.signatures import FOLDER, check_call, read, records
from gpusolve.testing.tools import need_emulation

HOST = np.arange(12, dtype=np.int32).reshape(3, 4)


@pytest.fixture
def xp() -> StandIn:
    return StandIn()


@pytest.fixture
def array(xp: StandIn) -> Any:
    return xp.asarray(HOST)


# ---- names and signatures -------------------------------------------------------------------------------------------


def test_the_stand_in_has_no_name_that_cupy_lacks() -> None:
    own = {name for name in vars(ndarray) if not name.startswith("_")}

    class Empty:
        """Names that every class has; they depend on the version of Python."""

    dunders = {name for name in vars(ndarray) if name.startswith("__")} - set(vars(Empty))
    dunders -= {"__slots__", "__hash__", "__getattr__"}
    for record in records().values():
        assert own <= set(record["methods"]) | set(record["attributes"])
        assert dunders <= set(record["operators"])
        assert set(ATTRIBUTES) <= set(record["device_attributes"])
        assert (KEEP_ORDER - {"astype"}) | NUMBERS_TOO | PYTHON <= set(record["functions"])


@pytest.mark.parametrize("kind", ["Device", "Event", "RawKernel", "RawModule"])
def test_methods_have_the_parameters_of_cupys_methods(kind: str) -> None:
    own = getattr(cuda, kind)
    for record in records().values():
        for name, method in vars(own).items():
            if name == "__init__" and kind != "RawKernel":
                given = set(inspect.signature(method).parameters) - {"self", "machine"}
                assert given <= set(read(record[kind]["__init__"]).parameters)
            elif not name.startswith("_"):
                assert name in record[kind], name
                if inspect.isfunction(method):
                    given = set(inspect.signature(method).parameters) - {"self"}
                    assert given <= set(read(record[kind][name]).parameters)
    for name in vars(cuda.Runtime):
        assert name.startswith("_") or name == "CUDARuntimeError" or name in records()["13.6.0"]["runtime"]


def test_checked_parameters_exist_in_cupy() -> None:
    newest = list(records().values())[-1]["functions"]
    names = {name for text in newest.values() for name in read(text).parameters}
    assert names >= ARRAYS | SEQUENCES


def test_the_oldest_and_the_newest_cupy_are_recorded() -> None:
    assert list(records()) == ["13.6.0", "14.2.0"]
    assert all(json.loads((FOLDER / f"cupy-{name}.json").read_text())["version"] == name for name in records())


def test_the_record_matches_an_installed_cupy() -> None:
    cupy = pytest.importorskip("cupy")
    if cupy.__version__ not in records():
        pytest.skip(f"CuPy {cupy.__version__} is not recorded")
    found = json.loads(json.dumps(signatures.record()))
    known = records()[cupy.__version__]
    assert {name: found[name] for name in known} == known


def test_calls_must_be_valid_in_every_version() -> None:
    check_call("functions", "asarray", 1, ("dtype",))
    with pytest.raises(TypeError, match=r"CuPy 13\.6\.0: asarray\(a dtype= .*unexpected keyword argument 'copy'"):
        check_call("functions", "asarray", 1, ("copy",))
    with pytest.raises(TypeError, match="too many positional arguments"):
        check_call("methods", "item", 1, ())


# ---- results --------------------------------------------------------------------------------------------------------

SAME: dict[str, Callable[[Any, Any], Any]] = {
    "arithmetic": lambda xp, a: (2 * a + a // 3 - a % 5) ** 2 >> 1,
    "bits": lambda xp, a: ~(a & 6 | 1) ^ (a << np.int32(2)),
    "comparing": lambda xp, a: (a > 3) & (a != 5) | ~(a <= 8),
    "in place": lambda xp, a: a.__iadd__(1).__imul__(a),
    "a numpy number first": lambda xp, a: np.int32(100) - a,
    "a slice": lambda xp, a: a[1:, ::2],
    "an index array": lambda xp, a: a[:, xp.asarray([3, 0, 0])],
    "a list": lambda xp, a: a[[2, 0]],
    "a mask": lambda xp, a: a[a % 2 == 0],
    "a new axis": lambda xp, a: a[:, None] * a[None],
    "a zero-dimensional array as an index": lambda xp, a: a[a[0, 1]],
    "reduced": lambda xp, a: a.sum(axis=0) + a.max(axis=0) - a.min(),
    "one number": lambda xp, a: a.sum(),
    "sorted": lambda xp, a: xp.sort(-a, axis=1),
    "argsort": lambda xp, a: xp.argsort(a % 3, axis=1, kind="stable"),
    "counted": lambda xp, a: xp.bincount(a.reshape(-1) % 5, minlength=9),
    "chosen": lambda xp, a: xp.where(a > 5, a, 0),
    "joined": lambda xp, a: xp.concatenate([a, a.T.reshape(3, 4)], axis=1),
    "unique": lambda xp, a: xp.unique(a % 4),
    "float": lambda xp, a: xp.sqrt(a).astype(xp.float32),
    "transposed": lambda xp, a: a.T,
    "set": lambda xp, a: a.__setitem__((slice(None), 1), 7) or a,
    "set by a mask": lambda xp, a: a.__setitem__(a > 4, 0) or a,
    "set by numbers": lambda xp, a: a.__setitem__(xp.asarray([0, 2]), a[1]) or a,
    "numpy's function": lambda xp, a: np.cumsum(a, axis=0),
    "numpy's ufunc": lambda xp, a: np.maximum(a, 4),
}


@pytest.mark.parametrize("name", SAME)
def test_it_computes_what_numpy_computes(xp: StandIn, array: Any, name: str) -> None:
    found, expected = SAME[name](xp, array), np.asarray(SAME[name](np, HOST.copy()))
    assert isinstance(found, ndarray)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert found.get().tolist() == expected.tolist()


def test_the_memory_order_is_the_same_as_in_cupy(xp: StandIn, array: Any) -> None:
    index = xp.asarray([1, 0])
    for found in (array[:, index], array.T + 1, array.T[index], xp.where(array.T > 1, 1, 0), array.T.copy()):
        assert found.flags.c_contiguous
    for found in (array.T, array[:, ::2], array.T.astype(xp.int64), xp.asfortranarray(array), xp.zeros_like(array.T)):
        assert not found.flags.c_contiguous
    assert xp.ascontiguousarray(array) is array
    assert xp.asarray(array) is array


def test_views_share_memory_and_copies_do_not(xp: StandIn, array: Any) -> None:
    array[:, 1:3][...] = 50
    assert array.get()[:, 1].tolist() == [50] * 3
    array[xp.asarray([0])][...] = 9
    assert array.get()[0, 0] == 0
    host = array.get()
    host[...] = 1
    assert array.get()[0, 0] == 0
    given = HOST.copy()
    there = xp.asarray(given)
    given[...] = 1
    assert there.get().tolist() == HOST.tolist()


def test_an_uninitialised_array_is_poisoned(xp: StandIn, array: Any) -> None:
    for found in (xp.empty((2, 3), np.uint16), xp.empty_like(array.astype(np.uint16).T)):
        assert set(found.get().ravel().tolist()) == {0xA5A5}
    assert xp.empty((), np.int32).shape == ()
    assert xp.empty((0, 3), np.int32).shape == (0, 3)


# ---- refused calls --------------------------------------------------------------------------------------------------

REFUSED: dict[str, tuple[Callable[[Any, Any], Any], type[Exception], str]] = {
    "np.asarray": (lambda xp, a: np.asarray(a), TypeError, "Implicit conversion"),
    "np.array of elements": (lambda xp, a: np.array([a[0, 0]]), TypeError, "Implicit conversion"),
    "np.ascontiguousarray": (lambda xp, a: np.ascontiguousarray(a), TypeError, "Implicit conversion"),
    "np.int64": (lambda xp, a: np.int64(a[0, 0]), TypeError, "Implicit conversion"),
    "a function that CuPy lacks": (lambda xp, a: np.spacing(a), TypeError, "__array_ufunc__"),
    "a NumPy function that CuPy lacks": (lambda xp, a: np.block([a, a]), TypeError, "no implementation found"),
    "a NumPy operand": (lambda xp, a: a + HOST, TypeError, "Unsupported type <class 'numpy.ndarray'>"),
    "a NumPy operand first": (lambda xp, a: HOST + a, TypeError, "Unsupported type"),
    "a NumPy operand in place": (lambda xp, a: a.__iadd__(HOST), TypeError, "Unsupported type"),
    "adding to a NumPy array": (lambda xp, a: HOST.copy().__iadd__(a), TypeError, "Unsupported type"),
    "a list as an operand": (lambda xp, a: a.__add__([1, 2, 3, 4]), TypeError, "Unsupported type <class 'list'>"),
    "a NumPy array to a function": (lambda xp, a: xp.sum(HOST), TypeError, "sum: a expects an array on the device"),
    "a list to a function": (lambda xp, a: xp.cumsum([1, 2]), TypeError, "cumsum: a expects an array on the device"),
    "a second NumPy array": (lambda xp, a: xp.isin(a, HOST), TypeError, "test_elements expects an array"),
    "NumPy arrays in a list": (
        lambda xp, a: xp.concatenate([a, HOST]),
        TypeError,
        "tup expects only arrays on the device",
    ),
    "a NumPy array to a method": (lambda xp, a: a.searchsorted(HOST), TypeError, "Unsupported type"),
    "a NumPy array to set": (lambda xp, a: a.__setitem__(..., HOST), ValueError, "non-scalar numpy.ndarray"),
    "an unknown name": (lambda xp, a: xp.nonsense, AttributeError, "has no nonsense"),
    "a function of the newest CuPy": (
        lambda xp, a: xp.bitwise_count(a),
        AttributeError,
        "CuPy 13.6.0 has no",
    ),
    "an unknown method": (lambda xp, a: a.setfield(1), AttributeError, "CuPy's arrays have no setfield"),
    "a keyword of NumPy": (
        lambda xp, a: xp.count_nonzero(a, keepdims=True),
        TypeError,
        "argument 'keepdims'",
    ),
    "a ufunc's where": (lambda xp, a: xp.add(a, a, where=a > 1), TypeError, "argument 'where'"),
    "a method's keyword": (lambda xp, a: a.max(initial=3), TypeError, "argument 'initial'"),
    "a sort that is not stable": (lambda xp, a: xp.argsort(a, kind="quicksort"), ValueError, "kind='quicksort'"),
    "a strided sort": (lambda xp, a: a.T.sort(), NotImplementedError, "non-contiguous"),
    "lexsort of a tuple": (lambda xp, a: xp.lexsort((a[0], a[1])), TypeError, "keys expects an array on the device"),
    "two masks": (lambda xp, a: a[a[:, 0] > 0, a[0] > 0], IndexError, "one boolean array"),
    "an array as a list's index": (lambda xp, a: [1, 2][a[0, 0]], TypeError, "list indices must be integers"),
    "range of an array": (lambda xp, a: range(a[0, 1]), TypeError, "cannot be interpreted as an integer"),
    "strings": (lambda xp, a: xp.asarray(["a"]), ValueError, "Unsupported dtype"),
    "objects": (lambda xp, a: xp.asarray([None]), ValueError, "Unsupported dtype object"),
    "several elements as a truth value": (lambda xp, a: bool(a), ValueError, "ambiguous"),
    "flags that CuPy lacks": (lambda xp, a: a.flags.writeable, AttributeError, "writeable"),
    "a set of arrays": (lambda xp, a: {a}, TypeError, "unhashable"),
    "elements set twice": (
        lambda xp, a: a.__setitem__(xp.asarray([1, 1]), a[:2]),
        ValueError,
        "on a GPU it is undefined",
    ),
    "shapes that do not fit": (lambda xp, a: a.set(HOST.T), ValueError, "Shape mismatch"),
    "the module of an array": (lambda xp, a: xp.get_array_module(a), NotImplementedError, "a backend knows its xp"),
    "the constructor of arrays": (
        lambda xp, a: xp.ndarray((3,), np.int32),
        NotImplementedError,
        "made by functions",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_refuses_what_cupy_refuses(xp: StandIn, array: Any, name: str) -> None:
    wrong, error, message = REFUSED[name]
    with pytest.raises(error, match=message):
        wrong(xp, array)
    if name not in ("an unknown name", "flags that CuPy lacks"):
        assert array.get().tolist() == HOST.tolist()


def test_explicit_transfers_to_the_host(xp: StandIn, array: Any) -> None:
    one = array[1, 1]
    assert (int(one), float(one), one.item(), f"{one:>3}", bool(one)) == (5, 5.0, 5, "  5", True)
    assert array.tolist() == xp.asnumpy(array).tolist() == HOST.tolist()
    assert [int(row[0]) for row in array] == [0, 4, 8]


# ---- devices and kernels --------------------------------------------------------------------------------------------


def test_arrays_of_two_devices_do_not_mix() -> None:
    xp = StandIn(Machine(2))
    here = xp.zeros(3, np.int32)
    with xp.cuda.Device(1):
        there = xp.zeros(3, np.int32)
        assert (here.device.id, there.device.id, xp.cuda.runtime.getDevice()) == (0, 1, 1)
        with pytest.raises(ValueError, match=r"resides \(0\) is different from the current device \(1\)"):
            here + there
    with pytest.raises(ValueError, match="Peer access"):
        xp.concatenate([here, there])
    assert there.get().tolist() == [0, 0, 0]
    with pytest.raises(CUDARuntimeError, match="invalid device ordinal"):
        xp.cuda.Device(2).use()


@pytest.fixture
def weighed(xp: StandIn) -> tuple[Any, list[Any]]:
    """Return the kernel ``weigh`` and its arguments, including ``first, last``."""
    need_emulation()
    with installed(xp):
        backend = CudaBackend()
    given = arguments(backend)
    numbers = {"columns": np.int32, "shift": np.uint8, "seed": np.uint64, "factor": np.float64}
    typed = [numbers[name](value) if name in numbers else value for name, value in given.items()]
    return xp.RawModule(code=PROBE.text).get_function("weigh"), [np.int32(0), np.int32(5), *typed]


def test_a_kernel_runs(weighed: tuple[Any, list[Any]]) -> None:
    kernel, given = weighed
    kernel((1,), (256,), tuple(given))
    assert given[-1].tolist() == EXPECTED


WRONG_LAUNCHES: dict[str, tuple[Callable[[list[Any]], tuple[Any, Any, Any]], type[Exception], str]] = {
    "a grid that is no tuple": (lambda a: (1, (256,), a), TypeError, "'grid' has incorrect type"),
    "a block that is no tuple": (lambda a: ((1,), [256], a), TypeError, "'block' has incorrect type"),
    "no block": (lambda a: ((0,), (256,), a), CUDARuntimeError, "invalid argument"),
    "a large block": (lambda a: ((1,), (1025,), a), CUDARuntimeError, "invalid argument"),
    "two dimensions": (lambda a: ((1, 2), (256,), a), ValueError, "one dimension"),
    "too few arguments": (lambda a: ((1,), (256,), a[:-1]), TypeError, "takes 10 arguments, not 9"),
    "a Python number": (lambda a: ((1,), (256,), [0, *a[1:]]), TypeError, "int first would read a number of int64"),
    "another number": (lambda a: ((1,), (256,), [*a[:-2], 1, a[-1]]), TypeError, "double factor would read .* int64"),
    "a NumPy array": (lambda a: ((1,), (256,), [*a[:-1], a[-1].get()]), TypeError, "expects an array on the dev"),
    "an array of another dtype": (
        lambda a: ((1,), (256,), [*a[:2], a[2].astype(np.int64), *a[3:]]), TypeError, "would read an array of int64"
    ),
    "a strided array": (lambda a: ((1,), (256,), [*a[:-1], a[-1][:, ::-1]]), TypeError, "not C-contiguous"),
    "an argument that is not a number": (lambda a: ((1,), (256,), [None, *a[1:]]), TypeError, "expects a number, not"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_LAUNCHES)
def test_a_launch_that_would_fail_silently_on_a_gpu(weighed: tuple[Any, list[Any]], name: str) -> None:
    kernel, given = weighed
    wrong, error, message = WRONG_LAUNCHES[name]
    with pytest.raises(error, match=message):
        kernel(*wrong(given))


def test_modules_are_created_like_cupys(xp: StandIn) -> None:
    need_emulation()
    with pytest.raises(TypeError, match="'options' has incorrect type"):
        xp.RawModule(code=PROBE.text, options=["--std=c++17"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword argument 'text'"):
        xp.RawModule(text=PROBE.text)  # type: ignore[call-arg]
    with pytest.raises(CUDARuntimeError, match="named symbol not found"):
        xp.RawModule(code=PROBE.text).get_function("nonsense")


def test_events_measure_time(backend: Backend) -> None:
    assert 0 <= backend.timed(lambda: backend.empty(3, np.int32)) < 60
    backend.synchronize()


def test_events_without_timing(xp: StandIn) -> None:
    begin, end = xp.cuda.Event(), xp.cuda.Event(disable_timing=True)
    begin.record()
    with pytest.raises(CUDARuntimeError, match="invalid resource handle"):
        xp.cuda.get_elapsed_time(begin, end)


# ---- faults of the host code ----------------------------------------------------------------------------------------


def mutated(module: ModuleType, old: str, new: str) -> Any:
    """Return a copy of a module with `old`, which occurs once in its text, replaced by `new`."""
    file = Path(str(module.__file__))
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file.name}: {old!r} occurs {text.count(old)} times, expected once"
    made = ModuleType(module.__name__)
    exec(compile(text.replace(old, new), str(file), "exec"), vars(made))
    return made


def boards(backend: Backend) -> BoardSpace:
    """Return a space of boards on the device, in which many move sequences lead to the same board."""
    puzzle = Puzzle.parse("tsea/enop/adis/ttre ttt")
    made, scores = kernels.Boards.of(backend, puzzle), kernels.line_scores(backend, ["east", "ten", "rat"], 4)
    return BoardSpace(made, backend.asarray(kernels.encode(puzzle)), scores, [scores])


def run_beam(module: Any) -> Any:
    return module.beam(boards(EmulatedBackend()), width=40, batch=7).value


def run_best_first(module: Any) -> Any:
    return module.best_first(boards(EmulatedBackend()), limit=60, batch=7).value


def run_distinct(module: Any) -> Any:
    backend = EmulatedBackend()
    return module.first_of_equals(backend, backend.asarray(np.zeros((2, 3), np.uint64))).tolist()


def run_children(module: Any) -> Any:
    backend = EmulatedBackend()
    return module.best_children(backend, [backend.asarray(np.ones((3, 4), np.uint16))], 5)[0].tolist()


def run_backend(module: Any) -> Any:
    with installed(StandIn()):
        backend = module.CudaBackend()
    table = np.asfortranarray(np.arange(ITEMS * COLUMNS, dtype=np.int32).reshape(ITEMS, COLUMNS))
    return weigh(backend, table=backend.asarray(table))


FAULTS: dict[str, tuple[Callable[[Any], Any], ModuleType, str, str, type[Exception], str]] = {
    "a missing asarray": (
        run_best_first, best_first, "backend.asarray(parents), backend.asarray(moves)", "parents, moves",
        TypeError, "int[*] parents expects an array of the device, not ndarray",
    ),
    "a NumPy call on a device array": (
        run_best_first, best_first, "int(values.argmax())", "int(np.asarray(values).argmax())",
        TypeError, "Implicit conversion to a NumPy array is not allowed",
    ),
    "an argument that CuPy lacks": (
        run_distinct, beam_kernels, "FREE, np.int32)", "FREE, np.int32, device=None)",
        TypeError, "full.* unexpected keyword argument 'device'",
    ),
    "an argument that an older CuPy lacks": (
        run_distinct, beam_kernels, "slots[place] ==", 'slots.sort(kind="stable") ==',
        TypeError, "unexpected keyword argument 'kind'",
    ),
    "a wrong dtype": (
        run_children, beam_kernels, "backend.empty(kept, np.int32)", "backend.empty(kept, np.int64)",
        TypeError, "parents expects an array of int32, not of int64",
    ),
    "a Fortran-ordered array": (
        run_beam, beam, "xp.ascontiguousarray(states[:, keep])", "xp.asfortranarray(states[:, keep])",
        TypeError, "states expects a C-contiguous array",
    ),
    "a Fortran-ordered array from the host": (
        run_backend, gpusolve.backend.cuda, "self._cupy.ascontiguousarray(self._cupy.asarray(host))",
        "self._cupy.asarray(host)", TypeError, "table expects a C-contiguous array",
    ),
    "a Python number for a kernel": (
        run_backend, gpusolve.backend.cuda, "parameter.dtype.type(value)", "value",
        TypeError, "int columns would read a number of int64",
    ),
    "a grid that is a number": (
        run_backend, gpusolve.backend.cuda, "function((blocks,), (BLOCK,)", "function(blocks, (BLOCK,)",
        TypeError, "Argument 'grid' has incorrect type",
    ),
    "a list of options": (
        run_backend, gpusolve.backend.cuda, "code=program.text, options=OPTIONS", "code=program.text, options=[]",
        TypeError, "Argument 'options' has incorrect type",
    ),
    "a probe that passes a wrong number": (
        run_backend, gpusolve.backend.cuda, "np.int32(BLOCK), out", "BLOCK, out",
        DeviceUnavailable, "int last would read a number of int64",
    ),
    "NumPy's copy in place of CuPy's": (
        run_backend, gpusolve.backend.cuda, "self._cupy.asnumpy(array)", "np.array(array)",
        TypeError, "Implicit conversion",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_host_code_is_found(name: str) -> None:
    need_emulation()
    run, module, old, new, error, message = FAULTS[name]
    assert run(mutated(module, old, old)) == run(module)
    with pytest.raises(error, match=message):
        run(mutated(module, old, new))
