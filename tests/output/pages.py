"""A page of every game with hostile names, and a check of HTML that needs no browser."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from gpusolve.games import qless, queuedle, quiddler, quordle, sliding, tetris, wordle
from gpusolve.games.tetris.measuring.prospects import Prospect
from gpusolve.games.tetris.recording import turns_of
from gpusolve.output import page
from gpusolve.result import Result

HOSTILE = "</script><script>alert(1)</script>\"'><b onclick=alert(2)>&amp;{{7*7}}{% raw %}\x1b[31m<!--"


def wordle_game() -> wordle.Analysis:
    """Return a game with a guess of every kind, judged by lists of a hostile name."""
    others = [
        wordle.Alternative("croup", 2.25, pattern=81, left=1, likely_left=1, exact=True),
        wordle.Alternative("chart", 2.3, pattern=242, left=0, likely_left=0, exact=False),
    ]
    moves = [
        _move("salet", 165, 2315, 250, words=["abbot"] * 250, cost=3.42),
        _move("crony", 5, 20, 1, words=["chart"], cost=2.45, best="croup", best_cost=2.25, alternatives=others),
        _move("chart", 242, 1, 0, cost=1.0, exact=False),
    ]
    variant = wordle.Variant.load(answers=["salet", "crony", "chart"])
    variant.answers.name = f"/lists/{HOSTILE.replace('/', '')}"
    return wordle.Analysis(moves, "chart", variant, widened=False)


def _move(guess: str, pattern: int, remaining: int, left: int, *, cost: float, **others: Any) -> wordle.Move:
    fields: dict[str, Any] = {
        "chance": 0.25,
        "remaining": remaining,
        "likely": remaining,
        "left": left,
        "likely_left": left,
        "words": [],
        "mean_left": 2.0,
        "mean_likely_left": 2.0,
        "known_places": [],
        "best": guess,
        "best_cost": cost,
        "best_mean_likely_left": 2.0,
        "best_pattern": None,
        "best_left": None,
        "best_likely_left": None,
        "alternatives": [],
        "luck": 73,
        "saved": 0.4,
        "exact": True,
    }
    return wordle.Move(guess, pattern, cost=cost, **fields | others)


def quordle_game() -> quordle.Analysis:
    """Return a game of two boards."""
    rating, other = quordle.Rating("carle", 9.5, 0.25, 3.6, None), quordle.Rating("world", 3.5, 0.5, 4.6, 5.85)
    judgements = [quordle.Judgement(rating, rating, [2315, 2315]), quordle.Judgement(other, rating, [20, 4])]
    turns = [quordle.Turn("carle", (10, 20)), quordle.Turn("world", (242, 3))]
    variant = quordle.Variant.load()
    return quordle.Analysis(judgements, ["world", "hello"], "classic", [], turns, [0, 2], [], variant)


def tetris_game() -> tetris.Replay:
    """Return a game of three pieces whose player has a hostile name."""
    variant = tetris.Variant()
    turns = turns_of([(0, (0, 21, 0)), (0, (0, 21, 4)), (6, (0, 20, 8))], variant)
    return tetris.Replay(HOSTILE, HOSTILE, 1, 0, variant, turns)


def tetris_review() -> tetris.Review:
    """Return a review of that game, rated by a player of a hostile name, with chances after each placement."""
    game = tetris_game()
    judged = tuple(
        tetris.Judgement(
            number=number,
            piece=turn.piece,
            following=None,
            state=turn.state,
            best=(0, 21 - (turn.piece == 6), 3),
            rank=number,
            count=17,
            value=9.0,
            best_value=9.0 - lost,
            loss=lost,
            cleared=turn.cleared,
            lines=turn.lines,
            level=turn.level,
            played_at=game.variant.level_at(turn.lines - turn.cleared),
            missed=lost == 7,
            prospect=Prospect(9, 0.5, number / 9),
        )
        for number, (turn, lost) in enumerate(zip(game.turns, (7.0, 0.0, 2.0), strict=True), 1)
    )
    boards = np.stack([before for _, before in game.boards])
    return tetris.Review(judged, HOSTILE, True, game.variant, boards)


def queuedle_game() -> queuedle.ScoredGame:
    """Return the slides of the README."""
    return queuedle.check("r2 l4 d1 r2", "etpra/tlcbi/vaaif/npueu/ihaai tgeelruwposco")


def queuedle_day() -> queuedle.ScoredGame:
    """Return that game as one of a day with a hostile name."""
    game = queuedle_game()
    return replace(game, puzzle=replace(game.puzzle, date=HOSTILE))


def quiddler_plan() -> quiddler.Plan:
    """Return a plan that moves a card."""
    return quiddler.check("nu ja bi icy unworthy", "nwu(th)ryyi acjounbi").plan


def qless_solutions() -> qless.Solutions:
    """Return more fillings of a shape than a page shows without scripts; not all of them are words."""
    cells = np.array([[2, 16, 17, 18, 34]], np.uint8)  # ..t/eat/..e
    shapes = qless.Shapes(5, 3, False, cells, np.array([2]), np.array([False]), 63)
    fills = np.array(sorted(set(permutations((0, 4, 4, 19, 19)))), np.uint8)
    return qless.Solutions(
        "aeett", shapes, np.zeros(len(fills), np.int32), fills, complete=True, max_solutions=None, seconds=0.1
    )


def save(path: Path, game: str, result: Result) -> None:
    """Write the page that ``--html`` writes."""
    page.save_drawing(path, game, result.drawing(), fallback="")


GAMES: dict[str, Callable[[Path], None]] = {
    "qless": lambda path: save(path, "qless", qless_solutions()),
    "queuedle": lambda path: save(path, "queuedle", queuedle_day()),
    "quiddler": lambda path: save(path, "quiddler", quiddler.Verdict(quiddler_plan(), HOSTILE)),
    "quordle": lambda path: save(path, "quordle", quordle_game()),
    "sliding": lambda path: save(path, "Sliding tiles", sliding.show("1 2 5 / 3 4 0", "ULL")),
    "tetris": lambda path: save(path, "NES Tetris", tetris_game()),
    "tetris review": lambda path: save(path, "NES Tetris", tetris_review()),
    "wordle": lambda path: save(path, "wordle", wordle_game()),
}
"""Game -> a function that writes a page of it."""
STEPS = {"queuedle": 4, "quiddler": 6, "sliding": 3, "tetris": 3, "tetris review": 3}
"""Games whose page goes through steps -> the number of steps of the page in GAMES."""


def faults(html: str, *, whole: bool = True) -> list[str]:
    """Return what is wrong with a page, or with a fragment of one if not `whole`."""
    return list(_faults(html, whole))


def _faults(html: str, whole: bool) -> Iterator[str]:
    import html5lib

    parser = html5lib.HTMLParser(html5lib.getTreeBuilder("etree"), namespaceHTMLElements=False)
    root = parser.parse(html) if whole else parser.parseFragment(html)
    for _, code, details in parser.errors:
        yield f"not valid HTML: {code} {details}"
    elements = [element for element in root.iter() if isinstance(element.tag, str)]
    ids = [element.get("id") for element in elements if element.get("id")]
    yield from (f"id {name} occurs {ids.count(name)} times" for name in set(ids) if ids.count(name) > 1)
    labelled = {element.get("for") for element in elements if element.tag == "label"}
    yield from (f"label of nothing: {name}" for name in labelled - set(ids))
    for element in elements:
        text = "".join(element.itertext()).strip()
        named = element.get("aria-label") or (element.tag in ("button", "summary") and text)
        if element.tag == "input" and element.get("id") not in labelled:
            yield f"input {element.get('id')} has no label"
        if (element.tag == "button" or element.get("role")) and not named:
            yield f"{element.tag} {dict(element.attrib)} has no name"
        for name, value in element.items():
            if name.startswith("on"):
                yield f"{element.tag} has the handler {name}"
            if name in ("src", "href", "action", "srcset", "data") and not value.startswith(("#", "data:")):
                yield f"{element.tag} loads {value}"
        if element.tag in ("script", "style") and re.search(r"https?:|@import|url\(|\beval\(|innerHTML", text):
            yield f"{element.tag} loads something, or writes markup"
        if element.tag in ("iframe", "object", "embed", "img", "form"):
            yield f"{element.tag} is not expected"
    if whole:
        yield from _faults_of_frame(root, html)


def _faults_of_frame(root: Any, html: str) -> Iterator[str]:
    """Yield what is wrong with the head of a page, and with the scripts that its policy lets run."""
    if root.get("lang") != "en" or not (root.findtext("head/title") or "").strip():
        yield "no language or no title"
    metas = {meta.get("name") or meta.get("http-equiv"): meta.get("content") for meta in root.iter("meta")}
    if "width=device-width" not in metas.get("viewport", ""):
        yield "no viewport"
    policy = metas["Content-Security-Policy"]
    code = [script.text for script in root.iter("script") if script.get("type") != "application/json"]
    digests = [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in code]
    if policy.rpartition("script-src ")[2] != (" ".join(digests) or "'none'") or len(code) > 1:
        yield f"the policy {policy} does not fit the scripts"
    if "default-src 'none'" not in policy:
        yield "the policy lets something be loaded"
    if len(list(root.iter("h1"))) != 1 or len(list(root.iter("main"))) != 1:
        yield "expected one h1 and one main"
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", html):
        yield "control characters"
