"""How gpusolve was installed, and the commands that install it again, or with what is missing."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from urllib.parse import unquote, urlsplit

NAME = "gpusolve"


def install_command(extra: str = "", *, again: bool = False) -> str:
    """Return the command that installs gpusolve from the place from which it was installed.

    Parameters
    ----------
    extra : str
        An extra to install with it, such as ``serve``.
    again : bool
        Whether to install it although it is installed.

    Returns
    -------
    str
        A command for a shell. Only an installation from a registry is repeated by name.

    References
    ----------
    `PEP 610 <https://peps.python.org/pep-0610/>`_: pip notes where a distribution came from.
    """
    options = "--force-reinstall " * again
    return f"pip install {options}{_requirement(f'[{extra}]' if extra else '')}"


def _requirement(extra: str) -> str:
    """Return what pip installs gpusolve from: a folder, a file, an address, or its name."""
    origin = _origin()
    url = str(origin.get("url", ""))
    place = urlsplit(url)
    if place.scheme == "file":
        editable = isinstance(info := origin.get("dir_info"), dict) and info.get("editable")
        return "--editable " * bool(editable) + shlex.quote(unquote(place.path) + extra)
    if isinstance(vcs := origin.get("vcs_info"), dict):
        url = f"{vcs.get('vcs')}+{url}@{vcs.get('requested_revision') or vcs.get('commit_id')}"
    return shlex.quote(f"{NAME}{extra} @ {url}" if url else f"{NAME}{extra}")


def _origin() -> dict[str, object]:
    """Return what pip noted about the origin of the installation; empty if it came from a registry."""
    from importlib.metadata import PackageNotFoundError, distribution  # takes longer than many a command

    try:
        text = distribution(NAME).read_text("direct_url.json")
        found = json.loads(text) if text else {}
    except PackageNotFoundError:  # the sources of a checkout on the path
        found = {"url": Path(__file__).resolve().parents[2].as_uri(), "dir_info": {"editable": True}}
    except (OSError, ValueError):
        found = {}
    return found if isinstance(found, dict) else {}
