"""Small strategies of Wordle in files, right ones and damaged ones."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from games.wordle import oracle
from games.wordle.oracle import cells_of
from gpusolve.errors import BadInput
from gpusolve.games.wordle import Verified, rules
from gpusolve.games.wordle.rules import History
from small.cases import Trial, call, differences
from small.words import Game, draw_game, words_of

Node: TypeAlias = str | dict[str, Any]
"""A strategy in nested JSON: a guess and its replies, or the last guess alone."""
_FOLDER = tempfile.TemporaryDirectory()


def written(text: str) -> Path:
    """Write a strategy to a file, which the next one replaces."""
    path = Path(_FOLDER.name) / "tree.json"
    path.write_text(text, encoding="utf-8")
    return path


def draw_verify(chance: random.Random) -> Trial:
    game = draw_game(chance, weights=False)
    game = Game(game.guesses, game.answers, game.digraphs, mode=game.mode, scoring=game.scoring)
    oracle.pattern.cache_clear()
    tree = draw_tree(chance, game, game.answers, [])
    nodes = list(_nodes(tree))
    if chance.random() < 0.4:
        node = chance.choice(nodes)
        if node["map"] and chance.random() < 0.5:
            del node["map"][chance.choice(list(node["map"]))]
        else:
            node["guess"] = str.__str__(chance.choice(game.guesses))
    made = call(
        "verify",
        call("written", json.dumps(tree)),
        guesses=words_of(game.guesses, game.digraphs),
        answers=words_of(game.answers, game.digraphs),
        mode=game.mode,
        scoring=game.scoring,
    )
    return Trial(made, partial(fault_of_verified, game, tree), (BadInput,))


def draw_tree(chance: random.Random, game: Game, left: Sequence[str], history: History) -> dict[str, Any]:
    """Return a random strategy, each of whose guesses tells something or can be the answer."""
    legal = game.legal(history)
    guess = chance.choice([word for word in legal if word in left or len(cells_of(word, left, game.scoring)) > 1])
    replies: dict[str, Node] = {}
    for code, cell in cells_of(guess, left, game.scoring).items():
        if not rules.solves(guess, code):
            below = draw_tree(chance, game, cell, [*history, (guess, code)])
            replies[digits_of(code, game)] = below["guess"] if not below["map"] and chance.random() < 0.5 else below
    return {"guess": str.__str__(guess), "map": replies}


def digits_of(code: int, game: Game) -> str:
    return "".join(str(code // 3**i % 3) for i in range(game.length))


def _nodes(tree: Node) -> list[dict[str, Any]]:
    if isinstance(tree, str):
        return []
    return [tree, *(node for below in tree["map"].values() for node in _nodes(below))]


def turns_in(game: Game, tree: Node, left: Sequence[str], history: History) -> dict[str, int] | None:
    """Return the number of guesses of a strategy for each answer that is left; None if it has a fault."""
    text, replies = (tree, {}) if isinstance(tree, str) else (tree["guess"], tree["map"])
    guess = next(word for word in game.guesses if word == text)
    if guess not in game.legal(history):
        return None
    turns: dict[str, int] = {}
    for code, cell in cells_of(guess, left, game.scoring).items():
        if rules.solves(guess, code):
            turns[guess] = 1
            continue
        reply = replies.get(digits_of(code, game))
        below = None if reply is None else turns_in(game, reply, cell, [*history, (guess, code)])
        if below is None:
            return None
        turns |= {answer: number + 1 for answer, number in below.items()}
    return turns


def fault_of_verified(game: Game, tree: Node, found: Verified | BadInput) -> str:
    oracle.pattern.cache_clear()
    expected = turns_in(game, tree, game.answers, [])
    if isinstance(found, BadInput):
        return "" if expected is None else f"refused: {found}"
    return differences(turns=(found.turns, expected))
