"""Coaches: strategy (1) until bets come up that only strategy (2) has, then (2) to the end of the hand.

The Defensive Coach "plays strategy (1) until a half-pot bet is observed from the opponent, at which point
it switches to strategy (2). The Full Coach plays the same as the Defensive Coach except that it also
switches to strategy (2) if that strategy suggests making a half-pot bet with some probability (> 0.001)"
(Schnizlein 2009, section 5.5). Here the two are any strategies of one game: the *new bets* are the sizes
that the model of (2) has and that of (1) lacks. A real bet is new if the nearest size, as a fraction of the
pot, that (2) has where it takes itself to be is new; of two as near, the smaller. An all-in is never new.

The Full Coach returns to (1) where (2) suggests no new bet, as long as the opponent has made none: against (1) "it
switches between the strategies more frequently since its opponent never makes a half-pot bet" (ibid.), which one
switch a hand would not do.

Each strategy takes over in the middle of a hand: actions of the other that it would not have made are read as an
opponent's would be (`CompletedPolicy`). That is assumed, and decides how well the Full Coach does, so two other readings
are kept (`OwnBets`). When the Defensive Coach switches is public; when the Full Coach
does depends on its hand.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from doyle.agents.completed_policy import CompletedPolicy
from doyle.agents.strategy_agent import StrategyAgent
from doyle.betting import BettingTree
from doyle.errors import DoyleError
from doyle.games import CALL, Action, Game, State, View
from doyle.games.policies import (
    Floats,
    ReachByWalking,
    check_decision,
    decisions_of,
    policy_row,
    policy_rows,
)
from doyle.translation.steps import waiting

LEAST_SUGGESTED = 0.001
"""Above this probability of a new bet the Full Coach switches."""

OwnBets = Literal["ignored", "made", "made-or-call", "stay"]
"""What is made of new bets that (2) suggests.

`ignored`: nothing, as the Defensive Coach. `made`: (2) plays this decision, as with the Full Coach. `made-or-call`: the same, but
(1) calls after a bet of (2) that it would not have made. `stay`: (2) plays from here on."""

_KEPT = 1 << 10


class Coach(ReachByWalking):
    """Two strategy agents of one game, and what the new bets that the second suggests are worth."""

    def __init__(
        self,
        name: str,
        first: StrategyAgent,
        second: StrategyAgent,
        *,
        own_bets: OwnBets = "ignored",
    ) -> None:
        if first.game != second.game:
            raise DoyleError(
                f"agent {name!r}: {first.name} plays {first.game.name} and {second.name} "
                f"{second.game.name}; a coach needs two strategies of one game"
            )
        self.name, self.first, self.second, self.own_bets = name, first, second, own_bets
        self.new_sizes = tuple(_new_sizes(name, first, second, seat) for seat in (0, 1))
        self._cache = second.make_cache(1 << 14)
        reads = own_bets == "made"
        self._first = lru_cache(_KEPT)((CompletedPolicy(first) if reads else first).probabilities)
        self._second = lru_cache(_KEPT)(CompletedPolicy(second).probabilities)
        self._switched = lru_cache(_KEPT)(self._switched_at)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.name, self.first, self.second, self.own_bets)

    @property
    def game(self) -> Game:
        return self.first.game

    def act(self, view: View) -> Action:
        """What the strategy in charge does; (1) draws as it would without a coach until (2) has played."""
        state, row = view.state, policy_row(self.game, view.hole)
        seconds = self.switched(state)[row]
        if not seconds and self.own_bets != "made":
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
        for action in chain.from_iterable(state.betting):
            if now.actor != seat and self.is_new(now, action):
                return np.ones(policy_rows(self.game), bool)
            now = now.apply(action)
        if self.own_bets == "ignored":
            return np.zeros(policy_rows(self.game), bool)
        chosen = self._suggested(state)
        if self.own_bets == "stay":
            for before, _ in decisions_of(state, seat):
                chosen = chosen | self._suggested(before)
        return chosen

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


def _made(name: str, first: StrategyAgent, second: StrategyAgent, own_bets: OwnBets) -> Coach:
    return Coach(name, first, second, own_bets=own_bets)
