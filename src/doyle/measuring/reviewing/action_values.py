"""The value of each action at a decision to one hand, if all seats play a policy afterwards.

The player holds `hole` in the seat to act. The other seat holds the policy's range there: every hand
that shares no card with the hole and the board, weighted by the policy's reach. Then

    Q(a) = mean, over those hands and all run-outs, of the chips won after `a`

with both seats playing the policy after `a`. Q is summed over all hands of the other seat; only the
cards to come may be sampled. On the river, with one card to come and in small games every run-out
is followed. Elsewhere whole boards are drawn, the same for every action, and the sums are regressed
on two quantities whose means are known exactly: the weight of the hands that the board leaves, and
the hand's winnings by calling down.

Strategy agents are evaluated by a `JointPlan` of the subtree after the action. A defence against
small bets has no plan: it is followed on the street of the decision and left out of the streets
after it. Policies without a plan are asked history by history.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import comb
from typing import Protocol

import numpy as np
import numpy.typing as npt

from doyle.agents.completed_policy import CompletedPolicy, completed
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.errors import DoyleError
from doyle.games import Action, Deal, Game, Policy, State
from doyle.games.policies import policy_row, policy_rows, possible_hands
from doyle.measuring.exact_hands.evaluators import MOST_HISTORIES, BoardHands, PlanEvaluator
from doyle.measuring.exact_hands.joint_plan import JointPlan, NoPlan
from doyle.measuring.hand_equity import Cards
from doyle.measuring.variance_reduction.pairs import balance_row
from doyle.strategy.translation.walk import Branch

Floats = npt.NDArray[np.float64]

MOST_RUNOUTS = 200
"""So many run-outs or fewer are all followed."""
_PLANS_KEPT = 256


@dataclass(frozen=True, eq=False)
class ActionValues:
    """The actions at a decision, the policy's probabilities, and chips won from the start of the hand.

    `by_board` [boards, actions] are sums over the range, whose mean divided by `weight` is the value;
    `controls` [boards, 2] have mean 0. With one row per possible run-out the values are exact.
    """

    actions: tuple[Action, ...]
    probabilities: Floats
    by_board: Floats
    controls: Floats
    weight: float
    exact: bool
    range_assumed: bool
    """Whether the policy never plays so with any hand, and every hand was taken to be as likely."""

    @property
    def values(self) -> Floats:
        """The value of each action in chips."""
        return np.array([self._mean(column)[0] for column in self.by_board.T])

    def difference(self, weights: Floats) -> tuple[float, float | None]:
        """The mean of a combination of the actions' values, and its standard error (0 if exact)."""
        return self._mean(self.by_board @ weights)

    def loss(self, action: Action) -> tuple[float, float | None]:
        """By how much the policy's own choice is worth more than `action`, with the standard error."""
        weights = self.probabilities.copy()
        weights[self.actions.index(action)] -= 1.0
        return self.difference(weights)

    def best(self) -> Action:
        """The action that is worth most."""
        return self.actions[int(np.argmax(self.values))]

    def _mean(self, sums: Floats) -> tuple[float, float | None]:
        if self.exact:
            return float(sums.mean()) / self.weight, 0.0
        boards, known = self.controls.shape
        centred = sums - sums.mean()
        about = self.controls - self.controls.mean(axis=0)
        slope = np.linalg.lstsq(about, centred, rcond=None)[0]
        mean = float(sums.mean() - slope @ self.controls.mean(axis=0))
        rest = centred - about @ slope
        free = boards - known - 1
        error = float(np.sqrt(rest @ rest / free / boards)) if free > 0 else None
        return mean / self.weight, None if error is None else error / self.weight


class _Evaluation(Protocol):
    """Winnings of the player in `seat` after an action on a whole board, summed over the range."""

    def __call__(self, hands: BoardHands, board: Cards) -> float: ...


