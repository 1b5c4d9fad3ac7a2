"""What the store hands out: plain values that belong to no database session."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple


class PlayerRecord(NamedTuple):
    """Somebody who plays."""

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
    """Who had a position of a hand, and what it brought once the hand is over."""

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
