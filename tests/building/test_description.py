"""Descriptions of builds: presets tag every field, broken ones name the key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.building import load_description, named_build, preset_names
from doyle.building.description import parse_description
from doyle.building.pipeline import check_fits, identity
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
    untagged = {"name", "summary"} | ({"iterations"} if description.iterations is None else set())
    assert {row.field for row in rows} == set(type(description).model_fields) - untagged
    assert all(row.source in {"published", "assumed"} and row.note for row in rows)


@pytest.mark.parametrize("name", preset_names())
def test_presets_set_the_work(name: str) -> None:
    for scale in ("full", "small"):
        assert load_description(name).at_scale(scale).iterations is not None  # time is a limit


@pytest.mark.parametrize(
    ("name", "decisions"),
    [
        ("tartanian", 2576),
        ("tartanian2", 16496),
        ("pot-and-all-in", 1360),
        ("default", 9056),
        ("limit-2p", 6378),
    ],
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
            "expected one of lp, egt, cfr, cfr+, linear-cfr, dcfr, dcfr-delayed, pcfr+, external",
        ),
        ('solver = "external"', 'solver = "egt"', "solver", "egt needs perfect recall"),
        ('cards = "ir169.ir50.ir50.50"', 'cards = "8.8.x.8"', "cards", "8.8.x.8"),
        ('{ cards = "ir169.ir20.ir20.20" }', '{ cards = "8" }', "small.cards", "card"),
        ('game = "holdem-nl-100bb"', 'game = "leduc"', "game", "not Texas Hold'em"),
        ('betting = "fcpa"', 'betting = "fcz"', "betting", "character"),
        ('game = "holdem-nl-100bb"', 'game = "chess"', "game", "chess"),
        ('game = "holdem-nl-100bb"', "game = 3", "game'", "string"),
        ('name = "mine"', 'name = "../mine"', "name", "unfit for a folder"),
        ('name = "mine"', 'name = "mine."', "name", "letter or digit first and last"),
        ('name = "mine"', 'name = "Mine"', "name", "a-z, 0-9"),
        ('name = "mine"', "", "name'", "required; expected the name of the agent"),
        ('betting = "fcpa"', 'betting = "limit"', "betting", "holdem-nl-100bb is no-limit"),
        ('betting = "fcpa"', "", "betting'", "required; expected a betting model such as 'fcpa'"),
        ('"external"', '"external"\nbettin = "fcpa"', "bettin'", "allowed are name, summary, game"),
        (
            '{ cards = "ir169.ir20.ir20.20" }',
            '{ cards = "ir169.ir20.ir20.20", second = 1 }',
            "small.second'",
            "allowed are source, note, cards, solver, iterations, seconds",
        ),
        ('{ cards = "ir169.ir20.ir20.20" }', "{}", "small.cards'", "required; expected a card"),
        ('{ cards = "ir169.ir20.ir20.20" }', "3", "small'", "a table with the keys source, note"),
        (
            '{ cards = "ir169.ir20.ir20.20" }',
            '{ cards = "ir169.ir20.ir20.20", seconds = inf }',
            "small.seconds'",
            "finite",
        ),
        ('"holdem-nl-100bb"', '{ valu = "leduc" }', "game.value'", "required; expected a game"),
        (
            '"fcpa"',
            '{ value = "fcpa", why = "" }',
            "betting.why'",
            "allowed are source, note, value",
        ),
        ('name = "mine"', 'name = "mine"\nsead = 1', "sead", "allowed are name, summary, game"),
        ('cards = "ir169.ir50.ir50.50"', "", "cards", "required"),
        ('betting = "fcpa"', 'betting = {value = "fcpa", source = "assumed"}', "betting", "note"),
        ('name = "mine"', 'name = "mine"\nseconds = -1', "seconds", "above 0"),
        ('name = "mine"', 'name = "mine"\nseconds = 0', "seconds", "above 0"),
        ('name = "mine"', 'name = "mine"\nseconds = inf', "seconds", "finite"),
        ('name = "mine"', 'name = "mine"\nseconds = nan', "seconds", "finite"),
        ('name = "mine"', 'name = "mine"\niterations = 0', "iterations", "from 1"),
        ('name = "mine"', 'name = "mine"\nseconds = true', "seconds", "not true"),
        ('name = "mine"', 'name = "mine\\n"', "name", "unfit for a folder"),
        ('name = "mine"', 'name = "mine"\nthreshold = 0.3', "threshold", "purification"),
        (
            '{ cards = "ir169.ir20.ir20.20" }',
            '{ cards = "ir169.ir20.ir20.20", seconds = true }',
            "small.seconds'",
            "number",
        ),
        ('name = "mine"', 'name = "mine"\nseed = -1', "seed", "from 0"),
        ('name = "mine"', 'name = "mine"\nthreshold = nan', "threshold", "from 0 to 1"),
        ('name = "mine"', 'name = "mine"\ntranslation = "foo"', "translation", "rand-pshar, "),
        ('name = "mine"', 'name = "mine"\npurification = "some"', "purification", "'threshold'"),
        ('name = "mine"', 'name = "mine"\nprune_below = 3', "prune_below", "below 0, or 0"),
        ('name = "mine"', 'name = "mine"\ntremble = 1', "tremble", "less than 1"),
        ('name = "mine"', 'name = "mine"\nprune_below = -inf', "prune_below", "below 0, or 0"),
        (
            'solver = "external"',
            'solver = "pcs"\nprune_below = -300',
            "prune_below",
            "external and pure do",
        ),
    ],
)
def test_a_broken_description_names_the_key(old: str, new: str, key: str, says: str) -> None:
    with pytest.raises(DoyleError) as caught:
        parse_description(GOOD.replace(old, new), where="mine.toml")
    message = str(caught.value)
    assert message.startswith(f"mine.toml: key '{key}")
    assert says in message
    assert "\n" not in message


def test_all_missing_keys_are_named_at_once() -> None:
    with pytest.raises(DoyleError, match=r"key 'betting': required.*; also missing: cards, solver"):
        parse_description('name = "mine"\ngame = "holdem-nl-100bb"\n', where="mine.toml")


@pytest.mark.parametrize("name", ["default", "default-small", "tartanian5-small", "mine@leduc"])
def test_a_name_that_other_builds_use_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD.replace('"mine"', f'"{name}"'))
    with pytest.raises(DoyleError, match=f"mine.toml: key 'name': '{name}'"):
        load_description(str(path))


@pytest.mark.parametrize(
    ("agent", "key", "says"),
    [
        ("tartanian@kuhn", "game", "game kuhn"),
        ("tartanian-small@leduc", "game", "game leduc is not Texas Hold'em"),
        ("tartanian@holdem-limit-2p", "betting", "fixed bets; use the model `limit`"),
        ("limit-2p@holdem-nl-20bb", "betting", "is no-limit"),
    ],
)
def test_another_game_that_does_not_fit_is_refused(agent: str, key: str, says: str) -> None:
    with pytest.raises(DoyleError) as caught:
        named_build(agent)
    assert str(caught.value).startswith(f"{agent}: key '{key}': ")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_small_is_small_however_it_is_asked_for() -> None:
    small = named_build("tartanian-small")
    assert small is not None
    assert named_build("tartanian-small", scale="small") == small
    assert named_build("tartanian", scale="small") == small
    elsewhere = named_build("tartanian@holdem-nl-200bb", scale="small")
    assert elsewhere == named_build("tartanian-small@holdem-nl-200bb")
    assert elsewhere is not None
    assert elsewhere.name == "tartanian-small@holdem-nl-200bb"
    for agent in ("tartanian", "tartanian-small"):
        with pytest.raises(DoyleError, match="scale 'tiny': expected full or small"):
            named_build(agent, scale="tiny")


def test_what_is_no_description_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DoyleError, match="not valid TOML"):
        parse_description("name = ", where="x.toml")
    with pytest.raises(DoyleError, match="not a preset"):
        load_description("nonsense")
    with pytest.raises(DoyleError, match="cannot be read"):
        load_description(str(tmp_path / "missing.toml"))
    with pytest.raises(DoyleError, match="scale 'tiny': expected full or small"):
        load_description("default").at_scale("tiny")


def test_the_page_about_builds_names_every_key(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "methods" / "builds.md").read_text()
    example = text.partition("```toml\n")[2].partition("```")[0]
    description = parse_description(example, where="builds.md")
    fields = set(type(description).model_fields)
    assert description.model_fields_set == fields
    assert {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")} == fields
    assert load_description(str(Path(__file__).parents[2] / "examples" / "shallow.toml"))


def test_a_build_with_another_reading_of_tartanians_cap_is_named(tmp_path: Path) -> None:
    """`tartanian-2007` meant three bets a round once; such builds no longer fit the preset."""
    preset = load_description("tartanian")
    described = identity(preset)
    assert described["betting"] == "tartanian-2007@any"
    record = {"described": {**described, "betting": "tartanian-2007"}, "used": {"shards": 0}}
    (tmp_path / "build.json").write_text(json.dumps(record))
    with pytest.raises(DoyleError) as error:
        check_fits(preset, tmp_path)
    assert "was built with betting = 'tartanian-2007'" in str(error.value)
    assert "has 'tartanian-2007@any'; remove that folder" in str(error.value)
