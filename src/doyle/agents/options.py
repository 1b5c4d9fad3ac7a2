"""Agents made from named strategies."""

from __future__ import annotations

from functools import partial

from doyle.agents import equity
from doyle.agents.named_strategy import NamedStrategy, checked_text, named_strategy
from doyle.agents.strategy_agent import Equities, StrategyAgent
from doyle.building import load_agent_strategy, named_build
from doyle.errors import DoyleError
from doyle.games import Game


def strategy_agent(text: str, game: Game | None = None) -> StrategyAgent | None:
    """The agent of a strategy, in its own game unless one is given; None if no strategy is named."""
    named = named_strategy(text, check=lambda own: _check_game(text, own, game))
    return None if named is None else agent_of(named, game)


def names_a_strategy(text: str, game: Game) -> bool:
    """Whether `text` names a strategy; DoyleError if it plays another game. Nothing is built."""
    return checked_text(text, check=lambda own: _check_game(text, own, game)) is not None


def game_of_strategy(text: str) -> Game | None:
    """The game of the strategy that `text` names; None if it names none. Nothing is built."""
    checked = checked_text(text)
    if checked is None:
        return None
    description = named_build(checked[0])
    if description is not None:
        return Game.named(description.game.value)
    return load_agent_strategy(checked[0]).tree.game


def agent_of(named: NamedStrategy, game: Game | None = None) -> StrategyAgent:
    """The agent that plays a named strategy, in its own game unless one is given."""
    _check_game(named.text, named.game, game)
    return StrategyAgent(
        named.name,
        named.played,
        bucketing=named.bucketing,
        translation=named.translation,
        equities=None if named.translation.defend == "never" else _equities(named.game),
    )


def _check_game(text: str, own: Game, game: Game | None) -> None:
    if game is not None and own != game:
        raise DoyleError(
            f"agent {text!r} plays {own.name}, not {game.name}: stacks, blinds or bets differ"
        )


def _equities(game: Game) -> Equities:
    """The equities of a game; in Hold'em the strength atlas is built if it is not there."""
    equity.prepare(game)
    return partial(equity.equities, game)
