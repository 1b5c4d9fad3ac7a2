"""Coaches: strategy (1) until bets come up that only strategy (2) has, then (2) to the end of the hand.

The Defensive Coach "plays strategy (1) until a half-pot bet is observed from the opponent, at which point
it switches to strategy (2). The Full Coach plays the same as the Defensive Coach except that it also
switches to strategy (2) if that strategy suggests making a half-pot bet with some probability (> 0.001)"
(Schnizlein 2009, section 5.5). Here the two are any strategies of one game: the *new bets* are the sizes
that the model of (2) has and that of (1) lacks. A real bet is new if the nearest size, as a fraction of the
pot, that (2) has at its own place in the tree is new; of two as near, the smaller. An all-in is
never new.

The Full Coach returns to (1) if (2) suggests no new bet, as long as the opponent has made no new
bet: against (1) "it switches between the strategies more frequently since its opponent never makes
a half-pot bet" (ibid.), which one switch a hand would not do.

Each strategy takes over in the middle of a hand: actions of the other that it would not have made are read as an
opponent's would be (`CompletedPolicy`). That is assumed, and decides how well coaches do, so other readings are kept
(`Coach`, `OwnBets`). When the Defensive Coach switches is public; when the Full Coach does depends on its hand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from itertools import chain
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingTree
from doyle.agents.completed_policy import CompletedPolicy
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.errors import DoyleError
from doyle.games import CALL, Action, Game, State, View
from doyle.games.policies import (
    Floats,
    ReachByWalking,
    check_decision,
    decisions_of,
    policy_row,
    policy_rows,
)
from doyle.strategy.translation.steps import waiting

LEAST_SUGGESTED = 0.001
"""Above this probability of a new bet the Full Coach switches."""

OwnBets = Literal["ignored", "made", "made-or-call", "stay"]
"""The treatment of new bets that (2) suggests.

