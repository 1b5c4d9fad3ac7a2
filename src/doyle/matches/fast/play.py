"""A batch of deals played by kernels: the same hands as `doyle.matches.play.play_batch` plays.

Every deal is walked along the plan of its seating. Where a hand depends on more than a plan holds (a
defence that looks at all hands, a plan that is full), that hand is played through `act` as in any match.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from doyle.cards import evaluate
from doyle.games import Agent, Game, State
from doyle.games.payoffs import best_rank
from doyle.histories import Hand, format_state_line
from doyle.matches.dealing import Deals, as_deal
from doyle.matches.fast import _play_kernels as kernels
from doyle.matches.fast.dice import hand_keys
from doyle.matches.fast.plan import MOST_NODES, Plan
from doyle.matches.fast.players import (
    NO_TABLE,
    FastPlayer,
    PlainOnly,
    StrategyPlayer,
    ValuePlayer,
    fast_player,
)
from doyle.matches.play import Batch, HandRunner, Played, chip_unit, seatings
from doyle.matches.results.rows import HandRows
from doyle.matches.seats import resolved_agent

MOST_ASKED = 0.1
LEAST_ASKED = 64
"""If more than this share of a batch, and as many hands, must be asked one by one, all are."""


@dataclass(frozen=True, eq=False)
class FastPair:
    """Two agents, and the players that act as they do."""

    game: Game
    agents: tuple[Agent, Agent]
    players: tuple[FastPlayer, FastPlayer]

    @classmethod
    def of(cls, game: Game, agents: Sequence[Agent]) -> FastPair:
        """The pair of two agents; `PlainOnly` if their matches are played hand by hand."""
        if game.players != 2:
            raise PlainOnly(f"{game.name} has {game.players} players")
        if game.rounds > kernels.MOST_ROUNDS or game.hole_cards > 2:
            raise PlainOnly(f"{game.name} has too many rounds or hole cards")
        first = fast_player(agents[0])
        second = first if agents[1] is agents[0] else fast_player(agents[1])
        return cls(game, (agents[0], agents[1]), (first, second))

    def runner(self, *, most_nodes: int = MOST_NODES) -> FastRunner:
        """Who plays a match of this pair."""
        orders = seatings(2)
        plans = [
            Plan(self.game, (self.players[a], self.players[b]), most_nodes=most_nodes)
            for a, b in orders
        ]
        return FastRunner(self, plans)


@dataclass(eq=False)
class _Dealt:
    """What both seatings read of a block of deals."""

    pair: FastPair
    deals: Deals

    @cached_property
    def buckets(self) -> list[npt.NDArray[np.int32]]:
        """By player: int32[deals, seats, rounds]."""
        game, players = self.pair.game, self.pair.players
        none = np.zeros((1, 2, game.rounds), np.int32)
        found = [
            player.buckets(game, self.deals) if isinstance(player, StrategyPlayer) else none
            for player in players[: 1 if players[0] is players[1] else 2]
        ]
        return [found[0], found[-1]]

    @cached_property
    def equities(self) -> npt.NDArray[np.float64]:
        """float64[deals, seats, rounds], the same for whoever asks for them."""
        for player in self.pair.players:
            if isinstance(player, ValuePlayer):
                return player.equities(self.pair.game, self.deals)
        return np.zeros((1, 2, self.pair.game.rounds))

    @cached_property
    def order(self) -> npt.NDArray[np.int8]:
        """By deal: 1 if the hand of seat 0 is better, -1 if that of seat 1 is, 0 if they are equal."""
        game, deals = self.pair.game, self.deals
        size = game.hole_cards
        board = deals[:, 2 * size :]
        hands = [
            np.concatenate([deals[:, seat * size : (seat + 1) * size], board], axis=1)
            for seat in range(2)
        ]
        ranks = [_ranks(cards) for cards in hands]
        return np.asarray(np.sign(ranks[0] - ranks[1]), np.int8)


@dataclass(eq=False)
class FastRunner:
    """Plays batches of one match; threads may share it."""

    pair: FastPair
    plans: list[Plan]
    plain_hands: int = 0
    """Hands that were played through `act`."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def play(self, batch: Batch) -> Played:
        """Play each deal of the batch in its seatings; `PlainOnly` if an agent fails in one."""
        dealt = _Dealt(self.pair, batch.deals)
        orders = seatings(2)
        parts, lines = [], dict[int, str]()
        for seating in range(len(orders)):
            rows = _rows_of(batch, seating)
            if len(rows):
                parts.append(self._play_seating(batch, dealt, seating, rows, lines))
        joined = HandRows.joined(parts)
        hands = joined.selected(np.lexsort((joined.seating, joined.deal)))
        units = hands.units(2, first_deal=batch.first_deal, deals=len(batch.deals), order=orders)
        return Played(
            units=units,
            illegal_actions=(0, 0),
            forfeits=(),
            log="".join(lines[number] for number in sorted(lines)),
            hands=hands if batch.keep_hands else None,
            plain_because=None,
        )

    def _play_seating(
        self,
        batch: Batch,
        dealt: _Dealt,
        seating: int,
        rows: npt.NDArray[np.int64],
        lines: dict[int, str],
    ) -> HandRows:
        plan = self.plans[seating]
        ends = self._walk(plan, self._seats(batch, dealt, seating), rows, len(batch.deals))
        reached, which = np.unique(ends[rows], return_inverse=True)
        states = [plan.nodes[node].state if node >= 0 else None for node in reached.tolist()]
        won, actions, showdown = _outcomes(states, which, dealt.order[rows])
        whole = np.array([state is not None and state.actor < 0 for state in states])
        asked = np.flatnonzero(~whole[which])
        if len(asked) > max(LEAST_ASKED, MOST_ASKED * len(rows)):
            raise PlainOnly("many hands meet a defence that looks at all hands, or new histories")
        if len(asked):
            self._ask(batch, seating, rows, asked, won, actions, showdown, lines)
        if batch.log_names:
            self._write_lines(batch, seating, rows, ends, lines, won)
        unit = chip_unit(self.pair.game)
        return HandRows(
            deal=batch.first_deal + rows,
            seating=np.full(len(rows), seating, np.uint8),
            won=won * unit,
            actions=actions,
            showdown=showdown,
        )

    def _seats(self, batch: Batch, dealt: _Dealt, seating: int) -> kernels.SeatArrays:
        order = seatings(2)[seating]
        game, players = self.pair.game, [self.pair.players[player] for player in order]
        rounds, count = game.rounds, len(batch.deals)
        tables: list[npt.NDArray[np.float32]] = []
        for player in players:
            strategy = isinstance(player, StrategyPlayer)
            own = player.tables if strategy else ()  # type: ignore[union-attr]
            tables += [*own, *[NO_TABLE] * (kernels.MOST_ROUNDS - len(own))]
        buckets = np.zeros((count, 2, rounds), np.int32)
        good = np.zeros((count, 2, rounds), np.uint8)
        for seat, number in enumerate(order):
            player = players[seat]
            if isinstance(player, StrategyPlayer):
                buckets[:, seat] = dealt.buckets[number][:, seat]
                good[:, seat] = player.goodness(buckets[:, seat])
        keys = np.zeros((2, count, 8), np.uint32)
        for seat, player in enumerate(players):
            if isinstance(player, StrategyPlayer):
                keys[seat] = hand_keys(
                    batch.dice, seat, first_deal=batch.first_deal, count=count, seating=seating
                )
        return kernels.SeatArrays(
            tables=tuple(tables),
            reading=np.array([getattr(player, "reading", 0) for player in players]),
            thresholds=np.array([getattr(player, "threshold", 0.0) for player in players]),
            least=np.array([getattr(player, "least", kernels.NONE_REMOVED) for player in players]),
            buckets=buckets,
            equities=dealt.equities,
            keys=keys,
            good=good,
        )

    def _walk(
        self, plan: Plan, seats: kernels.SeatArrays, rows: npt.NDArray[np.int64], count: int
    ) -> npt.NDArray[np.int32]:
        """The node where each hand is over or must be asked; below 0 where the plan is full."""
        ends = np.full(count, kernels.UNKNOWN, np.int32)
        stops = np.zeros((count, 2), np.int64)
        waiting = rows
        while len(waiting):
            kernels.play_hands(plan.arrays(), seats, waiting, ends, stops)
            waiting = waiting[ends[waiting] == kernels.UNKNOWN]
            if len(waiting) and not plan.grow(np.unique(stops[waiting], axis=0)):
                break
        return ends

    def _ask(
        self,
        batch: Batch,
        seating: int,
        rows: npt.NDArray[np.int64],
        asked: npt.NDArray[np.int64],
        won: npt.NDArray[np.int64],
        actions: npt.NDArray[np.uint16],
        showdown: npt.NDArray[np.bool_],
        lines: dict[int, str],
    ) -> None:
        """Play hands through `act`, and write what became of them over the arrays."""
        game, dice, order = self.pair.game, batch.dice, seatings(2)[seating]
        with self._lock:
            self.plain_hands += len(asked)
            table = HandRunner(game, self.pair.agents, time_limit=batch.time_limit)
            for place in asked.tolist():
                row = int(rows[place])
                deal = batch.first_deal + row
                keys = [dice.hand_key(seat, deal=deal, seating=seating) for seat in range(2)]
                cards = as_deal(game, batch.deals[row])
                end = table.play(cards, order, dice_keys=keys)
                if table.forfeits or any(table.illegal_actions):
                    raise PlainOnly("an agent failed or acted illegally")
                payoffs = end.payoffs()
                won[place] = payoffs
                actions[place], showdown[place] = end.action_count, end.is_showdown
                if batch.log_names:
                    number = batch.hand_number(deal, seating)
                    names = tuple(batch.log_names[player] for player in order)
                    lines[number] = format_state_line(Hand(number, end, names, payoffs)) + "\n"

    def _write_lines(
        self,
        batch: Batch,
        seating: int,
        rows: npt.NDArray[np.int64],
        ends: npt.NDArray[np.int32],
        lines: dict[int, str],
        won: npt.NDArray[np.int64],
    ) -> None:
        """The log lines of hands that have none yet."""
        states, order = self.plans[seating].nodes, seatings(2)[seating]
        names = tuple(batch.log_names[player] for player in order)
        for row, payoffs in zip(rows.tolist(), won.tolist(), strict=True):
            number = batch.hand_number(batch.first_deal + row, seating)
            if number not in lines:
                deal = as_deal(self.pair.game, batch.deals[row])
                end = states[ends[row]].state.with_deal(deal)
                hand = Hand(number, end, names, tuple(payoffs))
                lines[number] = format_state_line(hand) + "\n"


