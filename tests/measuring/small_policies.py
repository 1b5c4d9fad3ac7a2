"""A policy for tests: random play that tells every card apart."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import numpy.typing as npt

from doyle.games import CALL, FOLD, Action, Game, State
from doyle.games.policies import policy_rows, walked_reach

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
