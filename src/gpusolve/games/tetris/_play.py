"""The command `play`: one whole game, with every turn kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from gpusolve import checks
from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris.kernels import Ties, columns_of, state_of
from gpusolve.games.tetris.measuring.advice import Adviser
from gpusolve.games.tetris.measuring.prospects import MOST_PLAYOUTS, Prospect
from gpusolve.games.tetris.players.kernels import MOST_GAME
from gpusolve.games.tetris.players.player import PlayerLike, policy_of
from gpusolve.games.tetris.players.playing import play_lists, trace
from gpusolve.games.tetris.players.policy import PolicyName
from gpusolve.games.tetris.players.shipped import player_of
from gpusolve.games.tetris.players.turns import Start
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.recording import Recording, drawn_pieces, turns_of
from gpusolve.games.tetris.rules.board import COLUMNS, ROWS
from gpusolve.games.tetris.variant import Variant, check_variant
from gpusolve.result import reported
from gpusolve.runs.seeds import check_seed, random_seed


@dataclass(frozen=True, repr=False)
class Game(Recording, schema="tetris.play/2"):
    """A game that was played."""

    prospects: tuple[Prospect, ...] = field(default=(), repr=False)

    @reported
    def playouts(self) -> int:
        """Number of playouts after each turn."""
        return self.prospects[0].playouts if self.prospects else 0


def play(
    player: PlayerLike | None = None,
    *,
    policy: PolicyName = "two-piece",
    breadths: str | Sequence[int] | None = None,
    ties: Ties | None = None,
    game: int = 0,
    variant: Variant | None = None,
    start: str | Position | None = None,
    playouts: int = 0,
    seed: int | None = None,
    backend: Backend | None = None,
) -> Game:
    """Watch a game in the terminal or in a browser.

    If the output is not a terminal, only the end is printed.

    Parameters
    ----------
    player : str, Path, Player or sequence of float, optional
        Player: a shipped name, or a file of weights or of a learned value. In Python also 17 weights. By default the
        best player that comes with gpusolve for these rules.
    policy : {"two-piece", "greedy", "branching", "playouts"}
        ``greedy`` looks at one piece, ``two-piece`` also at the next piece, ``branching`` also at all pieces that can
        follow (expectimax), ``playouts`` at random sequences of the pieces that follow.
    breadths : str or sequence of int, optional
        With ``branching``: numbers of best placements to consider for the first, second and third piece; with a learned
        value up to four numbers, from the second on only where the choice is still open. With ``playouts``: numbers of
        placements to try, of sequences of pieces, and of pieces in each sequence. By default 3,5,5, learned 8,4, and
        playouts 4,16,4.
    ties : {"number", "presses"}, optional
        With ``branching`` by weights: choice between placements of equal expectation. ``number``, the default: the one
        with the better value by itself, then the one with the lower number; ``presses``: the one that presses reach
        first on an empty board, as in the program behind the published results.
    game : int, default 0
        Number of the game among those of the seed, from 0.
    variant : Variant, optional
        The rules of the game.
    start : str or Position, optional
        Play on from a position: a board as in `suggest`, the piece, the next piece and the lines cleared, as in
        ``####...###/#########. I T 120``. The next piece and the lines may be left out; the seed gives the other
        pieces. Or an address with a position, of our board or of StackRabbit. In Python a `Position` has its own rules.
        By default the game starts with the empty board.
    playouts : int, default 0
        Number of 20-piece playouts after each turn, to estimate the chance of a tetris and of topping out.
    seed : int, optional
        Seed of all random choices, 0 to 2^64 - 1. By default a random one, which the result has.
    backend : Backend, optional
        The device. By default the one that ``GPUSOLVE_DEVICE`` names, or else ``auto``.

    Returns
    -------
    Game

    Raises
    ------
    BadInput
        For a value that is not in its range, or a player that cannot be loaded.

    Examples
    --------
    ``gpusolve tetris play --seed 5 --policy greedy --max-lines 20 --out game.json``

    >>> play("published", policy="greedy", variant=Variant(max_lines=4), seed=5).summary
    'score 24,800, 5 lines, 1 tetris (80 %), 28 pieces'
    """
    game = checks.check_integer("game", game, 0, MOST_GAME - 1)
    playouts = checks.check_integer("playouts", playouts, 0, MOST_PLAYOUTS)
    if start is not None:
        checks.check_type("start", start, (str, Position))
        start = Position.of(start, variant=variant)
        variant = start.variant
    variant = Variant() if variant is None else variant
    check_variant(variant)
    chosen = player_of(player, variant)
    plan = policy_of(chosen, policy, breadths=breadths, ties=ties, variant=variant)
    seed = random_seed() if seed is None else check_seed(seed)
    backend = open_backend(backend)
    if start is None:
        placements = trace(backend, chosen, seed=seed, game=game, policy=plan, variant=variant)
    else:
        most = ((variant.max_lines + 3 - start.lines) * COLUMNS + ROWS * COLUMNS) // 4 + 1  # four cells a piece
        lists = [[*islice(drawn_pieces(seed, game, variant, start), most)]]
        _, [placements] = play_lists(backend, chosen, lists, policy=plan, variant=variant, start=Start.at(start))
    drawn = drawn_pieces(seed, game, variant, start)
    states = [(piece, state_of(piece, placement)) for placement, piece in zip(placements, drawn, strict=False)]
    recording = Game(chosen.name, policy, seed, game, variant, turns=turns_of(states, variant, start), start=start)
    if not playouts or not recording.turns:
        return recording
    following = islice(recording.drawn, 1, len(recording.turns) + 1)
    estimates = Adviser(chosen, plan, variant, backend).prospects(
        columns_of(np.stack([board for board, _ in recording.boards])),
        lines=[turn.lines for turn in recording.turns],
        pieces=[[turn.piece, then] for turn, then in zip(recording.turns, following, strict=True)],
        playouts=playouts,
        seed=seed,
    )
    return replace(recording, prospects=tuple(estimates))
