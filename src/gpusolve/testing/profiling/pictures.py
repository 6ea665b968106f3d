"""A profile as pictures for a notebook: lanes over time, and memory coloured by who touched it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import numpy as np
import numpy.typing as npt

from gpusolve.testing.profiling.parts import Array, Line

MOST_STEPS = 600
"""Steps of a warp that are drawn."""
MOST_CELLS = 2048
"""Elements of an array that are drawn."""
LANE, WIDTH = 6, 900
"""Height of a lane and greatest width of a picture, in pixels."""
CELL = 11
"""Width and height of an element in pixels."""
COLOURS = (
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#ee8866", "#44bb99", "#99884f", "#8866bb",
)  # fmt: skip
"""For lines: Paul Tol's bright scheme, and four more."""
_FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
    'style="max-width:100%;height:auto" font-family="sans-serif" font-size="11" role="img" aria-label="{label}">'
    "{body}</svg>"
)


def lanes(lines: Sequence[Line], steps: npt.NDArray[np.int64]) -> str:
    """Draw what one warp did over time: one row per lane, one column per step, coloured by the line; SVG.

    A lane that waits for others is blank. The steps are those of a `Profile`.
    """
    recorded, steps = len(steps), steps[steps[:, 0] >= 0][:MOST_STEPS]
    count = max(1, len(steps))
    unit = max(1.0, min(12.0, (WIDTH - 40) / count))
    numbers = list(dict.fromkeys(int(number) for number in steps[:, 0]))
    colour = {number: COLOURS[at % len(COLOURS)] for at, number in enumerate(numbers)}
    body = [_text(0, 12, "lane"), _text(0, 26 + LANE, "0"), _text(0, 20 + 32 * LANE, "31")]
    for begin, end, number, mask in _runs(steps):
        line = lines[number]
        tip = f"{line.file}:{line.number}, {mask.bit_count()} of 32 lanes"
        body.append(f'<g fill="{colour[number]}"><title>{escape(tip)}</title>')
        body += [
            f'<rect x="{36 + begin * unit:.1f}" y="{20 + low * LANE}" width="{(end - begin) * unit:.1f}" '
            f'height="{(high - low) * LANE}"/>'
            for low, high in _groups(mask)
        ]
        body.append("</g>")
    bottom = 20 + 32 * LANE
    body.append(
        f'<rect x="36" y="20" width="{count * unit:.1f}" height="{32 * LANE}" fill="none" stroke="#888" '
        'stroke-width="0.5"/>'
    )
    drawn = f"steps of a warp, {len(steps)} drawn" if recorded > len(steps) else f"{len(steps)} steps of a warp"
    body.append(_text(36, 12, drawn))
    for at, number in enumerate(numbers):
        line, y = lines[number], bottom + 16 * (at + 1)
        body.append(f'<rect x="36" y="{y - 9}" width="10" height="10" fill="{colour[number]}"/>')
        body.append(_text(52, y, f"{line.number}  {line.text.strip()[:100]}", "monospace"))
    return _FRAME.format(
        width=WIDTH, height=bottom + 16 * len(numbers) + 8, label="lanes of a warp over time", body="".join(body)
    )


def memory(array: Array) -> str:
    """Draw who touched an array first: one cell per element, coloured by lane; SVG.

    An array with rows keeps them; another has 32 elements in a row, so that in shared memory a column of words of four
    bytes is a bank. Nobody touched the white cells.
    """
    columns = array.shape[-1] if len(array.shape) > 1 and array.shape[-1] <= 128 else 32
    touched = np.flatnonzero(array.owner[:MOST_CELLS] >= 0)
    end = -(-(int(touched[-1]) + 1) // columns) * columns if len(touched) else 0  # whole rows, to the last that matters
    owner = array.owner[: min(end, MOST_CELLS)]
    rows = -(-len(owner) // columns)
    body = [_text(0, 12, f"{array.name} in {array.space} memory, by the lane that touched it first")]
    for at, thread in enumerate(owner.tolist()):
        x, y = at % columns * CELL, 20 + at // columns * CELL
        who = f"thread {thread}, lane {thread % 32}" if thread >= 0 else "nobody"
        body.append(
            f'<rect x="{x}" y="{y}" width="{CELL - 1}" height="{CELL - 1}" fill="{_of_lane(thread)}" stroke="#bbb" '
            f'stroke-width="0.5"><title>{escape(array.name)}[{at}]: {who}</title></rect>'
        )
    return _FRAME.format(
        width=max(columns * CELL, 340), height=24 + rows * CELL, label=escape(f"{array.name}: who touched it"),
        body="".join(body),
    )  # fmt: skip


def _of_lane(thread: int) -> str:
    return "#ffffff" if thread < 0 else f"hsl({thread % 32 * 280 // 31},65%,{45 + thread // 32 % 4 * 8}%)"


def _runs(steps: np.ndarray) -> Iterator[tuple[int, int, int, int]]:
    """Yield the begin, end, line and lanes of each run of equal steps."""
    begin = 0
    for at in range(1, len(steps) + 1):
        if at == len(steps) or (steps[at] != steps[begin]).any():
            yield begin, at, int(steps[begin, 0]), int(steps[begin, 1])
            begin = at


def _groups(mask: int) -> Iterator[tuple[int, int]]:
    """Yield the first lane and the lane after the last of each group of neighbouring lanes.

    >>> list(_groups(0b1110011))
    [(0, 2), (4, 7)]
    """
    lane = 0
    while mask >> lane:
        if mask >> lane & 1:
            low = lane
            while mask >> lane & 1:
                lane += 1
            yield low, lane
        lane += 1


def _text(x: float, y: float, text: str, family: str = "") -> str:
    font = f' font-family="{family}"' if family else ""
    return f'<text x="{x}" y="{y}" fill="currentColor"{font}>{escape(text)}</text>'
