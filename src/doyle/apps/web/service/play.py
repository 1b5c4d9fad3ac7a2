"""`Play`: hands are dealt, players and agents act.

An action is stored before it is shown, so a killed server resumes where it was. An
agent's action is shown at a multiple of the table's pace after the request, so that its computing
time is visible at most in whole steps.
"""

from __future__ import annotations

import asyncio
import logging
import math
from time import monotonic

from doyle.apps.web.dealing import shuffled
from doyle.apps.web.service.errors import ConflictError, IllegalActionError, UnknownAgentError
from doyle.apps.web.service.explanations import Explanations
from doyle.apps.web.service.registry import TableRegistry
from doyle.apps.web.service.tables import LiveHand, LiveTable
from doyle.apps.web.service.tasks import Tasks
from doyle.apps.web.store import SeatRecord, Store, UnavailableError
from doyle.apps.web.thinking.pool import Thinker
from doyle.base.errors import DoyleError
from doyle.games import CALL, FOLD, Action, State

logger = logging.getLogger("doyle.apps.web")

RETRY_SECONDS = 2.0
"""An agent's action that could not be kept is tried again after so long."""


class Play:
    """Deals hands and lets the agents of a table act."""

    def __init__(
        self,
        store: Store,
        thinker: Thinker,
        *,
        tasks: Tasks,
        registry: TableRegistry,
        explanations: Explanations,
    ) -> None:
        self._store = store
        self._thinker = thinker
        self._tasks = tasks
        self._registry = registry
        self._explanations = explanations
        self._versions: dict[tuple[str, str], int] = {}

    async def next_hand(self, table: LiveTable, *, after: int) -> None:
        """Deal the hand after number `after`; no effect if it is dealt already."""
        async with table.lock:
            hand = table.hand
            last = 0 if hand is None else hand.number
            if hand is not None and (not hand.is_over or after < last):
                return
            if after != last:
                raise ConflictError(f"the last hand is {last}, not {after}")
            number = last + 1
            sealed = shuffled(table.game)
            seat_of = table.seats_of(number)
            seats = [
                await self._seat_record(table, position, seat)
                for position, seat in enumerate(seat_of)
            ]
            hand_id = await self._registry.write(
                table,
                lambda: self._store.start_hand(
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
            self.resume(table)

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
            self.resume(table)

    async def abandon(self, table: LiveTable) -> None:
        """Fold the hand of a player who has left, now or once it is the player's turn."""
        async with table.lock:
            hand = table.hand
            if hand is None or hand.is_over:
                return
            hand.abandoned = True
            await self._play_abandoned(table, hand)
            self.resume(table)

    async def _play_abandoned(self, table: LiveTable, hand: LiveHand) -> None:
        """Fold for the player to act; check if there is no bet."""
        while not hand.is_over and hand.seat_of[hand.state.actor] == table.seat:
            action = FOLD if hand.state.can_fold else CALL
            await self._apply(table, hand, action, note="the player left")

    def resume(self, table: LiveTable) -> None:
        """Let agents act, or explain themselves when the hand is over."""
        hand = table.hand
        if hand is None:
            return
        if hand.is_over:
            self._explanations.begin(table, hand)
        elif hand.seat_of[hand.state.actor] != table.seat and (
            table.thinking is None or table.thinking.done()
        ):
            table.thinking = self._tasks.spawn(self._think(table, hand))

    async def _apply(
        self, table: LiveTable, hand: LiveHand, action: Action, note: str = ""
    ) -> None:
        """Keep an action, then let it happen."""
        state = hand.state.apply(action)
        won = None
        if state.is_over:
            won = {place: float(chips) for place, chips in enumerate(state.payoffs())}
        number, position = hand.state.action_count, hand.state.actor
        await self._registry.write(
            table,
            lambda: self._store.add_event(
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

    async def _think(self, table: LiveTable, hand: LiveHand) -> None:
        """Query agents until it is the player's turn or the hand is over."""
        answer: tuple[Action, str] | None = None
        while not hand.is_over and hand.seat_of[hand.state.actor] != table.seat:
            try:
                if answer is None:
                    answer = await self._paced_answer(table, hand)
                async with table.lock:
                    await self._apply(table, hand, *answer)
                    answer = None
                    if hand.abandoned:
                        await self._play_abandoned(table, hand)
            except ConflictError:
                return
            except UnavailableError:
                await asyncio.sleep(RETRY_SECONDS)
        async with table.lock:
            if hand.is_over:
                self.resume(table)

    async def _paced_answer(self, table: LiveTable, hand: LiveHand) -> tuple[Action, str]:
        """The agent's action, at a multiple of the pace after the request."""
        started = monotonic()
        answer = await self._agent_action(table, hand)
        spent, pace = monotonic() - started, table.record.pace
        await asyncio.sleep(pace * max(1, math.ceil(spent / pace)) - spent)
        return answer

    async def _agent_action(self, table: LiveTable, hand: LiveHand) -> tuple[Action, str]:
        """The agent's action; an agent that fails checks if legal, else folds."""
        state = hand.state
        try:
            action = await self._thinker.act(
                table.decision(hand), table=table.id, before=self._registry.before(table, hand)
            )
            return state.nearest_legal(action), ""
        except UnavailableError:
            raise  # the hands before could not be read, which is no fault of the agent
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
            self._versions[key] = await self._store.database.run(
                lambda: self._store.agent_version(
                    agent, name=info.name, game=key[1], digest=info.digest
                )
            )
        return self._versions[key]
