"""The sources that a module depends on. Machine code made from other sources is never used.

Machine code contains more than what its own module says: functions that it calls, and constants such as tables, come
from other modules. So it depends on all modules of the same package, or of gpusolve, that its module imports, directly
or indirectly. What `compiled` itself imports is left out, because it becomes part of no function.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import threading
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec, resolve_name
from pathlib import Path

DECORATORS = "gpusolve.backend.compiled"
_parsing = threading.Lock()  # Python 3.11 cannot parse in two threads at once: bugs.python.org, issue 106905


@cache
def digest(module: str) -> str:
    """Return the SHA-256 of a module's text and of the texts of all modules that it depends on."""
    return hashlib.sha256(repr([(name, text_digest(name)) for name in dependencies(module)]).encode()).hexdigest()


@cache
def dependencies(module: str) -> tuple[str, ...]:
    """Return the names of a module and of all modules that it depends on, sorted."""
    package = module.partition(".")[0]
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found and name.partition(".")[0] in (package, "gpusolve") and _file(name) is not None:
            found.add(name)
            waiting += imports(name) if name != DECORATORS else []
    return tuple(sorted(found))


@cache
def text_digest(module: str) -> str:
    """Return the SHA-256 of a module's text, without importing it; empty if there is no such module."""
    file = _file(module)
    return hashlib.sha256(file[0].read_bytes()).hexdigest() if file is not None else ""


@cache
def imports(module: str) -> tuple[str, ...]:
    """Return the full names of what a module imports, without importing it; nothing if there is no such module."""
    file = _file(module)
    if file is None:
        return ()
    with _parsing:
        tree = ast.parse(file[0].read_bytes())
    return tuple(_imported(tree, file[1]))


def builder_digest() -> str:
    """Return the SHA-256 of what makes libraries of twins: if it changes, they are made again."""
    folder = Path(__file__).with_name("building")
    files = [folder / "objects.py", folder / "linking.py", *sorted((folder / "native").iterdir())]
    made_by = [version(name) for name in ("numba", "llvmlite")]
    return hashlib.sha256(repr([*made_by, *(file.read_bytes() for file in files)]).encode()).hexdigest()


def forget() -> None:
    """Read all files again when they are needed, as a new process does."""
    for function in (digest, dependencies, text_digest, imports):
        function.cache_clear()


def _file(module: str) -> tuple[Path, str] | None:
    """Return the file of a module, and the package that its relative imports start from."""
    package, *inner = module.split(".")
    for folder in _folders(package):
        path = Path(folder, *inner)
        for file, parent in ((path / "__init__.py", module), (path.with_suffix(".py"), module.rpartition(".")[0])):
            if file.is_file():
                return file, parent
    return None


def _folders(package: str) -> Iterable[str]:
    """Return the folders of a package, which need not be imported."""
    if package in sys.modules:
        return getattr(sys.modules[package], "__path__", ())
    spec = find_spec(package)
    return (spec and spec.submodule_search_locations) or ()


def _imported(node: ast.AST, package: str) -> Iterator[str]:
    """Yield the imported names, both a and a.b for ``from a import b``, except what only type checkers import."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = resolve_name("." * node.level + (node.module or ""), package)
        yield from (module, *(f"{module}.{alias.name}" for alias in node.names))
    elif isinstance(node, ast.stmt | ast.Module | ast.ExceptHandler):
        typing = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for child in node.orelse if isinstance(node, ast.If) and typing else ast.iter_child_nodes(node):
            yield from _imported(child, package)
