"""Play by a learned value, on every device: its losses and its search against plain versions of both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from games.tetris.oracle import slow_least, some_boards, some_value
from gpusolve.backend import Backend, open_backend
from gpusolve.games.tetris import LearnedValue, kernels
from gpusolve.games.tetris.clock import LEVELS
from gpusolve.games.tetris.players import value_judge
from gpusolve.games.tetris.players.expectimax import Expectimax
from gpusolve.games.tetris.players.playing import choose
from gpusolve.games.tetris.players.policy import LONGEST_IN_POINTS, Policy
from gpusolve.games.tetris.players.turns import Now
from gpusolve.games.tetris.rules import reachability, sources
from gpusolve.games.tetris.rules.board import PIECES, Board, State, level_at, parse_board
from gpusolve.games.tetris.rules.losses import READY, stakes
from gpusolve.games.tetris.variant import Variant
from recorded import recorded

NONE = 2**40, 2**40, 2**40
"""Parts of the risk that add nothing to a margin."""


@pytest.mark.parametrize(
    ("reach", "phases", "max_lines"), [("free", 1, 230), ("30hz", 1, 230), ("30hz", 3, 430), ("das", 2, 330)]
)
def test_least_losses_agree_with_the_rules(backend: Backend, reach: str, phases: int, max_lines: int) -> None:
    learned, variant = some_value(1, phases=phases, horizon=max_lines), Variant(reach, max_lines=max_lines)
    boards = [*some_boards(5, 24), parse_board("#########.\n" * 4), np.zeros((22, 10), np.uint8)]
    random = np.random.default_rng(2)
    pieces = random.integers(0, 7, len(boards)).astype(np.int32)
    pieces[-2] = 0
    lines = random.choice([0, 57, 131, 219, 226, 229, max_lines - 3], len(boards)).astype(np.int32)
    levels = np.array([min(level_at(number, variant.start_level), LEVELS - 1) for number in lines], np.int32)
    columns, numbers, rows, cleared = map(backend.asarray, (kernels.columns_of(boards), pieces, levels, lines))
    judge = learned.judge(backend, variant)
    placements = judge.least(columns, numbers, levels=rows, lines=cleared, most=3).on_host(backend)
    assert placements.values is not None
    for i, board in enumerate(boards):
        expected = slow_least(learned, board, int(pieces[i]), int(lines[i]), variant)[:3]
        count = len(expected)
        assert placements.values[i, :count].tolist() == [lost for lost, *_ in expected]
        states = [kernels.state_of(int(pieces[i]), int(p)) for p in placements.placements[i, :count]]
        assert states == [state for _, state, *_ in expected]
        assert (kernels.columns_of([after for _, _, after, _ in expected]) == placements.after[i, :count]).all()


def test_boards_with_more_placements_than_are_judged_together_lose_none() -> None:
    backend = open_backend("cpu:1")  # one thread takes all boards
    shelves = ("...#######", "#######...", "#..#####.#")  # each with two empty rows above
    boards = [parse_board(f"..........\n..........\n{shelf}\n" * 6) for shelf in shelves] * 4
    learned, variant = some_value(3), Variant()
    pieces = np.full(len(boards), PIECES.index("T"), np.int32)
    levels, lines = np.full(len(boards), 19, np.int32), np.arange(len(boards), dtype=np.int32)
    columns = kernels.columns_of(boards)
    placements = learned.judge(backend, variant).least(
        columns, pieces, levels=levels, lines=lines, most=kernels.PLACEMENTS
    )
    assert placements.counts[:6].sum() > 400  # the boards for which there is room at a time
    assert placements.values is not None
    for i, board in enumerate(boards):
        expected = slow_least(learned, board, int(pieces[i]), int(lines[i]), variant)
        assert placements.counts[i] == len(expected)
        assert placements.values[i, : len(expected)].tolist() == [lost for lost, *_ in expected]


@dataclass(frozen=True)
class Case:
    """Breadths, the margin for each further breadth, and the parts of the risk that are added to it."""

    breadths: tuple[int, ...]
    margins: tuple[int, int]
    risks: tuple[int, int, int] = NONE

    @property
    def all_margins(self) -> tuple[int, int, int]:
        return *self.margins, self.margins[1] // 4


CASES = (
    Case((2, 2), (10**8, 0)),
    Case((3, 2), (3000, 0)),
    Case((3, 1, 1), (0, 0)),
    Case((3, 1, 1), (3000, 1000)),
    Case((3, 1, 1), (10**8, 0)),
    Case((3, 1, 1), (10**8, 1000)),
    Case((3, 1, 1), (10**8, 10**8)),
    Case((2, 2, 1), (10**8, 0)),
    Case((2, 3, 1), (10**8, 3000)),
    Case((3, 2, 1), (0, 0), (40, 90, 1)),
    Case((2, 3, 1), (1000, 0), (3, 8, 1)),
)
DEEP = Case((2, 1, 1, 1), (10**8, 10**8)), Case((3, 1, 1, 1), (10**8, 4000), (3, 8, 32))
"""Cases of which the choices are recorded: the rules take a minute for them."""
BOARDS, PAIRS, LINES = some_boards(8, 3), ((0, 2), (3, 6), (5, 1)), (0, 120, 224)


def slow_choices(case: Case) -> list[State | None]:
    """Return the choice on each of BOARDS, None where the piece has no placement."""
    learned, variant = some_value(3), Variant("30hz", "nes", max_lines=230)
    return [
        slow_choice(learned, board, pair, lines, case, variant)
        if slow_least(learned, board, pair[0], lines, variant)
        else None
        for board, pair, lines in zip(BOARDS, PAIRS, LINES, strict=True)
    ]


@cache
def expected_choices(case: Case) -> list[State | None]:
    """Return `slow_choices`, which are the same on every device."""
    if case not in DEEP:
        return slow_choices(case)
    deep = recorded("tetris/losses", lambda: [slow_choices(each) for each in DEEP])[DEEP.index(case)]
    return [state and tuple(state) for state in deep]


def slow_choice(
    learned: LearnedValue, board: Board, pair: tuple[int, int], lines: int, case: Case, variant: Variant
) -> State:
    """Return the choice of expectimax over two known pieces and unknown ones after them."""
    chances = sources.transitions(variant.source)
    at_stake, whole = stakes(variant.start_level, variant.max_lines), int(chances[0].sum())

    def least(board: Board, piece: int, lines: int, rest: tuple[int, ...]) -> int:
        """Return what the board loses with a piece to place, times whole^len(rest)."""
        if lines >= variant.max_lines:
            return 0
        ranked = slow_least(learned, board, piece, lines, variant)
        scale: int = whole ** len(rest)
        if not ranked:
            return int(at_stake.future[lines]) * scale
        if not rest:
            return ranked[0][0]
        tried = ranked[: rest[0]]
        if rest[1:]:  # only the placements that are close with one piece less are searched with all
            found = [expected(lines, after, then, piece, ()) for _, _, after, then in tried]
            near = min(found) + margin(2, lines, min(found) // whole) * whole
            tried = [placement for placement, worth in zip(tried, found, strict=True) if worth <= near]
        return min(expected(lines, after, then, piece, rest[1:]) for _, _, after, then in tried)

    def expected(lines: int, after: Board, then: int, piece: int, rest: tuple[int, ...]) -> int:
        """Return what a placement of the piece loses if the next one is not known, times whole^(1 + len(rest))."""
        following = sum(int(chances[piece, other]) * least(after, other, then, rest) for other in range(7))
        scale: int = whole ** (1 + len(rest))
        return int(at_stake.lost[lines, then - lines]) * scale + following

    def margin(depth: int, lines: int, least: int) -> int:
        """Return the margin on a board; it grows with what is lost beyond what the lines to come account for."""
        left = int(at_stake.course[lines, 3])
        risk = max(0, least - int(learned.endgame[left * READY]))
        return case.all_margins[depth - 1] + risk // case.risks[depth - 1]

    def worths(rest: tuple[int, ...]) -> list[int]:
        """Return what each placement loses with the next piece to place, times whole^len(rest)."""
        return [
            int(at_stake.lost[lines, then - lines]) * whole ** len(rest) + least(after, pair[1], then, rest)
            for _, _, after, then in ranked
        ]

    first, *rest = case.breadths
    ranked = slow_least(learned, board, pair[0], lines, variant)[:first]
    found = worths(())
    for depth in range(1, len(rest) + 1):
        near = margin(depth, lines, min(found) // whole ** (depth - 1)) * whole ** (depth - 1)
        close = [worth <= min(found) + near for worth in found]
        deep = worths(tuple(rest[:depth])) if sum(close) > 1 else [worth * whole for worth in found]
        base = deep[found.index(min(found))]
        found = [deep[i] if close[i] else base + (worth - min(found)) * whole for i, worth in enumerate(found)]
    best = found.index(min(found))
    return ranked[best][1]


@pytest.mark.parametrize("case", [*CASES, *DEEP])
def test_the_expectation_over_further_pieces_agrees_with_the_rules(
    backend: Backend, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    """Each further breadth is added where those before leave several placements within the margin."""
    monkeypatch.setattr(value_judge, "RISKS", case.risks)
    monkeypatch.setattr(value_judge, "MARGINS", tuple((margin, margin) for margin in case.all_margins))
    variant = Variant("30hz", "nes", max_lines=230)
    pieces, following = zip(*PAIRS, strict=True)
    placements, chosen = choose(
        some_value(3),
        kernels.columns_of(BOARDS),
        pieces,
        following=following,
        levels=[level_at(number, variant.start_level) for number in LINES],
        lines=LINES,
        policy=Policy("branching", case.breadths),
        variant=variant,
        backend=backend,
    )
    for i, expected in enumerate(expected_choices(case)):
        if expected is not None:
            assert kernels.state_of(pieces[i], int(placements.placements[i, chosen[i]])) == expected


def test_the_choice_with_a_delay_agrees_with_the_rules(backend: Backend) -> None:
    """The player takes the plan with the least expectation, then the best placement that it leaves."""
    learned, variant = some_value(4), Variant("30hz", "nes", delay_ms=300)
    at_stake, chances = stakes(19, 230), sources.transitions("nes").tolist()
    boards, pieces, following, lines = some_boards(12, 3), [1, 3, 5], [2, 6, 1], [0, 40, 90]
    placements, chosen = choose(
        learned,
        kernels.columns_of(boards),
        pieces,
        following=following,
        levels=19,
        lines=lines,
        policy=Policy("branching", (40,)),
        variant=variant,
        backend=backend,
    )
    for i, board in enumerate(boards):
        piece, cleared = pieces[i], lines[i]
        worths = {}
        for _, state, after, then in slow_least(learned, board, piece, cleared, variant):
            seconds = [slow_least(learned, after, other, then, variant) for other in range(7)]
            left = [second[0][0] if second else int(at_stake.future[then]) for second in seconds]
            worths[state] = [int(at_stake.lost[cleared, then - cleared]) + least for least in left]
        expected = {
            plan: sum(c * min(worths[state][other] for state in plan) for other, c in enumerate(chances[piece]))
            for plan in map(frozenset, reachability.plans(board, piece, "30hz", 19, delay=variant.delay))
        }
        best = min(expected.values())
        leasts = {min(worths[state][following[i]] for state in plan) for plan in expected if expected[plan] == best}
        state = kernels.state_of(piece, int(placements.placements[i, chosen[i]]))
        assert worths[state][following[i]] in leasts


@pytest.mark.thorough
def test_with_a_delay_the_search_goes_deeper_where_plans_are_close(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Close plans are compared further, for the pieces with which they differ; then what the best plan leaves."""
    learned, variant, margin = some_value(4), Variant("30hz+tuck", "nes", delay_ms=200), 20_000
    monkeypatch.setattr(value_judge, "MARGINS", ((margin, margin),))
    monkeypatch.setattr(value_judge, "RISKS", NONE)
    boards, random = some_boards(12, 40), np.random.default_rng(5)
    pieces, levels = random.integers(0, 7, len(boards)), random.choice([18, 19, 29], len(boards))
    none = np.zeros(len(boards), np.int32)
    arrays = (kernels.columns_of(boards), pieces.astype(np.int32), none, levels.astype(np.int32), none)
    now, judge = Now(*map(backend.asarray, arrays)), learned.judge(backend, variant)
    short, search = Expectimax(judge, (6,), variant), Expectimax(judge, (6, 2), variant)
    shallow, deep = (backend.to_host(each.worths(now)[2]) for each in (short, search))
    chosen = []
    for following in range(7):
        placements, index = search.choose(now._replace(following=now.following + following))
        chosen.append(backend.to_host(index))
    found, kinds = placements.on_host(backend), set()
    for board, (piece, level) in enumerate(zip(pieces.tolist(), levels.tolist(), strict=True)):
        states = [kernels.state_of(piece, int(p)) for p in found.placements[board, : found.counts[board].clip(0, 6)]]
        every = reachability.plans(boards[board], piece, "30hz+tuck", level, delay=variant.delay)
        plans = [[rank for rank, state in enumerate(states) if state in plan] for plan in every]
        weights = np.array(sources.transitions("nes")[piece])
        for following in range(7) if len(states) > 1 else ():
            best, is_settled = slow_plans([p for p in plans if p], shallow[board], deep[board], weights, margin)
            finals = set()
            for left in best:
                least = shallow[board, left, following].min()
                close = [rank for rank in left if shallow[board, rank, following] <= least + margin]
                finals |= {
                    rank for rank in close if deep[board, rank, following] == deep[board, close, following].min()
                }
                kinds.add((is_settled, len(close) > 1))
            assert int(chosen[following][board]) in finals
    assert kinds == {(False, False), (False, True), (True, False), (True, True)}


