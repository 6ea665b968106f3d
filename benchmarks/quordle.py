"""Quordle: whole games per second by every strategy, beside plain Python."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from itertools import product
from statistics import median

import numpy as np

from gpusolve.backend import Array, Backend
from gpusolve.games.quordle import joint, kernels, rules
from gpusolve.games.quordle.variant import Variant
from gpusolve.games.wordle.wordlist import word_list
from harness import Row, Work, ratio, side_by_side

SEED = 1
BOARDS, MAX_GUESSES = 4, 9
GAMES = 100_000
JOINT_GAMES = 1_000
PLAIN_GAMES = 2
FIT = 20  # words that fit each board of the position of the look-ahead


def rows(backend: Backend) -> list[Row]:
    """Time whole games by each strategy, beside plain Python."""
    variant = Variant.load()
    table = []
    plain = _plain(variant)
    runs = _runs(backend, variant, GAMES, JOINT_GAMES)
    core_seconds: dict[str, list[float]] = {name: [] for name in runs}

    def timed(name: str, run: Callable[[], object]) -> Callable[[], None]:
        def timed_run() -> None:
            begin = time.process_time()
            run()
            core_seconds[name].append(time.process_time() - begin)

        return timed_run

    seconds = side_by_side({name: timed(name, run) for name, run in runs.items()}, backend, rounds=5)
    for name, values in seconds.items():
        count = JOINT_GAMES if name == "joint" else GAMES
        beside = plain["left-to-right" if name != "joint" else "joint"]
        table.append(
            Row(
                f"{count:,} games, {name}, {backend.about}",
                median(values),
                f"{count / median(values):,.0f} games/s, {count / median(core_seconds[name]):,.0f} per core-second",
                f"plain Python takes {beside / (median(values) / count):,.0f} times as long"
                + (" for one guess" if name == "joint" else "")
                if name in ("left-to-right", "joint")
                else f"{ratio(seconds, name, 'left-to-right'):.2f} x left-to-right",
            )
        )
    return [*table, *(Row(f"plain Python, {name}, {_of(name)}", value, "") for name, value in plain.items())]


def _of(name: str) -> str:
    return "one guess of four boards with eight words each" if name == "joint" else "a game"


def works(backend: Backend, scale: float) -> dict[str, Work]:
    """Return what is compared between devices: games by two simple strategies, one of which counts, and by `joint`."""
    games, joint_games = max(2, round(2_000_000 * scale)), max(2, round(20_000 * scale))
    variant = Variant.load() if scale >= 0.001 else Variant.load(word_list("wordle-answers")[::50])
    joint_tables = joint.prepare(backend, variant)
    runs = _runs(backend, variant, games, joint_games)
    fits = [np.arange(i, i + 8 * FIT, 8, dtype=np.uint16) % len(variant.answers) for i in range(BOARDS)]
    names = {
        "random": (games, "50,000,000 games/s"),
        "fewest-remaining": (games, ""),
        "joint": (joint_games, "10,000 games/s"),
    }

    def second_guesses() -> Array:
        return kernels.openings(backend, joint_tables).costs[:, : joint_tables.guesses]

    longer = Variant.load(["".join(word) for word in product("abcd", repeat=6)][:: 3 if scale >= 0.001 else 60])
    longer_tables = joint.prepare(backend, longer)

    def longer_games() -> kernels.Games:
        hidden = kernels.deals(backend, SEED, first=0, count=games, boards=BOARDS, answers=len(longer.answers))
        tables = kernels.simple_tables(backend, longer.answers, longer.player, longer.scoring)
        return kernels.simple_games(backend, hidden, tables, strategy="random", max_guesses=MAX_GUESSES, seed=SEED)

    def longer_joint() -> kernels.Games:
        hidden = kernels.deals(backend, SEED, first=0, count=joint_games, boards=BOARDS, answers=len(longer.answers))
        return joint.play(backend, hidden, kernels.openings(backend, longer_tables), MAX_GUESSES)

    def longer_look_ahead() -> dict[int, joint.Outlook]:
        fits = [np.arange(i, i + 8, dtype=np.uint16) for i in range(BOARDS)]
        costs = joint.costs(backend, fits, MAX_GUESSES, longer_tables)
        return joint.look_ahead(backend, fits, costs, longer_tables, guesses_left=MAX_GUESSES)

    def look_ahead() -> dict[int, joint.Outlook]:
        costs = joint.costs(backend, fits, MAX_GUESSES, joint_tables)
        return joint.look_ahead(backend, fits, costs, joint_tables, guesses_left=MAX_GUESSES)

    return {
        **{
            f"{count:,} games, {name}": Work(runs[name], lambda played: len(played.turns), "games", goal)
            for name, (count, goal) in names.items()
        },
        f"a look-ahead with {FIT} words a board": Work(look_ahead, lambda found: 1, "positions"),
        f"{games:,} games, random, six letters": Work(longer_games, lambda played: len(played.turns), "games", ""),
        f"{joint_games:,} games, joint, six letters": Work(longer_joint, lambda played: len(played.turns), "games", ""),
        "a look-ahead with 8 words a board, six letters": Work(longer_look_ahead, lambda found: 1, "positions"),
        "tables of second guesses": Work(second_guesses, lambda costs: int(costs.size), "costs"),
    }


def _runs(backend: Backend, variant: Variant, games: int, joint_games: int) -> dict[str, Callable[[], kernels.Games]]:
    """Return, for each strategy, a function that plays games with tables made before."""
    tables = kernels.simple_tables(backend, variant.answers, variant.player, variant.scoring)
    opening = kernels.openings(backend, joint.prepare(backend, variant))

    def hidden(count: int) -> Array:
        return kernels.deals(backend, SEED, first=0, count=count, boards=BOARDS, answers=len(variant.answers))

    def simple(strategy: rules.Simple) -> Callable[[], kernels.Games]:
        play = partial(kernels.simple_games, backend, tables=tables, strategy=strategy, seed=SEED)
        return lambda: play(hidden=hidden(games), max_guesses=MAX_GUESSES)

    runs: dict[str, Callable[[], kernels.Games]] = {strategy: simple(strategy) for strategy in rules.SIMPLE}
    runs["joint"] = lambda: joint.play(backend, hidden(joint_games), opening, MAX_GUESSES)
    return runs


def _plain(variant: Variant) -> dict[str, float]:
    """Time plain Python: a game by a simple strategy, and one guess of `joint`, which judges all words."""
    words = variant.answers[:]
    begin = time.perf_counter()
    for number in range(PLAIN_GAMES):
        hidden = [words[place] for place in rules.deal(SEED, number, BOARDS, len(words))]
        rules.play(hidden, words, "left-to-right", max_guesses=MAX_GUESSES, player="consistent", scoring="wordle")
    simple = (time.perf_counter() - begin) / PLAIN_GAMES
    begin = time.perf_counter()
    boards = [words[i * 50 : i * 50 + 8] for i in range(BOARDS)]
    rules.joint_guess(variant.guesses, boards, one=joint.ONE, solve=joint.SOLVE, scoring=variant.scoring)
    return {"left-to-right": simple, "joint": time.perf_counter() - begin}
