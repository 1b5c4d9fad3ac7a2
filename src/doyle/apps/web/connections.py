"""Limits on connections: how many there are, in all and by address, and how long a request may arrive.

Uvicorn counts requests only, so that connections which never send one would take every file handle.
Here the connection that has waited longest for its request makes room for a new one; a request that
does not arrive in time, or whose head is too long, ends its connection.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter
from typing import Any, cast

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from doyle.apps.web.config import ServerConfig

BACKLOG = 128
"""Connections that are accepted at once, before the first of them is counted."""
RESERVED_FILES = 256
"""File handles for everything else: the database, agents' processes, pages."""
LONGEST_HEAD = 64 << 10


class Connections:
    """The open connections of a server, oldest first."""

    def __init__(self, config: ServerConfig) -> None:
        limits = config.limits
        self.seconds = limits.request_seconds
        self.most = min(limits.connections, _file_handles() - RESERVED_FILES - BACKLOG)
        self.most_by_address = limits.connections_per_address
        self._proxies = [ipaddress.ip_network(proxy) for proxy in config.trusted_proxies]
        self._open: dict[asyncio.Transport, tuple[str, GuardedProtocol]] = {}
        self._by_address: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._open)

    def add(self, transport: asyncio.Transport, protocol: GuardedProtocol) -> bool:
        """Count a new connection; False if there is no room for it."""
        address = (transport.get_extra_info("peername") or ("",))[0]
        if self._is_counted(address) and self._by_address[address] >= self.most_by_address:
            self._make_room(address)
            if self._by_address[address] >= self.most_by_address:
                return False
        if len(self._open) >= self.most:
            self._make_room(None)
            if len(self._open) >= self.most:
                return False
        self._open[transport] = address, protocol
        self._by_address[address] += 1
        return True

    def remove(self, transport: asyncio.Transport) -> None:
        """A connection has ended."""
        found = self._open.pop(transport, None)
        if found is not None:
            self._by_address[found[0]] -= 1
            if not self._by_address[found[0]]:
                del self._by_address[found[0]]

    def _is_counted(self, address: str) -> bool:
        """Connections of a trusted proxy, which serves many visitors, are not counted."""
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return True
        return not any(found in network for network in self._proxies)

    def _make_room(self, address: str | None) -> None:
        """Close connections whose peer is gone (WebSockets), otherwise the one that waits longest
        for a request."""
        before = len(self)
        for transport in [
            one for one, (of, _) in self._open.items() if one.is_closing() and address in (None, of)
        ]:
            self.remove(transport)
        if len(self) < before:
            return
        for transport, (of, protocol) in self._open.items():
            if protocol.awaits_request and address in (None, of):
                self.remove(transport)
                transport.abort()
                return


class GuardedProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Uvicorn's protocol of one connection, counted and timed."""

    def __init__(self, *arguments: Any, connections: Connections, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._connections = connections
        self._timer: asyncio.TimerHandle | None = None
        self._head = 0
        self._refused = False
        self._upgraded = False

    @property
    def awaits_request(self) -> bool:
        """Whether no request is being answered: none has arrived, or its head is incomplete."""
        return not self._upgraded and (self.cycle is None or self.cycle.response_complete)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(Any, transport))
        if self._connections.add(cast(asyncio.Transport, transport), self):
            self._wait()
        else:
            self._refused = True
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        before = self.cycle
        self._head = self._head + len(data) if self.awaits_request else 0
        super().data_received(data)
        if self.cycle is not before or self._upgraded:
            self._head = 0
            self._stop_waiting()
        if self._upgraded or self.transport.is_closing():
            self._stop_waiting()
        elif self._head > LONGEST_HEAD:
            self.transport.abort()
        elif self.awaits_request or self.cycle.more_body:
            self._wait()
        else:
            self._stop_waiting()

    def handle_websocket_upgrade(self, *arguments: Any) -> None:
        """The WebSocket's protocol follows on the same connection, which stays counted."""
        self._upgraded = True
        super().handle_websocket_upgrade(*arguments)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._connections.remove(self.transport)
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self._connections.seconds, self._too_late)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_late(self) -> None:
        self._timer = None
        self.transport.abort()


def _file_handles() -> int:
    """How many files this process may open."""
    try:
        import resource
    except ImportError:  # not on every system
        return 1 << 16
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 1 << 16 if soft == resource.RLIM_INFINITY else soft
