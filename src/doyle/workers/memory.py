"""The memory of this machine, and of processes that make and drop large arrays again and again."""

from __future__ import annotations

import ctypes
import os
import sys

# Parameters of glibc's mallopt.
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_MAX = -1, -2, -4
_LARGEST = 2**31 - 1
_PAD = 64 << 20
_USUAL_MEMORY = 16 << 30


def physical_memory() -> int:
    """Bytes of memory that this machine has; 16 GiB where the system does not say."""
    try:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return _USUAL_MEMORY
    return pages * size if pages > 0 and size > 0 else _USUAL_MEMORY


def keep_freed_memory() -> bool:
    """Let this process keep what it frees, for its next arrays; True where that can be set.

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
