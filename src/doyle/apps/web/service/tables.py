"""`LiveTable` and `LiveHand`: a table in memory, which is its rows in the database replayed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from doyle.apps.web.dealing import SealedDeck
from doyle.apps.web.store import HandRecord, TableRecord
from doyle.apps.web.thinking.requests import Decision, PlayedHand
from doyle.games import Deal, Game, State


@dataclass
class LiveHand:
    """One hand: its deal and its state. `seat_of[position]` is the seat at the table."""

    id: int
    number: int
    sealed: SealedDeck
    seat_of: tuple[int, ...]
    state: State
    notes: list[str] = field(default_factory=list)
    won: dict[int, float] | None = None
    """Chips by position once the hand is over."""
    explanation: dict[str, Any] | None = None
    baseline: float | None = None
    """Of the player's position."""
    abandoned: bool = False
    """Whether the player has left it: it is folded, or checked if there is no bet to call."""

    @property
    def is_over(self) -> bool:
        return self.state.is_over

    @property
    def deal(self) -> Deal:
        assert self.state.deal is not None
        return self.state.deal

    @property
    def actions(self) -> tuple[int, ...]:
        return tuple(action for round_ in self.state.betting for action in round_)

    def position_of(self, seat: int) -> int:
        return self.seat_of.index(seat)


@dataclass(eq=False)
class LiveTable:
    """A table, its hand, and its observers. `lock` is held while it changes."""

    record: TableRecord
    game: Game
    player_name: str
    agent_names: dict[int, str]
    """By seat."""
    hand: LiveHand | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: set[asyncio.Event] = field(default_factory=set)
    thinking: asyncio.Task[None] | None = None
    explaining: asyncio.Task[None] | None = None
    changes: int = 0
    hands: int = 0
    won: float = 0.0
    baseline: float = 0.0
    baseline_hands: int = 0
    used: float = field(default_factory=monotonic)
    problem: str = ""

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def seat(self) -> int:
        return self.record.seat

    def agent_of(self, seat: int) -> str:
        """The text of the agent in a seat that is not the player's."""
        return self.record.agents[seat - (seat > self.seat)]

    def seats_of(self, number: int) -> tuple[int, ...]:
        """The seat in each position of hand `number`; positions rotate from hand to hand."""
        players = self.game.players
        return tuple((position - number) % players for position in range(players))

    def changed(self) -> None:
        """Wake the observers."""
        self.changes += 1
        self.used = monotonic()
        for watcher in self.watchers:
            watcher.set()

    @contextmanager
    def watching(self) -> Iterator[asyncio.Event]:
        """An event that is set whenever the table has changed, while the block runs."""
        event = asyncio.Event()
        self.watchers.add(event)
        try:
            yield event
        finally:
            self.watchers.discard(event)
            self.used = monotonic()

    @property
    def is_idle(self) -> bool:
        tasks = (self.thinking, self.explaining)
        return not self.watchers and all(task is None or task.done() for task in tasks)

    def replay(self, record: HandRecord) -> LiveHand:
        """A hand from its rows."""
        sealed = SealedDeck(record.salt, record.deck)
        state = State.start(self.game, sealed.deal(self.game))
        for event in record.events:
            state = state.apply(event.action)
        won = {place.position: place.won for place in record.seats if place.won is not None}
        own = next(place for place in record.seats if place.seat == self.seat)
        return LiveHand(
            record.id,
            record.number,
            sealed,
            tuple(place.seat for place in record.seats),
            state,
            [event.note for event in record.events],
            won or None,
            record.explanation,
            own.baseline,
        )

    def decision(self, hand: LiveHand) -> Decision:
        """The view of the agent to act."""
        state = hand.state
        return Decision(
            self.agent_of(hand.seat_of[state.actor]),
            self.record.game,
            state.actor,
            hand.deal.hole[state.actor],
            state.board,
            hand.actions,
            hand.sealed.dice_key(state.actor),
        )

    def played(self, hand: LiveHand) -> PlayedHand:
        """A hand that is over, with everything that was hidden."""
        return PlayedHand(
            self.record.game,
            tuple(None if seat == self.seat else self.agent_of(seat) for seat in hand.seat_of),
            hand.deal.hole,
            hand.deal.board,
            hand.actions,
            tuple(hand.sealed.dice_key(position) for position in range(self.game.players)),
        )
