"""Directives of the site: drawings, kernels with their counted numbers, public names, and the JSON of results.

::

    {drawing} wordle_terms        a drawing from drawings.py, with its caption
    {kernel} wordle.partition     a kernel: its launch, its counted numbers, and its text
    {public} gpusolve.games.qless the public names of a package, from its docstrings
    {results} qless               the fields of the JSON of each command, from the classes of its results

The JSON Schema of each command is a file of the site, such as ``schemas/qless.solve.json``.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from building.drawings import DRAWINGS
from gpusolve.backend.program import Program
from gpusolve.commands.command import Command, of_game
from gpusolve.games import find_games
from gpusolve.result import schema_of

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
COUNTED = ROOT / "benchmarks" / "results" / "kernels.md"
BLOCK = 256
SHARING = {1: "one thread", 32: "one warp", 256: "one block"}
_KERNEL = re.compile(
    r'(?:^//[^\n]*\n)*^(?:extern "C"|template <class T /\*([^*]*)\*/>)\s__global__ void [^{]*?\b(\w+)\(int first',
    re.MULTILINE,
)


class Drawing(SphinxDirective):
    """A drawing; the content is its caption."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return a figure."""
        for file in FOLDER.glob("*.py"):
            self.env.note_dependency(str(file))
        caption = " ".join(self.content)
        figure = nodes.container(classes=["drawing"])
        svg = DRAWINGS[self.arguments[0]]().svg(caption)
        figure += nodes.raw("", f'<div class="drawing-box" tabindex="0">{svg}</div>', format="html")
        parsed = nodes.paragraph(classes=["drawing-caption"])
        self.state.nested_parse(self.content, self.content_offset, parsed)
        figure += parsed.children
        return [figure]


