"""Wrong calls of Tetris' public functions and batch functions raise the error that the command would print.

Before the callers of the kernels checked their arguments, some of these calls crashed the interpreter.
"""

# mypy: ignore-errors
# Wrong types are given on purpose.

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from faults.calls import Call, check_refused
from gpusolve.backend import open_backend
from gpusolve.games.tetris import (
    TrainingSettings,
    ValueTrainingSettings,
    Variant,
    Weights,
    evaluate,
    kernels,
    load_value,
    load_weights,
    match,
    play,
    replay,
    review,
    save_weights,
    suggest,
    train,
    train_value,
)
from gpusolve.games.tetris.clock import tap_table
from gpusolve.games.tetris.players import kernels as game_kernels
from gpusolve.games.tetris.players.playing import choose
from gpusolve.games.tetris.players.policy import Policy
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.rules import board as rules

CPU = open_backend("cpu")
NAN, INF = float("nan"), float("inf")
EMPTY = np.zeros((22, 10), np.uint8)
COLUMNS = np.zeros((2, 10), np.uint32)
GOOD = load_weights("published").values
SHORT = Variant(max_lines=1)
TINY = TrainingSettings(particles=2, iterations=1, games=1, policy="greedy", finals=0)
NO_NUMBERS: list[Any] = [None, "5", 1.5, NAN, [1], True]
NO_WEIGHTS: list[Any] = [
    (1.0, 2.0, 3.0), np.ones((17, 17)), np.ones((1, 17)), [NAN] * 17, [INF] * 17, [10**400] * 17, [0] * 17, ["1"] * 17,
    [None] * 17, [True] * 17, 5, b"x", {}, "no-such-weights", "", "a" * 5000, "\x00",
]  # fmt: skip
NO_BOARDS: list[Any] = [
    np.zeros((3, 3)), np.zeros(220), np.zeros((1, 22, 10), int), np.full((22, 10), 2), np.full((22, 10), -1),
    np.zeros((22, 10)), np.full((22, 10), NAN), [[0] * 10] * 21, [[0] * 10, [0]], [], None, 5, "", "x", "#" * 10,
    "ten cells." * 3, np.ones((22, 10), int), np.full((22, 10), "#"),
]  # fmt: skip

tiny: Any = partial(replace, TINY)
suggest_: Any = partial(suggest, backend=CPU)
review_: Any = partial(review, backend=CPU)
evaluate_: Any = partial(evaluate, count=1, policy="greedy", variant=SHORT, backend=CPU)
play_: Any = partial(play, policy="greedy", variant=SHORT, backend=CPU)
train_: Any = partial(train, variant=SHORT, backend=CPU)
choose_: Any = partial(choose, load_weights("published"), policy=Policy("branching", (3,)), backend=CPU)
train_value_: Any = partial(train_value, variant=SHORT, backend=CPU)
CALLS: list[Call] = []


def wrong(call: Any, *arguments: Any, **others: Any) -> None:
    """Add a call to the table."""
    CALLS.append((call, arguments, others))


# Not a board, a piece, a level, weights, or a placement.
for value in NO_BOARDS:
    wrong(suggest_, value, "T")
    wrong(review_, [(value, "T", (1, 0))])
for value in [None, 5, b"x", {}, "", "no-such-file", "a" * 5000, "\x00", [], (), [5], [()], [(1,)], [(EMPTY,)], [None]]:
    wrong(review_, value)
for value in [*NO_NUMBERS, -1, 10**30]:
    wrong(review_, [(EMPTY, "T", (1, 0))], lines=value)
    wrong(review_, [(EMPTY, "T", (1, 0))], playouts=value)
    if value is not None:
        wrong(review_, [(EMPTY, "T", (1, 0))], player=value)
        wrong(review_, [(EMPTY, "T", (1, 0))], variant=value)
        wrong(review_, [(EMPTY, "T", (1, 0))], seed=value)
for value in [*NO_NUMBERS, -1, 7, 99, 2**63, 10**30, "", "IL", "Q", "\u017f", "\u0131", b"I"]:
    wrong(suggest_, EMPTY, value)
    if value is not None:
        wrong(suggest_, EMPTY, 0, value)
