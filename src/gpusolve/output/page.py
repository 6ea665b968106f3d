"""HTML pages to keep and to share. Each page is a single file that loads no other files."""

from __future__ import annotations

import re
from pathlib import Path

from gpusolve import files


def save(path: Path, template: Path, **blanks: str) -> None:
    """Fill in a template and write the page.

    Parameters
    ----------
    path : Path
        The page to write.
    template : Path
        HTML with blanks ``{{name}}``. ``{{player.css}}`` and ``{{player.js}}`` are the shared style and controls of
        pages that play something.
    **blanks : str
        Name -> HTML or script, inserted as it is: the caller escapes text from users. It is not searched for blanks.

    Raises
    ------
    BadInput
        If the page cannot be written.
    """

    def filled(blank: re.Match[str]) -> str:
        name = blank[1]
        return Path(__file__).with_name(name).read_text(encoding="utf-8") if "." in name else blanks[name]

    files.write(path, re.sub(r"\{\{([\w.]+)\}\}", filled, template.read_text(encoding="utf-8")), "page")
