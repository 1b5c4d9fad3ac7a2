"""What every refusal looks like, wherever it comes from."""

from __future__ import annotations

import pytest

NOTICES = ("doyle: compiling kernels",)
"""Lines on stderr that are no part of a refusal."""


def refusal_of(captured: pytest.CaptureResult[str]) -> str:
    """The one line of a refusal, with nothing on stdout; below it only a parser's caret."""
    assert captured.out == ""
    return one_line(captured.err)


def one_line(stderr: str) -> str:
    """The one line of bounded length that tells the user what is wrong."""
    lines = [line for line in stderr.splitlines() if not line.startswith(NOTICES)]
    assert lines, "nothing was said"
    assert len(lines) in (1, 3), stderr[:2000]
    if len(lines) == 3:
        assert lines[2].strip() == "^", stderr[:2000]
        assert max(map(len, lines[1:])) <= 110
    assert lines[0].startswith("doyle: ")
    assert len(lines[0]) <= 850
    assert "Traceback" not in stderr
    return lines[0]
