"""The value of a small game whose seats may tell apart only what their keys do: a plain linear
program over the sequence form, deal by deal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from itertools import combinations, permutations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack

from doyle.games import Deal, Game, State

Key = Callable[[tuple[int, ...], tuple[int, ...]], Hashable]


def all_deals(game: Game) -> list[Deal]:
    deals = []
    for first in combinations(game.deck, game.hole_cards):
        rest = [card for card in game.deck if card not in first]
        for second in combinations(rest, game.hole_cards):
            left = [card for card in rest if card not in second]
            boards = permutations(left, game.board_ends[-1])
            deals.extend(Deal((first, second), board) for board in boards)
    return deals


def restricted_value(game: Game, keys: tuple[Key, Key]) -> float:
    """What seat 0 wins per hand when both play best among strategies that are functions of keys."""
    sequences: list[dict[Hashable, int]] = [{(): 0}, {(): 0}]
    decisions: list[dict[Hashable, tuple[int, list[int]]]] = [{}, {}]
    payoff: dict[tuple[int, int], float] = defaultdict(float)

    def walk(state: State, deal: Deal, at: tuple[int, int], chance: float) -> None:
        if state.is_over:
            payoff[at] += chance * float(state.payoffs()[0])
            return
        seat = state.actor
        board = deal.board[: game.board_ends[state.round]]
        key = (keys[seat](deal.hole[seat], board), state.betting)
        actions = state.legal_actions()
        if key not in decisions[seat]:
            start = len(sequences[seat])
            numbers = list(range(start, start + len(actions)))
            sequences[seat].update({(key, a): n for a, n in zip(actions, numbers, strict=True)})
            decisions[seat][key] = (at[seat], numbers)
        parent, numbers = decisions[seat][key]
        assert parent == at[seat], "the keys forget something"
        for action, number in zip(actions, numbers, strict=True):
            walk(
                state.apply(action), deal, (number, at[1]) if seat == 0 else (at[0], number), chance
            )

    deals = all_deals(game)
    for deal in deals:
        walk(State.start(game, deal), deal, (0, 0), 1 / len(deals))

    def constraints(seat: int) -> csr_array:
        rows, columns, values = [0], [0], [1.0]
        for row, (parent, numbers) in enumerate(decisions[seat].values(), start=1):
            rows += [row] * (len(numbers) + 1)
            columns += [*numbers, parent]
            values += [1.0] * len(numbers) + [-1.0]
        shape = (len(decisions[seat]) + 1, len(sequences[seat]))
        return csr_array((values, (rows, columns)), shape=shape)

    own, other = constraints(0), constraints(1)
    cells = np.array(list(payoff))
    matrix = csr_array(
        (list(payoff.values()), (cells[:, 0], cells[:, 1])),
        shape=(len(sequences[0]), len(sequences[1])),
    )
    width, duals = own.shape[1], other.shape[0]
    objective = np.zeros(width + duals)
    objective[width] = -1.0
    start = np.zeros(own.shape[0])
    start[0] = 1.0
    answer = linprog(
        objective,
        A_ub=hstack([-matrix.T, other.T]),
        b_ub=np.zeros(other.shape[1]),
        A_eq=hstack([own, csr_array((own.shape[0], duals))]),
        b_eq=start,
        bounds=[(0, None)] * width + [(None, None)] * duals,
        method="highs",
    )
    assert answer.status == 0
    return -float(answer.fun)
