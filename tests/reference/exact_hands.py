"""Plain twins of exact-hands evaluation: every deal and every history, one by one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from doyle.games import Deal, Game, Policy, State
from doyle.games.policies import policy_row

Cards = tuple[int, ...]
Floats = npt.NDArray[np.float64]


def value_on_board(game: Game, policies: tuple[Policy, Policy], board: Cards) -> float:
    """What seat 0 wins on average over all pairs of hands on a whole board."""
    rest = [card for card in game.deck if card not in board]
    values = [
        history_value(State.start(game, Deal((first, second), board)), policies)
        for first in combinations(rest, game.hole_cards)
        for second in combinations([card for card in rest if card not in first], game.hole_cards)
    ]
    return sum(values) / len(values)


def history_value(state: State, policies: tuple[Policy, Policy]) -> float:
    if state.actor < 0:
        return float(state.payoffs()[0])
    assert state.deal is not None
    actions, probabilities = policies[state.actor].probabilities(state.public())
    row = probabilities[policy_row(state.game, state.deal.hole[state.actor])]
    return sum(
        float(share) * history_value(state.apply(action), policies)
        for action, share in zip(actions, row, strict=True)
        if share > 0
    )


def masses(
    first: Floats, second: Floats, cards: npt.NDArray[np.uint8], ranks: npt.NDArray[np.int64]
) -> tuple[float, float, float]:
    """The weights of pairs that share no card: all, those that `first` wins, and loses."""
    total = won = lost = 0.0
    for mine in range(len(first)):
        for theirs in range(len(second)):
            if set(cards[mine].tolist()) & set(cards[theirs].tolist()):
                continue
            weight = float(first[mine] * second[theirs])
            total += weight
            won += weight * (ranks[mine] > ranks[theirs])
            lost += weight * (ranks[mine] < ranks[theirs])
    return total, won, lost
