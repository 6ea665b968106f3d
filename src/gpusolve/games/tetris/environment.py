"""An environment for Gymnasium: NES Tetris, many games side by side, one placement of a piece at each step.

Importing this module registers ``gpusolve/NESTetris-v0``::

    import gymnasium
    import gpusolve.games.tetris.environment

    games = gymnasium.make_vec("gpusolve/NESTetris-v0", num_envs=4096)
    observations, infos = games.reset(seed=1)
    actions = games.action_space.sample()
    observations, rewards, terminations, truncations, infos = games.step(actions)

The games are played by the kernels that the players of this package use, on the CPU or on a GPU. An action is a
placement of the piece: ``(orientation * 22 + row) * 10 + column`` of the box around its cells, so a network can give it
as four planes of the board's shape. ``infos["action_mask"]`` says which placements the piece can reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from gpusolve import checks
from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.tetris.clock import LEVELS, clock_of
from gpusolve.games.tetris.kernels import (
    NUMBERS,
    PLACEMENTS,
    Placements,
    columns_of,
    placements_on_device,
    state_of,
)
from gpusolve.games.tetris.players.kernels import GameArrays, deal, turn
from gpusolve.games.tetris.players.planning import Planner
from gpusolve.games.tetris.players.turns import Now
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.rules.board import (
    COLUMNS,
    PIECES,
    ROWS,
    board_text,
    cells_of,
    orientations,
    spawn_state,
)
from gpusolve.games.tetris.rules.sources import NES_ORDER, SOURCES
from gpusolve.games.tetris.variant import Variant
from gpusolve.runs.seeds import check_seed

ID = "gpusolve/NESTetris-v0"
ORIENTATIONS = 4
ACTIONS = ORIENTATIONS * ROWS * COLUMNS
MOST_GAMES = 1_000_000
"""The greatest number of games side by side."""
USUAL = 80
"""Placements for which there is room at first: more of them are rare, and room for all costs time."""
RENDER_MODES = ("ansi", "rgb_array")
PALETTE = np.array(
    [
        *(
            (79, 209, 224),
            (240, 160, 64),
            (80, 120, 240),
            (176, 96, 224),
            (232, 80, 80),
            (80, 200, 104),
            (232, 208, 80),
        ),
        *((154, 160, 172), (20, 22, 26), (50, 54, 62)),
    ],
    np.uint8,
)
"""The colours of the pieces, of filled and empty cells, and of the frame, in pictures."""
FILLED, EMPTY, FRAME = range(len(PIECES), len(PIECES) + 3)
PIXELS, SEEN = 16, 20
"""The width of a cell in pictures, and the rows that a player sees."""
HIGHEST_LEVEL = 1100
"""Above the level after the greatest number of lines."""

Observation = dict[str, npt.NDArray[Any]]


def action_of(orientation: int, row: int, column: int) -> int:
    """Return the action that puts the box around a piece's cells at a row and a column, counted from 0, top left.

    >>> action_of(0, 21, 0), action_of(1, 18, 9)
    (210, 409)
    """
    return (orientation * ROWS + row) * COLUMNS + column


def action_table() -> npt.NDArray[np.int16]:
    """Return the action of each placement, int16 (7, NUMBERS): -1 for numbers that no placement of a piece has."""
    table = np.full((len(PIECES), NUMBERS), -1, np.int16)
    for piece in range(len(PIECES)):
        for orientation, (cells, _, _) in enumerate(orientations(piece)):
            templates = COLUMNS - max(column for _, column in cells)
            before = int((table[piece] >= 0).sum()) // 32
            for placement in range(32 * before, 32 * (before + templates)):
                _, row, column = state_of(piece, placement)
                table[piece, placement] = action_of(orientation, min(row, ROWS - 1), column)
    return table


def some_of(placements: Placements, games: Any) -> Placements:
    """Return the placements of some boards."""
    arrays = (placements.counts, placements.placements, placements.cleared, placements.after)
    return Placements(*(array[games] for array in arrays))


def picture(board: npt.NDArray[np.uint8], piece: int, following: int) -> npt.NDArray[np.uint8]:
    """Return a board with the piece where it spawns, and the next piece beside it if it is known, uint8 (352, 272, 3).

    >>> picture(np.zeros((22, 10), np.uint8), 0, 7).shape
    (352, 272, 3)
    """
    cells = np.full((SEEN + 2, COLUMNS + 7), FRAME, np.int64)
    shown = cells[1:-1, 1 : COLUMNS + 1]
    shown[:] = np.where(board[ROWS - SEEN :], FILLED, EMPTY)
    for row, column in cells_of(piece, spawn_state(piece)):
        shown[row - (ROWS - SEEN), column] = piece
    if following < len(PIECES):
        for row, column in orientations(following)[0][0]:
            cells[9 + row, COLUMNS + 2 + column] = following
    drawn = PALETTE[cells].repeat(PIXELS, axis=0).repeat(PIXELS, axis=1)
    edges = np.arange(drawn.shape[0]) % PIXELS == 0, np.arange(drawn.shape[1]) % PIXELS == 0
    drawn[edges[0]] //= 2
    drawn[:, edges[1]] //= 2
    return drawn


class NESTetrisVector(VectorEnv[Observation, npt.NDArray[np.integer[Any]], npt.NDArray[Any]]):
    """Games of NES Tetris side by side; a step places a piece in each.

    An observation has the ``board`` (22 rows of 10 cells, row 0 on top, 1 where a cell is filled), the ``piece`` to
    place and the ``following`` one (0 to 6 for I L J T Z S O), the ``lines`` cleared and the ``level``. A reward is the
    points of a placement.

    With a reaction time, each piece takes two steps. In the first one ``following`` is 7, not known, and the action is
    the placement that the player aims at, which brings no reward. Then the next piece is known, and the mask has the
    placements to which the player can still change. Of the plans on the way to the aim, the player follows the one that
    leaves most placements.

     A game terminates with its last line, where a piece cannot spawn, and by an action that is
    not legal, which places nothing. The next step starts another game in its place, with the reward 0 and whatever the
    action (`AutoresetMode.NEXT_STEP`). ``infos`` has ``action_mask``, int8 (num_envs, 880), 1 for each legal action.

    Parameters
    ----------
    num_envs : int, default 1
        The number of games, 1 to 1,000,000; each takes 20 kB.
    device : str, default "cpu"
        ``cpu``, ``cpu:4`` for four threads, ``cuda`` or ``auto``.
    render_mode : str, optional
        ``ansi``: `render` returns the boards as text; ``rgb_array``: as pictures, uint8 (352, 272, 3).
    **rules
        The rules, as for `Variant.load`.

    Raises
    ------
    BadInput
        For a value that is not in its range.
    """

    metadata = {"render_modes": [*RENDER_MODES], "autoreset_mode": AutoresetMode.NEXT_STEP, "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        *,
        device: str = "cpu",
        render_mode: str | None = None,
        **rules: Any,
    ) -> None:
        num_envs = checks.check_integer("num_envs", num_envs, 1, MOST_GAMES)
        if render_mode is not None:
            checks.check_choice("render_mode", render_mode, RENDER_MODES)
        self.variant = variant = Variant.load(**rules)
        if variant.miss:
            raise BadInput("miss: expected none in an environment, whose actions are placements")
        self.backend = open_backend(device)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.single_observation_space = spaces.Dict(
            {
                "board": spaces.Box(0, 1, (ROWS, COLUMNS), np.uint8),
                "piece": spaces.Discrete(len(PIECES)),
                "following": spaces.Discrete(len(PIECES) + (variant.delay > 0)),
                "lines": spaces.Box(0, variant.max_lines + 3, (1,), np.int32),
                "level": spaces.Box(0, HIGHEST_LEVEL, (1,), np.int32),
            }
        )
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._planner = Planner(self.backend, variant) if variant.delay else None
        self._clock = clock_of(self.backend, variant.reach, variant.double_killscreen, variant.delay)
        self._actions = self.backend.asarray(action_table())
        levels = [variant.level_at(lines) for lines in range(variant.max_lines + 4)]
        self._levels = self.backend.asarray(np.array(levels, np.int32))
        self._all = self.backend.xp.arange(num_envs, dtype=np.int32)
        self._rows = self.backend.asarray(np.arange(ROWS, dtype=np.uint32)[None, :, None])
        self._first = 0  # the number of the next game to deal
        self._seed: int | None = None
        self._own: dict[int, tuple[int, int]] = {}  # games with a seed of their own: the seed and the next number
        self._start: Position | None = None
        self._state: GameArrays | None = None
        self._placements: Placements | None = None

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start all games, or some of them.

        Parameters
        ----------
        seed : int or sequence of int or None, optional
            The seed of the pieces: the games are the games 0, 1, 2, ... of this seed, as `play` numbers them. Without
            one they are the next games of the last seed, or the first of a random one. With a sequence, each game is
            game 0 of its own seed, a random one for None, and those that follow it in its place are 1, 2, ...
        options : dict, optional
            ``position``: a `Position`, or text that `Position.parse` reads, where these games and all that follow until
            the next reset start instead of the empty board. Its next piece has to be known, and a `Position` has to
            have the rules of the environment. ``reset_mask``: an array of
            bool, shape (num_envs,), with at least one True: only these games are started.

        Returns
        -------
        tuple
            The observations and the infos.

        Raises
        ------
        BadInput
            If the seed or an option is wrong.
        """
        seeds = self._checked_seeds(seed)
        which = self._checked_mask((options or {}).get("reset_mask"))
        start = self._checked((options or {}).get("position"))
        single = None if seed is None or seeds else check_seed(seed)
        super().reset(seed=single)
        if seeds:
            for game in which.tolist():
                own = seeds[game]
                self._own[game] = (int(self.np_random.integers(2**62)) if own is None else int(own)), 0
        elif single is not None:
            self._seed, self._first = single, 0
            for game in which.tolist():
                self._own.pop(game, None)
        if self._seed is None:
            self._seed = int(self.np_random.integers(2**62))
        self._start = start
        if self._state is None or len(which) == self.num_envs:
            self._state = self._empty_games()
            self._over = self.backend.xp.zeros(self.num_envs, np.bool_)
            self._planned = self.backend.xp.zeros(self.num_envs, np.bool_)
            self._left = self.backend.xp.ones((self.num_envs, ACTIONS if self._planner else 1), np.bool_)
        which = self.backend.asarray(which.astype(np.int32))
        self._over[which] = False
        self._begin(which)
        return self._observe()

    def step(
        self, actions: npt.NDArray[np.integer[Any]]
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Place a piece in each game.

        Parameters
        ----------
        actions : ndarray of integers, shape (num_envs,)
            The placements.

        Returns
        -------
        tuple
            The observations, the rewards (float64), the terminations, the truncations (none) and the infos.

        Raises
        ------
        ResetNeeded
            If the games have not been started.
        BadInput
            If the actions are not one whole number for each game.
        """
        if self._state is None or self._placements is None:
            raise gymnasium.error.ResetNeeded("step: expected after reset")
        xp, state, over = self.backend.xp, self._state, self._over
        asked = self.backend.asarray(self._checked_actions(actions))
        inside = (asked >= 0) & (asked < ACTIONS)
        rank = self._ranks[self._all, xp.where(inside, asked, 0)].astype(np.int32)
        legal = inside & (rank >= 0) & ~over
        before = state.results[:, 0].copy()
        aims = legal & ~self._planned if self._planner else xp.zeros(self.num_envs, np.bool_)
        chosen = xp.where(legal, rank, 0).astype(np.int32)
        counts = xp.where(legal, self._placements.counts, 0).astype(np.int32)
        made, placing = replace(self._placements, counts=counts), self._all
        if self._planner:
            placing = xp.nonzero(~aims)[0].astype(np.int32)
            made = some_of(made, placing)
        source = SOURCES.index(self.variant.source)
        goes_on = aims.copy()
        if len(placing):
            _, goes_on[placing] = turn(
                self.backend,
                state,
                placing,
                placements=made,
                chosen=chosen[placing],
                source=source,
                variant=self.variant,
            )
        rewards = (state.results[:, 0] - before).astype(np.float64)
        self._planned[placing], self._left[placing] = False, True
        self._plan(xp.nonzero(aims)[0], chosen)
        self._begin(xp.nonzero(over)[0])
        observations, infos = self._observe()
        self._over = ~over & (~goes_on | (self._placements.counts == 0))
        ended = self.backend.to_host(self._over)
        return observations, self.backend.to_host(rewards), ended, np.zeros(self.num_envs, np.bool_), infos

    def _plan(self, games: Any, chosen: Any) -> None:
        """Let some games follow the plan that leaves their chosen placement and the most others, the first of these."""
        state, placements, xp = self._state, self._placements, self.backend.xp
        if self._planner is None or state is None or placements is None or not len(games):
            return
        boards, pieces, levels = (array[games] for array in (state.boards, state.pieces, state.levels))
        some = some_of(placements, games)
        now = Now(boards, pieces, state.following[games], levels, state.results[games, 1])
        left, order = self._planner.plans(now, some), xp.arange(len(games))
        leads = left[order, :, chosen[games]]
        best = left[order, xp.where(leads, left.sum(axis=2), -1).argmax(axis=1)]
        game, rank = xp.nonzero(best)
        self._planned[games], self._left[games] = True, False
        self._left[games[game], self._actions[pieces[game], some.placements[game, rank]]] = True

    def render(self) -> Any:
        """Return a text for each game with the render mode ``ansi``, and a picture with ``rgb_array``."""
        if self.render_mode is None or self._state is None:
            return None
        if self.render_mode == "rgb_array":
            return self._pictures()
        boards = self._boards()
        pieces, following = (self.backend.to_host(each).tolist() for each in (self._state.pieces, self._following()))
        return tuple(
            f"{board_text(board)}\n{PIECES[piece]}, next {(PIECES + '?')[then]}"
            for board, piece, then in zip(boards, pieces, following, strict=True)
        )

    def _pictures(self) -> tuple[npt.NDArray[np.uint8], ...]:
        """Return a picture of each game: the rows that a player sees, the piece where it spawns, and the next one."""
        assert self._state is not None
        pieces, following = (self.backend.to_host(each).tolist() for each in (self._state.pieces, self._following()))
        return tuple(picture(*game) for game in zip(self._boards(), pieces, following, strict=True))

    def _following(self) -> Any:
        """Return the next piece of each game, len(PIECES) where the player does not know it yet."""
        assert self._state is not None
        following = self._state.following
        return self.backend.xp.where(self._planned, following, len(PIECES)) if self._planner else following

    def _checked(self, position: Position | str | None) -> Position | None:
        """Return the position where games start. Raise BadInput unless they can go on from it."""
        if isinstance(position, str):
            position = Position.parse(position, self.variant)
        if position is not None:
            checks.check_type("position", position, Position)
            if position.following is None:
                raise BadInput("position: expected the next piece")
            if position.variant != self.variant:
                rules = f"expected by the rules of the environment, {self.variant.summary}"
                raise BadInput(f"position by the rules {position.variant.summary}: {rules}")
        return position

    def _checked_seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """Return the seed of each game; empty if all have the same. Raise BadInput for a wrong one."""
        if seed is None:
            return []
        if not np.ndim(cast(Any, seed)):
            check_seed(seed)
            return []
        seeds = list(cast(Sequence[int | None], seed))
        if len(seeds) != self.num_envs:
            raise BadInput(f"seed: expected one number, or {self.num_envs:,} of them, not {len(seeds):,}")
        for each in seeds:
            if each is not None:
                check_seed(each)
        return seeds

    def _checked_mask(self, mask: Any) -> npt.NDArray[np.intp]:
        """Return the numbers of the games to start, all without a mask. Raise BadInput for a wrong one."""
        if mask is None:
            return np.arange(self.num_envs)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise BadInput(f"reset_mask: expected an array of bool with the shape ({self.num_envs},)")
        if not mask.any():
            raise BadInput("reset_mask: expected at least one True")
        if self._state is None and not mask.all():
            raise BadInput("reset_mask: expected all games at the first reset")
        return np.flatnonzero(mask)

    def _checked_actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Return the actions as integers. Raise BadInput unless they are one whole number for each game."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.size != self.num_envs:
            about = f"{given.dtype} with the shape {given.shape}"
            raise BadInput(f"actions: expected {self.num_envs:,} whole numbers, not {about}")
        return given.astype(np.int64).reshape(self.num_envs)

    def _empty_games(self) -> GameArrays:
        """Return arrays of games that have not begun."""
        xp, n = self.backend.xp, self.num_envs
        pieces, following, levels = (xp.zeros(n, np.int32) for _ in range(3))
        boards, dice = xp.zeros((n, COLUMNS), np.uint32), xp.zeros((n, 4), np.uint64)
        return GameArrays(boards, pieces, following, levels, dice, xp.zeros((n, 4), np.int32))

    def _deal(self, which: Any, source: int) -> list[Any]:
        """Return the dice and the first two pieces of the next games in the places of some."""
        assert self._seed is not None
        if not self._own:
            games = range(self._first, self._first + len(which))
            self._first = games.stop
            return list(deal(self.backend, games, seed=self._seed, source=source))
        dealt = []
        for game in self.backend.to_host(which).tolist():
            seed, number = self._own.get(game, (self._seed, self._first))
            if game in self._own:
                self._own[game] = seed, number + 1
            else:
                self._first += 1
            dealt.append(deal(self.backend, range(number, number + 1), seed=seed, source=source))
        return [self.backend.xp.concatenate(parts) for parts in zip(*dealt, strict=True)]

    def _begin(self, which: Any) -> None:
        """Start the next games of the seed in the places of some."""
        state, start, source = self._state, self._start, SOURCES.index(self.variant.source)
        if state is None or not len(which):
            return
        dice, pieces, following = self._deal(which, source)
        lines, level = 0, self.variant.level_at(0)
        state.boards[which], state.results[which] = 0, 0
        if start is not None and start.following is not None:
            pieces[:], following[:], lines, level = start.piece, start.following, start.lines, start.level
            dice[:, 3] = NES_ORDER.index(start.following) if source else start.following  # the next one comes after it
            state.boards[which] = self.backend.asarray(columns_of(start.board[None]))
            state.results[which, 1] = lines
        self._planned[which], self._left[which] = False, True
        state.dice[which], state.pieces[which], state.following[which] = dice, pieces, following
        state.levels[which] = min(level, LEVELS - 1)

    def _find(self, state: GameArrays, most: int) -> tuple[Placements, int]:
        """Find up to `most` placements in each game; return them and the greatest number that a game has."""
        found = placements_on_device(
            self.backend, state.boards, state.pieces, levels=state.levels, clock=self._clock, most=most
        )
        return found, int(found.counts.max())

    def _boards(self) -> npt.NDArray[np.uint8]:
        assert self._state is not None
        cells = (self._state.boards[:, None, :] >> self._rows) & np.uint32(1)
        return self.backend.to_host(cells.astype(np.uint8))

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        """Find the placements of every game; return the observations and the infos."""
        xp, state, to_host = self.backend.xp, self._state, self.backend.to_host
        assert state is not None
        found, most = self._find(state, USUAL)
        if most > USUAL:
            found, most = self._find(state, PLACEMENTS)
        self._placements = found
        game, rank = xp.nonzero(xp.arange(most) < found.counts[:, None])
        actions = self._actions[state.pieces[game], found.placements[game, rank]]
        self._ranks = xp.full((self.num_envs, ACTIONS), -1, np.int16)
        self._ranks[game, actions] = rank
        if self._planner:
            self._ranks[~self._left] = -1
        lines = state.results[:, 1]
        observations: Observation = {
            "board": self._boards(),
            "piece": to_host(state.pieces).astype(np.int64),
            "following": to_host(self._following()).astype(np.int64),
            "lines": to_host(lines).astype(np.int32)[:, None],
            "level": to_host(self._levels[lines])[:, None],
        }
        return observations, {"action_mask": to_host((self._ranks >= 0).astype(np.int8))}


class NESTetris(gymnasium.Env[dict[str, Any], int]):
    """One game of `NESTetrisVector`, with its parameters except ``num_envs``.

    ``info["action_mask"]`` has the shape (880,), as ``action_space.sample`` takes it.
    """

    metadata = {"render_modes": [*RENDER_MODES], "render_fps": 4}  # noqa: RUF012

    def __init__(self, **rules: Any) -> None:
        self.games = NESTetrisVector(1, **rules)
        self.render_mode = self.games.render_mode
        self.observation_space = self.games.single_observation_space
        self.action_space = self.games.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a game; see `NESTetrisVector.reset`."""
        super().reset(seed=seed)
        return self._only(*self.games.reset(seed=seed, options=options))

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Place a piece; see `NESTetrisVector.step`."""
        observations, rewards, ended, _, infos = self.games.step(np.array([action]))
        observation, info = self._only(observations, infos)
        return observation, float(rewards[0]), bool(ended[0]), False, info

    def render(self) -> Any:
        """Return the board as text with the render mode ``ansi``, as a picture with ``rgb_array``."""
        shown = self.games.render()
        return None if shown is None else shown[0]

    @staticmethod
    def _only(observations: Observation, infos: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the observation and the info of the only game."""
        return {name: value[0] for name, value in observations.items()}, {"action_mask": infos["action_mask"][0]}


def register() -> None:
    """Register the environment with Gymnasium; importing this module does so."""
    if ID not in gymnasium.registry:
        here = __name__
        gymnasium.register(ID, entry_point=f"{here}:NESTetris", vector_entry_point=f"{here}:NESTetrisVector")


register()
