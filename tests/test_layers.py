"""The structure of the package: which imports are allowed, how large a folder may be, and the names of modules."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable
from fnmatch import fnmatch
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path

import pytest

import gpusolve
from gpusolve.games import find_games
from gpusolve.testing import commands

ROOT = Path(gpusolve.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
COMMAND_LINE = {
    "typer",
    "rich",
    "gpusolve.output.report",
    "gpusolve.output.terminal",
    "gpusolve.cli",
}
MAY_REPORT = {
    "running",
    "outcome",
    "line",
    "device",
    "cli",
    "drawing",
    "report",
    "__main__",
    "dialogue",
    "plugin",
    "server",
    "worker",
}
MOST_MODULES = 16
"""Largest number of modules in one folder, not counting ``__init__``."""

LEVELS = (
    {"gpusolve", "gpusolve.errors", "gpusolve.options"},
    {
        "gpusolve.checks",
        "gpusolve.clock",
        "gpusolve.installation",
        "gpusolve.resources",
        "gpusolve.estimates",
        "gpusolve.reprs",
        "gpusolve.signals",
        "gpusolve.commands.source",
    },
    {"gpusolve.files", "gpusolve.fields"},
    {"gpusolve.backend"},
    {
        "gpusolve.runs",
        "gpusolve.wordlists",
        "gpusolve.lists.public",
        "gpusolve.lists.kept",
        "gpusolve.lists.formats",
        "gpusolve.lists.downloads",
    },
    {"gpusolve.output", "gpusolve.search"},
    {"gpusolve.result"},
    {"gpusolve.games", "gpusolve.doctor"},
    {"gpusolve.commands", "gpusolve.games.*.cli"},
    {"gpusolve.cli", "gpusolve.lists", "gpusolve.testing", "gpusolve.serve"},
    {"gpusolve.__main__"},
)
"""The parts of the package from the lowest to the highest: a module imports nothing from a level above its own. The
longest part that matches decides: `gpusolve.commands.source` only reads text, so results may use it."""
GAME_LEVELS = {"drawing": 1, "dialogue": 2, "cli": 3}
"""The same within a game: everything else, which computes, is on level 0."""


def module_of(file: Path) -> str:
    """Return the full name of a module; ``__init__.py`` has the name of its package."""
    name = ".".join(("gpusolve", *file.relative_to(ROOT).with_suffix("").parts))
    return name.removesuffix(".__init__")


MODULES = {module_of(file): file for file in FILES}


@cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))


@cache
def imports(file: Path) -> frozenset[str]:
    """Return the names that a file imports, also inside functions, under TYPE_CHECKING, and as text."""
    found = set(names_in_text(file))
    for node in nodes_of(file):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return frozenset(found)


def imported_modules(file: Path) -> set[str]:
    """Return the modules of gpusolve that a file imports: for ``from package import module`` only the module."""
    found = MODULES.keys() & names_in_text(file)
    for node in nodes_of(file):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name in MODULES}
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            names = {f"{node.module}.{name.name}" for name in node.names}
            found |= (names & MODULES.keys()) or {node.module}
    own = module_of(file)
    return found - {own}


def names_in_text(file: Path) -> set[str]:
    """Return the names that a file imports with a function: ``import_module("gpusolve.output.page")``.

    A name may be made of constants of the file. ``f"{package}.cli"`` is left out, because the package of any game can
    have such a module, one that is installed beside gpusolve as well.
    """
    constants: dict[str, str] = {"__name__": module_of(file), "__package__": module_of(file).rpartition(".")[0]}
    for node in nodes_of(file):
        if isinstance(node, ast.Assign) and (text := text_of(node.value, constants)) is not None:
            constants |= {target.id: text for target in node.targets if isinstance(target, ast.Name)}
    found = set()
    for node in nodes_of(file):
        if isinstance(node, ast.Call) and node.args:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("import_module", "__import__"):
                found.add(text_of(node.args[0], constants))
    return {resolve_name(name, constants["__package__"]) for name in found if name}


def text_of(node: ast.AST, constants: dict[str, str]) -> str | None:
    """Return the text that an expression stands for; None if that depends on more than constants."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return constants.get(name)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            parts = [left, right]
        case ast.JoinedStr(values=parts):
            pass
        case ast.FormattedValue(value=value):
            return text_of(value, constants)
        case _:
            return None
    texts = [text_of(part, constants) for part in parts]
    return None if None in texts else "".join(map(str, texts))


