"""Errors that users see, each as one line, and the exit codes of the command line."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of every command."""

    DONE = 0
    """Solved, or done."""
    NO_SOLUTION = 1
    """Proven to have no solution."""
    BAD_INPUT = 2
    """The user's input is not as expected."""
    STOPPED = 3
    """The time or work limit is reached; the best result so far is printed."""
    UNAVAILABLE = 4
    """The requested device or cluster cannot be used."""
    FAULT = 70
    """A fault of gpusolve."""
    HUNG_UP = 129
    """The terminal was closed (SIGHUP); the checkpoint is saved."""
    INTERRUPTED = 130
    """Interrupted by Ctrl-C; the checkpoint is saved."""
    UNREAD = 141
    """The program that reads the result has ended, as ``head`` does; the checkpoint is saved."""
    TERMINATED = 143
    """Ended by SIGTERM; the checkpoint is saved."""


def plain(text: str) -> str:
    r"""Return the text on one line with every control character escaped, so that it cannot drive a terminal.

    >>> print(plain("two\nlines"))
    two\nlines
    """
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


class GpusolveError(Exception):
    """Base class of the errors that are reported to the user in one line."""

    exit_code = Exit.FAULT


class WordsLeftOut(UserWarning):
    """A word list has words that do not fit; the message counts them. The command line shows it as a note."""


class WrongSolution(GpusolveError):
    """A search returned a solution that the rules refuse, which is a fault of gpusolve."""


class NoSolution(GpusolveError):
    """It is proven that nothing satisfies the request."""

    exit_code = Exit.NO_SOLUTION


class NotFound(GpusolveError):
    """Nothing was found within the time or work limit, which does not prove that there is nothing."""

    exit_code = Exit.STOPPED


class BadInput(GpusolveError, ValueError):
    """The user's input is not as expected; the message says what, where, and what was expected."""

    exit_code = Exit.BAD_INPUT


class OutputLost(GpusolveError):
    """The result could not be written, because the disk is full, for example."""

    exit_code = Exit.BAD_INPUT


class ReaderGone(OutputLost):
    """The program that reads the result has ended. Nothing is printed about it, because that is no mistake."""

    exit_code = Exit.UNREAD


class DeviceUnavailable(GpusolveError):
    """The requested device cannot be used; the message says why and how to fix it."""

    exit_code = Exit.UNAVAILABLE


class ClusterUnavailable(GpusolveError):
    """The requested cluster cannot be used, or was lost; the message says why."""

    exit_code = Exit.UNAVAILABLE


class OutOfTime(GpusolveError):
    """The time limit came in a step that cannot be split, before there was any result."""

    exit_code = Exit.STOPPED


def explained(error: Exception) -> Exception:
    """Return what an error of CUDA means to users: no memory, or a GPU that cannot be used. Others stay as they are.

    CuPy has several classes for them, and raises many of them only when something later waits for a kernel.
    """
    kind, text = type(error).__name__, str(error)
    if kind not in ("CUDARuntimeError", "CUDADriverError"):
        return error
    name = text.partition(":")[0]
    if name in ("cudaErrorMemoryAllocation", "CUDA_ERROR_OUT_OF_MEMORY"):
        return MemoryError(text)
    if name in ("cudaErrorLaunchTimeout", "CUDA_ERROR_LAUNCH_TIMEOUT"):
        wanted = "choose a GPU without a display, or --device cpu"
        return DeviceUnavailable(f"the display's GPU has stopped a kernel that took too long ({name}): {wanted}")
    if name in ("cudaErrorDevicesUnavailable", "cudaErrorECCUncorrectable", "CUDA_ERROR_ECC_UNCORRECTABLE"):
        return DeviceUnavailable(f"the GPU cannot be used: {text}")
    return error
