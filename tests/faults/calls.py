"""Wrong calls of public functions. Each has to be refused with a line that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from gpusolve.errors import BadInput

Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
"""A function, and the arguments with which it is called."""
LONGEST = 6000
"""Largest number of characters of a message: some values have thousands."""


def check_refused(calls: Iterable[Call]) -> None:
    """Fail with a list of the calls that do not raise BadInput, or TypeError for a value of another type."""
    if faults := [f"{shown(call)} {fault}" for call in calls if (fault := fault_of(call))]:
        pytest.fail("\n".join(faults), pytrace=False)


def fault_of(call: Call) -> str:
    """Return what is wrong with the way in which a call ends; empty if nothing is."""
    function, arguments, others = call
    try:
        result = function(*arguments, **others)
    except (BadInput, TypeError) as error:
        message = str(error)
    except Exception as error:
        return f"raises {error!r}"
    else:
        return f"returns {result!r}"
    if "unexpected keyword" in message:
        return "is out of date: there is no such parameter"
    return "" if 0 < len(message) < LONGEST and "\n" not in message else f"says {message!r}"


def shown(call: Call) -> str:
    function, arguments, others = call
    name = getattr(getattr(function, "func", function), "__name__", function)
    return ascii(f"{name}{arguments}{others}")[:200]
