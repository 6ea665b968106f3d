"""A server on this machine for tests of downloads, and public lists that it has."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from gpusolve.lists.public import PublicList

CONTENTS = {
    "wordle-few-guesses": b"crane\nslate\ntrace\nzanza\n",
    "wordle-few-answers": b"crane\nzanza\n",
    "queuedle": b'["tea","eat","ate"]',
    "qless": b"tea,3\neat,4\ntea,1\n",
}
NEEDS = {"wordle-few-answers": ("wordle-few-guesses",)}


def public_list(name: str) -> PublicList:
    """Return the public list with the content above."""
    content = CONTENTS[name]
    return PublicList(
        name=name,
        repository="someone/words",
        commit="0" * 40,
        path=name,
        count=3,
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        games=(name.partition("-")[0],),
        about="a few words",
        licence="none",
        needs=NEEDS.get(name, ()),
    )


@dataclass
class Mirror:
    """What the server answers, and the paths that were asked for.

    `behaviour` is one of "", "missing", "changed", "short", "silent" and "endless".
    """

    address: str
    behaviour: str = ""
    asked: list[str] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving() -> Iterator[Mirror]:
    """Serve the lists above within the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            mirror.asked.append(self.path)
            content = CONTENTS.get(self.path.rpartition("/")[2], b"aa\n" * 100_000)
            if mirror.behaviour == "missing":
                self.send_error(404)
                return
            if mirror.behaviour == "changed":
                content = content.replace(b"ea", b"ae") + b" "
            self.send_response(200)
            if mirror.behaviour != "endless":
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if mirror.behaviour in ("short", "silent"):
                content = content[: len(content) // 2]
            self.wfile.write(content)
            self.wfile.flush()
            if mirror.behaviour == "silent":
                mirror.stopped.wait()
            while mirror.behaviour == "endless" and not mirror.stopped.is_set():
                try:
                    self.wfile.write(content * 1000)
                except OSError:  # the client has heard enough
                    return

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    mirror = Mirror(f"http://127.0.0.1:{server.server_port}")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield mirror
    finally:
        mirror.stopped.set()
        server.shutdown()
        server.server_close()
