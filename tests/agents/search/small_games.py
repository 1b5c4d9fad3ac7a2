"""Searching agents in games so small that best responses to the whole of them are exact."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.agents.search import SearchAgent, SearchSettings
from doyle.cards.suits.relabelling import SAME_SUITS
from doyle.games import Action, Game, State
from doyle.games.policies import ReachByWalking
from doyle.measuring.strategies import policy_profile
from doyle.solving.games import outline, poker_game
from doyle.solving.games.small_games import small_game
from doyle.solving.vector import GuardName, VectorSolver

Floats = npt.NDArray[np.float64]

GAME = Game.named("leduc-nl12")


class SolvedPolicy(ReachByWalking):
    """The average strategy of so many iterations in the whole game of a betting model."""

    def __init__(self, model: str, iterations: int) -> None:
        self.name = f"{model} after {iterations}"
        parts = outline(BettingModel.parse(model), State.start(GAME), suits=(SAME_SUITS,))
        self.game = poker_game(parts)
        self.solver = VectorSolver(self.game, precision="double")
        self.solver.advance(iterations)

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        tree = self.game.tree
        node = tree.find(state.betting)
        board, _ = self.game.boards.find([state.board] if state.board else [])
        return tuple(tree.actions_of(node).tolist()), self.solver.probabilities(node, board)


@lru_cache(maxsize=8)
def blueprint(model: str = "fcpa", iterations: int = 8) -> SolvedPolicy:
    """Play that a few iterations leave far from equilibrium."""
    return SolvedPolicy(model, iterations)


def searching(
    guard: GuardName,
    *,
    iterations: int,
    under: SolvedPolicy | None = None,
    model: str = "fcpa",
    first_round: int = 1,
    limited: bool = False,
    lean: float = 10.0,
    choose: str = "other",
) -> SearchAgent:
    """An agent that solves the second round of Leduc again; or both, the first perhaps to a depth limit."""
    settings = SearchSettings(
        guard=guard, iterations=(iterations,), floor=0.0, lean=lean, choose=choose
    )
    return SearchAgent(
        f"search by {guard}",
        under or blueprint(),
        GAME,
        settings,
        models={round_: BettingModel.parse(model) for round_ in range(first_round, 2)},
        first_round=first_round,
        precision="double",
        limited=(0,) if limited else (),
    )


def responses(policy: object, model: str = "fcpa") -> tuple[float, float]:
    """What the best responses of both seats win from a policy, exactly, in chips."""
    tree = BettingTree.build(BettingModel.parse(model), GAME)
    small = small_game(GAME, tree, lossless=False)
    profile = policy_profile(small, (policy, policy))  # type: ignore[arg-type]
    first, second = profile.best_response_values
    return first, second
