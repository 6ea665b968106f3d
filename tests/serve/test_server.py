"""The server as its clients see it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest

from gpusolve.backend import open_backend
from gpusolve.serve.server import serve
from gpusolve.testing.plugin import Done
from serve.client import Server, serving

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
BOARD = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a word list, beside a file that is not in it."""
    folder = tmp_path_factory.mktemp("served") / "files"
    folder.mkdir()
    folder.joinpath("mine.txt").write_text("crane\ntrace\nsalet\n")
    folder.parent.joinpath("secret.txt").write_text("crane\n")
    folder.joinpath("link.txt").symlink_to(folder.parent / "secret.txt")
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with serving(folder, "--jobs", "2") as server:
        yield server


CHEAP = [
    ("wordle/pattern", {"guess": "eerie", "answer": "there"}, ["wordle", "pattern", "eerie", "there"]),
    ("sliding/verify", {"board": "1 2 5 / 3 4 0", "moves": "ULL"}, ["sliding", "verify", "1 2 5 / 3 4 0", "ULL"]),
    ("qless/roll", {"seed": 1}, ["qless", "roll", "--seed", "1"]),
    ("quiddler/deal", {"seed": 1}, ["quiddler", "deal", "--seed", "1"]),
    (
        "queuedle/daily",
        {"day": "2025-06-01", "zone": "Europe/London"},
        ["queuedle", "daily", "2025-06-01", "--zone", "Europe/London"],
    ),
]


@pytest.mark.parametrize(("path", "body", "words"), CHEAP)
def test_an_answer_is_what_the_command_prints(
    server: Server, run: Callable[..., Done], path: str, body: dict[str, object], words: list[str]
) -> None:
    status, answer = server.call(path, body)
    printed = json.loads(run(*words, "--json").out)
    of_run = {"seconds", "compile_seconds", "build_seconds"}
    assert (status, answer.keys()) == (200, printed.keys())
    assert all(answer[name] == printed[name] for name in printed.keys() - of_run)


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("wordle/pattern", {"guess": "eerie"}, "expected the field 'answer'"),
        ("wordle/pattern", {"guess": "eerie", "answer": "thre"}, "thre"),
        ("wordle/pattern", {"guess": "--help", "answer": "there"}, "--help"),
        ("qless/check", {"grid": "tea/x../t.."}, "not legal"),
    ],
)
def test_an_error_is_one_line(server: Server, path: str, body: dict[str, object], message: str) -> None:
    status, answer = server.call(path, body)
    assert status == 422
    assert message in answer["error"]
    assert "\n" not in answer["error"]


def test_an_answer_says_why_there_is_no_solution(server: Server) -> None:
    body = {"history": ["salet:-----", "crony:-----", "dumbs:-----", "fight:-----", "vozhd:-----"]}
    status, answer = server.call("wordle/suggest", body)
    assert status == 200
    assert "none of the 12,972 words that may be guessed" in answer["no_solution"]
    *_, (name, answer) = server.events("sliding/solve", {"board": ["1 0 2 / 3 4 5 / 6 8 7"]})
    assert name == "result"
    assert "no moves lead to the goal" in answer["no_solution"]


def test_only_files_of_the_folder_can_be_named(server: Server, folder: Path) -> None:
    assert server.call("wordle/cells", {"guess": "crane", "answers": "mine.txt"})[0] == 200
    outside = [str(folder.parent / "secret.txt"), "../secret.txt", "link.txt", "/etc/passwd", "/proc/self/environ", "-"]
    for name in outside:
        status, answer = server.call("wordle/cells", {"guess": "crane", "answers": name})
        assert status == 422, name
        assert "expected a file or a shipped list" in answer["error"] or "this server offers" in answer["error"]
    status, text, _ = server.ask("GET", "/names.json")
    assert status == 200
    assert "mine.txt" in json.loads(text)["files"]


