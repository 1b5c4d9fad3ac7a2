"""The museum on the command line."""

from __future__ import annotations

import pytest

from tests.apps.cli.refusals import refused


@pytest.mark.parametrize("minutes", ["1e5000", "inf", "nan"])
def test_minutes_without_end_are_refused(capsys: pytest.CaptureFixture[str], minutes: str) -> None:
    assert "--minutes" in refused(capsys, "museum", "--minutes", minutes)
