"""Measure `gpusolve serve` under load: light requests from many clients, alone and while 24-puzzles are searched.

python benchmarks/serve.py [--clients 200] [--seconds 60] [--searches 10] [--slow 500] [--queued 10000]

It prints benchmarks/results/serving.md. Each client sends one request after another and reads each answer. The
requests are all different, so that the server computes every one of them: Wordle and Tetris suggestions, 15-puzzles.
Wordle's answers are those of the original list, as in earlier measurements: if every accepted word can be the answer,
its suggestions are no light requests.
Beside them, a bare Starlette endpoint answers the same clients with a constant: the most that this machine can serve.
Then come clients that never finish their request, more requests at once than may wait, and a start while other
programs keep all cores busy.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from gpusolve.backend import open_backend
from gpusolve.backend.cpu import cores
from gpusolve.games import sliding
from gpusolve.games.wordle import Variant, rules
from harness import heading

BARE = """
import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
async def answer(request):
    await request.json()
    return JSONResponse({"answer": 42})
app = Starlette(routes=[Route("/api/{game}/{command}", answer, methods=["POST"])])
import socket
listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
print(f"http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run(sockets=[listener])
"""
ANSWERS = "wordle-answers"
Request = tuple[str, dict[str, object]]


@dataclass
class Load:
    """What the clients saw: the seconds of each answer, and how often each status came; what the server used."""

    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    wall: float = 0.0
    used: float = 0.0
    before: float = 0.0
    after: float = 0.0

    @property
    def row(self) -> str:
        """The cells of a row: rate, median, 99th percentile, processor time of an answer, errors, memory."""
        ordered = sorted(self.seconds) or [0.0]
        errors = sum(count for status, count in self.statuses.items() if status != 200)
        worst = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
        rate = len(self.seconds) / self.wall if self.wall else 0.0
        times = f"{1000 * median(ordered):,.0f} ms | {1000 * worst:,.0f} ms"
        cost = f"{1000 * self.used / max(1, len(self.seconds)):,.1f} ms"
        memory = f"{self.before:,.0f} | {self.after:,.0f}"
        return f"{len(self.seconds):,} | {rate:,.0f}/s | {times} | {cost} | {errors} | {memory}"


def requests(seed: int) -> Iterator[Request]:
    """Yield light requests, in turn of each kind, that differ from each other."""
    source = random.Random(seed)
    answers = Variant.load(answers=ANSWERS).answers
    for kind in itertools.cycle(("wordle", "tetris", "sliding")):
        if kind == "wordle":
            guess, answer = source.sample(list(answers), 2)
            pattern = rules.pattern_text(rules.pattern(guess, answer))
            yield "wordle/suggest", {"history": [f"{guess}:{pattern}"], "answers": ANSWERS, "sort": "entropy"}
        elif kind == "tetris":
            heights = [source.randint(0, 6) for _ in range(10)]
            rows = ["".join(".#"[height >= level] for height in heights) for level in range(6, 0, -1)]
            board = "/".join(row for row in rows if "." in row)
            yield "tetris/suggest", {"board": board, "piece": source.choice("ILJTZSO"), "playouts": 0, "hz": 30}
        else:
            puzzle = sliding.scramble(rows=4, columns=4, moves=40, seed=source.getrandbits(32))[0]
            yield "sliding/solve", {"board": str(puzzle)}


async def ask(port: int, path: str, body: dict[str, object], *, stream: bool = False) -> tuple[int, bytes]:
    """Return the status and the body of an answer, over a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        content = json.dumps(body).encode()
        accept = "text/event-stream" if stream else "application/json"
        head = f"POST /api/{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        rest = f"Accept: {accept}\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n"
        writer.write((head + rest).encode() + content)
        answer = await reader.read()
        return int(answer.split(b" ", 2)[1]), answer
    finally:
        writer.close()


async def client(port: int, seed: int, until: float, load: Load) -> None:
    """Send requests one after another until a moment."""
    for path, body in requests(seed):
        if time.perf_counter() >= until:
            return
        begin = time.perf_counter()
        try:
            status, _ = await ask(port, path, body)
        except (OSError, IndexError, ValueError):
            status = 0
        load.seconds.append(time.perf_counter() - begin)
        load.statuses[status] += 1


async def run_clients(port: int, process: int, number: int, seconds: float) -> Load:
    """Let clients send requests for some seconds."""
    load = Load(before=memory_of(process), used=-processor_time(process))
    begin = time.perf_counter()
    await asyncio.gather(*(client(port, seed, begin + seconds, load) for seed in range(number)))
    load.wall, load.after = time.perf_counter() - begin, memory_of(process)
    load.used += processor_time(process)
    return load


@asynccontextmanager
async def server(*words: str) -> AsyncIterator[tuple[int, int]]:
    """Run a server, and yield its port and the number of its process."""
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, stdout=asyncio.subprocess.PIPE, env=environment
    )
    try:
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode()
        yield int(line.rsplit(":", 1)[1].strip().rstrip("/")), process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        await process.wait()


