"""`TableService`: the parts of a server that page and API call, and its players."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from doyle.apps.web.config import ServerConfig
from doyle.apps.web.service.abandoned import AbandonedHands
from doyle.apps.web.service.errors import TooManyError, UnknownAgentError
from doyle.apps.web.service.explanations import Explanations
from doyle.apps.web.service.offers import Offers
from doyle.apps.web.service.play import Play
from doyle.apps.web.service.registry import TableRegistry
from doyle.apps.web.service.tables import LiveTable
from doyle.apps.web.service.tasks import Tasks
from doyle.apps.web.store import PlayerRecord, Store, TableRecord
from doyle.apps.web.thinking.pool import Thinker, ThinkingPool
from doyle.games import Game

PLAYERS_KEPT = 4096


class TableService:
    """The tables of a server. A `thinker` replaces the pool of processes in tests."""

    def __init__(self, store: Store, config: ServerConfig, thinker: Thinker | None = None) -> None:
        self.store = store
        self.config = config
        self.pool = ThinkingPool(config.thinkers)
        self._tasks = tasks = Tasks()
        self._thinker = chosen = thinker or self.pool
        self.offers = Offers(self.pool, tasks)
        self.tables = TableRegistry(store, tasks, loaded=lambda table: self.play.resume(table))
        self.explanations = Explanations(store, chosen, tasks=tasks, registry=self.tables)
        self.play = Play(
            store, chosen, tasks=tasks, registry=self.tables, explanations=self.explanations
        )
        self._abandoned = AbandonedHands(
            store, self.play, registry=self.tables, seconds=config.fold_after
        )
        self._players: OrderedDict[str, PlayerRecord] = OrderedDict()

    async def start(self) -> None:
        """Look which agents are built, and load the first of each game."""
        if self._thinker is self.pool:
            self.offers.start(self.config.agents)
        self._tasks.spawn(self._abandoned.keep_folding())

    async def stop(self) -> None:
        await self._tasks.stop()
        self.pool.close()

    async def create_player(self, name: str) -> tuple[PlayerRecord, str]:
        return await self.store.database.run(self.store.create_player, name)

    async def rename_player(self, player: PlayerRecord, name: str) -> PlayerRecord:
        """Change the name of a player, at its tables too."""
        await self.store.database.run(self.store.rename_player, player.id, name)
        renamed = PlayerRecord(player.id, name)
        for token, known in self._players.items():
            if known.id == player.id:
                self._players[token] = renamed
        self.tables.rename(renamed)
        return renamed

    def knows(self, token: str) -> bool:
        """Whether a token stood for a player lately."""
        return token in self._players

    async def player_of(self, token: str) -> PlayerRecord | None:
        """The player of a token."""
        known = self._players.get(token)
        if known is not None:
            self._players.move_to_end(token)
            return known
        found = await self.store.database.run(self.store.player_of, token)
        if found is not None:
            self._players[token] = found
            if len(self._players) > PLAYERS_KEPT:
                self._players.popitem(last=False)
        return found

    async def create_table(
        self, player: PlayerRecord, *, game: str, agents: Sequence[str], pace: float | None = None
    ) -> LiveTable:
        """A table of a game with agents in the other seats (one agent may take them all).

        Hands that the player has not finished at other tables are folded.
        """
        for agent in agents:
            self.offers.find(agent, game)
        rules = Game.named(game)
        if len(agents) == 1:
            agents = list(agents) * (rules.players - 1)
        if len(agents) != rules.players - 1:
            raise UnknownAgentError(f"{game} needs {rules.players - 1} agents, not {len(agents)}")
        run = self.store.database.run
        if await run(self.store.table_count, player.id) >= self.config.limits.tables_per_player:
            raise TooManyError("table limit reached; continue at an existing table")
        await self._abandoned.fold(player_id=player.id)
        chosen = self.config.pace if pace is None else pace
        record = await run(
            lambda: self.store.create_table(
                player_id=player.id, game=game, seat=0, agents=agents, pace=chosen
            )
        )
        return self.tables.add(record, player)

    async def tables_of(self, player: PlayerRecord) -> list[TableRecord]:
        """The player's tables, newest first."""
        return await self.store.database.run(self.store.tables_of, player.id)
