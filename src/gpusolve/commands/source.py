"""Modules read as text: their functions, classes and constants, without importing them.

A command's help has to appear at once, but the modules that compute import NumPy and Numba. So the command line reads
what it needs from their sources. Only the statements that are asked for are parsed, which takes about a millisecond
each.
"""

from __future__ import annotations

import ast
import operator
import re
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_SECTION = re.compile(r"^(\S[^\n]*)\n-{3,}\n", re.M)
_ENTRY = re.compile(r"^(\*{0,2}\w[^\n:]*?) ?:[^\n]*\n((?:[ \t]+[^\n]*\n?|\n)+)", re.M)
_IMPORT = re.compile(r"^[ \t]*from ([\w.]+) import (\([^)]*\)|[^\n]*)", re.M)
_OPERATIONS: dict[type[ast.operator], Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}


@dataclass(frozen=True)
class Source:
    """The text of a module.

    Attributes
    ----------
    module : str
        The full name of the module.
    text : str
        Its source code.
    file : Path
        The file that has it.
    """

    module: str
    text: str
    file: Path

    def statement(self, name: str) -> ast.stmt | None:
        """Return the top-level statement that defines a name in this module, or None."""
        found = re.search(rf"^(?:(?:async )?def|class) {name}\b|^{name}(?: *:[^\n]*?)? *=", self.text, re.M)
        if found is None:
            return None
        begin = found.start()
        while (above := self.text.rfind("\n", 0, begin - 1) + 1) < begin and self.text.startswith("@", above):
            begin = above
        end = re.compile(r"^[^\s)\]}#]", re.M).search(self.text, found.end())
        return ast.parse(self.text[begin : end.start() if end else None]).body[0]

    def find(self, name: str) -> tuple[Source, ast.stmt] | None:
        """Return the statement that defines a name, and the module that has it, which this one may import it from."""
        if (own := self.statement(name)) is not None:
            return self, own
        if (origin := self.imported.get(name)) is None:
            return None
        module, original = origin
        other = source(module)
        return other.find(original) if other else None

    @cached_property
    def imported(self) -> dict[str, tuple[str, str]]:
        """The names that ``from ... import`` brings: name -> (module, name there)."""
        found = {}
        for module, names in _IMPORT.findall(self.text):
            dots = len(module) - len(module.lstrip("."))
            if dots:
                package = self.module.split(".")
                package = package[: len(package) - dots + (self.file.stem == "__init__")]
                module = ".".join([*package, module[dots:]]).rstrip(".")
            for item in names.strip("()").split(","):
                words = item.partition("#")[0].split()
                if words:
                    found[words[-1]] = module, words[0]
        return found

    def value(self, node: ast.expr) -> Any:
        """Return the value of a constant expression. Raises ValueError for anything else."""
        match node:
            case ast.Constant():
                return node.value
            case ast.Tuple() | ast.List():
                return tuple(self.value(item) for item in node.elts)
            case ast.UnaryOp(op=ast.USub()):
                return -self.value(node.operand)
            case ast.BinOp() if type(node.op) in _OPERATIONS:
                return _OPERATIONS[type(node.op)](self.value(node.left), self.value(node.right))
            case ast.Call(func=ast.Name(id="Path"), args=[ast.Constant() as text]):
                return Path(str(text.value))
            case ast.Name() if (found := self.find(node.id)) is not None:
                where, statement = found
                if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
                    return where.value(statement.value)
        raise ValueError(f"{self.module}: {ast.unparse(node)} is no constant")


@cache
def source(module: str) -> Source | None:
    """Return the source of a module; None if there is no such module or its text cannot be read."""
    top, *rest = module.split(".")
    folder = _folder(top)
    if folder is None:
        return None
    place = folder.joinpath(*rest)
    for file in (place / "__init__.py", place.with_suffix(".py")):
        try:
            return Source(module, file.read_text(encoding="utf-8"), file)
        except (OSError, UnicodeDecodeError):
            pass
    return None


@cache
def _folder(package: str) -> Path | None:
    """Return the folder of a top-level package. That imports nothing; looking up a module would import its packages."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin).parent if spec and spec.origin and spec.submodule_search_locations else None


def sections(docstring: str) -> dict[str, str]:
    r"""Return the sections of a NumPy docstring by their names; the text before the first one has the name "".

    >>> sections("Add.\n\nParameters\n----------\na : int\n    A number.\n")
    {'': 'Add.', 'Parameters': 'a : int\n    A number.'}
    """
    parts = _SECTION.split(docstring)
    named = dict(zip(parts[1::2], parts[2::2], strict=True))
    return {name: text.strip("\n") for name, text in {"": parts[0], **named}.items()}


def entries(section: str) -> dict[str, str]:
    r"""Return the description of each parameter or attribute in a section of a NumPy docstring.

    >>> entries("a, b : int\n    Numbers.\nc : str\n    Text\n    on two lines.")
    {'a': 'Numbers.', 'b': 'Numbers.', 'c': 'Text on two lines.'}
    """
    found = {}
    for names, text in _ENTRY.findall(section + "\n"):
        for name in names.split(","):
            found[name.strip().lstrip("*")] = " ".join(text.split())
    return found


def snake(name: str) -> str:
    """Return the name of a class as the name of a function.

    >>> snake("BestMelds")
    'best_melds'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def drawing_of(module: str) -> Source | None:
    """Return the nearest module called ``drawing``: beside a module, or in a package around it."""
    package = module
    while package := package.rpartition(".")[0]:
        if (found := source(f"{package}.drawing")) is not None:
            return found
    return None
