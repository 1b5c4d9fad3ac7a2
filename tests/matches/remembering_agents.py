"""Agents that remember, in a module so that other processes can import them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from doyle.games import CALL, Game, View


@dataclass
class Counting:
    """Calls and counts the hands that ended; its last action of a hand says how many there were.

    In no-limit Hold'em it opens with a raise to 200 plus the count, so that a log shows what it knew.
    """

    name: str = "counting"
    hands: int = field(default=0, init=False)
    showdowns: int = field(default=0, init=False)

    def start(self, game: Game, rng: np.random.Generator) -> None:
        self.hands = self.showdowns = 0

    def hand_over(self, view: View) -> None:
        self.hands += 1
        deal = view.state.deal
        assert deal is not None
        assert view.state.is_over
        assert len(view.board) == view.state.game.board_ends[view.state.round]
        for seat, cards in enumerate(deal.hole):
            shown = view.state.is_showdown and not view.state.folded[seat]
            assert bool(cards) == shown
        self.showdowns += view.state.is_showdown

    def act(self, view: View) -> int:
        state = view.state
        if state.game.betting != "limit" and not state.action_count and state.max_raise_to:
            return state.min_raise_to + self.hands
        return CALL


@dataclass
class Dicing:
    """Acts by the generator that it was given at the start of the match."""

    name: str = "dicing"

    def start(self, game: Game, rng: np.random.Generator) -> None:
        self.rng = rng

    def hand_over(self, view: View) -> None:
        self.rng.random()

    def act(self, view: View) -> int:
        state = view.state
        choices = [0] if state.can_fold else []
        choices += [CALL, *([state.min_raise_to] if state.max_raise_to else [])]
        return choices[self.rng.integers(len(choices))]


class Passing:
    """Plays as another agent, through the code path of those that remember."""

    def __init__(self, agent: object, name: str) -> None:
        self.agent = agent
        self.name = name

    def start(self, game: Game, rng: np.random.Generator) -> None:
        pass

    def hand_over(self, view: View) -> None:
        pass

    def act(self, view: View) -> int:
        return self.agent.act(view)  # type: ignore[attr-defined,no-any-return]
