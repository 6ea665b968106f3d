"""Every request gets its own answer, however often and wherever requests are cancelled."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

from gpusolve.serve import pool as pools
from gpusolve.serve.pool import Body, Job, Outcome, Pool, Worker

STUB = Path(__file__).with_name("stub_worker.py")


class StubbedPool(Pool):
    """A pool whose processes only repeat what they are asked; sometimes one cannot be started at once."""

    begin_after: float = 0.0

    async def _start(self) -> Worker:
        for _ in range(random.randrange(3)):
            await asyncio.sleep(0)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", str(STUB), str(self.begin_after)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        worker = Worker(process)
        self._all.add(worker)
        return worker


class Told(list[tuple[str, bytes]]):
    """The messages about a job."""

    def __call__(self, word: str, content: bytes) -> None:
        self.append((word, content))


def body_of(**fields: float) -> Body:
    return Body(bytearray(json.dumps(fields).encode()))


async def ask(pool: Pool, value: int, chance: random.Random, found: Counter[str]) -> None:
    """Ask for a value, perhaps cancel the request several times, and check what comes back."""
    told = Told()
    long = chance.random() < 0.3
    seconds = chance.choice([0, 0, 0, 0.002, 0.02]) if not long else chance.choice([0, 0.01, 5])
    late = 0.1 if chance.random() < 0.05 else chance.choice([0, 0, 0.005])  # 0.1 s is later than the pool waits
    body = body_of(value=value, seconds=seconds, late=late)
    limit = 60.0 if seconds < 1 or chance.random() < 0.8 else 0.01 - pools.SPARE
    request = asyncio.create_task(pool.run(Job("wordle", "pattern", "cpu", body, limit, long, told)))
    if (seconds > 1 and limit > 1) or chance.random() < 0.5:
        for _ in range(chance.choice([1, 1, 2, 3])):
            if chance.random() < 0.6:
                for _ in range(chance.randrange(12)):
                    await asyncio.sleep(0)
            else:
                await asyncio.sleep(chance.random() * 0.02)
            request.cancel()
            found["cancellations"] += 1
    try:
        outcome = await request
    except asyncio.CancelledError:
        found["cancelled"] += 1
        return
    objects = [json.loads(content)["value"] for word, content in told if word == "object"]
    if outcome == Outcome(0):
        found["answered"] += 1
        assert objects == [value]
    else:
        found["stopped"] += 1
        assert outcome.overdue
        assert objects in ([], [value])


async def ask_many(count: int, seed: int) -> Counter[str]:
    """Ask for many values at the same time, and then for some without cancelling them."""
    chance, found = random.Random(seed), Counter[str]()
    pool = StubbedPool(jobs=3, waiting=count, memory=0, folder=None)
    await pool.open()
    try:
        at_once = asyncio.Semaphore(12)

        async def one(value: int) -> None:
            async with at_once:
                await ask(pool, value, random.Random(chance.random()), found)

        await asyncio.gather(*(one(value) for value in range(count)))
        async with asyncio.timeout(60):  # no process and no place in the queue was lost
            for value in range(20):
                told = Told()
                body = body_of(value=-value, seconds=0, late=0)
                job = Job("wordle", "pattern", "cpu", body, 60, False, told)
                assert await pool.run(job) == Outcome(0)
                assert [json.loads(content) for word, content in told if word == "object"] == [{"value": -value}]
        while pool._works:
            await asyncio.sleep(0.01)
        assert (pool._running, pool._running_long, len(pool._idle)) == (0, 0, 3)
    finally:
        await pool.close()
    return found


@pytest.mark.parametrize("count", [100, pytest.param(10_000, marks=pytest.mark.thorough)])
def test_every_request_gets_its_own_answer_whatever_is_cancelled(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "GRACE", 0.05)  # many processes are killed, because they have not acknowledged the end
    found = asyncio.run(ask_many(count, seed=count))
    assert found["answered"] + found["cancelled"] + found["stopped"] == count
    assert min(found["answered"], found["cancelled"]) > count // 5
    print(dict(found))


@pytest.mark.parametrize(("patience", "expected"), [(60.0, Outcome(0)), (0.2, None)])
def test_the_start_of_a_process_does_not_count(
    monkeypatch: pytest.MonkeyPatch, patience: float, expected: Outcome | None
) -> None:
    """It has a limit of its own, far larger than that of a request."""
    monkeypatch.setattr(pools, "SPARE", 0.0)
    monkeypatch.setattr(pools, "STARTING", patience)
    monkeypatch.setattr(StubbedPool, "begin_after", 1.0)

    async def ask_once() -> tuple[Outcome, Told]:
        pool, told = StubbedPool(jobs=1, waiting=1, memory=0, folder=None), Told()
        await pool.open()
        try:
            body = body_of(value=7, seconds=0, late=0)
            return await pool.run(Job("wordle", "pattern", "cpu", body, 0.8, False, told)), told
        finally:
            await pool.close()

    outcome, told = asyncio.run(ask_once())
    if expected:
        assert (outcome, told) == (expected, [("began", b"{}"), ("object", b'{"value": 7}')])
    else:
        assert (outcome.code, told) == (70, [])
        assert "did not start within 0.2 seconds" in outcome.error
