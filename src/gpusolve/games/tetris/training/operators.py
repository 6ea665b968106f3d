"""The operators of pyswarms, without their side effects.

pyswarms configures logging and writes ``report.log`` into the working folder, both when it is imported and whenever one
of its topologies is constructed. And its velocity draws from NumPy's global generator. So it is imported in silence
here, topologies are made without their constructors, and the velocity is computed in `swarm`.
"""

from __future__ import annotations

import logging.config
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

_importing = threading.Lock()


def load_operators() -> Any:
    """Return the module `pyswarms.backend`, imported without letting it configure logging."""
    with _importing, _logging_left_alone():
        return import_module("pyswarms.backend")


def make_topology(operators: Any, name: str) -> Any:
    """Return the topology ``star`` or ``ring`` without calling its constructor, which would configure logging."""
    kind = {"star": operators.topology.Star, "ring": operators.topology.Ring}[name]
    topology = kind.__new__(kind)
    topology.static, topology.neighbor_idx = False, None
    return topology


@contextmanager
def _logging_left_alone() -> Iterator[None]:
    """Ignore `logging.config.dictConfig` within the block if this thread calls it; other threads still can use it."""
    configure, thread = logging.config.dictConfig, threading.get_ident()

    def ignore(config: Any) -> None:
        if threading.get_ident() != thread:
            configure(config)

    logging.config.dictConfig = ignore
    try:
        yield
    finally:
        logging.config.dictConfig = configure
