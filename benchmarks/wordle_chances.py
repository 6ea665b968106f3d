"""How likely words are to be Wordle's answer today: the facts behind the shipped chances, and what they bring.

    PYTHONPATH=src python benchmarks/wordle_chances.py --possible FILE --played FILE [--games] [--openings]

`--possible` is a list of words that could be answers in July 2023, `--played` has a date and the answer of that day on
each line, separated by a tab, in the order of the days; archives of both are public. It prints the table of the classes
of words, and how well the chances predict. `--games` plays the published answers and the new ones, with advice by the
published list and by the chances. `--openings` prints the means of first words for openings.json.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gpusolve.backend import Backend, open_backend
from gpusolve.games.wordle import rules
from gpusolve.games.wordle._suggest import suggest
from gpusolve.games.wordle.cpu.proof.memory import FREE
from gpusolve.games.wordle.history import after
from gpusolve.games.wordle.proof.values import valued
from gpusolve.games.wordle.rules import MODES, Mode
from gpusolve.games.wordle.variant import ANSWERS, Variant
from gpusolve.games.wordle.weights.chances import (
    FORM,
    LISTED,
    OTHERS,
    RAREST,
    SIZES,
    chance,
    is_form,
    is_published,
    likely,
    size_of,
)
from gpusolve.games.wordle.wordlist import WordList, word_list

FIRST_NEW = "2023-03-27"
"""The day of the first answer that is not in the published list."""
SHARE = 0.08
"""The share of such answers: 19 of the 234 games of 2026."""
PRIOR = 10
"""The table of classes counts the words that were played, and the words of the list as if they were this many more."""
FIRST = "salet"
OPENINGS = 40
"""Number of first words whose means are computed."""
NEW_SINCE = "2024"

Class = tuple[int, bool]
"""The largest SCOWL size of a word, and whether it is a form of another one."""


class Played(NamedTuple):
    """An answer and its day."""

    day: str
    word: str


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--possible", type=Path, required=True, help="possible answers of July 2023")
    parser.add_argument("--played", type=Path, required=True, help="answers of the games, with their days")
    parser.add_argument("--games", action="store_true", help="play the published and the new answers")
    parser.add_argument("--openings", metavar="GUESSES", help="compute first words for this list of guesses")
    parser.add_argument("--picture", type=Path, help="draw the calibration into this file")
    arguments = parser.parse_args()
    possible = set(word_list(str(arguments.possible)))
    lines = arguments.played.read_text(encoding="utf-8").splitlines()
    played = sorted(Played(*line.split("\t")[:2]) for line in lines)
    guesses = word_list("wordle-guesses")
    if arguments.openings:
        backend = open_backend("cpu:1")
        print(json.dumps([_openings(word_list(arguments.openings), mode, backend) for mode in MODES[:2]], indent=2))
        return
    print_classes(guesses, possible, played)
    print_games(guesses, possible, played)
    print_membership(guesses, possible)
    if arguments.picture:
        draw(guesses, possible, played, arguments.picture)
    if arguments.games:
        print_play(guesses, possible, played, open_backend("cpu:1"))


def class_of(word: str) -> Class:
    """Return the class of a word that is not in the published list."""
    size = size_of(word)
    return next((most for most in SIZES if size <= most), RAREST), is_form(word)


def new_words(played: Sequence[Played]) -> list[str]:
    """Return the answers of some games that are not in the published list."""
    return [word for _, word in played if not is_published(word)]


def fitted(guesses: WordList, possible: set[str], played: Sequence[Played], share: float) -> dict[Class, float]:
    """Return the chance of a word of each class, where `LISTED` is that of a published word.

    The classes share the games of unpublished words as these words were played, and as they are in the list, which
    counts as `PRIOR` more games. Forms of other words were never played, so they get a share of half a game.
    """
    outside = [word for word in guesses if not is_published(word)]
    sizes = Counter(map(class_of, outside))
    listed = Counter(class_of(word) for word in outside if word in possible and not is_form(word))
    games = Counter(map(class_of, new_words(played)))
    counts = {
        each: games[each]
        + PRIOR * listed[each] / listed.total()
        + (0.5 * sizes[each] / _forms(sizes) if each[1] else 0)
        for each in sizes
    }
    mass = sum(map(is_published, guesses)) * LISTED * share / (1 - share)
    return {each: mass * count / sum(counts.values()) / sizes[each] for each, count in counts.items()}


def _forms(sizes: Counter[Class]) -> int:
    return sum(number for (_, form), number in sizes.items() if form)


def print_classes(guesses: WordList, possible: set[str], played: Sequence[Played]) -> None:
    """Print how many words each class has, how many are in the list and were played, and their chances."""
    outside = [word for word in guesses if not is_published(word)]
    recent = [each for each in played if each.day >= FIRST_NEW]
    chances = fitted(guesses, possible, recent, SHARE)
    words, listed, games = (
        Counter(map(class_of, some)) for some in (outside, [w for w in outside if w in possible], new_words(recent))
    )
    print(f"{len(recent):,} games since {FIRST_NEW}, {len(new_words(recent))} of them with a new word\n")
    print("| size | form | words | possible in 2023 | played | fitted | shipped |\n|---|---|---:|---:|---:|---:|---:|")
    for each in sorted(words, key=lambda each: (each[1], each[0])):
        shipped = FORM if each[1] else OTHERS[(*SIZES, RAREST).index(each[0])]
        print(
            f"| {each[0]} | {'yes' if each[1] else ''} | {words[each]:,} | {listed[each]:,} | {games[each]} "
            f"| {chances[each] / LISTED:.4f} | {shipped / LISTED:.4f} |"
        )
    print()
    for year in sorted({each.day[:4] for each in played}):
        some = [each for each in played if each.day.startswith(year)]
        new = new_words(some)
        print(f"| {year} | {len(some)} | {len(new)} | {100 * len(new) / len(some):.1f} % | {' '.join(new)} |")


def print_games(guesses: WordList, possible: set[str], played: Sequence[Played]) -> None:
    """Print how many bits the answer of a game carries on average, by several chances; fewer is better."""
    before, after_2026 = ([each for each in played if FIRST_NEW <= each.day < "2026"], [*_since(played, "2026")])
    year = [*_since(before, "2025")]
    share = len(new_words(year)) / len(year)
    held_out = fitted(guesses, possible, before, share)
    published = sum(map(is_published, guesses))
    others = len(guesses) - published

    def bits(games: Sequence[Played], mass: float, chance_of: dict[str, float]) -> float:
        return sum(-math.log2(chance_of[word] / mass) for _, word in games) / len(games)

    models: dict[str, dict[str, float]] = {
        "one percent for all unpublished words alike": {
            word: 1.0 if is_published(word) else 0.01 * published / others for word in guesses
        },
        f"{100 * share:.1f} % for all of them alike": {
            word: 1.0 if is_published(word) else share / (1 - share) * published / others for word in guesses
        },
        f"classes fitted to the games before 2026 and the list, {100 * share:.1f} %": {
            word: LISTED if is_published(word) else held_out[class_of(word)] for word in guesses
        },
        "shipped (has seen these games)": {word: LISTED if is_published(word) else chance(word) for word in guesses},
    }
    print(
        f"\nbits per answer, {len(after_2026)} games of 2026, of which {len(new_words(after_2026))} have a new word\n"
    )
    for name, model in models.items():
        print(f"| {name} | {bits(after_2026, sum(model.values()), model):.3f} |")


def _since(played: Sequence[Played], day: str) -> Iterator[Played]:
    return (each for each in played if each.day >= day)


def print_membership(guesses: WordList, possible: set[str]) -> None:
    """Print how well classes predict which words a list has: the new ones of 2023, and the answers of 2022."""
    outside = [word for word in guesses if not is_published(word)]
    tasks = {
        "new in July 2023": (outside, possible),
        "answers of 2022": (list(guesses), set(word_list("wordle-2022-02-answers"))),
    }
    print("\nmembership, ten parts held out in turn\n")
    print("| list | words | members | log loss of the rate alone | of classes | members below 1 % |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, (words, members) in tasks.items():
        inside = np.array([word in members for word in words])
        kinds = [class_of(word) for word in words]
        chances = np.zeros(len(words))
        parts = np.random.default_rng(1).integers(0, 10, len(words))
        for part in range(10):
            seen = parts != part
            total, hits = Counter[Class](), Counter[Class]()
            for kind, known, hit in zip(kinds, seen, inside, strict=True):
                total[kind] += int(known)
                hits[kind] += int(known and hit)
            for i in np.flatnonzero(~seen):
                chances[i] = (hits[kinds[i]] + 0.5) / (total[kinds[i]] + 1)
        rate = inside.mean()
        losses = (-np.log(np.where(inside, each, 1 - each)).mean() for each in (np.full(len(words), rate), chances))
        plain, ours = losses
        below = int((chances[inside] < 0.01).sum())
        print(f"| {name} | {len(words):,} | {inside.sum():,} | {plain:.4f} | {ours:.4f} | {below} |")


def draw(guesses: WordList, possible: set[str], played: Sequence[Played], path: Path) -> None:
    """Draw the share of played words of each class beside the chances."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    outside = [word for word in guesses if not is_published(word)]
    recent = [each for each in played if each.day >= "2025"]
    words, games = Counter(map(class_of, outside)), Counter(map(class_of, new_words(recent)))
    mass = sum(LISTED if is_published(word) else chance(word) for word in guesses)
    plain = [(size, False) for size in (*SIZES, RAREST)]
    expected = [len(recent) * sum(chance(word) for word in outside if class_of(word) == each) / mass for each in plain]
    figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
    places = np.arange(len(plain))
    axes.bar(places - 0.2, expected, 0.4, label="expected by the chances", color="#4c72b0")
    counts = np.array([games[each] for each in plain])
    axes.bar(places + 0.2, counts, 0.4, yerr=np.sqrt(counts), label="played since January 2025", color="#dd8452")
    axes.set_xticks(
        places,
        [
            f"SCOWL {size}\n{words[size, form]:,} words" if size < RAREST else f"rarer\n{words[size, form]:,}"
            for size, form in plain
        ],
    )
    axes.set_ylabel(f"answers in {len(recent)} games")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)


