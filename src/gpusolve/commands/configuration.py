"""The configuration file: lasting choices of the user, for the command line; the server takes the word lists alone.

It is ``gpusolve/config.toml`` in the user's configuration folder, or the file that ``GPUSOLVE_CONFIG`` names::

    device = "cpu:2"

    [wordle]
    mode = "hard"
    answers = "my-words.txt"

A table has the options of a game's commands. A command takes those that it has. A relative path is relative to the
folder of the file.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

from gpusolve import files
from gpusolve.checks import suggestion
from gpusolve.commands.command import DEVICE, JSON, QUIET, Command, Parameter, of_game
from gpusolve.errors import BadInput
from gpusolve.fields import Fields
from gpusolve.games import find_games

VARIABLE = "GPUSOLVE_CONFIG"
NOT_LASTING = (JSON.name, QUIET.name)
"""Options of every command that belong on the command line."""
CHECKS_A_FILE = ("wordle verify",)
"""Commands that check a file by the rules that this file names, whatever game the user plays otherwise."""


def place() -> Path | None:
    """Return the path of the file, or None if there is none. A file that GPUSOLVE_CONFIG names need not exist."""
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen)
    from platformdirs import user_config_path

    with suppress(RuntimeError):  # there is no home folder
        file = user_config_path("gpusolve", appauthor=False) / "config.toml"
        if os.path.isfile(file):
            return file
    return None


def defaults(command: Command) -> dict[str, Any]:
    """Return the values that the file has for options of a command, by the names of the parameters.

    Raises BadInput if the file cannot be read, or if its lines for all games or for this game have a fault.
    """
    file = place()
    if file is None:
        return {}
    content = _read(file)
    found = _values(file, command.game, content.get(command.game, {}), command)
    if str(command) in CHECKS_A_FILE:
        found = {name: value for name, value in found.items() if name == DEVICE.name}
    if "device" in content and "device" in command.parameters:
        found.setdefault("device", content["device"])
    if os.environ.get("GPUSOLVE_DEVICE"):
        found.pop("device", None)
    return found


def keys(file: Path) -> list[str]:
    """Return the keys of the file, such as ``wordle.mode``. Raises BadInput if any of its lines has a fault."""
    content = _read(file)
    device = ["device"] * (content.pop("device", None) is not None)
    for game, table in content.items():
        _values(file, game, table)
    return device + [f"{game}.{key}" for game, table in content.items() for key in table]


def change(game: str, values: Mapping[str, str | None]) -> Path:
    """Change keys in the table of a game, and return the file, which is made if there is none.

    Other lines and comments stay as they are.

    Parameters
    ----------
    game : str
        The game.
    values : mapping
        The text for each key; None takes the key out.

    Raises
    ------
    BadInput
        If the file has a fault or cannot be written.
    """
    file = file_to_write()
    exists = files.exists(file)
    expected = _read(file) if exists else {}
    table = expected.setdefault(game, {})
    for key, value in values.items():
        table.pop(key, None)
        if value is not None:
            table[key] = value
    text = _changed(files.read_text(file, "configuration") if exists else "", game, values)
    if tomllib.loads(text) != expected:
        lines = ", ".join(f'{key} = "{value}"' for key, value in values.items() if value is not None)
        raise BadInput(f"{file}: its table [{game}] is written in a way that cannot be changed: write {lines} yourself")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"configuration {file}: cannot be written: {error.strerror}") from error
    files.write(file, text, "configuration")
    return file


def _changed(text: str, game: str, values: Mapping[str, str | None]) -> str:
    """Return the text of a file with other values in the table of a game."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        content = tomlkit.parse(text)
        if game not in content:
            content.add(game, tomlkit.table())
        table: Any = content[game]
        for key, value in values.items():
            if value is not None:
                table[key] = value
            elif key in table:
                del table[key]
        return tomlkit.dumps(content)
    except TOMLKitError:
        return text


def file_to_write() -> Path:
    """Return the path of the file, also if there is none yet. Raises BadInput if it has no place."""
    if (file := place()) is None:
        from platformdirs import user_config_path

        try:
            file = user_config_path("gpusolve", appauthor=False) / "config.toml"
        except RuntimeError:
            raise BadInput(f"the user's configuration folder is not known: set {VARIABLE}") from None
    if files.exists(file) and not file.is_file():
        raise BadInput(f"configuration {file}: expected a file that can be changed")
    return file


