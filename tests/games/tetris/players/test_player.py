"""The protocol of a player: whatever has its members plays, is measured and rates placements."""

from __future__ import annotations

from itertools import islice

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris import Player, Variant, evaluate, load_player, match, play, suggest
from gpusolve.games.tetris.clock import clock_of
from gpusolve.games.tetris.kernels import Placements, placements_on_device
from gpusolve.games.tetris.measuring.results import Results
from gpusolve.games.tetris.players.judge import Choices, Ratings
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.players.turns import Choose, Now
from gpusolve.games.tetris.rules import reachability, sources
from gpusolve.games.tetris.rules.board import COLUMNS, ROWS, place

CPU = open_backend("cpu:1")
SHORT = Variant("30hz", max_lines=3)


class Careless:
    """A player who takes the first placement of each piece, whatever the board."""

    name, digest, in_points = "careless", "0", False
    branching_breadths = (1,)

    def chooser(self, backend: Backend, policy: Policy, variant: Variant) -> Choose:
        clock = clock_of(backend, variant.reach)

        def choose(now: Now) -> tuple[Placements, np.ndarray]:
            placements = placements_on_device(backend, now.boards, now.pieces, levels=now.levels, clock=clock, most=1)
            return placements, backend.xp.zeros(len(now.boards), np.int32)

        return choose

    def games_at_once(self, backend: Backend, policy: Policy, variant: Variant) -> int:
        return 2

    def kernel_weights(self, policy: Policy, variant: Variant) -> None:
        return

    def rate(self, backend: Backend, choices: Choices, policy: Policy, variant: Variant) -> Ratings:
        none = np.zeros(len(choices.after), np.bool_)
        return Ratings(np.arange(len(none), dtype=np.float64), tetris_next=none, stuck=none)


def test_a_player_of_another_kind_can_play() -> None:
    player = Careless()
    assert isinstance(player, Player)
    assert load_player(player) is player
    recording = play(player, variant=SHORT, seed=4, playouts=2, backend=CPU)
    board = np.zeros((ROWS, COLUMNS), np.uint8)
    for turn, piece in zip(recording.turns, sources.pieces(4, 0), strict=False):
        assert turn.state == reachability.placements(board, piece, "30hz", 19)[0]
        board, _, _ = place(board, piece, turn.state)
    assert 0 < len(recording.turns) == len(recording.prospects) < 60
    evaluation = evaluate(player, compare="30hz", count=3, variant=SHORT, seed=4, backend=CPU)
    assert evaluation.games.pieces[0, 0] == len(recording.turns)
    assert evaluation.comparison is not None
    assert evaluation.comparison.difference.mean > 0
    lists = [list(islice(sources.pieces(4, game), 100)) for game in range(3)]
    theirs = Results(lists, np.zeros(3, np.int64), np.zeros(3, np.int64), 0)
    matched = match(theirs, player=player, variant=SHORT, backend=CPU)
    assert matched.ours.scores.tolist() == evaluation.games.scores.tolist()


def test_a_player_of_another_kind_can_rate_placements() -> None:
    ranked = suggest("#........./##......##", "T", player=Careless(), playouts=0, backend=CPU)
    assert [suggestion.value for suggestion in ranked] == list(range(len(ranked)))
    assert [suggestion.state for suggestion in ranked] == sorted(
        (suggestion.state for suggestion in ranked), key=lambda state: (state[0], state[2], state[1])
    )
