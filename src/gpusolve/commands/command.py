"""Commands, read from their public functions.

A command ``gpusolve <game> <name>`` is the public function ``name`` in a private module ``_name.py`` of the game. Its
parameters, their types, limits, defaults and help texts come from the signature and the NumPy docstring, which are
read without importing the module (`gpusolve.commands.source`). The command line, the HTTP interface, the reference and
the tests use this description, so that they cannot differ from the function or from each other.

A parameter becomes an option if its type can be written as text:

- ``int``, ``float``, ``bool``, ``Path``, and a ``Literal`` of words; ``str`` wherever the type has it, because then the
  function reads the text itself;
- a sequence of words (``Sequence[str]``), for as many words as are given;
- a class that has the base `Options`, such as a variant: each of its fields, or each parameter of its class method
  ``load``, is an option.

What people give by position in Python is an argument on the command line: the parameters before the ``*``. A parameter
called ``dictionary`` is always an option. The result's type adds options as well: ``--csv`` if it has the method
``columns``, ``--plot`` if it has ``plot``, ``--out`` if it has ``save``, and the keyword parameters of the function
that draws it.
"""

from __future__ import annotations

import ast
import re
import shlex
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import import_module
from typing import Any, Literal, TypeAlias

from gpusolve.commands.source import Source, drawing_of, entries, sections, snake, source
from gpusolve.games import find_games

Kind: TypeAlias = Literal["text", "integer", "number", "flag", "file", "source"]
"""What a parameter takes; a ``source`` is a text or the name of a file."""
SIMPLE: dict[str, Kind] = {"str": "text", "int": "integer", "float": "number", "bool": "flag", "Path": "file"}
TAKEN = {"Iterable[str]": "words", "Mapping[str, float]": "weights"}
LAST = ("seed", "time_limit", "checkpoint", "resume", "progress", "backend")
"""The last parameters of every function that has them, in this order."""
DEEPEST = 4
"""Number of steps from module to module in which the check of a number is looked for."""
MOST_ROWS = 10**9
"""Largest number of rows that ``--top`` can ask for."""


@dataclass(frozen=True)
class Parameter:
    """An option or an argument of a command, and a field of its HTTP request.

    Attributes
    ----------
    name : str
        Its name in Python, in JSON and, with ``-`` for ``_``, on the command line.
    kind : str
        ``text``, ``integer``, ``number``, ``flag``, ``file``, or ``source`` for a text or a file.
    help : str
        What it means, on one line.
    choices : tuple of str
        The words that are possible; empty if all are.
    several : bool
        Whether it takes any number of words.
    positional : bool
        Whether it is an argument of the command line.
    required : bool
        Whether it has to be given.
    default : object
        The value that the function takes without it; None if that depends on other values.
    least, most : int, float or None
        The limits of a number.
    takes : tuple of str
        What its function takes instead of a name or a file, and only JSON and Python can give: ``words``, the words
        of a list themselves, or ``weights``, a mapping from words to numbers.
    owner : str
        Who takes it: "" for the function, the name of the parameter that it is a field of, or ``result``, ``drawing``
        or ``command``.
    """

    name: str
    kind: Kind
    help: str = ""
    choices: tuple[str, ...] = ()
    several: bool = False
    positional: bool = False
    required: bool = False
    default: Any = None
    least: float | None = None
    most: float | None = None
    takes: tuple[str, ...] = ()
    owner: str = ""

    @property
    def option(self) -> str:
        """The option on the command line, such as ``--top``; for an argument its name in capitals."""
        return self.name.upper() if self.positional else f"--{self.name.replace('_', '-')}"


