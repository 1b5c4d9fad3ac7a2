"""`Database`: an SQLAlchemy engine with the settings the server needs, used from threads.

SQLite writes ahead to a log (`WAL`), so that readers do not wait for the writer and committed
transactions survive a killed process. Its connections are used by one thread at a time.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InternalError,
    NoSuchModuleError,
    OperationalError,
)
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import StaticPool

from doyle.apps.web.store.models import Base
from doyle.base.errors import DoyleError

Result = TypeVar("Result")

logger = logging.getLogger("doyle.apps.web")

LOG_SECONDS = 60.0
"""Seconds between log lines of a lasting fault."""

_SERVER_THREADS = 8
_DRIVERS = {
    "sqlite": "sqlite",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
}


class UnavailableError(DoyleError):
    """The database cannot be read or written now: its disk is full, it is read-only, or it is
    unreachable.

    The transaction is rolled back. The text is for the caller: it names the database without its
    location on the server.
    """


class Database:
    """The database behind a URL: `sqlite:///FILE`, or `postgresql://USER@HOST/NAME`."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self._shown = _shown(url)
        self._next_line = -math.inf
        self._session = sessionmaker(self.engine, expire_on_commit=False)
        threads = 1 if self.is_sqlite else _SERVER_THREADS
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="database")
        try:
            Base.metadata.create_all(self.engine)
        except (OperationalError, DBAPIError) as error:
            raise DoyleError(f"database {self._shown}: {_reason(error)}") from None

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A transaction: committed at the end of the block, undone if it raises."""
        try:
            with self._session.begin() as session:
                yield session
        except (OperationalError, InternalError) as error:
            raise self._unavailable(error) from None

    async def run(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """`work(*arguments)` in a thread, so that the event loop does not wait for the database."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, work, *arguments)

    def _unavailable(self, error: DBAPIError) -> UnavailableError:
        """The error for the caller, with a log line unless one was written recently."""
        if monotonic() >= self._next_line:
            self._next_line = monotonic() + LOG_SECONDS
            logger.warning("database %s: %s", self._shown, _reason(error))
        name = Path(self.engine.url.database or "in memory").name
        # Messages of a remote server may name hosts and accounts.
        reason = _reason(error) if self.is_sqlite else type(error.orig).__name__
        return UnavailableError(
            f"database {name}: {reason}; nothing was changed, and play continues once the disk of the "
            "server has room and the database can be written"
        )

    def close(self) -> None:
        self._threads.shutdown(wait=True)
        self.engine.dispose()


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        driver = _DRIVERS.get(parsed.drivername, parsed.drivername)
        parsed = parsed.set(drivername=driver)
        options: dict[str, Any] = {"pool_pre_ping": True}
        if parsed.get_backend_name() == "sqlite":
            options = {"connect_args": {"check_same_thread": False, "timeout": 15}}
            if parsed.database in (None, "", ":memory:"):
                options["poolclass"] = StaticPool
            else:
                _make_private(Path(str(parsed.database)))
        engine = create_engine(parsed, hide_parameters=True, **options)  # decks are among them
    except (ArgumentError, NoSuchModuleError) as error:
        raise DoyleError(f"database {_shown(url)}: {_reason(error)}") from None
    except ModuleNotFoundError as error:
        raise DoyleError(
            f"database {_shown(url)}: needs the package {error.name!r}; "
            "pip install 'doyle[postgresql]'"
        ) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _sqlite_settings)
    return engine


def _make_private(path: Path) -> None:
    """Let only the owner read a SQLite file, which holds running decks; its log files follow it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
            with suppress(FileNotFoundError):
                path.with_name(name).chmod(0o600)
    except OSError:
        return  # not ours, or read-only: opening it raises


def _sqlite_settings(connection: Any, _: Any) -> None:
    for setting in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")


def _shown(url: str) -> str:
    """The URL without its password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return repr(url[:80])


def _reason(error: Exception) -> str:
    inner = getattr(error, "orig", None) or error
    return " ".join(str(inner).split())[:300]
