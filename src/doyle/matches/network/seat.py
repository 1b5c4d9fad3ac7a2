"""A network seat: a client on the other side of a connection, as an agent of a match.

It is shown every state as the protocol's line and must answer at its own. Lines that do not answer
a state are ignored; each but a comment counts against its clock with the time since the state was
sent, as at the reference dealer. A client that disconnects or runs out of time fails.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal

import numpy as np

from doyle.base.errors import FieldError
from doyle.games import Action, Deal, Game, State, View
from doyle.games.histories import MatchState, format_matchstate
from doyle.matches.apart import AgentFailed
from doyle.matches.match import DEFAULT_TIME_LIMIT, LONGEST_TIME_LIMIT
from doyle.matches.network.connections import Connection, Disconnected, Line, TimedOut, accept
from doyle.matches.network.deviations import Deviations
from doyle.matches.network.protocol import is_comment, is_our_version, read_answer, read_version
from doyle.matches.play import MatchEnded, WatchingAgent

OnFailure = Literal["end", "fold"]
_NO_ACTION: Any = None


@dataclass(frozen=True)
class TimeLimits:
    """Seconds a client may take; None for no limit."""

    action: float = DEFAULT_TIME_LIMIT
    hand: float | None = None
    match: float | None = None
    start: float = 600.0
    """For all clients together to connect and to name their version."""

    def __post_init__(self) -> None:
        for field in ("action", "hand", "match", "start"):
            seconds = getattr(self, field)
            if seconds is not None and not 0 < seconds <= LONGEST_TIME_LIMIT:
                raise FieldError(
                    f"timeout_{field}",
                    f"expected seconds above 0 and at most {LONGEST_TIME_LIMIT:g}",
                    value=seconds,
                )


class ClientFailed(MatchEnded):
    """A client failed where that ends the match."""

    def __init__(self, player: int, hand: int, reason: str) -> None:
        super().__init__(reason)
        self.player = player
        self.hand = hand
        self.reason = reason


class NetworkSeat(WatchingAgent):
    """A connected client."""

    def __init__(
        self,
        name: str,
        connection: Connection,
        *,
        player: int = 0,
        limits: TimeLimits | None = None,
        deviations: Deviations | None = None,
        on_failure: OnFailure = "fold",
        listener: socket.socket | None = None,
        reconnect: float = 0.0,
    ) -> None:
        """With a listener the client may come back within `reconnect` seconds, once in a hand."""
        self.name = name
        self.connection = connection
        self.deviations = deviations or Deviations()
        self._player = player
        self._limits = limits or TimeLimits()
        self._on_failure = on_failure
        self._hand = 0
        self._used_in_hand = self._used = 0.0
        self._asked: MatchState | None = None
        self._line = ""
        self._sent = 0.0
        self._listener = listener
        self._reconnect = reconnect
        self._came_back: int | None = None

    def read_version(self, deadline: float) -> None:
        """Read the client's first line; it fails if that names no version."""
        try:
            line = self.connection.receive(deadline)
        except TimedOut:
            raise self._failed("named no version in time") from None
        except Disconnected as end:
            raise self._left(end) from None
        version = read_version(line.text)
        if version is None or line.too_long:
            raise self._failed("its first line names no version")
        self._note_form(line, hand=None)
        if not is_our_version(version):
            self.deviations.add(self.name, None, "version", line.text)

    def watch(self, view: View, *, hand: int) -> None:
        """Send the state as this seat sees it."""
        if hand != self._hand:
            self._hand, self._used_in_hand = hand, 0.0
        seat, state = view.seat, view.state
        match_state = MatchState(seat, hand, _with_own_cards(view))
        self._line = format_matchstate(match_state)
        self.connection.send(self._line)
        if state.actor == seat:
            self._asked, self._sent = match_state, monotonic()

    def act(self, view: View) -> Action:
        """The client's answer; an unreadable one is no action, which a match replaces by a call."""
        asked = self._asked
        assert asked is not None
        while True:
            text = self._next_text()
            answer = read_answer(text, asked=asked, line=self._line)
            if answer is None:
                kind = "unrequested" if text.startswith("MATCHSTATE:") else "unreadable"
                self._note(kind, text)
                continue
            if not answer.is_exact:
                self._note("echo", text)
            if answer.action is None:
                self._note("action", answer.rest or "nothing follows the state")
                return _NO_ACTION  # type: ignore[no-any-return]
            if answer.rest:
                self._note("rest", answer.rest)
            if not view.state.is_legal(answer.action):
                self._note("illegal", view.state.describe(answer.action))
            return answer.action

    def _next_text(self) -> str:
        """The next line that is no comment, counted against the clock."""
        while True:
            try:
                line = self.connection.receive(self._sent + self._left_seconds()[0])
            except TimedOut:
                raise self._out_of_time() from None
            except Disconnected as end:
                self._wait_for_return(end)
                continue
            if is_comment(line.text):
                if monotonic() - self._sent > self._left_seconds()[0]:
                    raise self._out_of_time()
                continue
            self._count_time()
            self._note_form(line, hand=self._hand)
            if not line.too_long:
                return line.text

    def _count_time(self) -> None:
        elapsed = monotonic() - self._sent
        if elapsed > self._left_seconds()[0]:
            raise self._out_of_time()
        self._used_in_hand += elapsed
        self._used += elapsed

    def _left_seconds(self) -> tuple[float, str]:
        """Seconds left to the nearest limit since the state was sent, and the name of that
        limit."""
        limits = self._limits
        left = [(limits.action, f"took longer than {limits.action:g} s")]
        if limits.hand is not None:
            say = f"took longer than {limits.hand:g} s in a hand"
            left.append((limits.hand - self._used_in_hand, say))
        if limits.match is not None:
            say = f"took longer than {limits.match:g} s in the match"
            left.append((limits.match - self._used, say))
        return min(left)

    def _out_of_time(self) -> Exception:
        return self._failed(self._left_seconds()[1])

    def _left(self, end: Disconnected, reason: str = "disconnected") -> Exception:
        if end.half:
            self._note("half-line", end.half.decode("ascii", "replace"))
        return self._failed(reason)

    def _wait_for_return(self, end: Disconnected) -> None:
        """Send the pending state again to a client that reconnects; its clock restarts."""
        if self._listener is None or self._came_back == self._hand:
            raise self._left(end)
        deadline = monotonic() + self._reconnect
        while True:
            try:
                connection = accept(self._listener, deadline)
            except TimedOut:
                reason = f"disconnected and was not back within {self._reconnect:g} s"
                raise self._left(end, reason) from None
            try:
                line = connection.receive(min(deadline, monotonic() + self._limits.action))
            except (TimedOut, Disconnected):
                connection.close()
                continue
            if read_version(line.text) is not None and not line.too_long:
                break
            connection.close()
        self.connection.take_over(connection)
        self._came_back = self._hand
        self._note("reconnect", end.half.decode("ascii", "replace"))
        self.connection.send(self._line)
        self._sent = monotonic()

    def _failed(self, reason: str) -> Exception:
        self.connection.close()
        if self._on_failure == "end":
            return ClientFailed(self._player, self._hand, reason)
        return AgentFailed(reason)

    def _note_form(self, line: Line, *, hand: int | None) -> None:
        if line.too_long:
            self.deviations.add(self.name, hand, "too-long", line.text)

    def _note(self, kind: str, detail: str) -> None:
        self.deviations.add(self.name, self._hand, kind, detail)


class ConnectedAgent(NetworkSeat):
    """A client that plays in a match among other agents: always in order, over one connection."""

    def start(self, game: Game, rng: np.random.Generator) -> None:
        """A client keeps its own memory; the connection stays."""

    def hand_over(self, view: View) -> None:
        """The client has been shown the last state."""


def _with_own_cards(view: View) -> State:
    """The state of a view, with the hole cards of the seat that sees it."""
    state = view.state
    shown: Sequence[tuple[int, ...]] = () if state.deal is None else state.deal.hole
    hole = tuple(view.hole if other == view.seat else cards for other, cards in enumerate(shown))
    return state.with_deal(Deal(hole, view.board))
