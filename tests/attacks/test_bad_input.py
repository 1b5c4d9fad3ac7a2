"""Bad input to every command: exit code 2, one line of bounded length, nothing on stdout, no file.

Each command with a place for a file is tried with each kind of bad file, and each command with a
place for a text with each kind of bad text. One more attack is one more row.
"""

from __future__ import annotations

import os
import pickle
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from doyle.apps.cli import main
from doyle.base.errors import ParseError
from doyle.games import Game
from tests.attacks.refusals import refusal_of


def write(content: bytes) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(content) and None


def link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


FILES: dict[str, Callable[[Path], None]] = {
    "missing": lambda path: None,
    "empty": lambda path: path.touch(),
    "blank": write(b"\n \n\t\n"),
    "binary": write(bytes(range(256)) * 40),
    "not UTF-8": write("größe = 1".encode("latin-1")),
    "one long line": write(b"x" * 900_000),
    "one long quoted line": write(b"'" + b"x y " * 200_000 + b"'"),
    "nested": write(b"[" * 100_000),
    "nested XML": write(b"<bml>" * 20_000),
    "many digits": write(b"numPlayers = " + b"9" * 5000),
    "null": write(b"\x00" * 100),
    "escape sequences": write(b"\x1b[31mred\x1b[0m \x07"),
    "folder": lambda path: path.mkdir(),
    "link to nothing": link("nowhere"),
    "link to itself": lambda path: path.symlink_to(path.name),
    "pipe": lambda path: os.mkfifo(path),
    "endless": link("/dev/zero"),
}

FILE_COMMANDS: dict[str, str] = {
    "solve {file} --iterations 1": ".game",
    "game show {file}": ".game",
    "match {file} random random --hands 1 --workers 1": ".game",
    "build {file}": ".toml",
    "match leduc {file} random --hands 1 --workers 1": ".toml",
    "strategy show {file}": ".toml",
    "exploitability {file}": "",
    "tree {file}": ".bml",
    "solve leduc --betting {file} --iterations 1": ".bml",
    "convert {file} {folder}/out.phh": ".log",
    "convert {file} {folder}/out.log": ".phh",
    "convert {file} {folder}/out.log.gz": ".phhs",
    "convert {file} {folder}/out.phh --game kuhn": ".log.xz",
    "review {file} --agent random --player a --game leduc --workers 1": ".log",
    "review {file} --agent random --player a --workers 1": ".phh",
    "evaluate {file} --agent random": ".log",
    "evaluate {file} --method divat --game kuhn": ".log",
    "cases build {file} x.log --player a --workers 1": ".toml",
    "cases build sartre-2010 {file} --player a --save {folder}/base --workers 1": ".log",
    "cases show {file}": "",
    "cases query {file} --state MATCHSTATE:1:0::|AsKd": "",
    "verify {file}": ".json",
    "plan {file}": ".toml",
    "spot show {file}": "",
    "spot --board Ks7h4d2c3s --ranges AA KK --pot 2 --stacks 8 --lock @{file}": ".json",
    "spot --board Ks7h4d2c3s --ranges @{file} KK --pot 2 --stacks 8": ".txt",
    "results show {file}": "",
    "lbr {file}": ".toml",
    "exploit {file}": "",
    "report {file}": ".toml",
    "benchmark {file}:Class --game kuhn --hands 10 --workers 1": ".py",
    "explain {file} --state MATCHSTATE:1:0::|AsKd": "",
    "shrink {file}": ".game",
    "league {file} random random --hands 2": ".game",
    "acpc script random --game {file}": ".game",
    "serve {file} --port 0": "",
}

FILE_EXCEPTIONS = {
    # A log or PHHS file without hands is a file with no hands.
    ("convert", "empty"),
    ("convert", "blank"),
}


