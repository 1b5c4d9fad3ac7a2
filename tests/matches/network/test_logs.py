"""The dealer's log is that of `doyle match --no-duplicate` with the same seed, byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from doyle.base.errors import DoyleError
from doyle.games import Agent, Game
from doyle.matches import Chance, play_match
from doyle.matches.network import read_keys
from doyle.matches.network.keys import keys_of, write_keys
from tests.matches.network.matches import deal, our_client
from tests.matches.remembering_agents import Counting, Dicing

GAMES = ["kuhn", "holdem-limit-2p", "holdem-limit-3p", "holdem-nl-200bb"]
HANDS = [pytest.param(30, id="30"), pytest.param(3000, id="3000", marks=pytest.mark.slow)]


def both_logs(
    game: Game,
    agents: list[str | Agent],
    folder: Path,
    *,
    hands: int,
    chance: Chance,
    with_keys: bool,
) -> tuple[bytes, bytes]:
    """The log of a match over the network and that of the same match without it."""
    names = [agent if isinstance(agent, str) else agent.name for agent in agents]
    files = [folder / f"{seat}.key" for seat in range(len(agents))] if with_keys else []
    clients = [
        our_client(agent, game, keys=files[seat] if with_keys else None)
        for seat, agent in enumerate(agents)
    ]
    network, local = folder / "network.log", folder / "local.log"
    options: dict[str, Any] = {"names": names, "key_files": files, "chance": chance}
    dealt, running = deal(game, clients, hands=hands, log=network, **options)
    for client in running:
        client.result()
    assert dealt.deviations.total == 0
    fresh = [agent if isinstance(agent, str) else type(agent)() for agent in agents]
    play_match(game, fresh, hands=hands, chance=chance, duplicate=False, log=local)
    return network.read_bytes(), local.read_bytes()


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("name", GAMES)
def test_deterministic_players(name: str, hands: int, tmp_path: Path) -> None:
    game = Game.named(name)
    agents: list[str | Agent] = ["always-call", "always-raise", "always-fold"]
    logs = both_logs(
        game, agents[: game.players], tmp_path, hands=hands, with_keys=False,
        chance=Chance.repeatable(5, deals="acpc"),
    )  # fmt: skip
    assert logs[0] == logs[1]
    assert logs[0].count(b"STATE:") == hands


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("name", GAMES)
def test_random_players_with_their_keys(name: str, hands: int, tmp_path: Path) -> None:
    game = Game.named(name)
    logs = both_logs(
        game, ["random"] * game.players, tmp_path, hands=hands, with_keys=True,
        chance=Chance.repeatable(6, deals="acpc"),
    )  # fmt: skip
    assert logs[0] == logs[1]


def test_random_players_without_keys_play_otherwise(tmp_path: Path) -> None:
    logs = both_logs(
        Game.named("leduc"), ["random", "random"], tmp_path, hands=40, with_keys=False,
        chance=Chance.repeatable(6, deals="acpc"),
    )  # fmt: skip
    assert logs[0] != logs[1]


def test_agents_that_remember_learn_the_end_of_each_hand(tmp_path: Path) -> None:
    logs = both_logs(
        Game.named("holdem-nl-200bb"), [Counting(), Dicing()], tmp_path, hands=30, with_keys=True,
        chance=Chance.repeatable(7, deals="acpc"),
    )  # fmt: skip
    assert logs[0] == logs[1]


@pytest.mark.parametrize("chance", [Chance.sealed(bytes(range(32))), Chance.repeatable(8)])
def test_other_deals(chance: Chance, tmp_path: Path) -> None:
    logs = both_logs(
        Game.named("leduc"), ["random", "random"], tmp_path, hands=30, with_keys=True, chance=chance
    )
    assert logs[0] == logs[1]
    assert (b"# secret" in logs[0]) == (chance.mode == "sealed")


def test_a_key_file_holds_the_dice_of_one_seat_only(tmp_path: Path) -> None:
    game = Game.named("leduc")
    dice = Chance.repeatable(3).dice(game)
    seats = [keys_of(game, dice, player=player, hands=20) for player in range(2)]
    assert not set(seats[0].hand_keys) & set(seats[1].hand_keys)
    assert len(set(seats[0].hand_keys)) == 20
    path = tmp_path / "a.key"
    write_keys(path, seats[0])
    assert path.stat().st_mode & 0o077 == 0
    assert read_keys(path) == seats[0]
    with pytest.raises(DoyleError, match="is of 20 hands; this is hand 20"):
        seats[0].hand_key(20, position=0)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{}", "field 'format'"),
        ("[1]", "field 'format'"),
        ('{"format": "doyle-dice-keys"}', "field 'version'"),
        ('{"format": "doyle-dice-keys", "version": 1}', "field 'hands'"),
        ('{"format": "doyle-dice-keys", "version": 1, "hands": []}', "field 'match'"),
        (
            '{"format": "doyle-dice-keys", "version": 1, "hands": ["xx"], "match": "'
            + "0" * 64
            + '"}',
            r"field 'hands\[0\]'",
        ),
        ("{", "not valid JSON"),
    ],
)
def test_bad_key_files_are_refused(content: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.key"
    path.write_text(content)
    with pytest.raises(DoyleError, match=problem):
        read_keys(path)
    with pytest.raises(DoyleError, match="no such file"):
        read_keys(tmp_path / "none.key")
