"""Signals: where they end a command, and where they wait."""

from __future__ import annotations

import os
import signal
import sys
import time
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from gpusolve import signals

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of a POSIX system")


def import_and_wait(name: str) -> None:
    import_module(name)
    time.sleep(30)  # the signal ends this


def test_a_signal_during_an_import_waits_for_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a module would stay in a process of the server, which runs further commands."""
    text = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhole = True\n"
    tmp_path.joinpath("interrupted_import.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    before = {number: signal.getsignal(number) for number in signals.SIGNALS}
    received: list[int] = []
    signals.handle(partial(signals.interrupt, received))
    try:
        with pytest.raises(KeyboardInterrupt):
            import_and_wait("interrupted_import")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert sys.modules["interrupted_import"].whole
    assert received == [signal.SIGINT]
