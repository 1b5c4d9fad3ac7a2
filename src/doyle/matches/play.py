"""Playing dealt hands: a table of agents, hand after hand, with the rules for those that fail.

*Illegal actions* follow the ACPC dealer's one rule: a raise of a bad size is clamped to the legal
sizes, everything else becomes a call; each is counted.

*Forfeits*: an agent that raises an exception, or takes longer than the time limit over an action,
forfeits the match from that action on. For the rest of that hand and in all later hands of the
match `always-fold` plays in its place (it checks when nothing is owed), so it loses its blinds and
what it had already bet. Earlier hands stand. An agent that ends its worker process forfeits likewise,
from the first action of that hand on.

A `Batch` of deals is a pure work item: with the same agents its `Played` is the same wherever it
runs. Batches do not depend on the number of workers.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from doyle.agents import AlwaysFold, resolve_agent
from doyle.games import CALL, Action, Agent, Deal, Game, State, View
from doyle.histories import Hand, format_state_line
from doyle.matches.clock import ActionClock, TimeLimitExceeded
from doyle.matches.dealing import Deals, as_deal
from doyle.matches.log import forfeit_line

Seating = tuple[int, ...]
"""Which player sits in each seat."""


_ALL_ORDERS_UP_TO = 3


@dataclass(frozen=True)
class Forfeit:
    """Where and why a player's agent failed; `hand` is the hand's number in the match."""

    player: int
    hand: int
    reason: str


@dataclass(frozen=True)
class Batch:
    """Consecutive deals of a match, and who plays them."""

    game: Game
    agents: tuple[str | Agent, ...]
    seed: int
    first_deal: int
    deals: Deals
    duplicate: bool
    time_limit: float
    forfeits: tuple[Forfeit, ...] = ()
    """Forfeits known beforehand: from their hands on `always-fold` plays for the player."""
    log_names: tuple[str, ...] = ()
    """The players' names in the log; empty when no log is written."""


@dataclass(frozen=True)
class Played:
    """What happened in a batch."""

    units: npt.NDArray[np.int64]
    """[deals, players]: chips won on a deal over all its seatings, in `1 / chip_unit(game)` chips."""
    illegal_actions: tuple[int, ...]
    forfeits: tuple[Forfeit, ...]
    log: str


def seatings(players: int) -> tuple[Seating, ...]:
    """The seatings of one deal in a duplicate match, in the order in which they are played.

    All of them for two and three players. For more, whose orders are too many, the rotations: each
    player still holds each hand once.

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


def hand_seed(seed: int, deal: int, seating: int) -> tuple[int, int, int]:
    """The seed of the agents' own randomness in one hand.

    It is derived one way from the seed of the match: an agent that sees it cannot deal the cards.
    """
    digest = hashlib.blake2b(b"agents of match %d" % seed, digest_size=8).digest()
    return int.from_bytes(digest, "big"), deal, seating


class Table:
    """Agents playing hand after hand, with what went wrong so far."""

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        *,
        clock: ActionClock,
        forfeits: Sequence[Forfeit] = (),
        witness: MutableSequence[int] | None = None,
    ) -> None:
        self.game = game
        self.clock = clock
        self.known_forfeits = tuple(forfeits)
        self.witness = witness
        self.illegal_actions = [0] * len(agents)
        self.forfeits: list[Forfeit] = []
        self._fold = AlwaysFold()
        self._no_cards: tuple[tuple[int, ...], ...] = ((),) * game.players
        self._agents = list(agents)

    def play(
        self, deal: Deal, seating: Seating, *, hand_seed: tuple[int, ...], hand: int = 0
    ) -> State:
        """Play one hand to its end."""
        # The hand is played on a state that never holds a hidden card, so views cost nothing and
        # cannot leak; the cards join it for the showdown.
        game, clock, agents, witness = self.game, self.clock, self._agents, self.witness
        for forfeit in self.known_forfeits:
            if forfeit.hand <= hand:
                agents[forfeit.player] = self._fold
        round_, board = 0, deal.board[: game.board_ends[0]]
        state = State.start(game, Deal(self._no_cards, board))
        while (seat := state.actor) >= 0:
            if state.round != round_:
                round_ = state.round
                board = deal.board[: game.board_ends[round_]]
                state = state.with_deal(Deal(self._no_cards, board))
            player = seating[seat]
            if witness is not None:
                witness[:] = player, hand
            view = View(seat, state, deal.hole[seat], board, hand_seed)
            try:
                clock.start()
                action = agents[player].act(view)
                clock.stop()
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # whatever an agent does, the match goes on
                clock.abandon()
                action = self._forfeit(player, hand, error).act(view)
            if type(action) is not int or not state.is_legal(action):
                action = self._repair(state, action, player)
            state = state.apply(action)
        return state.with_deal(deal)

    def _forfeit(self, player: int, hand: int, error: BaseException) -> AlwaysFold:
        if isinstance(error, TimeLimitExceeded):
            reason = f"took longer than {self.clock.limit:g} s"
        else:
            reason = type(error).__name__
        self.forfeits.append(Forfeit(player=player, hand=hand, reason=reason))
        self._agents[player] = self._fold
        return self._fold

    def _repair(self, state: State, action: object, player: int) -> Action:
        """The legal action played for what an agent returned."""
        if isinstance(action, (int, np.integer)) and not isinstance(action, bool):
            number = int(action)
            if state.is_legal(number):
                return number
            self.illegal_actions[player] += 1
            return state.nearest_legal(number)
        self.illegal_actions[player] += 1
        return CALL


def play_batch(batch: Batch, *, witness: MutableSequence[int] | None = None) -> Played:
    """Play each deal of the batch in its seatings.

    `witness`, if given, holds the player and the number of the hand whenever an agent acts.
    """
    game = batch.game
    agents = [
        agent if not isinstance(agent, str) else resolved_agent(agent, game)
        for agent in batch.agents
    ]
    orders = seatings(game.players)
    unit = chip_unit(game)
    units = np.zeros((len(batch.deals), game.players), dtype=np.int64)
    lines: list[str] = []
    with ActionClock(batch.time_limit) as clock:
        table = Table(game, agents, clock=clock, forfeits=batch.forfeits, witness=witness)
        for row, cards in enumerate(batch.deals.tolist()):
            number = batch.first_deal + row
            deal = as_deal(game, cards)
            single = orders.index(rotation(game.players, number))
            won = [0] * game.players
            for index in range(len(orders)) if batch.duplicate else (single,):
                seating = orders[index]
                hand = number * len(orders) + index if batch.duplicate else number
                seed = hand_seed(batch.seed, number, index)
                end = table.play(deal, seating, hand_seed=seed, hand=hand)
                payoffs = end.payoffs()
                for player, chips in zip(seating, payoffs, strict=True):
                    won[player] += int(chips * unit)
                if batch.log_names:
                    players = tuple(batch.log_names[player] for player in seating)
                    lines.append(format_state_line(Hand(hand, end, players, payoffs)) + "\n")
                    lines += [
                        forfeit_line(batch.log_names[forfeit.player], hand, forfeit.reason)
                        for forfeit in (*batch.forfeits, *table.forfeits)
                        if forfeit.hand == hand
                    ]
            units[row] = won
    return Played(
        units=units,
        illegal_actions=tuple(table.illegal_actions),
        forfeits=tuple(table.forfeits),
        log="".join(lines),
    )


@lru_cache(maxsize=64)
def resolved_agent(text: str, game: Game) -> Agent:
    """The agent of a text, made once in each process."""
    return resolve_agent(text, game)
