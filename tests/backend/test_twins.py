"""A kernel has the same name and the same parameters in CUDA and in Numba."""

from __future__ import annotations

import importlib
import inspect
from types import ModuleType

import pytest
from gpusolve.backend.source import cuda_source, signatures
from numba.extending import is_jitted

from gpusolve.resources import kernels_dir

GAMES = sorted(file.stem for file in kernels_dir().glob("*.cu"))


def twins(module: ModuleType) -> dict[str, list[str]]:
    """Name -> parameter names of each public function that Numba compiles and that this module defines."""
    return {
        name: list(inspect.signature(function.py_func).parameters)
        for name, function in vars(module).items()
        if not name.startswith("_") and is_jitted(function) and function.py_func.__module__ == module.__name__
    }


@pytest.mark.parametrize("game", GAMES)
def test_same_names_and_parameters(game: str) -> None:
    kernels = {kernel: [name for _, name in parameters] for kernel, parameters in signatures(cuda_source(game)).items()}
    assert kernels, f"no kernel found in {game}.cu"
    assert twins(importlib.import_module(f"gpusolve.games.{game}.cpu")) == kernels


@pytest.mark.parametrize("game", GAMES)
def test_a_batch_can_be_cut_anywhere(game: str) -> None:
    for kernel, parameters in signatures(cuda_source(game)).items():
        assert parameters[:2] == [("int", "first"), ("int", "last")], kernel


def test_twins_are_the_public_compiled_functions_of_a_module() -> None:
    import numba

    module = ModuleType("a_game")
    source = """
def score(first, last, boards, out): pass
def _helper(x): pass
def plain(x): pass
"""
    exec(source, module.__dict__)
    vars(module).update(score=numba.njit(module.score), _helper=numba.njit(module._helper), foreign=numba.njit(twins))
    assert twins(module) == {"score": ["first", "last", "boards", "out"]}
