"""The web application: which requests are accepted, and what is sent back."""

from __future__ import annotations

import asyncio
import json
import math
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeAlias
from weakref import WeakSet

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from gpusolve import files
from gpusolve.errors import BadInput, Exit, plain
from gpusolve.lists import kept as kept_lists
from gpusolve.serve.boards import LOOK, STATIC, find_boards, manifest, qr_code, render, service_worker
from gpusolve.serve.guard import Guard, is_own
from gpusolve.serve.openapi import about_interface, describe
from gpusolve.serve.operations import (
    LARGEST_BODY,
    Operation,
    all_lists_in_use,
    find_operations,
    lists_in_use,
    schema_of,
)
from gpusolve.serve.pool import Body, Full, Job, Outcome, Pool, Tell
from gpusolve.wordlists import counted

QUICK_BODY = 256 << 10
"""Largest number of bytes of a body that is read here, so that its answer can be kept. A worker reads a larger one."""
MOST_HELD = 128 << 20
"""Largest number of bytes of all bodies that the server has at the same time."""
SECONDS_FOR_BODY = 10.0
"""Seconds that a client has to send the body."""
KEPT = 64 << 20
"""Number of bytes of answers that are kept, so that the same request is not computed twice."""
FRESH = 60.0
"""Seconds for which an answer is kept: some depend on the date or on the tables on disk."""
RETRY = 5
"""Seconds after which a client may try again if the server is busy."""
BUSY = "the server is busy: try again later"
LONGEST_ECHO = 80
"""Number of characters of a word from a request that an error line repeats at most."""
LONGEST_LINE = 500
"""Number of characters of an error line; the middle of a longer one is left out."""
BEAT = 15.0
"""Seconds after which a stream without news sends a comment, so that no proxy closes it."""
STATUS = {
    Exit.DONE: HTTPStatus.OK,
    Exit.NO_SOLUTION: HTTPStatus.OK,
    Exit.STOPPED: HTTPStatus.OK,
    Exit.BAD_INPUT: HTTPStatus.UNPROCESSABLE_ENTITY,
    Exit.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
}
"""The status for each exit code of a command; any other one is an internal error."""


@dataclass(frozen=True)
class Limits:
    """What a server allows.

    Attributes
    ----------
    jobs : int
        Number of commands that run at the same time.
    waiting : int
        Number of requests that may wait.
    short : float
        Seconds for a request that waits for its answer.
    seconds : float
        Seconds for a request that follows a stream.
    memory : int
        Bytes of address space for each command; 0 for no limit.
    """

    jobs: int
    waiting: int
    short: float
    seconds: float
    memory: int


States: TypeAlias = Mapping[Path, files.State]
"""Files as they are (`files.state_of`)."""


class TooLarge(Exception):
    """A body is larger than the server takes."""


class Kept:
    """The latest answers by request, for a time and up to a number of bytes."""

    def __init__(self, room: int, seconds: float) -> None:
        self._room, self._seconds = room, seconds
        self._answers = OrderedDict[str, tuple[float, bytes, States]]()

    def get(self, key: str) -> bytes | None:
        """Return the answer to a request; None if there is none, or if a file on which it depends has changed."""
        when, answer, states = self._answers.get(key, (-math.inf, b"", {}))
        fresh = time.monotonic() - when < self._seconds
        return answer if fresh and all(files.state_of(file) == states[file] for file in states) else None

    def put(self, key: str, answer: bytes, states: States) -> None:
        """Keep an answer that depends on these files, and drop the oldest ones if there is no room."""
        if key in self._answers:
            self._drop(key)
        self._answers[key] = time.monotonic(), answer, states
        self._room -= len(key) + len(answer)
        while self._room < 0:
            self._drop(next(iter(self._answers)))

    def _drop(self, key: str) -> None:
        _, answer, _ = self._answers.pop(key)
        self._room += len(key) + len(answer)


