"""Commands on the command line: Typer commands made from descriptions (`gpusolve.commands.command`).

Their help is written here, because versions of Typer differ in how they write arguments, types and defaults.
"""

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

from gpusolve.checks import suggestion
from gpusolve.commands import command, configuration
from gpusolve.commands.command import Command, Described, Parameter
from gpusolve.errors import BadInput
from gpusolve.games import find_games, summary

TYPES: dict[str, Any] = {"text": str, "source": str, "integer": int, "number": float, "flag": bool, "file": Path}
KINDS = {"text": "TEXT", "source": "TEXT", "integer": "INTEGER", "number": "FLOAT", "file": "PATH"}
"""What the help calls the value of an option."""
HELP_ROW = ("-h, --help", "Show this message and exit.")


class Group(TyperGroup):
    """A group of commands. An error about an unknown name suggests those that are near to it."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the name, the command and the words after it."""
        word, known = args[0], self.list_commands(ctx)
        if word not in known and not word.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"no command {word!r}{suggestion(word, known)}")
        return super().resolve_command(ctx, args)


class Commands(Group):
    """The commands of a game. One is made when its name is looked up; the help page needs only its first sentence."""

    game: str

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands in alphabetical order."""
        return [each.name for each in command.of_game(self.game)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command with this name, or None."""
        found = command.find(self.game, cmd_name)
        return found and click_command(found, {} if ctx.resilient_parsing else configuration.defaults(found))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands on the help page without making any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(each.name, each.summary) for each in command.of_game(self.game)])


class DescribedCommand(TyperCommand):
    """A command whose help is written from its description."""

    described: Described
    rewrite: Callable[[list[str]], list[str]] | None = None
    """It rewrites the words of the command line before they are parsed."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words after the command's name."""
        return super().parse_args(ctx, self.rewrite(args) if self.rewrite else args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words of the line ``Usage`` after the command's name."""
        return ["[OPTIONS]", *(_label(each) for each in self.described.parameters.values() if each.positional)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options."""
        arguments: list[tuple[str, str]] = []
        options: list[tuple[str, str]] = []
        for each in self.described.parameters.values():
            value = (ctx.default_map or {}).get(each.name, each.default)
            (arguments if each.positional else options).append((_label(each), _help(each, value)))
        if arguments:
            with formatter.section("Arguments"):
                formatter.write_dl(arguments)
        with formatter.section("Options"):
            formatter.write_dl([*options, HELP_ROW])


class DescribedGroup(Group):
    """A group of commands that does something itself if no command follows; its help is written from descriptions."""

    described: Described
    parts: Mapping[str, Described]

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands in alphabetical order."""
        return sorted(self.parts)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command with this name, or None."""
        return make(found) if (found := self.parts.get(cmd_name)) else None

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, and the commands."""
        with formatter.section("Options"):
            rows = [(_label(each), _help(each, each.default)) for each in self.described.parameters.values()]
            formatter.write_dl([*rows, HELP_ROW])
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.parts[name].summary) for name in self.list_commands(ctx)])


def group(described: Described, parts: Mapping[str, Described]) -> Any:
    """Return a described command with further commands below it.

    Parameters
    ----------
    described : Described
        What the group does itself. It has options, and no arguments.
    parts : mapping
        The commands below it by name.
    """

    def run(context: typer.Context, **values: Any) -> None:
        given = _given(described, values)
        if context.invoked_subcommand is None:
            described.function(**given)
        elif given:
            options = " ".join(described.parameters[name].option for name in given)
            raise BadInput(f"{options}: expected after {context.invoked_subcommand}")

    parameters = [_parameter(each) for each in described.parameters.values()]
    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    run.__signature__ = inspect.Signature([context, *parameters])  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in (context, *parameters)}
    app = typer.Typer(
        cls=DescribedGroup,
        help=described.about,
        epilog=_example(described),
        invoke_without_command=True,
        rich_markup_mode=None,
        add_completion=False,
    )
    app.callback()(run)
    made: Any = get_group(app)
    made.name, made.described, made.parts = described.name, described, parts
    return made


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


def click_command(found: Command, defaults: Mapping[str, Any] | None = None) -> Any:
    """Return a command of a game as an object of Click.

    Parameters
    ----------
    found : Command
        The command.
    defaults : mapping, optional
        Values from the configuration file for options that are not given.
    """
    from gpusolve.commands import running

    def work(given: dict[str, Any]) -> int:
        for name in [name for name in given if found.parameters[name].positional]:
            given[name] = _with_stdin(given[name])
        try:
            return running.run(found, given)
        except BadInput as error:
            raise BadInput(configuration.with_place(found, str(error), given, defaults or {})) from error

    made = make(found, work, defaults)
    made.rewrite = _rewriting(found)
    return made


