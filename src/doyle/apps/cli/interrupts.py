"""Ctrl-C: one line, exit code 130, nothing left running, however often it is pressed.

The first one raises `KeyboardInterrupt`, so that files under way are removed and workers end; the
others are ignored. A command that is then still busy after two seconds (in compiled code, or in
code that caught the exception) is ended from a second thread.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

EXIT_CODE = 130
_PATIENCE_SECONDS = 2.0
_leaving = threading.Lock()
_hints: list[Callable[[], str]] = []
"""How the commands under way are resumed, innermost last."""


@contextmanager
def resumable(hint: Callable[[], str]) -> Iterator[None]:
    """Let Ctrl-C within the block end with the hint how to resume; an empty one is left out.

    It is made when the command ends, from what has been kept until then.
    """
    _hints.append(hint)
    try:
        yield
    except KeyboardInterrupt:
        raise  # whoever reports it needs the hint
    except BaseException:
        _hints.remove(hint)
        raise
    _hints.remove(hint)


def report() -> str:
    """What to say of the interrupted command."""
    hints = [hint() for hint in _hints[-1:]]
    _hints.clear()
    return "; ".join(["interrupted", *filter(None, hints)])


@contextmanager
def one_interrupt() -> Iterator[None]:
    """Take Ctrl-C as above for the length of the block, where it is not handled already."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    over = threading.Event()
    receiver, sender = os.pipe()
    os.set_blocking(sender, False)
    watcher = threading.Thread(target=_watch, args=(receiver, over), daemon=True)
    watcher.start()
    # Bytes arrive there at once, while handlers wait until the main thread is back in Python.
    previous = signal.set_wakeup_fd(sender, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, _first)
    try:
        yield
    finally:
        over.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(previous)
        os.close(sender)
        watcher.join()
        os.close(receiver)


def leave() -> NoReturn:
    """Say that the command was interrupted; end it and its workers without waiting for threads."""
    _leaving.acquire()  # whoever comes second waits here for the end
    show_cursor = "\x1b[?25h" if sys.stderr.isatty() else ""
    end_at_once(EXIT_CODE, f"{show_cursor}doyle: {report()}\n")


def end_at_once(code: int, line: str = "") -> NoReturn:
    """End the process and its workers, past every exit handler and whatever its threads still do."""
    try:
        lifetime = sys.modules.get("doyle.base.workers.lifetime")
        if lifetime is not None:  # without it no process has been started
            lifetime.kill_children()
        sys.stderr.write(line)
        sys.stderr.flush()
    finally:
        os._exit(code)


def _first(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, _ignored)
    raise KeyboardInterrupt


def _ignored(number: int, frame: FrameType | None) -> None:
    pass


def _watch(receiver: int, over: threading.Event) -> None:
    """Wait for Ctrl-C, then for the end of the command; end it if that takes too long."""
    while data := os.read(receiver, 4096):
        if signal.SIGINT in data:
            if not over.wait(_PATIENCE_SECONDS):
                leave()
            return
