"""What happens when clients leave, are slow, or are too many: afterwards the server answers as before."""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from serve.client import Server, serving

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
LIGHT = ("wordle/pattern", {"guess": "eerie", "answer": "there"})
HEAD = (
    b"POST /api/wordle/pattern HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("served"), "--jobs", "1", "--waiting", "40") as server:
        yield server


def test_a_client_that_leaves_ends_its_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also a client that waits for its answer without a stream."""
    from gpusolve.serve import app
    from gpusolve.serve.guard import Guard
    from gpusolve.serve.pool import Job, Outcome, Pool

    ended = []

    async def search(_: Pool, job: Job) -> Outcome:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append((job.game, job.name))
            raise
        raise AssertionError

    monkeypatch.setattr(Pool, "run", search)
    limits = app.Limits(jobs=1, waiting=1, short=10, seconds=10, memory=0)
    served = app.application(limits, Guard(frozenset({"localhost"})), folder=None, device="cpu:1")
    messages: list[dict[str, Any]] = [
        {"type": "http.request", "body": json.dumps(LIGHT[1]).encode(), "more_body": False},
        {"type": "http.disconnect"},
    ]

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0)
        return messages.pop(0)

    async def send(message: Any) -> None:
        pass

    scope = {
        "type": "http",
        "method": "POST",
        "path": f"/api/{LIGHT[0]}",
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
    }

    async def visit() -> None:
        await asyncio.wait_for(served(scope, receive, send), 60)
        await asyncio.sleep(0)

    asyncio.run(visit())
    assert ended == [("wordle", "pattern")]


def test_hundreds_of_slow_clients_hold_nothing_up(server: Server) -> None:
    """They have sent the head of a request and one byte of its body."""
    with ExitStack() as opened:
        for _ in range(300):
            client = opened.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            client.sendall(HEAD)
        assert server.call(*LIGHT)[0] == 200
        assert server.ask("GET", "/wordle")[0] == 200
    assert server.call("wordle/pattern", {"guess": "crane", "answer": "there"})[0] == 200


def test_more_requests_than_may_wait_are_refused_and_the_others_answered(server: Server) -> None:
    with ThreadPoolExecutor(120) as threads:
        answers = list(threads.map(lambda seed: server.call("quiddler/deal", {"seed": seed}), range(120)))
    statuses = Counter(status for status, _ in answers)
    assert statuses.keys() <= {200, 429}
    assert statuses[200] >= 40
    for seed, (status, answer) in enumerate(answers):
        assert answer["seed"] == seed if status == 200 else "busy" in answer["error"]
    assert server.call(*LIGHT)[0] == 200


def test_no_process_is_started_when_the_server_ends() -> None:
    """Otherwise the end of a server waits forever for a process that it has killed while it started.

    No temporary file is left either.
    """
    from gpusolve.serve.pool import Body, Job, Pool

    async def end_during_a_job() -> int:
        pool = Pool(1, 1, 0, None)
        await pool.open()
        started = asyncio.Event()
        body = Body(bytearray(b'{"count": 1000000, "seed": 1}'))
        asked = Job("quordle", "simulate", "cpu:1", body, 600, True, lambda *_: started.set())
        job = asyncio.create_task(pool.run(asked))
        await asyncio.wait((job, asyncio.create_task(started.wait())), return_when=asyncio.FIRST_COMPLETED, timeout=5)
        assert pool._place is not None
        place = Path(pool._place.name)
        assert [*place.iterdir()]
        await pool.close()
        await asyncio.wait((job,))
        assert not place.exists()
        return len(pool._all)

    assert asyncio.run(end_during_a_job()) == 0
