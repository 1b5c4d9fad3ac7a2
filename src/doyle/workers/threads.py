"""Threads of the linear algebra library: one, where sums decide what comes out.

How BLAS splits a product over its threads changes the order of its sums, and with it the last bits
of results. Work whose bytes must not depend on the machine runs with one; our own threads, each
with a product of its own, make up for it and do not compete with others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """BLAS uses one thread inside the block."""
    with threadpool_limits(limits=1, user_api="blas"):
        yield
