"""Plots as picture files. Only this module uses Matplotlib, and imports it on first use."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt

from gpusolve import files
from gpusolve.errors import BadInput

FORMATS = (".png", ".svg", ".pdf")
MOST_BARS = 200


def save_histogram(path: Path, values: npt.ArrayLike, title: str, xlabel: str) -> None:
    """Draw how often each integer occurs in `values`, as bars. The suffix (png, svg, pdf) sets the format.

    Raises BadInput if the file cannot be written.
    """
    import numpy as np

    numbers = np.asarray(values)
    low, high = int(numbers.min()), int(numbers.max())
    width = -(-(high - low + 1) // MOST_BARS)
    axes = _axes(title, xlabel, "count")
    axes.hist(numbers, bins=np.arange(low, high + width + 1, width) - 0.5, color="tab:blue")
    _save(path, axes)


def save_bars(
    path: Path, labels: Sequence[str], heights: Sequence[float], title: str, xlabel: str, ylabel: str
) -> None:
    """Draw a bar for each label. See `save_histogram` for the file."""
    axes = _axes(title, xlabel, ylabel)
    axes.bar(labels, heights, color="tab:blue")
    _save(path, axes)


def save_lines(
    path: Path, x: npt.ArrayLike, lines: Mapping[str, npt.ArrayLike], title: str, xlabel: str, ylabel: str
) -> None:
    """Draw each of the labelled `lines` over `x`. See `save_histogram` for the file."""
    axes = _axes(title, xlabel, ylabel)
    for label, values in lines.items():
        axes.plot(x, values, label=label)
    axes.legend(frameon=False)
    _save(path, axes)


def _axes(title: str, xlabel: str, ylabel: str) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes: Any = figure.add_subplot()
    axes.set(title=title, xlabel=xlabel, ylabel=ylabel)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def check_plot(path: Path, what: str = "plot") -> None:
    """Raise BadInput if a plot cannot be written to this file. Call it before the work, not after it."""
    if path.suffix.lower() not in FORMATS:
        raise BadInput(f"{what} {path}: expected a file name that ends in {', '.join(FORMATS)}")
    files.check_writable(path, what)


def _save(path: Path, axes: Any) -> None:
    check_plot(path)
    picture = io.BytesIO()
    axes.figure.savefig(picture, dpi=150, format=path.suffix[1:].lower())
    files.write(path, picture.getvalue(), "plot")
