"""Threads of the linear algebra library: one, where sums decide what comes out.

How BLAS splits a product over its threads changes the order of its sums, and with it the last bits
of results. Work whose bytes must not depend on the machine runs with one; our own threads, each
with a product of its own, make up for it and do not compete with others.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """BLAS uses one thread inside the block."""
    with _libraries(len(sys.modules)).limit(limits=1, user_api="blas"):
        yield


@lru_cache(maxsize=1)
def _libraries(modules: int) -> Any:
    """The thread pools of this process, looked for again when modules were loaded since."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
