"""Agents by name and options: published translations, other choices, clear refusals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from doyle.agents import named_strategy, own_game, resolve_agent
from doyle.agents.named_strategy import parse_options
from doyle.agents.registry import FromStrategy
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.errors import DoyleError
from doyle.building import load_description, preset_names
from doyle.games import Game
from doyle.strategy import Purified, TableStrategy, Thresholded, save_strategy
from doyle.strategy.translation.named_translations import named_translation, translation_names
from tests.agents.synthetic import ScrambledBuckets, betting_tree, random_strategy, saved_agent

GAME = Game.named("holdem-nl-200bb")


@pytest.mark.parametrize(
    ("preset", "translation", "place", "purification"),
    [
        ("tartanian", "absolute", "footnote 6", "none"),
        ("tartanian2", "relative", "section 4.2", "none"),
        ("tartanian4", "rand-geo-2", "section 5.5", "threshold"),
        ("tartanian5", "det-pshar", "2013, footnote 8", "full"),
        ("hyperborean07", "polaris-hard+reread", "section 3.3.2", "none"),
        ("hyperborean08", "polaris-hard+aa+cisc+ec", "section 6.1.1", "none"),
        ("hyperborean09-eqm", "polaris-soft+aa+cisc+ec", "section 6.1.2", "none"),
        ("hyperborean09-br", "polaris-soft+aa+cisc+ec", "section 6.1.2", "none"),
        ("aggrobot", "rand-arith", "section 5.2", "none"),
    ],
)
def test_presets_play_with_their_published_translation(
    preset: str, translation: str, place: str, purification: str
) -> None:
    description = load_description(preset)
    field = description.translation
    assert (field.value, field.source) == (translation, "published")
    assert place in field.note
    assert description.purification.value == purification


def test_every_preset_names_a_known_translation() -> None:
    assert {load_description(name).translation.value for name in preset_names()} <= set(
        translation_names()
    )


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The folder of a strategy as a build leaves it, with buckets that need no atlas."""
    monkeypatch.setattr(named_strategy, "build_abstraction", lambda spec, **_: ScrambledBuckets())
    return saved_agent(tmp_path, translation="det-pshar", purification="full")


def made(text: str) -> StrategyAgent:
    agent = resolve_agent(text, GAME)
    assert isinstance(agent, StrategyAgent)
    return agent


def test_a_strategy_plays_as_its_file_says(built: str) -> None:
    agent = made(built)
    assert agent.name == "toy"
    assert agent.translation == named_translation("det-pshar")
    assert isinstance(agent.strategy, Purified)


def test_options_replace_what_the_file_says(built: str) -> None:
    agent = made(f"{built}:translation=polaris-soft+aa+cisc,purification=none")
    assert agent.name == "toy:translation=polaris-soft+aa+cisc,purification=none"
    assert agent.translation == named_translation("polaris-soft+aa+cisc")
    assert isinstance(agent.strategy, TableStrategy)
    thresholded = made(f"{built}:threshold=0.25").strategy
    assert isinstance(thresholded, Thresholded)
    assert thresholded.threshold == 0.25


def test_a_translation_has_one_name_in_whatever_order_its_flags_are(built: str) -> None:
    agent = made(f"{built}:purification=none,translation=polaris-hard+reread+ec+cisc")
    assert agent.name == "toy:purification=none,translation=polaris-hard+cisc+ec+reread"
    assert agent.name == made(agent.name.replace("toy", built)).name


def test_a_file_with_an_unknown_translation_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(named_strategy, "build_abstraction", lambda spec, **_: ScrambledBuckets())
    old = saved_agent(tmp_path, translation="hard-fixed")
    with pytest.raises(DoyleError, match="translation 'hard-fixed': expected one of") as e:
        resolve_agent(old, GAME)
    assert f"{tmp_path}" in str(e.value)
    assert "field 'metadata.translation'" in str(e.value)
    # An option takes the place of what the file says.
    assert made(f"{old}:translation=polaris-hard").translation == named_translation("polaris-hard")


def test_piecewise_mappings_are_translations(built: str) -> None:
    agent = made(f"{built}:translation=rand-arith~1.0~rand-pshar")
    assert agent.name == "toy:translation=rand-arith~1~rand-pshar"
    assert agent.translation.mapping.name == "rand-arith~1~rand-pshar"


def test_a_strategy_knows_its_game(built: str) -> None:
    assert made(built).game == GAME
    assert own_game(built) == GAME
    with pytest.raises(DoyleError, match="plays holdem-nl-200bb, not doyle-500bb"):
        resolve_agent(built, Game.named("doyle-500bb"))


def test_other_texts_name_no_strategy() -> None:
    assert FromStrategy.read("no-such-agent") is None


def test_a_strategy_without_cards_is_refused(tmp_path: Path) -> None:
    source = random_strategy(betting_tree("fcpa", GAME.name), seed=1)
    save_strategy(source, tmp_path / "strategy")
    with pytest.raises(DoyleError, match="names no card abstraction"):
        resolve_agent(str(tmp_path), GAME)


@pytest.mark.parametrize(
    ("rest", "problem"),
    [
        ("colour=red", "option 'colour=red': expected translation="),
        ("translation", "option 'translation': expected"),
        ("translation=", "option 'translation=': expected"),
        ("purification=half", "purification 'half': expected none, full, threshold"),
        ("threshold=much", "threshold 'much': expected a number from 0 to 1"),
        ("threshold=1.5", "threshold '1.5': expected a number from 0 to 1"),
        ("threshold=nan", "threshold 'nan': expected a number from 0 to 1"),
        ("threshold=0.2,purification=full", "a threshold requires purification=threshold"),
        ("translation=det-geo,translation=det-arith", "option 'translation' is given twice"),
    ],
)
def test_bad_options_are_named(rest: str, problem: str) -> None:
    with pytest.raises(DoyleError, match=problem):
        parse_options(f"default:{rest}", rest)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("x", "translation 'x': expected one of det-arith, "),
        ("soft", "translation 'soft': expected one of det-arith, "),
        ("polaris-hard+real+aa", "'+real' and '+aa' exclude each other"),
        ("polaris-hard+ec+ec", "'+ec' is given twice"),
    ],
)
def test_a_bad_translation_is_refused_before_anything_is_built(
    fresh_cache: Path, name: str, problem: str
) -> None:
    with pytest.raises(DoyleError, match=re.escape(problem)) as error:
        resolve_agent(f"default:translation={name}", GAME)
    assert str(error.value).startswith(f"agent 'default:translation={name}': ")
    assert not (fresh_cache / "agents").exists()