DEVICE = Parameter(
    "device", "text", "Device: auto, cpu, cpu:THREADS, cuda or cuda:N. By default GPUSOLVE_DEVICE, or auto."
)
JSON = Parameter("json", "flag", "Print one JSON object instead of text.", default=False)
QUIET = Parameter("quiet", "flag", "Print no progress and no notes on stderr.", default=False)
FILES = {
    "csv": Parameter("csv", "file", "Write every row to this CSV file."),
    "plot": Parameter("plot", "file", "Draw the result to this .png, .svg or .pdf file."),
    "html": Parameter("html", "file", "Write the result as an HTML page that needs no other file."),
}


@dataclass(frozen=True)
class Described:
    """A command that a function describes by its signature and its docstring, which are read without importing it.

    Attributes
    ----------
    name : str
        The last word of the command.
    module : str
        The module of the function.
    """

    name: str
    module: str

    def __str__(self) -> str:
        return self.name

    @property
    def function_name(self) -> str:
        """The name of the function."""
        return self.name.replace("-", "_")

    @property
    def function(self) -> Callable[..., Any]:
        """The function; this imports its module."""
        found: Callable[..., Any] = getattr(import_module(self.module), self.function_name)
        return found

    @cached_property
    def _source(self) -> Source:
        found = source(self.module)
        assert found is not None, f"{self}: {self.module} cannot be read"
        return found

    @cached_property
    def _definition(self) -> ast.FunctionDef:
        found = self._source.statement(self.function_name)
        assert isinstance(found, ast.FunctionDef), f"{self}: {self.module} has no function {self.function_name}"
        return found

    @cached_property
    def _sections(self) -> dict[str, str]:
        return sections(ast.get_docstring(self._definition) or "")

    @property
    def about(self) -> str:
        """What the command does, in paragraphs: the docstring up to its first section."""
        options = {name: parameter.option for name, parameter in self.parameters.items()}
        return "\n\n".join(plain(" ".join(text.split()), options) for text in self._sections[""].split("\n\n"))

    @cached_property
    def summary(self) -> str:
        """The first sentence of the docstring."""
        return plain(" ".join(self._sections[""].partition("\n\n")[0].split()))

    @property
    def examples(self) -> list[list[str]]:
        """The words after ``gpusolve`` of each example in the docstring's section Examples."""
        lines = re.findall(r"``gpusolve (.*?)``", self._sections.get("Examples", ""), re.S)
        return [shlex.split(" ".join(line.split())) for line in lines]

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """All options and arguments by name, in the order of the help page.

        The docstring does not describe those that mean the same in every command: the device, JSON and quiet.
        """
        shared = {each.name: each for each in (DEVICE, JSON, QUIET)}
        return self._explained([shared.get(each.name, each) for each in parameters_of(self._source, self._definition)])

    def _explained(self, found: list[Parameter]) -> dict[str, Parameter]:
        """Return parameters by name, with help texts without the marks of docstrings."""
        options = {each.name: each.option for each in found}
        return {each.name: replace(each, help=plain(each.help, options)) for each in found}


