"""The base of classes whose fields are options of the commands that take them."""

from __future__ import annotations


class Options:
    """The fields of a subclass, or the parameters of its class method ``load``, are options of commands."""
