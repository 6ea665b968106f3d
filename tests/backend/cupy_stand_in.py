"""A CuPy for tests where there is no GPU: it knows which device is current in which thread, and notes what is asked."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

FREE = 1 << 30  # bytes


class ndarray(np.ndarray[Any, Any]):
    """An array, and the device that it was made on."""

    made_on: int | None = None

    def __array_finalize__(self, source: Any) -> None:
        self.made_on = getattr(source, "made_on", None)


def make_cupy(devices: int, error: Exception | None = None) -> Any:
    """A CuPy whose driver shows `devices` GPUs, or fails with `error`.

    Its `launches` are (device, kernel, blocks, threads, arguments), its `asked` what was compiled and looked up.
    """
    current = threading.local()
    cupy: Any = ModuleType("cupy")
    cupy.launches, cupy.asked = [], []

    class Device:
        def __init__(self, index: int) -> None:
            self.index = index

        def use(self) -> None:
            current.index = self.index

        def __enter__(self) -> None:
            current.before = [*getattr(current, "before", []), getattr(current, "index", 0)]
            self.use()

        def __exit__(self, *_: object) -> None:
            current.index = current.before.pop()

        def synchronize(self) -> None:
            pass

    def here(array: Any) -> ndarray:
        made: ndarray = np.asarray(array).view(ndarray)
        made.made_on = getattr(current, "index", 0)
        return made

    class RawModule:
        def __init__(self, code: str, options: tuple[str, ...]) -> None:
            cupy.asked.append("compile")

        def get_function(self, name: str) -> Callable[..., None]:
            cupy.asked.append(name)

            def launch(blocks: tuple[int], threads: tuple[int], arguments: tuple[Any, ...]) -> None:
                if name == "probe":
                    arguments[2][:] = np.arange(len(arguments[2])) ** 2
                cupy.launches.append((getattr(current, "index", 0), name, blocks[0], threads[0], arguments))

            return launch

    def count() -> int:
        if error is not None:
            raise error
        return devices

    runtime = SimpleNamespace(
        getDeviceCount=count,
        getDeviceProperties=lambda index: {"name": b"Stand-in"},
        memGetInfo=lambda: (FREE, 2 * FREE),
    )
    cupy.cuda = SimpleNamespace(runtime=runtime, Device=Device)
    cupy.RawModule, cupy.ndarray, cupy.int32 = RawModule, ndarray, np.int32
    cupy.zeros = lambda shape, dtype: here(np.zeros(shape, dtype))
    cupy.empty = lambda shape, dtype: here(np.empty(shape, dtype))
    cupy.asarray = lambda array: array if isinstance(array, ndarray) else here(np.array(array))
    cupy.ascontiguousarray = lambda array: array if array.flags.c_contiguous else here(np.ascontiguousarray(array))
    cupy.asnumpy = lambda array: np.array(array)
    return cupy
