"""What a board does while the server is slow, busy or gone, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from serve.client import Server, serving
from serve.visit import NEEDS_BROWSER, Visit, axe, playwright

pytestmark = NEEDS_BROWSER
POSITION = "/wordle?turns=salet:-y--g,crony:-----"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("served"), "--jobs", "1") as server:
        yield server


class Failing:
    """The first requests to a command fail in some way; further ones reach the server."""

    def __init__(self, visit: Visit, times: int, fail: Any) -> None:
        self.asked = 0
        self._times, self._fail = times, fail
        visit.page.route("**/api/wordle/suggest", self._answer)

    def _answer(self, route: Any) -> None:
        self.asked += 1
        if self.asked > self._times:
            route.continue_()
        else:
            self._fail(route)


def busy(route: Any) -> None:
    route.fulfill(status=429, headers={"Retry-After": "1"}, body=json.dumps({"error": "the server is busy"}))


def cut(route: Any) -> None:
    """A stream that ends without an answer."""
    events = 'event: job\ndata: {"job": "x", "about": "Search."}\n\nevent: began\ndata: {}\n\n'
    route.fulfill(status=200, content_type="text/event-stream", body=events)


def overdue(route: Any) -> None:
    content = json.dumps({"status": 422, "error": "stopped after 600 seconds", "overdue": True})
    route.fulfill(status=200, content_type="text/event-stream", body=f"event: error\ndata: {content}\n\n")


def analyse(visit: Visit) -> None:
    """Go to a position without loading the page again."""
    visit.page.evaluate(f"history.pushState(null, '', '{POSITION}'); dispatchEvent(new PopStateEvent('popstate'))")


@pytest.mark.parametrize("fail", [lambda route: route.abort(), busy, cut], ids=["gone", "busy", "cut"])
def test_a_request_that_fails_is_made_again(chromium: Any, server: Server, fail: Any) -> None:
    with Visit(chromium, server, "/wordle", width=360) as visit:
        visit.see("#best caption", "best guesses")
        failing = Failing(visit, 2, fail)
        analyse(visit)
        visit.see("#work", r"trying again in \d+ s")
        assert axe.Axe().run(visit.page).response["violations"] == []
        visit.see("#best caption", "exact number")
        assert failing.asked == 4  # two failures, the first answer, the exact one
        playwright.expect(visit.page.locator("#work [role=status]")).to_have_text("")
        assert visit.page.locator("#news .error").count() == 0
        visit.faults = [fault for fault in visit.faults if "Failed to load resource" not in fault]


def test_a_person_can_try_again(chromium: Any, server: Server) -> None:
    """At once, without waiting, and whenever no further try comes by itself."""
    with Visit(chromium, server, "/wordle") as visit:
        visit.see("#best caption", "best guesses")
        failing = Failing(visit, 3, overdue)  # the short request, the longer one, and that one again
        analyse(visit)
        visit.see("#work", "stopped after 600 seconds")
        assert failing.asked == 2
        visit.click("try again now")
        visit.page.wait_for_function("() => !document.querySelector('#work').textContent.includes('trying')")
        visit.click("try again now")
        visit.see("#best caption", "exact number")
        assert not visit.button("try again now").is_visible()


def test_a_request_that_waits_ends_with_its_position(chromium: Any, server: Server) -> None:
    with Visit(chromium, server, "/wordle") as visit:
        visit.see("#best caption", "best guesses")
        failing = Failing(visit, 1000, lambda route: route.abort())
        analyse(visit)
        visit.see("#work", r"trying again in \d+ s")
        visit.page.unroute("**/api/wordle/suggest")
        visit.page.go_back()
        visit.see("#best caption", "best guesses")
        playwright.expect(visit.page.locator("#work [role=status]")).to_have_text("")
        assert failing.asked >= 1
        visit.faults = [fault for fault in visit.faults if "Failed to load resource" not in fault]


def test_a_busy_server_shows_its_queue(chromium: Any, server: Server) -> None:
    searches = [server.events("wordle/solve", {"answers": "wordle-guesses", "mode": "hard"}) for _ in range(2)]
    try:
        assert next(content for name, content in searches[0] if name == "began") == {}
        assert next(content for name, content in searches[1] if name == "waiting") == {"waiting": 1}
        with Visit(chromium, server, "/wordle?turns=salet:--y--") as visit:  # its answer is not kept yet
            visit.see("#work", r"the server is busy: number \d in the queue +\d+ s")
            for each in searches:
                each.close()  # type: ignore[attr-defined]
            visit.see("#best caption", "exact number")
    finally:
        for each in searches:
            each.close()  # type: ignore[attr-defined]