def test_the_content_of_a_file_can_be_sent(server: Server) -> None:
    lines = "crane GGGGG1\n"
    status, answer = server.call(
        "wordle/verify", {"tree": {"content": lines}, "answers": "mine.txt", "guesses": "mine.txt"}
    )
    assert status in (200, 422)
    assert "sent-tree" in json.dumps(answer) or status == 200


def test_bodies_are_bounded(server: Server) -> None:
    kind = {"content_type": "application/json"}
    assert server.ask("POST", "/api/wordle/pattern", b"x" * 300_000, **kind)[0] == 422
    assert server.ask("POST", "/api/wordle/pattern", b"[" * 100_000, **kind)[0] == 422
    deep = b'{"guess":' + b"[" * 20 + b"]" * 20 + b"}"
    assert "levels" in server.ask("POST", "/api/wordle/pattern", deep, **kind)[1]
    assert server.ask("POST", "/api/wordle/pattern", b'{"guess": "\xff"}', **kind)[0] == 422
    assert server.ask("POST", "/api/wordle/pattern", b'{"guess": NaN}', **kind)[0] == 422
    assert server.ask("POST", "/api/wordle/pattern", b"{}", content_type="text/plain")[0] == 422
    assert server.ask("POST", "/api/wordle/no-such-command", b"{}", **kind)[0] == 404
    assert server.ask("GET", "/api/wordle/pattern")[0] == 405


def test_every_page_forbids_everything_from_elsewhere(server: Server) -> None:
    for path in (
        "/",
        "/docs",
        "/wordle",
        "/sliding",
        "/boards/wordle.js",
        "/static/lib/api.js",
        "/look/page.css",
        "/openapi.json",
    ):
        status, text, headers = server.ask("GET", path)
        assert status == 200, path
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "http://" not in text.replace("http://www.w3.org", "")
    assert server.ask("GET", "/static/../app.py")[0] == 404
    assert server.ask("GET", "/", host="evil.example")[0] == 421
    assert server.ask("POST", "/api/wordle/pattern", b"{}", origin="http://evil.example")[0] == 403


def test_a_long_request_sends_events(server: Server) -> None:
    events = list(server.events("sliding/solve", {"board": ["8 6 7 / 2 5 4 / 3 0 1"]}))
    names = [name for name, _ in events]
    assert names[0] == "job"
    assert names[-1] == "result"
    assert events[-1][1]["length"] == 27
    assert "object" in names


def test_a_long_request_sends_what_is_known_of_the_result(server: Server) -> None:
    """The bounds that a search has completed, and each better board."""
    events = list(server.events("sliding/solve", {"board": ["6 4 7 / 8 5 0 / 3 2 1"]}))
    bounds = [content for name, content in events if name == "interim"]
    assert bounds
    assert bounds == [
        {name: bound[name] for name in ("bound", "expanded", "seconds")}
        for bound in events[-1][1]["bounds"][: len(bounds)]
    ]
    body = {"puzzle": "fndoi/eedgr/aadqs/oeilx/eyatg aiki", "states": 100_000, "seed": 1}
    events = list(server.events("queuedle/solve", body))
    boards = [content for name, content in events if name == "interim"]
    scores = [board["score"] for board in boards]
    assert scores == sorted(set(scores))
    assert (boards[-1]["score"], boards[-1]["moves"]) == (events[-1][1]["score"], events[-1][1]["moves"])


def test_an_answer_that_is_kept_has_the_same_objects(server: Server) -> None:
    """Boards show the objects of a stream as they come."""
    body = {"roll": "cddeeimprtwx", "max_solutions": 3}
    first, again = (list(server.events("qless/solve", body)) for _ in range(2))
    kept = [(name, content) for name, content in first if name in ("object", "result")]
    assert again == kept
    assert len(kept) > 2


