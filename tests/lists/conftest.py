"""Folders, a configuration file and public lists for tests of ``gpusolve lists``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gpusolve.lists import public
from lists.mirror import CONTENTS, Mirror, public_list, serving


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the user's lists, which does not exist yet."""
    folder = tmp_path / "kept" / "lists"
    monkeypatch.setenv("GPUSOLVE_LISTS", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the configuration file, which does not exist yet."""
    file = tmp_path / "settings" / "config.toml"
    monkeypatch.setenv("GPUSOLVE_CONFIG", str(file))
    return file


@pytest.fixture
def mirror(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    """Serve a few public lists, which take the place of the real ones."""
    lists = tuple(map(public_list, CONTENTS))
    monkeypatch.setattr(public, "LISTS", lists)
    monkeypatch.setattr(public, "BY_NAME", {each.name: each for each in lists})
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as mirror:
        monkeypatch.setenv("GPUSOLVE_MIRROR", mirror.address + "/")
        yield mirror