def with_place(command: Command, error: str, given: Mapping[str, Any], values: Mapping[str, Any]) -> str:
    """Return an error about a value, such as ``zone Mars: expected``, with the file if the value comes from there.

    Parameters
    ----------
    command : Command
        The command.
    error : str
        What is wrong.
    given : mapping
        The values of the command's parameters.
    values : mapping
        Those that come from the file, unless the command line has others.
    """
    name = error.partition(" ")[0]
    if name not in values or str(given.get(name)) != str(values[name]):
        return error
    return f"{place()}: {command.parameters[name].option[2:]}{error[len(name) :]}"


def _read(file: Path) -> dict[str, Any]:
    """Return the content of the file. Raises BadInput unless it is TOML with a device and tables for games."""
    if files.exists(file) and file.is_fifo():  # reading it would wait for ever
        raise BadInput(f"configuration {file}: expected a file")
    text = files.read_text(file, "configuration")
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError also for a number of thousands of digits
        raise BadInput(f"{file}: not TOML: {error}") from None
    known = ["device", *find_games()]
    for name, value in content.items():
        if name not in known:
            raise BadInput(f"{file}: {name}: expected device or a game{suggestion(name, known)}")
        if name == "device":
            _value(file, "device", value, DEVICE)
        elif not isinstance(value, dict):
            raise Fields(str(file), content).wrong(name, f"a table [{name}] of options")
    return content


def _values(file: Path, game: str, table: Mapping[str, Any], command: Command | None = None) -> dict[str, Any]:
    """Check the table of a game, and return the values for the options that a command has."""
    found = {}
    own = _options(command) if command else {}
    for key, value in table.items():
        try:
            if key in own:
                found[own[key].name] = _value(file, f"{game}.{key}", value, own[key])
                continue
        except BadInput:  # another command's option of this name may take it
            pass
        _check(file, game, key, value)
    return found


def _check(file: Path, game: str, key: str, value: Any) -> None:
    """Raise BadInput unless a command of the game has an option that takes the value of a key."""
    if key in NOT_LASTING:
        raise BadInput(f"{file}: {game}.{key}: expected --{key} on the command line")
    known: list[str] = []
    fault: BadInput | None = None
    for command in of_game(game):
        options = _options(command)
        known += options
        if key in options:
            try:
                _value(file, f"{game}.{key}", value, options[key])
                return
            except BadInput as error:
                fault = fault or error
    near = suggestion(key, list(dict.fromkeys(known)))
    raise fault or BadInput(f"{file}: {game}.{key}: no command of {game} has this option{near}")


def _options(command: Command) -> dict[str, Parameter]:
    """Return the options of a command by their keys in the file."""
    options = [each for each in command.parameters.values() if not each.positional]
    return {each.option[2:]: each for each in options if each.name not in NOT_LASTING}


def _value(file: Path, key: str, value: Any, each: Parameter) -> Any:
    """Return the value of a key for an option. Raises BadInput if the option does not take it."""
    fields = Fields(str(file), {key: value})
    if each.several:
        one = replace(each, several=False)
        return [_value(file, key, item, one) for item in (value if isinstance(value, list) else [value])]
    if each.choices:
        return fields.choice(key, each.choices)
    if each.kind in ("integer", "number"):
        return _number(fields, key, value, each)
    if each.kind == "flag":
        return fields.flag(key)
    if not isinstance(value, str):
        raise fields.wrong(key, "text in quotes")
    is_file = each.kind == "file" or (each.kind == "source" and _is_path(file.parent, value))
    return str(file.parent.absolute() / value) if is_file else value


def _number(fields: Fields, key: str, value: Any, each: Parameter) -> int | float:
    """Return the number of a key. The command checks limits that its description lacks."""
    least, most = each.least, each.most
    if each.kind == "number":
        return fields.number(key, -inf if least is None else least, inf if most is None else most)
    if least is not None and most is not None:
        return fields.integer(key, int(least), int(most))
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << 64:
        raise BadInput(f"{fields.place}: {key}: expected a whole number, below 2^64")
    return value


def _is_path(folder: Path, text: str) -> bool:
    """Return whether a text that is a name or a file is a file: there is one, or it looks like one."""
    return files.exists(folder / text) or Path(text).suffix != "" or "/" in text or os.sep in text