def ours(*options: str) -> tuple[str, ...]:
    """Return the words that start our server on a free port."""
    return ("-m", "gpusolve", "serve", "--port", "0", "--quiet", *options)


def memory_of(process: int) -> float:
    """Return the resident memory of a process and its children, in MiB."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,rss="], capture_output=True, text=True, check=True).stdout
    rows = [tuple(map(int, line.split())) for line in listed.splitlines()]
    return sum(rss for pid, parent, rss in rows if process in (pid, parent)) / 1024


def processor_time(process: int) -> float:
    """Return the seconds of processor time that a process and its children have used, as Linux counts them."""
    seconds = 0.0
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            values = file.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if process in (int(file.parent.name), int(values[1])):
            seconds += (int(values[11]) + int(values[12])) / os.sysconf("SC_CLK_TCK")
    return seconds


async def warm(port: int) -> None:
    """Send a few requests of each kind, so that nothing is compiled while the clients are measured."""
    answers = await asyncio.gather(*(ask(port, path, body) for path, body in itertools.islice(requests(-1), 18)))
    wrong = [answer.decode() for status, answer in answers if status != 200]
    assert not wrong, wrong[0]


async def search(port: int, number: int) -> None:
    """Search a 24-puzzle until this is cancelled."""
    board = sliding.load_boards("article")[number % 10]
    await ask(port, "sliding/solve", {"board": str(board)}, stream=True)


async def under_searches(arguments: argparse.Namespace) -> Load:
    """Measure the clients while 24-puzzles are searched; the server runs as many commands at once as it has cores."""
    async with server(*ours()) as (port, process):
        await warm(port)
        searches = [asyncio.create_task(search(port, number)) for number in range(arguments.searches)]
        await asyncio.sleep(1)
        load = await run_clients(port, process, arguments.clients, arguments.seconds)
        for each in searches:
            each.cancel()
        await asyncio.gather(*searches, return_exceptions=True)
        return load


async def alone(arguments: argparse.Namespace) -> Load:
    """Measure the clients alone."""
    async with server(*ours()) as (port, process):
        await warm(port)
        return await run_clients(port, process, arguments.clients, arguments.seconds)


async def bare(arguments: argparse.Namespace) -> Load:
    """Measure the clients with an endpoint that computes nothing."""
    async with server("-c", BARE) as (port, process):
        return await run_clients(port, process, arguments.clients, arguments.seconds)


async def slow(arguments: argparse.Namespace) -> str:
    """Let clients send half a request, and ask others for an answer meanwhile and afterwards."""
    async with server(*ours()) as (port, _):
        await warm(port)
        opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(arguments.slow)]
        head = f"POST /api/wordle/pattern HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        for _, writer in opened:
            writer.write(f"{head}Content-Length: 99\r\n\r\n{{".encode())
        meanwhile = await timed(port)
        statuses = Counter([int((await reader.read(12)).split(b" ")[1]) for reader, _ in opened])
        for _, writer in opened:
            writer.close()
        other = f"another client was answered in {meanwhile} meanwhile, in {await timed(port)} afterwards"
        return f"{statuses_text(statuses)}; {other}"


async def cold() -> str:
    """Start a server while other programs keep all cores busy, and ask what the board of Wordle asks for a position."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(cores())]
    try:
        begin = time.perf_counter()
        async with server(*ours()) as (port, _):
            marks = [time.perf_counter()]
            for sort in ("entropy", "exact"):
                body: dict[str, object] = {"history": ["salet:-y--g"], "sort": sort, "top": 15}
                status, answer = await ask(port, "wordle/suggest", body, stream=True)
                assert status == 200, answer
                assert b"event: result" in answer, answer
                marks.append(time.perf_counter())
        started, first, exact = (f"{mark - begin:.1f} s" for mark in marks)
        return (
            f"the server listens after {started}, the first answer is there after {first}, the exact one after {exact}"
        )
    finally:
        for each in others:
            each.kill()


