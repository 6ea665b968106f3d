"""The rules of Tetris compared with published facts: placements, features, probabilities, points."""

from __future__ import annotations

from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest

from games.tetris import oracle
from games.tetris.oracle import EMPTY, FIXED, PUBLISHED
from gpusolve.errors import BadInput
from gpusolve.games.tetris.players.weights import load_weights, save_weights
from gpusolve.games.tetris.rules import features, policies, reachability, sources
from gpusolve.games.tetris.rules.board import (
    COLUMNS,
    PIECES,
    ROWS,
    SPAWN,
    Board,
    board_text,
    cells_of,
    fits,
    parse_board,
    parse_piece,
    place,
    points,
    rotated,
    spawn_state,
)


def parsed(text: str) -> Board:
    return parse_board("\n".join(line.strip() for line in text.strip().splitlines()))


@pytest.mark.parametrize(("reach", "level"), [("free", 19), ("30hz", 18), ("30hz", 19)])
def test_placements_on_the_empty_board(reach: str, level: int) -> None:
    counts = {name: len(reachability.placements(EMPTY, i, reach, level)) for i, name in enumerate(PIECES)}
    assert counts == {"I": 17, "L": 34, "J": 34, "T": 34, "Z": 17, "S": 17, "O": 9}


def test_pieces_spawn_on_the_published_cells() -> None:
    for piece, name in enumerate(PIECES):
        assert sorted(cells_of(piece, spawn_state(piece))) == sorted(SPAWN[name])


def test_an_upright_i_stands_in_the_third_column_of_its_box() -> None:
    upright = rotated(PIECES.index("I"), spawn_state(0), 1)
    assert cells_of(0, upright) == ((0, 5), (1, 5), (2, 5), (3, 5))


def test_a_turn_and_its_reverse_cancel_out() -> None:
    for piece in range(7):
        state = spawn_state(piece)
        for turns in (1, -1):
            after = rotated(piece, rotated(piece, state, turns), -turns)
            assert after == state


def test_a_t_can_spin_under_an_overhang_but_not_under_gravity() -> None:
    pit = parsed("""
        ###.....##
        ###...####
        ####.#####
        """)
    spun = {cells_of(3, state) for state in reachability.placements(pit, 3)}
    assert ((20, 3), (20, 4), (20, 5), (21, 4)) in spun
    roofed = parsed("""
        #..#......
        #...######
        ##.#######
        """)
    states = reachability.placements(roofed, 3)
    assert ((20, 1), (20, 2), (20, 3), (21, 2)) in {cells_of(3, state) for state in states}
    assert ((20, 1), (20, 2), (20, 3), (21, 2)) not in {
        cells_of(3, state) for state in reachability.placements(roofed, 3, "das", 29)
    }


def test_every_path_leads_to_its_state() -> None:
    pit = parsed("#######.##\n##..######\n###.######")
    for piece in range(7):
        for state, path in reachability.free_paths(pit, piece).items():
            here = spawn_state(piece)
            for press in path:
                here = reachability.pressed(piece, here, press)
                assert fits(pit, piece, here)
            assert here == state


def test_gravity_limits_how_far_taps_reach() -> None:
    wall = np.zeros((ROWS, COLUMNS), np.uint8)
    wall[8:, :9] = 1
    free = reachability.placements(wall, 0)
    assert (1, 18, 9) in free
    assert (1, 18, 9) in reachability.placements(wall, 0, "30hz", 18)
    assert (1, 18, 9) not in reachability.placements(wall, 0, "15hz", 29)


def test_features_are_the_published_ones() -> None:
    after, cleared, lowest = place(EMPTY, 0, (0, 21, 0))
    assert features.features(after, cleared, lowest) == [0, -2, 0, 0, 0, 0, 0, 22, 0, 0, 2, 4, 1, 1, 4, 4, 1]
    ready = parsed("\n".join(["#########."] * 4))
    after, cleared, lowest = place(ready, 0, (1, 18, 9))
    assert (cleared, after.sum()) == (4, 0)
    assert features.features(after, cleared, lowest) == [0, -2, 0, 0, 0, 0, 0, 22] + [0] * 9


def test_recorded_boards_are_reproduced() -> None:
    for number, case in enumerate(oracle.cases()):
        states = {cells_of(case.piece, state): state for state in reachability.placements(case.board, case.piece)}
        assert states.keys() == case.moves.keys()
        for cells, state in states.items():
            after, cleared, lowest = place(case.board, case.piece, state)
            values = features.features(after, cleared, lowest)
            assert (values, features.value(FIXED, case.board, case.piece, state), cleared) == case.moves[cells]
        best = policies.greedy(FIXED, case.board, case.piece)
        assert best is not None
        assert cells_of(case.piece, best) == case.greedy
        if number % 4 == 0:  # a second each
            best = policies.two_piece(FIXED, case.board, case.piece, case.following)
            assert best is not None
            assert cells_of(case.piece, best) == case.two_piece