class Kernel(SphinxDirective):
    """A kernel: an example launch, what is counted in its machine code, and its text.

    ``items`` is the number of items of the example launch, and ``item`` says what an item is.
    """

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {
        "items": directives.nonnegative_int,
        "item": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Return a table and the kernel's text, folded."""
        game, name = self.arguments[0].split(".")
        kernel = program(game).kernel(name)
        count, item = self.options["items"], self.options["item"]
        blocks = -(-count * kernel.threads // BLOCK)
        rows = [
            ("who", f"{SHARING[kernel.threads]} for each {item}"),
            ("example launch", f"{count:,} items ({item}s): grid ({blocks:,}), block ({BLOCK})"),
        ]
        if counted := counts().get(f"{game}.{name}"):  # a new kernel is counted when `make estimate` runs again
            instructions, unit = counted["instructions"].split(" / ")
            rows += [
                (
                    "resources",
                    f"{counted['registers']} registers per thread, {counted['shared, bytes']} bytes of shared memory "
                    f"per block, occupancy {counted['occupancy']} (compiled for sm_90)",
                ),
                (
                    "counted",
                    f"{instructions} instructions per {unit}, {counted['requested']} bytes requested from the caches "
                    f"and {counted['memory']} from memory ({counted['call']})",
                ),
                ("first limit", f"{counted['limit']}, at {counted['maximum rate']} at most: estimated, not measured"),
            ]
        path = program(game).source
        for file in (path, COUNTED, Path(__file__)):
            self.env.note_dependency(str(file))
        lines = [f"| `{name}` | |", "|---|---|", *(f"| **{key}** | {value} |" for key, value in rows), ""]
        lines += [f":::{{dropdown}} The text of `{name}`", "```cuda", *text_of(game, name), "```", ":::", ""]
        parsed = nodes.container(classes=["kernel"])
        self.state.nested_parse(StringList(lines, str(path)), self.content_offset, parsed)
        return [parsed]


class Public(SphinxDirective):
    """The public names of a package that its ``__init__.pyi`` lists, or of a module, with their docstrings."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return what autodoc makes of every name."""
        package = self.arguments[0]
        module = import_module(package)
        stub = Path(str(module.__file__)).with_suffix(".pyi")
        if stub.exists():
            names = re.findall(r"\bas (\w+)", stub.read_text(encoding="utf-8"))
        elif hasattr(module, "__all__"):
            names = list(module.__all__)
        else:
            own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == package]
            names = [name for name in own if not name.startswith("_")]
        lines = ["```{eval-rst}", f".. py:module:: {package}", ""]
        for name in sorted(names, key=lambda name: (name[0].isupper(), name.lower())):
            value = getattr(module, name)
            kind = "class" if isinstance(value, type) else "function" if callable(value) else "data"
            lines += [f".. auto{kind}:: {package}.{name}"]
            lines += ["   :members:", "   :undoc-members:", ""] if kind == "class" else [""]
        lines += ["```"]
        parsed = nodes.container()
        self.state.nested_parse(StringList(lines, package), self.content_offset, parsed)
        made: list[nodes.Node] = parsed.children
        return made


class Results(SphinxDirective):
    """The JSON of each command of a game: its fields with their types and descriptions, and its schema."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a table for each command."""
        lines: list[str] = []
        for command in of_game(self.arguments[0]):
            schema = schema_of(command.result, run=True)
            lines += [f"**{command}**", "", "| field | type | |", "|---|---|---|"]
            for name, field in schema["properties"].items():
                text = field.get("description", "").replace("|", "\\|")
                lines.append(f"| `{name}` | {type_of(field)} | {text} |")
            lines += ["", f"Its JSON Schema is the file `schemas/{file_of(command)}` of this site.", ""]
        parsed = nodes.container()
        self.state.nested_parse(StringList(lines, self.arguments[0]), self.content_offset, parsed)
        made: list[nodes.Node] = parsed.children
        return made


def type_of(field: dict[str, Any]) -> str:
    """Return the type of a field in a few words.

    >>> type_of({"type": "array", "items": {"type": "integer"}}), type_of({"type": ["number", "null"]})
    ('array of integer', 'number or null')
    """
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return ", ".join(f"`{each}`" for each in field["enum"])
    if "anyOf" in field:
        return " or ".join(map(type_of, field["anyOf"]))
    if isinstance(field.get("type"), list):
        return " or ".join(field["type"])
    if field.get("type") == "array" and field.get("items"):
        return f"array of {type_of(field['items'])}"
    return str(field.get("type", "any"))


def file_of(command: Command) -> str:
    """Return the name of the file with a command's schema."""
    return f"{command.game}.{command.name}.json"


def write_schemas(app: Sphinx, exception: Exception | None) -> None:
    """Write the schema of each command into the site."""
    if exception is not None or app.builder.name != "html":
        return
    folder = Path(app.outdir) / "schemas"
    folder.mkdir(exist_ok=True)
    for game in find_games():
        for command in of_game(game):
            about = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"gpusolve {command}"}
            text = json.dumps(about | schema_of(command.result, run=True), indent=1)
            (folder / file_of(command)).write_text(text + "\n", encoding="utf-8")


@cache
def program(game: str) -> Program:
    """Return the program of a game, or ``beam`` or ``permutations``, which belong to searches."""
    rooms = {"beam": "search", "permutations": "search.permutations"}
    found: Program = import_module(f"gpusolve.{rooms.get(game, f'games.{game}')}.kernels").PROGRAM
    return found


@cache
def counts() -> dict[str, dict[str, str]]:
    """Return the rows of benchmarks/results/kernels.md by kernel."""
    rows = [
        line.strip("| ").split(" | ") for line in COUNTED.read_text(encoding="utf-8").splitlines() if line[:1] == "|"
    ]
    head, _, *body = rows
    return {row[0]: dict(zip(head, row, strict=True)) for row in body if len(row) == len(head)}  # of the first table


def text_of(game: str, name: str) -> list[str]:
    """Return the lines of a kernel, or of the template that it is an instance of, with the comment above it."""
    source = program(game).source
    texts = [file.read_text(encoding="utf-8") for file in [source, *sorted(source.parent.glob(f"{source.stem}_*.cuh"))]]
    found = [m for text in texts for m in _KERNEL.finditer(text)]
    (kernel,) = (m for m in found if name in re.findall(r"\w+(?=:)", m[1] or f"{m[2]}:"))
    return kernel.string[kernel.start() : kernel.string.index("\n}\n", kernel.end()) + 2].splitlines()


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives."""
    added: dict[str, type[Directive]] = {"drawing": Drawing, "kernel": Kernel, "public": Public, "results": Results}
    app.connect("build-finished", write_schemas)
    for name, directive in added.items():
        app.add_directive(name, directive)
    return {"parallel_read_safe": True, "version": "1"}
