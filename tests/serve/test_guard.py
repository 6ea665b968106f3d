"""The guard: which requests get through."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import pytest

from gpusolve.serve.guard import Guard

LOCAL = Guard(frozenset({"localhost", "127.0.0.1", "::1"}))
PUBLIC = Guard(frozenset({"games.example.org"}), token="a-long-enough-token")


def scope(host: str | None, method: str = "GET", query: str = "", **headers: str) -> dict[str, Any]:
    given = {"host": host, **headers} if host is not None else headers
    return {
        "type": "http",
        "method": method,
        "path": "/wordle",
        "query_string": query.encode(),
        "headers": [(name.encode(), str(value).encode()) for name, value in given.items()],
    }


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST"])
def test_our_names_are_accepted(host: str) -> None:
    assert LOCAL.refusal(scope(host)) is None


@pytest.mark.parametrize(
    "host", [None, "", "evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "[", "a@b@localhost:x"]
)
def test_other_names_are_refused(host: str | None) -> None:
    refusal = LOCAL.refusal(scope(host))
    assert refusal is not None
    assert refusal[0] == HTTPStatus.MISDIRECTED_REQUEST


def test_pages_of_other_sites_are_refused() -> None:
    assert LOCAL.refusal(scope("localhost:8000", "POST", origin="http://localhost:8000")) is None
    for origin in (
        "http://evil.example",
        "null",
        "http://localhost:9000",
        "http://localhost:8000.evil.example",
        "http://[",
    ):
        refusal = LOCAL.refusal(scope("localhost:8000", "POST", origin=origin))
        assert refusal is not None
        assert refusal[0] == HTTPStatus.FORBIDDEN


def test_a_public_server_needs_its_token() -> None:
    host = "games.example.org"
    for wrong in (
        scope(host),
        scope(host, query="token=x"),
        scope(host, authorization="Bearer x"),
        scope(host, cookie="gpusolve_token="),
    ):
        refusal = PUBLIC.refusal(wrong)
        assert refusal is not None
        assert refusal[0] == HTTPStatus.UNAUTHORIZED
    assert PUBLIC.refusal(scope(host, authorization=f"Bearer {PUBLIC.token}")) is None
    assert PUBLIC.refusal(scope(host, cookie=f"other=1; gpusolve_token={PUBLIC.token}")) is None


def test_the_token_in_an_address_becomes_a_cookie() -> None:
    refusal = PUBLIC.refusal(scope("games.example.org", query=f"token={PUBLIC.token}"))
    assert refusal is not None
    status, _, headers = refusal
    assert status == HTTPStatus.SEE_OTHER
    cookie = dict(headers)[b"set-cookie"].decode()
    assert PUBLIC.token in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


@pytest.mark.parametrize(
    ("path", "query", "place"),
    [
        ("/wordle", "token=a-long-enough-token", "/wordle"),
        ("/wordle", "turns=salet%3A-y--g&token=a-long-enough-token&mode=hard", "/wordle?turns=salet%3A-y--g&mode=hard"),
        ("//evil.example/x", "token=a-long-enough-token", "/evil.example/x"),
        ("/\\evil.example", "token=a-long-enough-token", "/evil.example"),
        ("/a\r\nset-cookie: x", "token=a-long-enough-token", "/a%0D%0Aset-cookie%3A%20x"),
    ],
)
def test_a_token_in_the_address_leads_to_the_same_place_without_it(path: str, query: str, place: str) -> None:
    """The position of a board is in the query; no path leads to another server or adds a header."""
    refusal = PUBLIC.refusal(scope("games.example.org", query=query) | {"path": path})
    assert refusal is not None
    status, _, headers = refusal
    assert (status, dict(headers)[b"location"].decode()) == (HTTPStatus.SEE_OTHER, place)
