"""A server answers a request for each game, with what is known to be right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from serve.client import Server, serving

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
ASKED: list[tuple[str, dict[str, Any], list[str]]] = [
    ("wordle/suggest", {"history": ["salet:-y--g"], "mode": "hard"}, ["abbot", "abort", "about", "adapt"]),
    ("quordle/suggest", {"history": ["crane:-y---", "moist:-----"]}, ["burly", "hurry"]),
    ("queuedle/daily", {"day": "2025-05-31", "zone": "Europe/London"}, ["faiie", "ljaii"]),
    ("quiddler/solve", {"deal": ["nwu(th)ryyi/acjounbi"]}, ["107", "true", "nu", "ja", "bi"]),
    ("qless/solve", {"roll": "tealo"}, ["11", "oat/.l./.e."]),
    ("sliding/solve", {"board": ["8 6 7 / 2 5 4 / 3 0 1"]}, ["27", "true"]),
    ("tetris/suggest", {"board": "." * 190 + "#########.", "piece": "I", "player": "published"}, ["17", "published"]),
]
"""Path, body, and parts of the answer."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("served"), "--jobs", "1") as server:
        yield server


@pytest.mark.parametrize(("path", "body", "parts"), ASKED)
def test_every_game_answers(server: Server, path: str, body: dict[str, Any], parts: list[str]) -> None:
    status, answer = server.call(path, body)
    assert status == 200, answer
    assert answer["schema"].startswith(f"gpusolve.{path.replace('/', '.')}/")
    for part in parts:
        assert part in json.dumps(answer)


def test_a_wrong_request_is_refused(server: Server) -> None:
    status, answer = server.call("wordle/suggest", {"history": ["salet"]})
    assert status == 422
    assert "salet" in answer["error"]