@dataclass(eq=False)
class Valuer:
    """Values of actions against a policy, in the game it plays."""

    game: Game
    policy: Policy
    boards: int = 128
    """How many boards are drawn where not all are followed."""
    _plans: dict[tuple[object, ...], JointPlan | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        game = self.game
        if game.players != 2 or (game.hole_cards != 1 and not game.is_holdem):
            raise DoyleError(
                f"{game.name}: hands are reviewed in Hold'em and games of one hole card, with two "
                "players"
            )
        if self.boards < 4:
            raise DoyleError(f"boards: at least 4 are needed, not {self.boards}")
        self.policy = completed(self.policy)

    def values(
        self,
        state: State,
        hole: Cards,
        *,
        taken: Action,
        rng: np.random.Generator,
    ) -> ActionValues:
        """The values of the policy's actions and of `taken` with `hole`; the state has its board."""
        seat, place = state.actor, policy_row(self.game, hole)
        public = state.with_deal(Deal(((),) * self.game.players, state.board))
        actions, shares = self.policy.probabilities(public)
        known = [a for a, share in zip(actions, shares[place], strict=True) if share > 0.0]
        every = tuple(sorted({*known, taken, *_plain(state)}))
        chances = dict(zip(actions, shares[place].tolist(), strict=True))
        possible = possible_hands(self.game, (*hole, *state.board))
        range_ = self.policy.reach(public, 1 - seat) * possible
        assumed = not range_.any()
        if assumed:
            range_ = possible.astype(np.float64)
        runouts, whole = self._runouts(state, hole, rng)
        evaluations = [
            self._evaluation(public.apply(action), public, action, place, range_, assumed)
            for action in every
        ]
        by_board = np.empty((len(runouts), len(every)))
        controls = np.zeros((len(runouts), 2))
        missing = self.game.board_ends[-1] - len(state.board)
        live = len(self.game.deck) - len(hole) - len(state.board)
        # How likely the cards to come leave a hand of the other seat.
        leave = comb(live - len(hole), missing) / comb(live, missing)
        balance = balance_row(self.game, place, state.board)
        for number, board in enumerate(runouts):
            hands = BoardHands.of(self.game, board)
            one = range_[hands.rows] * possible_hands(self.game, (*hole, *board))[hands.rows]
            by_board[number] = [evaluate(hands, board) for evaluate in evaluations]
            controls[number, 0] = one.sum() - leave * range_.sum()
            if not whole:
                own = np.zeros(len(hands.rows))
                own[int(np.flatnonzero(hands.rows == place)[0])] = 1.0
                won, lost = hands.masses(own, one)
                controls[number, 1] = won - lost - leave * float(range_ @ balance)
        return ActionValues(
            actions=every,
            probabilities=np.array([chances.get(action, 0.0) for action in every]),
            by_board=by_board,
            controls=controls,
            weight=leave * float(range_.sum()),
            exact=whole,
            range_assumed=assumed,
        )

    def _runouts(
        self, state: State, hole: Cards, rng: np.random.Generator
    ) -> tuple[list[Cards], bool]:
        """Whole boards that continue the state's, and whether they are all of them."""
        seen, end = state.board, self.game.board_ends[-1]
        rest = [card for card in self.game.deck if card not in (*hole, *seen)]
        missing = end - len(seen)
        if comb(len(rest), missing) <= max(self.boards, MOST_RUNOUTS):
            # Which of the cards to come is in which round does not matter where one round is left.
            rounds = sum(end_ > len(seen) for end_ in self.game.board_ends)
            if rounds <= 1:
                return [(*seen, *added) for added in combinations(rest, missing)], True
        drawn = [rng.permutation(np.array(rest))[:missing].tolist() for _ in range(self.boards)]
        return [(*seen, *added) for added in drawn], False

    def _evaluation(
        self,
        after: State,
        state: State,
        action: Action,
        place: int,
        range_: Floats,
        assumed: bool,
    ) -> _Evaluation:
        """How the state after an action is evaluated on a board."""
        seat = state.actor
        if after.actor < 0:
            return _Over(after, seat, place, range_)
        if isinstance(self.policy, CompletedPolicy):
            found = self._planned(self.policy, state, action, place, range_, assumed)
            if found is not None:
                return found
        return _Asked(self.policy, after, seat, place, range_)

    def _planned(
        self,
        policy: CompletedPolicy,
        state: State,
        action: Action,
        place: int,
        range_: Floats,
        assumed: bool,
    ) -> _Planned | None:
        """The plan of the subtree after an action; None if impossible."""
        rows, seat = policy_rows(self.game), state.actor
        mine = policy.place(state, seat).after(action, own=True).beliefs(rows)
        own = {branch: float(weight[place]) for branch, weight in mine.items() if weight[place] > 0}
        total = sum(own.values())
        if total <= 0:
            return None
        other = policy.place(state, 1 - seat)
        position = other.read if assumed else other.played
        seen = other.walker.after(position, action, own=False).beliefs
        possible = range_ > 0
        theirs = {branch: np.where(possible, weight, 0.0) for branch, weight in seen.items()}
        theirs = {branch: weight for branch, weight in theirs.items() if weight.any()}
        after = state.apply(action)
        plan = self._plan(policy.agent, after, seat, (tuple(own), tuple(theirs)))
        if plan is None:
            return None
        begin = np.zeros((len(own) + len(theirs), rows))
        first = 0 if seat == 0 else len(theirs)
        begin[first : first + len(own), place] = [weight / total for weight in own.values()]
        second = len(own) if seat == 0 else 0
        begin[second : second + len(theirs)] = list(theirs.values())
        evaluator = PlanEvaluator((policy.agent, policy.agent), plan)
        return _Planned(evaluator, begin, 1.0 if seat == 0 else -1.0)

    def _plan(
        self,
        agent: StrategyAgent,
        after: State,
        seat: int,
        branches: tuple[Sequence[Branch], Sequence[Branch]],
    ) -> JointPlan | None:
        key = after.betting, seat, branches
        if key not in self._plans:
            if len(self._plans) >= _PLANS_KEPT:
                self._plans.clear()
            by_seat = branches if seat == 0 else branches[::-1]
            self._plans[key] = _plan_below(agent, after, by_seat)
        return self._plans[key]


def _plan_below(
    agent: StrategyAgent, after: State, branches: tuple[Sequence[Branch], Sequence[Branch]]
) -> JointPlan | None:
    """The plan of the subtree; later rounds omit a defence, which has no plan."""
    try:
        return JointPlan.below((agent, agent), after, branches)
    except NoPlan:
        if agent.translation.defends(after) or agent.translation.defend == "never":
            return None
    plain = StrategyAgent(
        agent.name,
        agent.strategy,
        bucketing=agent.bucketing,
        translation=replace(agent.translation, defend="never"),
    )
    try:
        return JointPlan.below((plain, plain), after, branches)
    except NoPlan:
        return None


def _plain(state: State) -> tuple[Action, ...]:
    """Fold and call, whose values are always reported."""
    return (0, 1) if state.can_fold else (1,)


@dataclass(frozen=True)
class _Over:
    """The hand is over: a fold, or a showdown after all cards."""

    state: State
    seat: int
    place: int
    range_: Floats

    def __call__(self, hands: BoardHands, board: Cards) -> float:
        return _end(self.state, self.seat, hands, *_rows_on(hands, self.place, self.range_))


@dataclass(frozen=True)
class _Planned:
    """Two strategy agents by their plan."""

    evaluator: PlanEvaluator
    begin: Floats
    sign: float

    def __call__(self, hands: BoardHands, board: Cards) -> float:
        begin = np.ascontiguousarray(self.begin[:, hands.rows])
        return self.sign * float(self.evaluator.totals(hands, board, begin)[0])


@dataclass(frozen=True)
class _Asked:
    """Any policy, queried at every later history."""

    policy: Policy
    after: State
    seat: int
    place: int
    range_: Floats

    def __call__(self, hands: BoardHands, board: Cards) -> float:
        total, asked = 0.0, 0
        own, theirs = _rows_on(hands, self.place, self.range_)
        nobody = Deal(((),) * self.after.game.players, board)
        stack = [(self.after.with_deal(nobody), own, theirs)]
        while stack:
            state, mine, others = stack.pop()
            if state.actor < 0:
                total += _end(state, self.seat, hands, mine, others)
                continue
            asked += 1
            if asked > MOST_HISTORIES:
                raise DoyleError(
                    f"more than {MOST_HISTORIES:,} histories follow one action; this policy is too "
                    "slow to be asked about this decision"
                )
            actions, shares = self.policy.probabilities(state.public())
            for column, action in enumerate(actions):
                share = shares[hands.rows, column]
                if state.actor == self.seat:
                    here, there = mine * share, others
                else:
                    here, there = mine, others * share
                if here.any() and there.any():
                    stack.append((state.apply(action), here, there))
        return total


def _rows_on(hands: BoardHands, place: int, range_: Floats) -> tuple[Floats, Floats]:
    """The player's one hand and the range, in the order of the hands of a board."""
    own = (hands.rows == place).astype(np.float64)
    return own, range_[hands.rows]


def _end(state: State, seat: int, hands: BoardHands, own: Floats, theirs: Floats) -> float:
    """The player's winnings in a finished hand, summed over the range."""
    if state.is_showdown:
        won, lost = hands.masses(own, theirs)
        return min(state.spent) * (won - lost)
    amount = -state.spent[seat] if state.folded[seat] else state.spent[1 - seat]
    return amount * hands.mass(own, theirs)
