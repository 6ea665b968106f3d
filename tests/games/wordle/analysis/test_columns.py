"""The text form of published strategies: read, or refused with the line of the first fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpusolve.errors import BadInput
from gpusolve.games.wordle import Variant, rules, solve, verify
from gpusolve.games.wordle.analysis.strategies import Reply, reply_of

LINES = """
craft BBYBG1 about GGYBG2 abbot GGGGG3
                   GGGGG2
      BYYBG1 abort GGGGG2
      BBGBG1 adapt GGGGG2
      BGGGG1 draft GGGGG2
      GGGGG1
"""
TURNS = {"abbot": 3, "abort": 2, "about": 2, "adapt": 2, "craft": 1, "draft": 2}


def _written(tree: Reply, way: str = "", turn: int = 1) -> list[str]:
    """Return the complete line of each answer of a strategy."""
    length = rules.length_of(tree.guess)
    lines = [f"{way}{tree.guess} {'G' * length}{turn}"]
    for code, reply in tree.replies.items():
        pattern = rules.pattern_text(code, length).upper().replace("-", "B")
        lines += _written(reply, f"{way}{tree.guess} {pattern}{turn} ", turn + 1)
    return lines


def _verified(tmp_path: Path, text: str) -> dict[str, int]:
    path = tmp_path / "tree.txt"
    path.write_text(text)
    return verify(path, answers=list(TURNS)).turns


def test_lines_leave_out_what_they_share_with_the_line_above(tmp_path: Path) -> None:
    assert _verified(tmp_path, LINES) == TURNS
    assert _verified(tmp_path, LINES.replace("  ", "").lower()) == TURNS  # the numbers matter, not the blanks


def test_complete_lines_in_any_order(tmp_path: Path) -> None:
    solution = solve([], Variant.load(answers=list(TURNS)))
    lines = _written(reply_of(solution.tree, solution.guesses))
    turns = _verified(tmp_path, "\n".join(reversed(lines)))
    assert list(turns.values()) == solution.turns.tolist()


@pytest.mark.parametrize("words", [["würden", "werden", "wurden", "würfel", "bleibe"], ["בית", "ביב", "תיב"]])
def test_words_of_other_lengths(tmp_path: Path, words: list[str]) -> None:
    solution, path = solve([], Variant.load(answers=words, mode="hard")), tmp_path / "tree.txt"
    lines = _written(reply_of(solution.tree, solution.guesses))
    path.write_text("\n".join(lines), encoding="utf-8")
    assert verify(path, answers=words, mode="hard").total == solution.total
    path.write_text("\n".join(lines).replace("GG", "G", 1), encoding="utf-8")
    with pytest.raises(BadInput, match=r"is not a pattern: expected . characters"):
        verify(path, answers=words)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("      BYYBG1", "      BYYBG2", "line 4: GGGGG2: expected guess number 3"),
        ("      BYYBG1 abort", "craft BBYBG1 abort", "line 4: after craft:--y-g: abort: expected about"),
        ("abbot GGGGG3", "abbot GGGGG4", "line 2: GGGGG4: expected guess number 3"),
        ("abbot GGGGG3", "abbot", "line 2: abbot: expected a line that ends with a pattern that is all green"),
        ("abbot GGGGG3", "", "line 2: about:ggy-g: expected a line that ends with a pattern that is all green"),
        ("abbot GGGGG3", "GGGGG3", "line 2: GGGGG3: expected guess number 3 before it"),
        ("abbot GGGGG3", "abbot abbey GGGGG3", "line 2: abbey: expected the pattern of abbot"),
        ("abbot GGGGG3", "abbot GGGGG3 abbey GGGGG4", "line 2: abbey: a guess after a pattern that is all green"),
        ("abbot GGGGG3", "abbots GGGGG3", "line 2: 'GGGGG' is not a pattern: expected 6 characters"),
        ("      GGGGG1", "about GGGGG1", "line 7: about: expected craft, the guess of an earlier line"),
        ("      GGGGG1", "draft GGGGG2", "line 7: GGGGG2: expected guess number 1"),
        ("      GGGGG1", "      GGGGG1\n      GGGGG1", "line 8: a second line for the answer craft"),
        ("      GGGGG1", "      GGGGG3", "line 7: GGGGG3: expected guess number 1 before it"),
        ("      BYYBG1 abort GGGGG2\n", "", "no reply to craft:-yy-g, where 1 answer remains: abort"),
    ],
)
def test_faults_are_reported_with_their_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in LINES
    with pytest.raises(BadInput, match=message):
        _verified(tmp_path, LINES.replace(old, new))