def test_an_answer_says_whether_the_limit_ended_it(folder: Path) -> None:
    """A board asks for more time then."""
    body = {"puzzle": ["fndoi/eedgr/aadqs/oeilx/eyatg aiku"], "hidden": 10, "samples": 1000, "width": 1000, "seed": 1}
    with serving(folder, "--jobs", "1", "--time-limit", "1") as server:
        *_, (name, content) = server.events("queuedle/suggest", body)
    assert (name, content["status"], content["overdue"]) == ("error", 422, True)


def test_a_long_request_ends_when_it_is_asked_to(server: Server) -> None:
    events = server.events("wordle/solve", {"answers": "wordle-guesses", "mode": "hard"})
    job = next(content for name, content in events if name == "job")["job"]
    time.sleep(1)
    assert server.ask("DELETE", f"/api/jobs/{job}")[0] == 204
    assert list(events)[-1][0] == "error"
    assert server.ask("DELETE", f"/api/jobs/{job}")[0] == 404
    assert server.call("wordle/pattern", {"guess": "eerie", "answer": "there"})[0] == 200


def test_short_requests_are_answered_during_long_ones(server: Server) -> None:
    """Two long requests, of which one waits: the second process is left to the short requests."""
    long = [server.events("wordle/solve", {"answers": "wordle-guesses", "mode": "hard"}) for _ in range(2)]
    with ExitStack() as ends:
        for each in long:
            ends.callback(each.close)  # type: ignore[attr-defined]
        assert next(content for name, content in long[0] if name == "progress")  # an earlier command has ended
        assert next(content for name, content in long[1] if name == "waiting") == {"waiting": 1}
        body = {"guess": "crane", "answer": "those"}
        events = dict(server.events("wordle/pattern", body, Prefer="wait=10"))  # a short one with a stream
        assert [*events] == ["job", "began", "object", "result"]
        assert events["job"]["about"] == "Show the pattern that a guess gets for a hidden answer."
        assert server.call("wordle/pattern", {"guess": "crane", "answer": "there"})[0] == 200
    assert server.call("sliding/verify", {"board": "1 2 5 / 3 4 0", "moves": "ULL"})[0] == 200


def test_a_killed_process_ends_its_request_only(server: Server) -> None:
    events = server.events("wordle/solve", {"answers": "wordle-guesses", "mode": "hard"})
    assert next(content for name, content in events if name == "progress")  # so its process runs
    for worker in workers_of(server):
        os.kill(worker, signal.SIGKILL)
    name, content = list(events)[-1]
    assert (name, content["status"]) == ("error", 500)
    assert "SIGKILL" in content["error"]
    status, _ = server.call("wordle/pattern", {"guess": "crane", "answer": "trace"})
    assert status in (200, 500)  # the other process was killed while it was idle
    assert server.call("wordle/pattern", {"guess": "crane", "answer": "trace"})[0] == 200


def test_a_request_whose_process_gets_a_signal_is_made_again(server: Server) -> None:
    events = server.events("sliding/solve", {"board": [BOARD], "heuristic": "manhattan", "time_limit": 3})
    names = []
    for name, _ in events:
        if name == "began" and name not in names:
            time.sleep(0.3)
            for worker in workers_of(server):
                os.kill(worker, signal.SIGINT)
        names.append(name)
    assert (names.count("began"), names[-1]) == (2, "result")


def workers_of(server: Server) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(server.process.pid)], capture_output=True, text=True, check=True
    )
    return [int(pid) for pid in listed.stdout.split()]


def test_an_error_line_repeats_little_of_the_request(server: Server) -> None:
    for text in ("a" * 100_000, "a " * 50_000):
        status, found = server.call("wordle/pattern", {"guess": text, "answer": "those"})
        assert status == 422
        assert len(found["error"]) < 600


