"""Advice in a game: the words that remain on each board, and the best next guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gpusolve.backend import Backend, open_backend
from gpusolve.checks import check_choice
from gpusolve.errors import BadInput, NoSolution
from gpusolve.games.quordle.lists import Lists, left_after
from gpusolve.games.quordle.ratings import Rating, rank_guesses
from gpusolve.games.quordle.rules import MODES, Mode, Turn, check_boards, check_max_guesses, open_boards, parse_turns
from gpusolve.games.quordle.sharing import shared_turns
from gpusolve.games.quordle.variant import Variant, check_variant
from gpusolve.games.wordle.rules import CHANCES, possible, solves
from gpusolve.games.wordle.weights.chances import likely, published
from gpusolve.reprs import columns_of
from gpusolve.result import FLAT, ROWS, Result, reported


@dataclass(frozen=True, repr=False)
class Suggestions(Result, schema="quordle.suggest/3"):
    """The words that remain on each board, and every guess, rated.

    Attributes
    ----------
    history : list of Turn
        The guesses so far.
    mode : {"classic", "sequence"}
        When boards open.
    remaining : list of list of str
        For each board the answers that fit its patterns, the likeliest first; empty if the board is solved.
    rows : list of Rating
        The guesses, best first; empty if every board is solved, or no guess is left.
    widened : list of int
        The boards, counted from 1, whose patterns fit none of the answers, so that all words that can be guessed count
        as possible.
    closed : list of int
        The boards, counted from 1, that are not open yet.
    unpublished : list of float or None
        For each board the chance that it hides a word that is not in the published list of answers; None where other
        lists are used.
    variant : Variant
        The words by which guesses are judged, and their weights if they have any.
    """

    history: list[Turn]
    mode: Mode
    remaining: list[list[str]]
    rows: list[Rating] = field(metadata=ROWS)
    widened: list[int]
    closed: list[int]
    unpublished: list[float] | None
    variant: Variant = field(repr=False, metadata=FLAT)

    @reported
    def solved(self) -> bool:
        """Whether every board is solved."""
        return not any(self.remaining)

    def columns(self) -> dict[str, list[Any]]:
        """Return the guesses as columns, for ``pandas.DataFrame`` and ``polars.DataFrame``.

        Returns
        -------
        dict of str to list
            ``guess``, ``mean``, ``chance``, ``cost``, ``solves`` and ``bits`` (see `Rating`), best first.
        """
        return columns_of(self.rows, "guess", "mean", "chance", "cost", "solves", "bits")


def suggest(
    history: Sequence[str | Turn] | str = (),
    *,
    boards: int | None = None,
    mode: Mode = "classic",
    max_guesses: int | None = None,
    variant: Variant | None = None,
    backend: Backend | None = None,
) -> Suggestions:
    """Show the words that remain and the best next guesses, judged over all boards.

    Parameters
    ----------
    history : str or sequence of str or Turn
        The guesses so far with the patterns of all boards, such as ``carle:-y---,----y``. Omit the pattern of a board
        that an earlier guess solved, or that is not open, but not its comma. Or the text that Quordle shares, pasted in
        quotes, and the guesses alone; the command asks for them if you leave them out. A game with guesses at the start
        (Rescue) has them in its history.
    boards : int, optional
        Number of boards, 1 to 32. By default the number in the history, or 4.
    mode : {"classic", "sequence"}
        When boards open. ``classic``: all at the start; ``sequence``: each when the boards before it are solved; then
        it shows all guesses. Guesses are judged over the open board.
    max_guesses : int, optional
        Number of guesses after which the game is lost, up to 64. By default the number of boards + 5, or + 6 in
        sequence.
    variant : Variant, optional
        The word lists and the scoring. By default every accepted word can be hidden, each with its chance.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Suggestions

    Raises
    ------
    BadInput
        For a history that cannot be read, and for patterns that contradict one another; the message names the board.
    NoSolution
        If no answer gives the patterns of a board.

    Examples
    --------
    ``gpusolve quordle suggest carle:-y---,----y,-----,y---- aunty:y----,--y--,-----,-g---``

    >>> advice = suggest(["carle:-y---,----y", "aunty:ggggg,-----"])
    >>> advice.remaining[1][:3], round(advice.unpublished[1], 2), advice.rows[0].guess
    (['speed', 'video', 'embed'], 0.26, 'shied')
    """
    check_choice("mode", mode, MODES)
    if boards is not None:
        check_boards(boards)
    words = check_variant(variant)
    if isinstance(history, str):
        history = [history] if "\n" in history else history.split()
    shared = shared_turns(history, words.digraphs, words.length)
    turns = parse_turns(shared or history, boards, mode, words.digraphs, words.length)
    number = len(turns[0].patterns) if turns else boards or 4
    variant = likely(check_variant(variant, number))
    guesses_left = check_max_guesses(max_guesses, number, mode) - len(turns)
    backend = open_backend(backend)
    histories = [
        [(turn.guess, code) for turn in turns if (code := turn.patterns[board]) is not None] for board in range(number)
    ]
    left = left_after(backend, variant, histories)
    for board, mask in enumerate(left.masks):
        if not mask.any() and not possible(histories[board], variant.scoring):
            raise BadInput(
                f"board {board + 1}: the patterns contradict one another: no {variant.length} letters give them"
            )
    for board, mask in enumerate(left.masks):
        if not mask.any():
            number = len(variant.guesses)
            raise NoSolution(
                f"board {board + 1}: none of the {number:,} words that can be guessed gives these patterns"
            )
    solved = [bool(history) and solves(*history[-1]) for history in histories]
    opened = open_boards(turns, number, mode)
    closed = list(range(opened + 1, number + 1))
    remaining = [[] if done else left.words(board) for board, done in enumerate(solved)]
    unpublished = None
    if variant.weight_list == CHANCES:
        unpublished = [0.0 if done else left.unlisted(board, published()) for board, done in enumerate(solved)]
    rows = []
    if guesses_left > 0 and not all(solved[:opened]):
        lists = Lists.prepare(backend, left)
        rows = rank_guesses(
            backend,
            [fit for fit, done in zip(lists.fitting[:opened], solved, strict=False) if not done],
            variant=lists.variant,
            tables=lists.tables,
            guesses_left=guesses_left - len(closed),
            is_first=not turns,
        )
    widened = [board + 1 for board in left.widened]
    return Suggestions(turns, mode, remaining, rows, widened, closed, unpublished, variant)
