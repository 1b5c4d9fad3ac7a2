"""Names that no file can have, and links in a loop: one line that says which name, by command and API."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

import doyle
from doyle.apps.cli import main
from tests.attacks.refusals import refusal_of

LONG = "a" * 300

CALLS: dict[str, Callable[[], object]] = {
    "load": lambda: doyle.load(LONG),
    "load with options": lambda: doyle.load(f"default:translation={LONG}"),
    "load a description": lambda: doyle.load(f"{LONG}.toml"),
    "build": lambda: doyle.build(f"{LONG}.toml"),
    "exploitability": lambda: doyle.exploitability(LONG, game="leduc"),
    "resolve": lambda: doyle.resolve_agent(LONG, "leduc"),
    "play": lambda: doyle.play_match("leduc", [LONG, "random"], hands=2),
    "play a description": lambda: doyle.play_match("leduc", [f"{LONG}.toml", "random"], hands=2),
    "exploit": lambda: doyle.play_match("leduc", [f"size-tell:{LONG}", "random"], hands=2),
    "coach": lambda: doyle.play_match(
        "leduc", [f"full-coach:{LONG}:then:{LONG}", "random"], hands=2
    ),
    "results": lambda: doyle.play_match("leduc", ["random", "random"], hands=2, results=Path(LONG)),
    "checkpoint": lambda: spot(Path(LONG)),
    "checkpoint in a loop": lambda: spot(loop()),
    "results in a loop": lambda: doyle.play_match(
        "leduc", ["random", "random"], hands=2, results=loop() / "x"
    ),
}


def spot(checkpoint: Path) -> object:
    return doyle.spot(
        "Ks7h4d2cJs", ("AA", "KK"), pot=200, stacks=200, iterations=1, checkpoint=checkpoint
    )


def loop() -> Path:
    path = Path("loop")
    path.symlink_to(path)
    return path


@pytest.mark.parametrize("call", list(CALLS))
def test_the_api_refuses_names_that_no_file_can_have(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(doyle.DoyleError):
        CALLS[call]()


@pytest.mark.parametrize(
    ("command", "field"),
    [
        (f"match leduc {LONG} random --hands 2", "agent 'aaa"),
        (f"match leduc random random --hands 2 --log {LONG}", "--log 'aaa"),
        (f"match leduc random random --hands 2 --results {LONG}", "--results 'aaa"),
        (f"solve leduc --iterations 1 --save {LONG}", "--save 'aaa"),
        (f"solve leduc --iterations 1 --checkpoint {LONG}", "--checkpoint 'aaa"),
        (f"strategy show {LONG}", "agent 'aaa"),
        ("match leduc random random --hands 2 --log loop/x", "--log 'loop/x': Too many"),
        ("match leduc random random --hands 2 --log lost/x", "lost is a link that leads nowhere"),
        ("match leduc random random --hands 2 --results loop/x", "--results 'loop/x': Too many"),
        ("solve leduc --iterations 1 --save loop/x", "--save 'loop/x': Too many"),
        ("solve leduc --iterations 1 --save loop", "--save loop: is a file"),
    ],
)
def test_commands_name_the_field(
    command: str,
    field: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    loop()
    Path("lost").symlink_to("nowhere")
    assert main(shlex.split(command)) == 2
    assert field in refusal_of(capsys.readouterr())


@pytest.mark.parametrize("name", [r"half\ud800", r"line\n", r"two\nlines", r"bell\x07"])
def test_an_agent_whose_name_cannot_be_printed_is_refused_before_the_match(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = tmp_path / "half.py"
    agent.write_text(
        f"from doyle.games import CALL\nclass Half:\n    name = '{name}'\n"
        "    def act(self, view):\n        return CALL\n"
    )
    log = tmp_path / "x.log"
    assert main(["match", "leduc", str(agent), "random", "--hands", "2", "--log", str(log)]) == 2
    assert f"'{name}' holds a character that cannot be printed" in refusal_of(capsys.readouterr())
    assert not log.exists()


@pytest.mark.parametrize("cards", ["26 0", "2 48"])
def test_games_of_many_cards_are_played_at_once(
    cards: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Looking at every seven of fifty cards would take hours."""
    hole, board = cards.split()
    game = tmp_path / "many.game"
    game.write_text(
        "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 1\nblind = 1 1\nraiseSize = 2\n"
        f"numSuits = 4\nnumRanks = 13\nnumHoleCards = {hole}\nnumBoardCards = {board}\nEND GAMEDEF\n"
    )
    assert main(["match", str(game), "always-call", "ev", "--hands", "20", "--workers", "1"]) == 0
    assert "mbb/h" in capsys.readouterr().out
