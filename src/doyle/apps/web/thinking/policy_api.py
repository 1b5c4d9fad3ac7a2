"""Queries to the workbench from the network: policies and spots. Runs in a thinking process.

Everything is bounded: agents are those that are offered, a spot starts on the turn or the river with small
tables, and the time of a solve is limited.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from doyle.apps.web.thinking.decisions import loaded_agent
from doyle.base.errors import DoyleError
from doyle.cards import HOLES, hole_index
from doyle.cards.cards import CARD_NAMES
from doyle.games import Game, Policy
from doyle.games.histories import format_action, parse_matchstate
from doyle.solving.spots import Spot, solve_spot
from doyle.strategy import PlaceView

SPOT_SECONDS = 5.0
SPOT_MEMORY = 512 << 20


def policy(agent: str, game: str, line: str) -> dict[str, Any]:
    """The probabilities of an agent at a MATCHSTATE line: of the hand shown, or of every hand."""
    rules = Game.named(game)
    seen = parse_matchstate(rules, line, what="state")
    state = seen.state
    if state.is_over:
        raise DoyleError("state: the hand is over")
    player = loaded_agent(agent, game)
    if not isinstance(player, Policy):
        raise DoyleError(f"agent {agent!r} does not report its probabilities")
    public = state.public()
    if len(public.board) != rules.board_ends[public.round]:
        raise DoyleError("state: the board of this round is missing")
    hole = seen.state.deal.hole[state.actor] if seen.state.deal is not None else ()
    if not rules.is_holdem:
        raise DoyleError(f"game {game}: policies are shown for Hold'em")
    found = PlaceView.of_policy(player, public)
    chosen = [hole_index(*hole)] if hole else np.flatnonzero(found.live).tolist()
    return {
        "agent": player.name,
        "game": game,
        "position": state.actor,
        "actions": [format_action(rules, action) for action in found.actions],
        "hands": {
            CARD_NAMES[int(HOLES[place, 1])] + CARD_NAMES[int(HOLES[place, 0])]: {
                "reach": round(float(found.reach[place]), 6),
                "probabilities": [round(float(share), 6) for share in found.probabilities[place]],
            }
            for place in chosen
        },
    }


def spot(
    board: str, ranges: tuple[str, str], pot: int, stacks: int, betting: str, target_percent: float
) -> dict[str, Any]:
    """A turn or river spot, solved within the limits."""
    given = Spot.parse(board=board, ranges=ranges, pot=pot, stacks=stacks, betting=betting)
    if len(given.board) < 4:
        raise DoyleError("board: spots of the API start on the turn or the river")
    result = solve_spot(
        given, target_percent=target_percent, seconds=SPOT_SECONDS, memory=SPOT_MEMORY
    )
    return result.document()
