"""What a command says when it refuses."""

from __future__ import annotations

import pytest

from doyle.apps.cli import main


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The line on stderr of a command that ends with 2 and prints nothing; a caret may point into a text."""
    assert main(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("doyle: ")
    assert captured.err.count("\n") == 1 or captured.err.rstrip().endswith("^")
    return captured.err
