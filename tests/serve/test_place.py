"""What is around the boards: the first page, rules and samples, what a browser installs, and QR codes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from serve.client import Server, serving

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from gpusolve.serve.boards import Board, find_boards


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("served"), "--jobs", "1") as server:
        yield server


OURS = [board for board in find_boards() if board.name != "harvest"]  # the example, if it is installed


@pytest.mark.parametrize("board", OURS, ids=lambda each: each.name)
def test_each_game_has_a_picture_a_sentence_a_sample_and_its_rules(server: Server, board: Board) -> None:
    _, first, _ = server.ask("GET", "/")
    _, own, _ = server.ask("GET", f"/{board.name}")
    assert f'src="/boards/{board.name}.svg"' in first
    assert f"<p>{board.about}</p>" in first
    link = f'href="/{board.name}?{board.sample}"'.replace("&", "&amp;")
    assert link in first
    assert link in own
    assert board.rules
    assert all(f"<p>{paragraph}</p>" in own for paragraph in board.rules)
    assert board.emoji
    assert f'<a href="/{board.name}" aria-current="page">{board.title}</a>' in own
    assert f'<a href="/{board.name}">{board.title}</a>' in first


def test_what_a_browser_keeps_exists(server: Server) -> None:
    """Each address of the service worker, each icon and each shortcut."""
    status, script, headers = server.ask("GET", "/offline.js")
    assert (status, headers["content-type"].partition(";")[0]) == (200, "text/javascript")
    found = re.match(r"const SHELL = (\[.*?\]);\n", script)
    assert found
    kept = json.loads(found[1])
    _, text, _ = server.ask("GET", "/manifest.json")
    manifest = json.loads(text)
    linked = [each["src"] for each in manifest["icons"]] + [each["url"] for each in manifest["shortcuts"]]
    for address in {*kept, *linked, manifest["start_url"]}:
        with urlopen(server.address + address) as answer:  # some are pictures
            assert answer.status == 200, address
    assert {"/", "/wordle", "/boards/wordle.js", "/static/lib/api.js", "/look/page.css"} <= {*kept}
    assert {*linked} <= {*kept}


def test_only_addresses_of_this_server_have_a_qr_code(server: Server) -> None:
    def code(address: str) -> tuple[int, str]:
        return server.ask("GET", f"/qr.svg?{urlencode({'address': address})}")[:2]

    status, text = code(f"{server.address}/wordle?turns=salet:-y--g")
    assert status == 200
    assert text.startswith(("<?xml", "<svg"))
    assert text != code(f"{server.address}/wordle?turns=salet:-y---")[1]
    long = f"{server.address}/tetris?game={'T00' * 2000}"
    for address in ("", "salet", "https://evil.example/", f"javascript:{server.address}", long):
        assert code(address)[0] == 422, address