@dataclass(frozen=True)
class Command(Described):
    """A command ``gpusolve <game> <name>``. The module of its public function is private.

    Attributes
    ----------
    game : str
        The first of its two words.
    package : str
        The game's package.
    """

    game: str
    package: str

    def __str__(self) -> str:
        return f"{self.game} {self.name}"

    @property
    def result(self) -> type:
        """The class of its results; this imports its module."""
        found: type = typing.get_type_hints(self.function)["return"]
        return found

    @cached_property
    def takes(self) -> frozenset[str]:
        """The names of all parameters of the function, also of those that no text can give."""
        return frozenset(argument.arg for argument in _arguments(self._definition))

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """All options and arguments by name, in the order of the help page."""
        own = {each.name: each for each in parameters_of(self._source, self._definition)}
        last = [own.pop(name) for name in ("workers", *LAST) if name in own]
        device = [DEVICE] * ("backend" in self.takes)
        for name in self._left_out():
            del own[name]
        found = [*own.values(), *self._of_hook(), *self._of_result(), *last, *device, JSON, QUIET]
        subjects = [each.name for each in found if each.positional]
        only_one = subjects[:-1]  # only the last argument can be several words
        return self._explained([replace(each, several=each.several and each.name not in only_one) for each in found])

    def _left_out(self) -> list[str]:
        """Return the options of a variant that the command refuses, from ``LEFT_OUT`` in the game's `cli`."""
        module = source(f"{self.package}.cli")
        pairs = _constant(module, ast.Name("LEFT_OUT")) if module else None
        return [option for command, option in pairs or () if command == self.name]

    def _of_hook(self) -> Iterator[Parameter]:
        """Yield the keyword parameters of the function in the game's `cli` that extends the command."""
        module = source(f"{self.package}.cli")
        hook = module.statement(self.function_name) if module else None
        if module is not None and isinstance(hook, ast.FunctionDef):
            for parameter in parameters_of(module, hook):
                yield replace(parameter, owner="command")

    @cached_property
    def has_hook(self) -> bool:
        """Whether the game's `cli` has a function that extends the command."""
        module = source(f"{self.package}.cli")
        return module is not None and module.statement(self.function_name) is not None

    @cached_property
    def _result(self) -> tuple[Source, ast.ClassDef] | None:
        """The class of the result, and the module that defines it."""
        returns = self._definition.returns
        found = self._source.find(returns.id) if isinstance(returns, ast.Name) else None
        return (found[0], found[1]) if found and isinstance(found[1], ast.ClassDef) else None

    def _of_result(self) -> Iterator[Parameter]:
        """Yield the options that come from what the result can do: how it is drawn, and the files that it writes."""
        if self._result is None:
            return
        lineage = list(_lineage(*self._result))
        methods = {
            each.name: (module, each)
            for module, result in reversed(lineage)
            for each in result.body
            if isinstance(each, ast.FunctionDef) and not each.decorator_list  # a property is no method
        }
        for parameter in _of_drawing(lineage):
            limits = (0, MOST_ROWS) if parameter.name == "top" else (parameter.least, parameter.most)
            yield replace(parameter, owner="drawing", least=limits[0], most=limits[1])
        if (save := methods.get("save")) is not None:
            for parameter in parameters_of(*save):
                yield replace(parameter, owner="result", positional=False, required=False)
        for name, method in (("csv", "columns"), ("plot", "plot")):
            if method in methods:
                yield replace(FILES[name], owner="result")
        yield replace(FILES["html"], owner="result")


def of_game(game: str) -> list[Command]:
    """Return the commands of a game in alphabetical order.

    They are the names in ``__init__.pyi`` that come from a private module of the same name.

    >>> [command.name for command in of_game("quordle")]
    ['analyze', 'play', 'simulate', 'suggest']
    """
    package = find_games()[game]
    module = source(package)
    assert module is not None, f"{package}: not found"
    text = module.file.with_suffix(".pyi").read_text(encoding="utf-8")
    found = []
    for where, names in re.findall(r"^from (\.[\w.]*) import (\([^)]*\)|[^\n]*)", text, re.M):
        private = where.rpartition(".")[2]
        exported = {words.split()[0] for words in names.strip("()").split(",") if words.split()}
        if private.startswith("_") and private[1:] in exported:
            name = private[1:].replace("_", "-")
            found.append(Command(name=name, module=package + where, game=game, package=package))
    return sorted(found, key=lambda command: command.name)


def find(game: str, name: str) -> Command | None:
    """Return a command, or None if the game has none of this name."""
    return next((command for command in of_game(game) if command.name == name), None)


def plain(text: str, options: dict[str, str] | None = None) -> str:
    """Return a text of a docstring without its marks. Names of parameters become options.

    >>> plain("At most `max_words`, see ``auto`` [1]_, such as ``a b``.", {"max_words": "--max-words"})
    "At most --max-words, see auto, such as 'a b'."
    """
    text = re.sub(r" \[\d+\]_", "", text)  # references
    text = re.sub(r"``(.+?)``", _code, text)
    return re.sub(r"`(.+?)`", lambda match: (options or {}).get(match[1], match[1].rpartition(".")[2]), text)


