"""Exact-hands evaluation: winnings of one policy against another on a board, over all pairs of
hands.

On a board that is dealt to the end, the real histories that two policies can reach are walked once with
the reach of every hand; the value of a leaf is the weight of winning pairs of hands minus the
weight of losing pairs. Only the board is random: not the hands, not the actions, not
the readings of translation; but readings and sizes of bets that a policy draws independently of its
hand (`SpreadPolicy`) are sampled, because enumerating them would be too slow. Two strategy agents,
exploiters among them, are walked by their `JointPlan`; other policies are queried history by
history, which is slower and yields the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from doyle.agents.exploiters.sized import Exploiter
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.errors import DoyleError
from doyle.cards import HOLES, board_ranks
from doyle.games import Deal, Game, Policy, SpreadPolicy, State
from doyle.games.payoffs import best_rank
from doyle.games.policies import possible_hands
from doyle.measuring.exact_hands import _plan_kernels as kernels
from doyle.measuring.exact_hands.joint_plan import JointPlan, NoPlan
from doyle.measuring.hand_equity import Cards

Floats = npt.NDArray[np.float64]

MOST_HISTORIES = 200_000
"""Limit of queried histories per board for policies without a plan: more would take minutes."""


class BoardHands(NamedTuple):
    """The hands possible on a whole board, in ascending order of rank.

    `rows` int64[h]: their rows in a policy; `cards` uint8[h, 2]; `group_end` int32: the end of each
    rank. `card_count` is the maximal number of different values in `cards`.
    """

    rows: npt.NDArray[np.int64]
    cards: npt.NDArray[np.uint8]
    group_end: npt.NDArray[np.int32]
    card_count: int

    @classmethod
    def of(cls, game: Game, board: Cards) -> BoardHands:
        if game.is_holdem:
            ranks = board_ranks(board).astype(np.int64)
            live = np.flatnonzero(ranks)
            cards, count = HOLES.astype(np.uint8), 52
        else:
            live = np.flatnonzero(possible_hands(game, board))
            ranks = np.zeros(len(game.deck), np.int64)
            for place in live.tolist():
                ranks[place] = best_rank((game.deck[place], *board))
            count = 2 * len(game.deck)
            cards = np.arange(count, dtype=np.uint8).reshape(2, -1).T
        rows = live[np.argsort(ranks[live], kind="stable")]
        ends = np.flatnonzero(np.diff(ranks[rows], append=-1)) + 1
        return cls(rows, np.ascontiguousarray(cards[rows]), ends.astype(np.int32), count)

    @property
    def pairs(self) -> float:
        """How many pairs of hands share no card."""
        return self.mass(np.ones(len(self.rows)), np.ones(len(self.rows)))

    def mass(self, first: Floats, second: Floats) -> float:
        """The weight of all pairs that share no card."""
        sums = np.empty((2, self.card_count))
        return float(kernels.mass_apart(first, second, self.cards, sums[0], sums[1]))

    def masses(self, first: Floats, second: Floats) -> tuple[float, float]:
        """The weights of the pairs that `first` wins and loses."""
        sums = np.empty((2, self.card_count))
        return kernels.showdown_masses(first, second, self.cards, self.group_end, sums[0], sums[1])


class Outcome(NamedTuple):
    """Seat 0's winnings in chips on one board, and the mean square of a single hand's result."""

    value: float
    square: float


class Evaluator(Protocol):
    """Two policies, one per seat, that can be evaluated on a whole board.

    With `rng`, hand-independent draws of a policy are sampled once for each history; without it,
    all outcomes are enumerated.
    """

    def outcome(self, board: Cards, rng: np.random.Generator | None = None) -> Outcome: ...


@dataclass(frozen=True)
class PlanEvaluator:
    """Two strategy agents by their plan."""

    agents: tuple[StrategyAgent, StrategyAgent]
    plan: JointPlan

    def outcome(self, board: Cards, rng: np.random.Generator | None = None) -> Outcome:
        hands = BoardHands.of(self.agents[0].game, board)
        totals = self.totals(hands, board, np.ones((2, len(hands.rows))))
        pairs = hands.pairs
        return Outcome(float(totals[0]) / pairs, float(totals[1]) / pairs)

    def totals(self, hands: BoardHands, board: Cards, begin: Floats) -> Floats:
        """Seat 0's winnings over all pairs of `hands`, and their square, from the first rows
        `begin`."""
        game, plan, count = self.agents[0].game, self.plan, len(hands.rows)
        buckets = np.empty((2, game.rounds, count), np.int32)
        for seat, agent in enumerate(self.agents):
            for round_, end in enumerate(game.board_ends):
                buckets[seat, round_] = agent.bucketing.buckets(board[:end])[hands.rows]
        rows, alive = self._rows(count)
        rows[: len(begin)] = begin
        alive[: len(begin)] = begin.any(axis=1)
        totals = np.zeros(3)
        kernels.run_plan(
            plan.code,
            plan.shares,
            plan.listed,
            plan.tables,
            buckets,
            hands.cards,
            hands.group_end,
            rows,
            alive,
            np.empty((2, hands.card_count)),
            totals,
        )
        return totals

    def _rows(self, count: int) -> tuple[Floats, npt.NDArray[np.bool_]]:
        return np.empty((self.plan.rows + 2, count)), np.zeros(self.plan.rows + 2, np.bool_)


@dataclass(frozen=True)
class PolicyEvaluator:
    """Any two policies, queried at every history that they reach."""

    game: Game
    policies: tuple[Policy, Policy]
    reason: str = "not two strategies"
    """Why there is no plan."""
    least_stake: float = 0.0
    """In chips per hand: with a generator, an action that leads to a smaller stake is followed at random."""

    @cached_property
    def spreading(self) -> tuple[bool, bool]:
        """Whether each policy draws readings or sizes of bets."""
        first, second = map(_spreads, self.policies)
        return first, second

    @property
    def spreads(self) -> bool:
        """Whether a policy draws readings or sizes of bets."""
        return any(self.spreading)

    def outcome(self, board: Cards, rng: np.random.Generator | None = None) -> Outcome:
        hands = BoardHands.of(self.game, board)
        ones = np.ones(len(hands.rows))
        start = State.start(self.game, Deal(((), ()), board))
        return self.outcome_from(start, hands, (ones, ones), rng)

    def outcome_from(
        self,
        start: State,
        hands: BoardHands,
        begin: tuple[Floats, Floats],
        rng: np.random.Generator | None = None,
    ) -> Outcome:
        """The outcome from a state on, whose deal has the whole board, for pairs of these weights."""
        value = square = 0.0
        asked = 0
        stack = [iter([(start, begin)])]
        while stack:
            reached = next(stack[-1], None)
            if reached is None:
                stack.pop()
                continue
            state, reach = reached
            if state.actor < 0:
                gain, spread = self._leaf(state, reach, hands)
                value += gain
                square += spread
                continue
            asked += 1
            if asked > MOST_HISTORIES:
                raise DoyleError(
                    f"exact-hands evaluation: more than {MOST_HISTORIES:,} histories on one board; "
                    "play a match of dealt hands"
                )
            stack.append(self._after(state, reach, hands, rng))
        pairs = hands.mass(*begin)
        return Outcome(value / pairs, square / pairs)

    def _after(
        self,
        state: State,
        reach: tuple[Floats, Floats],
        hands: BoardHands,
        rng: np.random.Generator | None,
    ) -> Iterator[tuple[State, tuple[Floats, Floats]]]:
        """The states after each action that some hand takes, with their reach.

        A leaf is linear in the policy at each history on its way, and the draws there do not depend
        on the hand, so drawing once for each history leaves the mean unbiased. So does following an
        action with some probability and weighing its subtree by the inverse: the chance is in
        proportion to the stake, the pot times the share of hands that get there.
        """
        seat = state.actor
        policy: Any = self.policies[seat]
        if rng is not None and self.spreading[seat]:
            actions, probabilities = policy.drawn_probabilities(state.public(), rng)
        else:
            actions, probabilities = policy.probabilities(state.public())
        for column, action in enumerate(actions):
            weights = reach[seat] * probabilities[hands.rows, column]
            if not weights.any():
                continue
            after = state.apply(action)
            if rng is not None and self.least_stake > 0:
                stake = float(weights.mean() * reach[1 - seat].mean()) * after.pot
                chance = min(1.0, stake / self.least_stake)
                if chance < 1.0:
                    if rng.random() >= chance:
                        continue
                    weights /= chance
            yield after, ((weights, reach[1]) if seat == 0 else (reach[0], weights))

    def _leaf(
        self, state: State, reach: tuple[Floats, Floats], hands: BoardHands
    ) -> tuple[float, float]:
        if state.is_showdown:
            amount = min(state.spent)
            won, lost = hands.masses(*reach)
            return amount * (won - lost), amount * amount * (won + lost)
        amount = state.spent[1] if state.folded[1] else -state.spent[0]
        mass = hands.mass(*reach)
        return amount * mass, amount * amount * mass


def _spreads(policy: Policy) -> bool:
    return isinstance(policy, SpreadPolicy) and policy.spreads


def evaluator(
    game: Game, policies: tuple[Policy, Policy], *, least_stake: float = 0.0, planned: bool = True
) -> Evaluator:
    """The fastest evaluator of two policies; DoyleError if the game has none.

    `least_stake` applies to policies that are queried history by history, as all are unless
    `planned`.
    """
    if game.players != 2 or (game.hole_cards != 1 and not game.is_holdem):
        raise DoyleError(
            f"{game.name}: exact-hands evaluation plays Hold'em and games of one hole card, "
            "with two players"
        )
    # An exploiter is a strategy in sizes of its own, which a plan holds as it holds others.
    first, second = (one.player if type(one) is Exploiter else one for one in policies)
    if not planned:
        return PolicyEvaluator(game, policies, "from a street on", least_stake)
    if not (isinstance(first, StrategyAgent) and isinstance(second, StrategyAgent)):
        return PolicyEvaluator(game, policies, least_stake=least_stake)
    try:
        return PlanEvaluator((first, second), JointPlan.of((first, second)))
    except NoPlan as error:
        return PolicyEvaluator(game, policies, str(error), least_stake)
