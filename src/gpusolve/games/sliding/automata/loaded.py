"""An automaton as the search reads it: its table on the host, and packed on a device."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array, Backend


@dataclass(frozen=True, eq=False)
class LoadedAutomaton:
    """An automaton that is loaded on a device.

    Attributes
    ----------
    table : ndarray of int32, shape (states, 4)
        The state after each move, -1 if the move is forbidden.
    start : int
        The start state.
    packed : device array of uint32, shape (4 * states,)
        For each state and move the next state, and the moves that it allows; see ``kernels/sliding.cu``.
    """

    table: npt.NDArray[np.int32]
    start: int
    packed: Array


def load_automaton(backend: Backend, table: npt.NDArray[np.int32], start: int = 0) -> LoadedAutomaton:
    """Load an automaton's table on a device."""
    allowed = np.packbits(table >= 0, axis=1, bitorder="little")[:, 0]
    packed = np.where(table >= 0, table << 4 | allowed[table], 0).astype(np.uint32).reshape(-1)
    return LoadedAutomaton(table, start, backend.asarray(packed))