def level_of(module: str) -> int:
    """Return the level of a module of the package."""
    matching = {
        part: level
        for level, parts in enumerate(LEVELS)
        for part in parts
        if fnmatch(module, part) or (part != "gpusolve" and fnmatch(module, f"{part}.*"))
    }
    assert matching, f"{module}: add it to LEVELS"
    return matching[max(matching, key=len)]


def game_level(module: str) -> int:
    """Return the level of a module within its game."""
    return GAME_LEVELS.get(module.rpartition(".")[2], 0)


def names(file: Path) -> str:
    return file.relative_to(ROOT).with_suffix("").as_posix()


def check_none(offenders: Iterable[str]) -> None:
    """Fail with a list of all that break a rule, if anything does."""
    if listed := sorted(offenders):
        pytest.fail("\n".join(listed), pytrace=False)


def is_above(other: str, own: str) -> bool:
    """Return whether a module is on a higher level than another one, in the package or within a game."""
    same_game = own.split(".")[:3] == other.split(".")[:3] and own.startswith("gpusolve.games.")
    in_game = same_game and own.count(".") > 2 and other.count(".") > 2
    return level_of(other) > level_of(own) or (in_game and game_level(other) > game_level(own))


def test_nothing_is_imported_from_a_level_above() -> None:
    imported = ((own, other) for own, file in MODULES.items() for other in imported_modules(file))
    check_none(f"{own} imports {other}" for own, other in imported if is_above(other, own))


def test_names_in_text_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    file = tmp_path / "output" / "page.py"
    file.parent.mkdir()
    file.write_text(
        """
GAMES = "gpusolve.games"
WORDLE = f"{GAMES}.wordle"
import_module(WORDLE + ".cli").app
importlib.import_module("gpusolve.search")
import_module(".table", __package__), import_module(f"{__package__}.plot")
import_module(f"{package}.cli"), import_module(name), import_module("json")
"""
    )
    beside = {"gpusolve.output.table", "gpusolve.output.plot"}
    assert names_in_text(file) == {"gpusolve.games.wordle.cli", "gpusolve.search", "json", *beside}


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {module: imported_modules(file) for module, file in MODULES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_kernels_are_only_launched_from_kernels_modules() -> None:
    for file in ROOT.glob("games/**/*.py"):
        if file.stem != "kernels":
            assert not re.search(r"\.launch\(", file.read_text(encoding="utf-8")), names(file)


def test_no_folder_has_too_many_modules() -> None:
    for folder in {file.parent for file in FILES}:
        modules = [file.name for file in folder.glob("*.py") if file.name != "__init__.py"]
        assert len(modules) <= MOST_MODULES, f"{folder.relative_to(ROOT)}: {len(modules)} modules"


@pytest.mark.parametrize("game", [name for name, package in find_games().items() if package.startswith("gpusolve.")])
def test_the_function_of_a_command_is_in_a_module_of_its_name(game: str) -> None:
    """The function may also be in ``rules.py``."""
    for command in commands.of_game(game):
        module = command.function.__module__.rpartition(".")[2]
        assert module in (f"_{command.name.replace('-', '_')}", "rules"), (
            f"{command} is in {command.function.__module__}"
        )


@pytest.mark.parametrize("game", find_games())
def test_the_public_names_show_in_dir_and_have_docstrings(game: str) -> None:
    package = import_module(find_games()[game])
    assert dir(package), f"{game}: dir() shows nothing"
    for name in dir(package):
        assert getattr(package, name).__doc__, f"{game}.{name} has no docstring"


def test_the_facade_of_the_twins_has_no_code() -> None:
    for file in ROOT.glob("games/*/cpu/__init__.py"):
        body = ast.parse(file.read_text(encoding="utf-8")).body
        assert not [node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)], names(file)


