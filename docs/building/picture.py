"""A small SVG picture: boxes, texts and arrows in the colours of the page, which may be light or dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

CHARACTER = 7.3  # width of a character of the monospaced font at 12 px


@dataclass
class Picture:
    """A picture in pixels; `width` and `height` grow with what is drawn.

    A `kind` is the name of a colour in site.css: a, b, c, d, mark or plain for boxes, and dim for texts.
    """

    width: float = 0
    height: float = 0
    parts: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> None:
        """Write a text; `y` is its base line."""
        self.parts.append(f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>')
        shift = {"start": 1.0, "middle": 0.5, "end": 0.0}[anchor]
        self._grow(x + shift * CHARACTER * len(text), y + 4)

    def box(self, x: float, y: float, width: float, text: str = "", kind: str = "plain", height: float = 24) -> None:
        """Draw a box with a text in its middle."""
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" class="{kind}"/>')
        if text:
            self.text(x + width / 2, y + height / 2 + 4.5, text, anchor="middle")
        self._grow(x + width, y + height)

    def row(
        self, x: float, y: float, texts: Sequence[object], width: float, kinds: Sequence[str] | str = "plain"
    ) -> float:
        """Draw boxes side by side, and return where they end."""
        for i, text in enumerate(texts):
            self.box(x + i * width, y, width, str(text), kinds if isinstance(kinds, str) else kinds[i])
        return x + len(texts) * width

    def arrow(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Draw an arrow."""
        self.parts.append(f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" class="arrow" marker-end="url(#tip)"/>')
        self._grow(max(x, to_x), max(y, to_y))

    def line(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Draw a line."""
        self.parts.append(f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" class="arrow"/>')
        self._grow(max(x, to_x), max(y, to_y))

    def svg(self, alt: str) -> str:
        """Return the picture as SVG, with a text for readers who do not see it."""
        tip = '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        tip += '<path d="M0 0L8 4L0 8z" class="tip"/></marker>'
        width, height = self.width + 2, self.height + 2
        return (
            f'<svg viewBox="-1 -1 {width:g} {height:g}" style="width:{width:g}px" role="img" '
            f'aria-label="{escape(alt)}"><defs>{tip}</defs>{"".join(self.parts)}</svg>'
        )

    def _grow(self, x: float, y: float) -> None:
        self.width, self.height = max(self.width, x), max(self.height, y)
