"""Which tests are nearest to a module: those of its name, those that import it, and those that import what uses it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import resolve_name
from pathlib import Path

FARTHEST = 3
"""Number of imports between a test and a module that it tests, at most."""
NUMBA = ("numba.", "gpusolve.backend.compiled.")


@dataclass(frozen=True)
class Sources:
    """The modules of a checkout, by their full names, and what each imports.

    Attributes
    ----------
    root : Path
        The root of the checkout.
    files : dict
        Name of a module -> its file. Tests are named from their folder, such as ``output.test_table``.
    imports : dict
        Name of a module -> the names of the modules that it imports.
    plain : tuple of str
        The modules of the package without Numba code.
    """

    root: Path
    files: dict[str, Path]
    imports: dict[str, set[str]]
    plain: tuple[str, ...]

    @classmethod
    def read(cls, root: Path) -> Sources:
        """Read all modules of the package and of the tests."""
        files = {
            ".".join(file.relative_to(folder).with_suffix("").parts).removesuffix(".__init__"): file
            for folder in (root / "src", root / "tests")
            for file in sorted(folder.rglob("*.py"))
        }
        public = {
            module: dict(_public_names(module, file.with_suffix(".pyi")))
            for module, file in files.items()
            if file.with_suffix(".pyi").exists()
        }
        imports, plain = {}, []
        for module, file in files.items():
            names, found = list(_imported(module, file)), set[str]()
            imports[module] = found
            part, *inner = module.split(".")
            if part == "gpusolve" and "cpu" not in inner and not any(f"{name}.".startswith(NUMBA) for name in names):
                plain.append(module)
            for name in names:
                package, _, last = name.rpartition(".")
                if name in files:
                    found.add(name)
                elif package in files:
                    found.add(public.get(package, {}).get(last, package))
        return cls(root, files, imports, tuple(plain))

    def compiled_into(self) -> set[str]:
        """Return the modules that Numba code imports, directly or indirectly: its cache is stale when one changes."""
        found: set[str] = set()
        waiting = [module for module in self.files if module.startswith("gpusolve") and module not in self.plain]
        while waiting:
            module = waiting.pop()
            if module not in found:
                found.add(module)
                waiting += self.imports[module]
        return found

    def nearest(self, module: str, most: int) -> list[Path]:
        """Return at most `most` files of tests relative to the root, the nearest first.

        Commands are tested through the command line, which imports them by name: so tests in the module's folder, and
        those of the commands in the folders above it, count as well. Wrong calls of a game's functions come early,
        because the checks of input are everywhere in it.
        """
        own = self.files[module].relative_to(self.root / "src" / "gpusolve")
        distances, around = {module: 0}, {module}
        for distance in range(1, FARTHEST + 1):
            around = {name for name, imported in self.imports.items() if imported & around} - distances.keys()
            distances |= dict.fromkeys(around, distance)
        tests = []
        for name, file in self.files.items():
            place = file.relative_to(self.root)
            if place.parts[0] == "tests" and file.name.startswith("test_"):
                folder = place.relative_to("tests").parent
                namesake = folder == own.parent and place.stem == f"test_{own.stem.strip('_')}"
                neighbour = folder == own.parent or (folder in own.parents and place.stem == "test_cli")
                if neighbour or name in distances:
                    apart = len({*folder.parts} ^ {*own.parent.parts})
                    calls = own.parts[:1] == ("games",) and place.stem == f"test_calls_{own.parts[1]}"
                    tests.append((not namesake, not calls, distances.get(name, FARTHEST + 1), apart, place))
        return [place for *_, place in sorted(tests)[:most]]


def _imported(module: str, file: Path) -> Iterator[str]:
    package = module if file.stem == "__init__" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            yield source
            yield from (f"{source}.{name.name}" for name in node.names)


def _public_names(package: str, stub: Path) -> Iterator[tuple[str, str]]:
    """Yield the public names of a package, with the modules that define them."""
    for node in ast.parse(stub.read_bytes()).body:
        if isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            yield from ((name.asname or name.name, source) for name in node.names)
