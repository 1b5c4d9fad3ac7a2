"""Descriptions of builds: presets tag every field, broken ones name the key."""

from __future__ import annotations

from pathlib import Path

import pytest

from doyle.betting import BettingModel, BettingTree
from doyle.building import load_description, preset_names
from doyle.building.description import parse_description
from doyle.errors import DoyleError
from doyle.games import Game

GOOD = """
name = "mine"
game = "holdem-nl-100bb"
betting = "fcpa"
cards = "ir169.ir50.ir50.50"
solver = "external"
small = { cards = "ir169.ir20.ir20.20" }
"""


def test_the_published_agents_are_presets() -> None:
    assert set(preset_names()) >= {
        "aggrobot", "default", "hyperborean07", "hyperborean08", "hyperborean09-br",
        "hyperborean09-eqm", "limit-2p", "tartanian", "tartanian2", "tartanian4", "tartanian5",
    }  # fmt: skip


@pytest.mark.parametrize("name", preset_names())
def test_every_field_of_a_preset_says_where_it_comes_from(name: str) -> None:
    description = load_description(name)
    assert description.name == name
    rows = description.tags()
    assert {row["field"] for row in rows} == {
        "game", "betting", "cards", "solver", "seconds", "translation", "purification",
    }  # fmt: skip
    assert all(row["source"] in {"published", "assumed"} and row["note"] for row in rows)


@pytest.mark.parametrize(
    ("name", "decisions"),
    [("tartanian", 2136), ("tartanian2", 15888), ("default", 1360), ("limit-2p", 6378)],
)
def test_presets_span_the_published_trees(name: str, decisions: int) -> None:
    description = load_description(name)
    model = BettingModel.parse(description.betting.value)
    tree = BettingTree.build(model, Game.named(description.game.value))
    assert tree.decision_count == decisions


def test_a_file_with_plain_values_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    description = load_description(str(path))
    assert description.cards.value == "ir169.ir50.ir50.50"
    small = description.at_scale("small")
    assert small.name == "mine-small"
    assert small.cards.value == "ir169.ir20.ir20.20"


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        (
            'solver = "external"',
            'solver = "magic"',
            "solver",
            "'external', 'pure', 'pcs', 'lp', 'egt'",
        ),
        ('solver = "external"', 'solver = "egt"', "solver", "egt needs buckets that remember"),
        ('cards = "ir169.ir50.ir50.50"', 'cards = "8.8.x.8"', "cards", "8.8.x.8"),
        ('{ cards = "ir169.ir20.ir20.20" }', '{ cards = "8" }', "small.cards", "card"),
        ('game = "holdem-nl-100bb"', 'game = "leduc"', "game", "not Texas Hold'em"),
        ('betting = "fcpa"', 'betting = "fcz"', "betting", "character"),
        ('game = "holdem-nl-100bb"', 'game = "chess"', "game", "chess"),
        ('game = "holdem-nl-100bb"', "game = 3", "game", "string"),
        ('name = "mine"', 'name = "../mine"', "name", "pattern"),
        ('name = "mine"', 'name = "mine"\nsead = 1', "sead", "allowed are name, summary, game"),
        ('cards = "ir169.ir50.ir50.50"', "", "cards", "required"),
        ('betting = "fcpa"', 'betting = {value = "fcpa", source = "assumed"}', "betting", "note"),
        ('name = "mine"', 'name = "mine"\nseconds = -1', "seconds", "above 0"),
    ],
)
def test_a_broken_description_names_the_key(old: str, new: str, key: str, says: str) -> None:
    with pytest.raises(DoyleError) as caught:
        parse_description(GOOD.replace(old, new), where="mine.toml")
    message = str(caught.value)
    assert message.startswith(f"mine.toml: key '{key}")
    assert says in message
    assert "\n" not in message


def test_what_is_no_description_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DoyleError, match="not valid TOML"):
        parse_description("name = ", where="x.toml")
    with pytest.raises(DoyleError, match="not a preset"):
        load_description("nonsense")
    with pytest.raises(DoyleError, match="cannot be read"):
        load_description(str(tmp_path / "missing.toml"))
    with pytest.raises(DoyleError, match="--scale"):
        load_description("default").at_scale("tiny")
