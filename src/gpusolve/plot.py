"""Pictures in files. The only place that knows Matplotlib, which is imported on first use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy.typing as npt

from gpusolve.errors import BadInput

MOST_BARS = 200


def save_histogram(path: Path, values: npt.ArrayLike, title: str, xlabel: str) -> None:
    """How often each whole number occurs in `values`, as bars; the file's suffix (png, svg, pdf) says the format.

    Raises BadInput where the file cannot be written.
    """
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    numbers = np.asarray(values)
    low, high = int(numbers.min()), int(numbers.max())
    width = -(-(high - low + 1) // MOST_BARS)
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes: Any = figure.add_subplot()
    axes.hist(numbers, bins=np.arange(low, high + width + 1, width) - 0.5, color="tab:blue")
    axes.set(title=title, xlabel=xlabel, ylabel="count")
    axes.spines[["top", "right"]].set_visible(False)
    try:
        figure.savefig(path, dpi=150)
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}") from error
