"""`Store`: the reads and writes of the service, each call one transaction.

All calls are plain functions for a thread of the database (`Database.run`).
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, selectinload

from doyle.apps.web.store.database import Database
from doyle.apps.web.store.models import AgentVersion, Event, Hand, HandSeat, Player, TableRow, now
from doyle.apps.web.store.records import (
    EventRecord,
    HandRecord,
    PlayerRecord,
    SeatRecord,
    TableRecord,
)


class StaleHandError(Exception):
    """Another writer has changed this hand meanwhile: another server on the same database."""


class Store:
    """The reads and writes of the service."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def create_player(self, name: str) -> tuple[PlayerRecord, str]:
        """A new player and its token, which is not stored."""
        token = secrets.token_urlsafe(32)
        player = Player(id=secrets.token_hex(16), name=name, token_digest=_digest(token))
        with self.database.session() as session:
            session.add(player)
        return PlayerRecord(player.id, player.name), token

    def player_of(self, token: str) -> PlayerRecord | None:
        """The player of a token."""
        with self.database.session() as session:
            found = session.scalar(select(Player).where(Player.token_digest == _digest(token)))
            return None if found is None else PlayerRecord(found.id, found.name)

    def rename_player(self, player_id: str, name: str) -> None:
        with self.database.session() as session:
            player = session.get(Player, player_id)
            if player is not None:
                player.name = name

    def agent_version(self, agent: str, *, name: str, game: str, digest: str) -> int:
        """The number of an agent as it plays now, which is new if its strategy has changed."""
        key = (AgentVersion.agent == agent, AgentVersion.game == game)
        query = select(AgentVersion.id).where(*key, AgentVersion.digest == digest)
        with self.database.session() as session:
            known = session.scalar(query)
            if known is not None:
                return known
        version = AgentVersion(agent=agent, name=name, game=game, digest=digest)
        try:
            with self.database.session() as session:
                session.add(version)
                session.flush()
                return version.id
        except IntegrityError:  # another server was faster
            with self.database.session() as session:
                return session.scalars(query).one()

    def create_table(
        self, *, player_id: str, game: str, seat: int, agents: Sequence[str], pace: float
    ) -> TableRecord:
        row = TableRow(
            id=secrets.token_hex(16),
            player_id=player_id,
            game=game,
            seat=seat,
            agents=list(agents),
            pace=pace,
        )
        with self.database.session() as session:
            session.add(row)
        return _table(row)

    def table(self, table_id: str) -> TableRecord | None:
        with self.database.session() as session:
            row = session.get(TableRow, table_id)
            return None if row is None else _table(row)

    def tables_of(self, player_id: str, *, most: int = 100) -> list[TableRecord]:
        """The player's tables, newest first."""
        query = (
            select(TableRow)
            .where(TableRow.player_id == player_id)
            .order_by(TableRow.created_at.desc(), TableRow.id)
            .limit(most)
        )
        with self.database.session() as session:
            return [_table(row) for row in session.scalars(query)]

    def table_count(self, player_id: str) -> int:
        query = select(func.count()).select_from(TableRow).where(TableRow.player_id == player_id)
        with self.database.session() as session:
            return session.scalar(query) or 0

    def start_hand(
        self,
        *,
        table_id: str,
        number: int,
        game: str,
        commitment: str,
        salt: bytes,
        deck: str,
        seats: Sequence[SeatRecord],
    ) -> int:
        """Store a deal; return the number of the hand in the database."""
        hand = Hand(
            table_id=table_id, number=number, game=game, commitment=commitment, salt=salt, deck=deck
        )
        hand.seats = [
            HandSeat(
                position=place.position,
                seat=place.seat,
                player_id=place.player_id,
                agent_version_id=place.agent_version_id,
            )
            for place in seats
        ]
        with _own(self.database) as session:
            session.add(hand)
            session.flush()
            return hand.id

    def add_event(
        self,
        hand_id: int,
        number: int,
        *,
        position: int,
        action: int,
        note: str = "",
        won: Mapping[int, float] | None = None,
    ) -> None:
        """Store an action, and the winnings by position if it ends the hand."""
        with _own(self.database) as session:
            values = {"position": position, "action": action, "note": note}
            session.execute(insert(Event).values(hand_id=hand_id, number=number, **values))
            if won is None:
                return
            session.execute(update(Hand).where(Hand.id == hand_id).values(ended_at=now()))
            for place, chips in won.items():
                _set_seat(session, hand_id, place, won=chips)

    def explain(
        self, hand_id: int, explanation: dict[str, Any], *, baseline: Mapping[int, float]
    ) -> None:
        """Store the agents' explanations, and baselines by position."""
        with self.database.session() as session:
            kept = update(Hand).where(Hand.id == hand_id).values(explanation=explanation)
            session.execute(kept)
            for place, chips in baseline.items():
                _set_seat(session, hand_id, place, baseline=chips)

    def hand(self, table_id: str, number: int) -> HandRecord | None:
        with self.database.session() as session:
            found = session.scalar(_hands().where(Hand.table_id == table_id, Hand.number == number))
            return None if found is None else _hand(found)

    def last_hand(self, table_id: str) -> HandRecord | None:
        query = _hands().where(Hand.table_id == table_id).order_by(Hand.number.desc()).limit(1)
        with self.database.session() as session:
            found = session.scalar(query)
            return None if found is None else _hand(found)

    def unfinished_tables(
        self, *, idle_since: datetime | None = None, player_id: str | None = None
    ) -> list[tuple[TableRecord, PlayerRecord]]:
        """Tables with a hand that is not over: without an action since a time, of one player."""
        last = select(func.max(Event.at)).where(Event.hand_id == Hand.id).scalar_subquery()
        query = (
            select(TableRow, Player)
            .join(Hand, Hand.table_id == TableRow.id)
            .join(Player, Player.id == TableRow.player_id)
            .where(Hand.ended_at.is_(None))
        )
        if idle_since is not None:
            query = query.where(func.coalesce(last, Hand.started_at) < idle_since)
        if player_id is not None:
            query = query.where(TableRow.player_id == player_id)
        with self.database.session() as session:
            return [
                (_table(row), PlayerRecord(player.id, player.name))
                for row, player in session.execute(query)
            ]

    def finished_hands(
        self, table_id: str, *, below: int | None = None, most: int = 50, oldest_first: bool = False
    ) -> list[HandRecord]:
        """Hands of a table that are over, newest first, with numbers below `below`."""
        query = _hands().where(Hand.table_id == table_id, Hand.ended_at.is_not(None))
        if below is not None:
            query = query.where(Hand.number < below)
        order = Hand.number if oldest_first else Hand.number.desc()
        with self.database.session() as session:
            return [_hand(hand) for hand in session.scalars(query.order_by(order).limit(most))]

    def totals(self, table_id: str, seat: int) -> tuple[int, float, float, int]:
        """Hands that are over, chips won by a seat, its baseline, and the hands that have one."""
        query = (
            select(
                func.count(),
                func.coalesce(func.sum(HandSeat.won), 0.0),
                func.coalesce(func.sum(HandSeat.baseline), 0.0),
                func.count(HandSeat.baseline),
            )
            .join(Hand, Hand.id == HandSeat.hand_id)
            .where(Hand.table_id == table_id, HandSeat.seat == seat, Hand.ended_at.is_not(None))
        )
        with self.database.session() as session:
            hands, won, baseline, counted = session.execute(query).one()
            return int(hands), float(won or 0), float(baseline or 0), int(counted)