@pytest.mark.parametrize("command", list(FILE_COMMANDS))
@pytest.mark.parametrize("kind", list(FILES))
def test_bad_files(
    command: str,
    kind: str,
    tmp_path: Path,
    fresh_cache: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / f"input{FILE_COMMANDS[command]}"
    FILES[kind](path)
    before = names(tmp_path)
    code = main(shlex.split(command.format(file=path, folder=tmp_path)))
    if (command.split()[0], kind) in FILE_EXCEPTIONS and code == 0:
        return
    assert code == 2
    refusal_of(capsys.readouterr())
    assert [name for name in names(tmp_path) if name != fresh_cache.name] == before


TEXTS: dict[str, str] = {
    "empty": "",
    "blank": " ",
    "long": "x" * 900_000,
    "long words": "x y " * 25_000,
    "long path": "/x" * 50_000,
    "digits": "9" * 5000,
    "negative": "-1",
    "quotes": "'" * 300 + '"' * 300,
    "escapes": "\\'" * 500,
    "markup": "[bold]x[/nonsense]",
    "lines": "a\nb\r\nc\x0b\x85\u2028",
    "control characters": "\x1b[31m\x07\x7f",
    "null": "a\x00b",
    "half a character": "\udcff",
    "other script": "٣٤",
    "parent": "../../..",
    "format": "{0}%s%n{x}",
    "options": "default:translation=x",
    "brackets": "(" * 3000,
}

TEXT_COMMANDS = (
    "solve {text} --iterations 1",
    "solve kuhn --solver {text} --iterations 1",
    "solve kuhn --iterations {text}",
    "solve kuhn --seconds {text}",
    "solve leduc --betting {text} --iterations 1",
    "solve holdem-nl-200bb --cards {text} --iterations 1",
    "game show {text}",
    "match {text} random random --hands 1",
    "match kuhn {text} random --hands 1 --workers 1",
    "match kuhn random random --hands {text}",
    "match kuhn random random --hands 1 --workers {text}",
    "match kuhn random random --hands 1 --time-limit {text}",
    "build {text}",
    "build default --scale {text}",
    "build default --minutes {text}",
    "build default --workers {text}",
    "strategy show {text}",
    "exploitability {text}",
    "cards build {text}",
    "cards bucket ir169.1.1.1 --hole {text}",
    "cards bucket ir169.1.1.1 --hole AsKd --board {text}1",
    "tree {text} --game leduc",
    "translate {text}",
    "papers {text}",
    "cache clear {text}",
    "explain {text}",
    "lbr {text}",
    "lbr random --game kuhn --actions {text}",
    "exploit random --game kuhn --share {text}",
    "report {text}",
    "benchmark acpc:{text} --game kuhn",
    "evaluate x.log --method {text}",
    "review x.log --agent {text} --game leduc",
    "verify --commitment 00 --salt {text} --deck As",
    "plan {text}",
    "plan default --minutes {text}",
    "museum --scale {text}",
    "museum --hands {text}",
    "results show {text}",
    "cases show {text}",
    "cases similarity {text} c c",
    "acpc dealer {text}",
    "acpc dealer kuhn --on-failure {text}",
    "acpc play random 127.0.0.1 {text}",
    "acpc script {text}",
    "spot show {text}",
    "league {text} random random",
    "shrink {text}",
    "translate --mapping {text} --a 1 --b 2 --x 1.5",
    "{text}",
)


@pytest.mark.parametrize("command", TEXT_COMMANDS)
@pytest.mark.parametrize("kind", list(TEXTS))
def test_bad_texts(
    command: str, kind: str, fresh_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [word.replace("{text}", TEXTS[kind]) for word in command.split()]
    assert main(arguments) == 2
    line = refusal_of(capsys.readouterr())
    assert line.isprintable()
    assert not (fresh_cache / "agents").exists()
    assert not (fresh_cache / "artifacts").exists()


@pytest.mark.parametrize("agents", ["default always-call", "always-call tartanian-small"])
def test_an_agent_of_another_game_is_refused_before_it_is_built(
    agents: str, fresh_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", "kuhn", *agents.split(), "--workers", "1"]) == 2
    assert "not kuhn" in refusal_of(capsys.readouterr())
    assert not (fresh_cache / "agents").exists()


@pytest.mark.parametrize(
    "arguments",
    ["--output /dev/null/x.html", "--output {folder}", "--minutes 1e308", "--shards 5000"],
)
def test_a_build_is_refused_before_its_first_stage(
    arguments: str, tmp_path: Path, fresh_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = arguments.format(folder=tmp_path).split()
    assert main(["build", "default", "--scale", "small", *options]) == 2
    refusal_of(capsys.readouterr())
    assert not (fresh_cache / "artifacts").exists()


def test_names_are_not_read_as_markup(
    tmp_path: Path, fresh_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "[bold]:smile:[x].game"
    path.write_text(Game.named("kuhn").to_text())
    command = ["match", str(path), "random", "always-call", "--hands", "2", "--workers", "1"]
    assert main(command) == 0
    assert "[bold]:smile:[x]" in capsys.readouterr().out


def test_errors_come_back_from_workers_whole() -> None:
    error = ParseError("bad", text="AxKd", position=1, what="cards")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.pointer()) == (str(error), error.pointer())


@pytest.mark.parametrize("position", [0, 49, 50, 51, 500, 998, 999])
def test_a_caret_stands_under_its_character(position: int) -> None:
    text = "".join(chr(ord("a") + place % 26) for place in range(1000))
    shown, caret = ParseError("bad", text=text, position=position, what="x").pointer().splitlines()
    assert shown[len(caret) - 1] == text[position]
    assert len(shown) <= 106
