"""The tables of the database.

A hand is its deal (`Hand`, with its commitment), its seats (`HandSeat`) and an ordered log of
events (`Event`). The state of a hand is never stored: it is the deal with the log replayed. The
winnings of a hand are written to its seats when it is over.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


def now() -> datetime:
    return datetime.now(UTC)


class Base(DeclarativeBase):
    """All tables."""


class Player(Base):
    """A person or a program that plays. The token itself is not stored, only its SHA-256."""

    __tablename__ = "players"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(60))
    token_digest: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(default=now)


class AgentVersion(Base):
    """An agent as it played: its text, the game, and a digest of its strategy where it has one."""

    __tablename__ = "agent_versions"
    __table_args__ = (UniqueConstraint("agent", "game", "digest"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    agent: Mapped[str] = mapped_column(String(300))
    name: Mapped[str] = mapped_column(String(300))
    game: Mapped[str] = mapped_column(String(100))
    digest: Mapped[str] = mapped_column(String(64), default="")
    created_at: Mapped[datetime] = mapped_column(default=now)


class TableRow(Base):
    """A session: one player and agents at a table of one game."""

    __tablename__ = "tables"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"), index=True)
    game: Mapped[str] = mapped_column(String(100))
    seat: Mapped[int]
    """The seat of the player; agents have the others."""
    agents: Mapped[list[str]] = mapped_column(JSON)
    """The texts of the agents, by seat, without the player's."""
    pace: Mapped[float]
    created_at: Mapped[datetime] = mapped_column(default=now)

    hands: Mapped[list[Hand]] = relationship(back_populates="table", order_by="Hand.number")


class Hand(Base):
    """One hand: its deal. Its betting is the log of its events."""

    __tablename__ = "hands"
    __table_args__ = (UniqueConstraint("table_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), index=True)
    number: Mapped[int]
    game: Mapped[str] = mapped_column(String(100))
    commitment: Mapped[str] = mapped_column(String(64))
    salt: Mapped[bytes] = mapped_column(LargeBinary(32))
    deck: Mapped[str] = mapped_column(String(104))
    started_at: Mapped[datetime] = mapped_column(default=now)
    ended_at: Mapped[datetime | None] = mapped_column(default=None, index=True)
    explanation: Mapped[dict[str, Any] | None] = mapped_column(JSON, default=None)
    """The agents' explanations of their decisions, once the hand is over."""

    table: Mapped[TableRow] = relationship(back_populates="hands")
    seats: Mapped[list[HandSeat]] = relationship(order_by="HandSeat.position")
    events: Mapped[list[Event]] = relationship(order_by="Event.number")


class HandSeat(Base):
    """The player in a position of a hand, and its winnings in chips once the hand is over."""

    __tablename__ = "hand_seats"
    __table_args__ = (
        Index("hand_seats_player", "player_id"),
        Index("hand_seats_agent_version", "agent_version_id"),
    )

    hand_id: Mapped[int] = mapped_column(ForeignKey("hands.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    """The position of the game's definition: 0 is the big blind of two players."""
    seat: Mapped[int]
    """The place at the table, which stays the same from hand to hand."""
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id"), default=None)
    agent_version_id: Mapped[int | None] = mapped_column(
        ForeignKey("agent_versions.id"), default=None
    )
    won: Mapped[float | None] = mapped_column(default=None)
    baseline: Mapped[float | None] = mapped_column(default=None)
    """The agent's mean winnings against itself in this position with these cards."""
    corrected: Mapped[float | None] = mapped_column(default=None)
    """The winnings after variance reduction, if computed."""


class Event(Base):
    """One action of a hand, in order: FOLD 0, CALL 1, or the total that is raised to."""

    __tablename__ = "events"

    hand_id: Mapped[int] = mapped_column(ForeignKey("hands.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    position: Mapped[int]
    action: Mapped[int]
    note: Mapped[str] = mapped_column(String(200), default="")
    """The reason for a substitute's action for the seat, if any."""
    at: Mapped[datetime] = mapped_column(default=now)