class _own:  # noqa: N801  (a context manager, used as a function)
    """A transaction whose conflicts with another writer raise `StaleHandError`."""

    def __init__(self, database: Database) -> None:
        self._context = database.session()

    def __enter__(self) -> Session:
        return self._context.__enter__()

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        try:
            self._context.__exit__(kind, value, traceback)
        except IntegrityError as error:
            raise StaleHandError from error


def _set_seat(session: Session, hand_id: int, position: int, **values: float) -> None:
    where = (HandSeat.hand_id == hand_id, HandSeat.position == position)
    session.execute(update(HandSeat).where(*where).values(**values))


def _hands() -> Any:
    return select(Hand).options(selectinload(Hand.seats), selectinload(Hand.events))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _table(row: TableRow) -> TableRecord:
    return TableRecord(
        row.id, row.player_id, row.game, row.seat, tuple(row.agents), row.pace, row.created_at
    )


def _hand(hand: Hand) -> HandRecord:
    return HandRecord(
        hand.id,
        hand.number,
        hand.game,
        hand.commitment,
        hand.salt,
        hand.deck,
        hand.started_at,
        hand.ended_at,
        tuple(
            SeatRecord(p.position, p.seat, p.player_id, p.agent_version_id, p.won, p.baseline)
            for p in hand.seats
        ),
        tuple(EventRecord(e.position, e.action, e.note, e.at) for e in hand.events),
        hand.explanation,
    )
