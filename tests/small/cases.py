"""A check of a command by small cases: random calls of its function, and what is wrong with a result.

The inputs are so small that all possibilities can be tried by the rules. A call is written as text, and the text is
what runs, so a call that is printed is the call that was made.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from gpusolve import clock
from gpusolve.errors import GpusolveError, NoSolution

LONGEST = 400
"""Largest number of characters of a value in a message."""


@dataclass(frozen=True, repr=False)
class Call:
    """A call of a public function or class; its arguments can be calls. Its repr is the call as Python has it."""

    name: str
    arguments: tuple[Any, ...]
    options: Mapping[str, Any]

    def __repr__(self) -> str:
        options = (f"{name}={value!r}" for name, value in self.options.items())
        return f"{self.name}({', '.join([*map(repr, self.arguments), *options])})"


def call(name: str, *arguments: Any, **options: Any) -> Call:
    """Return a call without the options that are None."""
    return Call(name, arguments, {name: value for name, value in options.items() if value is not None})


@dataclass(frozen=True)
class Trial:
    """A call, and the function that says what is wrong with its result.

    Attributes
    ----------
    call : Call
        The call.
    fault : callable
        Takes the result, or the error of one of the classes in `refusals`, and returns what is wrong with it: "" if
        nothing is.
    refusals : tuple of class
        The errors that can be right.
    """

    call: Call
    fault: Callable[[Any], str]
    refusals: tuple[type[GpusolveError], ...] = (NoSolution,)


@dataclass(frozen=True)
class Check:
    """The check of a command: how a trial is drawn.

    Attributes
    ----------
    command : str
        The command, such as ``wordle solve``.
    draw : callable
        Takes a random generator and returns a trial.
    helpers : str
        Another module whose names a call uses as well.
    """

    command: str
    draw: Callable[[random.Random], Trial]
    helpers: str = ""


@dataclass(frozen=True)
class Found:
    """A call whose result is wrong: its number, the text of the call, and what is wrong."""

    number: int
    call: str
    fault: str


@dataclass
class Report:
    """What a check has tried: the number of cases, the seconds that they took, and the faults."""

    command: str
    cases: int = 0
    seconds: float = 0.0
    found: list[Found] = field(default_factory=list)


class _Names(dict[str, Any]):
    """The public names of a game, those of the helpers, and `Path`."""

    def __init__(self, check: Check) -> None:
        package = import_module(f"gpusolve.games.{check.command.partition(' ')[0]}")
        self._modules = [package, *map(import_module, [check.helpers] * bool(check.helpers))]

    def __missing__(self, name: str) -> Any:
        for module in self._modules:
            if hasattr(module, name):
                return getattr(module, name)
        raise KeyError(name)


def attempt(check: Check, seed: int, number: int) -> Found:
    """Make trial `number` of a seed. The fault is "" if the result is right."""
    trial = check.draw(random.Random(f"{seed} {check.command} {number}"))
    text = repr(trial.call)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            outcome = eval(text, {}, _Names(check))
    except trial.refusals as error:
        outcome = error
    except Exception as error:
        return Found(number, text, f"raises {type(error).__name__}: {str(error)[:LONGEST]}")
    return Found(number, text, trial.fault(outcome))


def run(check: Check, *, seed: int, first: int = 0, most: int = 1 << 60, seconds: float = float("inf")) -> Report:
    """Make trials from number `first` on, for some seconds or a number of them; stop after five faults."""
    report, begin = Report(check.command), clock.now()
    for number in range(first, first + most):
        found = attempt(check, seed, number)
        report.cases += 1
        report.seconds = clock.now() - begin
        if found.fault:
            report.found.append(found)
        if report.seconds > seconds or len(report.found) == 5:
            break
    return report


def text_of(found: Found, check: Check, seed: int) -> Iterator[str]:
    """Yield the lines that describe a fault, and how it is reproduced."""
    yield f"number {found.number}: {found.fault}"
    for module in filter(None, (check.helpers, f"gpusolve.games.{check.command.partition(' ')[0]}")):
        yield f"from {module} import *"
    yield found.call
    yield f"PYTHONPATH=tests python -m small --only '{check.command}' --seed {seed} --first {found.number} --cases 1"


def differences(**pairs: tuple[Any, Any]) -> str:
    """Return which values differ from the expected ones; "" if none does. A pair is what was found, and expected."""
    return "; ".join(
        f"{name} is {_short(found)}, not {_short(expected)}"
        for name, (found, expected) in pairs.items()
        if found != expected
    )


def first_of(faults: Iterable[str]) -> str:
    """Return the first text that is not empty; "" if all are."""
    return next(filter(None, faults), "")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
