"""The store's return values: plain values independent of database sessions."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple


class PlayerRecord(NamedTuple):
    """A player."""

    id: str
    name: str


class TableRecord(NamedTuple):
    """A session of one player; `agents` are the texts of the other seats, in order of seats."""

    id: str
    player_id: str
    game: str
    seat: int
    agents: tuple[str, ...]
    pace: float
    created_at: datetime


class SeatRecord(NamedTuple):
    """The player in a position of a hand, and its winnings once the hand is over."""

    position: int
    seat: int
    player_id: str | None
    agent_version_id: int | None
    won: float | None = None
    baseline: float | None = None


class EventRecord(NamedTuple):
    """One action of a hand."""

    position: int
    action: int
    note: str
    at: datetime


class HandRecord(NamedTuple):
    """One hand with everything that is known of it, secrets included."""

    id: int
    number: int
    game: str
    commitment: str
    salt: bytes
    deck: str
    started_at: datetime
    ended_at: datetime | None
    seats: tuple[SeatRecord, ...]
    events: tuple[EventRecord, ...]
    explanation: dict[str, Any] | None
