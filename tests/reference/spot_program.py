"""A spot's sequence-form linear program from the rules alone: every deal, history and action."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack

from doyle.games import CALL, FOLD, Deal, State

Weighted = Sequence[tuple[tuple[int, int], float]]


def actions_of(state: State, fractions: Sequence[Fraction]) -> list[int]:
    """Fold, call, the fractions of the pot after a call that are legal, all-in."""
    actions = [FOLD] if state.can_fold else []
    actions.append(CALL)
    if state.max_raise_to:
        totals = {state.max_raise_to}
        for fraction in fractions:
            total = state.largest + round(fraction * (state.pot + state.to_call))
            if total >= state.min_raise_to:
                totals.add(min(total, state.max_raise_to))
        actions += sorted(totals)
    return actions


def exact_value(
    state: State,
    board: tuple[int, ...],
    hands: tuple[Weighted, Weighted],
    fractions: Sequence[Fraction],
) -> float:
    """Chips for seat 0, from the start of the hand, when both seats play an equilibrium."""
    sequences: tuple[dict, dict] = ({(): 0}, {(): 0})  # type: ignore[type-arg]
    sets: tuple[dict, dict] = ({}, {})  # type: ignore[type-arg]
    payoffs: dict[tuple[int, int], float] = defaultdict(float)

    def walk(
        state: State, board: tuple[int, ...], pair: tuple[tuple[int, int], ...],
        at: tuple[int, int], chance: float,
    ) -> None:  # fmt: skip
        game = state.game
        needed = game.board_ends[-1] if state.is_showdown else game.board_ends[state.round]
        if len(board) < needed and not (state.is_over and not state.is_showdown):
            rest = [c for c in range(52) if c not in board and c not in pair[0] + pair[1]]
            for card in rest:
                walk(state, (*board, card), pair, at, chance / len(rest))
            return
        if state.is_over:
            full = board + (0,) * (5 - len(board)) if not state.is_showdown else board
            won = state.with_deal(Deal(pair, full)).payoffs()[0]
            payoffs[at] += chance * float(won)
            return
        seat = state.actor
        key = (pair[seat], board, state.betting)
        choices = actions_of(state, fractions)
        sets[seat].setdefault(key, (at[seat], []))
        for action in choices:
            name = (*key, action)
            number = sequences[seat].setdefault(name, len(sequences[seat]))
            if number not in sets[seat][key][1]:
                sets[seat][key][1].append(number)
            after = (number, at[1]) if seat == 0 else (at[0], number)
            walk(state.apply(action), board, pair, after, chance)

    mass = 0.0
    for (first, weight), (second, other) in product(*hands):
        if len({*first, *second, *board}) == 4 + len(board):
            mass += weight * other
    for (first, weight), (second, other) in product(*hands):
        if len({*first, *second, *board}) == 4 + len(board):
            walk(state, board, (first, second), (0, 0), weight * other / mass)
    return _solved(sequences, sets, payoffs)


def _solved(sequences, sets, payoffs) -> float:  # type: ignore[no-untyped-def]
    def rules(seat: int) -> coo_matrix:
        rows, columns, entries = [0], [0], [1.0]
        for number, (parent, children) in enumerate(sets[seat].values(), start=1):
            rows += [number] * (1 + len(children))
            columns += [parent, *children]
            entries += [-1.0] + [1.0] * len(children)
        shape = (len(sets[seat]) + 1, len(sequences[seat]))
        return coo_matrix((entries, (rows, columns)), shape=shape)

    first, second = rules(0), rules(1)
    index = np.array(list(payoffs))
    payoff = coo_matrix(
        (list(payoffs.values()), (index[:, 1], index[:, 0])),
        shape=(second.shape[1], first.shape[1]),
    )
    objective = np.zeros(first.shape[1] + second.shape[0])
    objective[first.shape[1]] = -1.0
    nothing = coo_matrix((first.shape[0], second.shape[0]))
    result = linprog(
        objective,
        A_ub=hstack([-payoff, second.T], format="csr"),
        b_ub=np.zeros(second.shape[1]),
        A_eq=hstack([first, nothing], format="csr"),
        b_eq=np.eye(1, first.shape[0]).ravel(),
        bounds=[(0, None)] * first.shape[1] + [(None, None)] * second.shape[0],
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    assert result.status == 0, result.message
    return float(-result.fun)
