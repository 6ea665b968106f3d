"""What only the command line does: it asks for guesses that are missing, and helps through a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gpusolve.errors import BadInput
from gpusolve.games.wordle.rules import joined_turns

if TYPE_CHECKING:
    from gpusolve.commands.running import Call
    from gpusolve.games.quordle.variant import Variant
    from gpusolve.result import Result

WORDS = {"suggest": joined_turns}


def suggest(call: Call) -> Result:
    """Suggest guesses, after those of a shared text were asked for."""
    history = call.arguments.get("history", [])
    return call.run(history=_with_guesses(history, call) if history else [])


def analyze(call: Call) -> Result:
    """Judge a game, after the guesses of a shared text were asked for."""
    hidden, *made = _with_guesses([call.value("hidden"), *(call.value("made") or [])], call)
    return call.run(hidden=hidden, made=made)


def play(call: Call, *, boards: int | None = None) -> Result | None:
    """Show a game against hidden words, or help in another one.

    Parameters
    ----------
    boards : int, optional
        Number of boards of your own game, 1 to 32. By default 4.
    """
    from gpusolve.games.quordle import dialogue
    from gpusolve.games.quordle.rules import check_boards

    hidden = call.value("hidden")
    if hidden and boards is not None:
        raise BadInput("--boards: expected either hidden words or --boards")
    if hidden:
        return call.run()
    if call.json:
        raise BadInput("--json: expected hidden words; without them the command asks for patterns and prints text")
    for name in ("mode", "given"):
        if name in call.given:
            raise BadInput(f"--{name}: expected hidden words; `gpusolve quordle suggest` helps in such a game")
    boards = 4 if boards is None else boards
    check_boards(boards)
    dialogue.help_through(_variant(call), boards, call.value("max_guesses"), call.backend)
    return None


def _with_guesses(items: Sequence[str], call: Call) -> list[str]:
    """Return a shared text and the guesses that the user enters for it; anything else as it is."""
    from gpusolve.games.quordle.rules import patterns_text
    from gpusolve.games.quordle.sharing import boards_of, read_shared
    from gpusolve.games.wordle.rules import parse_word
    from gpusolve.output.dialogue import ask_guesses

    variant = _variant(call)
    length, digraphs = variant.length, variant.digraphs
    share = read_shared(items, length, digraphs)
    if share is None or share.guesses or call.json:
        return list(items)
    rows = [patterns_text(row, length) for row in zip(*boards_of(share, length), strict=True)]
    return [*items, *ask_guesses(rows, lambda word: parse_word(word, length, digraphs))]


def _variant(call: Call) -> Variant:
    from gpusolve.games.quordle.variant import check_variant

    return check_variant(call.arguments.get("variant"))
