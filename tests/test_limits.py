"""The limits of fixed-size arrays (docs/limits.md): input at the limit is accepted, and input beyond it is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpusolve.backend import Backend, open_backend
from gpusolve.backend.compiled import compiled
from gpusolve.errors import BadInput
from gpusolve.games import qless, queuedle, quiddler, sliding, wordle
from gpusolve.games.qless._shapes import shapes
from gpusolve.games.qless.anagrams import MAX_WORDS, anagrams
from gpusolve.games.qless.cpu.tree import MOST_STEPS
from gpusolve.games.quordle.joint import looks_ahead
from gpusolve.games.quordle.rules import MOST_AHEAD, MOST_FITS, check_boards, check_max_guesses
from gpusolve.games.sliding.beams.search import Beams
from gpusolve.games.sliding.boards import check_exact_size
from gpusolve.games.sliding.databases.search import PatternDatabases
from gpusolve.games.sliding.databases.tilesets import parse_partition
from gpusolve.games.tetris.players.policy import checked_breadths
from gpusolve.games.tetris.rules.board import parse_board
from gpusolve.games.wordle.cpu.proof.memo import EQUAL, WEIGHTED, is_exact, recall, remember
from gpusolve.games.wordle.grouping import kernels as grouping
from gpusolve.games.wordle.grouping._groups import groups
from gpusolve.games.wordle.proof import position

KERNELS = Path(__file__).parents[1] / "kernels"
CPU = open_backend("cpu")
CARDS = ("a", "e", "i", "o", "u", "t", "s", "r")
PUZZLE = queuedle.Puzzle.parse("tsea/enop/adis/ttre eatseatseat")


def tiles(sets: int, count: int) -> str:
    """A partition with this number of sets, one of them larger than the others."""
    return "/".join([*map(str, range(1, sets)), ",".join(map(str, range(sets, count)))])


CHECKS: dict[str, tuple[Callable[[int], Any], int]] = {
    "sliding: sets of a partition": (lambda n: parse_partition(3, 4, tiles(n, 12)), 8),
    "sliding: tiles of a set": (
        lambda n: parse_partition(3, 4, tiles(1, n + 1) + "/" + ",".join(map(str, range(n + 1, 12)))), 8,
    ),
    "sliding: rows of a board with five columns": (lambda n: sliding.Board(n, 5, tuple(range(5 * n))), 7),
    "sliding: rows of a board that is solved optimally": (lambda n: check_exact_size(n, 5), 5),
    "sliding: width of a beam": (lambda n: Beams(width=n), 10_000_000),
    "sliding: bound of a beam": (lambda n: Beams(bound=n), 1000),
    "sliding: bound": (lambda n: PatternDatabases(bound=n), 250),
    "sliding: weight": (lambda n: PatternDatabases(weight=n), 10),
    "sliding: length of forbidden strings": (lambda n: PatternDatabases(depth=n), 23),
    "qless: letters of a roll": (lambda n: qless.count("z" * n, backend=CPU), 14),
    "qless: minimum length of a word": (lambda n: qless.Variant(min_length=n), 14),
    "queuedle: rows": (lambda n: queuedle.Puzzle.parse("/".join(["a" * n] * n)), 6),
    "queuedle: letters of the queue": (lambda n: queuedle.Puzzle(("aaaa",) * 4, "a" * n), 31),
    "queuedle: endings": (
        lambda n: queuedle.solve(PUZZLE, strategy="beam", dictionary=["tea"], width=1, endings=n, backend=CPU), 6,
    ),
    "quiddler: piles": (lambda n: quiddler.Deal(("a",) * n, ("e",) * n), 8),
    "quiddler: letters of a bonus": (lambda n: quiddler.Variant(bonus={n: 5}), 32),
    "quiddler: words of a plan": (
        lambda n: quiddler.solve(quiddler.Deal(CARDS, CARDS), dictionary=["eat", "tea"], max_words=n, backend=CPU), 16,
    ),
    "quiddler: cards of a hand": (lambda n: quiddler.hand((CARDS * 2)[:n], dictionary=["eat"], backend=CPU), 10),
    "quiddler: cards in a turn": (
        lambda n: quiddler.turn((CARDS * 2)[:n], drawn="e", last=True, dictionary=["eat"], backend=CPU), 10,
    ),
    "quordle: boards": (check_boards, 32),
    "quordle: guesses": (lambda n: check_max_guesses(n, 4), 64),
    "tetris: placements of a piece": (lambda n: checked_breadths("branching", (n,), in_points=True), 352),
    "tetris: rows of a board": (lambda n: parse_board("#........./" * n), 22),
    "wordle: words of a group": (
        lambda n: groups(answers=["crane", "slate"], size=n, max_guesses=2, backend=CPU), 6,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHECKS)
def test_input_at_a_limit_is_accepted_and_beyond_it_refused(name: str) -> None:
    call, limit = CHECKS[name]
    call(limit)
    with pytest.raises(BadInput):
        call(limit + 1)


def test_words_of_qless() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = (a + b + c + d for a in letters for b in letters for c in letters for d in letters)
    most = [next(words) for _ in range(MAX_WORDS)]
    assert len(list(anagrams(most))) == MAX_WORDS
    with pytest.raises(BadInput, match="expected at most 262,144"):
        anagrams([*most, next(words)])


@pytest.mark.slow
@pytest.mark.parametrize("allow_touching", [False, True])
def test_no_shape_of_qless_has_more_words_than_a_path_has_room_for(allow_touching: bool) -> None:
    assert shapes(letters=14, allow_touching=allow_touching).words.max() == MOST_STEPS - 1


def test_quordle_looks_ahead_within_its_arrays_only() -> None:
    words = np.arange(MOST_FITS + 1, dtype=np.uint16)
    assert looks_ahead([words[:MOST_FITS]] * MOST_AHEAD, 9)
    assert not looks_ahead([words] * MOST_AHEAD, 9)
    assert not looks_ahead([words[:MOST_FITS]] * (MOST_AHEAD + 1), 9)


def test_the_longest_roll_is_searched(backend: Backend) -> None:
    words = ["a" * 14, "a" * 13, "aaa"]
    assert qless.count("a" * 14, variant=qless.Variant(words, min_length=13), backend=backend).solutions == 1


@pytest.mark.parametrize(("name", "limit", "message"), [("MOST_GUESSES", 3, "guesses"), ("MOST_ANSWERS", 4, "answers")])
def test_an_exact_search_of_wordle_takes_as_many_words_as_it_has_bits_for(
    name: str, limit: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["crane", "slate", "salet", "trace"]
    with monkeypatch.context() as patch:
        patch.setattr(position, name, limit + 1)
        wordle.solve(variant=wordle.Variant.load(words, words), backend=CPU)
    monkeypatch.setattr(position, name, limit)
    with pytest.raises(BadInput, match=f"4 {message}: expected"):
        wordle.solve(variant=wordle.Variant.load(words, words), backend=CPU)


def test_a_guess_beyond_its_bits_would_look_like_a_proof() -> None:
    memo = np.zeros((3, 8), np.uint64)
    for layout in (EQUAL, WEIGHTED):
        for guess, exact in ((position.MOST_GUESSES - 1, 0), (position.MOST_GUESSES, 1)):
            _remember(memo, np.uint64(5), guess, layout)
            assert _is_exact(memo, np.uint64(5), layout) == exact


@compiled
def _remember(memo: Any, key: Any, guess: Any, layout: Any) -> None:
    remember(memo, key, 2, 3, 0, guess, layout)


@compiled
def _is_exact(memo: Any, key: Any, layout: Any) -> Any:
    return is_exact(recall(memo, key), layout)


def constant(file: str, name: str) -> int:
    """The value of a ``#define`` of a kernel's file."""
    found = re.search(rf"^#define {name}\s+(\d+)", (KERNELS / file).read_text(), re.M)
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize(
    ("file", "name", "least"),
    [
        ("sliding.cu", "MOST_CELLS", 25), ("sliding.cu", "MOST_TILES", 8), ("sliding.cu", "SIDES", 2 * 8),
        ("sliding.cu", "MOST_MOVES", 250 + 1), ("sliding.cu", "BEAM_CELLS", 7 * 7),
        ("qless.cu", "WIDTH", 14 + 1), ("qless.cu", "MOST_STEPS", MOST_STEPS),
        ("quiddler.cu", "CARDS", 16), ("quiddler.cu", "KINDS", 31), ("quordle.cu", "MOST_BOARDS", 32),
        ("quordle.cu", "MOST_GUESSES", 64), ("quordle.cu", "MOST_AHEAD", MOST_AHEAD),
        ("quordle.cu", "MOST_FITS", MOST_FITS), ("tetris_search.cuh", "PLACEMENTS", 352),
        ("wordle.cu", "MOST_WORDS", 6), ("wordle.cu", "MOST_SAMPLE", grouping.SAMPLE), ("wordle.cu", "CELL_ROW", 243),
    ],
)  # fmt: skip
def test_the_kernels_have_room_for_what_python_accepts(file: str, name: str, least: int) -> None:
    assert constant(file, name) >= least
