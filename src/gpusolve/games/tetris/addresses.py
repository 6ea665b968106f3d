"""Positions in addresses: those of StackRabbit's requests, and those of our own board in the browser."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

from gpusolve import checks
from gpusolve.checks import shown
from gpusolve.errors import BadInput
from gpusolve.games.tetris.rules.reachability import FRAMES_PER_SECOND
from gpusolve.games.tetris.variant import MOST_LINES, Variant

THEIR_PIECES = "IOLJTSZ"
"""StackRabbit's order of the pieces; some of its requests have numbers instead of letters."""
SAME_SPEED = {19: 28, 29: 255}
"""Programs that ask StackRabbit name the first of the levels at which pieces fall equally fast, up to these ones."""
MOST_FRAMES = 120
"""The greatest reaction time in frames: two seconds."""


def is_address(text: str) -> bool:
    """Return whether a text is an address with a board.

    >>> is_address("http://localhost:3000/engine?board=0&currentPiece=T"), is_address("#########.")
    (True, False)
    """
    return "board=" in text and "&" in text


def read_address(text: str, variant: Variant) -> dict[str, Any]:
    """Return the position in an address as arguments of `Position.of`; its rules take precedence over `variant`.

    Raises BadInput if a part is missing or wrong.

    >>> found = read_address("?board=0000000001&currentPiece=1&level=18&lines=40&inputFrameTimeline=X....", Variant())
    >>> found["piece"], found["lines"], found["variant"].reach, found["variant"].start_level
    ('O', 40, '12hz', 18)
    """
    given = dict(parse_qsl(urlsplit(text).query if "?" in text else text))
    if "currentPiece" in given:
        return _theirs(given, variant)
    return _ours(given, variant)


def _theirs(given: dict[str, str], variant: Variant) -> dict[str, Any]:
    """Return the position of a request to StackRabbit."""
    level, lines = _number(given, "level", 255), _number(given, "lines", MOST_LINES - 1)
    delay = _number(given, "reactionTime", MOST_FRAMES)
    rules: dict[str, Any] = vars(variant).copy()
    if "inputFrameTimeline" in given:
        del rules["reach"]
        rules["taps"] = given["inputFrameTimeline"]
    if delay is not None:
        rules["delay_ms"] = round(delay * 1000 / FRAMES_PER_SECOND)
    made = Variant.load(**rules)
    if level in SAME_SPEED and lines is not None and level <= made.level_at(lines) <= SAME_SPEED[level]:
        level = None
    if level is not None and lines is not None:
        made, level = made.started_for(level, lines), None
    piece, following = (_their_piece(given.get(name)) for name in ("currentPiece", "nextPiece"))
    return {
        "board": given["board"],
        "piece": piece,
        "following": following,
        "level": level,
        "lines": lines,
        "variant": made,
    }


def _ours(given: dict[str, str], variant: Variant) -> dict[str, Any]:
    """Return the position of an address of our board."""
    if "piece" not in given:
        raise BadInput("address: expected a board and a piece, of our board or of StackRabbit")
    rules: dict[str, Any] = vars(variant).copy()
    for name, most in (("start_level", 255), ("max_lines", MOST_LINES), ("delay_ms", 2000)):
        if (value := _number(given, name, most)) is not None:
            rules[name] = value
    for name in ("reach", "source", "miss"):
        if name in given:
            rules[name] = given[name]
    if "double_killscreen" in given:
        rules["double_killscreen"] = given["double_killscreen"] == "yes"
    level = _number(given, "level", 255)
    return {
        "board": given["board"],
        "piece": given["piece"],
        "following": given.get("next"),
        "level": level,
        "lines": _number(given, "lines", MOST_LINES - 1) if level is None else None,
        "variant": Variant.load(**rules),
    }


def _number(given: dict[str, str], name: str, most: int) -> int | None:
    """Return a number of an address; None if it is not there."""
    if name not in given:
        return None
    found = checks.digits(given[name], most)
    if found is None:
        raise BadInput(f"address: {name} {shown(given[name])}: expected a whole number, 0 to {most:,}")
    return found


def _their_piece(text: str | None) -> str | None:
    return THEIR_PIECES[int(text)] if text is not None and text in tuple("0123456") else text
