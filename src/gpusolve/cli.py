"""The command line: one sub-command for each game (see `games`), and those in `OWN`.

This module and the games' ``cli.py`` import nothing heavy, and only the requested game is imported: NumPy, Numba and
Rich load inside the commands.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.main import get_command

from gpusolve import __doc__ as about
from gpusolve.commands import configuration
from gpusolve.commands.command import Described
from gpusolve.commands.line import Group, game_commands, group, make
from gpusolve.commands.outcome import outcome
from gpusolve.errors import BadInput, Exit, plain
from gpusolve.games import find_games, summary
from gpusolve.output import terminal

if TYPE_CHECKING:
    from gpusolve.doctor import Check

LEAST_MEMORY = 1 << 30
"""Bytes of address space that Python, NumPy and Numba need; they use much less memory than that."""
LONGEST = 500
"""Largest number of characters of an error line."""
OWN = {
    "doctor": Described("doctor", __name__),
    "help": Described("help", __name__),
    "lists": Described("lists", "gpusolve.lists.cli"),
    "serve": Described("serve", "gpusolve.serve.server"),
}
"""The commands that belong to no game."""
PARTS = {"lists": {name: Described(name, "gpusolve.lists.cli") for name in ("add", "get", "remove", "use")}}
"""The commands below some of them."""


class Games(Group):
    """The top-level commands. A game is imported only when its name is looked up."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return all names in alphabetical order."""
        return sorted({*OWN, *find_games()})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command or game with this name, or None."""
        if cmd_name in find_games():
            return game_commands(cmd_name)
        if (found := OWN.get(cmd_name)) is None:
            return None
        if cmd_name in PARTS:
            return group(found, PARTS[cmd_name])
        return make(found)

    def invoke(self, ctx: Any) -> Any:
        """Run a command. The notes of an interrupt, which say how a run continues, go to stderr."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:  # Typer turns it into an exit code
            from gpusolve.output import report

            for line in getattr(stop, "__notes__", ()):
                report.note(plain(line), _is_quiet())
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands on the help page without importing any game."""
        games = find_games()
        names = self.list_commands(ctx)
        rows = [(name, summary(games[name]) if name in games else OWN[name].summary) for name in names]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


app = typer.Typer(
    cls=Games,
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(requested: bool) -> None:
    if requested:
        from gpusolve import __version__

        print(f"gpusolve {__version__}")
        raise typer.Exit


@app.callback(help=about)
def top_level(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Handle the options before the command."""


def doctor(
    games: Sequence[str] = (),
    *,
    compile: bool = False,
    empty: Literal["tables", "kernels", "all"] | None = None,
    json: bool = False,
    quiet: bool = False,
) -> None:
    """Show what gpusolve finds on this machine, and how to fix what is missing.

    Kernels for the CPU that no library contains are compiled at their first use, or all at once with `compile`.

    Parameters
    ----------
    games : sequence of str
        Games to compile; all if none is named.
    compile : bool
        First compile the kernels for the CPU, on all cores.
    empty : {"tables", "kernels", "all"}, optional
        First remove what is kept in the user's cache folder: tables, compiled kernels, or all.

    Examples
    --------
    ``gpusolve doctor --compile wordle``
    """
    from gpusolve import doctor
    from gpusolve.backend import caches
    from gpusolve.output import report

    own = [name for name in caches.contents() if not os.environ.get(caches.VARIABLES.get(name, ""))]
    for name in own if empty == "all" else [empty] if empty else []:
        caches.empty(name)

    if games and not compile:
        raise BadInput(f"games {' '.join(games)}: expected --compile before them")
    if compile:
        files = doctor.lists(games)
        done = 0
        with report.Progress("kernels compiled", doctor.count(files), quiet) as progress:

            def count() -> None:
                nonlocal done
                done += 1
                progress(done)

            doctor.compile_games(files, count)
    checks = [*doctor.examine(), *_configuration()]
    if json:
        report.json_object({"schema": "gpusolve.doctor/1", "checks": [vars(check) for check in checks]})
    else:
        report.table(["", "part", "found"], [("ok" if check.ok else "--", check.name, check.found) for check in checks])
        for check in checks:
            if check.fix:
                report.text(f"to fix {check.name}: {check.fix}")


