"""A progress bar below the cell of a notebook, for `report.Progress`. It needs no widgets."""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any

from gpusolve.output import page

PAUSE = 0.2  # seconds between two updates, each of which is a message to the browser


class NotebookBar:
    """A bar with the number of items done; `total` is the number of all items."""

    def __init__(self, total: int) -> None:
        self._total, self._shown = total, 0.0
        self._handle: Any = None

    def update(self, task: object, *, description: str, completed: int, rate: str) -> None:
        """Show that `completed` items are done. There is only one `task`."""
        now = time.monotonic()
        if completed < self._total and now - self._shown < PAUSE:
            return
        self._shown = now
        share = round(100 * min(completed / max(self._total, 1), 1))
        text = f"{description}: {completed:,} of {self._total:,}" + (f", {rate}" if rate else "")
        self._show(page.fragment(page.part("progress", text, share)))

    def stop(self) -> None:
        """Remove the bar."""
        if self._handle is not None:
            self._show("")

    def _show(self, html: str) -> None:
        display: Any = import_module("IPython.display")  # a notebook has it
        if self._handle is None:
            self._handle = display.display(display.HTML(html), display_id=True)
        else:
            self._handle.update(display.HTML(html))
