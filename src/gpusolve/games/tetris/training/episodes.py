"""Games that a learned value plays to learn from, or episodes: their boards, and what was lost after each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpusolve.backend import Array
from gpusolve.games.tetris.kernels import Placements
from gpusolve.games.tetris.players.expectimax import Expectimax
from gpusolve.games.tetris.players.judge import greedy
from gpusolve.games.tetris.players.turns import Choose, Now, Round
from gpusolve.games.tetris.players.value_judge import ValueJudge
from gpusolve.games.tetris.players.weights import load_weights
from gpusolve.games.tetris.players.weights_judge import WeightsJudge

TRIED = (4,)
"""The number of placements of the first piece that a search two pieces deep tries."""
SLIPS, SLIP_RANKS = 0.02, 34
"""In the opening: the fraction of pieces placed at random, and the number of best placements to draw from."""


@dataclass(frozen=True)
class Episodes:
    """The boards of a round after which the game went on, game by game, each game in the order of time.

    Attributes
    ----------
    boards : ndarray of uint32, shape (n, 10)
        The boards as columns.
    lines : ndarray of int32, shape (n,)
        The lines cleared by then.
    costs : ndarray of int64, shape (n,)
        The points lost with the placement that followed.
    ends : ndarray of int64, shape (games,)
        Where the boards of each game end.
    """

    boards: npt.NDArray[np.uint32]
    lines: npt.NDArray[np.int32]
    costs: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]


def play_episodes(
    judge: ValueJudge, state: Round, choose: Choose, then: Choose | None = None
) -> tuple[Episodes, npt.NDArray[np.int32]]:
    """Play games to their ends; return the episodes and the results of the games.

    If `then` is given, pieces come in pairs: `choose` knows both and places the first, `then` places the second, and
    the episodes have only the boards after a pair. So what follows such a board is a pair of which nothing was known
    when the board was chosen, as it is with the boards at the end of a search two pieces deep.
    """
    backend, xp = judge.backend, judge.backend.xp
    players = (choose,) if then is None else (choose, then)
    games, boards, lines, paid = [], [], [], []
    lost = xp.zeros(len(state.results), np.int64)  # in each game since the last board of its episode
    turn = 0
    while len(state.going):
        now, going = state.now(), state.going
        placements, chosen = players[turn % len(players)](now)
        _, goes_on = state.turn(going, placements, chosen)
        turn += 1
        stuck = placements.counts == 0
        cleared = xp.where(stuck, 0, placements.cleared[xp.arange(len(stuck)), chosen])
        lost[going] += xp.where(stuck, judge.end(now.lines), judge.cost(now.lines, cleared))
        is_whole = turn % len(players) == 0
        closed = going if is_whole else going[~goes_on]
        paid.append((backend.to_host(closed), backend.to_host(lost[closed])))
        lost[closed] = 0
        state.going = going[goes_on]
        if is_whole:
            games.append(backend.to_host(state.going))
            boards.append(backend.to_host(state.boards[state.going]))
            lines.append(backend.to_host(state.results[state.going, 1]))
    game, payer, cost = (np.concatenate(parts) for parts in (games, *zip(*paid, strict=True)))
    order, closing = np.argsort(game, kind="stable"), np.argsort(payer, kind="stable")
    is_first = np.diff(payer[closing], prepend=-1) != 0  # what a game lost before its first board teaches nothing
    ends = np.bincount(game, minlength=len(state.results)).cumsum()
    episodes = Episodes(np.concatenate(boards)[order], np.concatenate(lines)[order], cost[closing][~is_first], ends)
    return episodes, backend.to_host(state.results)


def play_ahead(judge: ValueJudge, state: Round) -> tuple[Episodes, npt.NDArray[np.int32]]:
    """Play games by a search two pieces deep; return the episodes and the results (`play_episodes`).

    If the next piece is known at once, pieces come in pairs. With a reaction time, every piece is placed by plan and
    the episodes have all boards: most of the time, nothing was known of the next piece when they were chosen.
    """
    choose = Expectimax(judge, TRIED, state.variant).choose
    return play_episodes(judge, state, choose, None if state.variant.delay else greedy(judge))


def beginner(judge: ValueJudge, random: np.random.Generator) -> Choose:
    """Return a player for the opening: one piece at a time, by the published weights, with random slips.

    It loses about as many lines as a value does that begins to learn.
    """
    backend, xp = judge.backend, judge.backend.xp
    by_weights = WeightsJudge(backend, load_weights("published").values, judge.variant)

    def choose(now: Now) -> tuple[Placements, Array]:
        placements = by_weights.least(now.boards, now.pieces, levels=now.levels, lines=now.lines, most=SLIP_RANKS)
        n = len(now.pieces)
        slips = np.where(random.random(n) < SLIPS, random.integers(0, SLIP_RANKS, n), 0)
        return placements, xp.maximum(xp.minimum(backend.asarray(slips), placements.counts - 1), 0).astype(np.int32)

    return choose