@pytest.mark.parametrize("key", [oracle.GREEDY[0], oracle.GREEDY[-1], oracle.SEEDS[0]])
def test_recorded_games_are_reproduced(key: oracle.Key) -> None:
    turns = policies.play(FIXED, **key._replace(max_lines=1)._asdict())
    assert turns == oracle.games()[key][: len(turns)]


@pytest.mark.parametrize("key", oracle.TWO_PIECE)
def test_recorded_two_piece_games_are_reproduced(key: oracle.Key) -> None:
    board, turns = EMPTY, oracle.games()[key]
    for turn, following in pairwise(turns[:3]):
        choice = policies.two_piece(FIXED, board, turn.piece, following.piece, reach=key.reach, level=key.start_level)
        assert choice == turn.state
        board, _, _ = place(board, turn.piece, turn.state)


NES_TABLE = """
    T 2 10 12 10 10 10 10
    J 12 2 10 10 10 10 10
    Z 10 12 2 10 10 10 10
    O 10 10 10 4 10 10 10
    S 10 10 10 10 4 10 10
    L 12 10 10 10 10 2 10
    I 10 10 10 10 12 10 2
"""


def published_transitions(source: str) -> np.ndarray:
    table = np.full((7, 7), 9) - 7 * np.eye(7, dtype=int)
    if source == "nes":
        lines = [line.split() for line in NES_TABLE.strip().splitlines()]
        order = [PIECES.index(line[0]) for line in lines]
        for previous, line in zip(order, lines, strict=True):
            table[previous, order] = list(map(int, line[1:]))
    return np.asarray(table)


@pytest.mark.parametrize("source", sources.SOURCES)
def test_the_transition_table_agrees_with_simulated_pieces(source: str) -> None:
    counts = np.zeros((7, 7))
    for game in range(10):
        for previous, piece in pairwise(islice(sources.pieces(5, game, source), 4000)):
            counts[previous, piece] += 1
    table = published_transitions(source)
    assert sources.transitions(source).tolist() == table.tolist()
    expected = counts.sum(axis=1, keepdims=True) * table / table.sum(axis=1, keepdims=True)
    assert ((counts - expected) ** 2 / expected).sum() < 79  # chi-squared, 42 degrees of freedom, p = 0.0005


def test_the_consoles_register_has_period_32767() -> None:
    v, steps = sources.lfsr(0x8988), 1
    while v != 0x8988:
        v, steps = sources.lfsr(v), steps + 1
    assert steps == 32_767


def test_pieces_depend_only_on_seed_and_game() -> None:
    for source in sources.SOURCES:
        first = list(islice(sources.pieces(7, 3, source), 50))
        assert first == list(islice(sources.pieces(7, 3, source), 50))
        assert first != list(islice(sources.pieces(7, 4, source), 50))
        assert first != list(islice(sources.pieces(8, 3, source), 50))


@pytest.mark.parametrize(("start", "most"), [(19, 1_542_000), (18, 1_503_600)])
def test_the_highest_score_of_230_lines_is_the_published_one(start: int, most: int) -> None:
    assert sum(points(4, lines, start) for lines in range(4, 233, 4)) == most


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "0 rows"),
        ("." * 9, "line 1: 9 cells, expected 10"),
        ("..........\n" * 23, "23 rows: expected 1 to 22"),
        (".....?....", "line 1: '\\?'"),
        ("..........\n##########", "line 2: a full row"),
    ],
)
def test_texts_that_are_no_board_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_board(text)


def test_a_drawn_board_can_be_parsed_again() -> None:
    drawn = parsed("#.........\n.#########")
    assert np.array_equal(parse_board(board_text(drawn)), drawn)
    with pytest.raises(BadInput, match="expected one of I L J T Z S O"):
        parse_piece("X")


def test_damaged_weights_files_are_refused(tmp_path: Path) -> None:
    weights = load_weights("published")
    save_weights(tmp_path / "w.json", weights)
    assert load_weights(str(tmp_path / "w.json")) == weights
    text = (tmp_path / "w.json").read_text()
    damaged = {
        "cut": text[:80],
        "other schema": text.replace("weights/1", "weights/9"),
        "a feature is missing": text.replace('"holes"', '"hols"'),
        "not a number": text.replace("25.267981421496216", '"much"'),
        "infinite": text.replace("25.267981421496216", "Infinity"),
        "a list": "[]",
    }
    for name, content in damaged.items():
        (tmp_path / "d.json").write_text(content)
        with pytest.raises(BadInput, match="weights"):
            load_weights(str(tmp_path / "d.json"))
        assert content != text, name
    with pytest.raises(BadInput, match="expected a file or one of"):
        load_weights("nobody")


def test_weights_can_be_given_as_numbers() -> None:
    assert load_weights(np.array(PUBLISHED).tolist()).values == load_weights(list(PUBLISHED)).values == PUBLISHED
    assert load_weights(load_weights("published")) == load_weights("published")
    for wrong, message in (((1.0,), "1 numbers, expected 17"), ((0,) * 17, "all 0"), ((1, float("nan")) * 9, "18")):
        with pytest.raises(BadInput, match=message):
            load_weights(wrong)
