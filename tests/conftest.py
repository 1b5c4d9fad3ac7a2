"""Fixtures and settings shared by all tests."""

from __future__ import annotations

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


@pytest.fixture
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty artifact cache for one test; compiled kernels stay where they are."""
    monkeypatch.setenv("DOYLE_CACHE", str(tmp_path / "cache"))
    yield tmp_path / "cache"
