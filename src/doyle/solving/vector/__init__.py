"""Methods that hold all hands of a public history at once, over `doyle.solving.games`.

In reading order: `live_hands` (the rows of hands on boards), `packing` (a game as flat arrays per seat),
`_kernels` and `_traversal_kernels` (reach down, leaves, values up), `solver` (the CFR family, best responses, expected values), `fixed_play` (play that is given),
`guard` with `_guard_kernels` (a first decision that keeps a seat from gaining before the root),
`symmetry` (boards that stand for copies), `warm_start` (from another solve). None of them knows poker.
"""

from doyle.solving.vector.fixed_play import FixedPlay
from doyle.solving.vector.guard import GUARDS, Guard, GuardName
from doyle.solving.vector.solver import ValueBounds, VectorSolver

__all__ = [
    "GUARDS",
    "FixedPlay",
    "Guard",
    "GuardName",
    "ValueBounds",
    "VectorSolver",
]
