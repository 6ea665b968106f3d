"""CuPy's names and signatures, recorded from CuPy itself: one file ``cupy-VERSION.json`` per version.

``import cupy`` needs neither a GPU nor a driver, so these commands record another version on any machine::

    pip install cupy-cuda13x && python -m gpusolve.testing.stand_in.signatures

A call must be valid in all recorded versions. A signature is text, ``"a axis= *, copy="``: a parameter with ``=`` has a
default, parameters after a lone ``*,`` are keyword-only, and ``*args`` and ``**kwargs`` have their usual meaning.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import re
from functools import cache
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
CUDA_CLASSES = ("Device", "Event", "Stream")
RAW_CLASSES = ("RawKernel", "RawModule")


@cache
def records() -> dict[str, dict[str, Any]]:
    """Return the recorded names and signatures by version."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("cupy-*.json"))]
    return {record["version"]: record for record in found}


@cache
def has(kind: str, name: str) -> bool:
    """Return whether every version has this name.

    `kind` is numpy, ufuncs, functions, methods, attributes, operators or a class.
    """
    return all(name in record[kind] for record in records().values())


@cache
def check_call(kind: str, name: str, positional: int, keywords: tuple[str, ...]) -> None:
    """Raise TypeError unless every version accepts this number of positional arguments and these keywords."""
    for version, record in records().items():
        try:
            read(record[kind][name]).bind(*range(positional), **dict.fromkeys(keywords))
        except TypeError as error:
            raise TypeError(f"CuPy {version}: {name}({record[kind][name]}): {error}") from None


def compiler_options() -> tuple[str, ...]:
    """Return the options that CuPy adds when it compiles a program, in the newest version that was recorded.

    >>> compiler_options()
    ('-ftz=true', '--device-as-default-execution-space')
    """
    newest: dict[str, Any] = list(records().values())[-1]
    return tuple(newest["compiler_options"])


def read(text: str) -> Signature:
    """Parse a signature.

    >>> read("a axis= *, copy=").bind(1, copy=2).arguments
    {'a': 1, 'copy': 2}
    """
    parameters: list[Parameter] = []
    kind: Any = Parameter.POSITIONAL_OR_KEYWORD
    for word in text.split():
        if word == "*,":
            kind = Parameter.KEYWORD_ONLY
        elif word.startswith("**"):
            parameters.append(Parameter(word[2:], Parameter.VAR_KEYWORD))
        elif word.startswith("*"):
            parameters.append(Parameter(word[1:], Parameter.VAR_POSITIONAL))
            kind = Parameter.KEYWORD_ONLY
        else:
            parameters.append(Parameter(word.rstrip("="), kind, default=None if word[-1] == "=" else Parameter.empty))
    return Signature(parameters)


# ---- recording ------------------------------------------------------------------------------------------------------


def record() -> dict[str, Any]:
    """Record the installed CuPy: NumPy's names, the array's methods, and CUDA."""
    import cupy

    runtime = cupy.cuda.runtime
    callables = [name for name in dir(runtime) if name[0].islower() and callable(getattr(runtime, name))]
    return {
        "version": cupy.__version__,
        **_numpy_names(cupy),
        **_array_names(cupy.ndarray),
        **{name: _class(getattr(cupy.cuda, name)) for name in CUDA_CLASSES},
        **{name: _class(getattr(cupy, name)) for name in RAW_CLASSES},
        "runtime": {name: _signature(getattr(runtime, name)) or "" for name in callables},
        "cuda": {
            "get_elapsed_time": _signature(cupy.cuda.get_elapsed_time),
            "is_available": "",
            "alloc_pinned_memory": _signature(cupy.cuda.alloc_pinned_memory),
        },
        "memory_pool": _class(cupy.cuda.MemoryPool),
        "compiler_options": _compiler_options(),
        "device_attributes": [name[11:] for name in dir(runtime) if name.startswith("cudaDevAttr")],
    }


