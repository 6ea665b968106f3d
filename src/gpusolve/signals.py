"""How signals end a command: the first one raises an exception, so that the command saves its state."""

from __future__ import annotations

import signal
from collections.abc import Callable
from threading import Timer, main_thread
from types import FrameType

from gpusolve.errors import Exit

SIGNALS = {
    getattr(signal, name): code
    for name, code in (("SIGHUP", Exit.HUNG_UP), ("SIGINT", Exit.INTERRUPTED), ("SIGTERM", Exit.TERMINATED))
    if hasattr(signal, name)  # Windows has no SIGHUP
}
"""The signals that end a command, and their exit codes."""


def handle(handler: Callable[[int, FrameType | None], None]) -> None:
    """Let signals call a function. A SIGHUP that is ignored stays ignored: that is what ``nohup`` is for."""
    for number, code in SIGNALS.items():
        if code != Exit.HUNG_UP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, handler)


def ignore() -> None:
    """Ignore all signals that end a command."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def interrupt(received: list[int], number: int, frame: FrameType | None) -> None:
    """End the command at the first signal, so that it saves its state; later signals are ignored while it does."""
    # An exception inside a callback from LLVM would crash, and one inside an import would leave half a module in a
    # process that may run further commands: try again in a moment.
    if _is_inside(frame, "numba", "llvmlite", "importlib"):
        Timer(0.005, _send_again, (number, signal.getsignal(number))).start()
        return
    received.append(number)
    ignore()
    raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(SIGNALS[number])


def _send_again(number: int, handler: object) -> None:
    """Send a signal to the main thread, so that it also ends a wait there; not if the command has ended meanwhile."""
    if signal.getsignal(number) is not handler:
        return
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main_thread().ident or 0, number)
    else:  # Windows
        signal.raise_signal(number)


def _is_inside(frame: FrameType | None, *packages: str) -> bool:
    """Return whether a function of one of the packages is running."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] in packages:
            return True
        frame = frame.f_back
    return False
