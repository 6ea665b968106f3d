"""The device of ``--device``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpusolve.output import report, terminal

if TYPE_CHECKING:
    from gpusolve.backend import Backend


def open_device(device: str | None, quiet: bool) -> Backend:
    """Open the backend for ``--device``. A note on stderr says which device it is and, for ``auto``, why."""
    from gpusolve.backend import open_backend

    backend = open_backend(device)
    report.note(f"device: {backend.about}", quiet)
    command = terminal.current_command.get()
    if command is not None:
        command.enter_context(report.compilation(quiet))
    return backend
