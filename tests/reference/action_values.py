"""Plain twin of the values of actions: every hand of the other seat and every board, one by one."""

from __future__ import annotations

from itertools import combinations

from doyle.games import Action, Deal, Policy, State
from doyle.games.policies import policy_row
from tests.reference.exact_hands import history_value

Cards = tuple[int, ...]


def action_value(state: State, hole: Cards, action: Action, policy: Policy) -> float:
    """What the seat to act wins on average after `action`, holding `hole`, if both play the policy."""
    game, seat, board = state.game, state.actor, state.board
    reach = policy.reach(state.public(), 1 - seat)
    total = weight = 0.0
    rest = [card for card in game.deck if card not in (*hole, *board)]
    for other in combinations(rest, game.hole_cards):
        share = float(reach[policy_row(game, other)])
        left = [card for card in rest if card not in other]
        for added in combinations(left, game.board_ends[-1] - len(board)):
            holes = (hole, other) if seat == 0 else (other, hole)
            after = state.with_deal(Deal(holes, (*board, *added))).apply(action)
            value = history_value(after, (policy, policy))
            total += share * (value if seat == 0 else -value)
            weight += share
    return total / weight