def application(limits: Limits, guard: Guard, *, folder: Path | None, device: str) -> Any:
    """Return the application: an ASGI callable.

    Parameters
    ----------
    limits : Limits
        What it allows.
    guard : Guard
        Who may ask.
    folder : Path or None
        Folder with files that requests may name.
    device : str
        Device for the commands that compute, as for ``--device``.
    """
    pool = Pool(limits.jobs, limits.waiting, limits.memory, folder)
    operations = find_operations()
    kept = Kept(KEPT, FRESH)
    bodies = WeakSet[Body]()
    jobs: dict[str, asyncio.Task[Outcome]] = {}
    document: dict[str, Any] = {}

    def begin(operation: Operation, body: Body, tell: Tell, *, long: bool) -> Any:
        """Start a command; the task ends with its outcome."""
        command, seconds = operation.command, limits.seconds if long else limits.short
        job = Job(command.game, command.name, device, body, seconds, long, tell)
        return asyncio.create_task(pool.run(job))

    def keep(key: str, outcome: Outcome, content: bytes) -> None:
        """Keep an answer that is the same each time."""
        if key and outcome.code in (Exit.DONE, Exit.NO_SOLUTION):
            kept.put(key, content, {Path(folder or "", name): state for name, state in outcome.files.items()})

    async def call(request: Request) -> Response:
        operation = operations.get(f"{request.path_params['game']}/{request.path_params['command']}")
        if operation is None:
            return problem(HTTPStatus.NOT_FOUND, f"no command {request.url.path}: see /docs")
        try:
            body = await _body(request, bodies)
            value = operation.read(body.content) if len(body.content) <= QUICK_BODY else None
        except TooLarge:
            text = f"the body is larger than {LARGEST_BODY >> 20} MiB: expected a smaller one"
            return problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, text)
        except Full:
            return _full()
        except BadInput as error:
            return problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        except TimeoutError:
            return problem(HTTPStatus.REQUEST_TIMEOUT, f"the body did not arrive within {SECONDS_FOR_BODY:g} seconds")
        except ClientDisconnect:
            return Response(status_code=HTTPStatus.BAD_REQUEST)
        key = ""
        if value is not None and operation.repeatable(value):
            in_use = lists_in_use(operation.command)
            key = f"{operation.path} {json.dumps(value, sort_keys=True)} {kept_lists.state()} {in_use}"
        if "text/event-stream" in request.headers.get("accept", ""):
            long = not _is_short(request.headers.get("prefer", ""), limits.short)
            return StreamingResponse(stream(operation, body, key, long=long), media_type="text/event-stream")
        return await answer(request, operation, body, key)

    async def answer(request: Request, operation: Operation, body: Body, key: str) -> Response:
        if (known := kept.get(key)) is not None:
            return Response(known, media_type="application/json")
        objects: list[bytes] = []

        def tell(word: str, content: bytes) -> None:
            if word == "object":
                objects.append(content)

        task = begin(operation, body, tell, long=False)
        gone = asyncio.ensure_future(_left(request))
        try:
            await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
            if not task.done():  # nobody waits for the answer any more
                return Response(status_code=HTTPStatus.BAD_REQUEST)
            outcome: Outcome = task.result()
        except Full:
            return _full()
        finally:
            task.cancel()
            gone.cancel()
        status, text = _verdict(outcome, limits.short)
        if status != HTTPStatus.OK:
            return problem(status, text)
        content = joined(objects, text)
        keep(key, outcome, content)
        return Response(content, media_type="application/json")

    async def stream(operation: Operation, body: Body, key: str, *, long: bool) -> AsyncIterator[bytes]:
        """Yield the events of a command: job, waiting, began, progress, interim, object; last result or error."""
        if (known := kept.get(key)) is not None:
            found = json.loads(known)
            for each in () if "no_solution" in found else (*found.pop("before", ()), found):
                yield _event("object", _dumped(each))
            yield _event("result", known)
            return
        news: asyncio.Queue[tuple[str, bytes] | None] = asyncio.Queue()
        name = secrets.token_urlsafe(12)
        task = jobs[name] = begin(operation, body, lambda *message: news.put_nowait(message), long=long)
        task.add_done_callback(lambda _: news.put_nowait(None))
        objects: list[bytes] = []
        try:
            yield _event("job", _dumped({"job": name, "about": operation.command.summary}))
            while True:
                try:
                    async with asyncio.timeout(BEAT):
                        message = await news.get()
                except TimeoutError:
                    yield b": still at work\n\n"
                    continue
                if message is None:
                    break
                if message[0] == "object":
                    objects.append(message[1])
                yield _event(*message)
            if task.cancelled():
                error: dict[str, Any] = {"status": 499, "error": "stopped as requested"}
            elif task.exception():
                error = {"status": int(HTTPStatus.TOO_MANY_REQUESTS), "error": BUSY}
            else:
                outcome = task.result()
                status, text = _verdict(outcome, limits.seconds if long else limits.short)
                if status == HTTPStatus.OK:
                    content = joined(objects, text)
                    keep(key, outcome, content)
                    yield _event("result", content)
                    return
                error = {"status": status, "error": brief(text), "overdue": outcome.overdue}
            yield _event("error", _dumped(error))
        finally:
            task.cancel()
            del jobs[name]

    async def stop(request: Request) -> Response:
        task = jobs.get(request.path_params["job"])
        if task is None:
            return problem(HTTPStatus.NOT_FOUND, "no such job: it may have ended")
        task.cancel()
        return Response(status_code=HTTPStatus.NO_CONTENT)

    async def openapi(request: Request) -> Response:
        if not document:  # it needs the classes of all results, so that it takes a second or two the first time
            document.update(await asyncio.to_thread(describe, operations, limits.short, limits.seconds))
        return JSONResponse(document)

    async def fields(request: Request) -> Response:
        operation = operations.get(f"{request.path_params['game']}/{request.path_params['command']}")
        if operation is None:
            return problem(HTTPStatus.NOT_FOUND, f"no command {request.url.path}: see /docs")
        in_use = lists_in_use(operation.command)
        shown = {name: replace(each, default=in_use.get(name, each.default)) for name, each in operation.fields.items()}
        return JSONResponse({name: schema_of(each) for name, each in shown.items()})

    async def names(request: Request) -> Response:
        offered = sorted(file.name for file in folder.iterdir() if file.is_file()) if folder else []
        used = await asyncio.to_thread(all_lists_in_use)
        return JSONResponse({"wordlists": [*counted()], "own": kept_lists.own(), "files": offered, "used": used})

    async def qr(request: Request) -> Response:
        """Return the QR code of an address on this server."""
        address = request.query_params.get("address", "")
        if is_own(address, request.headers.get("host", "")):
            with suppress(BadInput):
                return Response(qr_code(address), media_type="image/svg+xml")
        return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "expected a shorter address on this server")

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        await pool.open()
        try:
            yield
        finally:
            for task in list(jobs.values()):
                task.cancel()
            await pool.close()

    boards, about = find_boards(), about_interface(limits.short, limits.seconds)
    routes = [
        Route("/api/{game}/{command}", call, methods=["POST"]),
        Route("/api/jobs/{job}", stop, methods=["DELETE"]),
        Route("/openapi.json", openapi),
        Route("/fields/{game}/{command}.json", fields),
        Route("/names.json", names),
        Route("/", page(render("index.html", "Analysis boards", boards))),
        Route("/docs", page(render("docs.html", "HTTP interface", boards, script="/static/docs.js", about=about))),
        *(Route(f"/{b.name}", page(render("board.html", b.title, boards, board=b))) for b in boards),
        *(Route(f"/boards/{b.name}.js", sent(b.module, "text/javascript")) for b in boards),
        *(Route(f"/boards/{b.name}.svg", sent(b.picture, "image/svg+xml")) for b in boards if b.picture.is_file()),
        *(Mount(f"/boards/{b.name}", StaticFiles(directory=b.parts)) for b in boards if b.parts.is_dir()),
        Route("/manifest.json", page(json.dumps(manifest(boards)), "application/manifest+json")),
        Route("/offline.js", page(service_worker(boards), "text/javascript")),
        Route("/qr.svg", qr),
        Mount("/look", StaticFiles(directory=LOOK)),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    app = Starlette(routes=routes, lifespan=lifespan)
    app.state.pool = pool
    return guard.around(app)


def page(content: str, kind: str = "text/html") -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint for a text that stays the same."""

    async def endpoint(_: Request) -> Response:
        return Response(content, media_type=kind)

    return endpoint


def sent(file: Path, kind: str) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint for a file of a media type."""

    async def endpoint(_: Request) -> Response:
        return FileResponse(file, media_type=kind)

    return endpoint


def joined(objects: list[bytes], text: str) -> bytes:
    """Return the JSON object that a command printed last. Those that it printed before are in its field ``before``.

    A command without a solution may print only a line, `text`. It is then the field ``no_solution``.
    """
    if not objects:
        return _dumped({"no_solution": text})
    *before, last = objects
    return b'%b, "before": [%b]}' % (last.removesuffix(b"}"), b", ".join(before)) if before else last


def problem(status: int, text: str, **headers: str) -> Response:
    """Return an error as one line."""
    return JSONResponse({"error": brief(plain(text))}, status, headers)


def brief(line: str) -> str:
    """Return an error line without most of what it repeats from a request: what was expected stays readable.

    >>> brief(f"guess '{100_000 * 'a'}': expected 5 letters") == f"guess '{79 * 'a'}...': expected 5 letters"
    True
    """
    short = re.sub(rf"(\S{{{LONGEST_ECHO}}})\S+?(?=[^\w\s]*(?:\s|$))", r"\1...", line)
    half = LONGEST_LINE // 2
    return short if len(short) <= LONGEST_LINE else f"{short[:half]} ... {short[-half:]}"


def _verdict(outcome: Outcome, seconds: float) -> tuple[int, str]:
    """Return the HTTP status of an outcome, and the error line."""
    if outcome.overdue and outcome.code not in STATUS:
        text = f"stopped after {seconds:g} seconds: this request takes longer than the server allows for it"
        return HTTPStatus.UNPROCESSABLE_ENTITY, text
    text = outcome.error.removeprefix("gpusolve").lstrip(": ")
    return STATUS.get(Exit(outcome.code), HTTPStatus.INTERNAL_SERVER_ERROR), text or "the command failed"


def _full() -> Response:
    return problem(HTTPStatus.TOO_MANY_REQUESTS, BUSY, **{"Retry-After": str(RETRY)})


def _is_short(prefer: str, short: float) -> bool:
    """Return whether the header ``Prefer`` says that the client waits no longer than for a short request."""
    wait = re.search(r"\bwait\s*=\s*(\d{1,9})\b", prefer)
    return wait is not None and int(wait[1]) <= short


def _dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _event(kind: str, content: bytes) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (kind.encode(), content)


async def _left(request: Request) -> None:
    """Return when the client has closed its connection; its body has been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _body(request: Request, bodies: WeakSet[Body]) -> Body:
    """Return the body of a request, which is one of `bodies` as long as anything needs it.

    Raises BadInput, TooLarge, Full, TimeoutError or ClientDisconnect. A body that is too large is read to its end and
    forgotten: many clients look for an answer only then.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise BadInput("expected a body of the type application/json")
    body, size = Body(), 0
    bodies.add(body)
    try:
        async with asyncio.timeout(SECONDS_FOR_BODY):
            async for part in request.stream():
                size += len(part)
                if size > LARGEST_BODY:
                    body.content.clear()
                    continue
                body.content += part
                if size > QUICK_BODY and sum(len(each.content) for each in bodies) > MOST_HELD:
                    raise Full
    except BaseException:
        body.content.clear()  # a traceback can keep the body
        raise
    if size > LARGEST_BODY:
        raise TooLarge
    return body
