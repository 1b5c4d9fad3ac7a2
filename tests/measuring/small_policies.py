"""Policies for tests, random play that tells every card apart, and all hands that two can play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from zlib import crc32

import numpy as np
import numpy.typing as npt

from doyle.games import CALL, FOLD, Action, Deal, Game, Policy, State
from doyle.games.policies import policy_row, policy_rows, walked_reach

Floats = npt.NDArray[np.float64]


class RandomPolicy:
    """Random probabilities for every card and public state, the same for the same seed.

    `sizes` is how many raises it makes at most, spread over the legal ones.
    """

    name = "random-policy"

    def __init__(self, game: Game, *, seed: int, sizes: int = 3) -> None:
        self.game, self._seed, self._sizes = game, seed, sizes

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        actions = [FOLD, CALL] if state.can_fold else [CALL]
        if state.max_raise_to:
            spread = np.linspace(state.min_raise_to, state.max_raise_to, self._sizes)
            actions += sorted({int(total) for total in spread})
        key = crc32(repr((state.betting, state.board)).encode())
        rng = np.random.default_rng((self._seed, key))
        weights = rng.random((policy_rows(self.game), len(actions))) ** 3
        weights[:, -1] *= rng.random(len(weights)) > 0.3
        return tuple(actions), weights / weights.sum(axis=1, keepdims=True)

    def reach(self, state: State, seat: int) -> Floats:
        return walked_reach(self, state, seat)


class Remembered(RandomPolicy):
    """Random play whose answers are kept: enumeration asks for each of them many times."""

    def __init__(self, game: Game, *, seed: int) -> None:
        super().__init__(game, seed=seed)
        self._answers: dict[object, tuple[tuple[Action, ...], Floats]] = {}

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        key = state.betting, state.board
        found = self._answers.get(key)
        if found is None:
            found = self._answers[key] = super().probabilities(state)
        return found


def every_hand(game: Game, policies: tuple[Policy, Policy]) -> Iterator[tuple[float, State]]:
    """Every finished hand with its probability: all deals, all actions."""
    cards = 2 + game.board_ends[-1]
    deals = [
        Deal(((dealt[0],), (dealt[1],)), tuple(dealt[2:]))
        for dealt in permutations(game.deck, cards)
    ]
    stack = [(1.0 / len(deals), State.start(game, deal)) for deal in deals]
    while stack:
        weight, state = stack.pop()
        if state.actor < 0:
            yield weight, state
            continue
        assert state.deal is not None
        actions, shares = policies[state.actor].probabilities(state.public())
        row = shares[policy_row(game, state.deal.hole[state.actor])]
        for action, share in zip(actions, row.tolist(), strict=True):
            if share > 0:
                stack.append((weight * share, state.apply(action)))
