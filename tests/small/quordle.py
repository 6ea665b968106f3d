"""Small cases of Quordle: the words that remain on each board, and the values of all guesses."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from gpusolve.games.quordle import Simulation, Suggestions, Turn
from gpusolve.games.quordle.rules import Mode, Player, deal, open_boards, picker, play, turns_of
from gpusolve.games.wordle import rules
from small.cases import Check, Trial, call, differences, first_of
from small.words import Game, draw_game, words_of


def draw_suggest(chance: random.Random) -> Trial:
    game, boards = draw_game(chance, most=12), chance.choice([1, 2, 2, 3, 4])
    boards = min(boards, len(game.answers))
    game = Game(game.guesses, game.answers, game.digraphs, scoring=game.scoring, weights=game.weights)
    mode: Mode = chance.choice(["classic", "classic", "sequence"])
    hidden = chance.sample(list(game.answers), k=boards)
    guesses = chance.choices(game.guesses, k=chance.choice([0, 0, 1, 1, 2]))
    turns = turns_of(hidden, guesses, game.scoring, mode)
    made = call(
        "suggest",
        [str(turn) for turn in turns],
        boards=boards,
        mode=mode,
        variant=call(
            "Variant.load",
            words_of(game.answers, game.digraphs),
            words_of(game.guesses, game.digraphs),
            scoring=game.scoring,
            weights=game.variant.options.get("weights"),
        ),
    )
    return Trial(made, partial(fault_of_suggestions, game, turns, boards, mode))


def fault_of_suggestions(game: Game, turns: Sequence[Turn], boards: int, mode: Mode, found: Suggestions) -> str:
    remaining, opened = [], open_boards(turns, boards, mode)
    for board in range(boards):
        history = [(turn.guess, code) for turn in turns if (code := turn.patterns[board]) is not None]
        is_solved = bool(history) and rules.solves(*history[-1])
        remaining.append([] if is_solved else game.likeliest(game.left(history)))
    faults = [
        differences(
            remaining=(found.remaining, remaining),
            solved=(found.solved, not any(remaining[:opened])),
            closed=(found.closed, list(range(opened + 1, boards + 1))),
            guesses=(sorted(row.guess for row in found.rows), sorted(game.guesses) if any(remaining[:opened]) else []),
        )
    ]
    for row in found.rows:
        solves = 0.0
        for left in filter(None, remaining[:opened]):
            weights = game.weight_of(left)
            solves += weights.get(row.guess, 0) / sum(weights.values())
        faults.append(differences(solves=(round(row.solves, 4), round(solves, 4))))
    return first_of(faults)


def draw_simulate(chance: random.Random) -> Trial:
    game, boards = draw_game(chance, most=10, weights=False), chance.choice([1, 2, 4])
    boards = min(boards, len(game.answers))
    player: Player = chance.choice(["consistent", "article"])
    made = call(
        "simulate",
        call(
            "Variant.load",
            words_of(game.answers, game.digraphs),
            words_of(game.guesses, game.digraphs),
            player=player,
            scoring=game.scoring,
        ),
        count=chance.randint(1, 10),
        boards=boards,
        max_guesses=chance.randint(boards, boards + 5),
        seed=chance.randrange(1000),
    )
    return Trial(made, partial(fault_of_simulation, game, player, made.options))


def fault_of_simulation(game: Game, player: Player, options: Mapping[str, Any], found: Simulation) -> str:
    """Play the games of the simple strategies by the rules; those of `joint` have to be counted, all of them."""
    count, boards, most, seed = (options[name] for name in ("count", "boards", "max_guesses", "seed"))
    hidden = [[game.answers[i] for i in deal(seed, number, boards, len(game.answers))] for number in range(count)]
    faults = [differences(complete=(found.complete, True))]
    for i, strategy in enumerate(found.strategies):
        ends = Counter({guesses: n for guesses, n in enumerate(found.pairs[i, i].diagonal().tolist()) if n})
        faults.append(differences(games=(ends.total(), count), boards=(int(found.solved[i].sum()), count * boards)))
        if strategy != "joint":
            played = [
                play(
                    words,
                    game.answers,
                    strategy,
                    max_guesses=most,
                    player=player,
                    scoring=game.scoring,
                    pick=picker(seed, number),
                )
                for number, words in enumerate(hidden)
            ]
            expected = Counter(max(each.turns) if each.won else 0 for each in played)
            faults.append(differences(**{strategy.replace("-", "_"): (ends, expected)}))
    return first_of(faults)


WORDS = "gpusolve.games.wordle"
"""The module that has WordList."""
CHECKS = [Check("quordle suggest", draw_suggest, WORDS), Check("quordle simulate", draw_simulate, WORDS)]
