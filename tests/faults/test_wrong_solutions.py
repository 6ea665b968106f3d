"""A solution that the rules refuse is a fault of gpusolve: one line and exit code 70, never a result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pytest

from gpusolve.backend import open_backend
from gpusolve.errors import Exit, WrongSolution
from gpusolve.games.qless import _count, _solve as qless, kernels as qless_kernels
from gpusolve.games.qless._check import check_solutions, find_wrong
from gpusolve.games.qless.measuring import _census
from gpusolve.games.qless.rules import broken_rule
from gpusolve.games.qless.variant import STANDARD, Variant
from gpusolve.games.queuedle import Puzzle, _solve as queuedle
from gpusolve.games.queuedle.search import searches
from gpusolve.games.quiddler import _hand, _solve as quiddler, kernels as quiddler_kernels
from gpusolve.games.quiddler._hand import Melds
from gpusolve.games.quiddler.deals import Deal
from gpusolve.games.sliding import _solve as sliding
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.search.deepening import Deepening
from gpusolve.testing.plugin import Run

BOARD = Board(2, 3, (1, 2, 5, 3, 4, 0))
PUZZLE = Puzzle.parse("tsea/enop/adis/ttre eat")
DEAL = Deal(("i", "t"), ("a", "s"))


@pytest.fixture(autouse=True, scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUSOLVE_TABLES", str(tmp_path_factory.mktemp("tables")))
        yield


def change(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, **changes: Any) -> None:
    """Make a method return its result with other fields."""
    original = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *given, **options: replace(original(*given, **options), **changes))


@pytest.mark.parametrize("moves", ["UL", "ULLR", "D", "ULU"])
def test_moves_that_do_not_lead_to_the_goal(moves: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(monkeypatch, Deepening, "solution", moves=moves, solutions=[moves])
    with pytest.raises(WrongSolution, match=rf"{BOARD}: the search returned {moves}, which does not lead to the goal"):
        sliding.solve(BOARD)


def test_one_wrong_solution_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    change(monkeypatch, Deepening, "solution", solutions=["ULL", "LUL"])
    with pytest.raises(WrongSolution, match="LUL"):
        sliding.solve(BOARD, all_solutions=True)


@pytest.mark.parametrize(("moves", "message"), [([0, 1], "not legal: move 2"), ([0], "but it scores"), ([99], "move")])
def test_slides_that_miss_the_score(moves: list[int], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    strategies: dict[str, Literal["beam", "best-first"]] = {"beam": "beam", "best_first": "best-first"}
    for method, strategy in strategies.items():
        with monkeypatch.context() as patch:
            change(patch, searches, method, moves=moves)
            with pytest.raises(WrongSolution, match=message):
                queuedle.solve(PUZZLE, strategy=strategy, dictionary=["tea", "eat"])


def test_a_plan_that_misses_the_score(monkeypatch: pytest.MonkeyPatch) -> None:
    change(monkeypatch, quiddler, "replay", score=1)
    with pytest.raises(WrongSolution, match=r"for 10 points, but it scores 1 and leaves 0 cards"):
        quiddler.solve(DEAL, dictionary=["it", "as"])


def test_a_plan_that_cannot_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiddler._Graph, "examples", lambda graph, plans: [[0b1]])
    with pytest.raises(WrongSolution, match="cannot be played"):
        quiddler.solve(DEAL, dictionary=["it", "as"])


def test_the_command_ends_with_exit_code_70_and_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    change(monkeypatch, Deepening, "solution", moves="UL", solutions=["UL"])
    result = run("sliding", "solve", str(BOARD), "--quiet")
    assert result.code == Exit.FAULT
    assert result.err.count("\n") == 1
    assert "does not lead to the goal" in result.err


WORDS = ["eat", "tea", "ate", "eta", "tee", "teat", "attet", "tett"]


@pytest.mark.parametrize(
    ("letters", "options"),
    [("aeett", {}), ("aeett", {"allow_touching": True}), ("aaeett", {"no_repeats": True}), ("aaeeett", {})],
)
def test_the_compiled_check_of_solutions_is_that_of_the_rules(letters: str, options: dict[str, Any]) -> None:
    variant = Variant(WORDS, **options)
    found = qless.solve(letters, variant=variant)
    shapes, random = found.shapes, np.random.default_rng(1)
    shape = np.concatenate([found.shape, random.integers(0, len(shapes), 400)]).astype(np.int32)
    fill = np.concatenate([found.fill, [random.permutation(found.fill[0]) for _ in range(400)]]).astype(np.uint8)
    again = random.integers(0, len(found), 100)  # solutions with one letter changed
    changed = found.fill[again].copy()
    changed[np.arange(100), random.integers(0, len(letters), 100)] = 25
    shape, fill = np.concatenate([shape, found.shape[again]]), np.concatenate([fill, changed])
    grids = qless.Solutions(letters, shapes, shape, fill, False, None, 0)
    rules = [broken_rule(grid, letters, set(WORDS), **options) for grid in grids]
    assert None in rules
    assert any(rules)
    for i, rule in enumerate(rules):
        wrong = find_wrong(letters, shapes, shape[i : i + 1], fill[i : i + 1], variant)
        assert (wrong is None) == (rule is None), (grids[i], rule)
    assert find_wrong(letters, shapes, shape, fill, variant) == next(i for i, rule in enumerate(rules) if rule)


@pytest.mark.parametrize(("shape", "letter"), [(-1, None), (10**6, None), (None, 26), (None, 255)])
def test_numbers_that_are_no_shape_or_no_letter(shape: int | None, letter: int | None) -> None:
    variant = Variant(WORDS)
    found = qless.solve("aeett", variant=variant)
    shapes, fill = found.shape[:1].copy(), found.fill[:1].copy()
    if shape is not None:
        shapes[0] = shape
    if letter is not None:
        fill[0, 2] = letter
    assert find_wrong("aeett", found.shapes, shapes, fill, variant) == 0


def test_a_grid_that_breaks_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    original = qless.RollSearch.rows

    def rows(*given: Any) -> qless.Rows:
        shape, fill = original(*given)
        return shape, fill[:, ::-1].copy()

    monkeypatch.setattr(qless.RollSearch, "rows", rows)
    with pytest.raises(WrongSolution, match=r"aeett: the search returned .*, which breaks the rules"):
        qless.solve("aeett", variant=Variant(WORDS))


def test_solutions_of_many_rolls_are_checked_each_with_its_letters() -> None:
    """The compiled check goes from roll to roll, and accepts what `counts` finds."""
    variant = Variant(WORDS)
    rolls = np.array([qless_count(letters) for letters in ("aeett", "aeeet", "aeett", "eettt")])
    found = [qless.solve(letters, max_solutions=2, variant=variant) for letters in ("aeett", "aeeet", "aeett", "eettt")]
    kept = np.array([len(each) for each in found])
    assert kept.tolist() == _count.counts(rolls, variant=variant, limit=2).tolist()
    shape, fill = (np.concatenate([getattr(each, name) for each in found]) for name in ("shape", "fill"))
    check_solutions(rolls, kept, found[0].shapes, shape, fill, variant)
    with pytest.raises(WrongSolution, match="solution 1 of the search breaks the rules"):
        check_solutions(rolls[[1, 0, 2, 3]], kept, found[0].shapes, shape, fill, variant)


def qless_count(letters: str) -> np.ndarray:
    return np.bincount([ord(letter) - ord("a") for letter in letters], minlength=26).astype(np.uint8)


@pytest.mark.parametrize("all_solutions", [False, True])
def test_a_census_with_a_grid_that_breaks_a_rule(all_solutions: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    turn_solutions_around(monkeypatch)
    with pytest.raises(WrongSolution, match=r"[a-z]{12}: solution 1 of the search breaks the rules"):
        _census.census(count=20, all_solutions=all_solutions, seed=1)


def test_a_census_of_all_rolls_with_a_grid_that_breaks_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    turn_solutions_around(monkeypatch)
    backend = open_backend("cpu")
    search = _census._searching(STANDARD, backend)
    with pytest.raises(WrongSolution, match=r"cddeeimprtwx: solution 1 of the search breaks the rules"):
        search(qless_count("cddeeimprtwx")[None])


def turn_solutions_around(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the search return the letters of each solution in another order."""
    kept = qless_kernels.kept

    def turned(*given: Any) -> Any:
        shape, fill, turns = kept(*given)
        return shape, fill[:, ::-1].copy(), turns

    monkeypatch.setattr(qless_kernels, "kept", turned)


HAND = ["qu", "i", "t", "er", "a", "l"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"score": 99}, "for 99 points, but this scores 26"),
        ({"left": ["z"]}, "takes the cards a er i l qu t z"),
        ({"cards": [["qu", "a"]], "words": ["qua"]}, "takes the cards a qu"),
    ],
)
def test_words_of_a_hand_that_break_the_rules(
    changes: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_hand, "Melds", lambda **fields: Melds(**(fields | changes)))
    with pytest.raises(WrongSolution, match=message):
        _hand.hand(HAND)


def test_cards_of_a_hand_that_spell_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiddler_kernels, "card_sets", lambda *given: np.full((1, 1 << 11), 1 << 3, np.uint32))
    with pytest.raises(WrongSolution, match="which spell no word"):
        _hand.hand(HAND)