def play_fast_batch(batch: Batch) -> Played:
    """As `FastRunner.play`, as an item of work for any process; its runner is kept there."""
    return _runner(batch.game, batch.agents).play(batch)


@lru_cache(maxsize=4)
def _runner(game: Game, agents: tuple[str | Agent, ...]) -> FastRunner:
    made = [resolved_agent(one, game) if isinstance(one, str) else one for one in agents]
    return FastPair.of(game, made).runner()


def _rows_of(batch: Batch, seating: int) -> npt.NDArray[np.int64]:
    """Which deals of the batch are played in a seating."""
    rows = np.arange(len(batch.deals))
    if batch.duplicate:
        return rows if batch.seating in (None, seating) else rows[:0]
    return np.flatnonzero((batch.first_deal + rows) % 2 == seating)


def _outcomes(
    states: Sequence[State | None], which: npt.NDArray[np.intp], order: npt.NDArray[np.int8]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16], npt.NDArray[np.bool_]]:
    """By hand: chips won [hands, 2], actions, and whether there was a showdown.

    Hand n ended at states[which[n]]; None, or a state that is not an end, leaves zeros.
    """
    fold = np.zeros((len(states), 2), np.int64)
    most = np.zeros(len(states), np.int64)
    actions = np.zeros(len(states), np.uint16)
    showdown = np.zeros(len(states), bool)
    for number, state in enumerate(states):
        if state is None or state.actor >= 0:
            continue
        actions[number] = state.action_count
        showdown[number] = state.is_showdown
        if state.is_showdown:
            most[number] = min(state.spent)
        else:
            fold[number] = state.payoffs()
    chips = fold[which]
    shown = (most[which] * order).astype(np.int64)
    chips[:, 0] += shown
    chips[:, 1] -= shown
    return chips, actions[which], showdown[which]


def _ranks(cards: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """The rank of each hand cards[n, k]."""
    if 5 <= cards.shape[1] <= 7:
        return evaluate(cards).astype(np.int64)
    distinct, which = np.unique(cards, axis=0, return_inverse=True)
    ranks = np.array([best_rank(tuple(hand)) for hand in distinct.tolist()], np.int64)
    found: npt.NDArray[np.int64] = ranks[which.reshape(-1)]
    return found