def slow_plans(
    plans: list[list[int]],
    shallow: npt.NDArray[np.int64],
    deep: npt.NDArray[np.int64],
    weights: npt.NDArray[np.int64],
    margin: int,
) -> tuple[list[list[int]], bool]:
    """Return what the best plans leave, and whether the shallow search settles that."""

    def expected(worths: npt.NDArray[np.int64], plan: list[int]) -> int:
        return int((worths[plan].min(axis=0) * weights).sum())

    least, mixed = min(expected(shallow, plan) for plan in plans), shallow.copy()
    plans = [plan for plan in plans if expected(shallow, plan) <= least + margin * weights.sum()]
    for piece in range(7):
        close = [
            frozenset(rank for rank in plan if shallow[rank, piece] <= shallow[plan, piece].min() + margin)
            for plan in plans
        ]
        if len(set(close)) > 1:
            searched = sorted(frozenset().union(*close))
            best = searched[int(shallow[searched, piece].argmin())]
            mixed[:, piece] += deep[best, piece] - shallow[best, piece]
            mixed[searched, piece] = deep[searched, piece]
    worths = [expected(mixed, plan) for plan in plans]
    firsts = [plan for plan, worth in zip(plans, worths, strict=True) if worth == min(worths)]
    return firsts, len({tuple(plan) for plan in plans}) == 1


