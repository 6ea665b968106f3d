"""The server as a process: its address, its limits, and how it ends."""

from __future__ import annotations

import os
import re
import secrets
import socket
import sys
from ipaddress import ip_address
from pathlib import Path

from gpusolve.backend import open_backend
from gpusolve.checks import check_integer, check_number
from gpusolve.commands import configuration
from gpusolve.errors import BadInput
from gpusolve.installation import install_command
from gpusolve.output import report, terminal

SHORT = 10.0
"""Seconds for a request that waits for its answer."""
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
TOKEN = "GPUSOLVE_TOKEN"
MOST = 10**9
"""Largest number of waiting requests, of seconds and of MiB."""
BACKLOG = 2048
"""Number of connections that may wait to be accepted."""
SHORTEST_TOKEN = 16
"""Least number of characters of a token."""


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    folder: Path | None = None,
    public: str | None = None,
    jobs: int | None = None,
    waiting: int = 1000,
    time_limit: float = 600,
    memory: int = 8192,
    device: str | None = None,
    quiet: bool = False,
) -> None:
    """Open analysis boards in the browser, and an HTTP interface to every command. Needs the extra ``serve``.

    Parameters
    ----------
    host : str
        Address to listen on. 0.0.0.0 and :: stand for every network, and need `public`.
    port : int
        Port to listen on, up to 65535. 0: any free one.
    folder : Path, optional
        Folder with word lists, weights and games that requests may name.
    public : str, optional
        Name under which other machines reach this server, such as games.example.org. Every client then needs the token
        in the environment variable GPUSOLVE_TOKEN. The server speaks no TLS: put a web server such as Caddy or nginx in
        front of it.
    jobs : int, optional
        Number of commands that run at once, 1 to 256. By default the number of cores, at least 2.
    waiting : int
        Number of requests that may wait.
    time_limit : float
        Seconds for a request that follows a stream.
    memory : int
        Memory for each command, in MiB of address space. 0: no limit.

    Raises
    ------
    BadInput
        If the extra ``serve`` is missing, the address cannot be used, or the options do not go together.

    Examples
    --------
    ``gpusolve serve --port 8000``
    """
    check_integer("port", port, 0, 65535)
    check_integer("waiting", waiting, 1, MOST)
    check_number("time_limit", time_limit, 1, MOST)
    check_integer("memory", memory, 0, MOST)
    if jobs is not None:
        check_integer("jobs", jobs, 1, 256)
    from gpusolve.backend.cpu import cores

    try:
        import uvicorn

        from gpusolve.serve.app import Limits, application
        from gpusolve.serve.guard import Guard
    except ImportError as error:
        install = install_command("serve")
        raise BadInput(f"serve: needs more packages: {install} ({error})") from None
    if folder is not None and not folder.is_dir():
        raise BadInput(f"--folder {folder}: expected a folder")
    if (file := configuration.place()) is not None:
        configuration.keys(file)  # reports a fault at the start: requests use the lists that it names
    token = _token(host, public)
    backend = open_backend(device)
    number = max(2, cores()) if jobs is None else jobs
    on_gpu = backend.host is not backend
    limits = Limits(
        jobs=number,
        waiting=waiting,
        short=min(SHORT, time_limit),
        seconds=time_limit,
        memory=0 if on_gpu else memory << 20,
    )
    listener = _listen(host, port)
    address = listener.getsockname()
    hosts = LOCAL | {host.lower()} | ({public.lower()} if public else set())
    guard = Guard(frozenset(hosts), token)
    app = application(limits, guard, folder=folder and folder.resolve(), device=backend.name if on_gpu else "cpu:1")
    shown = f"[{address[0]}]" if ":" in address[0] else address[0]
    suffix = f"/?token={token}" if token else "/"
    report.note(f"device: {backend.about}; {number} jobs at once", quiet)
    report.text(f"http://{'127.0.0.1' if shown in ('0.0.0.0', '[::]') else shown}:{address[1]}{suffix}")
    sys.stdout.flush()
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=2,
    )
    with terminal.status().silent():
        uvicorn.Server(config).run(sockets=[listener])


def _token(host: str, public: str | None) -> str:
    """Return the token that clients need, or nothing. Raises BadInput if other machines could come without one."""
    if public is None:
        if not _is_local(host):
            raise BadInput(f"--host {host}: other machines can reach this address: expected --public NAME as well")
        return ""
    token = os.environ.get(TOKEN) or secrets.token_urlsafe(24)
    if not re.fullmatch(
        rf"[A-Za-z0-9._~-]{{{SHORTEST_TOKEN},}}", token
    ):  # others have a meaning in addresses and cookies
        raise BadInput(f"{TOKEN}: expected at least {SHORTEST_TOKEN} letters a-z, digits, and . _ ~ -")
    return token


def _is_local(host: str) -> bool:
    try:
        return host.lower() == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises BadInput if the address cannot be used."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)  # clients may come as soon as the address is printed
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadInput(f"--host {host} --port {port}: cannot listen there: {reason}") from None
    return listener
