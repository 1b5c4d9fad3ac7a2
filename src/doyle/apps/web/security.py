"""Checks before every request: host, origin, token, rate limits, sizes, and headers of answers.

A plain ASGI middleware, because it must see WebSockets too. A browser that visits another site must not be
able to act here: requests that change something and all WebSockets must come from our own pages (`Origin`),
and on loopback only loopback names are answered (`Host`), so that no other name can be pointed at us.
"""

from __future__ import annotations

import hmac
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from doyle.apps.web.config import RateLimits, ServerConfig, is_loopback

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

ACCESS_COOKIE = "doyle_access"
ADDRESSES_KEPT = 10_000
WRONG_TOKENS = "doyle.wrong_tokens"
"""Where a scope has the bucket of wrong tokens of its address."""
UPLOADS = ("/api/reviews",)
"""Paths to which whole files are sent."""
_SAFE = ("GET", "HEAD", "OPTIONS")

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (
        b"content-security-policy",
        b"default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
        b"style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "
        b"connect-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; "
        b"frame-ancestors 'none'",
    ),
)


class Bucket:
    """Tokens that fill up by `per_second` to at most `burst`; each request takes one."""

    __slots__ = ("_at", "_burst", "_left", "_per_second")

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_second = per_second
        self._burst = burst
        self._left = float(burst)
        self._at = monotonic()

    @property
    def is_empty(self) -> bool:
        self._fill()
        return self._left < 1

    def _fill(self) -> None:
        now = monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now

    def take(self) -> bool:
        if self.is_empty:
            return False
        self._left -= 1
        return True


class Address:
    """The usage of one address."""

    __slots__ = ("connections", "players", "requests", "tables", "wrong_tokens")

    def __init__(self, limits: RateLimits) -> None:
        self.requests = Bucket(limits.requests_per_second, limits.requests_burst)
        self.tables = Bucket(limits.tables_per_minute / 60, limits.tables_burst)
        self.players = Bucket(limits.players_per_minute / 60, limits.players_burst)
        self.wrong_tokens = Bucket(limits.wrong_tokens_per_minute / 60, limits.wrong_tokens_burst)
        self.connections = 0


