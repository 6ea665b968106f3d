"""Puzzles, words and checks that the tests of the searches share."""

from __future__ import annotations

from gpusolve.backend import open_backend
from gpusolve.games.queuedle import rules
from gpusolve.games.queuedle.positions import Position
from gpusolve.games.queuedle.puzzles import Puzzle
from gpusolve.games.queuedle.search.searches import Solution, Solver
from gpusolve.wordlists import load_words

CPU = open_backend("cpu")
PUBLISHED = Puzzle.parse("fndoi/eedgr/aadqs/oeilx/eyatg aikiueieexuatov")
"""The puzzle of 2025-05-31 on the site, which the author's article solves."""
SMALL = Puzzle.parse("tsea/enop/adis/ttre eat")
"""So few games that all of them can be tried."""
LONG = Puzzle.parse(f"tsea/enop/adis/ttre {PUBLISHED.queue}")
"""A small grid with a long queue, on which the rounds of ``auto`` are quick."""
LARGE = Puzzle.parse("estate/teases/qtsets/assest/stqtes/attest se")
"""A 6x6 grid with few different letters, so that its tables of potential are quick."""
WORDS = load_words("scowl-70")


def best_score(puzzle: Puzzle, words: frozenset[str]) -> int:
    """Return the best score of all games, by trying them."""

    def best(position: Position) -> int:
        scores = (best(rules.slide(position, move)) for move in rules.legal_moves(position))
        return max(rules.score(position.grid, words), *scores, 0)

    return best(puzzle.start)


def checked(solver: Solver, solution: Solution) -> Solution:
    """Return a solution after checking that its moves are legal and give its score."""
    position = rules.replay(solver.puzzle.start, solution.moves)[-1]
    assert rules.score(position.grid, solver.words) == solution.score
    return solution


def outcome(solution: Solution) -> list[object]:
    """Return what must be the same on every device."""
    return [solution.score, str(solution.moves), solution.generated]
