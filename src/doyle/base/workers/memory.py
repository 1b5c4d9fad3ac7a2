"""The memory of this machine, and of processes that make and drop large arrays again and again.

Threads of the linear algebra library: one, if results depend on the order of sums.

How BLAS splits a product over its threads changes the order of its sums, and with it the last bits
of results. Work whose bytes must not depend on the machine runs with one; our own threads, each
with a product of its own, make up for it and do not compete with others.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

# Parameters of glibc's mallopt.
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_MAX = -1, -2, -4
_LARGEST = 2**31 - 1
_PAD = 64 << 20
_USUAL_MEMORY = 16 << 30


def usable_memory() -> int:
    """Bytes that this process may use: the machine's memory, or a lower limit.

    Limits are those of a container and of the address space (`ulimit -v`); 16 GiB are assumed if
    the system does not report it.
    """
    known = [size for size in (_physical(), _container(), _address_space()) if size > 0]
    return min(known, default=_USUAL_MEMORY)


def _physical() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 0


def _container() -> int:
    try:
        text = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return 0
    return int(text) if text.isdigit() else 0


def _address_space() -> int:
    try:
        import resource
    except ImportError:  # not on every system
        return 0
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return 0 if limit == resource.RLIM_INFINITY else limit


def keep_freed_memory() -> bool:
    """Let this process keep freed memory for its next arrays; True where that can be set.

    The C library hands a large array back to the system as soon as it is dropped, and the system
    clears every page of the next one: a sixth of the time of a large solve. For processes that end
    with their solve, as memory is then given back at the end only. Linux with glibc; no change
    anywhere else.
    """
    if sys.platform != "linux":
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return False
    settings = ((_MMAP_MAX, 0), (_TRIM_THRESHOLD, _LARGEST), (_TOP_PAD, _PAD))
    return all(mallopt(parameter, value) == 1 for parameter, value in settings)


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