def _code(match: re.Match[str]) -> str:
    """Return text between double backquotes; it is quoted if it has a space and no quotes of its own."""
    return f"'{match[1]}'" if " " in match[1] and "'" not in match[1] else match[1]


@dataclass
class _Type:
    """What an annotation says: the kinds of values, the words of a Literal, and a class whose fields are options."""

    kinds: set[str] = field(default_factory=set)
    choices: tuple[str, ...] = ()
    several: bool = False
    takes: tuple[str, ...] = ()
    options: tuple[Source, ast.ClassDef] | None = None

    @property
    def kind(self) -> Kind | None:
        """The kind of a parameter of this type; None if no text can give it."""
        if {"text", "file"} <= self.kinds:
            return "source"
        order: tuple[Kind, ...] = ("text", "file", "number", "integer", "flag")
        return next((kind for kind in order if kind in self.kinds), "text" if self.choices else None)


def _type_of(module: Source, node: ast.expr, found: _Type | None = None) -> _Type:
    """Read an annotation; names of types are looked up where they are defined."""
    found = found or _Type()
    match node:
        case ast.BinOp(op=ast.BitOr()):
            _type_of(module, node.left, found)
            _type_of(module, node.right, found)
        case ast.Constant(value=str() as text):
            _type_of(module, ast.parse(text, mode="eval").body, found)
        case ast.Name() if node.id in SIMPLE:
            found.kinds.add(SIMPLE[node.id])
        case ast.Subscript(value=ast.Name(id="Literal")):
            for word in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
                if isinstance(word, ast.Constant):
                    found.choices += (str(word.value),)
                else:  # another Literal
                    _type_of(module, word, found)
        case ast.Subscript(value=ast.Name(id="Sequence" | "list")) if "text" in _type_of(module, node.slice).kinds:
            found.kinds.add("text")
            found.several = True
        case ast.Subscript() if (taken := TAKEN.get(ast.unparse(node))) is not None:
            found.takes += (taken,)
        case ast.Name() if (definition := module.find(node.id)) is not None:
            where, statement = definition
            if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
                _type_of(where, statement.value, found)
            elif isinstance(statement, ast.ClassDef) and any(
                ast.unparse(base) == "Options" for base in statement.bases
            ):
                found.options = where, statement
    return found


def parameters_of(module: Source, definition: ast.FunctionDef, about: str = "", owner: str = "") -> Iterator[Parameter]:
    """Yield the parameters of a function that can be given as text.

    Parameters
    ----------
    module : Source
        The module that defines it.
    definition : ast.FunctionDef
        The function.
    about : str
        A docstring that describes the parameters which its own does not.
    owner : str
        The parameter of the command that the function makes.
    """
    texts = _described(about) | _described(ast.get_docstring(definition) or "")
    arguments = definition.args
    defaults = dict(zip([each.arg for each in arguments.args][::-1], arguments.defaults[::-1], strict=False))
    defaults |= {
        each.arg: value for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value
    }
    for argument in _arguments(definition):
        if argument.annotation is None or argument.arg in ("self", "cls", "call", "progress", "backend"):
            continue
        found = _type_of(module, argument.annotation)
        name, default = argument.arg, defaults.get(argument.arg)
        if found.options is not None and not found.kinds:
            yield from _fields(*found.options, owner=name)
        elif found.kind is not None:
            value = None if default is None else _constant(module, default)
            is_subject = argument in arguments.args and name not in LAST and value is None and not owner
            least, most = _limits(module, name) if found.kind in ("integer", "number") else (None, None)
            yield Parameter(
                name=name,
                kind=found.kind,
                help=texts.get(name, ""),
                choices=() if "text" in found.kinds else found.choices,
                several=found.several,
                takes=found.takes if found.kind == "source" else (),
                positional=is_subject,
                required=default is None,
                default=value,
                least=least,
                most=most,
                owner=owner,
            )


