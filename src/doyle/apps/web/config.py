"""`ServerConfig`: everything a server is started with."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field

from doyle.base.errors import FieldError
from doyle.base.paths import cache_folder

GAMES = ("holdem-nl-200bb", "holdem-limit-2p", "holdem-limit-3p")
"""The games of the table, in the order in which they are offered."""

LEAST_TOKEN = 16
"""Characters of a token; shorter ones can be guessed."""


def default_database() -> str:
    """A SQLite file in the cache folder."""
    return f"sqlite:///{cache_folder() / 'web' / 'doyle.sqlite'}"


@dataclass(frozen=True)
class RateLimits:
    """Request limits of one address; a bucket holds `burst` requests and fills by `per_second`."""

    requests_per_second: float = 60.0
    requests_burst: int = 240
    tables_per_minute: float = 120.0
    tables_burst: int = 80
    messages_per_second: float = 40.0
    messages_burst: int = 80
    connections: int = 2_000
    """In all; fewer where the system allows fewer open files."""
    connections_per_address: int = 256
    """WebSockets of a visitor; connections of an address, unless it is a trusted proxy's."""
    request_seconds: float = 20.0
    """From the opening of a connection, or the first byte of a request, to the end of the request."""
    tables_per_player: int = 1_000
    players_per_minute: float = 30.0
    players_burst: int = 80
    wrong_tokens_per_minute: float = 10.0
    wrong_tokens_burst: int = 20
    """Of the server and of players; an address that has used them up is refused before a look."""
    body_bytes: int = 64 << 10
    upload_bytes: int = 1 << 20
    """Of hand histories that are sent for a review."""


@dataclass(frozen=True)
class ServerConfig:
    """The configuration of a server.

    `agents` are texts of agents (see `doyle.agents.registry`) offered besides those that come with the
    package; clients cannot name others over the network. A host other than loopback needs a
    `token`.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    database: str = ""
    agents: tuple[str, ...] = ()
    token: str | None = None
    thinkers: int = 2
    """Processes in which agents think."""
    pace: float = 0.7
    """Seconds until an agent's action is shown; a multiple of it for slower decisions."""
    fold_after: float = 600.0
    """Seconds without an action after which a hand counts as abandoned and is folded."""
    limits: RateLimits = field(default_factory=RateLimits)
    allowed_hosts: tuple[str, ...] = ()
    """Names, besides loopback and `host`, by which browsers may address the server."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted."""

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise FieldError("port", "expected a number from 0 to 65535", value=str(self.port))
        if self.thinkers < 1:
            raise FieldError("workers", "expected at least 1", value=str(self.thinkers))
        if not 0.02 <= self.pace <= 10:
            raise FieldError("pace", "expected seconds from 0.02 to 10", value=str(self.pace))
        if not 0 < self.fold_after <= 30 * 24 * 3600:
            raise FieldError(
                "fold_after",
                "expected seconds above 0, at most 30 days",
                value=str(self.fold_after),
            )
        for proxy in self.trusted_proxies:
            try:
                ipaddress.ip_network(proxy)
            except ValueError:
                raise FieldError(
                    "trusted_proxy", "expected an address or a network", value=proxy
                ) from None
        if self.token is not None and len(self.token) < LEAST_TOKEN:
            raise FieldError("token", f"expected at least {LEAST_TOKEN} characters")
        if self.token is None and not is_loopback(self.host):
            raise FieldError(
                "token", f"needed to listen on {self.host}, which others can reach; give one"
            )

    @property
    def database_url(self) -> str:
        return self.database or default_database()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens on `host`.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
