"""`TableService`: tables, whose turn it is, who may do what. Page and API call nothing else.

An action is in the database before anybody sees it, so a server that is killed goes on where it was. An
agent's action is shown at a multiple of the table's pace after it was asked, so that the time it takes to
think shows at most in whole steps.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TypeVar

from doyle.errors import DoyleError
from doyle.games import CALL, FOLD, Action, Game, State
from doyle.web.config import ServerConfig
from doyle.web.dealing import shuffled
from doyle.web.service.errors import (
    ConflictError,
    IllegalActionError,
    TooManyError,
    UnknownAgentError,
    UnknownHandError,
    UnknownTableError,
)
from doyle.web.service.offers import at_once, may_have_builds, ordered
from doyle.web.service.tables import LiveHand, LiveTable
from doyle.web.store import PlayerRecord, SeatRecord, Store
from doyle.web.store.store import StaleHandError
from doyle.web.thinking.pool import Thinker, ThinkingPool, answered
from doyle.web.thinking.requests import Offer, PlayedHand

logger = logging.getLogger("doyle.web")

Result = TypeVar("Result")

LOOKING_SECONDS = 120.0
TABLES_KEPT = 512
IDLE_SECONDS = 600.0
PLAYERS_KEPT = 4096
MOST_EXPLAINING = 64
"""Hands that wait to be explained; others are explained when somebody asks."""


class TableService:
    """The tables of a server. A `thinker` takes the place of the pool of processes in tests."""

    def __init__(self, store: Store, config: ServerConfig, thinker: Thinker | None = None) -> None:
        self.store = store
        self.config = config
        self.offers: list[Offer] = ordered(at_once())
        self._offering: asyncio.Task[None] | None = None
        self._pool = ThinkingPool(config.thinkers)
        self._thinker: Thinker = thinker or self._pool
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._players: OrderedDict[str, PlayerRecord] = OrderedDict()
        self._versions: dict[tuple[str, str], tuple[int, str]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._explaining = 0

    async def start(self) -> None:
        """Let the processes load the first agent of each game, so that the first hand need not wait."""
        if self._thinker is self._pool:
            if self.config.agents or may_have_builds():
                self._offering = self._spawn(self._look_for_builds())
            self._spawn(self._warm())

    async def _look_for_builds(self) -> None:
        try:
            built = await self._pool.work(
                answered, "offering.built_offers", self.config.agents, seconds=LOOKING_SECONDS
            )
        except DoyleError as error:
            logger.warning("agents: %s", error)
        else:
            self.offers = ordered([*built, *self.offers])

    async def all_offers(self) -> list[Offer]:
        """The offers, once it is known what is built."""
        if self._offering is not None:
            await asyncio.shield(self._offering)
        return self.offers

    async def _warm(self) -> None:
        await self.all_offers()
        for game in dict.fromkeys(offer.game for offer in self.offers):
            first = next(offer for offer in self.offers if offer.game == game)
            with contextlib.suppress(DoyleError):
                await self._pool.warm(first.agent, game)

    async def stop(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._pool.close()

    async def work(
        self, function: Callable[..., Result], *arguments: Any, seconds: float = 60.0
    ) -> Result:
        """Heavy work in a process of its own kind: `function` must be a picklable function."""
        return await self._pool.work(function, *arguments, seconds=seconds)

    def offer(self, agent: str, game: str) -> Offer:
        """The offer of an agent for a game; others cannot be named."""
        for offer in self.offers:
            if (offer.agent, offer.game) == (agent, game):
                return offer
        raise UnknownAgentError(f"agent {agent[:60]!r} is not offered for game {game[:60]!r}")

    # Players

    async def create_player(self, name: str) -> tuple[PlayerRecord, str]:
        return await self.store.database.run(self.store.create_player, name)

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
        """A table of a game with agents in the other seats (one agent may take them all)."""
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
        chosen = self.config.pace if pace is None else pace
        record = await run(
            lambda: self.store.create_table(
                player_id=player.id, game=game, seat=0, agents=agents, pace=chosen
            )
        )
        table = LiveTable(record, rules, player.name, self._names(agents, game))
        self._keep(table)
        return table

    async def table(self, player: PlayerRecord, table_id: str) -> LiveTable:
        """A table of the player, from memory or replayed from the database."""
        table = self._tables.get(table_id)
        if table is None:
            task = self._loading.get(table_id)
            if task is None:
                task = self._spawn(self._load(player, table_id))
                self._loading[table_id] = task
                task.add_done_callback(lambda _: self._loading.pop(table_id, None))
            table = await asyncio.shield(task)
        if table.record.player_id != player.id:
            raise UnknownTableError
        table.used = monotonic()
        if table_id in self._tables:
            self._tables.move_to_end(table_id)
        return table

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

    async def _load(self, player: PlayerRecord, table_id: str) -> LiveTable:
        run = self.store.database.run
        record = await run(self.store.table, table_id)
        if record is None or record.player_id != player.id:
            raise UnknownTableError
        names = self._names(record.agents, record.game)
        table = LiveTable(record, Game.named(record.game), player.name, names)
        totals = await run(self.store.totals, table_id, table.seat)
        table.hands, table.won, table.baseline, table.baseline_hands = totals
        last = await run(self.store.last_hand, table_id)
        if last is not None:
            table.hand = table.replay(last)
        self._keep(table)
        self._continue(table)
        return table

    def _names(self, agents: Sequence[str], game: str) -> dict[int, str]:
        """What the seats from 1 on are called; equal agents are numbered."""
        several = len(agents) > 1 and len(set(agents)) < len(agents)
        return {
            seat: f"{agent} {seat}" if several else agent for seat, agent in enumerate(agents, 1)
        }

    def _keep(self, table: LiveTable) -> None:
        """Remember a table, and let go of those that nobody has used for a while."""
        self._tables[table.id] = table
        long_ago = monotonic() - IDLE_SECONDS
        for other in list(self._tables.values()):
            crowded = len(self._tables) > TABLES_KEPT
            if not crowded and other.used > long_ago:
                break
            if other is not table and other.is_idle:
                del self._tables[other.id]

    # Playing

    async def next_hand(self, table: LiveTable, *, after: int) -> None:
        """Deal the hand after number `after`; nothing happens if it is dealt already."""
        async with table.lock:
            hand = table.hand
            last = 0 if hand is None else hand.number
            if hand is not None and (not hand.is_over or after < last):
                return
            if after != last:
                raise ConflictError(f"the last hand is {last}, not {after}")
            table.problem = ""
            number = last + 1
            sealed = shuffled(table.game)
            seat_of = table.seats_of(number)
            seats = [
                await self._seat_record(table, position, seat)
                for position, seat in enumerate(seat_of)
            ]
            hand_id = await self._written(
                table,
                lambda: self.store.start_hand(
                    table_id=table.id,
                    number=number,
                    game=table.record.game,
                    commitment=sealed.commitment,
                    salt=sealed.salt,
                    deck=sealed.deck,
                    seats=seats,
                ),
            )
            state = State.start(table.game, sealed.deal(table.game))
            table.hand = LiveHand(hand_id, number, sealed, seat_of, state)
            table.changed()
            self._continue(table)

    async def act(self, table: LiveTable, *, hand: int, number: int, action: Action) -> None:
        """The player's action number `number` (counted over all seats from 0) in a hand."""
        async with table.lock:
            live = table.hand
            if live is None or live.number != hand or live.state.action_count != number:
                raise ConflictError("the hand has moved on; look at its state again")
            state = live.state
            if state.is_over or live.seat_of[state.actor] != table.seat:
                raise ConflictError("it is not your turn")
            if not state.is_legal(action):
                raise IllegalActionError(state.describe(action))
            await self._apply(table, live, action)
            self._continue(table)

    async def _apply(
        self, table: LiveTable, hand: LiveHand, action: Action, note: str = ""
    ) -> None:
        """Keep an action, then let it happen."""
        state = hand.state.apply(action)
        won = None
        if state.is_over:
            won = {place: float(chips) for place, chips in enumerate(state.payoffs())}
        number, position = hand.state.action_count, hand.state.actor
        await self._written(
            table,
            lambda: self.store.add_event(
                hand.id, number, position=position, action=action, note=note, won=won
            ),
        )
        hand.state = state
        hand.notes.append(note)
        if won is not None:
            hand.won = won
            table.hands += 1
            table.won += won[hand.position_of(table.seat)]
        table.changed()

    async def _written(self, table: LiveTable, write: Callable[[], Result]) -> Result:
        try:
            return await self.store.database.run(write)
        except StaleHandError:
            # Another server plays this table too: what it wrote holds.
            self._tables.pop(table.id, None)
            table.problem = "this table was changed elsewhere; load it again"
            table.changed()
            raise ConflictError(table.problem) from None

    def _continue(self, table: LiveTable) -> None:
        """Let agents act, or explain themselves when the hand is over."""
        hand = table.hand
        if hand is None:
            return
        if hand.is_over:
            if hand.explanation is None and self._explaining < MOST_EXPLAINING:
                self._start_explaining(table, hand)
        elif hand.seat_of[hand.state.actor] != table.seat and (
            table.thinking is None or table.thinking.done()
        ):
            table.thinking = self._spawn(self._think(table, hand))

    async def _think(self, table: LiveTable, hand: LiveHand) -> None:
        """Ask agents until it is the player's turn or the hand is over."""
        while not hand.is_over and hand.seat_of[hand.state.actor] != table.seat:
            started = monotonic()
            action, note = await self._agent_action(table, hand)
            spent, pace = monotonic() - started, table.record.pace
            await asyncio.sleep(pace * max(1, math.ceil(spent / pace)) - spent)
            async with table.lock:
                try:
                    await self._apply(table, hand, action, note)
                except ConflictError:
                    return
        async with table.lock:
            if hand.is_over:
                self._continue(table)

    async def _agent_action(self, table: LiveTable, hand: LiveHand) -> tuple[Action, str]:
        """What the agent does; one that fails folds, or checks if it can."""

        async def before() -> tuple[PlayedHand, ...]:
            records = await self.store.database.run(
                lambda: self.store.finished_hands(table.id, most=100_000, oldest_first=True)
            )
            return tuple(table.played(table.replay(record)) for record in records)

        state = hand.state
        try:
            decision = table.decision(hand)
            action = await self._thinker.act(decision, table=table.id, before=before)
            return state.nearest_legal(action), ""
        except Exception as error:
            logger.warning("table %s: an agent failed: %s", table.id, type(error).__name__)
            return (FOLD if state.can_fold else CALL), "the agent failed"

    async def _seat_record(self, table: LiveTable, position: int, seat: int) -> SeatRecord:
        if seat == table.seat:
            return SeatRecord(position, seat, table.record.player_id, None)
        return SeatRecord(position, seat, None, await self._version(table, table.agent_of(seat)))

    async def _version(self, table: LiveTable, agent: str) -> int:
        """The version of an agent as it plays now, which loads it."""
        key = (agent, table.record.game)
        if key not in self._versions:
            try:
                info = await self._thinker.prepare(*key)
            except DoyleError as error:
                table.problem = f"{agent} cannot play: {error}"
                table.changed()
                raise UnknownAgentError(table.problem) from None
            number = await self.store.database.run(
                lambda: self.store.agent_version(
                    agent, name=info.name, game=key[1], digest=info.digest
                )
            )
            self._versions[key] = (number, info.name)
        return self._versions[key][0]

    # Afterwards

    def _start_explaining(self, table: LiveTable, hand: LiveHand) -> asyncio.Task[None]:
        task = self._spawn(self._explain(table, hand))
        table.explaining = task
        return task

    async def _explain(self, table: LiveTable, hand: LiveHand) -> None:
        """Have the decisions of a finished hand explained, and its baseline counted."""
        self._explaining += 1
        try:
            position = hand.position_of(table.seat)
            opponent = hand.seat_of[(position + 1) % table.game.players]
            decisions, baseline = await self._thinker.explain(
                table.played(hand), position=position, agent=table.agent_of(opponent)
            )
        except Exception as error:
            logger.warning("table %s: no explanation: %s", table.id, type(error).__name__)
            return
        finally:
            self._explaining -= 1
        explanation = {"decisions": decisions}
        by_position = {} if baseline is None else {position: baseline}
        await self.store.database.run(
            lambda: self.store.explain(hand.id, explanation, baseline=by_position)
        )
        if baseline is not None and hand.baseline is None:
            table.baseline += baseline
            table.baseline_hands += 1
        hand.explanation, hand.baseline = explanation, baseline
        table.changed()

    async def explanation(self, table: LiveTable, number: int) -> dict[str, Any]:
        """Why the agents did what they did in a hand that is over."""
        hand = await self.finished_hand(table, number)
        if hand.explanation is None:
            await asyncio.shield(
                table.explaining
                if table.explaining is not None
                and not table.explaining.done()
                and hand is table.hand
                else self._start_explaining(table, hand)
            )
        if hand.explanation is None:
            raise UnknownHandError
        return {"number": number, "baseline": hand.baseline, **hand.explanation}

    async def finished_hand(self, table: LiveTable, number: int) -> LiveHand:
        """A hand of a table that is over; a hand that goes on does not exist here."""
        if table.hand is not None and table.hand.number == number:
            hand = table.hand
        else:
            record = await self.store.database.run(self.store.hand, table.id, number)
            if record is None:
                raise UnknownHandError
            hand = table.replay(record)
        if not hand.is_over or hand.won is None:
            raise UnknownHandError
        return hand

    async def finished_hands(
        self,
        table: LiveTable,
        *,
        below: int | None = None,
        most: int = 50,
        oldest_first: bool = False,
    ) -> list[LiveHand]:
        records = await self.store.database.run(
            lambda: self.store.finished_hands(
                table.id, below=below, most=most, oldest_first=oldest_first
            )
        )
        return [table.replay(record) for record in records]

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

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        """A task that is kept until it is done, so that it is not collected before."""
        task: asyncio.Task[Any] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
