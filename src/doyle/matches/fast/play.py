"""A batch of deals played by kernels: the same hands as `doyle.matches.play.play_batch` plays.

Every deal is walked along the plan of its seating. Where a hand depends on more than a plan holds (a
defence that looks at all hands, a plan that is full), that hand is played through `act` as in any match.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from doyle.agents.compiled import (
    CasePlayer,
    CompiledPlayer,
    NotCompilable,
    StrategyPlayer,
    ValuePlayer,
    compiled_form,
)
from doyle.agents.compiled.players import readable
from doyle.cards import evaluate
from doyle.games import Agent, Game, State
from doyle.games.histories import Hand, format_state_line
from doyle.games.payoffs import best_rank
from doyle.matches.chance import Deals, as_deal
from doyle.matches.fast import _play_kernels as kernels
from doyle.matches.fast.dice import hand_keys
from doyle.matches.fast.plan import MOST_NODES, Plan
from doyle.matches.play import Batch, HandRunner, Played, chip_unit, seatings
from doyle.matches.results.rows import HandRows
from doyle.matches.seats import resolved_agent

NO_TABLE = readable(np.zeros((1, 1), np.float32))
_READINGS: dict[str, int] = {
    "as it is": kernels.AS_IT_IS,
    "purified": kernels.PURIFIED,
    "thresholded": kernels.THRESHOLDED,
}

MOST_ASKED = 0.3
LEAST_ASKED = 64
"""Above this share of a batch, and this count, of hands outside the kernels, all hands are played
one by one."""


@dataclass(frozen=True, eq=False)
class FastPlayers:
    """The agents of a match, and the players that act as they do."""

    game: Game
    agents: tuple[Agent, ...]
    players: tuple[CompiledPlayer, ...]

    @classmethod
    def of(cls, game: Game, agents: Sequence[Agent]) -> FastPlayers:
        """The players of some agents; `NotCompilable` if their matches are played hand by hand."""
        if game.players > kernels.MOST_SEATS:
            raise NotCompilable(f"{game.name} has {game.players} players")
        if game.rounds > kernels.MOST_ROUNDS or game.hole_cards > 2:
            raise NotCompilable(f"{game.name} has too many rounds or hole cards")
        made = {id(agent): compiled_form(agent) for agent in agents}
        for player in made.values():
            if isinstance(player, CasePlayer) and player.agent.game != game:
                raise NotCompilable(f"{player.agent.name} has cases of {player.agent.game.name}")
        return cls(game, tuple(agents), tuple(made[id(agent)] for agent in agents))

    def runner(self, *, most_nodes: int = MOST_NODES) -> FastRunner:
        """The runner of a match of these players."""
        plans = [
            Plan(self.game, tuple(self.players[number] for number in order), most_nodes=most_nodes)
            for order in seatings(self.game.players)
        ]
        return FastRunner(self, plans)


@dataclass(eq=False)
class _Dealt:
    """The arrays of a block of deals, shared by all seatings."""

    match: FastPlayers
    deals: Deals

    @cached_property
    def buckets(self) -> list[npt.NDArray[np.int32]]:
        """By player: int32[deals, seats, rounds]."""
        found = {
            id(player): player.buckets(self.match.game, self.deals)
            for player in dict.fromkeys(self.match.players)
            if isinstance(player, StrategyPlayer | CasePlayer)
        }
        none = np.zeros((1, self.match.game.players, self.match.game.rounds), np.int32)
        return [found.get(id(player), none) for player in self.match.players]

    @cached_property
    def equities(self) -> npt.NDArray[np.float64]:
        """float64[deals, seats, rounds], shared by all callers."""
        game = self.match.game
        for player in self.match.players:
            if isinstance(player, ValuePlayer):
                return player.equities(game, self.deals)
        return np.zeros((1, game.players, game.rounds))

    @cached_property
    def ranks(self) -> npt.NDArray[np.int64]:
        """int64[deals, seats]: the rank of every hand with the whole board; higher is better."""
        game, deals = self.match.game, self.deals
        size = game.hole_cards
        board = deals[:, game.players * size :]
        hands = [
            np.concatenate([deals[:, seat * size : (seat + 1) * size], board], axis=1)
            for seat in range(game.players)
        ]
        return np.stack([_ranks(cards) for cards in hands], axis=1)


@dataclass(eq=False)
class FastRunner:
    """Plays batches of one match; threads may share it."""

    match: FastPlayers
    plans: list[Plan]
    plain_hands: int = 0
    """Hands that were played through `act`."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def play(self, batch: Batch) -> Played:
        """Play each deal of the batch in its seatings; `NotCompilable` if an agent fails in one."""
        dealt = _Dealt(self.match, batch.deals)
        players = self.match.game.players
        orders = seatings(players)
        parts, lines = [], dict[int, str]()
        for seating in range(len(orders)):
            rows = _rows_of(batch, seating)
            if len(rows):
                parts.append(self._play_seating(batch, dealt, seating, rows, lines))
        joined = HandRows.joined(parts)
        hands = joined.selected(np.lexsort((joined.seating, joined.deal)))
        units = hands.units(
            players, first_deal=batch.first_deal, deals=len(batch.deals), order=orders
        )
        return Played(
            units=units,
            illegal_actions=(0,) * players,
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
        whole = np.array([state is not None and _settles(state) for state in states])
        ended = [state if known else None for state, known in zip(states, whole, strict=True)]
        won, actions, showdown = _outcomes(self.match.game, ended, which, dealt.ranks[rows])
        asked = np.flatnonzero(~whole[which])
        if len(asked) > max(LEAST_ASKED, MOST_ASKED * len(rows)):
            raise NotCompilable(
                "many hands meet a defence that looks at all hands, or new histories"
            )
        if len(asked):
            self._ask(batch, seating, rows, asked, won, actions, showdown, lines)
        if batch.log_names:
            self._write_lines(batch, seating, rows, ends, lines, won)
        return HandRows(
            deal=batch.first_deal + rows,
            seating=np.full(len(rows), seating, np.uint8),
            won=won,
            actions=actions,
            showdown=showdown,
        )

    def _seats(self, batch: Batch, dealt: _Dealt, seating: int) -> kernels.SeatArrays:
        game = self.match.game
        order = seatings(game.players)[seating]
        players = [self.match.players[player] for player in order]
        rounds, count = game.rounds, len(batch.deals)
        tables: list[npt.NDArray[np.float32]] = []
        for player in players:
            strategy = isinstance(player, StrategyPlayer)
            own = player.tables if strategy else ()  # type: ignore[union-attr]
            tables += [*own, *[NO_TABLE] * (kernels.MOST_ROUNDS - len(own))]
        buckets = np.zeros((count, game.players, rounds), np.int32)
        good = np.zeros((count, game.players, rounds), np.uint8)
        keys = np.zeros((game.players, count, 8), np.uint32)
        for seat, (number, player) in enumerate(zip(order, players, strict=True)):
            if isinstance(player, StrategyPlayer | CasePlayer):
                buckets[:, seat] = dealt.buckets[number][:, seat]
                keys[seat] = hand_keys(
                    batch.dice, seat, first_deal=batch.first_deal, count=count, seating=seating
                )
            if isinstance(player, StrategyPlayer):
                good[:, seat] = player.goodness(buckets[:, seat])
        return kernels.SeatArrays(
            tables=tuple(tables),
            reading=np.array(
                [_READINGS[getattr(player, "reading", "as it is")] for player in players]
            ),
            thresholds=np.array([getattr(player, "threshold", 0.0) for player in players]),
            least=np.array([_least_probability(player) for player in players]),
            buckets=buckets,
            equities=dealt.equities,
            keys=keys,
            good=good,
        )

    def _walk(
        self, plan: Plan, seats: kernels.SeatArrays, rows: npt.NDArray[np.int64], count: int
    ) -> npt.NDArray[np.int32]:
        """The node where each hand is over or needs `act`; below 0 if the plan is full."""
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
        """Play hands through `act`, and overwrite their entries in the arrays."""
        game, dice = self.match.game, batch.dice
        order, unit = seatings(game.players)[seating], chip_unit(game)
        with self._lock:
            self.plain_hands += len(asked)
            table = HandRunner(game, self.match.agents, time_limit=batch.time_limit)
            for place in asked.tolist():
                row = int(rows[place])
                deal = batch.first_deal + row
                keys = [
                    dice.hand_key(seat, deal=deal, seating=seating) for seat in range(game.players)
                ]
                cards = as_deal(game, batch.deals[row])
                end = table.play(cards, order, dice_keys=keys)
                if table.forfeits or any(table.illegal_actions):
                    raise NotCompilable("an agent failed or acted illegally")
                payoffs = end.payoffs()
                won[place] = [int(chips * unit) for chips in payoffs]
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
        """The missing log lines of hands."""
        game = self.match.game
        states, order = self.plans[seating].nodes, seatings(game.players)[seating]
        unit = chip_unit(game)
        names = tuple(batch.log_names[player] for player in order)
        for row, units in zip(rows.tolist(), won.tolist(), strict=True):
            number = batch.hand_number(batch.first_deal + row, seating)
            if number not in lines:
                deal = as_deal(game, batch.deals[row])
                end = states[ends[row]].state.with_deal(deal)
                hand = Hand(number, end, names, tuple(_chips(won_here, unit) for won_here in units))
                lines[number] = format_state_line(hand) + "\n"


def _least_probability(player: CompiledPlayer) -> float:
    """Actions of a player below it are pseudo-dominated and removed; negative if no action is
    removed."""
    strategy = isinstance(player, StrategyPlayer)
    least = player.agent.translation.least_probability if strategy else None  # type: ignore[union-attr]
    return kernels.NONE_REMOVED if least is None else least


def play_fast_batch(batch: Batch) -> Played:
    """As `FastRunner.play`, as an item of work for any process; its runner is kept there."""
    return _runner(batch.game, batch.agents).play(batch)


@lru_cache(maxsize=4)
def _runner(game: Game, agents: tuple[str | Agent, ...]) -> FastRunner:
    made = [resolved_agent(one, game) if isinstance(one, str) else one for one in agents]
    return FastPlayers.of(game, made).runner()


def _rows_of(batch: Batch, seating: int) -> npt.NDArray[np.int64]:
    """Which deals of the batch are played in a seating."""
    rows = np.arange(len(batch.deals))
    if batch.duplicate:
        return rows if batch.seating in (None, seating) else rows[:0]
    players = batch.game.players
    turns = np.array([batch.seatings_of(deal)[0] for deal in range(players)])
    return np.flatnonzero(turns[(batch.first_deal + rows) % players] == seating)


def _settles(state: State) -> bool:
    """Whether a state is an end at which all chips that can be won are in one pot."""
    if state.actor >= 0:
        return False
    stay = {spent for spent, folded in zip(state.spent, state.folded, strict=True) if not folded}
    return not state.is_showdown or len(stay) == 1 or len(state.spent) == 2


def _outcomes(
    game: Game,
    states: Sequence[State | None],
    which: npt.NDArray[np.intp],
    ranks: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16], npt.NDArray[np.bool_]]:
    """By hand: what every seat won in parts of a chip [hands, seats], actions, and whether it was shown.

    Hand n ended at states[which[n]]; None leaves zeros.
    """
    unit, players = chip_unit(game), game.players
    fold = np.zeros((len(states), players), np.int64)
    paid = np.zeros((len(states), players), np.int64)
    stays = np.zeros((len(states), players), bool)
    actions = np.zeros(len(states), np.uint16)
    showdown = np.zeros(len(states), bool)
    for number, state in enumerate(states):
        if state is None:
            continue
        actions[number] = state.action_count
        showdown[number] = state.is_showdown
        if state.is_showdown:
            stays[number] = ~np.array(state.folded)
            level = np.array(state.spent)[stays[number]].min()  # what is above it goes back
            paid[number] = np.minimum(state.spent, level)
        else:
            fold[number] = state.payoffs()
    won = unit * fold[which]
    shown = np.flatnonzero(showdown[which])
    ended = which[shown]
    own = np.where(stays[ended], ranks[shown], -1)
    wins = own == own.max(axis=1, keepdims=True)
    pot = unit * paid[ended].sum(axis=1, keepdims=True)
    won[shown] = wins * (pot // wins.sum(axis=1, keepdims=True)) - unit * paid[ended]
    return won, actions[which], showdown[which]


def _chips(units: int, unit: int) -> Fraction | int:
    """Parts of a chip as chips."""
    whole, rest = divmod(units, unit)
    return Fraction(units, unit) if rest else whole


def _ranks(cards: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """The rank of each hand cards[n, k]."""
    if 5 <= cards.shape[1] <= 7:
        return evaluate(cards).astype(np.int64)
    distinct, which = np.unique(cards, axis=0, return_inverse=True)
    ranks = np.array([best_rank(tuple(hand)) for hand in distinct.tolist()], np.int64)
    found: npt.NDArray[np.int64] = ranks[which.reshape(-1)]
    return found
