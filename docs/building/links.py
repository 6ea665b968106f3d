"""Check every link, picture and script of the built site that leads to the site itself, with its anchor.

python docs/building/links.py build/site
"""

from __future__ import annotations

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors of a page, and what it links to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.links.append(value)


@cache
def page(path: Path) -> Page:
    """Return a page of the site."""
    return Page(path.read_text(encoding="utf-8"))


def broken(site: Path) -> list[str]:
    """Return the links of the site that lead nowhere, with their pages. Links to other sites are not followed."""
    found = []
    for path in sorted(site.rglob("*.html")):
        if "_static" in path.relative_to(site).parts:
            continue
        for link in page(path).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            if not target.is_file():
                found.append(f"{path.relative_to(site)}: {link}")
            elif anchor and target.suffix == ".html" and anchor not in page(target).anchors:
                found.append(f"{path.relative_to(site)}: {link}: no such anchor")
    return found


if __name__ == "__main__":
    folder = Path(sys.argv[1]).resolve()
    faults = broken(folder)
    print("\n".join(faults), end="\n" if faults else "")
    print(f"{sum(1 for _ in folder.rglob('*.html')):,} pages, {len(faults)} broken links")
    sys.exit(bool(faults))
