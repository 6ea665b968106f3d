"""What can go wrong for a user, and the exit codes of the command line. An error is told in one line."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of every command, in one table."""

    DONE = 0
    """Solved, or done."""
    NO_SOLUTION = 1
    """Proven to have no solution."""
    BAD_INPUT = 2
    """What the user gave is not as expected."""
    STOPPED = 3
    """The time or the work allowed is spent; the best so far is printed."""
    UNAVAILABLE = 4
    """The device or the cluster that was asked for cannot be used."""
    FAULT = 70
    """A fault of ours."""
    INTERRUPTED = 130
    """By Ctrl-C; what was to be saved is saved."""
    TERMINATED = 143
    """By SIGTERM; likewise."""


def plain(text: str) -> str:
    r"""The text with nothing in it that would drive a terminal, whatever a file or a user gave: on one line, escaped.

    >>> print(plain("two\nlines"))
    two\nlines
    """
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


class GpusolveError(Exception):
    """Any error that is told to the user in one line."""

    exit_code = Exit.FAULT


class NoSolution(GpusolveError):
    """It is proven that nothing satisfies what was asked."""

    exit_code = Exit.NO_SOLUTION


class BadInput(GpusolveError, ValueError):
    """Something that the user gave is not as expected; the message says what, where and what was expected."""

    exit_code = Exit.BAD_INPUT


class OutputLost(GpusolveError):
    """The result could not be written: the disk is full, or whoever read it has gone."""

    exit_code = Exit.BAD_INPUT


class DeviceUnavailable(GpusolveError):
    """The device that was asked for cannot be used; the message says why and how to get it to work."""

    exit_code = Exit.UNAVAILABLE


class ClusterUnavailable(GpusolveError):
    """The cluster that was asked for cannot be used, or is gone; the message says why."""

    exit_code = Exit.UNAVAILABLE


class OutOfTime(GpusolveError):
    """The time limit has come in a step that could not go on, and there is no result before it."""

    exit_code = Exit.STOPPED