def _numpy_names(cupy: Any) -> dict[str, Any]:
    """Return the names that CuPy shares with NumPy: those that are NumPy's own, and its ufuncs and functions."""
    import numpy as np

    own, ufuncs, functions = list[str](), dict[str, str](), dict[str, str]()
    for name in sorted(dir(cupy)):
        value = getattr(cupy, name)
        if name.startswith("_") or not (hasattr(np, name) or name in ("asnumpy", "get_array_module")):
            continue
        if value is getattr(np, name, None) and not inspect.ismodule(value):
            own.append(name)
        elif isinstance(value, cupy.ufunc):
            inputs, outputs = (f"in{i}" for i in range(value.nin)), (f"out{i}=" for i in range(value.nout))
            ufuncs[name] = " ".join([*inputs, *outputs, "*,", "out=", "dtype=", "casting="])
        elif callable(value) and (text := _signature(value)) is not None:
            functions[name] = text
    return {"numpy": own, "ufuncs": ufuncs, "functions": functions}


def _array_names(array: type) -> dict[str, Any]:
    """Return the attributes, methods and operators of an array."""
    names = {name: inspect.getattr_static(array, name) for name in dir(array)}
    public = {name: value for name, value in names.items() if not name.startswith("_")}
    attributes = [name for name, value in public.items() if inspect.isdatadescriptor(value)]
    return {
        "attributes": attributes,
        "methods": _methods(array, [name for name in public if name not in attributes]),
        "operators": [name for name, value in names.items() if name.startswith("__") and value is not None],
    }


class _Stop(Exception):
    pass


def _compiler_options() -> list[str]:
    """Return the options that CuPy adds to those of a program, in the order in which NVRTC gets them.

    CuPy compiles a text with a stand-in for NVRTC, once to learn the compiler's version and once in earnest.
    """
    from unittest import mock

    from cupy.cuda import compiler

    calls: list[list[str]] = []

    class NoCompiler:
        def __init__(self, *given: Any, **keywords: Any) -> None:
            pass

        def compile(self, options: tuple[str, ...], *given: Any) -> tuple[bytes, None]:
            calls.append(list(options))
            if len(calls) == 2:
                raise _Stop
            return b"", None

    with (
        mock.patch.object(compiler, "_NVRTCProgram", NoCompiler),
        mock.patch.object(compiler, "_get_nvrtc_version", return_value=(13, 0)),
        mock.patch.object(compiler, "_get_arch_for_options_for_nvrtc", return_value=("-arch=sm_90", "cubin")),
        mock.patch.object(compiler, "_empty_file_preprocess_cache", {}),
        mock.patch.dict("os.environ", CUPY_CACHE_IN_MEMORY="0"),
        contextlib.suppress(_Stop),
    ):
        compiler._compile_module_with_cache("// nothing", ("--std=c++17",), arch="90")
    return [option for option in calls[1] if option not in ("--std=c++17", "-arch=sm_90")]


def _class(given: type) -> dict[str, str]:
    """Return the signatures of methods and properties; a property has no parameters."""
    methods = _methods(given, [name for name in dir(given) if not name.startswith("_")])
    return {"__init__": _signature(given) or "device=", **methods}  # only Device has no signature


def _methods(given: type, names: list[str]) -> dict[str, str]:
    texts = {name: _signature(inspect.getattr_static(given, name)) for name in names}
    return {name: re.sub(r"^(self|cls) ?", "", text or "") for name, text in texts.items()}


def _signature(function: Any) -> str | None:
    """Return the text of a signature, or None. For Cython functions it is in the first line of the docstring."""
    function = getattr(function, "__func__", function)
    try:
        given = inspect.signature(function)
    except (TypeError, ValueError):
        match = re.match(r"[\w.]+\((.*)\)", (function.__doc__ or "").split("\n")[0])
        return None if match is None else _cython(match[1])
    words: list[str] = []
    stars: dict[Any, str] = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}
    for parameter in given.parameters.values():
        if parameter.kind is Parameter.KEYWORD_ONLY and not any(word.startswith("*") for word in words):
            words.append("*,")
        equals = "=" * (parameter.default is not Parameter.empty)
        words.append(stars.get(parameter.kind, "") + parameter.name + equals)
    return " ".join(words)


def _cython(declared: str) -> str:
    """Convert parameters such as ``self, int axis=-1, *, kind=None`` to our text."""
    words = []
    for part in re.split(r", *(?![^(\[]*[)\]])", declared):
        name = part.partition("=")[0].split()[-1] if part else "/"
        if name != "/":
            words.append("*," if name == "*" else name + "=" * ("=" in part))
    return " ".join(words)


if __name__ == "__main__":
    made = record()
    path = FOLDER / f"cupy-{made['version']}.json"
    path.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    print(path)
