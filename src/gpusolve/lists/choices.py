"""Which word list each game uses: what the configuration file names, or else the game's own choice."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Literal, get_args

from gpusolve import files
from gpusolve.commands import configuration
from gpusolve.commands.command import Command, of_game
from gpusolve.commands.source import source
from gpusolve.errors import BadInput, WordsLeftOut
from gpusolve.games import find_games
from gpusolve.lists import public
from gpusolve.wordlists import load_words

Role = Literal["answers", "guesses", "dictionary"]
"""What a list is for a game: the name of an option."""
DEFAULT = "default"
"""It stands for the game's own choice, in place of a list's name."""


@dataclass(frozen=True)
class Choice:
    """A list that a game uses.

    Attributes
    ----------
    game : str
        The game.
    role : str
        What the list is for the game: the name of the option.
    name : str
        The name of the list, or a file; empty if the game's own choice has no name.
    configured : bool
        Whether the configuration file names it.
    any_guess : bool
        Whether advice on a game counts on every word that may be guessed, not only on these answers.
    """

    game: str
    role: str
    name: str
    configured: bool
    any_guess: bool = False


@cache
def roles() -> dict[str, dict[str, Command]]:
    """Return the games that take word lists: for each role of a list, a command that has the option.

    >>> {game: [*found] for game, found in roles().items()}["wordle"]
    ['answers', 'guesses']
    """
    found = {game: _roles_of(game) for game, package in find_games().items() if _has_words(package)}
    return {game: each for game, each in found.items() if each}


def _roles_of(game: str) -> dict[str, Command]:
    """Return a command for each role of a list. Reading all commands takes half a second, so it ends with the last."""
    found: dict[str, Command] = {}
    for command in of_game(game):
        for role in get_args(Role):
            if role in command.parameters and "words" in command.parameters[role].takes:
                found.setdefault(role, command)
        if "dictionary" in found or {"answers", "guesses"} <= found.keys():
            break
    return {role: found[role] for role in get_args(Role) if role in found}


def _has_words(package: str) -> bool:
    """Return whether any module of a game knows word lists."""
    module = source(package)
    modules = module.file.parent.rglob("*.py") if module else ()
    return any("gpusolve.wordlists" in each.read_text(encoding="utf-8", errors="replace") for each in modules)


def in_use() -> list[Choice]:
    """Return the lists that the commands of each game use. Raises BadInput for a configuration file with a fault."""
    found = []
    for game, commands in roles().items():
        chosen = {role: value for role in commands if (value := _configured(commands[role], role)) is not None}
        own: Any = None
        for role, command in commands.items():
            default = command.parameters[role].default
            if role not in chosen and default is None and own is None:
                own = _own_variant(game, chosen)
            name = chosen.get(role) or default or getattr(getattr(own, role, None), "name", "")
            any_guess = role == "answers" and role not in chosen and getattr(own, "any_answer", False)
            found.append(Choice(game, role, str(name), role in chosen, any_guess))
    return found


def named(command: Command) -> dict[str, str]:
    """Return the lists that the configuration file names for a command, by their roles; not files, which have paths.

    Raises BadInput for a configuration file with a fault.
    """
    values = ((role, _configured(command, role)) for role in get_args(Role) if role in command.parameters)
    return {role: value for role, value in values if value is not None and not os.path.isabs(value)}


def _configured(command: Command, role: str) -> str | None:
    value = configuration.defaults(command).get(role)
    return None if value is None else str(value)


def _own_variant(game: str, chosen: Mapping[str, str]) -> Any:
    """Return a game's variant with these lists; None if its variant has none, or if they cannot be read."""
    with suppress(BadInput), warnings.catch_warnings():
        warnings.simplefilter("ignore", WordsLeftOut)
        return _variant(game, chosen)
    return None


def _variant(game: str, chosen: Mapping[str, str]) -> Any:
    """Return a game's variant with these lists; None if its variant has no lists of its own."""
    kind: Any = getattr(import_module(find_games()[game]), "Variant", None)
    return kind.load(**chosen) if hasattr(kind, "load") else None


def games_of(name: str) -> tuple[str, ...]:
    """Return the games that a list is for: those of a public list, or the game with whose name its name begins.

    >>> games_of("enable"), games_of("wordle-answers"), games_of("scowl-70")
    (('quiddler',), ('wordle',), ())
    """
    if name in public.BY_NAME:
        return public.BY_NAME[name].games
    return tuple(game for game in roles() if name.partition("-")[0] == game)


def role_of(name: str, game: str) -> str:
    """Return what a list is for a game: its name can end with it; else it is a dictionary, or the answers.

    >>> role_of("my-guesses", "wordle"), role_of("enable", "qless"), role_of("enable", "quordle")
    ('guesses', 'dictionary', 'answers')
    """
    known = roles()[game]
    ending = name.rpartition("-")[2]
    return ending if ending in known else "dictionary" if "dictionary" in known else "answers"


def choose(game: str, lists: Mapping[str, str | None]) -> None:
    """Write lists for roles of a game into the configuration file; None is for the game's own choice.

    Raises BadInput, and changes nothing, if the game cannot be played with these lists, or the file cannot be changed.
    """
    commands = roles()[game]
    is_new = not files.exists(configuration.file_to_write())
    before = {} if is_new else {role: _configured(commands[role], role) for role in commands}
    after = {role: name for role, name in (before | {**lists}).items() if name is not None}
    if any(lists.values()):
        try:
            if "dictionary" in after:
                load_words(after["dictionary"])
            _variant(game, {role: name for role, name in after.items() if role != "dictionary"})
        except BadInput as error:
            raise BadInput(f"{game} cannot use {' and '.join(filter(None, lists.values()))}: {error}") from error
    configuration.change(game, lists)


def named_in_file(name: str) -> list[Choice]:
    """Return the uses of a list that the configuration file names; none if the file has a fault."""
    with suppress(BadInput):
        return [each for each in in_use() if each.configured and each.name == name]
    return []
