"""The command `replay`: a recorded game, read from its file and checked by the rules."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from gpusolve import checks, files
from gpusolve.errors import BadInput, plain
from gpusolve.fields import Fields
from gpusolve.games.tetris.players.kernels import MOST_GAME
from gpusolve.games.tetris.players.policy import POLICIES
from gpusolve.games.tetris.position import Position
from gpusolve.games.tetris.recording import SCHEMA, Recording, turns_of
from gpusolve.games.tetris.rules.board import COLUMNS, PIECES, ROWS, State, orientations
from gpusolve.games.tetris.variant import Variant
from gpusolve.runs.seeds import MASK64


@dataclass(frozen=True, repr=False)
class Replay(Recording, schema="tetris.replay/2"):
    """A saved game, which the rules allow."""


def replay(file: Path) -> Replay:
    """Watch a saved game in the terminal or in a browser.

    It is replayed by the rules. The page has play, pause, step and speed controls.

    Parameters
    ----------
    file : Path
        A game saved with ``play --out``.

    Returns
    -------
    Replay

    Raises
    ------
    BadInput
        If the file holds something else, or a game that the rules do not allow.

    Examples
    --------
    ``gpusolve tetris replay game.json --html game.html``
    """
    content = files.read_json(file, "game")
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        raise BadInput(f'game {file}: expected a game saved by `gpusolve tetris play`, "schema": "{SCHEMA}"')
    game = Fields(f"game {file}", content)
    listed = game.sequence("turns")
    rules = {field.name: content[field.name] for field in fields(Variant) if field.name in content}
    if "double_killscreen" in rules:
        rules["double_killscreen"] = game.flag("double_killscreen")
    if "miss" in rules:
        rules["miss"] = game.sequence("miss")
    begin = None if content.get("start") is None else game.text("start")  # the JSON of `play` has null
    try:
        variant = Variant(**rules)
        start = None if begin is None else Position.parse(begin, variant)
        turns = turns_of([_state(number, turn) for number, turn in enumerate(listed, 1)], variant, start)
    except BadInput as error:
        raise BadInput(f"game {file}: {error}") from None
    recording = Replay(
        player=plain(game.text("player" if "player" in game else "weights")),  # older files call it weights
        policy=game.choice("policy", POLICIES),
        seed=game.integer("seed", 0, MASK64),
        game=game.integer("game", 0, MOST_GAME - 1),
        variant=variant,
        turns=turns,
        start=start,
    )
    for name, total in (("score", recording.score), ("lines", recording.lines)):
        if content.get(name) != total:
            raise game.wrong(name, f"{total}, the sum over its turns")
    return recording


def _state(number: int, turn: Any) -> tuple[int, State]:
    """Return a piece and its state from [letter, orientation, row, column]."""
    if not isinstance(turn, list) or len(turn) != 4 or turn[0] not in tuple(PIECES):
        raise BadInput(f"turn {number}: expected a piece of {PIECES}, its orientation, row and column")
    piece = PIECES.index(turn[0])
    for name, value, most in zip(
        ("orientation", "row", "column"), turn[1:], (len(orientations(piece)) - 1, ROWS - 1, COLUMNS - 1), strict=True
    ):
        checks.check_integer(f"turn {number}: {name}", value, 0, most)
    return piece, (turn[1], turn[2], turn[3])
