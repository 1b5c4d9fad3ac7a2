"""Checkpoints of solvers on disk: all arrays of a solver's state, whole or not at all.

The arrays of a checkpoint depend on game, solver and iteration only, so an interrupted run that
was resumed leaves the same bytes as one that was not; times and history are in the manifest.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from doyle.artifacts import Builder, Checkpoints, Description
from doyle.errors import DoyleError
from doyle.public_games.public_game import PublicGame
from doyle.solving.solver import Point, Solver, stopwatch

VERSION = 1


class SolverCheckpoints:
    """The checkpoints of one solver in one folder."""

    def __init__(self, folder: Path, solver: Solver, *, every_seconds: float = 30.0) -> None:
        self._checkpoints = Checkpoints(folder)
        self._folder = folder
        self._every_seconds = every_seconds
        self._saved_at = 0.0
        self._took = 0.0
        self._description = Description(
            "solver",
            VERSION,
            {"game": fingerprint(solver.form.game), "solver": solver.name},
        )

    def save_if_due(self, solver: Solver) -> None:
        """Save unless the last checkpoint is recent; results never depend on when.

        Checkpoints of large games take a while; then they are up to ten times rarer, so that they
        take a twentieth of the time.
        """
        every = self._every_seconds
        if solver.seconds - self._saved_at >= max(every, min(10.0 * every, 20.0 * self._took)):
            elapsed = stopwatch()
            self.save(solver)
            self._took = elapsed()

    def save(self, solver: Solver) -> None:
        """Keep the solver as it stands; older checkpoints are removed."""
        self._saved_at = solver.seconds

        def build(builder: Builder) -> None:
            for name, values in solver.arrays().items():
                builder.put(name, np.asarray(values))
            builder.metadata = {
                "iteration": solver.iteration,
                "seconds": solver.seconds,
                "history": [[p.iteration, p.seconds, p.exploitability] for p in solver.history],
            }

        self._checkpoints.save(solver.iteration, self._description, build)

    def restore(self, solver: Solver) -> bool:
        """Continue from the newest checkpoint; False if there is none."""
        artifact = self._checkpoints.latest()
        if artifact is None:
            return False
        if artifact.parameters != dict(self._description.parameters):
            raise DoyleError(
                f"{self._folder}: its checkpoint is of another game or solver "
                f"({artifact.parameters.get('solver')}); use another folder"
            )
        solver.iteration = artifact.whole_number("iteration")
        solver.seconds = artifact.number("seconds")
        try:
            points = [Point(int(i), float(s), float(e)) for i, s, e in artifact.detail("history")]
        except (TypeError, ValueError, OverflowError):
            raise artifact.damaged("metadata.history") from None
        solver.restore({name: artifact.array(name) for name in artifact.arrays()})
        solver.history, self._saved_at = points, solver.seconds
        return True


def fingerprint(game: PublicGame) -> str:
    """A digest of everything a solver sees of a game."""
    digest = hashlib.blake2b(game.name.encode(), digest_size=12)
    tree = game.tree
    for array in (tree.kind, tree.round, tree.actor, tree.parent, tree.leaf_chips(0)):
        digest.update(np.ascontiguousarray(array).tobytes())
    for states in game.private_states:
        for array in (*states.parents, states.joint.values, states.showdown.values):
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
