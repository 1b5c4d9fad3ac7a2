"""Persistent data: players, tables, hands as event logs, agent versions. SQLite by default,
PostgreSQL by URL.

`models`    the tables of the database
`records`   the store's return values, plain values independent of database sessions
`database`  the engine: SQLite settings, threads, errors
`store`     `Store`: the reads and writes of the service
"""

from __future__ import annotations

from doyle.apps.web.store.database import Database, UnavailableError
from doyle.apps.web.store.records import HandRecord, PlayerRecord, SeatRecord, TableRecord
from doyle.apps.web.store.store import Store

__all__ = [
    "Database",
    "HandRecord",
    "PlayerRecord",
    "SeatRecord",
    "Store",
    "TableRecord",
    "UnavailableError",
]
