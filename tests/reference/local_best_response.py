"""A plain local best response: the paper's formulas, hand by hand, nothing kept between questions.

The policy's range is a dictionary of holes; win probabilities are counted over all run-outs.
"""

from __future__ import annotations

from itertools import combinations

from doyle.games import CALL, FOLD, Action, Game, Policy, State
from doyle.games.payoffs import best_rank
from doyle.games.policies import policy_row

Cards = tuple[int, ...]
Range = dict[Cards, float]


def choose(
    game: Game, policy: Policy, state: State, hole: Cards, range_: Range, raises: list[Action]
) -> Action:
    """The responder's action; `range_` has the policy's hands and their weights."""
    pot, asked = sum(state.spent), state.to_call
    wins = win_probability(game, hole, range_, state.board)
    utilities = {CALL: wins * pot - (1 - wins) * asked}
    for raise_to in raises:
        added = raise_to - state.largest
        actions, probabilities = policy.probabilities(state.apply(raise_to).public())
        staying: Range = {}
        for other, weight in range_.items():
            row = probabilities[policy_row(game, other)]
            fold = float(row[actions.index(FOLD)]) if FOLD in actions else 0.0
            staying[other] = weight * (1 - fold)
        folding = 1 - sum(staying.values()) / sum(range_.values())
        utility = folding * pot
        if folding < 1:
            wins = win_probability(game, hole, staying, state.board)
            utility += (1 - folding) * (wins * (pot + added) - (1 - wins) * (asked + added))
        utilities[raise_to] = utility
    best = max(utilities, key=lambda action: (utilities[action], -action))
    return FOLD if utilities[best] <= 0 and asked > 0 else best


def win_probability(game: Game, hole: Cards, range_: Range, board: Cards) -> float:
    """Against a range, if everybody checks and calls."""
    won = total = 0.0
    for other, weight in range_.items():
        if weight <= 0:
            continue
        rest = [card for card in game.deck if card not in {*hole, *other, *board}]
        run_outs = list(combinations(rest, game.board_ends[-1] - len(board)))
        for added in run_outs:
            mine, theirs = best_rank((*hole, *board, *added)), best_rank((*other, *board, *added))
            won += weight / len(run_outs) * ((mine > theirs) + 0.5 * (mine == theirs))
        total += weight
    return won / total


def value(
    game: Game, policy: Policy, hole: Cards, board: Cards, *, seat: int, raises_of: object
) -> float:
    """What the responder wins with these cards on average, over the policy's hands and actions."""
    seen = {*hole, *board}
    holes = combinations([card for card in game.deck if card not in seen], game.hole_cards)
    possible = list(holes)
    return sum(
        _played(game, policy, hole, other, board, seat, raises_of) for other in possible
    ) / len(possible)


def _played(
    game: Game,
    policy: Policy,
    hole: Cards,
    other: Cards,
    board: Cards,
    seat: int,
    raises_of: object,
) -> float:
    """The same against one hand of the policy."""
    from doyle.games import Deal

    dealt = (hole, other) if seat == 0 else (other, hole)

    def walk(state: State, likely: Range) -> float:
        if state.actor < 0:
            return float(state.payoffs()[seat])
        if state.actor == seat:
            visible = {*hole, *state.board}
            range_ = {cards: weight for cards, weight in likely.items() if not visible & set(cards)}
            raises = raises_of(state)  # type: ignore[operator]
            return walk(state.apply(choose(game, policy, state, hole, range_, raises)), likely)
        actions, probabilities = policy.probabilities(state.public())
        total = 0.0
        for column, action in enumerate(actions):
            share = float(probabilities[policy_row(game, other), column])
            if share > 0:
                after = {
                    cards: weight * float(probabilities[policy_row(game, cards), column])
                    for cards, weight in likely.items()
                }
                total += share * walk(state.apply(action), after)
        return total

    every = dict.fromkeys(combinations(game.deck, game.hole_cards), 1.0)
    return walk(State.start(game, Deal(hole=dealt, board=board)), every)
