"""Safe exploitation: responses to a model of the opponent that never risk more than has been won.

RWYWE, "risk what you've won in expectation" (Ganzfried and Sandholm 2012): a budget k starts at 0. Each
hand is played by the best response to the model among the strategies whose worst case is at least v - k,
where v is the value of the game for the seat. Then k grows by the worst case of the hand (over all of the
opponent's strategies that the hand does not rule out) less v. The opponent's true strategy is one of
these, so k never exceeds the expected winnings beyond v per hand; and since k is never below 0,
the expected total is never below hands times value against any opponent.

`best-equilibrium` is the same with k = 0 always: the best of all equilibria against the model.
`model-response` ignores k and plays a best response to the model; its possible loss is unbounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from doyle.agents.adaptive.small_game_model import PRIOR, PlayedHand, SmallTable
from doyle.base.errors import DoyleError
from doyle.games import Action, Game, State, View
from doyle.games.policies import Floats, ReachByWalking, check_decision

Risk = Literal["won", "nothing", "everything"]
RISKS: dict[str, Risk] = {
    "safe-exploiter": "won",
    "best-equilibrium": "nothing",
    "model-response": "everything",
}
"""The risk of each of the three agents."""

MOST_SEQUENCES = 20_000
"""Of a game in which a program is solved for every hand."""


@dataclass(frozen=True, eq=False)
class Memory:
    """The state after some hands: the budget, and counts of the opponent's play.

    `counts` has one array for each seat the opponent may sit in.
    """

    budget: float
    counts: tuple[Floats, Floats]


class SafeExploiter(ReachByWalking):
    """Plays within its budget; `risk` is its rule of risk. A policy between two hands."""

    def __init__(self, game: Game, *, name: str = "safe-exploiter", prior: float = PRIOR) -> None:
        if game.players != 2:
            raise DoyleError(f"agent {name!r}: plays games of two, not {game.name}")
        if prior <= 0:
            raise DoyleError(f"agent {name!r}: prior {prior:g}; expected a number above 0")
        self.name, self.game, self.prior = name, game, prior
        self.risk = RISKS[name]
        self.table = _table(name, game)
        self.memory = self.empty_memory()
        self._behaviours: dict[int, Floats] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.game, self.name, self.prior)

    # A match ----------------------------------------------------------------------------------

    def start(self, game: Game, rng: np.random.Generator) -> None:
        """A match begins with an empty memory."""
        self._remember(self.empty_memory())

    def act(self, view: View) -> Action:
        """Draw an action of this hand's response."""
        actions, row = self.table.row(view.state, view.hole, self._behaviour(view.seat))
        return actions[int(view.rng().choice(len(actions), p=row / row.sum()))]

    def hand_over(self, view: View) -> None:
        """Add a hand to the memory."""
        hand = PlayedHand.of(view)
        self._remember(self.after(self.memory, hand, self._behaviour(view.seat)))

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """As in `Policy`, with the memory of this moment."""
        check_decision(state)
        holes = list(combinations(self.game.deck, self.game.hole_cards))
        if self.game.hole_cards != 1:
            raise DoyleError(f"{self.game.name}: its policy is for games of one hole card")
        rows = self.table.policy_table(state, self._behaviour(state.actor), holes)
        return tuple(self.table.merged.tree.actions_of(self.table.node(state)).tolist()), rows

    # Memories ---------------------------------------------------------------------------------

    def empty_memory(self) -> Memory:
        """Before the first hand."""
        first, second = self.table.form.sizes
        return Memory(0.0, (np.zeros(first), np.zeros(second)))

    def model(self, memory: Memory, opponent: int) -> Floats:
        """The behaviour that is expected of the opponent in a seat."""
        counts = self.prior * self.table.equilibrium[opponent] + memory.counts[opponent]
        return self.table.form.behaviour(opponent, counts)

    def response(self, memory: Memory, seat: int) -> Floats:
        """The behaviour that is played with a memory."""
        form, programs, opponent = self.table.form, self.table.programs, 1 - seat
        model = form.realise(opponent, self.model(memory, opponent))
        if self.risk == "everything":
            found = programs.best(seat, model)
        else:
            budget = memory.budget if self.risk == "won" else 0.0
            found = programs.safe(seat, model, floor=programs.values[seat] - budget)
        return form.behaviour(seat, found.plan)

    def after(self, memory: Memory, hand: PlayedHand, behaviour: Floats) -> Memory:
        """The memory after a hand that was played by `behaviour`."""
        opponent = 1 - hand.seat
        counts = list(memory.counts)
        counts[opponent] = counts[opponent] + self.table.counted(hand, self.model(memory, opponent))
        budget = memory.budget
        if self.risk == "won":
            value = self.table.programs.values[hand.seat]
            budget = max(0.0, budget + self.table.worst_case(hand, behaviour) - value)
        return Memory(budget, (counts[0], counts[1]))

    def _remember(self, memory: Memory) -> None:
        self.memory = memory
        self._behaviours = {}

    def _behaviour(self, seat: int) -> Floats:
        found = self._behaviours.get(seat)
        if found is None:
            found = self._behaviours[seat] = self.response(self.memory, seat)
        return found


def _table(name: str, game: Game) -> SmallTable:
    try:
        table = SmallTable(game)
    except DoyleError:
        table = None
    if table is None or max(table.form.sizes) > MOST_SEQUENCES:
        raise DoyleError(
            f"agent {name!r}: {game.name} is too large for a program in every hand; kuhn and leduc are "
            "small enough"
        )
    return table


def _made(game: Game, name: str, prior: float) -> SafeExploiter:
    return SafeExploiter(game, name=name, prior=prior)
