"""Mapping pure work items over workers.

A work item is a pure, picklable function of its argument, so results never depend on who ran it:
they come back in the order of the items whatever the number of workers, and an item lost with its
worker is run again.
"""

from doyle.workers.local import Progress, Workers, map_items, map_threads, parse_workers

__all__ = ["Progress", "Workers", "map_items", "map_threads", "parse_workers"]
