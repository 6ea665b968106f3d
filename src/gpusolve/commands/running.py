"""Running a command: its function is called with the values that were given, and its result goes where it belongs.

The command line and the server both run commands with `run`. A game's module ``cli`` may have a function with the
command's name for what only the command line does, such as a dialogue or several boards one after another. It gets the
`Call` and returns the result, or yields several, or returns nothing if it has shown everything itself. Its keyword
parameters are options as well.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpusolve import clock, files
from gpusolve.checks import check_number
from gpusolve.commands.command import Command
from gpusolve.commands.source import drawing_of
from gpusolve.errors import BadInput, Exit, plain
from gpusolve.options import Options
from gpusolve.output import report
from gpusolve.output.device import open_device
from gpusolve.result import Result, of_run

if TYPE_CHECKING:
    from gpusolve.backend import Backend

WRITTEN = ("out", "csv", "plot", "html", "checkpoint", "log")
"""The files that commands write: whether that is possible is found out before the work starts."""
OWNERS = ("", "result", "drawing", "command")


@dataclass
class Call:
    """A command that runs.

    Attributes
    ----------
    command : Command
        The command.
    given : dict of str to object
        The values by the names of the command's parameters; those that are absent take their defaults.
    emit : callable
        It gets each JSON object, if the result is wanted as JSON.
    """

    command: Command
    given: dict[str, Any]
    emit: Callable[[Mapping[str, Any]], None] = report.json_object

    @property
    def json(self) -> bool:
        """Whether the result is wanted as JSON."""
        return bool(self.given.get("json"))

    @property
    def quiet(self) -> bool:
        """Whether neither progress nor notes are wanted."""
        return bool(self.given.get("quiet"))

    def value(self, name: str) -> Any:
        """Return the value of a parameter, given or by default, or what its options make, such as the variant."""
        if name not in self.command.parameters:
            return self.arguments.get(name)
        return self.given.get(name, self.command.parameters[name].default)

    def of(self, owner: str) -> dict[str, Any]:
        """Return the given values of an owner: the function (""), the ``result``, the ``drawing``, a variant."""
        parameters = self.command.parameters
        own = {name for name, each in parameters.items() if each.owner == owner} - {"device", "json", "quiet"}
        return {name: value for name, value in self.given.items() if name in own}

    @cached_property
    def backend(self) -> Backend:
        """The device of ``--device``, which is opened when it is asked for."""
        return open_device(self.given.get("device"), self.quiet)

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """The values given to the function. The options of a class, such as a variant, make an object."""
        found = self.of("")
        owners = dict.fromkeys(each.owner for each in self.command.parameters.values() if each.owner not in OWNERS)
        for owner in owners:
            if values := self.of(owner):
                kind: Any = _options_of(self.command.function, owner)
                found[owner] = kind.load(**values) if hasattr(kind, "load") else kind(**values)
        return found

    def run(self, **others: Any) -> Result:
        """Call the function and return its result.

        Parameters
        ----------
        others : object
            Arguments that the command line adds to those given, or gives in their place.
        """
        function, arguments = self.command.function, self.arguments | others
        takes = self.command.takes
        if "backend" in takes:
            arguments.setdefault("backend", self.backend)
        if "progress" in takes and "progress" not in arguments:
            with self._progress() as arguments["progress"]:
                return self.timed(function, arguments)
        return self.timed(function, arguments)

    def timed(self, function: Callable[..., Any], arguments: dict[str, Any]) -> Result:
        """Call a function, note how long it takes, and return its result."""
        begin = clock.now()
        result = function(**arguments)
        self.seconds = clock.now() - begin
        assert isinstance(result, Result), f"{self.command}: its function returns {type(result).__name__}, no Result"
        return result

    def _progress(self) -> AbstractContextManager[Any]:
        """Return what shows the progress: the function ``<command>_progress`` of the nearest ``drawing``, or a bar."""
        if (module := drawing_of(self.command.module)) is not None:
            drawing = import_module(module.module)
            if (make := getattr(drawing, f"{self.command.function_name}_progress", None)) is not None:
                made: AbstractContextManager[Any] = make(self.value, self.quiet)
                return made
        return report.Progress(self.command.name, 0, self.quiet)

    def report(self, result: Result) -> None:
        """Write the files that were asked for, then show the result, or print it as JSON."""
        saved = {name: self.value(name) for name, each in self.command.parameters.items() if each.owner == "result"}
        csv, plot, html = (saved.pop(name, None) for name in ("csv", "plot", "html"))
        if saved.get("out") is not None:
            typing.cast(Any, result).save(**{name: value for name, value in saved.items() if value is not None})
            report.note(f"written to {plain(str(saved['out']))}", self.quiet)
        if csv is not None:
            columns = typing.cast(Any, result).columns()
            report.write_csv(csv, list(columns), zip(*map(_listed, columns.values()), strict=True))
        if plot is not None:
            typing.cast(Any, result).plot(plot)
        view = self.of("drawing")
        if html is not None:
            from gpusolve.output import page

            page.save_drawing(html, self.command.game, result.drawing(**view), fallback=self.command.summary)
        if self.json:
            device = self.backend.name if "backend" in self.command.takes else None
            top = self.value("top") if "top" in self.command.parameters else None
            self.emit(of_run(result, top=top, device=device, seconds=self.seconds))
        else:
            report.show(result.drawing(**view), self.quiet)


def run(command: Command, given: dict[str, Any], emit: Callable[[Mapping[str, Any]], None] | None = None) -> int:
    """Run a command and return its exit code.

    Parameters
    ----------
    command : Command
        The command.
    given : dict of str to object
        The values given, by the names of the command's parameters.
    emit : callable, optional
        It gets each JSON object. By default, they are printed.

    Raises
    ------
    GpusolveError
        As the function does; and BadInput for a result that finds a fault in the input.
    """
    _check(command, given)
    call = Call(command, given) if emit is None else Call(command, given, emit)
    made: Any
    if command.has_hook:
        hook = getattr(import_module(f"{command.package}.cli"), command.function_name)
        made = hook(call, **call.of("command"))
    else:
        made = call.run()
    for result in _each(made):
        call.report(result)
        if result.fault:
            raise BadInput(result.fault)
        if result.exit_code != Exit.DONE:
            return result.exit_code
    return Exit.DONE


def _each(made: Result | Iterable[Result] | None) -> Iterator[Result]:
    if isinstance(made, Result):
        yield made
    elif made is not None:
        yield from made


def _check(command: Command, given: Mapping[str, Any]) -> None:
    """Raise BadInput for a file that cannot be written, and for a number out of range that the drawing takes."""
    for name in WRITTEN:
        if (file := given.get(name)) is not None:
            files.check_writable(Path(file), f"--{name}")
    if (plot := given.get("plot")) is not None:
        from gpusolve.output.plot import check_plot

        check_plot(Path(plot), "--plot")
    for name, each in command.parameters.items():
        if each.owner == "drawing" and each.least is not None and each.most is not None and name in given:
            check_number(name, given[name], each.least, each.most)


@cache
def _options_of(function: Callable[..., Any], name: str) -> type[Options]:
    """Return the class of a parameter whose fields are options."""
    hint = typing.get_type_hints(function)[name]
    (kind,) = (each for each in (hint, *typing.get_args(hint)) if isinstance(each, type) and issubclass(each, Options))
    return kind


def _listed(column: Any) -> list[Any]:
    return column.tolist() if hasattr(column, "tolist") else list(column)
