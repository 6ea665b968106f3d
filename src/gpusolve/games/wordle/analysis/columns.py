"""The text form of published strategies, as the solver of A. Selby and others print them.

A line is the way to an answer: each guess, the pattern that it gets (B grey, Y yellow, G green), and the number of the
guess. A line leaves out what it shares with the line above; files in which every line is complete are read as well.

    salet BBBBB1 courd BBBBB2 nymph BBBBY3 whiff GGGGG4
                                    BYBBB3 fizzy GGGGG4
                                                 YGBBG4 jiffy GGGGG5
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gpusolve import checks
from gpusolve.errors import BadInput
from gpusolve.games.wordle import rules
from gpusolve.games.wordle.analysis.strategies import Reply, history_text
from gpusolve.games.wordle.rules import LENGTHS, Digraphs

LONGEST = 100
"""Maximum number of guesses on the way to an answer."""
_PATTERN = re.compile(rf"([BYG]{{{LENGTHS[0]},{LENGTHS[-1]}}})([0-9]{{1,3}})", re.IGNORECASE)


@dataclass
class _Node:
    """A guess, and the guesses that follow each of its patterns; None after one that is all green."""

    guess: str
    replies: dict[int, _Node | None] = field(default_factory=dict)

    def reply(self) -> Reply:
        """Return the strategy that begins with this guess."""
        return Reply(self.guess, {code: node.reply() for code, node in self.replies.items() if node is not None})


def is_columns(text: str) -> bool:
    """Return whether a text begins as this form does: with a word, and a pattern with a number."""
    first = text[:100].split()
    return len(first) > 1 and _PATTERN.fullmatch(first[1]) is not None


def read_columns(text: str, place: str, digraphs: Digraphs = ()) -> Reply:
    """Read a strategy in this form. Raises BadInput with the number of the line for the first fault."""
    way: list[tuple[str, int]] = []
    root: _Node | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            way = _way(line.split(), way, digraphs)
            root = root or _Node(way[0][0])
            _add(root, way)
        except BadInput as error:
            raise BadInput(f"{place}: line {number}: {error}") from None
    if root is None:
        raise BadInput(f"{place}: empty")
    return root.reply()


def _way(texts: list[str], above: list[tuple[str, int]], digraphs: Digraphs) -> list[tuple[str, int]]:
    """Return the guesses of a line with their patterns; `above` are those of the line before it."""
    way: list[tuple[str, int]] = []
    word = None
    for text in texts:
        match = _PATTERN.fullmatch(text)
        if match is None:
            if word is not None:
                raise BadInput(f"{checks.shown(text)}: expected the pattern of {word} and the number of the guess")
            word = rules.parse_word(text, None, digraphs)
            continue
        turn = int(match[2])
        if not way and word is None and 0 < turn <= len(above):
            way, word = above[: turn - 1], above[turn - 1][0]
        if word is None or turn != len(way) + 1 or turn > LONGEST:
            raise BadInput(f"{text}: expected guess number {len(way) + 1}" + (" before it" if word is None else ""))
        if way and rules.solves(*way[-1]):
            raise BadInput(f"{word}: a guess after a pattern that is all green")
        way.append((word, rules.parse_pattern(match[1], rules.length_of(word))))
        word = None
    if word is not None or not rules.solves(*way[-1]):
        raise BadInput(f"{word or history_text(way[-1:])}: expected a line that ends with a pattern that is all green")
    return way


def _add(node: _Node, way: list[tuple[str, int]]) -> None:
    """Add the way to an answer to a strategy."""
    for i, (guess, code) in enumerate(way):
        if node.guess != guess:
            after = f"after {history_text(way[:i])}: " if i else ""
            raise BadInput(f"{after}{guess}: expected {node.guess}, the guess of an earlier line")
        if rules.solves(guess, code):
            if code in node.replies:
                raise BadInput(f"a second line for the answer {guess}")
            node.replies[code] = None
            return
        following = node.replies.get(code)
        if following is None:
            following = node.replies[code] = _Node(way[i + 1][0])
        node = following
