"""The ACPC dealer: a match between clients that connect over TCP, one port for each.

Deals, seats, forfeits, the log and the statistics are those of a match that plays each deal once: the
match plays hand after hand with a `NetworkSeat` for each client. Clients are accepted in the order of
their ports and each names its version; every state is sent to every client, including the last one
of a hand.

Where the reference dealer ends the match without a score (a client disconnects or runs out of time),
`on_failure="end"` does so too; with `"fold"` the missing client forfeits, as agents of a match do, and
the others play on. This is the one deviation from the reference dealer.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from time import monotonic
from typing import Any, TextIO

from doyle.base.errors import DoyleError, FieldError
from doyle.base.workers import Progress
from doyle.games import Agent, Game
from doyle.games.histories import Score, format_score_line
from doyle.games.histories.files import writing
from doyle.matches.apart import AgentFailed
from doyle.matches.chance import Chance
from doyle.matches.log import footer, header, log_name
from doyle.matches.match import LONGEST_TIME_LIMIT, Match, MatchResult, distinct_names
from doyle.matches.network.connections import TimedOut, accept, listen
from doyle.matches.network.deviations import Deviation, Deviations
from doyle.matches.network.keys import keys_of, write_keys
from doyle.matches.network.seat import (
    ClientFailed,
    ConnectedAgent,
    NetworkSeat,
    OnFailure,
    TimeLimits,
)
from doyle.matches.play import Forfeit, Played, play_batch

LOOPBACK = "127.0.0.1"
_SECONDS_TO_READ_THE_END = 5.0


@dataclass(frozen=True)
class DealtMatch:
    """How a match between clients went."""

    names: tuple[str, ...]
    hands: int
    """Hands that were to be played."""
    result: MatchResult | None
    """Estimates over the played hands; None if no hand was played."""
    failure: Forfeit | None
    """The reason that ended the match early; such a match has no score."""
    deviations: Deviations
    address: dict[str, Any] = field(default_factory=dict)
    """The host and the ports at which clients were awaited."""

    @property
    def score(self) -> Score | None:
        """Each player's total, in the order of the ports; None if the match ended early."""
        if self.result is None or self.failure is not None:
            return None
        return Score(self.result.total_chips, self.names)

    def document(self) -> dict[str, Any]:
        """The match as one JSON document."""
        failure, score = self.failure, self.score
        ended = None
        if failure is not None:
            name = self.names[failure.player]
            ended = {"name": name, "hand_number": failure.hand, "reason": failure.reason}
        return {
            **self.address,
            "hands_wanted": self.hands,
            "names": list(self.names),
            "score": None if score is None else [float(total) for total in score.totals],
            "ended": ended,
            **({"hands": 0} if self.result is None else self.result.document()),
            "deviations": self.deviations.document(),
        }


