"""A dealer and its clients in one process: the dealer here, each client in a thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from doyle.games import Agent, Game
from doyle.matches import Chance
from doyle.matches.network import (
    Dealer,
    DealtMatch,
    PlayedMatch,
    TimeLimits,
    connect,
    play,
    read_keys,
    ready_agent,
)

Client = Callable[[int], Any]
"""Plays at a port of this machine until its end."""


class Running:
    """A client in a thread; `result` gives what it returned, or raises what it raised."""

    def __init__(self, client: Client, port: int) -> None:
        self._result: Any = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(client, port), daemon=True)
        self._thread.start()

    def _run(self, client: Client, port: int) -> None:
        try:
            self._result = client(port)
        except BaseException as error:
            self._error = error

    def result(self) -> Any:
        self._thread.join(120)
        assert not self._thread.is_alive(), "a client did not end"
        if self._error is not None:
            raise self._error
        return self._result


def our_client(
    agent: str | Agent, game: Game, *, keys: Path | None = None, log: Path | None = None
) -> Client:
    """Our own client, as `doyle acpc play` runs it."""

    def run(port: int) -> PlayedMatch:
        with ready_agent(agent, game, time_limit=60.0) as ready:
            connection = connect("127.0.0.1", port, patience=5.0)
            found = None if keys is None else read_keys(keys)
            try:
                if log is None:
                    return play(ready, game, connection, keys=found)
                with log.open("w", encoding="utf-8", newline="\n") as stream:
                    return play(ready, game, connection, keys=found, log=stream)
            finally:
                connection.close()

    return run


def deal(
    game: Game,
    clients: Sequence[Client],
    *,
    hands: int,
    seed: int = 1,
    log: Path | None = None,
    limits: TimeLimits | None = None,
    chance: Chance | None = None,
    **options: Any,
) -> tuple[DealtMatch, list[Running]]:
    """Deal a match to clients that start in their order."""
    chosen = chance or Chance.repeatable(seed, deals="acpc")
    with Dealer(game, hands=hands, chance=chosen, limits=limits, **options) as dealer:
        running = [
            Running(client, port) for client, port in zip(clients, dealer.ports, strict=True)
        ]
        return dealer.play(log=log), running