def test_only_the_command_line_knows_the_command_line() -> None:
    check_none(
        f"{names(file)} imports {name}"
        for file in FILES
        if file.stem not in MAY_REPORT
        for name in COMMAND_LINE & imports(file)
    )


def test_nothing_below_knows_a_game() -> None:
    check_none(
        f"{names(file)} imports {name}"
        for file in FILES
        if not names(file).startswith(("games/", "cli"))
        for name in imports(file)
        if re.match(r"gpusolve\.games\.\w+\.|gpusolve\.games\.(?!find|summary)", name)
    )


def test_rules_are_plain() -> None:
    """They only use the standard library, NumPy, errors, checks, `result` and other rules: no kernels, no searches."""
    files = [*ROOT.glob("games/*/rules.py"), *ROOT.glob("games/*/rules/*.py")]
    check_none(f"{names(file)} imports {name}" for file in files for name in imports(file) if not is_plain(name, file))


def is_plain(name: str, rules: Path) -> bool:
    """Return whether rules may import a name."""
    package = ".".join(module_of(rules).split(".")[:3])
    if not name.startswith("gpusolve"):
        return name.partition(".")[0] not in {"numba", "cupy"}
    if name == "gpusolve.runs" or re.match(r"gpusolve\.(errors|checks|result|runs\.seeds)\b", name):
        return True
    own = name.startswith(package) and not re.match(rf"{package}\.(kernels|cpu|_\w+|cli|drawing)\b", name)
    return own or bool(re.match(r"gpusolve\.games\.\w+\.rules\b", name))


def test_a_game_uses_another_through_its_rules_kernels_and_types() -> None:
    check_none(
        f"{names(file)} imports {name}"
        for file in ROOT.glob("games/*/**/*.py")
        for name in imports(file)
        if not name.startswith(f"{'.'.join(module_of(file).split('.')[:3])}.")
        if re.match(r"gpusolve\.games\.\w+\.(cli|drawing|cpu|dialogue|_)", name)
    )


def test_no_code_asks_for_the_name_or_the_kind_of_a_device() -> None:
    for folder in ("src", "benchmarks", "tests", "examples"):
        for file in ROOT.parents[1].joinpath(folder).rglob("*.py"):
            if "backend" not in file.parts and file != Path(__file__):
                text = file.read_text(encoding="utf-8")
                assert not re.search(
                    r"backend\.name *(==|!=|in\b)|backend\.name\.(starts|ends)with|\[backend\.name\]|xp is np\b", text
                ), file


@pytest.mark.parametrize("game", find_games())
def test_public_functions_document_every_parameter(game: str) -> None:
    """They follow numpydoc: a summary, and Parameters, Returns and so on as sections."""
    package = import_module(find_games()[game])
    for name in dir(package):
        function = getattr(package, name)
        if not inspect.isfunction(function):
            continue
        text = inspect.getdoc(function) or ""
        summary, *_ = text.split("\n\n")
        assert summary.endswith("."), f"{game}.{name}: its summary does not end with a full stop"
        parameters = list(inspect.signature(function).parameters)
        section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", text, re.MULTILINE | re.DOTALL)
        documented = (
            set(re.findall(r"^\*{0,2}(\w+(?:, \w+)*)(?: :.*)?$", section[1], re.MULTILINE)) if section else set()
        )
        documented = {parameter for names in documented for parameter in names.split(", ")}
        assert documented >= set(parameters), f"{game}.{name}: {sorted(set(parameters) - documented)} not documented"
        assert re.search(r"^(Returns|Yields)\n-+$", text, re.MULTILINE) or function.__annotations__["return"] in (
            None,
            "None",
        ), f"{game}.{name}: it does not say what it returns"
