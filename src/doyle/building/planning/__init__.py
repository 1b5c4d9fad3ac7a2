"""Estimates of memory, disk and time of a build or a spot, before anything of it runs.

Sizes follow from the betting tree and from the buckets, times from sizes and from the speeds of the
machine at hand, which a short measurement finds once.

In reading order:

`plan`         `Stage`, `Plan` and `Capacity`: what is needed, what is there, what to make smaller
`tree_shape`   what a solver will meet in a betting tree, also in one that is too large to make
`calibration`  the speeds of this machine, measured in seconds and kept
`cards`        the strength atlas and card abstractions
`solves`       solves by sampling or over the whole tree, strategy files, measuring; spots
"""

from doyle.building.planning.calibration import Speeds, speeds_of_this_machine
from doyle.building.planning.plan import Capacity, Plan, Stage
from doyle.building.planning.solves import BuildSize, plan_solve, plan_spot
from doyle.building.planning.tree_shape import TreeShape

__all__ = [
    "BuildSize",
    "Capacity",
    "Plan",
    "Speeds",
    "Stage",
    "TreeShape",
    "plan_solve",
    "plan_spot",
    "speeds_of_this_machine",
]