def _fields(module: Source, definition: ast.ClassDef, owner: str) -> Iterator[Parameter]:
    """Yield the options of a class: the parameters of its class method ``load``, or else its fields.

    If that method takes any keywords, these are the fields, and it knows their defaults.
    """
    about = ast.get_docstring(definition) or ""
    load = next((each for each in definition.body if isinstance(each, ast.FunctionDef) and each.name == "load"), None)
    if load is not None:
        yield from parameters_of(module, load, about, owner)
        if load.args.kwarg is None:
            return
    made = ast.parse("def made(*, _=0): ...").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.args.kwonlyargs, made.args.kw_defaults = [], []
    for each in definition.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.target.id != "_":
            made.args.kwonlyargs.append(ast.arg(each.target.id, each.annotation))
            made.args.kw_defaults.append(each.value)
    for parameter in parameters_of(module, made, about, owner):
        yield parameter if load is None else replace(parameter, default=None)


def _arguments(definition: ast.FunctionDef) -> list[ast.arg]:
    return [*definition.args.posonlyargs, *definition.args.args, *definition.args.kwonlyargs]


def _lineage(module: Source, definition: ast.ClassDef) -> Iterator[tuple[Source, ast.ClassDef]]:
    """Yield a class and its bases, the nearest first, each with the module that defines it."""
    yield module, definition
    for base in definition.bases:
        found = module.find(base.id) if isinstance(base, ast.Name) else None
        if found and isinstance(found[1], ast.ClassDef):
            yield from _lineage(found[0], found[1])


def _of_drawing(lineage: list[tuple[Source, ast.ClassDef]]) -> list[Parameter]:
    """Return the keyword parameters of the function that draws a class, which may be that of its nearest base."""
    for module, result in lineage:
        drawing = drawing_of(module.module)
        draw = drawing.statement(snake(result.name)) if drawing else None
        if drawing and isinstance(draw, ast.FunctionDef):
            return [each for each in parameters_of(drawing, draw) if not each.positional]
    return []


def _described(docstring: str) -> dict[str, str]:
    parts = sections(docstring)
    return entries(parts.get("Attributes", "")) | entries(parts.get("Parameters", ""))


def _constant(module: Source, node: ast.expr) -> Any:
    """Return the value of a default; None if it is empty or only the function knows it."""
    try:
        value = module.value(node)
    except ValueError:
        return None
    return None if value == () else value


@cache
def _limits(module: Source, name: str) -> tuple[float | None, float | None]:
    """Return the limits of a number: those with which the nearest module that checks it does so.

    The nearest module is the function's own, then those that it imports from, then those that they import from.
    """
    seen, level = {module.module}, [module]
    for _ in range(DEEPEST):
        for each in level:
            if (call := _check_of(each, name)) is not None:
                least, most = (_constant(each, limit) for limit in call.args[2:4])
                return least, most
        names = dict.fromkeys(where for each in level for where, _ in each.imported.values())
        package = module.module.partition(".")[0]
        near = [where for where in names if where.partition(".")[0] == package and where not in seen]
        seen |= {*near}
        level = [found for where in near if (found := source(where)) is not None]
    return None, None


def _check_of(module: Source, name: str) -> ast.Call | None:
    """Return the first call with which a module checks a number of this name."""
    found = re.search(rf"(?<!>>> )check_(?:integer|number)\(\s*\"{name}\",", module.text)
    if found is None:
        return None
    end, depth = found.end(), 1
    while depth:
        depth += {"(": 1, ")": -1}.get(module.text[end], 0)
        end += 1
    call = ast.parse(module.text[found.start() : end], mode="eval").body
    assert isinstance(call, ast.Call)
    return call
