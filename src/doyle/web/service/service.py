"""`TableService`: tables, players and agents of a server. Page and API call nothing else."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TypeVar

from doyle.games import Action, Game
from doyle.web.config import ServerConfig
from doyle.web.service.abandoned import AbandonedHands
from doyle.web.service.errors import TooManyError, UnknownAgentError
from doyle.web.service.explanations import Explanations
from doyle.web.service.offers import Offers
from doyle.web.service.play import Play
from doyle.web.service.registry import TableRegistry
from doyle.web.service.tables import LiveHand, LiveTable
from doyle.web.service.tasks import Tasks
from doyle.web.store import PlayerRecord, Store
from doyle.web.thinking.pool import Thinker, ThinkingPool
from doyle.web.thinking.requests import Offer

Result = TypeVar("Result")

PLAYERS_KEPT = 4096


class TableService:
    """The tables of a server. A `thinker` takes the place of the pool of processes in tests."""

    def __init__(self, store: Store, config: ServerConfig, thinker: Thinker | None = None) -> None:
        self.store = store
        self.config = config
        self._tasks = tasks = Tasks()
        self._pool = ThinkingPool(config.thinkers)
        self._thinker: Thinker = thinker or self._pool
        self._offers = Offers(self._pool, tasks)
        self._players: OrderedDict[str, PlayerRecord] = OrderedDict()
        self._registry = TableRegistry(store, tasks, loaded=lambda table: self._play.resume(table))
        self._explanations = Explanations(
            store, self._thinker, tasks=tasks, registry=self._registry
        )
        self._play = Play(
            store,
            self._thinker,
            tasks=tasks,
            registry=self._registry,
            explanations=self._explanations,
        )
        self._abandoned = AbandonedHands(
            store, self._play, registry=self._registry, seconds=config.fold_after
        )

    async def start(self) -> None:
        """Look which agents are built, and load the first of each game."""
        if self._thinker is self._pool:
            self._offers.start(self.config.agents)
        self._tasks.spawn(self._abandoned.keep_folding())

    async def stop(self) -> None:
        await self._tasks.stop()
        self._pool.close()

    async def work(
        self, function: Callable[..., Result], *arguments: Any, seconds: float = 60.0
    ) -> Result:
        """Heavy work in a process of its own kind: `function` must be a picklable function."""
        return await self._pool.work(function, *arguments, seconds=seconds)

    # Agents

    @property
    def offers(self) -> list[Offer]:
        """The agents that can be chosen, as far as it is known what is built."""
        return self._offers.known

    async def all_offers(self) -> list[Offer]:
        """The offers, once it is known what is built."""
        return await self._offers.all()

    def offer(self, agent: str, game: str) -> Offer:
        """The offer of an agent for a game; others cannot be named."""
        return self._offers.find(agent, game)

    # Players

    async def create_player(self, name: str) -> tuple[PlayerRecord, str]:
        return await self.store.database.run(self.store.create_player, name)

    async def rename_player(self, player: PlayerRecord, name: str) -> PlayerRecord:
        """Change the name of a player, at its tables too."""
        await self.store.database.run(self.store.rename_player, player.id, name)
        renamed = PlayerRecord(player.id, name)
        for token, known in self._players.items():
            if known.id == player.id:
                self._players[token] = renamed
        self._registry.rename(renamed)
        return renamed

    def knows(self, token: str) -> bool:
        """Whether a token stood for a player lately."""
        return token in self._players

    async def player_of(self, token: str) -> PlayerRecord | None:
        """The player that a token stands for."""
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

    # Tables

    async def create_table(
        self, player: PlayerRecord, *, game: str, agents: Sequence[str], pace: float | None = None
    ) -> LiveTable:
        """A table of a game with agents in the other seats (one agent may take them all).

        Hands that the player has not finished at other tables are folded.
        """
        for agent in agents:
            self.offer(agent, game)
        rules = Game.named(game)
        if len(agents) == 1:
            agents = list(agents) * (rules.players - 1)
        if len(agents) != rules.players - 1:
            raise UnknownAgentError(f"{game} needs {rules.players - 1} agents, not {len(agents)}")
        run = self.store.database.run
        if await run(self.store.table_count, player.id) >= self.config.limits.tables_per_player:
            raise TooManyError("this player has too many tables; go on at one of them")
        await self._abandoned.fold(player_id=player.id)
        chosen = self.config.pace if pace is None else pace
        record = await run(
            lambda: self.store.create_table(
                player_id=player.id, game=game, seat=0, agents=agents, pace=chosen
            )
        )
        return self._registry.add(record, player)

    async def table(self, player: PlayerRecord, table_id: str) -> LiveTable:
        """A table of the player, from memory or replayed from the database."""
        return await self._registry.find(player, table_id)

    async def tables(self, player: PlayerRecord) -> list[dict[str, Any]]:
        """The player's tables, newest first."""
        records = await self.store.database.run(self.store.tables_of, player.id)
        return [
            {
                "table": record.id,
                "game": record.game,
                "agents": list(record.agents),
                "created_at": record.created_at.isoformat(),
            }
            for record in records
        ]

    @property
    def tables_in_memory(self) -> int:
        return len(self._registry)

    # Hands

    async def next_hand(self, table: LiveTable, *, after: int) -> None:
        """Deal the hand after number `after`; nothing happens if it is dealt already."""
        await self._play.next_hand(table, after=after)

    async def act(self, table: LiveTable, *, hand: int, number: int, action: Action) -> None:
        """The player's action number `number` (counted over all seats from 0) in a hand."""
        await self._play.act(table, hand=hand, number=number, action=action)

    async def explanation(self, table: LiveTable, number: int) -> dict[str, Any]:
        """Why the agents did what they did in a hand that is over."""
        return await self._explanations.of(table, number)

    async def finished_hand(self, table: LiveTable, number: int) -> LiveHand:
        """A hand of a table that is over; a hand that is being played does not exist here."""
        return await self._explanations.finished_hand(table, number)

    async def finished_hands(
        self,
        table: LiveTable,
        *,
        below: int | None = None,
        most: int = 50,
        oldest_first: bool = False,
    ) -> list[LiveHand]:
        return await self._registry.finished_hands(
            table, below=below, most=most, oldest_first=oldest_first
        )

    @asynccontextmanager
    async def watching(self, table: LiveTable) -> AsyncIterator[asyncio.Event]:
        """An event that is set whenever the table has changed, while the block runs."""
        event = asyncio.Event()
        table.watchers.add(event)
        try:
            yield event
        finally:
            table.watchers.discard(event)
            table.used = monotonic()
