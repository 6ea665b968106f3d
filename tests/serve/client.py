"""A server in a process of its own, and a client for tests."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpusolve.serve.operations import Operation


@dataclass(frozen=True)
class Server:
    """A server that runs."""

    port: int
    process: subprocess.Popen[str]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, str, dict[str, str]]:
        """Return the status, the text and the headers of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body or None, names)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text, {name.lower(): value for name, value in answer.getheaders()}

    def call(self, path: str, body: Any) -> tuple[int, Any]:
        """Return the status and the JSON value of the answer to a request."""
        status, text, _ = self.ask("POST", f"/api/{path}", json.dumps(body).encode(), content_type="application/json")
        return status, json.loads(text)

    def events(self, path: str, body: Any, **more: str) -> Iterator[tuple[str, Any]]:
        """Yield the events of a long request. Closing the iterator closes the connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream", **more}
        connection.request("POST", f"/api/{path}", json.dumps(body), headers)
        answer = connection.getresponse()
        try:
            lines: list[str] = []
            while raw := answer.readline():
                line = raw.decode().rstrip("\n")
                if line:
                    lines.append(line)
                    continue
                fields = dict(each.split(": ", 1) for each in lines if not each.startswith(":"))
                lines = []
                if fields:
                    yield fields["event"], json.loads(fields["data"])
        finally:
            connection.close()


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Server]:
    """Run a server with files in a folder, on a free port."""
    words = [sys.executable, "-m", "gpusolve", "serve", "--port", "0", "--folder", str(folder), *options]
    own = {"GPUSOLVE_LISTS": str(folder / "no lists")} | os.environ  # the user's lists may change meanwhile
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=own) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield Server(int(line.rsplit(":", 1)[1].strip().rstrip("/")), process)
        finally:
            process.terminate()
            process.wait(20)


def words_of(operation: Operation, body: dict[str, Any], device: str) -> list[str]:
    """Return the words after ``gpusolve`` that mean the same as a request."""
    given, options, arguments = operation.given(body, device), [], []
    for name, each in operation.command.parameters.items():
        values = given.get(name, [])
        for value in values if isinstance(values, list) else [values]:
            if each.positional:
                arguments.append(str(value))
            elif each.kind != "flag":
                options.append(f"--{name.replace('_', '-')}={value}")
            elif value != bool(each.default):
                options.append(f"--{'' if value else 'no-'}{name.replace('_', '-')}")
    return [operation.command.game, operation.command.name, *options, "--", *arguments]
