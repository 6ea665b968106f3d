"""Who may ask the server: the checks before any request, and the headers of every response."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, parse_qsl, quote, urlencode, urlsplit

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "gpusolve_token"
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""Headers of every response. The policy lets a page load scripts and styles from this server only, never inline."""


@dataclass(frozen=True)
class Guard:
    """The rules for requests.

    A page from another site can make a browser send requests here, under its own name or, by DNS rebinding, under a
    name that leads here. So the headers ``Host`` and ``Origin`` have to be this server's.

    Attributes
    ----------
    hosts : frozenset of str
        Names that clients may use for this server, in lower case and without the port.
    token : str
        Secret that clients have to know; empty if they need none.
    """

    hosts: frozenset[str]
    token: str = ""

    def around(self, app: Application) -> Application:
        """Return an application that checks each request before `app` gets it."""

        async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return

            async def send_safely(message: Message) -> None:
                if message["type"] == "http.response.start":
                    own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                    message["headers"] = [*message.get("headers", []), *own]
                await send(message)

            refusal = self.refusal(scope)
            if refusal is None:
                await app(scope, receive, send_safely)
            else:
                await _respond(send_safely, *refusal)

        return guarded

    def refusal(self, scope: Scope) -> tuple[int, str, list[tuple[bytes, bytes]]] | None:
        """Return the status, the text and headers of the answer to a request that is refused, or None."""
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        if _name(f"//{host}") not in self.hosts:
            return HTTPStatus.MISDIRECTED_REQUEST, "this server does not have the name in the header Host", []
        origin = headers.get("origin")
        if origin is not None and _place(origin) != host.lower():
            return HTTPStatus.FORBIDDEN, "requests from pages of other sites are refused", []
        if not self.token:
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if self._is_token(given) and scope["method"] == "GET":
            cookie = f"{COOKIE}={given}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000"
            place = _location(scope["path"], scope["query_string"].decode("latin-1"))
            return HTTPStatus.SEE_OTHER, "", [(b"location", place.encode()), (b"set-cookie", cookie.encode())]
        bearer = headers.get("authorization", "").removeprefix("Bearer ").strip()
        if self._is_token(bearer) or self._is_token(_cookie(headers.get("cookie", ""))):
            return None
        text = "this server needs a token: open it once with ?token=..., or send the header Authorization: Bearer ..."
        return HTTPStatus.UNAUTHORIZED, text, [(b"www-authenticate", b"Bearer")]

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())


def is_own(address: str, host: str) -> bool:
    """Return whether an address is on the server that clients call `host`.

    >>> is_own("http://localhost:8000/wordle", "localhost:8000"), is_own("https://evil.example/", "localhost:8000")
    (True, False)
    """
    return address.startswith(("http://", "https://")) and _place(address) == host.lower()


def _name(address: str) -> str:
    """Return the name of a host, without the port and in lower case, or an empty text if there is none."""
    try:
        return "" if "@" in address else (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


def _place(origin: str) -> str:
    """Return the host and port of the header ``Origin``, in lower case; an empty text if it is no address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _location(path: str, query: str) -> str:
    """Return the place on this server that a request with a token was for: its path and query without the token.

    A path that begins with two slashes would lead to another server.

    >>> _location("//evil/x y", "token=a&board=1+2"), _location("/wordle", "token=a")
    ('/evil/x%20y?board=1+2', '/wordle')
    """
    kept = [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name != "token"]
    return "/" + quote(path.lstrip("/\\")) + (f"?{urlencode(kept)}" if kept else "")


def _cookie(header: str) -> str:
    try:
        cookie = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return cookie.value if cookie else ""


async def _respond(send: Send, status: int, text: str, headers: list[tuple[bytes, bytes]]) -> None:
    content = text.encode()
    plain = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(content)).encode())]
    await send({"type": "http.response.start", "status": int(status), "headers": [*plain, *headers]})
    await send({"type": "http.response.body", "body": content})
