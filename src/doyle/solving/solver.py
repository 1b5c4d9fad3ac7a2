"""`WalkingSolver`: solvers that walk the whole tree of a game, in sequence form.

Their iterations leave nothing to chance, so their arrays depend on game, method and iteration only.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.solving.games.matrix_game import MatrixGame
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.run import Arrays, Distance


class WalkingSolver(ABC):
    """One method on one game. Subclasses provide `advance`, `profile`, `arrays` and `restore`."""

    name: str
    interval = 1
    deterministic = True

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        self.iteration = 0

    @abstractmethod
    def advance(self, iterations: int) -> None:
        """Run this many more iterations."""

    @abstractmethod
    def profile(self) -> Profile:
        """The profile found so far."""

    @abstractmethod
    def arrays(self) -> Arrays:
        """All arrays that later iterations depend on."""

    @abstractmethod
    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Continue from the arrays of an earlier `arrays()`."""

    def sizes(self) -> tuple[list[int], list[int]]:
        """Information sets and sequences (the empty one included) of each seat."""
        return list(self.form.game.information_sets()), list(self.form.sequences)

    @property
    def table_bytes(self) -> int:
        """Bytes of what is kept between iterations."""
        return sum(array.nbytes for array in self.arrays().values())

    def distance(self) -> Distance:
        """The exploitability of the profile found so far."""
        return Distance(self.profile().exploitability)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """The game and the method."""
        return {"game": fingerprint(self.form.game), "solver": self.name}


def fingerprint(game: MatrixGame) -> str:
    """A digest of everything a solver sees of a game."""
    digest = hashlib.blake2b(game.name.encode(), digest_size=12)
    tree = game.tree
    for array in (tree.kind, tree.round, tree.actor, tree.parent, tree.leaf_chips(0)):
        digest.update(np.ascontiguousarray(array).tobytes())
    for states in game.private_states:
        for array in (*states.parents, states.joint.values, states.showdown.values):
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
