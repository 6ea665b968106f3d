"""Pages to keep and to share: one file each, that needs nothing else."""

from __future__ import annotations

import re
from pathlib import Path

from gpusolve import files


def save(path: Path, template: Path, **blanks: str) -> None:
    """Writes a page: a template whose ``{{name}}`` are filled in, with HTML or script as they stand.

    ``{{player.css}}`` and ``{{player.js}}`` are the style and the controls of a page that plays something. What is
    filled in is not looked at again. Raises BadInput where the page cannot be written.
    """

    def filled(blank: re.Match[str]) -> str:
        name = blank[1]
        return Path(__file__).with_name(name).read_text(encoding="utf-8") if "." in name else blanks[name]

    files.write(path, re.sub(r"\{\{([\w.]+)\}\}", filled, template.read_text(encoding="utf-8")), "page")