class Outcome(NamedTuple):
    """How a word is found: the number of guesses; its place and chance among what is left after two guesses."""

    turns: int
    place: int
    chance: float


def print_play(guesses: WordList, possible: set[str], played: Sequence[Played], backend: Backend) -> None:
    """Print how many guesses words take, with advice by the published list and by the chances."""
    new = new_words([*_since(played, FIRST_NEW)])
    groups = {
        "published answers": list(word_list(ANSWERS)),
        "played, new": new,
        "played since 2026": [word for _, word in _since(played, "2026")],
    }
    added = sorted(word for word in possible if word in guesses and not is_published(word))
    words = sorted({word for group in groups.values() for word in group})
    found = {
        "list": play(Variant.load(answers=ANSWERS), words, backend),
        "chances": play(likely(Variant.load()), sorted({*words, *added}), backend),
    }
    print("\n| words | number | by the list | lost | by the chances | lost | difference (95 %) |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, group in groups.items():
        old, ours = (np.array([found[by][word].turns for word in group]) for by in ("list", "chances"))
        difference = ours - old
        error = 1.96 * difference.std(ddof=1) / math.sqrt(len(group))
        print(
            f"| {name} | {len(group):,} | {old.mean():.4f} | {(old > rules.GUESSES).sum()} | {ours.mean():.4f} "
            f"| {(ours > rules.GUESSES).sum()} | {difference.mean():+.4f} ± {error:.4f} |"
        )
    alone = [found["chances"][word].turns for word in added]
    print(f"new in July 2023, by the chances: {np.mean(alone):.4f}, {sum(n > rules.GUESSES for n in alone)} lost")
    for name, group in (groups | {"new in July 2023": added}).items():
        low = sum(found["chances"][word].chance < 0.01 for word in group)
        print(f"chance below 1 % after two guesses: {name} {low} of {len(group)}")
    print("\n| answer | day | by the list: place | by the chances: place | chance | guesses: list | chances |")
    for day, word in _since(played, NEW_SINCE):
        if not is_published(word):
            before, now = found["list"][word], found["chances"][word]
            place = before.place or "not listed"
            print(f"| {word} | {day} | {place} | {now.place} | {now.chance:.3f} | {before.turns} | {now.turns} |")


def play(variant: Variant, words: list[str], backend: Backend) -> dict[str, Outcome]:
    """Return how each word is found if the best suggestion is always played, from `FIRST` on."""
    begin = time.process_time()
    turns: dict[str, int] = {}
    second: dict[str, tuple[int, float]] = {}

    def follow(history: list[tuple[str, int]], group: list[str]) -> None:
        table = suggest(history, variant, backend=backend)
        if len(history) == 2:
            left = dict(zip(table.remaining, table.chances, strict=True))
            order = list(left)
            for word in group:
                second[word] = (order.index(word) + 1, left[word]) if word in left else (0, 0.0)
        guess = FIRST if not history else table.best
        cells: dict[int, list[str]] = {}
        for word in group:
            cells.setdefault(rules.pattern(guess, word), []).append(word)
        for code, cell in cells.items():
            if rules.solves(guess, code):
                turns[guess] = len(history) + 1
                second.setdefault(guess, (1, 1.0))
            else:
                follow([*history, (guess, code)], cell)

    follow([], words)
    print(f"played {len(words):,} words, {time.process_time() - begin:.0f} s", flush=True)
    return {word: Outcome(turns[word], *second[word]) for word in words}


def _openings(guesses: WordList, mode: Mode, backend: Backend) -> dict[str, object]:
    """Return an entry of openings.json: the means of the first words with the most patterns by weight."""
    variant = likely(Variant.load(guesses, mode=mode))
    table = after((), variant, "patterns", backend)
    position = valued(table, variant, backend=backend)
    chosen = dict.fromkeys(table.ranking("patterns")[:OPENINGS].tolist() + table.ranking("entropy")[:OPENINGS].tolist())
    means = {table.guesses[i]: position.cost_after(i, FREE) / position.mass for i in chosen}
    assert variant.weights is not None
    return {
        "guesses": variant.guesses.digest,
        "answers": variant.answers.digest,
        "weights": variant.weights.digest,
        "mode": mode,
        "scoring": variant.scoring,
        "guess_hidden_only": False,
        "means": {word: round(means[word], 5) for word in sorted(means, key=lambda word: means[word])[:OPENINGS]},
    }


if __name__ == "__main__":
    main()