for value in [*NO_NUMBERS[1:], -1, 256, 2**31, 10**30]:
    wrong(suggest_, EMPTY, 0, level=value)
for value in [*NO_NUMBERS[1:], -1, 10_000, 10**30]:
    wrong(suggest_, EMPTY, 0, lines=value)
    wrong(Position, EMPTY, 0, lines=value)
wrong(suggest_, EMPTY, 0, 99)
wrong(suggest_, EMPTY, 0, level=19, lines=0)
for value in ["free", {}]:
    wrong(suggest_, EMPTY, 0, variant=value)
for value in [None, 5, "", "I", "..........", ".......... X", ".......... I I I", "########## I", "x" * 5000, b"x"]:
    wrong(Position.parse, value)
    if value is not None:
        wrong(play_, start=value)
wrong(play_, start=".......... I 1")
for value in ["", "FREE", "60hz", 0, ["free"]]:
    wrong(Variant, reach=value)
    wrong(Variant.load, reach=value)
    wrong(Variant, source=value)
wrong(Variant, None)
wrong(Variant, source=None)
for value in [0, 31, "30", 1.5, True, [12]]:
    wrong(Variant.load, hz=value)
for value in ["", "0,1", "x", 5, ["0"]]:
    wrong(Variant.load, taps=value)
wrong(Variant.load, hz=12, reach="das")
wrong(Variant.load, hz=12, taps="0,2")
for value in NO_WEIGHTS:
    wrong(suggest_, EMPTY, 0, player=value)
    wrong(evaluate_, value)
    wrong(evaluate_, compare=value)
    wrong(play_, value)
    wrong(load_weights, value)
for value in [
    (),
    (1,),
    (0, 0),
    (11, 0),
    (1, 2),
    (1, -1),
    (1, 0, 0),
    (1, 0, 23),
    (1, 0, 1, 1),
    "1;0",
    1,
    (1.0, 0),
    (NAN, 0),
]:
    wrong(suggest_, EMPTY, "I", mine=value)
for value in [(1.0,), None, 5, "x" * 17]:
    wrong(Weights, "name", "", value)
wrong(load_weights, None)
for value in NO_NUMBERS:
    wrong(Variant, start_level=value)
    wrong(Variant, max_lines=value)
for value in [-1, 30, 10**30]:
    wrong(Variant, start_level=value)
for value in [0, -1, 10_001, 2**31]:
    wrong(Variant, max_lines=value)

for value in [*NO_NUMBERS, -1, 2001, 10**30]:
    wrong(Variant, "30hz", delay_ms=value)
for value in [*NO_NUMBERS, -1, 10_001, 10**30]:
    wrong(suggest_, EMPTY, "I", playouts=value)
    wrong(play_, playouts=value)
for value in [None, 1, "yes"]:
    wrong(Variant, "30hz", double_killscreen=value)
for value in [
    "0hz",
    "31hz",
    "hz",
    "3 hz",
    "-3hz",
    "030hz",
    "1e1hz",
    "30HZ",
    "0,1",
    "2,0",
    "0,",
    ",0",
    "0,1000",
    "0 2",
    30,
    None,
]:
    wrong(Variant, value)
for value in [
    None,
    5,
    0.5,
    "",
    "x",
    "1.5",
    "-0.1",
    "0.1,",
    "0.1,0.2",
    "nan",
    [NAN],
    [-1],
    [2],
    [None],
    [[1]],
    [0.1] * 61,
]:
    wrong(Variant, "30hz", miss=value)
for reach in ("free", "das"):
    wrong(Variant, reach, miss=(0.1,))
wrong(Variant, delay_ms=300)
wrong(Variant, double_killscreen=True)

# Games that cannot be played, and settings that cannot be trained with.
for value in [*NO_NUMBERS, 0, -1, 5_000_001, 10**9, 2**63, 10**30]:
    wrong(evaluate_, count=value)
for value in [*NO_NUMBERS[1:], -(2**63) - 1, 2**64, 10**30]:
    wrong(evaluate_, seed=value)
    wrong(play_, seed=value)
    wrong(train_, TINY, seed=value)
