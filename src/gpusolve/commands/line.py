"""The commands of the games on the command line: Typer commands made from their descriptions."""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from gpusolve.commands import command
from gpusolve.commands.command import Command, Parameter
from gpusolve.errors import BadInput
from gpusolve.games import find_games, summary

TYPES: dict[str, Any] = {"text": str, "source": str, "integer": int, "number": float, "flag": bool, "file": Path}


class Commands(TyperGroup):
    """The commands of a game. One is made when its name is looked up; the help page needs only its first sentence."""

    game: str

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands in alphabetical order."""
        return [each.name for each in command.of_game(self.game)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command with this name, or None."""
        found = command.find(self.game, cmd_name)
        return found and click_command(found)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands on the help page without making any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(each.name, each.summary) for each in command.of_game(self.game)])


def game_commands(game: str) -> Any:
    """Return the group of a game's commands."""
    app = typer.Typer(
        cls=Commands,
        help=summary(find_games()[game]),
        no_args_is_help=True,
        rich_markup_mode=None,
        add_completion=False,
    )
    app.callback()(lambda: None)
    group: Any = get_group(app)
    group.game = group.name = game
    return group


def click_command(found: Command) -> Any:
    """Return a command as an object of Click."""
    from gpusolve.commands import running

    def run(**values: Any) -> None:
        given = _given(found, values)
        for name in [name for name in given if found.parameters[name].positional]:
            given[name] = _with_stdin(given[name])
        try:
            code = running.run(found, given)
        except BadInput as error:
            raise BadInput(_with_option(found, str(error))) from error
        if code:
            raise typer.Exit(code)

    run.__doc__ = found.about
    parameters = [_parameter(each) for each in found.parameters.values()]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    rewrite = _rewriting(found)
    examples = "".join(f"Example: gpusolve {' '.join(map(_quoted, words))}\n" for words in found.examples[:1])
    app.command(found.name, cls=_reading(rewrite) if rewrite else None, epilog=examples.strip())(run)
    return get_group(app).commands[found.name]


def parse(found: Command, words: list[str]) -> dict[str, Any]:
    """Return the values that the words of a command line give. Raises an error of Click for words that it refuses."""
    made = click_command(found)
    return _given(found, made.make_context(found.name, words).params)


def _given(found: Command, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that differ from the defaults."""
    defaults = {name: str(parameter.default) for name, parameter in found.parameters.items()}
    return {
        name: value for name, value in values.items() if value not in (None, [], ()) and str(value) != defaults[name]
    }


def _parameter(each: Parameter) -> inspect.Parameter:
    """Return a parameter of the function from which Typer makes a command."""
    kind: Any = Literal[each.choices] if each.choices else TYPES[each.kind]
    if each.several:
        kind = list[kind]
    default = each.default not in (None, "") and each.kind != "flag"
    about: dict[str, Any] = {"help": each.help, "show_default": default}
    if each.positional:
        info = typer.Argument(metavar=each.name.upper(), **about)
    else:
        metavar = "<str>..." if each.several else None
        info = typer.Option(*[each.option, *["-q"] * (each.name == "quiet")], metavar=metavar, **about)
    if each.required:
        value: Any = inspect.Parameter.empty
    elif each.default is None or each.default == "":
        value, kind = None, kind | None
    else:
        value = each.default
    annotation = Annotated[kind, info]
    return inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, default=value, annotation=annotation)


def _with_stdin(value: Any) -> Any:
    """Return an argument with the text of stdin in the place of ``-``."""
    from gpusolve.output.dialogue import read_input

    if isinstance(value, list):
        return [_with_stdin(item) for item in value]
    return read_input() if str(value) == "-" else value


def _with_option(found: Command, error: str) -> str:
    """Return an error that begins with a parameter, such as ``max_guesses 0: expected``, with its option instead."""
    begin = re.match(r"([a-z_]+)(?=( [^\s:]+)?: )", error)
    parameter = found.parameters.get(begin[1]) if begin else None
    named = parameter is not None and not parameter.positional and parameter.kind not in ("file", "source")
    return f"{parameter.option}{error[len(parameter.name) :]}" if named and parameter else error


def _quoted(word: str) -> str:
    return f"'{word}'" if word != shlex.quote(word) else word


def _rewriting(found: Command) -> Callable[[list[str]], list[str]] | None:
    """Return what rewrites the words of a command before they are parsed, from ``WORDS`` in the game's `cli`."""
    if find_spec(f"{found.package}.cli") is None:
        return None
    words: dict[str, Callable[[list[str]], list[str]]] = getattr(import_module(f"{found.package}.cli"), "WORDS", {})
    return words.get(found.name)


def _reading(rewrite: Callable[[list[str]], list[str]]) -> type[TyperCommand]:
    """Return the class of a command that rewrites its words before it parses them."""

    class Rewriting(TyperCommand):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            return super().parse_args(ctx, rewrite(args))

    return Rewriting