def make(
    described: Described,
    work: Callable[[dict[str, Any]], int | None] | None = None,
    defaults: Mapping[str, Any] | None = None,
) -> Any:
    """Return a command as an object of Click.

    Parameters
    ----------
    described : Described
        The description.
    work : callable, optional
        It runs the command with the values that were given, by the names of the parameters, and returns the exit code.
        By default the function is called with them.
    defaults : mapping, optional
        Values for options that are not given.
    """

    def run(**values: Any) -> None:
        try:
            given = _given(described, values)
            code = work(given) if work else described.function(**given)
        except BadInput as error:
            raise BadInput(_with_option(described, str(error))) from error
        if code:
            raise typer.Exit(code)

    run.__doc__ = described.about
    parameters = [_parameter(each) for each in described.parameters.values()]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    settings = {"default_map": {**defaults}} if defaults else None
    app.command(described.name, cls=DescribedCommand, epilog=_example(described), context_settings=settings)(run)
    made = get_group(app).commands[described.name]
    assert isinstance(made, DescribedCommand)
    made.described = described
    return made


def parse(found: Command, words: list[str]) -> dict[str, Any]:
    """Return the values that the words of a command line give. Raises an error of Click for words that it refuses."""
    made = click_command(found)
    return _given(found, made.make_context(found.name, words).params)


def _given(described: Described, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that differ from the defaults."""
    defaults = {name: str(parameter.default) for name, parameter in described.parameters.items()}
    return {
        name: value for name, value in values.items() if value not in (None, [], ()) and str(value) != defaults[name]
    }


def _parameter(each: Parameter) -> inspect.Parameter:
    """Return a parameter of the function from which Typer makes a command."""
    kind: Any = Literal[each.choices] if each.choices else TYPES[each.kind]
    if each.several:
        kind = list[kind]
    if each.positional:
        info = typer.Argument(metavar=each.name.upper(), help=each.help)
    else:
        info = typer.Option(*_spellings(each), help=each.help)  # shells show the help beside their completions
    if each.required:
        value: Any = inspect.Parameter.empty
    elif each.default is None or each.default == "":
        value, kind = None, kind | None
    else:
        value = each.default
    annotation = Annotated[kind, info]
    return inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, default=value, annotation=annotation)


def _spellings(each: Parameter) -> list[str]:
    return ["-q", each.option] if each.name == "quiet" else [each.option]


def _label(each: Parameter) -> str:
    """Return how the help writes a parameter: ``[DATE]``, ``BOARD...``, ``--top INTEGER``, ``--mode [easy|hard]``."""
    if each.positional:
        return (each.option if each.required else f"[{each.option}]") + "..." * each.several
    if each.kind == "flag":
        return ", ".join(_spellings(each))
    value = f"[{'|'.join(each.choices)}]" if each.choices else KINDS[each.kind]
    return f"{each.option} {value}" + "..." * each.several


def _help(each: Parameter, value: Any) -> str:
    """Return the help of a parameter with the value that it has by default."""
    if each.required:
        return f"{each.help}  [required]"
    if value is None or value is False or value == "":
        return each.help
    shown = ", ".join(value) if isinstance(value, list) else "true" if value is True else value
    return f"{each.help}  [default: {shown}]"


def _with_stdin(value: Any) -> Any:
    """Return an argument with the text of stdin in the place of ``-``."""
    from gpusolve.output.dialogue import read_input

    if isinstance(value, list):
        return [_with_stdin(item) for item in value]
    return read_input() if str(value) == "-" else value


def _with_option(described: Described, error: str) -> str:
    """Return an error that begins with a parameter, such as ``max_guesses 0: expected``, with its option instead."""
    begin = re.match(r"([a-z_]+)(?=( [^\s:]+)?: )", error)
    parameter = described.parameters.get(begin[1]) if begin else None
    named = parameter is not None and not parameter.positional and parameter.kind not in ("file", "source")
    return f"{parameter.option}{error[len(parameter.name) :]}" if named and parameter else error


def _quoted(word: str) -> str:
    return f"'{word}'" if word != shlex.quote(word) else word


def _example(described: Described) -> str:
    """Return the last line of a command's help."""
    return "".join(f"Example: gpusolve {' '.join(map(_quoted, words))}" for words in described.examples[:1])


def _rewriting(found: Command) -> Callable[[list[str]], list[str]] | None:
    """Return what rewrites the words of a command before they are parsed, from ``WORDS`` in the game's `cli`."""
    if find_spec(f"{found.package}.cli") is None:
        return None
    words: dict[str, Callable[[list[str]], list[str]]] = getattr(import_module(f"{found.package}.cli"), "WORDS", {})
    return words.get(found.name)