class Gate:
    """The middleware."""

    def __init__(self, app: Application, config: ServerConfig) -> None:
        self.app = app
        self.config = config
        self._addresses: OrderedDict[str, Address] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope, send = {**scope, "method": "GET"}, _without_body(send)
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        address = self._address(scope)
        scope[WRONG_TOKENS] = address.wrong_tokens
        refusal = self._foreign(scope, headers)
        if refusal is None:
            refusal = await self._without_token(scope, headers, send)
            if refusal == "":
                return  # answered already
        if refusal is None and not self._within_rate(scope, address):
            refusal = "429 too many requests"
        if refusal is None and _too_long(headers, self._most_bytes(scope)):
            refusal = "413 the body is too long"
        if refusal is not None:
            await _refuse(scope, send, refusal)
        elif scope["type"] == "websocket":
            address.connections += 1
            try:
                await self.app(scope, receive, send)
            finally:
                address.connections -= 1
        else:
            bounded = _bounded(receive, self._most_bytes(scope))
            await self.app(scope, bounded, _with_headers(scope, send))

    def _most_bytes(self, scope: Scope) -> int:
        """The longest body of a request."""
        limits = self.config.limits
        return limits.upload_bytes if scope["path"].startswith(UPLOADS) else limits.body_bytes

    def _foreign(self, scope: Scope, headers: dict[bytes, str]) -> str | None:
        """Why a request is refused that comes by another name or from another site."""
        host = headers.get(b"host", "")
        if is_loopback(self.config.host):
            name = urlsplit(f"//{host}").hostname or ""
            if not is_loopback(name) and name not in self.config.allowed_hosts:
                return "400 this server is not addressed by that name"
        origin = headers.get(b"origin")
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if origin is not None and changes and urlsplit(origin).netloc != host:
            return "403 requests from other sites are refused"
        return None

    async def _without_token(
        self, scope: Scope, headers: dict[bytes, str], send: Send
    ) -> str | None:
        """Refuse a request without the server's token; a page with it in its address sets the cookie."""
        if self.config.token is None:
            return None
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        by_address = query.pop("token", [None])[0] if scope["type"] == "http" else None
        cookie = _cookie(headers.get(b"cookie", ""), ACCESS_COOKIE)
        given = [one for one in (by_address, headers.get(b"x-doyle-token"), cookie) if one]
        if not given:
            return "401 this server needs its token: open /?token=..."
        wrong: Bucket = scope[WRONG_TOKENS]
        if wrong.is_empty:  # before a look, or the right one would still be found
            return "429 too many wrong tokens; try again in a minute"
        right = next((one for one in given if self._is_token(one)), None)
        if right is None:
            wrong.take()
            return "401 this server needs its token: open /?token=..."
        if by_address is not None:  # an address is kept in logs and histories
            rest = urlencode(query, doseq=True)
            path = scope["path"] + (f"?{rest}" if rest else "")
            await _enter(send, path, right, secure=scope["scheme"] == "https")
            return ""
        return None

    def _is_token(self, given: str) -> bool:
        expected = self.config.token or ""
        return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())

    def _address(self, scope: Scope) -> Address:
        name = (scope.get("client") or ("unknown", 0))[0]
        found = self._addresses.get(name)
        if found is None:
            found = self._addresses[name] = Address(self.config.limits)
            if len(self._addresses) > ADDRESSES_KEPT:
                self._addresses.popitem(last=False)
        else:
            self._addresses.move_to_end(name)
        return found

    def _within_rate(self, scope: Scope, address: Address) -> bool:
        path = scope["path"]
        if scope["type"] == "websocket":
            limit = self.config.limits.connections_per_address
            return address.connections < limit and address.requests.take()
        if path.startswith(("/_nicegui", "/assets/")):
            return True
        if scope["method"] == "POST" and path == "/api/tables" and not address.tables.take():
            return False
        if scope["method"] == "POST" and _makes_player(scope) and not address.players.take():
            return False
        return address.requests.take()


def _makes_player(scope: Scope) -> bool:
    """Whether a request makes a player: always, or for visitors without a token."""
    names = {name for name, _ in scope["headers"]}
    return scope["path"] in ("/api/players", "/api/session") or (
        scope["path"] in ("/api/explorer/spots", "/api/reviews")
        and not names & {b"cookie", b"authorization"}
    )


def _too_long(headers: dict[bytes, str], most: int) -> bool:
    length = headers.get(b"content-length", "0")
    return not length.isdigit() or len(length) > 12 or int(length) > most


def _bounded(receive: Receive, most: int) -> Receive:
    """Bodies without a length end where they become too long."""
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            return {"type": "http.disconnect"}
        return message

    return bounded


def _without_body(send: Send) -> Send:
    """The answer to HEAD: that to GET without its body."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return sending


def _with_headers(scope: Scope, send: Send) -> Send:
    private = scope["path"].startswith("/api/")

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            added = [*HEADERS, (b"cache-control", b"no-store")] if private else [*HEADERS]
            message = {**message, "headers": [*message.get("headers", []), *added]}
        await send(message)

    return sending


async def _refuse(scope: Scope, send: Send, refusal: str) -> None:
    status, _, detail = refusal.partition(" ")
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": detail})
        return
    body = json.dumps({"detail": detail}).encode()
    headers = [(b"content-type", b"application/json"), *HEADERS]
    if status == "429":
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _enter(send: Send, path: str, token: str, *, secure: bool) -> None:
    """Keep the token in a cookie, and show the page without it in the address."""
    target = "/" + path.lstrip("/\\")
    cookie = f"{ACCESS_COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict"
    if secure:
        cookie += "; Secure"
    headers = [(b"location", target.encode("latin-1", "replace")), (b"set-cookie", cookie.encode())]
    await send({"type": "http.response.start", "status": 303, "headers": [*headers, *HEADERS]})
    await send({"type": "http.response.body", "body": b""})


def _cookie(text: str, name: str) -> str | None:
    try:
        found = SimpleCookie(text).get(name)
    except CookieError:
        return None
    return None if found is None else found.value
