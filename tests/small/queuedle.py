"""Small cases of Queuedle: short queues, whose games can all be tried."""

from __future__ import annotations

import random
from functools import cache, partial
from typing import Any

from gpusolve.games.queuedle import ScoredGame, Solution, Suggestion, rules
from gpusolve.games.queuedle.positions import Position
from small.cases import Call, Check, Trial, call, differences, first_of

Text = tuple[tuple[str, ...], str]
"""The grid and the queue of a puzzle."""


def draw_puzzle(chance: random.Random) -> tuple[Text, list[str]]:
    """Return a puzzle with one to three letters in its queue, and words over its letters."""
    size = chance.choice([3, 4, 4, 4, 5, 6])
    letters = chance.sample("aeiorstnl", chance.choice([2, 3, 4, 6]))
    grid = tuple("".join(chance.choices(letters, k=size)) for _ in range(size))
    queue = "".join(chance.choices(letters, k=chance.choice([1, 2, 2, 3]) if size <= 4 else chance.choice([1, 2])))
    sizes = range(3, size + 1)
    words = {"".join(chance.choices(letters, k=chance.choice(sizes))) for _ in range(chance.randint(1, 15))}
    return (grid, queue), sorted(words)


def written(text: Text) -> Call:
    return call("Puzzle", *text)


def draw_solve(chance: random.Random) -> Trial:
    text, words = draw_puzzle(chance)
    seed, options = chance.choice([None, 3]), dict[str, Any]()
    match strategy := chance.choice(["auto", "beam", "best-first", "exhaustive"]):
        case "auto":
            options = {"states": chance.choice([1, 1000, 100_000]), "seed": 1, "restarts": chance.choice([None, 2])}
        case "beam":
            options = {
                "heuristic": chance.choice([None, "score", "potential"]),
                "width": chance.choice([1, 10, 100, 20_000]),
                "endings": chance.choice([None, 0, 1, 2, 3]),
                "seed": seed,
            }
        case "best-first":
            options = {
                "heuristic": chance.choice([None, "score", "score+remaining"]),
                "expanded": chance.choice([1, 10, 1000, 20_000]),
                "batch": chance.choice([1, 7, 4096]),
                "lossy": chance.choice([None, True]),
            }
    made = call("solve", written(text), dictionary=words, strategy=strategy, **options)
    return Trial(made, partial(fault_of_solution, text, words, made))


def best_score(text: Text, words: list[str]) -> int:
    """Return the best score of all games, by trying them."""
    known = frozenset(words)

    @cache
    def score(grid: tuple[str, ...]) -> int:
        return rules.score(grid, known)

    def best(position: Position) -> int:
        after = (best(rules.slide(position, move)) for move in rules.legal_moves(position))
        return max(score(position.grid), max(after, default=0))

    return best(Position(*text))


def fault_of_solution(text: Text, words: list[str], made: Call, found: Solution) -> str:
    last = rules.replay(Position(*text), found.moves)[-1]
    faults = [
        differences(score=(found.score, rules.score(last.grid, frozenset(words))), complete=(found.complete, True))
    ]
    best = best_score(text, words)
    if found.score > best:
        faults.append(f"{found.score} points, but the best score is {best}")
    if found.bound < best:
        faults.append(f"no board scores more than {found.bound}, but the best score is {best}")
    faults.append(differences(proven=(found.proven, found.score == found.bound)))
    if found.proven or made.options["strategy"] == "exhaustive":
        faults.append(differences(best=(found.score, best), proven=(found.proven, True)))
    return first_of(faults)


def draw_check(chance: random.Random) -> Trial:
    text, words = draw_puzzle(chance)
    position = Position(*text)
    for _ in range(chance.randint(0, len(text[1]))):
        position = rules.slide(position, chance.choice(rules.legal_moves(position)))
    made = call("check", list(position.moves), written(text), dictionary=words)
    return Trial(made, partial(fault_of_game, text, words, list(position.moves)))


def fault_of_game(text: Text, words: list[str], moves: list[int], found: ScoredGame) -> str:
    """Find the words of each board with the lines written out, as a person does."""
    grid = [list(row) for row in text[0]]
    size, expected = len(grid), []
    for turn in range(len(moves) + 1):
        rows = ["".join(row) for row in grid] + ["".join(row) for row in zip(*grid, strict=True)]
        runs = [row[a:b] for row in rows for a in range(size) for b in range(a + 3, size + 1)]
        expected.append(sum(len(run) for run in runs if run in words))
        if turn < len(moves):
            line, direction, letter = moves[turn] // 4, moves[turn] % 4, text[1][turn]
            cells = [(line, i) if direction < 2 else (i, line) for i in range(size)]
            values = [grid[row][column] for row, column in cells]
            values = [*values[1:], letter] if direction in (0, 2) else [letter, *values[:-1]]
            for (row, column), value in zip(cells, values, strict=True):
                grid[row][column] = value
    return differences(scores=([board.score for board in found.boards], expected), score=(found.score, expected[-1]))


def draw_suggest(chance: random.Random) -> Trial:
    """Draw a puzzle with one or two known letters and at most one hidden letter."""
    (grid, queue), words = draw_puzzle(chance)
    text, hidden = (grid, queue[: 1 + (len(grid) <= 4)]), chance.choice([0, 0, 1])
    if hidden:
        text = grid, queue[:1]
    made = call("suggest", written(text), hidden=hidden, dictionary=words)
    return Trial(made, partial(fault_of_suggestion, text, words, hidden))


def fault_of_suggestion(text: Text, words: list[str], hidden: int, found: Suggestion) -> str:
    if not found.exact:
        return "not exact"
    grid, queue = text
    start = Position(grid, queue)
    needed = {letter for word in words for letter in word}
    ends = [letter if letter in needed else "-" for letter in rules.TILES] if hidden else [""]
    best = float(rules.score(grid, words))
    for move in rules.legal_moves(start):
        worth = {end: _best(rules.slide(Position(grid, queue + end), move), words) for end in set(ends)}
        best = max(best, sum(worth[end] for end in ends) / len(ends))
    return differences(expected=(round(found.slides[0].expected, 6), round(best, 6)))


def _best(position: Position, words: list[str]) -> int:
    following = [_best(rules.slide(position, move), words) for move in rules.legal_moves(position)]
    return max(rules.score(position.grid, words), *following, 0)


CHECKS = [
    Check("queuedle solve", draw_solve),
    Check("queuedle suggest", draw_suggest),
    Check("queuedle check", draw_check),
]
