"""Fixtures and settings shared by all tests."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("doyle", deadline=None, derandomize=True)
settings.load_profile("doyle")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell without job control starts its background so, and every process of a test inherits it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


@pytest.fixture
def notices() -> Iterator[list[str]]:
    """What the library logs during one test."""
    handler, logger = _Lines(), logging.getLogger("doyle")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler.lines
    logger.removeHandler(handler)
    logger.setLevel(level)


@pytest.fixture
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty artifact cache for one test; compiled kernels stay where they are."""
    monkeypatch.setenv("DOYLE_CACHE", str(tmp_path / "cache"))
    yield tmp_path / "cache"
