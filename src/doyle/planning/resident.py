"""What processes and trees take, measured on Linux with CPython 3.11 (2026-11-17)."""

from __future__ import annotations

PROCESS_BYTES = 215 << 20
"""Python with NumPy, Numba and all that a build imports, where it is not measured."""
WORKER_BYTES = 190 << 20
"""A worker process of a match, without what it plays; libraries are shared with its parent."""
RAY_BYTES = 700 << 20
"""Ray's own processes on one node."""


def tree_bytes(nodes: int, players: int) -> int:
    """A betting tree with the packed form that solvers walk."""
    return nodes * (72 + 4 * players)