def test_a_truncated_body_holds_nothing_up(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(
            b"POST /api/wordle/pattern HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
        )
    assert server.call("wordle/pattern", {"guess": "crane", "answer": "those"})[0] == 200


def test_a_full_queue_refuses_more(folder: Path) -> None:
    with serving(folder, "--jobs", "1", "--waiting", "1") as server:
        long = [server.events("wordle/solve", {"answers": "wordle-guesses", "mode": "hard"}) for _ in range(2)]
        assert [next(each)[0] for each in long] == ["job", "job"]
        assert next(content for name, content in long[1] if name == "waiting")
        status, text, headers = server.ask("POST", "/api/qless/roll", b"{}", content_type="application/json")
        assert status == 429
        assert headers["retry-after"]
        assert "busy" in json.loads(text)["error"]
        for each in long:
            each.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--host", "0.0.0.0"], "expected --public NAME as well"),
        (["--host", "another.invalid"], "expected --public NAME as well"),
        (["--host", "no.such.name.invalid", "--public", "x"], "cannot listen there"),
        (["--folder", "/no/such/folder"], "expected a folder"),
        (["--device", "gpu"], "gpu"),
    ],
)
def test_wrong_options_are_refused(run: Callable[..., Done], words: list[str], message: str) -> None:
    done = run("serve", *words)
    assert done.code == 2
    assert message in done.err


def test_a_short_token_is_refused(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    for token in (
        "short",
        "x" * 15,
        "a token with spaces but ünicode",
        "a-token-with-a;semicolon",
        "a-token-with-an-&-in-it",
    ):
        monkeypatch.setenv("GPUSOLVE_TOKEN", token)
        done = run("serve", "--public", "games.example.org")
        assert done.code == 2
        assert "expected at least 16 letters a-z, digits, and . _ ~ -" in done.err


@pytest.mark.parametrize(("on_gpu", "expected"), [(True, ("cuda:1", 0)), (False, ("cpu:1", 2 << 30))])
def test_workers_use_the_device_that_is_given(
    monkeypatch: pytest.MonkeyPatch, on_gpu: bool, expected: tuple[str, int]
) -> None:
    """A limit on the memory of a process would leave CUDA no room for its addresses."""
    gpu = SimpleNamespace(host=open_backend("cpu"), name="cuda:1", about="a GPU")
    found: list[tuple[str, int]] = []
    monkeypatch.setattr("gpusolve.serve.server.open_backend", lambda device: gpu if on_gpu else open_backend("cpu"))
    monkeypatch.setattr(
        "gpusolve.serve.app.application", lambda limits, guard, *, folder, device: found.append((device, limits.memory))
    )
    monkeypatch.setattr("uvicorn.Server.run", lambda self, sockets: [each.close() for each in sockets])
    monkeypatch.setattr("uvicorn.Config", lambda app, **options: SimpleNamespace(**options))
    monkeypatch.setattr("uvicorn.Server.__init__", lambda self, config: None)
    serve(
        host="127.0.0.1", port=0, public=None, jobs=1, waiting=1, folder=None, time_limit=10.0, memory=2048,
        device=None, quiet=True,
    )  # fmt: skip
    assert found == [expected]


def test_a_worker_runs_where_processes_have_no_limits() -> None:
    """As on Windows, which has no module `resource`."""
    code = "import sys; sys.modules['resource'] = None; sys.argv = ['worker', '1000000', '']; "
    code += "from gpusolve.serve.worker import main; main()"
    body = json.dumps({"guess": "eerie", "answer": "there"})
    about = {"number": 1, "game": "wordle", "name": "pattern", "device": "cpu:1", "seconds": 10, "bytes": len(body)}
    words, request = [sys.executable, "-c", code], f"{json.dumps(about)}\n{body}"
    done = subprocess.run(words, input=request, capture_output=True, text=True, check=True)
    *_, result, end = (line.split(" ", 2) for line in done.stdout.splitlines())
    assert [result[1], end[1]] == ["object", "end"]
    assert (json.loads(result[2])["pattern"], json.loads(end[2])["code"]) == ("y-y-g", 0)
