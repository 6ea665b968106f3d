"""What can go wrong for a user. The command line prints one line and leaves with the error's exit code."""

from __future__ import annotations


class GpusolveError(Exception):
    """Any error that is told to the user in one line."""

    exit_code = 1


class NoSolution(GpusolveError):
    """It is proven that nothing satisfies what was asked."""

    exit_code = 1


class BadInput(GpusolveError, ValueError):
    """Something that the user gave is not as expected; the message says what, where and what was expected."""

    exit_code = 2


class DeviceUnavailable(GpusolveError):
    """The device that was asked for cannot be used; the message says why and what mends it."""

    exit_code = 4
