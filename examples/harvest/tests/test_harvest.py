"""Harvest on every device, compared with plain Python."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gpusolve.backend import Backend
from gpusolve.errors import BadInput
from gpusolve.testing import commands
from gpusolve.testing.checks import check_compiles, check_twins
from gpusolve.testing.nvrtc import ARCHITECTURES
from gpusolve.testing.plugin import Done
from gpusolve_harvest import rules, solve
from gpusolve_harvest.kernels import PROGRAM, Walkers


def random_field(seed: int, side: int) -> str:
    digits = np.random.default_rng(seed).integers(0, 10, (side, side))
    return "/".join("".join(map(str, row)) for row in digits)


@pytest.mark.parametrize("side", [2, 3, 5, 8])
def test_moves_and_sums_equal_the_rules(backend: Backend, side: int) -> None:
    """Every walk of up to four steps, level by level."""
    field = rules.parse_field(random_field(side, side))
    space = Walkers(backend, field, 4)
    states, paths = space.root, [""]
    for _ in range(5):
        values = backend.to_host(space.value(states)).tolist()
        assert values == [rules.replay(field, path) for path in paths]
        keys = backend.to_host(space.expand(states, 0, len(paths)))
        expected = [[_key(field, path + direction) for direction in rules.DIRECTIONS] for path in paths]
        assert keys.tolist() == expected
        parents, moves = np.nonzero(keys)
        if not len(parents):
            break
        paths = [paths[parent] + rules.DIRECTIONS[move] for parent, move in zip(parents, moves, strict=True)]
        states = space.make(states, backend.asarray(parents.astype(np.int32)), backend.asarray(moves.astype(np.uint16)))


def _key(field: rules.Field, path: str) -> int:
    try:
        return 1 + rules.replay(field, path) if len(path) <= 4 else 0
    except BadInput:
        return 0


@pytest.mark.parametrize("seed", range(4))
def test_a_wide_beam_finds_the_best_of_all_walks(backend: Backend, seed: int) -> None:
    text = random_field(seed, 4)
    solution = solve(text, steps=7, backend=backend)
    assert solution.proven
    assert solution.reaped == rules.best(rules.parse_field(text), 7)
    assert solution.reaped == rules.replay(rules.parse_field(text), solution.path)


def test_a_narrow_beam_does_not_claim_a_proof(backend: Backend) -> None:
    text = random_field(9, 8)
    solution = solve(text, steps=30, width=50, backend=backend)
    assert not solution.proven
    assert solution.reaped == rules.replay(rules.parse_field(text), solution.path)


@pytest.mark.parametrize(
    ("text", "message"),
    [("1", "1 rows: expected 2 to 8"), ("12/3", "row 2: '3': expected 2 digits"), ("1x/23", "row 1: '1x'")],
)
def test_a_bad_field_is_refused(run: Callable[..., Done], text: str, message: str) -> None:
    done = run("harvest", "solve", text, "--quiet")
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_the_numba_twins_match_the_kernels() -> None:
    check_twins(PROGRAM)


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_the_kernels_compile_for_every_architecture(arch: str) -> None:
    check_compiles(PROGRAM, arch)


@pytest.mark.parametrize("command", commands.of_game("harvest"), ids=str)
def test_the_command_keeps_the_rules_of_all_commands(command: commands.Command, run: Callable[..., Done]) -> None:
    commands.check(command)
    assert commands.check_example(command, run)["reaped"] == 24


def test_the_drawing_shows_the_cells_reaped(run: Callable[..., Done]) -> None:
    done = run("harvest", "solve", "131/925/347", "--steps", "4", "--quiet")
    assert done.out.splitlines() == ["1 . .", "9 2 5", ". . 7", "24 reaped by drrd; no walk reaps more"]
