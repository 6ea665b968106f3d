"""The command ``suggest``: the next slide if only the first letters of the queue are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_integer
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.positions import Moves, Position, move_text
from gpusolve.games.queuedle.puzzles import AnyPuzzle, Puzzle
from gpusolve.games.queuedle.search.memory import MEMORY, batch_size
from gpusolve.games.queuedle.search.searches import Solver
from gpusolve.result import Result
from gpusolve.runs.seeds import check_seed, random_seed
from gpusolve.wordlists import Words, load_words

SAMPLES, WIDTH = 20, 300
MOST_SAMPLES, MOST_WIDTH = 100_000, 1_000_000
MOST_EXACT = 3
"""Number of slides after the next one that are all tried, for each letter that may come."""
_LETTERS = sorted(set(rules.TILES))
_CHANCES = np.array([rules.TILES.count(letter) / len(rules.TILES) for letter in _LETTERS])


@dataclass(frozen=True, repr=False)
class NextSlide(Result):
    """A slide that can be made next, or the end of the game.

    Attributes
    ----------
    move : str
        The slide in notation; empty for the end of the game.
    expected : float
        The expected score of the best board.
    error : float
        The standard error of `expected`; 0 if it is exact.
    """

    move: str
    expected: float
    error: float


@dataclass(frozen=True, repr=False)
class Suggestion(Result, schema="queuedle.suggest/1"):
    """The next slides, the best one first.

    Attributes
    ----------
    position : Position
        The grid and the letters of the queue that are known.
    hidden : int
        Number of letters after these, which are not known.
    slides : list of NextSlide
        The legal slides, and the end of the game.
    exact : bool
        Whether the expected scores are exact. If not, they are means over samples of what beams find if all letters are
        known after this slide, so they can be higher than what can be reached.
    samples : int
        Number of samples; 0 if the expected scores are exact.
    seed : int or None
        The seed of the samples; None if there are none.
    """

    position: Position
    hidden: int
    slides: list[NextSlide]
    exact: bool
    samples: int
    seed: int | None


def suggest(
    puzzle: AnyPuzzle,
    *,
    moves: str | Sequence[int] = "",
    hidden: int | None = None,
    samples: int = SAMPLES,
    width: int = WIDTH,
    dictionary: Words = "scowl-70",
    seed: int | None = None,
    backend: Backend | None = None,
) -> Suggestion:
    """Find the next slide with the best expected score if only the first letters of the queue are known.

    A hidden letter is any of the 98 tiles, as the site draws them, and it appears before the slide that needs it. With
    at most one hidden letter and four slides to come the expected scores are exact; otherwise they come from samples.
    For a puzzle of the site, ``daily`` finds the whole queue from the grid.

    Parameters
    ----------
    puzzle : Puzzle, str, path, date or sequence of str
        The rows of a 3x3 to 6x6 grid and then the known letters of the queue, such as ``tsea/enop/adis/ttre eat``;
        a file with such a text; or a day, such as ``2025-05-31``.
    moves : str or sequence of int, optional
        The slides made so far, such as ``d1 l3``. By default none.
    hidden : int, optional
        Number of letters that follow the known ones, up to 30. By default the queue has 15 letters with them, as on the
        site.
    samples : int, default 20
        Number of samples of the hidden letters, 2 to 100,000.
    width : int, default 300
        Number of boards that the beams keep after each slide, 1 to 10^6.
    dictionary : str, path, iterable of str
        Valid words: the name of a list, or a file with one word per line.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Suggestion

    Raises
    ------
    BadInput
        For a puzzle that cannot be read, for an illegal slide, for a queue of which no letter is known, and for numbers
        out of range.

    Examples
    --------
    ``gpusolve queuedle suggest 'tsea/enop/adis/ttre ea' --hidden 1``

    >>> found = suggest("tsea/enop/adis/ttre ea", hidden=1)
    >>> found.exact, found.slides[0].move, round(found.slides[0].expected, 2)
    (True, 'u1', 31.57)
    """
    puzzle = Puzzle.parse(puzzle, dictionary=dictionary)
    if hidden is None:
        hidden = max(0, rules.DAILY_QUEUE - len(puzzle.queue))
    hidden = check_integer("hidden", hidden, 0, rules.MOST_QUEUE - 1)
    if len(puzzle.queue) + hidden > rules.MOST_QUEUE:
        raise BadInput(f"hidden {hidden}: expected at most {rules.MOST_QUEUE - len(puzzle.queue)} after this queue")
    samples = check_integer("samples", samples, 2, MOST_SAMPLES)
    width = check_integer("width", width, 1, MOST_WIDTH)
    seed = random_seed() if seed is None else check_seed(seed)
    position = rules.replay(puzzle.start, Moves.parse(moves, size=puzzle.size))[-1]
    if not position.queue:
        raise BadInput("queue: no letter is known: expected at least the next one")
    words = load_words(dictionary)
    solver = Solver(puzzle, moves=position.moves, dictionary=words, backend=open_backend(backend))
    legal = rules.legal_moves(position)
    exact = hidden <= 1 and len(position.queue) + hidden <= 1 + MOST_EXACT
    if exact:
        ends = _LETTERS if hidden else [""]
        values = np.array([_worth(solver, puzzle.queue + end, legal, width) for end in ends])
        means = (_CHANCES if hidden else np.ones(1)) @ values
        errors = np.zeros(len(legal))
    else:
        chance = np.random.default_rng(seed)
        drawn = ["".join(chance.choice(_LETTERS, hidden, p=_CHANCES)) for _ in range(samples)]
        values = np.array([_worth(solver, puzzle.queue + end, legal, width) for end in drawn])
        means, errors = values.mean(axis=0), values.std(axis=0, ddof=1) / samples**0.5
    slides = [NextSlide("", float(rules.score(position.grid, solver.words)), 0.0)]
    for move, mean, error in zip(legal, means.tolist(), errors.tolist(), strict=True):
        slides.append(NextSlide(move_text(move), mean, error))
    slides.sort(key=lambda slide: -slide.expected)
    if exact:
        return Suggestion(position, hidden, slides, True, 0, None)
    return Suggestion(position, hidden, slides, False, samples, seed)


def _worth(known: Solver, queue: str, legal: Sequence[int], width: int) -> npt.NDArray[np.float64]:
    """Return the best score after each slide with this queue: of all ways to go on if few are left, else of a beam."""
    solver = Solver(
        replace(known.puzzle, queue=queue), moves=known.moves, dictionary=known.words, backend=known.backend
    )
    solver.scores = known.scores
    left = len(queue) - len(known.moves) - 1
    if left <= MOST_EXACT:
        xp = solver.backend.xp
        parents, moves = xp.zeros(len(legal), xp.int32), xp.asarray(np.array(legal, np.uint16))
        best, _ = solver.boards.finish(solver.boards.slide(solver.root, parents, moves), solver.scores, left)
        return np.asarray(solver.backend.to_host(best), np.float64)
    batch = batch_size(solver.boards, width=width, memory=MEMORY, tables=1)
    found = [
        solver.run_beam([solver.scores], prefix=[*known.moves, move], width=width, batch=batch).value for move in legal
    ]
    return np.array(found, np.float64)