for value in [None, "", "GREEDY", "luck", 0, "two_piece"]:
    wrong(evaluate_, policy=value)
    wrong(play_, policy=value)
    wrong(train_, tiny(policy=value))
    wrong(train_, tiny(fitness=value))
    wrong(train_, tiny(topology=value))
    wrong(game_kernels.play, CPU, GOOD, 1, seed=1, policy=value, variant=SHORT)
for value in [(), (0,), (-1,), (1.5,), (NAN,), (353,), (99, 99, 99), (1, 1, 1, 1, 1), "3,", "x", 3, ("3",), [None]]:
    wrong(evaluate_, policy="branching", breadths=value)
    wrong(play_, policy="branching", breadths=value)
wrong(evaluate_, breadths=(3,))
wrong(evaluate_, ties="presses")
for value in ["", "PRESSES", 0, ("number",)]:
    wrong(evaluate_, policy="branching", ties=value)
    wrong(play_, policy="branching", ties=value)
    wrong(kernels.order_table, value)
for value in ["", "no-such-file", "/", "\x00", "a" * 5000, "/dev/zero"]:
    wrong(match, value, backend=CPU)
wrong(evaluate_, confidence=0.9)
for value in ["0.9", 0, 1, -1, NAN, INF, 0.4]:
    wrong(evaluate_, compare="published", confidence=value)
for value in [*NO_NUMBERS, -1, 2**31, 10**30]:
    wrong(play_, game=value)
for value in [None, {}, "free", 19]:
    wrong(evaluate_, variant=value)
    if value is not None:
        wrong(play_, variant=value)
    wrong(train, TINY, variant=value, backend=CPU)
    wrong(train_, value)
    wrong(train_value, variant=value, backend=CPU)
    wrong(train_value_, value)
    wrong(game_kernels.play, CPU, GOOD, 1, seed=1, variant=value)
for name in ("particles", "iterations", "games", "renew", "finals"):
    for value in [*NO_NUMBERS, -1, 10**9, 2**63, 10**30]:
        wrong(train_, tiny(**{name: value}))
for name in ("inertia", "cognitive", "social"):
    for value in [None, "1", NAN, INF, -INF, 11, 1e300, True]:
        wrong(train_, tiny(**{name: value}))
for value in ["1", NAN, INF, -1, True]:
    wrong(train_, tiny(clamp=value))
    wrong(train_, tiny(spread=value, init=GOOD))
for name in ("iterations", "games"):
    for value in [*NO_NUMBERS, 0, -1, 10**9, 2**63, 10**30]:
        wrong(train_value_, ValueTrainingSettings(**{name: value}))
for name in ("opening", "settling", "trace", "rate", "last_rate"):
    for value in [None, "1", NAN, INF, -1, 2.5, True]:
        wrong(train_value_, ValueTrainingSettings(**{name: value}))
for value in NO_WEIGHTS:
    wrong(train_, tiny(init=value))
wrong(train_, tiny(spread=0.5))
wrong(train_, tiny(particles=10**7, games=10**7))
for value in ["", "no-such-file", "/", "\x00", "a" * 5000, "/dev/zero"]:
    wrong(replay, value)
    wrong(evaluate_, resume=value)
    wrong(train_, TINY, resume=value)
    wrong(train_value_, resume=value)
    wrong(load_value, value)
for value in ["", "/", "/no/such/folder/file", "\x00", "a" * 5000, "/dev/full"]:
    wrong(save_weights, value, load_weights("published"))
    wrong(train_, TINY, checkpoint=value)

