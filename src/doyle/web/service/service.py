"""`TableService`: the tables of a server."""

from __future__ import annotations

from doyle.web.config import ServerConfig
from doyle.web.store import Store


class TableService:
    """The tables of a server."""

    def __init__(self, store: Store, config: ServerConfig) -> None:
        self.store = store
        self.config = config

    async def start(self) -> None:
        """Start the processes in which agents think."""

    async def stop(self) -> None:
        """End them."""