async def queued(arguments: argparse.Namespace) -> str:
    """Send more requests at once than may wait."""
    async with server(*ours("--waiting", str(arguments.queued // 2))) as (port, process):
        await warm(port)
        before, begin = memory_of(process), time.perf_counter()

        async def one(number: int) -> int:
            status, _ = await ask(port, "quiddler/deal", {"seed": number})
            return status

        answers = await asyncio.gather(*(one(number) for number in range(arguments.queued)), return_exceptions=True)
        seconds = time.perf_counter() - begin
        statuses = Counter(answer if isinstance(answer, int) else 0 for answer in answers)
        memory = f"memory {before:,.0f} MiB before and {memory_of(process):,.0f} MiB after"
        other = f"another client was answered in {await timed(port)} afterwards"
        return f"{statuses_text(statuses)} in {seconds:.0f} s; {memory}; {other}"


async def timed(port: int) -> str:
    """Return how long a light request took."""
    begin = time.perf_counter()
    status, _ = await ask(port, "wordle/suggest", {"history": ["salet:-y--g"], "sort": "entropy"})
    assert status == 200, status
    return f"{1000 * (time.perf_counter() - begin):,.0f} ms"


def statuses_text(statuses: Counter[int]) -> str:
    """Return how often each status came, as text; 0 stands for a connection that was closed."""
    return ", ".join(f"{count:,} times {status}" for status, count in sorted(statuses.items()))


async def measure(arguments: argparse.Namespace) -> None:
    """Run all parts and print them."""
    print(heading("Serving", open_backend("cpu")))
    print(f"{arguments.clients} clients for {arguments.seconds:g} seconds, each with one request at a time:\n")
    print("| what | answers | rate | median | 99th percentile | processor time | errors | MiB before | MiB after |")
    print("|---|---|---|---|---|---|---|---|---|")
    searching = f"light requests while {arguments.searches} 24-puzzles are searched or wait"
    parts: dict[str, Callable[[argparse.Namespace], Awaitable[Load]]] = {
        "a bare Starlette endpoint": bare,
        "light requests": alone,
        searching: under_searches,
    }
    for name, part in parts.items():
        load = await part(arguments)
        print(f"| {name} | {load.row} |", flush=True)
    print(f"\n- {arguments.slow} clients that never finish their request: {await slow(arguments)}.", flush=True)
    number = arguments.queued
    print(f"- {number:,} requests at once, of which {number // 2:,} may wait: {await queued(arguments)}.", flush=True)
    print(f"- A start while {cores()} other programs keep the cores busy: {await cold()}.")


def main() -> None:
    """Parse the arguments, allow enough connections, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--searches", type=int, default=10, help="number of 24-puzzles (default: 10)")
    parser.add_argument("--slow", type=int, default=500, help="number of slow clients (default: 500)")
    parser.add_argument("--queued", type=int, default=10_000, help="number of requests at once (default: 10,000)")
    arguments = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(measure(arguments))


if __name__ == "__main__":
    main()