# Arguments with which a kernel would read outside its tables.
for call in (kernels.placements, partial(kernels.best, CPU, GOOD)):
    batch = partial(call, CPU) if call is kernels.placements else call
    for value in [[0], [0, 0, 0], [0, 7], [-1, 0], [0, 2**40], [[0, 0]], 0, "IL", [0.0, 0.0], None, [None, None]]:
        wrong(batch, COLUMNS, value)
    for value in [-1, [0, 0, 0], [0, -1], 1.5, None, "9", [[1], [2]], 2**31, 10**30]:
        wrong(batch, COLUMNS, [0, 0], levels=value, reach="30hz")
    for value in [None, "60hz", 0]:
        wrong(batch, COLUMNS, [0, 0], levels=19, reach=value)
    for value in [0, -1, 353, 2**40, 1.0, None]:
        wrong(batch, COLUMNS, [0, 0], most=value)
    for value in [
        np.zeros((2, 9), np.uint32),
        np.zeros(10, np.uint32),
        np.full((2, 10), 1 << 22),
        np.zeros((2, 10)),
        None,
    ]:
        wrong(batch, value, [0, 0])
for value in [np.zeros((2, 9), np.uint32), np.full((2, 10), -1), np.zeros((2, 10)), None, []]:
    wrong(kernels.features, CPU, value)
for value in [5, -1, [0, 0, 0], 300, 1.5, None]:
    wrong(kernels.features, CPU, COLUMNS, value)
for value in [22, -1, [0, 0, 0], NAN]:
    wrong(kernels.features, CPU, COLUMNS, 0, value)
for value in [*NO_NUMBERS, 0, -1, 10**9, 2**63]:
    wrong(game_kernels.play, CPU, GOOD, value, seed=1)
    wrong(evaluate_, policy="branching", count=value)
for value in [*NO_NUMBERS, -1, 2**31 - 1, 2**63]:
    wrong(game_kernels.play, CPU, GOOD, 1, seed=1, first_game=value)
    wrong(game_kernels.trace, CPU, GOOD, seed=1, game=value)
for value in [
    (1.0,),
    np.ones((2, 16)),
    np.ones((1, 1, 17)),
    [NAN] * 17,
    [INF] * 17,
    [1e101] * 17,
    ["x"] * 17,
    None,
    [],
]:
    wrong(game_kernels.play, CPU, value, 1, seed=1)
    wrong(kernels.best, CPU, value, COLUMNS, [0, 0])
wrong(kernels.best, CPU, np.ones((2, 17)), COLUMNS, [0, 0])
for value in [EMPTY, np.zeros((1, 3, 3), int), np.full((1, 22, 10), 2), np.zeros((1, 22, 10)), None, [[[0], [0, 0]]]]:
    wrong(kernels.columns_of, value)
for value in [(0, 10**6), (0, -1), (7, 0), (-1, 0), (0.0, 0), (0, 32 * 17)]:
    wrong(kernels.state_of, *value)
wrong(tap_table, "60hz")
wrong(tap_table, "")
for value in [
    ([0], [0, 0], [19, 19]),
    ([0, 7], [0, 0], [19, 19]),
    ([0, 0], [0, 7], [19, 19]),
    ([0, 0], [0], [19, 19, 19]),
]:
    wrong(choose_, COLUMNS, value[0], following=value[1], levels=value[2])


def test_wrong_calls_say_what_is_wrong() -> None:
    check_refused(CALLS)


def test_unusual_but_right_arguments_are_accepted() -> None:
    """NumPy's numbers, booleans as cells, and lists are accepted."""
    board = np.zeros((22, 10), np.bool_)
    first = suggest_(board, np.int64(3), np.int32(0), variant=Variant("30hz"), level=np.int64(29))
    assert first == suggest_(board.astype(int).tolist(), "T", "I", variant=Variant("30hz"), level=29)
    wide = [evaluate_(policy="branching", breadths=breadths, seed=3).policy for breadths in ("8,4", [8, 4])]
    assert wide[0] == wide[1]
    assert evaluate_(np.array(GOOD), seed=np.int64(3).item()).scores[0] == evaluate_(list(GOOD), seed=3).scores[0]
    found = kernels.placements(CPU, COLUMNS.tolist(), (0, 3), levels=[18, 10**6], reach="30hz")  # type: ignore[arg-type]
    assert len(found.counts) == 2
    assert kernels.features(CPU, COLUMNS, [0, 4], np.array([21, 0])).shape == (2, 17)
    assert kernels.board_of(COLUMNS[0]).shape == (rules.ROWS, rules.COLUMNS)
