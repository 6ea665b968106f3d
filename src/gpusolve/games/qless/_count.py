"""The number of crosswords of a roll, and of each of many rolls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from gpusolve import clock
from gpusolve.backend import Backend, in_batches, open_backend
from gpusolve.checks import check_integer, check_type
from gpusolve.errors import BadInput, Exit
from gpusolve.games.qless import kernels
from gpusolve.games.qless._check import check_solutions
from gpusolve.games.qless._solve import RollSearch
from gpusolve.games.qless.rolls import Roll
from gpusolve.games.qless.rules import MAX_LETTERS, MIN_LETTERS
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.result import Result

REPLAYED = 2
"""Solutions of each roll that are replayed by the rules."""


@dataclass(frozen=True, repr=False)
class Count(Result, schema="qless.count/2"):
    """The number of solutions of a roll.

    Attributes
    ----------
    roll : str
        The letters of the roll in alphabetical order.
    solutions : int
        Number of solutions; if the count is not complete, those found until the time limit.
    complete : bool
        Whether these are all solutions.
    seconds : float
        Time that the search took.
    """

    roll: str
    solutions: int
    complete: bool
    seconds: float

    @property
    def exit_code(self) -> int:
        """The exit code of the command: stopped by the time limit, none found, or done."""
        return Exit.STOPPED if not self.complete else Exit.DONE if self.solutions else Exit.NO_SOLUTION


def count(
    roll: str | Roll,
    *,
    must: str | None = None,
    variant: Variant = STANDARD,
    time_limit: float | None = None,
    progress: Callable[[int], None] = lambda done: None,
    backend: Backend | None = None,
) -> Count:
    """Count the solutions of a roll, without listing them.

    Parameters
    ----------
    roll : str
        The 3 to 14 letters of the roll, such as ``cddeeimprtwx``; spaces and commas are ignored.
    must : str, optional
        Word that every solution has to contain.
    variant : Variant, optional
        The words that count, and the rules. By default the standard game.
    time_limit : float, optional
        Stop after this many seconds and return the best result so far. Compiling kernels and building tables does not
        count.
    progress : callable, optional
        Called with the number of shares of the search that are done, of 64 (``SHARES``).
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Count
        The number of solutions; its `complete` says whether the search ended in time.

    Raises
    ------
    BadInput
        If `roll` is not a roll, `must` is not a word of the variant, or a number is out of range.

    Examples
    --------
    ``gpusolve qless count cddeeimprtwx``

    >>> count("cddeeimprtwx").solutions
    2046
    """
    begin = clock.now()
    search = RollSearch(roll, variant, must=must, time_limit=time_limit, backend=backend)
    total = 0
    for items, shares in search.rounds(kernels.NO_LIMIT, progress):
        total += int(search.counts(items, shares).sum())
    return Count(search.roll, total, search.complete, clock.now() - begin)


def counts(
    rolls: npt.NDArray[np.uint8], *, variant: Variant = STANDARD, limit: int = 1, backend: Backend | None = None
) -> npt.NDArray[np.int64]:
    """Count the crosswords of each of many rolls, up to a limit.

    Parameters
    ----------
    rolls : ndarray of uint8, shape (rolls, 26)
        Number of times each letter of the alphabet occurs in each roll. All rolls have the same number of letters.
    variant : Variant, optional
        The words that count, and the rules; the standard game by default.
    limit : int, default 1
        Stop counting the solutions of a roll here. The default shows which rolls have a solution.
    backend : Backend, optional
        The device; by default the one that `open_backend` chooses.

    Returns
    -------
    ndarray of int64, shape (rolls,)
        Number of solutions of each roll, or `limit` if it has more.

    Raises
    ------
    BadInput
        If `rolls` is not such an array, or if `limit` is out of range.
    WrongSolution
        If one of the first two solutions of a roll breaks the rules, which would be a fault of gpusolve.

    Examples
    --------
    >>> import numpy as np
    >>> letters = np.zeros((2, 26), np.uint8)
    >>> letters[0, [0, 4, 19]] = 1, 1, 1  # a, e, t
    >>> letters[1, 25] = 3  # z, z, z
    >>> counts(letters, limit=10)
    array([4, 0])
    """
    check_type("variant", variant, Variant)
    limit = check_integer("limit", limit, 1, kernels.NO_LIMIT)
    _check_rolls(rolls)
    backend = open_backend(backend)
    if not len(rolls):
        return np.empty(0, np.int64)
    loaded = variant.loaded(int(rolls[0].sum()), backend)
    keep = min(limit, REPLAYED)

    def count_batch(batch: range) -> npt.NDArray[np.int64]:
        part = np.ascontiguousarray(rolls[batch.start : batch.stop])
        candidates = kernels.candidates(backend, loaded, part)
        fills = kernels.fill(backend, loaded, candidates, keep=keep, limit=limit, no_repeats=variant.no_repeats)
        counted = backend.to_host(fills.counts)
        shape, fill, _ = kernels.kept(backend, fills, keep)
        check_solutions(part, np.minimum(counted, keep), loaded.tree.shapes, shape, fill, variant)
        return counted

    room = partial(backend.batch, loaded.bytes_per_roll())
    return np.concatenate(list(in_batches(range(len(rolls)), room, count_batch)))


def _check_rolls(rolls: npt.NDArray[np.uint8]) -> None:
    """Raise BadInput unless these are counts of letters, with the same number of letters in each roll."""
    check_type("rolls", rolls, np.ndarray)
    if rolls.dtype != np.uint8 or rolls.ndim != 2 or rolls.shape[1] != 26:
        raise BadInput(f"rolls: array of {rolls.dtype}, {rolls.shape}: expected an array of uint8 and shape (any, 26)")
    letters = rolls.sum(axis=1)
    if len(rolls) and not (MIN_LETTERS <= letters.min() == letters.max() <= MAX_LETTERS):
        raise BadInput(
            f"rolls: {letters.min()} to {letters.max()} letters: expected the same number in each roll, "
            f"{MIN_LETTERS} to {MAX_LETTERS}"
        )
