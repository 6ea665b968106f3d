"""Hidden letters of Queuedle and hidden cards of Quiddler: how much sampled expected scores promise too much.

A sample is played on as if its hidden letters were known after the next play. The table compares such values with exact
ones where these can be computed, and with the scores of games that follow the advice. It takes half an hour on two
cores, and is written to ``benchmarks/results/hidden.md``::

    PYTHONPATH=src python benchmarks/hidden.py
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
import numpy.typing as npt

from gpusolve.backend import open_backend
from gpusolve.errors import BadInput
from gpusolve.games.queuedle import Puzzle, rules, suggest as next_slide
from gpusolve.games.queuedle.kernels import Boards, encode
from gpusolve.games.queuedle.positions import Moves
from gpusolve.games.queuedle.search.searches import Solver
from gpusolve.games.quiddler import Deal, _suggest, suggest as next_word
from gpusolve.games.quiddler.cards import DECK
from harness import heading

GRIDS, DEALS, GAMES, SEED, SAMPLES = {3: 20, 4: 6}, 30, 8, 1, 200
LETTERS = sorted(set(rules.TILES))
CHANCES = np.array([rules.TILES.count(letter) / len(rules.TILES) for letter in LETTERS])
RESULTS = Path(__file__).with_name("results")
BACKEND = open_backend("cpu")


def slides_exactly(puzzle: Puzzle) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the exact and the sampled expected score of each first slide, if two letters after it are hidden.

    One of them is seen after each slide. Sampled values know both after the first; here they are exact means.
    """
    moves = 4 * puzzle.size
    first_scores = np.array([rules.score(rules.slide(puzzle.start, m).grid, WORDS) for m in range(moves)])
    values = np.empty((len(LETTERS), len(LETTERS), moves, moves))
    for i, one in enumerate(LETTERS):
        for j, two in enumerate(LETTERS):
            known_puzzle = Puzzle(puzzle.grid, puzzle.queue + one + two)
            boards = Boards.of(BACKEND, known_puzzle)
            zeros = np.zeros(moves, np.int32)
            after = boards.slide(encode(known_puzzle), zeros, np.arange(moves, dtype=np.uint16))
            parents = np.repeat(np.arange(moves, dtype=np.int32), moves)
            states = boards.slide(after, parents, np.tile(np.arange(moves, dtype=np.uint16), moves))
            best = boards.finish(states, TABLES[puzzle.size], 1)[0].reshape(moves, moves).astype(float)
            legal = np.arange(moves)[:, None] ^ 1 != np.arange(moves)
            values[i, j] = np.where(legal, best, -1)
    seen = np.maximum(np.einsum("j,ijab->iab", CHANCES, values).max(axis=2), first_scores)
    known = np.maximum(values.max(axis=3), first_scores)
    return CHANCES @ seen, np.einsum("i,j,ija->a", CHANCES, CHANCES, known)


def games() -> Iterator[tuple[float, float]]:
    """Yield what the advice promises at the start of a game of 5x5 with ten hidden letters, and what it reaches."""
    chance = random.Random(SEED)
    for _ in range(GAMES):
        text = "".join(chance.choices(rules.TILES, k=40))
        grid = tuple(text[i : i + 5] for i in range(0, 25, 5))
        made, promised, best = list[int](), 0.0, 0
        while True:
            known = min(15, 5 + len(made))
            position = rules.replay(Puzzle(grid, text[25:]).start, made)[-1]
            best = rules.score(position.grid, WORDS)
            if len(made) == 15:
                break
            advice = next_slide(
                Puzzle(grid, text[25 : 25 + known]), moves=made, hidden=15 - known, seed=SEED, backend=BACKEND
            )
            promised = promised or advice.slides[0].expected
            if not advice.slides[0].move:
                break
            made += Moves.parse(advice.slides[0].move, size=5)
        yield promised, float(best)


def deals() -> Iterator[tuple[float, float, float]]:
    """Yield for small tables with two hidden cards the exact and the sampled value, and what the advice loses."""
    chance, exact_limit = random.Random(SEED), _suggest.MOST_EXACT
    while True:
        cards = chance.sample(DECK, 6)
        deal = Deal(tuple(cards[:4]), ("?", "?", *cards[4:]))
        exact = next_word(deal, top=1000, backend=BACKEND)
        if not exact.exact:
            continue
        _suggest.MOST_EXACT = 0
        try:
            sampled = next_word(deal, top=1000, samples=SAMPLES, seed=SEED, backend=BACKEND)
        except BadInput:
            continue
        finally:
            _suggest.MOST_EXACT = exact_limit
        worth = {(play.moved, tuple(play.positions)): play.expected for play in exact.plays}
        first = sampled.plays[0]
        lost = exact.plays[0].expected - worth.get((first.moved, tuple(first.positions)), exact.plays[0].expected)
        yield exact.plays[0].expected, first.expected, lost


def row(what: str, cases: Sequence[tuple[float, ...]]) -> str:
    """Return a row: the means, and the mean of the difference with its standard error."""
    above = [case[1] - case[0] for case in cases]
    error = stdev(above) / len(above) ** 0.5
    lost = f"{fmean(case[2] for case in cases):.2f}" if len(cases[0]) > 2 else ""
    means = f"{fmean(case[0] for case in cases):.2f} | {fmean(case[1] for case in cases):.2f}"
    return f"| {what} | {len(cases)} | {means} | {fmean(above):+.2f} ± {error:.2f} | {lost} |"


def main() -> None:
    """Measure and write."""
    lines = [
        heading("Hidden letters and cards: `python benchmarks/hidden.py`", BACKEND),
        "`sampled`: the expected score of the best play if all that is hidden becomes known after it, as samples "
        "estimate it. `true`: the exact expected score of the best play, if letters and cards are seen only when they "
        "turn up; in games, the mean score reached by following the advice. `lost`: how much worse the play with the "
        "best sampled score is than the best one.",
        "",
        "| what | cases | true | sampled | too much, with standard error | lost |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    chance = random.Random(SEED)
    for size, count in GRIDS.items():
        cases = []
        for _ in range(count):
            text = "".join(chance.choices(rules.TILES, k=size * size + 1))
            exact, sampled = slides_exactly(
                Puzzle(tuple(text[i : i + size] for i in range(0, size * size, size)), text[-1])
            )
            cases.append((exact.max(), sampled.max(), exact.max() - exact[sampled.argmax()]))
        lines.append(row(f"Queuedle, {size} x {size}, one known letter and two hidden ones", cases))
        print(lines[-1], flush=True)
    found = deals()
    lines.append(row("Quiddler, six cards, two of them hidden", [next(found) for _ in range(DEALS)]))
    print(lines[-1], flush=True)
    played = [(reached, promised) for promised, reached in games()]
    lines.append(row("Queuedle, games of 5 x 5, five known letters and ten hidden ones", played))
    print(lines[-1], flush=True)
    (RESULTS / "hidden.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


WORDS = Solver(Puzzle(("aaaaaa",) * 6), backend=BACKEND).words
TABLES = {size: Solver(Puzzle(("a" * size,) * size), dictionary=WORDS, backend=BACKEND).scores for size in GRIDS}

if __name__ == "__main__":
    main()
