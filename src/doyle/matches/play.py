"""Playing dealt hands: a table of agents over consecutive hands, with the rules for agents that
fail.

*Illegal actions* follow the ACPC dealer's one rule: a raise of a bad size is clamped to the legal
sizes, everything else becomes a call; each is counted.

*Forfeits*: an agent that raises an exception, ends its process, or takes longer than the time limit
over an action, forfeits the match from that action on. Agents of this package are limited in processor
time, so that a busy machine costs them nothing; all others in time by the clock. For the rest of that hand and in all later
hands of the match `always-fold` plays in its place (it checks when nothing is owed), so it loses its
blinds and what it had already bet. Earlier hands count.

A `Batch` of deals is a pure work item: with the same agents its `Played` is the same on every
worker. Batches do not depend on the number of workers. Pure agents play every seating of a few
deals. A match with an agent that remembers, or that runs apart, is cut by seating instead: all
deals in one seating, in order, with agents that start afresh.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from time import perf_counter, thread_time
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.agents import AlwaysFold
from doyle.games import CALL, Action, Agent, Deal, Game, State, View, remembers
from doyle.games.histories import Hand, format_state_line
from doyle.matches.apart import AgentFailed
from doyle.matches.chance import Deals, Dice, as_deal
from doyle.matches.log import forfeit_line
from doyle.matches.results.rows import HandRow, HandRows
from doyle.matches.seats import seated_agents
from doyle.matches.tally import Tally

Seating = tuple[int, ...]
"""Which player sits in each seat."""


_ALL_ORDERS_UP_TO = 3


class WatchingAgent(ABC):
    """An agent that observes every state of its hands, including others' decisions and the last
    state."""

    name: str

    @abstractmethod
    def act(self, view: View) -> Action: ...

    @abstractmethod
    def watch(self, view: View, *, hand: int) -> None:
        """A state of the hand of that number, before anybody acts at it."""


@dataclass(frozen=True)
class Forfeit:
    """Where and why a player's agent failed; `hand` is the hand's number in the match."""

    player: int
    hand: int
    reason: str


@dataclass(frozen=True)
class Batch:
    """Consecutive deals of a match, and their players."""

    game: Game
    agents: tuple[str | Agent, ...]
    dice: Dice
    first_deal: int
    deals: Deals
    match_deals: int
    """How many deals the whole match has."""
    duplicate: bool
    time_limit: float
    seating: int | None = None
    """The only seating to play in a duplicate match; None plays every seating of each deal."""
    forfeits: tuple[Forfeit, ...] = ()
    """Forfeits known beforehand: from their hands on `always-fold` plays for the player."""
    log_names: tuple[str, ...] = ()
    """The players' names in the log; empty when no log is written."""
    tally: Tally | None = None
    """Counts the hands as they are played, for long batches."""
    keep_hands: bool = False
    """Whether to record every hand."""

    @property
    def hands(self) -> int:
        """Hands that are played."""
        orders = len(seatings(self.game.players)) if self.duplicate and self.seating is None else 1
        return len(self.deals) * orders

    def seatings_of(self, deal: int) -> Sequence[int]:
        """The seatings in which the deal of that number is played, as indices of `seatings`."""
        orders = seatings(self.game.players)
        if not self.duplicate:
            return (orders.index(rotation(self.game.players, deal)),)
        return range(len(orders)) if self.seating is None else (self.seating,)

    def hand_number(self, deal: int, seating: int) -> int:
        """The number of a hand in the match, in the order of play."""
        if not self.duplicate:
            return deal
        if self.seating is None:
            return deal * len(seatings(self.game.players)) + seating
        return seating * self.match_deals + deal


@dataclass(frozen=True)
class Played:
    """The result of a batch."""

    units: npt.NDArray[np.int64]
    """[deals, players]: chips won on a deal over the seatings of the batch, in `1 / chip_unit(game)`
    chips."""
    illegal_actions: tuple[int, ...]
    forfeits: tuple[Forfeit, ...]
    log: str
    hands: HandRows | None = None
    """Each hand in the order of play, if they were to be kept."""
    plain_because: str | None = "asked for"
    """The reason for playing hands one by one; None if kernels played them."""


