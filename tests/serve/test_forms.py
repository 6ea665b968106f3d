"""The forms of the boards have every option of the commands, with the same limits: descriptions make them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from serve.client import Server, serving
from serve.visit import NEEDS_BROWSER, Visit

pytestmark = NEEDS_BROWSER
LISTS = {"answers", "guesses", "weights"}  # choices of their own, with the lists that the server knows
PUZZLE = {"puzzle", "moves", "zone", "puzzle_dictionary"}
RULES = {"reach", "hz", "taps", "max_lines", "double_killscreen"}
ELSEWHERE: dict[str, dict[str, set[str]]] = {
    "wordle": {
        "suggest": {"history", "top", *LISTS},
        "explain": {"history", "guess", "top", *LISTS},
        "analyze": {"words", "answer", *LISTS},
    },
    "quordle": {"suggest": {"history", "boards", "top", *LISTS}, "analyze": {"hidden", "made", "boards", *LISTS}},
    "tetris": {
        "suggest": {"board", "piece", "following", "mine", "playouts", "top", "seed", *RULES},
        "play": {"game", "playouts", "seed", "start", *RULES},
        "review": {"game", "playouts", "top", "seed", *RULES},
    },
    "sliding": {"solve": {"board", "goal", "time_limit"}},
    "queuedle": {"check": PUZZLE, "solve": {"time_limit", *PUZZLE}, "suggest": {"puzzle", "moves", "hidden"}},
    "quiddler": {
        "check": {"plan", "deal"},
        "solve": {"plan", "deal", "top", "seed"},
        "suggest": {"deal", "top", "seed"},
    },
    "qless": {
        "check": {"grid", "roll"},
        "solve": {"roll", "max_solutions", "top", "time_limit"},
        "hint": {"roll", "words"},
        "rate": {"roll"},
    },
}
"""The commands of each board, and those of their fields that are the position or that the board gives otherwise."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("served"), "--jobs", "2") as server:
        yield server


@pytest.mark.parametrize("game", ELSEWHERE)
def test_a_form_has_every_option_with_its_limits(chromium: Any, server: Server, game: str) -> None:
    with Visit(chromium, server, f"/{game}") as visit:
        visit.page.locator("#settings .all-options").wait_for()
        form = {
            label.evaluate("each => each.firstChild.data"): label.locator("input, select").first
            for label in visit.page.locator("#settings .field label").all()
        }
        for command, elsewhere in ELSEWHERE[game].items():
            fields = json.loads(server.ask("GET", f"/fields/{game}/{command}.json")[1])
            assert elsewhere <= fields.keys()
            for name in fields.keys() - elsewhere:
                control = form[name.replace("_", " ")]
                if fields[name].get("type") in ("integer", "number"):
                    assert float(control.get_attribute("min")) <= fields[name]["minimum"]
                    assert float(control.get_attribute("max")) >= fields[name]["maximum"]
                for choice in fields[name].get("enum", ()):
                    values = control.locator("option").evaluate_all("all => all.map(each => each.textContent)")
                    assert choice in values


def test_an_option_reaches_the_command(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/wordle?turns=salet:-y--g", width=360) as visit:
        visit.choose("mode", "hard")
        visit.page.wait_for_url("**mode=hard**")
        visit.see("#best caption", "exact")
        _, found = server.call("wordle/suggest", {"history": ["salet:-y--g"], "mode": "hard", "top": 1})
        visit.see("#best tbody button", f"^{found['rows'][0]['guess']}$")
