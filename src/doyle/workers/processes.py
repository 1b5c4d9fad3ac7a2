"""Processes that do not outlive the one that started them."""

from __future__ import annotations

import os
import signal
import threading
import time

_PR_SET_PDEATHSIG = 1
_SECONDS_BETWEEN_LOOKS = 1.0


def die_with_parent(parent: int) -> None:
    """End this process when process `parent` ends, whatever ends it.

    Linux does it by itself, even while compiled code runs. Elsewhere a thread looks once a second.
    """
    if not _ask_the_system() and hasattr(os, "getppid"):
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if hasattr(os, "getppid") and os.getppid() != parent:
        os._exit(1)  # it ended before we asked


def _ask_the_system() -> bool:
    try:
        import ctypes

        return int(ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)) == 0
    except (ImportError, OSError, AttributeError):
        return False


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)