def seatings(players: int) -> tuple[Seating, ...]:
    """The seatings of one deal in a duplicate match, in the order in which they are played.

    All of them for two and three players. Rotations only for more players, who have too many
    orders: each player still holds each hand once.

    >>> seatings(2), len(seatings(3)), len(seatings(4))
    (((0, 1), (1, 0)), 6, 4)
    """
    if players <= _ALL_ORDERS_UP_TO:
        return tuple(permutations(range(players)))
    return tuple(rotation(players, first) for first in range(players))


def rotation(players: int, deal: int) -> Seating:
    """The seating of a deal that is played once: the ACPC dealer moves everybody by one seat.

    >>> [rotation(3, deal) for deal in range(3)]
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    """
    return tuple((seat + deal) % players for seat in range(players))


def chip_unit(game: Game) -> int:
    """Parts of a chip in which every share of a pot is a whole number."""
    return math.lcm(*range(1, game.players + 1))


def clock_of(agent: Agent) -> Callable[[], float]:
    """The clock of an agent's time limit: processor time of this thread for agents of this package."""
    own = type(agent).__module__.partition(".")[0] == __name__.partition(".")[0]
    return thread_time if own else perf_counter


class HandRunner:
    """Plays hands in sequence and records forfeits and illegal actions."""

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        *,
        time_limit: float,
        forfeits: Sequence[Forfeit] = (),
    ) -> None:
        self.game = game
        self.time_limit = time_limit
        self.known_forfeits = tuple(forfeits)
        self.illegal_actions = [0] * len(agents)
        self.forfeits: list[Forfeit] = []
        self._fold = AlwaysFold()
        self._no_cards: tuple[tuple[int, ...], ...] = ((),) * game.players
        self._agents = list(agents)
        self._remember = [remembers(agent) for agent in agents]
        self._watch = {
            player: agent for player, agent in enumerate(agents) if isinstance(agent, WatchingAgent)
        }

    def start(self, rngs: Sequence[np.random.Generator], *, hand: int = 0) -> None:
        """Call `start` of stateful agents at the beginning of a match, each with its own
        generator."""
        self._seat_forfeits(hand)
        for player, rng in enumerate(rngs):
            if self._remember[player]:
                agent: Any = self._agents[player]
                self._tell(player, hand, partial(agent.start, self.game, rng))

    def play(
        self, deal: Deal, seating: Seating, *, dice_keys: Sequence[bytes], hand: int = 0
    ) -> State:
        """Play one hand to its end; `dice_keys` are those of the seats."""
        # The hand is played on a state that never holds a hidden card, so views cost nothing and
        # cannot leak; the cards join it for the showdown.
        game, agents, limit = self.game, self._agents, self.time_limit
        self._seat_forfeits(hand)
        round_, board = 0, deal.board[: game.board_ends[0]]
        state = State.start(game, Deal(self._no_cards, board))
        while (seat := state.actor) >= 0:
            if state.round != round_:
                round_ = state.round
                board = deal.board[: game.board_ends[round_]]
                state = state.with_deal(Deal(self._no_cards, board))
            if self._watch:
                self._show(state, deal, seating, hand)
            player = seating[seat]
            view = state.view(seat, dice_key=dice_keys[seat], hole=deal.hole[seat])
            try:
                clock = clock_of(agents[player])
                started = clock()
                action = agents[player].act(view)
                if clock() - started > limit:
                    raise TimeLimitExceeded
            except (KeyboardInterrupt, MatchEnded):
                raise
            except BaseException as error:  # whatever an agent does, the match continues
                self._forfeit(player, hand, error)
                action = self._fold.act(view)
            if type(action) is not int or not state.is_legal(action):
                action = self._repair(state, action, player)
            state = state.apply(action)
        end = state.with_deal(deal)
        if self._watch:
            self._show(end, deal, seating, hand)
        if any(self._remember):
            self._show_end(end, seating, dice_keys, hand)
        return end

    def _show(self, state: State, deal: Deal, seating: Seating, hand: int) -> None:
        """Show a state to the agents that watch, in the order of the players."""
        for player in sorted(self._watch):
            seat = seating.index(player)
            self._watch[player].watch(state.view(seat, hole=deal.hole[seat]), hand=hand)

    def _show_end(
        self, end: State, seating: Seating, dice_keys: Sequence[bytes], hand: int
    ) -> None:
        for seat, player in enumerate(seating):
            if self._remember[player]:
                agent: Any = self._agents[player]
                view: View = end.view(seat, dice_key=dice_keys[seat])
                self._tell(player, hand, partial(agent.hand_over, view))

    def _tell(self, player: int, hand: int, call: Callable[[], object]) -> None:
        """Call into an agent that remembers, by the same rules as for an action."""
        try:
            clock = clock_of(self._agents[player])
            started = clock()
            call()
            if clock() - started > self.time_limit:
                raise TimeLimitExceeded
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever an agent does, the match continues
            self._forfeit(player, hand, error)

    def _seat_forfeits(self, hand: int) -> None:
        for forfeit in self.known_forfeits:
            if forfeit.hand <= hand:
                self._replace(forfeit.player)

    def _forfeit(self, player: int, hand: int, error: BaseException) -> None:
        if isinstance(error, TimeLimitExceeded):
            reason = f"took longer than {self.time_limit:g} s"
        elif isinstance(error, AgentFailed):
            reason = error.reason
        else:
            reason = type(error).__name__
        self.forfeits.append(Forfeit(player=player, hand=hand, reason=reason))
        self._replace(player)

    def _replace(self, player: int) -> None:
        self._agents[player] = self._fold
        self._remember[player] = False
        self._watch.pop(player, None)

    def _repair(self, state: State, action: object, player: int) -> Action:
        """The legal action played for an agent's return value."""
        number = as_number(action)
        if number is None or not state.is_legal(number):
            self.illegal_actions[player] += 1
        return CALL if number is None else state.nearest_legal(number)


