"""`LoadedAgent`: a strategy that plays, is looked into and is measured; `AgentDecision`: one place.

An agent that was loaded by its text travels to other processes as that text, and they read the same
files; the digest of its tables must then still be the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from doyle.agents.named_strategy import NamedStrategy, named_strategy
from doyle.agents.options import agent_of
from doyle.agents.strategy_agent import StrategyAgent
from doyle.cards import HOLE_COUNT, HOLES, format_card, format_cards, parse_cards
from doyle.cards.grid import grid_means, hand_name
from doyle.display import Cell, Share, grid_html, table_html
from doyle.errors import DoyleError
from doyle.games import Action, Deal, Game, State, View
from doyle.histories import format_betting, parse_betting
from doyle.strategy import Point, Strategy, StrategyInfo, TableStrategy

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
        """The name of its card abstraction; None where it tells all cards apart."""
        return self._named.cards

    @property
    def translation(self) -> str:
        """The name of what reads bets outside its betting tree."""
        return self._named.translation_name

    @property
    def tables(self) -> TableStrategy:
        """The strategy as it was solved."""
        return self._named.tables

    @property
    def strategy(self) -> Strategy:
        """The strategy as it is played: purified or thresholded as its file or options say."""
        return self._named.played

    @property
    def info(self) -> StrategyInfo:
        """What its file says of how it was made, is played and was measured."""
        return self.tables.info

    @property
    def history(self) -> tuple[Point, ...]:
        """How the solve converged, as far as its file says."""
        return self.info.history

    @cached_property
    def _agent(self) -> StrategyAgent:
        return agent_of(self._named)

    def act(self, view: View) -> Action:
        """Draw an action with the probabilities of this hand."""
        return self._agent.act(view)

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """Actions, and probabilities[hand, action], at a public state that knows its board."""
        return self._agent.probabilities(state)

    def reach(self, state: State, seat: int) -> Floats:
        """The probability of the seat's own actions so far, for every hand."""
        return self._agent.reach(state, seat)

    def at(self, history: str = "", board: str = "") -> AgentDecision:
        """What it plays after a betting text such as `cr300` or `cc/r200`, on a board."""
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
        actions, probabilities = self.probabilities(state)
        return AgentDecision(state, actions, probabilities, self.reach(state, state.actor))

    def _repr_html_(self) -> str:
        return self.at()._repr_html_()

    def __repr__(self) -> str:
        return f"LoadedAgent({self.name!r}, {self.game.name!r})"

    def __reduce__(self) -> tuple[object, ...]:
        origin = self.tables.origin
        if self._text is None or origin is None:
            return LoadedAgent, (self._named,)
        return _loaded_again, (self._text, origin.digest)


@dataclass(frozen=True, eq=False)
class AgentDecision:
    """What an agent plays at one public state, for every hand."""

    state: State
    actions: tuple[Action, ...]
    probabilities: Floats
    """[hands, actions]: 1,326 hole pairs in Hold'em, or the cards of a small deck."""
    reach: Floats
    """For every hand, the probability that the seat's own actions led here."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The actions as people say them: fold, check, call, raise 300, all-in."""
        return tuple(self.state.action_name(action) for action in self.actions)

    @cached_property
    def frequencies(self) -> Floats:
        """How often each action is taken over the hands that come here."""
        weights = self.reach * self._possible
        total = weights.sum()
        if total <= 0:
            return np.full(len(self.actions), np.nan)
        return np.asarray(weights @ self.probabilities / total)

    @cached_property
    def _possible(self) -> npt.NDArray[np.bool_]:
        board = self.state.board
        if len(self.reach) == HOLE_COUNT:
            return np.asarray(~np.isin(HOLES, board).any(axis=1))
        return np.array([card not in board for card in self.state.game.deck])

    def __repr__(self) -> str:
        shares = ", ".join(
            f"{name} {share:.1%}" for name, share in zip(self.names, self.frequencies, strict=True)
        )
        return f"AgentDecision({format_betting(self.state)!r}: {shares})"

    def _repr_html_(self) -> str:
        where = (
            f"after {format_betting(self.state)!r}" if self.state.action_count else "first to act"
        )
        board = f" on {format_cards(self.state.board)}" if self.state.board else ""
        title = f"{where}{board}, seat {self.state.actor}"
        return self._grid(title) if len(self.reach) == HOLE_COUNT else self._cards(title)

    def _grid(self, title: str) -> str:
        weights = self.reach * self._possible
        held = grid_means(HOLES, self.reach[:, None], self._possible.astype(np.float64))
        shares = grid_means(HOLES, self.probabilities, weights) * held
        rows = [
            [
                Cell(hand_name(row, column), list(map(Share, self.names, shares[row, column])))
                for column in range(13)
            ]
            for row in range(13)
        ]
        return grid_html(title, rows, list(map(Share, self.names, self.frequencies)))

    def _cards(self, title: str) -> str:
        deck = self.state.game.deck
        rows = [
            [format_card(card), *(f"{share:.3f}" for share in self.probabilities[place])]
            for place, card in enumerate(deck)
            if self._possible[place] and self.reach[place] > 0
        ]
        return table_html(["hand", *self.names], rows, title=title)


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
