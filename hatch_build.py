"""Compile the kernels into the wheel if GPUSOLVE_LEVELS says for which processor levels; see docs/environment.md.

Without it, the wheel is the same for all machines and versions of Python, and kernels are compiled at the first use.
The README becomes the description on a registry's page; its links are made absolute if pyproject.toml says where the
sources are (``Source`` under ``[project.urls]``).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


def with_absolute_links(text: str, source: str) -> str:
    """Return Markdown whose links and pictures within the repository work elsewhere; `source` is its address."""

    def absolute(match: re.Match[str]) -> str:
        picture, name, path = match.groups()
        return f"{picture}[{name}]({source.rstrip('/')}/{'raw' if picture else 'blob'}/main/{path})"

    return re.sub(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)]+)\)", absolute, text)


class ReadmeHook(MetadataHookInterface):
    """Makes the README the description of the package."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the description."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        source = metadata.get("urls", {}).get("Source")
        text = with_absolute_links(text, source) if source else text
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class MachineCodeHook(BuildHookInterface[Any]):
    """Adds ``gpusolve/machine_code/<level>.zip`` for each level to a wheel."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return what has to be installed for the build: compiling needs what gpusolve needs."""
        return list(self.metadata.core.dependencies) if _levels() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the wheel is written. An editable installation compiles at the first use."""
        if not _levels() or version == "editable":
            return
        self._folder = TemporaryDirectory()
        source, out = Path(self.root, "src"), Path(self._folder.name)
        environment = os.environ | {"PYTHONPATH": str(source)}
        lists = sorted(source.glob("gpusolve/games/*/signatures.txt"))
        command = [sys.executable, "-m", "gpusolve.backend.shipping", str(out), *_levels(), *map(str, lists)]
        subprocess.run(command, cwd=self.root, env=environment, check=True)
        for file in out.glob("*.zip"):
            build_data["force_include"][str(file)] = f"gpusolve/machine_code/{file.name}"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the compiled code: the wheel has it."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def _levels() -> list[str]:
    return os.environ.get("GPUSOLVE_LEVELS", "").split(",") if os.environ.get("GPUSOLVE_LEVELS") else []