@pytest.mark.parametrize("breadths", [(2, 1, 1), (2, 2, 1), (2, 1, 1, 1)])
def test_with_a_delay_placements_are_worth_what_they_are_at_once(
    backend: Backend, monkeypatch: pytest.MonkeyPatch, breadths: tuple[int, ...]
) -> None:
    """With each next piece in turn, in points rounded down."""
    monkeypatch.setattr(value_judge, "MARGINS", ((10**8, 10**8),) * 3)
    learned, boards, pieces = some_value(4), some_boards(12, 3), [1, 3, 5]
    scale = int(sources.transitions("nes")[0].sum()) ** (len(breadths) - 1)

    def searched(following: int, delay_ms: int) -> tuple[kernels.Placements, npt.NDArray[np.int64]]:
        variant = Variant("30hz", "nes", delay_ms=delay_ms)
        arrays = (pieces, [following] * 3, [19] * 3, [0, 40, 90])
        columns = backend.asarray(kernels.columns_of(boards))
        now = Now(columns, *(backend.asarray(np.array(array, np.int32)) for array in arrays))
        placements, _, worths = Expectimax(learned.judge(backend, variant), breadths, variant).worths(now)
        return placements.on_host(backend), backend.to_host(worths)

    compared = 0
    late, planned = searched(0, 300)
    for following in range(7):
        early, known = searched(following, 0)
        for board, rank, other in np.ndindex(len(boards), breadths[0], breadths[0]):
            if late.placements[board, rank] == early.placements[board, other]:
                assert planned[board, rank, following] == known[board, other, 0] // scale
                compared += 1
    assert compared >= 7 * len(boards)


def test_margins_grow_with_the_level_and_with_the_risk(backend: Backend) -> None:
    """From level 29 on, one choice can lose everything, so every placement is searched with two breadths."""
    learned, variant = some_value(4), Variant("30hz", "nes")
    usual = int(learned.endgame[230 * READY])
    levels, least = [18, 28, 29, 39, 18, 18], [usual, usual, usual, usual, usual - 9, usual + 48_000]
    expected = {
        depth: [early, early, late, late, early, early + 48_000 // part]
        for depth, ((early, late), part) in enumerate(zip(value_judge.MARGINS, value_judge.RISKS, strict=True), 1)
    }
    assert len(expected) == LONGEST_IN_POINTS - 1, "each breadth but the first one has a margin"
    judge = learned.judge(backend, variant)
    for depth, margins in expected.items():
        found = judge.margin(
            depth,
            levels=backend.asarray(np.array(levels, np.int32)),
            accounts=backend.asarray(np.zeros(6, np.int32)),
            least=backend.asarray(np.array(least, np.int64)),
        )
        assert backend.to_host(found).tolist() == margins
