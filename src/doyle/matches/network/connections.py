"""Lines over TCP: connections that never block, with bounded buffers on both sides.

A `Connection` reads lines of at most `LONGEST_LINE` bytes (longer ones are dropped whole and marked)
and buffers output that cannot be sent at once. While waiting for one connection, pending output of
the others is sent, so that a client which does not read delays no other. A client that leaves more
than `MOST_UNREAD` bytes unread is disconnected.
"""

from __future__ import annotations

import selectors
import socket
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

from doyle.base.errors import DoyleError

LONGEST_LINE = 4096
"""Bytes of a line, its end included, as in the reference dealer."""
MOST_UNREAD = 1 << 20
_BLOCK = 4096


class Disconnected(Exception):
    """The other side has closed the connection; `half` is the line it did not end."""

    def __init__(self, half: bytes = b"") -> None:
        super().__init__("disconnected")
        self.half = half


class TimedOut(Exception):
    """No line arrived before the deadline."""


@dataclass(frozen=True)
class Line:
    """A line that was received, without its end."""

    text: str
    too_long: bool = False
    """Whether it was longer than `LONGEST_LINE`; its text is then its beginning only."""


class Connection:
    """One side of a TCP connection that carries lines."""

    def __init__(self, stream: socket.socket) -> None:
        stream.setblocking(False)
        with suppress(OSError):  # a pair of local sockets has no such option
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = stream
        self._received = bytearray()
        self._unsent = bytearray()
        self._dropped: bytes | None = None  # the beginning of a line that is too long
        self._ended = False
        self._neighbours: tuple[Connection, ...] = ()

    @property
    def is_closed(self) -> bool:
        return self._socket.fileno() < 0

    def beside(self, others: Iterable[Connection]) -> None:
        """Connections whose unsent lines are sent while waiting for this one."""
        self._neighbours = tuple(other for other in others if other is not self)

    def send(self, text: str) -> None:
        """Send or buffer a line; no effect if the other side has disconnected."""
        if self.is_closed:
            return
        self._unsent += text.encode("ascii", "replace") + b"\r\n"
        self._flush()
        if len(self._unsent) > MOST_UNREAD:
            self.close()

    def receive(self, deadline: float | None = None) -> Line:
        """The next line; raises `Disconnected` or `TimedOut` (by `monotonic()`)."""
        while True:
            line = self._next_line()
            if line is not None:
                return line
            if self._ended or self.is_closed:
                raise Disconnected(bytes(self._received))
            left = None if deadline is None else deadline - monotonic()
            if left is not None and left <= 0:
                raise TimedOut
            self._wait(left)

    def drain(self, deadline: float) -> None:
        """Send the remaining output, until the deadline at most."""
        while self._unsent and not self.is_closed and (left := deadline - monotonic()) > 0:
            with selectors.DefaultSelector() as selector:
                selector.register(self._socket, selectors.EVENT_WRITE)
                selector.select(left)
            self._flush()

    def take_over(self, other: Connection) -> None:
        """Continue over the socket of another connection; unsent and incomplete lines are
        dropped."""
        self.close()
        self._socket, self._received, self._ended = other._socket, other._received, other._ended
        self._dropped = None

    def close(self) -> None:
        self._unsent.clear()
        self._socket.close()

    def _wait(self, seconds: float | None) -> None:
        """Wait for input here, sending pending output of all connections meanwhile."""
        with selectors.DefaultSelector() as selector:
            wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._unsent else 0)
            selector.register(self._socket, wanted, self)
            for other in self._neighbours:
                if other._unsent and not other.is_closed:
                    selector.register(other._socket, selectors.EVENT_WRITE, other)
            for key, events in selector.select(seconds):
                if events & selectors.EVENT_WRITE:
                    key.data._flush()
                if events & selectors.EVENT_READ:
                    self._read()

    def _read(self) -> None:
        try:
            block = self._socket.recv(_BLOCK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            block = b""
        self._received += block
        self._ended = not block

    def _flush(self) -> None:
        try:
            while self._unsent:
                sent = self._socket.send(self._unsent)
                del self._unsent[:sent]
        except (BlockingIOError, InterruptedError):
            pass
        except OSError:
            self._unsent.clear()  # disconnected; the next read raises

    def _next_line(self) -> Line | None:
        end = self._received.find(b"\n")
        if end < 0:
            if len(self._received) >= LONGEST_LINE:
                self._dropped = self._dropped or bytes(self._received[:LONGEST_LINE])
                self._received.clear()
            return None
        raw = bytes(self._received[:end])
        del self._received[: end + 1]
        if self._dropped is not None or len(raw) >= LONGEST_LINE:
            raw, self._dropped = self._dropped or raw, None
            return Line(_text(raw), too_long=True)
        return Line(_text(raw.removesuffix(b"\r")))


def listen(host: str, port: int) -> socket.socket:
    """A socket that waits for one connection; port 0 selects any free port."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(1)
            listener.setblocking(False)
        except OSError:
            listener.close()
            raise
    except (OSError, UnicodeError) as error:
        raise DoyleError(f"cannot listen on {host} port {port}: {_reason(error)}") from None
    return listener


def accept(listener: socket.socket, deadline: float | None) -> Connection:
    """The first client that connects before the deadline; else `TimedOut`."""
    with selectors.DefaultSelector() as selector:
        selector.register(listener, selectors.EVENT_READ)
        while True:
            left = None if deadline is None else deadline - monotonic()
            if left is not None and left <= 0:
                raise TimedOut
            if selector.select(left):
                with suppress(OSError):  # it may have gone again
                    return Connection(listener.accept()[0])


def connect(host: str, port: int, *, patience: float) -> Connection:
    """A connection to a dealer, which may take `patience` seconds to listen."""
    deadline = monotonic() + patience
    while True:
        try:
            return Connection(socket.create_connection((host, port), timeout=max(1.0, patience)))
        except ConnectionRefusedError as error:
            if monotonic() >= deadline:
                raise DoyleError(
                    f"{host} port {port}: no dealer listens ({error.strerror})"
                ) from None
            _sleep(min(0.1, patience))
        except (OSError, UnicodeError, OverflowError) as error:
            raise DoyleError(f"{host} port {port}: cannot connect ({_reason(error)})") from None


def _sleep(seconds: float) -> None:
    import time

    time.sleep(seconds)


def _text(raw: bytes) -> str:
    return raw.decode("ascii", "replace")


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
