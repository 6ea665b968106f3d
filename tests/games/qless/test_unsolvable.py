"""Rolls without a solution."""

from __future__ import annotations

from gpusolve.backend import open_backend
from gpusolve.games.qless._count import count
from gpusolve.games.qless._unsolvable import unsolvable
from gpusolve.games.qless.rules import broken_rule
from gpusolve.games.qless.variant import STANDARD

CPU = open_backend("cpu")
WORDS = set(STANDARD.anagrams.words)


def test_the_largest_parts_of_an_unsolvable_roll_have_solutions() -> None:
    result = unsolvable("fgjlmmnnnoot", backend=CPU)
    assert result.unsolvable
    for part in result.parts:
        assert sorted(part.letters + part.without) == sorted("fgjlmmnnnoot")
        assert part.solutions == count(part.letters, backend=CPU).solutions
    assert [part.solutions for part in result.parts] == sorted((part.solutions for part in result.parts), reverse=True)
    assert result.example is not None
    assert broken_rule(result.example, result.parts[0].letters, WORDS) is None


def test_a_solvable_roll_has_an_example() -> None:
    result = unsolvable("cddeeimprtwx", backend=CPU)
    assert not result.unsolvable
    assert result.parts == []
    assert result.example is not None
    assert broken_rule(result.example, "cddeeimprtwx", WORDS) is None


def test_a_roll_of_consonants_has_no_solvable_part() -> None:
    result = unsolvable("bbbcccdddfff", backend=CPU)
    assert (result.unsolvable, result.parts, result.example) == (True, [], None)
