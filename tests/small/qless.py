"""Small cases of Q-less: all crosswords of a few letters and words against the exhaustive search of the rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

from gpusolve.errors import NoSolution
from gpusolve.games.qless import Arrangement, Census, Count, Grid, Hint, Solutions, Unsolvable, rules
from gpusolve.games.qless.rolls import random_rolls, text_of
from gpusolve.games.qless.variant import COMMON
from gpusolve.wordlists import load_words
from small.cases import Call, Check, Trial, call, differences, first_of

MOST_LETTERS = 7


@dataclass(frozen=True)
class Game:
    """The letters of a roll, the words of a dictionary, and the rules."""

    letters: str
    words: list[str]
    ban: list[str]
    min_length: int = 3
    allow_touching: bool = False
    no_repeats: bool = False

    @property
    def variant(self) -> Call:
        """The call that makes the variant."""
        return call(
            "Variant",
            self.words,
            min_length=self.min_length,
            allow_touching=self.allow_touching,
            no_repeats=self.no_repeats,
            ban=self.ban or None,
        )

    @property
    def valid(self) -> list[str]:
        """The words that count."""
        return [word for word in self.words if word not in self.ban and len(word) >= self.min_length]

    def solutions(self, letters: str, must: str | None = None) -> list[Grid]:
        """Return all solutions, each as the lesser of a grid and its transpose."""
        words, options = self.valid, {"min_length": self.min_length, "allow_touching": self.allow_touching}
        found = rules.exhaustive(letters, words, min_length=self.min_length, allow_touching=self.allow_touching)
        kept = [
            grid
            for grid in found
            if rules.broken_rule(grid, letters, words, no_repeats=self.no_repeats, **options) is None  # type: ignore[arg-type]
        ]
        return [grid for grid in kept if must is None or must in grid.runs]


def draw_game(chance: random.Random) -> Game:
    """Return a random game: words over a few letters, and letters of some of these words."""
    kinds = chance.sample("aeiorstnl", chance.choice([1, 2, 3, 4]))
    sizes = [3, 3, 3, 4, 4, 5, 6]
    words = sorted({"".join(chance.choices(kinds, k=chance.choice(sizes))) for _ in range(chance.randint(1, 10))})
    letters = list(chance.choice(words))
    while len(letters) < MOST_LETTERS and chance.random() < 0.8:
        word = list(chance.choice(words))
        word.remove(chance.choice(word))
        letters += word
    letters = letters[: chance.randint(3, MOST_LETTERS)]
    ban = chance.sample(words, chance.randint(0, len(words) // 2)) if chance.random() < 0.3 else []
    min_length = chance.choice([3, 3, 3, 4])
    if not any(len(word) >= min_length and word not in ban for word in words):
        ban, min_length = [], 3
    return Game("".join(sorted(letters)), words, ban, min_length, chance.random() < 0.3, chance.random() < 0.3)


def lesser(grid: Grid) -> Grid:
    return min(grid, grid.transpose, key=lambda grid: grid.rows)


def draw_must(chance: random.Random, game: Game) -> str | None:
    return chance.choice([None, None, chance.choice(game.valid)])


def draw_solve(chance: random.Random) -> Trial:
    game = draw_game(chance)
    must, most = draw_must(chance, game), chance.choice([None, None, 1, 2, 5])
    made = call("solve", game.letters, max_solutions=most, must=must, variant=game.variant)
    return Trial(made, partial(fault_of_solutions, game, must, most))


def fault_of_solutions(game: Game, must: str | None, most: int | None, found: Solutions) -> str:
    expected = game.solutions(game.letters, must)
    grids = [lesser(grid) for grid in found]
    if wrong := [grid for grid in grids if grid not in expected]:
        return f"{wrong[0].to_json()} is no solution"
    if len(set(grids)) < len(grids):
        return "a solution was found twice"
    number = len(expected) if most is None else min(most, len(expected))
    fault = differences(solutions=(len(grids), number))
    if not fault and found.complete and number < len(expected):
        return f"{number} of {len(expected)} solutions are called complete"
    return fault or ("not complete" if most is None and not found.complete else "")


def draw_count(chance: random.Random) -> Trial:
    game = draw_game(chance)
    must = draw_must(chance, game)
    return Trial(call("count", game.letters, must=must, variant=game.variant), partial(fault_of_count, game, must))


def fault_of_count(game: Game, must: str | None, found: Count) -> str:
    expected = len(game.solutions(game.letters, must))
    return differences(solutions=(found.solutions, expected), complete=(found.complete, True))


def draw_unsolvable(chance: random.Random) -> Trial:
    game = draw_game(chance)
    return Trial(call("unsolvable", game.letters, variant=game.variant), partial(fault_of_unsolvable, game))


def fault_of_unsolvable(game: Game, found: Unsolvable) -> str:
    solutions = game.solutions(game.letters)
    if solutions:
        return differences(
            unsolvable=(found.unsolvable, False),
            parts=(found.parts, []),
            example=(found.example is not None and lesser(found.example) in solutions, True),
        )
    parts: list[tuple[str, int]] = []
    for size in range(len(game.letters) - 1, rules.MIN_LETTERS - 1, -1):
        texts = sorted({"".join(part) for part in combinations(game.letters, size)})
        parts = [(text, number) for text in texts if (number := len(game.solutions(text)))]
        if parts:
            break
    parts.sort(key=lambda part: -part[1])
    faults = [
        differences(
            unsolvable=(found.unsolvable, True),
            parts=([(part.letters, part.solutions) for part in found.parts], parts),
            example=(found.example is not None, bool(parts)),
        )
    ]
    for part in found.parts:
        faults.append(differences(without=(Counter(part.without + part.letters), Counter(game.letters))))
    if found.example is not None and lesser(found.example) not in game.solutions(parts[0][0]):
        faults.append(f"{found.example.to_json()} is no solution of {parts[0][0]}")
    return first_of(faults)


def draw_hint(chance: random.Random) -> Trial:
    game, words = draw_game(chance), chance.choice([1, 2, 3, 14])
    return Trial(call("hint", game.letters, words=words, variant=game.variant), partial(fault_of_hint, game, words))


def fault_of_hint(game: Game, words: int, found: Hint | NoSolution) -> str:
    solutions = game.solutions(game.letters)
    if isinstance(found, NoSolution):
        return f"refused, but there are {len(solutions)} solutions" if solutions else ""
    everyday = load_words(COMMON)
    common = replace(game, words=[word for word in game.words if word in everyday]).solutions(game.letters)
    few = min(len(set(grid.words).difference(everyday)) for grid in common or solutions)
    solutions = [grid for grid in common or solutions if len(set(grid.words).difference(everyday)) == few]
    ways = [sorted(grid.words, key=lambda word: (-len(word), word)) for grid in solutions]
    fewest = min(map(len, ways))
    shown = [way[:words] for way in ways if len(way) == fewest]
    return differences(number=(found.solution_words, fewest), known=(found.words in shown, True))


def draw_census(chance: random.Random) -> Trial:
    """Draw a census of random rolls. Each has twelve letters, so few words are long enough to solve some of them."""
    words = sorted(
        {"".join(chance.choices("aeiorstnl", k=chance.choice([3, 4]))) for _ in range(chance.randint(3, 30))}
    )
    seed, count = chance.randrange(1000), chance.randint(1, 20)
    rolls = random_rolls(seed, 0, count)
    letters = [text_of(roll) for roll in rolls]
    for text in chance.sample(
        letters, min(count, chance.randint(0, 2))
    ):  # a roll that has a solution: words that use it up
        words += [text[:4] + text[4:8], text[8:] + text[4]]
    counted = chance.choice([None, True])
    made = call(
        "census",
        count=count,
        all_solutions=counted,
        variant=call("Variant", sorted(set(words)), no_repeats=chance.choice([None, True])),
        seed=seed,
    )
    return Trial(made, partial(fault_of_census, made, letters, sorted(set(words))))


def fault_of_census(made: Call, letters: Sequence[str], words: list[str], found: Census) -> str:
    no_repeats = bool(made.options["variant"].options.get("no_repeats"))
    limit = 1 << 60 if made.options.get("all_solutions") else 2
    expected = [min(limit, len(Game(text, words, [], no_repeats=no_repeats).solutions(text))) for text in letters]
    return differences(
        rolls=([text_of(roll) for roll in found.letters], list(letters)),
        solutions=(found.solutions.tolist(), expected),
        complete=(found.complete, True),
        unsolvable=(found.unsolvable, expected.count(0)),
    )


def draw_arrange(chance: random.Random) -> Trial:
    game = replace(draw_game(chance), min_length=chance.choice([2, 2, 3]), allow_touching=False)
    made = call(
        "arrange",
        game.letters,
        compact=chance.choice([None, True]),
        tries=chance.choice([None, 2]),
        variant=call(
            "Free",
            game.words,
            min_length=game.min_length,
            no_repeats=game.no_repeats,
            ban=[word for word in game.ban if game.valid] or None,
        ),
        seed=chance.randrange(1000),
    )
    return Trial(made, partial(fault_of_arrange, game))


def fault_of_arrange(game: Game, found: Arrangement) -> str:
    solutions = game.solutions(game.letters)
    if found.grid is not None and lesser(found.grid) not in solutions:
        return f"{found.grid.to_json()} is no solution"
    return f"{len(solutions)} solutions, but proven to have none" if found.unsolvable and solutions else ""


CHECKS = [
    Check("qless arrange", draw_arrange),
    Check("qless solve", draw_solve),
    Check("qless count", draw_count),
    Check("qless unsolvable", draw_unsolvable),
    Check("qless hint", draw_hint),
    Check("qless census", draw_census),
]
