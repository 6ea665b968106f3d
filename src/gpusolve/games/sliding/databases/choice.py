"""Choosing among partitions for a board: its first bounds are searched with each of them.

For one board, the nodes that two good partitions take differ by factors of up to five, and the one that takes fewer in
an early bound nearly always takes fewer in all later ones (see benchmarks/results/sliding.md). So a few million nodes
with each partition decide between those that this machine keeps.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gpusolve import clock
from gpusolve.backend import Backend
from gpusolve.games.sliding.boards import Board
from gpusolve.games.sliding.databases.catalogue import databases_of, has_room, is_built, partition_for
from gpusolve.games.sliding.databases.lookups import Databases
from gpusolve.games.sliding.databases.pairs import is_pair
from gpusolve.games.sliding.search.kernels import open_root, search
from gpusolve.games.sliding.search.paths import find_prefixes
from gpusolve.games.sliding.search.tree import Limit
from gpusolve.runs import checkpoint

ALTERNATIVES = {(5, 5): ("6-6-6-6-best", "6-6-6-6")}
"""Partitions of a board size that take about as many nodes on average."""
LEVEL = 8  # moves of the prefixes into which the search is divided
EARLY = 300_000
"""Nodes of the last bound that is searched with each partition."""


@dataclass(frozen=True)
class Choice:
    """A partition that was chosen for a board, opened.

    Attributes
    ----------
    databases : Databases
        Its pattern databases.
    reason : str
        Why it was chosen.
    """

    databases: Databases
    reason: str


def alternatives(board: Board) -> tuple[str, ...]:
    """Return the names of the partitions among which the board chooses; none unless several have been built."""
    if board.layout.alike:
        return ()
    names = ALTERNATIVES.get((board.rows, board.columns), ())
    partitions = {name: partition_for(board, name) for name in names}
    built = tuple(name for name in names if is_built(partitions[name]) and has_room(partitions[name]))
    return built if len(built) > 1 else ()


def chosen_before(board: Board, resume: Path) -> str | None:
    """Return the partition of a checkpoint, whether or not its tables are kept, if a board may choose it.

    Raise BadInput if the file is not a checkpoint of `solve`.
    """
    if board.layout.alike:
        return None
    settings, _ = checkpoint.load(resume, "sliding.solve")
    saved = str(settings.values.get("partition"))  # another metric has none
    names = ALTERNATIVES.get((board.rows, board.columns), ())
    name = next((name for name in names if str(partition_for(board, name)) == saved), None)
    return saved if name is None and is_pair(board, saved) else name


def choose(board: Board, names: tuple[str, ...], backend: Backend, *, depth: int) -> Choice:
    """Return the partition with which the first bounds of a board take the fewest nodes.

    All of them are searched up to the same bound: the first that takes `EARLY` nodes with one of them, or that has a
    solution. The first of those with equally many nodes is chosen.
    """
    with clock.building:
        opened = {name: databases_of(partition_for(board, name), backend) for name in names}
        tiles = board.numbered().tiles
        roots = {name: open_root(each, tiles, each.automaton(depth)) for name, each in opened.items()}
    bound = max(max(root.heights) for root in roots.values())
    while True:
        nodes, found = dict.fromkeys(names, 0), False
        for name, root in roots.items():
            searched = search(root, find_prefixes(root.walk, LEVEL), limit=Limit(bound), budget=EARLY)
            nodes[name] = int(searched.expanded.sum())
            found |= bool((searched.status > 0).any())  # a solution, or a budget that is spent
        if found or max(nodes.values()) >= EARLY:
            break
        bound += 2
    best = min(names, key=lambda name: nodes[name])
    counts = ", ".join(f"{nodes[name]:,} with {name}" for name in names)
    return Choice(opened[best], f"{best}: within {bound} moves the search takes {counts} nodes")