class Dealer:
    """Listens for the clients of one match, then plays it.

    The ports are open from the beginning, so clients may connect before `play` is called.
    """

    def __init__(
        self,
        game: Game,
        *,
        hands: int,
        chance: Chance,
        names: Sequence[str] = (),
        host: str = LOOPBACK,
        ports: Sequence[int] = (),
        limits: TimeLimits | None = None,
        on_failure: OnFailure = "end",
        reconnect: float | None = None,
        key_files: Sequence[Path] = (),
        report: Callable[[Deviation], None] | None = None,
    ) -> None:
        """With `reconnect`, a client that disconnects may come back within so many seconds."""
        players = game.players
        if reconnect is not None and not 0 < reconnect <= LONGEST_TIME_LIMIT:
            raise FieldError(
                "reconnect",
                f"expected seconds above 0 and at most {LONGEST_TIME_LIMIT:g}",
                value=reconnect,
            )
        self._reconnect = reconnect
        self.game = game
        self.host = host
        self.limits = limits or TimeLimits()
        self.names = _checked_names(names, players)
        self._on_failure = on_failure
        self._deviations = Deviations(report)
        wanted = list(ports) or [0] * players
        if len(wanted) != players:
            raise FieldError("ports", f"game {game.name} needs {players} ports, not {len(wanted)}")
        absent: tuple[Agent, ...] = tuple(_Absent(name) for name in self.names)
        self.match = Match(game, absent, hands, chance, False, self.limits.action)
        chance.dealer(game)  # refuses a seed that has no deals, before anybody is waited for
        self._write_keys(key_files)  # any local user who can connect needs to find its key file
        self._stack = ExitStack()
        self._listeners: list[socket.socket] = []
        self.ports: tuple[int, ...]
        """Where the clients connect, in the order of the seats."""
        with self._stack:
            for port in wanted:
                listener = self._stack.enter_context(listen(host, port))
                self._listeners.append(listener)
            self.ports = tuple(listener.getsockname()[1] for listener in self._listeners)
            self._stack = self._stack.pop_all()

    def __enter__(self) -> Dealer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every port and connection."""
        self._stack.close()

    def _write_keys(self, paths: Sequence[Path]) -> None:
        players = self.game.players
        if paths and len(paths) != players:
            raise FieldError("key_files", f"the game needs {players} files, not {len(paths)}")
        for player, path in enumerate(paths):
            dice = self.match.chance.dice(self.game)
            write_keys(path, keys_of(self.game, dice, player=player, hands=self.match.hands))

    def play(self, *, log: Path | None = None, progress: Progress | None = None) -> DealtMatch:
        """Wait for the clients and play the match; the log is whole or, if it was ended, without score."""
        address = {"host": self.host, "ports": list(self.ports)}
        if log is None:
            dealt = self._play(StringIO(), progress)
        else:
            with writing(log) as stream:
                dealt = self._play(stream, progress)
        return replace(dealt, address=address)

    def _play(self, log: TextIO, progress: Progress | None) -> DealtMatch:
        log.write(header(self.match, self.names) + _limit_lines(self.limits, self.match.hands))
        played: list[Played] = []
        missing: tuple[Forfeit, ...] = ()
        failure: Forfeit | None = None
        try:
            seats, forfeits = self._seat_clients()
            match = replace(self.match, agents=tuple(seats))
            missing = tuple(forfeits)
            for batch in match.batches(self.names, size=1):
                hand = play_batch(replace(batch, forfeits=tuple(forfeits)))
                log.write(hand.log)
                played.append(replace(hand, log=""))
                forfeits += hand.forfeits
                if progress is not None:
                    progress("hands", len(played), match.hands)
        except ClientFailed as failed:
            failure = Forfeit(failed.player, failed.hand, failed.reason)
            log.write(
                f"# ended by {self.names[failed.player]} hand {failed.hand}: {failed.reason}\n"
            )
        else:
            self._say_goodbye(seats)
        log.write(footer(self.match))
        result = self.match.result(played) if played else None
        if result is not None:
            result = replace(result, forfeits=missing + result.forfeits)
        dealt = DealtMatch(self.names, self.match.hands, result, failure, self._deviations)
        if dealt.score is not None:
            log.write(format_score_line(dealt.score) + "\n")
        return dealt

    def _seat_clients(self) -> tuple[list[Agent], list[Forfeit]]:
        """Accept the clients in the order of their ports, then read the version of each."""
        deadline = monotonic() + self.limits.start
        seats: list[Agent] = [_Absent(name) for name in self.names]
        forfeits: list[Forfeit] = []
        for player, listener in enumerate(self._listeners):
            try:
                connection = accept(listener, deadline)
            except TimedOut:
                forfeits.append(self._missing(player, "did not connect in time"))
                continue
            self._stack.callback(connection.close)
            seats[player] = NetworkSeat(
                self.names[player],
                connection,
                player=player,
                limits=self.limits,
                deviations=self._deviations,
                on_failure=self._on_failure,
                listener=None if self._reconnect is None else listener,
                reconnect=self._reconnect or 0.0,
            )
        if self._reconnect is None:
            for listener in self._listeners:
                listener.close()
        deadline = max(deadline, monotonic() + self.limits.action)
        clients = [seat.connection for seat in seats if isinstance(seat, NetworkSeat)]
        for player, seat in enumerate(seats):
            if isinstance(seat, NetworkSeat):
                seat.connection.beside(clients)
                try:
                    seat.read_version(deadline)
                except AgentFailed as failed:
                    forfeits.append(self._missing(player, failed.reason))
        return seats, forfeits

    def _missing(self, player: int, reason: str) -> Forfeit:
        if self._on_failure == "end":
            raise ClientFailed(player, 0, reason)
        return Forfeit(player, 0, reason)

    def _say_goodbye(self, seats: Sequence[Agent]) -> None:
        """Let clients that are slow to read have the end of the last hand."""
        deadline = monotonic() + _SECONDS_TO_READ_THE_END
        for seat in seats:
            if isinstance(seat, NetworkSeat):
                seat.connection.drain(deadline)


@dataclass(frozen=True)
class _Absent:
    """Holds the place of a client before it connects."""

    name: str

    def act(self, view: Any) -> int:
        raise AgentFailed("is not connected")


def _checked_names(names: Sequence[str], players: int) -> tuple[str, ...]:
    if not names:
        return tuple(f"player{number + 1}" for number in range(players))
    if len(names) != players:
        raise FieldError("names", f"the game needs {players} names, not {len(names)}")
    return distinct_names([log_name(name) for name in names])


def _limit_lines(limits: TimeLimits, hands: int) -> str:
    """The comment lines of limits that a match without clients does not have, in milliseconds."""
    lines = ""
    if limits.hand is not None:
        lines += f"#--t_hand {round(1000 * limits.hand)}\n"
    if limits.match is not None:
        lines += f"#--t_per_hand {round(1000 * limits.match / hands)}\n"
    return lines


def seat_client(port: int, *, time_limit: float, host: str = LOOPBACK) -> ConnectedAgent:
    """The first client that connects to a port, to play in a match among other agents."""
    limits = TimeLimits(action=time_limit)
    name = f"acpc-{port}"
    with listen(host, port) as listener:
        try:
            connection = accept(listener, monotonic() + limits.start)
        except TimedOut:
            raise DoyleError(
                f"acpc:{port}: no client connected within {limits.start:g} s"
            ) from None
    client = ConnectedAgent(name, connection, limits=limits)
    try:
        client.read_version(monotonic() + limits.action)
    except AgentFailed as failed:
        raise DoyleError(f"acpc:{port}: the client {failed.reason}") from None
    return client
