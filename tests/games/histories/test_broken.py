"""A corpus of broken files: each gives a `DoyleError` that names the file, never anything else."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.games.histories import read_log, read_phh

CORPUS = sorted((Path(__file__).parent / "broken").iterdir())


def read(path: Path) -> None:
    if path.suffix == ".game":
        Game.named(path)
    elif path.suffix == ".log":
        list(read_log(path, Game.named("holdem-nl-200bb")))
    else:
        list(read_phh(path))


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_a_clear_error(path: Path) -> None:
    with pytest.raises(DoyleError) as caught:
        read(path)
    message = str(caught.value)
    assert path.name in message
    assert "\n" not in message


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_the_command_line_refuses_it(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if path.suffix == ".game":
        arguments = ["game", "show", str(path)]
    elif path.suffix == ".log":
        arguments = ["convert", str(path), str(tmp_path / "out.phhs"), "--game", "holdem-nl-200bb"]
    else:
        arguments = ["convert", str(path), str(tmp_path / "out.log")]
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("doyle: ")
    assert path.name in captured.err
    assert not list(tmp_path.iterdir())


def test_a_packed_file_that_ends_too_early(tmp_path: Path) -> None:
    whole = gzip.compress(b"STATE:0:f:6cJd|9c4s:50|-50:A|B\n" * 1000)
    path = tmp_path / "cut.log.gz"
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DoyleError, match="cannot be read"):
        list(read_log(path, Game.named("holdem-nl-200bb")))
