"""The features of boards, and weights in fixed point."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from games.tetris.oracle import EMPTY, PUBLISHED
from gpusolve.games.tetris.rules import features, policies, reachability
from gpusolve.games.tetris.rules.board import (
    Board,
    parse_board,
    place,
)


def parsed(text: str) -> Board:
    return parse_board("\n".join(line.strip() for line in text.strip().splitlines()))


def test_features_are_the_published_ones() -> None:
    after, cleared, lowest = place(EMPTY, 0, (0, 21, 0))
    assert features.features(after, cleared, lowest) == [0, -2, 0, 0, 0, 0, 0, 22, 0, 0, 2, 4, 1, 1, 4, 4, 1]
    ready = parsed("\n".join(["#########."] * 4))
    after, cleared, lowest = place(ready, 0, (1, 18, 9))
    assert (cleared, after.sum()) == (4, 0)
    assert features.features(after, cleared, lowest) == [0, -2, 0, 0, 0, 0, 0, 22] + [0] * 9


def test_fixed_point_weights_make_the_same_choices_as_floats() -> None:
    """On every board of a game, and after every placement on it."""
    fixed, shift = features.fixed_point(PUBLISHED)
    assert max(map(abs, fixed)) < 2**features.WEIGHT_BITS
    assert np.allclose(np.ldexp(fixed, -shift), PUBLISHED, rtol=0, atol=2.0 ** (-shift - 1))
    here, checked = EMPTY, 0
    for turn, following in pairwise(policies.play(fixed, seed=3, max_lines=12)):
        after, _, _ = place(here, turn.piece, turn.state)
        for base, piece in ((here, turn.piece), (after, following.piece)):
            states = reachability.placements(base, piece)
            exact, floats = [], []
            for state in states:
                changed, cleared, lowest = place(base, piece, state)
                values = features.features(changed, cleared, lowest)
                exact.append(sum(w * f for w, f in zip(fixed, values, strict=True)))
                floats.append(features.evaluate(PUBLISHED, values, 0))
            assert np.argsort(exact, kind="stable").tolist() == np.argsort(floats, kind="stable").tolist()
            checked += len(states)
        here = after
    assert checked > 1000
