"""Compile the kernels into the wheel, for the processor levels of GPUSOLVE_LEVELS; see docs/environment.md.

By default they are compiled for this machine. If the variable is empty, or if they cannot be compiled, the wheel fits
every machine, and kernels are compiled at the first use. Libraries in the folder GPUSOLVE_BUILT that are of today's
sources are not compiled again.

The README becomes the description on a registry's page; its links are made absolute if pyproject.toml says where the
sources are (``Source`` under ``[project.urls]``).
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

LEVELS = os.environ.get("GPUSOLVE_LEVELS", "native")
LINKER = "ziglang>=0.13"


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


class LibrariesHook(BuildHookInterface[Any]):
    """Adds ``gpusolve/machine_code/`` to a wheel: libraries of compiled kernels."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return what has to be installed to compile them."""
        needed = ("numba", "numpy")
        return [*(one for one in self.metadata.core.dependencies if one.startswith(needed)), LINKER] if LEVELS else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the wheel is written. For an editable installation, `make setup` does so."""
        if not LEVELS or version == "editable":
            return
        self._folder = TemporaryDirectory()
        source, out = Path(self.root, "src"), Path(self._folder.name)
        if built := os.environ.get("GPUSOLVE_BUILT"):
            shutil.copytree(built, out, dirs_exist_ok=True)
        path = [str(source), *filter(None, [os.environ.get("PYTHONPATH")])]  # where pip has installed what is needed
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(path)}
        command = [sys.executable, "-m", "gpusolve.backend.building", str(out), LEVELS]
        done = subprocess.run(command, cwd=self.root, env=environment, check=False)
        if done.returncode and "GPUSOLVE_LEVELS" in os.environ:
            sys.exit("the kernels were not compiled")
        if done.returncode:
            self.app.display_warning("The kernels were not compiled: each is compiled when it is first used.")
            return
        files = [file for file in out.rglob("*.*") if file.is_file()]
        if not files:
            return
        for file in files:
            build_data["force_include"][str(file)] = f"gpusolve/machine_code/{file.relative_to(out)}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_tag()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the libraries: the wheel has them."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def platform_tag() -> str:
    """Return the platform of a wheel with libraries, which are built under Linux only.

    The libraries need nothing of a certain version, so any system since 2014 will do that NumPy supports.
    """
    kind = "aarch64" if "arm64" in LEVELS.split(",") else platform.machine()
    return f"manylinux2014_{kind}.manylinux_2_17_{kind}"
