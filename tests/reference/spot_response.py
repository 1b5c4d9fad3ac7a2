"""A best response to fixed play from the rules alone: each hand against all hands of the other seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from doyle.games import Deal, State
from tests.reference.spot_program import Weighted, actions_of

Play = Callable[[State, tuple[int, int]], Sequence[float]]
"""What the fixed seat plays at a state with a hand, by action."""


def best_response(
    state: State,
    board: tuple[int, ...],
    hands: tuple[Weighted, Weighted],
    fractions: Sequence[Fraction],
    *,
    seat: int,
    play: Play,
) -> tuple[float, dict[tuple[tuple[int, int], str], list[float]]]:
    """Chips that `seat` wins on a river, and what each action earns each hand at each place of it."""
    found: dict[tuple[tuple[int, int], str], list[float]] = {}
    total = mass = 0.0
    for hand, weight in hands[seat]:
        others = [
            (other, share)
            for other, share in hands[1 - seat]
            if len({*hand, *other, *board}) == 4 + len(board)
        ]
        reach = np.array([share for _, share in others])
        if not others:
            continue

        def worth(
            state: State, reach: np.ndarray, hand: tuple[int, int] = hand, others: Weighted = others
        ) -> float:
            if state.is_over:
                pairs = [(hand, other) if seat == 0 else (other, hand) for other, _ in others]
                won = [float(state.with_deal(Deal(p, board)).payoffs()[seat]) for p in pairs]
                return float(reach @ won)
            actions = actions_of(state, fractions)
            if state.actor == seat:
                values = [worth(state.apply(action), reach, hand, others) for action in actions]
                found[hand, repr(state.betting)] = [
                    one / max(reach.sum(), 1e-300) for one in values
                ]
                return max(values)
            shares = np.array([play(state, other) for other, _ in others])
            return sum(
                worth(state.apply(action), reach * shares[:, place], hand, others)
                for place, action in enumerate(actions)
                if shares[:, place].any()
            )

        total += weight * worth(state, reach)
        mass += weight * float(reach.sum())
    return total / mass, found
