"""The command ``check``: a game replayed and scored."""

from __future__ import annotations

from collections.abc import Sequence

from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.puzzles import ScoredGame, scored
from gpusolve.games.queuedle.rules import Puzzle
from gpusolve.wordlists import Words, load_words


def check(moves: str | Sequence[int], puzzle: Puzzle, *, dictionary: Words = "scowl-70") -> ScoredGame:
    """Replay slides on a puzzle and score the board after each of them.

    Parameters
    ----------
    moves : str or sequence of int
        The slides, in notation (``"d1 l3"``) or as numbers (see `parse_moves`).
    puzzle : Puzzle
        The grid and the queue.
    dictionary : Words, default "scowl-70"
        The words that count: a shipped list, a file or the words themselves.

    Returns
    -------
    ScoredGame
        A list of the position before the first slide and after each slide, with their words.

    Raises
    ------
    BadInput
        With the number of the slide, if one is illegal; also if no word of the dictionary fits on the grid.

    Examples
    --------
    >>> check("u1 l1 d3", rules.parse_puzzle("tsea/enop/adis/ttre", "eat"))[-1].score
    39
    """
    rules.check_puzzle(puzzle)
    if isinstance(moves, str):
        moves = rules.parse_moves(moves, size=puzzle.size) if moves.strip() else []
    return scored(puzzle, moves, rules.usable(load_words(dictionary), puzzle.size))
