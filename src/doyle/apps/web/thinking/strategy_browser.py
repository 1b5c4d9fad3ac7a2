"""A place in the betting as the explorer shows it: a strategy's play with every hand.

Runs in a thinking process. Hands are sent whole, so that the browser makes grids, frequencies and the
contents of buckets from one answer. Bets that the strategy's tree lacks are read by its translation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from doyle.abstractions.betting import BettingTree
from doyle.agents.completed_policy import CompletedPolicy, completed
from doyle.agents.strategy_agent import StrategyAgent
from doyle.apps.web.thinking.decisions import loaded_agent
from doyle.base.errors import DoyleError
from doyle.cards import parse_cards
from doyle.games import CALL, Action, Deal, Game, Policy, State
from doyle.games.histories import format_action, format_betting, parse_betting
from doyle.strategy import PlaceView
from doyle.strategy.translation.mappings import MAPPINGS
from doyle.strategy.translation.named_translations import named_translation

MOST_READINGS = 12


def explore(agent: str, game: str, betting: str, board: str) -> dict[str, Any]:
    """An agent's play after a betting string on a board."""
    rules = Game.named(game)
    if rules.players != 2 or not rules.is_holdem:
        raise DoyleError(f"game {game}: the explorer shows Hold'em for two players")
    cards = parse_cards(board, what="board")
    if len(cards) > 5:
        raise DoyleError(f"board: {len(cards)} cards; at most 5")
    state = parse_betting(rules, betting, deal=Deal(((), ()), cards))
    document = _public(state, agent, cards)
    if state.actor < 0 or document["needs_board"]:
        return document
    player = loaded_agent(agent, game)
    if not isinstance(player, Policy):
        raise DoyleError(f"agent {agent!r} does not report its probabilities")
    policy = completed(player)
    place = PlaceView.of_policy(policy, state, meeting=True)
    buckets = player.bucketing.buckets(state.board) if isinstance(player, StrategyAgent) else None
    document["actions"] = [
        _action(state, action, float(share))
        for action, share in zip(place.actions, np.nan_to_num(place.frequencies), strict=True)
    ]
    document["rows"], document["weights"] = place.rows(buckets)
    if isinstance(policy, CompletedPolicy):
        strategy = policy.agent.strategy
        document["bucket_count"] = strategy.bucket_count(state.round)
        document["readings"] = _readings(policy, state.public())
        document["model"] = str(strategy.tree.model)
    return document


def read_bet(agent: str, game: str, betting: str, raise_to: int) -> dict[str, Any]:
    """How each mapping reads a real bet after a history of the strategy's own tree."""
    rules = Game.named(game)
    player = loaded_agent(agent, game)
    if not isinstance(player, StrategyAgent):
        raise DoyleError(f"agent {agent!r} has no betting tree")
    tree = player.strategy.tree
    state = parse_betting(rules, betting)
    if state.actor < 0 or not state.is_legal(raise_to) or raise_to <= CALL:
        raise DoyleError(f"bet {raise_to}: not a legal raise after {betting!r}")
    try:
        node = tree.find(state.betting)
    except DoyleError:
        raise DoyleError(f"betting {betting!r}: has a bet that the strategy's tree lacks") from None
    pot = state.pot + state.to_call
    sizes = [
        {
            "raise_to": total,
            "name": state.action_name(total),
            "pots": (total - state.largest) / pot,
        }
        for total in tree.actions_of(node).tolist()
        if total > CALL
    ]
    return {
        "betting": betting,
        "pot": pot,
        "size": (raise_to - state.largest) / pot,
        "raise_to": raise_to,
        "least": state.min_raise_to,
        "most": state.max_raise_to,
        "known": sizes,
        "translation": _own_translation(player, tree, node, state, raise_to),
        "mappings": [
            {
                "name": one.name,
                "title": one.title,
                "lines": _lines(one.name, tree, node, state, raise_to),
            }
            for one in MAPPINGS
        ],
    }


def _public(state: State, agent: str, cards: tuple[int, ...]) -> dict[str, Any]:
    """The public view of a state."""
    game = state.game
    needed = game.board_ends[state.round] if state.actor >= 0 else 0
    return {
        "agent": agent,
        "game": game.name,
        "betting": format_betting(state),
        "round": state.round,
        "actor": state.actor,
        "over": state.actor < 0,
        "showdown": state.is_showdown,
        "pot": state.pot,
        "spent": list(state.spent),
        "stacks": list(game.stacks),
        "big_blind": game.big_blind,
        "to_call": state.to_call,
        "least": state.min_raise_to,
        "most": state.max_raise_to,
        "limit": game.is_limit,
        "board_cards": needed,
        "needs_board": max(0, needed - len(cards)),
        "trail": _trail(state),
        "actions": [],
        "rows": [],
        "weights": [],
        "readings": [],
        "model": "",
        "bucket_count": 0,
    }


def _trail(state: State) -> list[dict[str, Any]]:
    """The actions so far, each with the betting before it."""
    now, found = State.start(state.game), []
    for actions in state.betting:
        for action in actions:
            found.append(
                {
                    "round": now.round,
                    "seat": now.actor,
                    "name": now.action_name(action),
                    "before": format_betting(now),
                }
            )
            now = now.apply(action)
    return found


def _action(state: State, action: Action, share: float) -> dict[str, Any]:
    after = state.apply(action)
    return {
        "text": format_action(state.game, action),
        "name": state.action_name(action),
        "share": round(share, 5),
        "after": format_betting(after),
        "ends": after.actor < 0,
    }


def _readings(policy: CompletedPolicy, state: State) -> list[dict[str, Any]]:
    """The abstract histories that the actor may be at, with their weights over its whole range."""
    tree = policy.agent.strategy.tree
    place = policy.place(state, state.actor)
    position = place.played if place.played.beliefs else place.read
    found: dict[str, float] = {}
    for branch, weight in position.beliefs.items():
        text = tree.betting_text(branch.node)
        found[text] = found.get(text, 0.0) + float(np.sum(weight))
    total = sum(found.values()) or 1.0
    ordered = sorted(found.items(), key=lambda item: -item[1])[:MOST_READINGS]
    return [{"betting": text, "weight": round(weight / total, 5)} for text, weight in ordered]


def _lines(
    name: str, tree: BettingTree, node: int, state: State, raise_to: int
) -> list[dict[str, Any]]:
    readings = named_translation(name).in_step(tree, node, state=state, action=raise_to)
    return _shown(tree, readings)


def _own_translation(
    player: StrategyAgent, tree: BettingTree, node: int, state: State, raise_to: int
) -> list[dict[str, Any]]:
    return _shown(tree, player.translation.in_step(tree, node, state=state, action=raise_to))


def _shown(tree: BettingTree, readings: Any) -> list[dict[str, Any]]:
    return [
        {"betting": tree.betting_text(one.node), "weight": round(float(one.weight), 6)}
        for one in readings
    ]
