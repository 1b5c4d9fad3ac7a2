"""The least that a remembering agent wins in Kuhn poker: a minimax over all adaptive opponents.

The opponents are the strongest there can be: they know the agent's memory before every hand, and so the
strategy it will play, and choose the play that is worst for it over all remaining hands. Only the
opponent observes its play with one card, so each card is solved separately.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from doyle.agents.adaptive.safe import Memory, SafeExploiter
from doyle.agents.adaptive.small_game_model import PlayedHand
from doyle.games import Deal, State

Floats = npt.NDArray[np.float64]


class LeastTotal:
    """An agent's expected winnings in one seat of Kuhn against its worst opponent."""

    def __init__(self, agent: SafeExploiter, seat: int) -> None:
        self.agent, self.seat, self.game = agent, seat, agent.game
        self._known: dict[tuple[object, ...], float] = {}

    def over(self, hands: int) -> float:
        """Chips over so many hands, in all."""
        return self._after(self.agent.empty_memory(), hands)

    def _after(self, memory: Memory, left: int) -> float:
        if left == 0:
            return 0.0
        key = (left, round(memory.budget, 12), *map(bytes, np.round(memory.counts, 10)))
        if key not in self._known:
            self._known[key] = self._worst(memory, self.agent.response(memory, self.seat), left)
        return self._known[key]

    def _worst(self, memory: Memory, behaviour: Floats, left: int) -> float:
        total = 0.0
        for theirs in self.game.deck:
            start = [(mine, 1.0 / 6.0) for mine in self.game.deck if mine != theirs]
            total += self._walk(memory, behaviour, left, theirs, State.start(self.game), start)
        return total

    def _walk(
        self,
        memory: Memory,
        behaviour: Floats,
        left: int,
        theirs: int,
        state: State,
        reached: list[tuple[int, float]],
    ) -> float:
        """Sums over the cards that the agent may hold; the opponent's action is the worst for it."""
        if state.is_over:
            return sum(weight * self._ended(memory, behaviour, left, theirs, state, mine)
                       for mine, weight in reached if weight > 0)  # fmt: skip
        if state.actor != self.seat:
            return min(
                self._walk(memory, behaviour, left, theirs, state.apply(action), reached)
                for action in state.legal_actions()
            )
        total = 0.0
        for action in state.legal_actions():
            after_action = []
            for mine, weight in reached:
                actions, row = self.agent.table.row(state, (mine,), behaviour)
                after_action.append((mine, weight * row[actions.index(action)]))
            total += self._walk(memory, behaviour, left, theirs, state.apply(action), after_action)
        return total

    def _ended(
        self, memory: Memory, behaviour: Floats, left: int, theirs: int, state: State, mine: int
    ) -> float:
        holes = ((mine,), (theirs,)) if self.seat == 0 else ((theirs,), (mine,))
        end = state.with_deal(Deal(holes, ()))
        won = float(end.payoffs()[self.seat])
        if left == 1:
            return won
        hand = PlayedHand.of(end.view(self.seat))
        return won + self._after(self.agent.after(memory, hand, behaviour), left - 1)
