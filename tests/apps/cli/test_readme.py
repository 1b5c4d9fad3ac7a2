"""Printed commands exist with these options, take as long as they say, and run in Start and Guides."""

from __future__ import annotations

import json
import lzma
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from doyle.apps.cli import main
from doyle.apps.cli.app import TOPICS, command_tree
from doyle.apps.cli.matches.match import _enough
from doyle.apps.cli.missing import SMALL_SECONDS
from doyle.building import load_description
from doyle.games import Game
from tests.apps.cli.test_json_keys import leaves

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
START = sorted((ROOT / "docs" / "start").glob("*.md"))
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
INSTALL = (ROOT / "docs" / "start" / "install.md").read_text(encoding="utf-8")
SLOW = next(part for part in INSTALL.split("\n\n") if part.startswith("On two cores"))
WORKERS = next(
    part for part in INSTALL.split("\n\n") if part.startswith("Every command that reports")
)


def named() -> dict[str, Any]:
    return dict(leaves(typer.main.get_command(command_tree(TOPICS))))


def options_of(command: Any) -> dict[str, Any]:
    return {option: parameter for parameter in command.params for option in parameter.opts}


def found(words: list[str], commands: dict[str, Any]) -> tuple[str, list[str]]:
    """The command that words name, and the words after its name."""
    fits = [name for name in commands if name.split() == words[: len(name.split())]]
    assert fits, f"there is no command {' '.join(words)!r}"
    name = max(fits, key=len)
    return name, words[len(name.split()) :]


def console_lines(path: Path) -> list[str]:
    blocks = re.findall(r"```console\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    return [
        line.partition("$ ")[2]
        for block in blocks
        for line in block.splitlines()
        if re.match(r"\w*\$ doyle ", line)
    ]


LINES = [(path, line) for path in PAGES for line in console_lines(path)]


def test_there_is_something_to_check() -> None:
    assert sum(path.name == "README.md" for path, _ in LINES) >= 5
    assert sum(path in START for path, _ in LINES) > 50
    assert sum(path in GUIDES for path, _ in LINES) > 30


@pytest.mark.parametrize(("path", "line"), LINES, ids=lambda value: str(value)[-60:])
def test_a_printed_command_is_one(path: Path, line: str) -> None:
    """Every option and argument is taken, up to what only running it would show."""
    commands = named()
    name, rest = found(shlex.split(line, comments=True)[1:], commands)
    commands[name].make_context(name, rest)


ONLY_PARSED = re.compile(r"#.*\b(minutes?|hours?|until|FILE)\b|\b(HEX|NAME)\b")
"""Comments that announce a long command or one that serves, and words that stand for the reader's own."""


@pytest.mark.parametrize("path", [*START, *GUIDES], ids=lambda path: path.name)
def test_the_commands_of_a_page_run_in_order(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one folder, with the files that the page shows; those that take long are parsed above."""
    text = path.read_text(encoding="utf-8")
    for name, code in re.findall(r"```python\n# (\w+\.py)\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(code, encoding="utf-8")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    for line in console_lines(path):
        if ONLY_PARSED.search(line):
            continue
        assert main(shlex.split(line, comments=True)[1:]) == 0, f"{line}\n{capsys.readouterr().err}"
        assert capsys.readouterr().out, line


SAMPLE = "examples/logs/starter-ev.log.xz"


@pytest.mark.slow
def test_the_line_about_cases_runs_as_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = next(
        line for _, line in LINES if line.startswith(f"doyle cases build sartre-2010 {SAMPLE}")
    )
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    assert main([*shlex.split(line, comments=True)[1:], "--json"]) == 0
    (made,) = json.loads(capsys.readouterr().out)["case_bases"]
    assert (made["name"], made["training"]["hands"]) == ("imitator", 800)
    assert main(["match", "holdem-limit-2p", "imitator", "always-fold", "--hands", "5"]) == 0


def test_the_sample_log_is_that_of_a_match(tmp_path: Path) -> None:
    """So that it can be made again when players or the format change."""
    log = tmp_path / "sample.log.xz"
    command = f"match holdem-limit-2p starter ev --hands 400 --seed 7 --workers 1 --log {log}"
    assert main(command.split()) == 0
    assert lzma.decompress(log.read_bytes()) == lzma.decompress((ROOT / SAMPLE).read_bytes())


def test_commands_within_sentences_exist() -> None:
    commands = named()
    for text in re.findall(r"`doyle ([^`]+)`", README + INSTALL):
        words = shlex.split(text.replace("\n", " "))
        groups = {name.split()[0] for name in commands}
        assert words[0] in groups, text
        if any(name.split() == words[: len(name.split())] for name in commands):
            name, rest = found(words, commands)
            asked = {word for word in rest if word.startswith("--")}
            assert asked <= set(options_of(commands[name])), text


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make ([a-z]+)(?= |`|$)", README + INSTALL, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_slow_commands_are_named_with_how_long_they_take() -> None:
    commands = named()
    for name in ("build", "report", "benchmark", "lbr", "match", "exploitability", "papers"):
        assert f"`doyle {name}" in SLOW, name
        assert name in commands
    assert "--sample-flops" in options_of(commands["exploitability"])
    deals = _enough(
        Game.named("kuhn"), ["random", "random"], exact_hands=False, until_decided=False
    )
    assert f"default: {deals:,}" in options_of(commands["match"])["--hands"].help
    hands = options_of(commands["lbr"])["--hands"].default
    assert f"for its {deals:,} deals" in SLOW
    assert f"seconds for {hands:,} hands" in SLOW
    # Solving and what surrounds it must fit: cards, tree, opponents and the report card took 3 minutes.
    default = load_description("default")
    minutes = int(re.findall(r"under\s+(\d+) minutes", SLOW)[0])
    assert default.seconds.value + 180 <= 60 * minutes
    small = int(re.findall(r"`--scale small`: about (\d+)", SLOW)[0])
    assert default.at_scale("small").seconds.value <= 60 * small
    assert SMALL_SECONDS == 60
    assert "no\nmore than a minute of solving" in WORKERS


def test_what_depends_on_workers_is_said() -> None:
    told = {}
    for name, command in named().items():
        parameter = options_of(command).get("--workers")
        if parameter is not None:
            told[name] = "never changes results" in parameter.help
    assert {name for name, never in told.items() if not never} == {
        "build",
        "solve",
        "plan",
        "serve",
    }
    text = " ".join(WORKERS.split())
    assert "`doyle build` and `doyle solve --solver external`" in text
    assert "`--workers 1` or `--shards N`" in text
    for name in ("build", "solve"):
        assert "--shards" in options_of(named()[name])
