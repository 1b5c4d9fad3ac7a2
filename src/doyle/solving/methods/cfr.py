"""Counterfactual regret minimisation over whole trees, with alternating updates.

An iteration updates one seat after the other: gather the earnings of its sequences against the
other seat's plan, pass values up its treeplex while matching regrets at every decision, pass the
new plan down. The variants differ only in their `Discounting`. The average of the plans, weighted
by iteration, converges to an equilibrium. Source: Zinkevich et al. 2007; Burch, Moravcik and Schmid
2019 for which plans alternating updates must average.

`WalkingSolver`: solvers that walk the whole tree of a game, in sequence form.

Their iterations are deterministic, so their arrays depend on game, method and iteration only.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.solving.games.matrix_game import Floats, MatrixGame
from doyle.solving.methods import _treeplex_kernels as _kernels
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.run import Arrays, Distance
from doyle.solving.solvers import Discounting


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
        """Bytes of the state kept between iterations."""
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


class RegretSolver(WalkingSolver):
    """Any variant: regrets, current behaviour and the sum of weighted plans, per seat."""

    def __init__(self, form: SequenceForm, discounting: Discounting, *, name: str = "cfr") -> None:
        super().__init__(form)
        self.name = name
        self.discounting = discounting
        self._regrets = self._zeros()
        self._averages = self._zeros()
        self._gradients = self._zeros()
        self._behaviours = (form.uniform_behaviour(0), form.uniform_behaviour(1))
        self._plans = (
            form.realise(0, self._behaviours[0]),
            form.realise(1, self._behaviours[1]),
        )

    def _zeros(self) -> tuple[Floats, Floats]:
        return np.zeros(self.form.sizes[0]), np.zeros(self.form.sizes[1])

    def advance(self, iterations: int) -> None:
        schedule = self.discounting.schedule(self.iteration + 1, iterations)
        if self.form.uses_gemm:
            for row in schedule:
                self._iterate(row)
        else:
            _kernels.iterate_cfr(
                self.form.treeplexes,
                self.form.leaves,
                self._regrets,
                self._behaviours,
                self._plans,
                self._averages,
                self._gradients,
                schedule,
                self.form.work,
            )
        self.iteration += iterations

    def _iterate(self, row: Floats) -> None:
        """One iteration whose leaves are evaluated by BLAS; equivalent to the kernel
        `iterate_cfr`."""
        form = self.form
        _, _, value, total = form.work
        factors = (float(row[0]), float(row[1]), float(row[2]))
        for seat in (0, 1):
            gradient = self._gradients[seat]
            gradient[:] = 0.0
            form.add_gradient(seat, self._plans[1 - seat], gradient)
            if seat == 1:
                for plan, average in zip(self._plans, self._averages, strict=True):
                    _kernels.accumulate(plan, float(row[3]), average)
            treeplex, behaviour = form.treeplexes[seat], self._behaviours[seat]
            _kernels.update_regrets(
                treeplex, gradient, self._regrets[seat], behaviour, factors, value, total
            )
            _kernels.realise(treeplex, behaviour, self._plans[seat])

    def profile(self) -> Profile:
        if self.iteration == 0:
            return Profile(self.form, (self._plans[0].copy(), self._plans[1].copy()))
        first, second = (average / average[0] for average in self._averages)
        return Profile(self.form, (first, second))

    def arrays(self) -> Arrays:
        parts = {"regret": self._regrets, "behaviour": self._behaviours, "average": self._averages}
        return {f"{name}_{seat}": pair[seat] for name, pair in parts.items() for seat in (0, 1)}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        for name, target in self.arrays().items():
            target[...] = arrays[name]
        for seat in (0, 1):
            _kernels.realise(self.form.treeplexes[seat], self._behaviours[seat], self._plans[seat])
