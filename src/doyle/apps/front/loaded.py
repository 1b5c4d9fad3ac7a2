"""`LoadedAgent`: a strategy that plays, is looked into and is measured.

An agent that was loaded by its text travels to other processes as that text, and they read the same
files; the digest of its tables must then still be the same.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from doyle.agents.named_strategy import NamedStrategy, named_strategy
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.errors import DoyleError
from doyle.cards import parse_cards
from doyle.games import Action, Deal, Game, State, View
from doyle.games.histories import parse_betting
from doyle.strategy import PlaceView, Point, Strategy, StrategyInfo, TableStrategy

Floats = npt.NDArray[np.float64]


class LoadedAgent:
    """An agent (`act`) and a policy (`probabilities`, `reach`) made from a strategy.

    It shows the grid of its first decision in notebooks; `at` gives any other one.
    """

    def __init__(self, named: NamedStrategy, *, text: str | None = None) -> None:
        """`text` names the agent in other processes; without one the tables travel themselves."""
        self._named = named
        self._text = text

    @property
    def name(self) -> str:
        return self._named.name

    @property
    def game(self) -> Game:
        return self._named.game

    @property
    def cards(self) -> str | None:
        """The name of its card abstraction; None if all cards are distinguished."""
        return self._named.cards

    @property
    def translation(self) -> str:
        """The name of its translation of bets outside its betting tree."""
        return self._named.translation_name

    @property
    def tables(self) -> TableStrategy:
        """The strategy as it was solved."""
        return self._named.tables

    @property
    def strategy(self) -> Strategy:
        """The strategy as it is played: purified or thresholded by its file or options."""
        return self._named.played

    @property
    def info(self) -> StrategyInfo:
        """The metadata of its file: solve, play options and measurements."""
        return self.tables.info

    @property
    def history(self) -> tuple[Point, ...]:
        """The convergence of the solve, as far as its file records it."""
        return self.info.history

    @cached_property
    def _agent(self) -> StrategyAgent:
        return self._named.agent()

    def act(self, view: View) -> Action:
        """Draw an action with the probabilities of this hand."""
        return self._agent.act(view)

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """Actions, and probabilities[hand, action], at a public state that knows its board."""
        return self._agent.probabilities(state)

    def reach(self, state: State, seat: int) -> Floats:
        """The probability of the seat's own actions so far, for every hand."""
        return self._agent.reach(state, seat)

    def at(self, history: str = "", board: str = "") -> PlaceView:
        """Its play after a betting text such as `cr300` or `cc/r200`, on a board."""
        game = self.game
        cards = parse_cards(board, what="board")
        state = parse_betting(game, history, what="history")
        if state.is_over:
            raise DoyleError(f"history {history!r}: the hand is over there")
        needed = game.board_ends[state.round]
        if len(cards) != needed:
            raise DoyleError(
                f"board {board!r}: {len(cards)} cards; after {history!r} there are {needed}"
            )
        state = state.with_deal(Deal(((),) * game.players, cards))
        return PlaceView.of_policy(self, state)

    def _repr_html_(self) -> str:
        return self.at()._repr_html_()

    def __repr__(self) -> str:
        return f"LoadedAgent({self.name!r}, {self.game.name!r})"

    def __reduce__(self) -> tuple[object, ...]:
        origin = self.tables.origin
        if self._text is None or origin is None:
            return LoadedAgent, (self._named,)
        return _loaded_again, (self._text, origin.digest)


def agent_of_tables(name: str, tables: TableStrategy) -> LoadedAgent:
    """An agent from tables that were just solved."""
    return LoadedAgent(NamedStrategy(name, name, tables, {}))


@lru_cache(maxsize=8)
def _loaded_again(text: str, digest: str) -> LoadedAgent:
    """The agent in another process, if its files are still the same."""
    named = named_strategy(text)
    if named is None or named.tables.origin is None or named.tables.origin.digest != digest:
        raise DoyleError(f"agent {text!r}: its strategy was built again meanwhile; load it again")
    return LoadedAgent(named, text=text)
