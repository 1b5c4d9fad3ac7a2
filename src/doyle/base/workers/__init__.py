"""Mapping pure work items over workers.

A work item is a pure, picklable function of its argument, so results never depend on the worker:
they are returned in the order of the items for any number of workers, and an item lost with its
worker is run again.

In reading order:

`local`     `map_items` over processes, which end with their parent; `map_threads` over threads (kernels release the GIL)
`cluster`   `map_items` on a Ray cluster, values that reach each node once, and whether its head is there
`actors`    parts of large arrays that stay where they are between calls, on threads or on a cluster
`memory`    the memory of this machine, memory kept between large arrays, and one thread for linear algebra
"""

from doyle.base.workers.actors import Actors, LostPartError, cores_of
from doyle.base.workers.cluster import Shared
from doyle.base.workers.local import Progress, Workers, map_items, map_threads, parse_workers

__all__ = [
    "Actors",
    "LostPartError",
    "Progress",
    "Shared",
    "Workers",
    "cores_of",
    "map_items",
    "map_threads",
    "parse_workers",
]