`ignored`: no effect, as in the Defensive Coach. `made`: (2) plays this decision, as with the Full
Coach. `made-or-call`: the same, but (1) calls after a bet of (2) that it would not have made.
`stay`: (2) plays from here on."""

Play = Callable[[State], tuple[tuple[Action, ...], Floats]]

SELDOM = 0.001
"""Below this reach, hands of a strategy are hardly trained at a place."""

_KEPT = 1 << 10


class Coach(ReachByWalking):
    """Two strategy agents of one game, with the rule for when the second plays.

    A coach that `returns` lets (2) answer a new bet and then continues with (1). With `least_reach`
    a strategy that takes over plays its actions uniformly with hands of lower reach there.
    """

    def __init__(
        self,
        name: str,
        first: StrategyAgent,
        second: StrategyAgent,
        *,
        own_bets: OwnBets = "ignored",
        returns: bool = False,
        least_reach: float = 0.0,
    ) -> None:
        if first.game != second.game:
            raise DoyleError(
                f"agent {name!r}: {first.name} plays {first.game.name} and {second.name} "
                f"{second.game.name}; a coach needs two strategies of one game"
            )
        self.name, self.first, self.second, self.own_bets = name, first, second, own_bets
        self.returns, self.least_reach = returns, least_reach
        self.new_sizes = tuple(_new_sizes(name, first, second, seat) for seat in (0, 1))
        self._cache = second.make_cache(1 << 14)
        self._first_takes_over = own_bets == "made" or returns
        begins = self._taking_over(first) if self._first_takes_over else first.probabilities
        self._first = lru_cache(_KEPT)(begins)
        self._second = lru_cache(_KEPT)(self._taking_over(second))
        self._switched = lru_cache(_KEPT)(self._switched_at)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (
            self.name, self.first, self.second, self.own_bets, self.returns, self.least_reach
        )  # fmt: skip

    @property
    def game(self) -> Game:
        return self.first.game

    def act(self, view: View) -> Action:
        """The action of the strategy in charge; (1) draws as without a coach until (2) has
        played."""
        state, row = view.state, policy_row(self.game, view.hole)
        seconds = self.switched(state)[row]
        if not seconds and not self._first_takes_over:
            return self.first.act(view)
        actions, shares = self._second(state) if seconds else self._first(state)
        chosen = view.rng().choice(len(actions), p=shares[row] / shares[row].sum())
        return actions[int(chosen)]

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """As in `Policy`."""
        check_decision(state)
        second_plays = self.switched(state)
        if not second_plays.any():
            return self._first(state)
        if second_plays.all():
            return self._second(state)
        answers = self._first(state), self._second(state)
        actions = tuple(sorted({*answers[0][0], *answers[1][0]}))
        table = np.zeros((policy_rows(self.game), len(actions)))
        for (known, shares), here in zip(answers, (~second_plays, second_plays), strict=True):
            for column, action in enumerate(known):
                table[here, actions.index(action)] = shares[here, column]
        return actions, table

    def switched(self, state: State) -> npt.NDArray[np.bool_]:
        """For every hand of the actor, whether (2) plays at this decision; the state needs its board."""
        return self._switched(state.public())

    def is_new(self, state: State, action: Action) -> bool:
        """Whether a real action of the actor is a bet that only the second model has."""
        if action <= CALL or action >= state.game.stacks[state.actor]:
            return False
        tree, node = self.second.strategy.tree, self._cache.likeliest(state)
        if waiting(tree, node, state):
            return False
        size = (action - state.largest) / (state.pot + state.to_call)
        sizes = _sizes(tree, node, state)
        if not sizes:
            return False
        nearest, all_in = min(sizes, key=lambda entry: (abs(entry[0] - size), entry[0]))
        model = self.second.strategy.tree.model.of_seat(state.actor)
        named = min((float(bet.fraction) for bet in model.bets), key=lambda x: abs(x - nearest))
        return not all_in and named in self.new_sizes[state.actor]

    def _switched_at(self, state: State) -> npt.NDArray[np.bool_]:
        seat, now = state.actor, State.start(state.game)
        answering = False
        for action in chain.from_iterable(state.betting):
            is_new = now.actor != seat and self.is_new(now, action)
            answering = is_new or (answering and not self.returns)
            now = now.apply(action)
        if answering:
            return np.ones(policy_rows(self.game), bool)
        if self.own_bets == "ignored":
            return np.zeros(policy_rows(self.game), bool)
        chosen = self._suggested(state)
        if self.own_bets == "stay":
            for before, _ in decisions_of(state, seat):
                chosen = chosen | self._suggested(before)
        return chosen

    def _taking_over(self, agent: StrategyAgent) -> Play:
        """How a strategy plays that has not played the hand from its beginning."""
        completed = CompletedPolicy(agent)
        if not self.least_reach:
            return completed.probabilities

        def play(state: State) -> tuple[tuple[Action, ...], Floats]:
            check_decision(state)
            place = completed.place(state, state.actor)
            actions, shares = place.probabilities(policy_rows(self.game))
            seldom = place.played.reach() + np.zeros(len(shares)) < self.least_reach
            return actions, np.where(seldom[:, None], 1.0 / len(actions), shares)

        return play

    def _suggested(self, state: State) -> npt.NDArray[np.bool_]:
        """The hands with which (2) would make a new bet."""
        actions, shares = self._second(state.public())
        columns = [n for n, action in enumerate(actions) if self.is_new(state, action)]
        return np.asarray(shares[:, columns].sum(axis=1) > LEAST_SUGGESTED)


def _sizes(tree: BettingTree, node: int, state: State) -> list[tuple[float, bool]]:
    """The raises of a decision as fractions of the pot, each with whether it is all-in."""
    spent: list[int] = tree.spent[node].tolist()
    bet, stack = max(spent), state.game.stacks[state.actor]
    pot = sum(spent) + bet - spent[int(tree.actor[node])]
    real = (stack - state.largest) / (state.pot + state.to_call)
    return [
        (real, True) if total >= stack else ((total - bet) / pot, False)
        for total in tree.actions_of(node).tolist()
        if total > CALL
    ]


def _new_sizes(name: str, first: StrategyAgent, second: StrategyAgent, seat: int) -> set[float]:
    models = [agent.strategy.tree.model.of_seat(seat) for agent in (first, second)]
    for agent, model in zip((first, second), models, strict=True):
        if model.kind != "pot":
            raise DoyleError(
                f"agent {name!r}: {agent.name} bets by the model {model}, which has no sizes of the pot"
            )
    known, later = ({bet.fraction for bet in model.bets} for model in models)
    return {float(fraction) for fraction in later - known}


def _made(
    name: str,
    first: StrategyAgent,
    second: StrategyAgent,
    own_bets: OwnBets,
    returns: bool,
    least_reach: float,
) -> Coach:
    return Coach(name, first, second, own_bets=own_bets, returns=returns, least_reach=least_reach)


READINGS: dict[str, Callable[..., Coach]] = {
    "defensive-coach": Coach,
    "defensive-coach-returns": partial(Coach, returns=True),
    "defensive-coach-untrained": partial(Coach, least_reach=SELDOM),
    "full-coach": partial(Coach, own_bets="made"),
    "full-coach-calls": partial(Coach, own_bets="made-or-call"),
    "full-coach-stays": partial(Coach, own_bets="stay"),
}
"""Coaches by name: how each reads the paper's definition."""