def as_number(action: object) -> int | None:
    """An agent's return value as an integer; None if it is not a whole number."""
    if isinstance(action, (int, np.integer)) and not isinstance(action, bool):
        return int(action)
    return None


class TimeLimitExceeded(Exception):
    """An action took too long."""


class MatchEnded(Exception):
    """Raised by an agent that ends the whole match, and not only its own part in it."""


def play_batch(batch: Batch) -> Played:
    """Play each deal of the batch in its seatings."""
    game, dice = batch.game, batch.dice
    orders = seatings(game.players)
    unit = chip_unit(game)
    units = np.zeros((len(batch.deals), game.players), dtype=np.int64)
    lines: list[str] = []
    rows: list[HandRow] = []
    with ExitStack() as stack:
        first = batch.seatings_of(batch.first_deal)[0]
        first_hand = batch.hand_number(batch.first_deal, first)
        agents = seated_agents(
            batch.agents,
            game,
            absent={forfeit.player for forfeit in batch.forfeits if forfeit.hand < first_hand},
            time_limit=batch.time_limit,
            stack=stack,
        )
        table = HandRunner(game, agents, time_limit=batch.time_limit, forfeits=batch.forfeits)
        rngs = [
            dice.match_rng(orders[first].index(player), seating=first)
            for player in range(game.players)
        ]
        table.start(rngs, hand=first_hand)
        for row, cards in enumerate(batch.deals.tolist()):
            number = batch.first_deal + row
            deal = as_deal(game, cards)
            for index in batch.seatings_of(number):
                seating = orders[index]
                hand = batch.hand_number(number, index)
                keys = [
                    dice.hand_key(seat, deal=number, seating=index) for seat in range(game.players)
                ]
                end = table.play(deal, seating, dice_keys=keys, hand=hand)
                payoffs = end.payoffs()
                for player, chips in zip(seating, payoffs, strict=True):
                    units[row, player] += int(chips * unit)
                if batch.keep_hands:
                    won = tuple(int(chips * unit) for chips in payoffs)
                    rows.append(HandRow(number, index, won, end.action_count, end.is_showdown))
                if batch.log_names:
                    players = tuple(batch.log_names[player] for player in seating)
                    lines.append(format_state_line(Hand(hand, end, players, payoffs)) + "\n")
                    lines += [
                        forfeit_line(batch.log_names[forfeit.player], hand, forfeit.reason)
                        for forfeit in (*batch.forfeits, *table.forfeits)
                        if forfeit.hand == hand
                    ]
                if batch.tally is not None:
                    batch.tally.count()
    return Played(
        units=units,
        illegal_actions=tuple(table.illegal_actions),
        forfeits=tuple(table.forfeits),
        log="".join(lines),
        hands=HandRows.of(rows, game.players) if batch.keep_hands else None,
    )