def _configuration() -> list[Check]:
    """Return what the doctor says about the configuration file; nothing if there is none."""
    from gpusolve.doctor import Check

    if (file := configuration.place()) is None:
        return []
    try:
        keys = ", ".join(configuration.keys(file))
    except BadInput as error:
        return [Check("configuration", False, str(error), f"correct {file}")]
    return [Check("configuration", True, f"{file}: {keys or 'empty'}")]


def help(game: str | None = None) -> None:
    """Print the help of every command one after another.

    A terminal shows it with the pager, such as less, that the environment variable PAGER names.

    Parameters
    ----------
    game : str, optional
        The game, or doctor, lists or serve. By default all of them.

    Examples
    --------
    ``gpusolve help wordle``
    """
    from pydoc import pager

    top = _program().make_context("gpusolve", [], resilient_parsing=True)
    known = top.command.list_commands(top)
    if game is not None and game not in known:
        raise BadInput(f"game {game}: expected one of {', '.join(known)}")
    pages = _pages(top) if game is None else _pages(_below(top, game))
    with terminal.status().silent():
        pager("\n\n\n".join(pages) + "\n")


def _pages(context: Any) -> Iterator[str]:
    """Yield the help of a command or a group, and then of all commands in it."""
    yield context.command.get_help(context)
    if isinstance(context.command, Group):
        for name in context.command.list_commands(context):
            yield from _pages(_below(context, name))


def _below(context: Any, name: str) -> Any:
    """Return the context of a command in a group, whose context is given; the configuration file is not read."""
    found = context.command.get_command(context, name)
    return type(context)(found, parent=context, info_name=name, resilient_parsing=True)


@cache
def _program() -> Any:
    """Return the top-level command. Making it takes as long as a light request, so the server's processes keep it."""
    return get_command(app)


def main() -> int:
    """Run the command line and return the exit code (`errors.Exit`). An error is one line on stderr."""
    code, error = outcome(_run, quiet=_is_quiet())
    if error:
        report_error(error)
    return code


def report_error(text: str) -> None:
    """Print an error as one line on stderr."""
    print(_one_line(f"gpusolve: {text}"), file=sys.stderr)


def _run() -> int:
    """Parse the command line and run its command."""
    _check_memory()
    _check_digits(sys.argv[1:])
    try:
        code = _program().main(prog_name="gpusolve", standalone_mode=False)
    except typer.Abort as error:  # Typer raises it for Ctrl-C in older versions, and for an EOFError, which is a fault
        if isinstance(error.__cause__, EOFError):
            raise error.__cause__ from None
        return Exit.INTERRUPTED
    except Exception as error:
        if hasattr(error, "format_message"):  # an error of Click, which newer versions of Typer contain
            return _wrong_words(error)
        raise
    return code if isinstance(code, int) else Exit.DONE


def _check_memory() -> None:
    """Raise BadInput if memory is so limited that the libraries under NumPy and Numba would abort the process."""
    try:
        from resource import RLIMIT_AS, getrlimit
    except ImportError:  # Windows
        return
    limit = getrlimit(RLIMIT_AS)[0]
    if 0 <= limit < LEAST_MEMORY:
        needed = f"{LEAST_MEMORY >> 20:,} MiB are needed"
        raise BadInput(f"not enough memory: {needed}, but the limit is {limit >> 20:,} MiB (ulimit -v)")


def _check_digits(words: list[str]) -> None:
    """Raise BadInput for a number in digits other than 0-9, which Python and some versions of Typer would accept."""
    for word in words:
        number = word.rpartition("=")[2]
        if not number.isascii() and number.lstrip("+-").replace(".", "", 1).isdecimal():
            raise BadInput(f"{word}: expected a number in the digits 0-9")


def _is_quiet() -> bool:
    return bool({"-q", "--quiet"} & set(sys.argv))


def _one_line(text: str) -> str:
    """Return the text on one line, without control characters, and not too long."""
    shown = plain(text)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 60]} ... {shown[-50:]}"


def _wrong_words(error: Any) -> int:
    """Report what the command line's parser did not understand."""
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error)
        return Exit.BAD_INPUT
    context = getattr(error, "ctx", None)
    place = context.command_path if context else "gpusolve"
    message = error.format_message().replace("Value error, ", "")  # newer versions of Typer write this before it
    print(_one_line(f"{place}: {message} (see {place} --help)"), file=sys.stderr)
    return Exit.BAD_INPUT
