"""The queries of the results pages. Plain functions of a session of the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, func, select, update
from sqlalchemy.orm import Session, aliased

from doyle.apps.web.store.models import AgentVersion, Hand, HandSeat, Player

MOST_HANDS = 200_000
"""The latest hands that a curve is made from."""


class HandResult(NamedTuple):
    """A person's winnings in a hand, in chips; `corrected` and `baseline` if known."""

    won: float
    baseline: float | None
    corrected: float | None


class Standing(NamedTuple):
    """A line of a leaderboard: a name, hands, and the sums by which mean and spread are known."""

    key: str
    name: str
    hands: int
    total: float
    squares: float
    baseline: float | None
    """The sum of the baselines; None unless all are known."""


def results(
    session: Session,
    game: str,
    *,
    player_id: str | None = None,
    agent_version: int | None = None,
) -> list[HandResult]:
    """Persons' winnings in the finished hands of a game, in the order in which they ended."""
    query = (
        select(HandSeat.won, HandSeat.baseline, HandSeat.corrected)
        .join(Hand, Hand.id == HandSeat.hand_id)
        .where(*_finished(game), HandSeat.player_id.is_not(None))
    )
    if player_id is not None:
        query = query.where(HandSeat.player_id == player_id)
    if agent_version is not None:
        other = aliased(HandSeat)
        with_agent = select(other.hand_id).where(other.agent_version_id == agent_version)
        query = query.where(HandSeat.hand_id.in_(with_agent))
    newest = query.order_by(Hand.ended_at.desc(), Hand.id.desc()).limit(MOST_HANDS)
    rows = session.execute(newest)
    return [HandResult(float(won or 0.0), *others) for won, *others in rows][::-1]


def players(session: Session, game: str) -> list[Standing]:
    """The persons who have finished hands of a game."""
    query: Select[Any] = (
        select(Player.id, Player.name, *_sums())
        .join(HandSeat, HandSeat.player_id == Player.id)
        .join(Hand, Hand.id == HandSeat.hand_id)
        .where(*_finished(game))
        .group_by(Player.id, Player.name)
    )
    return [_standing(row) for row in session.execute(query)]


def agents(session: Session, game: str) -> list[Standing]:
    """The versions of agents that have finished hands of a game, with their winnings."""
    query: Select[Any] = (
        select(AgentVersion.id, AgentVersion.name, *_sums(), AgentVersion.digest)
        .join(HandSeat, HandSeat.agent_version_id == AgentVersion.id)
        .join(Hand, Hand.id == HandSeat.hand_id)
        .where(*_finished(game))
        .group_by(AgentVersion.id, AgentVersion.name, AgentVersion.digest)
    )
    found = []
    for row in session.execute(query):
        version = f" · {row[-1][:8]}" if row[-1] else ""
        standing = _standing(row)
        found.append(standing._replace(name=standing.name + version))
    return found


class Uncorrected(NamedTuple):
    """A finished hand of a person without a corrected value, and the strategy it was played against."""

    hand_id: int
    table_id: str
    number: int
    position: int
    digest: str


def uncorrected(session: Session, player_id: str, game: str, *, most: int) -> list[Uncorrected]:
    """Hands of a person against one agent that AIVAT may correct, the oldest first."""
    other = aliased(HandSeat)
    query = (
        select(Hand.id, Hand.table_id, Hand.number, HandSeat.position, AgentVersion.digest)
        .join(HandSeat, HandSeat.hand_id == Hand.id)
        .join(other, (other.hand_id == Hand.id) & (other.position != HandSeat.position))
        .join(AgentVersion, AgentVersion.id == other.agent_version_id)
        .where(*_finished(game), HandSeat.player_id == player_id, HandSeat.corrected.is_(None))
        .order_by(Hand.id)
        .limit(most)
    )
    return [Uncorrected(*row) for row in session.execute(query)]


def keep_corrected(session: Session, hand_id: int, position: int, chips: float) -> None:
    """Save a person's winnings after AIVAT; the agent's are the negative."""
    for place, value in ((position, chips), (1 - position, -chips)):
        session.execute(
            update(HandSeat)
            .where(HandSeat.hand_id == hand_id, HandSeat.position == place)
            .values(corrected=value)
        )


def games_played(session: Session) -> dict[str, int]:
    """How many hands of each game are over."""
    query = (
        select(Hand.game, func.count(Hand.id)).where(Hand.ended_at.is_not(None)).group_by(Hand.game)
    )
    return {str(game): int(count) for game, count in session.execute(query)}


def _finished(game: str) -> tuple[ColumnElement[bool], ...]:
    return Hand.game == game, Hand.ended_at.is_not(None), HandSeat.won.is_not(None)


def _sums() -> tuple[ColumnElement[Any], ...]:
    return (
        func.count(HandSeat.won),
        func.sum(HandSeat.won),
        func.sum(HandSeat.won * HandSeat.won),
        func.sum(HandSeat.baseline),
        func.count(HandSeat.baseline),
    )


def _standing(row: Sequence[Any]) -> Standing:
    key, name, hands, total, squares, baseline, known = row[:7]
    return Standing(
        key=str(key),
        name=str(name),
        hands=int(hands),
        total=float(total or 0.0),
        squares=float(squares or 0.0),
        baseline=float(baseline) if hands and known == hands else None,
    )
