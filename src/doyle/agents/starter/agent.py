"""The agent `starter` of a game: a shipped strategy for two players, plain arithmetic for three."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from doyle.agents.expected_value import best_action
from doyle.games import Action, Agent, Game, State, View
from doyle.games.policies import Floats, ReachByWalking, check_decision, policy_row

if TYPE_CHECKING:
    from doyle.agents.starter.buckets import StarterBuckets

STARTER = "starter"

STRATEGIES = {"holdem-nl-200bb": "nl.npz", "holdem-limit-2p": "limit.npz"}
STARTER_GAMES = (*STRATEGIES, "holdem-limit-3p")

TRANSLATION = "rand-pshar"
THRESHOLD = 0.15
"""As published for Tartanian4: lower probabilities are mostly noise of a short solve."""


def starter_agent(game: Game) -> Agent | None:
    """The agent that comes with the package for `game`; None if absent."""
    name = next((name for name in STARTER_GAMES if Game.named(name) == game), None)
    if name is None:
        return None
    if name not in STRATEGIES:
        return HandStrength()
    from doyle.agents.starter.files import FOLDER, read_strategy
    from doyle.agents.strategy_agent import StrategyAgent
    from doyle.strategy import Thresholded
    from doyle.strategy.translation.named_translations import named_translation

    return StrategyAgent(
        STARTER,
        Thresholded(read_strategy(FOLDER / STRATEGIES[name]), THRESHOLD),
        bucketing=_buckets(),
        translation=named_translation(TRANSLATION),
    )


class HandStrength(ReachByWalking):
    """Values its actions as `ev` does, with the root of E[HS^2] of the hand's bucket for its equity.

    It therefore values draws slightly higher than `ev`, and needs no strength atlas.
    """

    name = STARTER

    def act(self, view: View) -> Action:
        place = policy_row(view.state.game, view.hole)
        return best_action(view.state, float(_strengths(view.board)[place]))

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """The one action of every hand; hands that collide with the board take strength 0."""
        check_decision(state)
        distinct, places = np.unique(_strengths(state.board), return_inverse=True)
        chosen = np.array([best_action(state, value) for value in distinct.tolist()])
        actions = tuple(sorted(set(chosen.tolist())))
        return actions, (chosen[places.reshape(-1), None] == actions).astype(np.float64)


@lru_cache(maxsize=1)
def _buckets() -> StarterBuckets:
    from doyle.agents.starter.files import FOLDER, read_buckets

    return read_buckets(FOLDER / "buckets.npz")


@lru_cache(maxsize=512)
def _strengths(board: tuple[int, ...]) -> Floats:
    return _buckets().strengths(board)
