"""Loading, building and playing through the front door."""

from __future__ import annotations

import pickle
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import doyle
from doyle.agents import named_strategy
from doyle.strategy import TableStrategy, save_strategy
from tests.agents.synthetic import ScrambledBuckets, saved_agent


def test_what_is_not_built_is_refused_and_not_built(fresh_cache: Path) -> None:
    with pytest.raises(doyle.DoyleError, match=r"not built yet .*; doyle.build\('default-small'\)"):
        doyle.load("default-small")
    assert not (fresh_cache / "agents").exists()


@pytest.mark.parametrize("text", ["nobody", "always-call", "default:colour=red"])
def test_what_names_no_strategy_is_refused(text: str) -> None:
    with pytest.raises(doyle.DoyleError, match="agent"):
        doyle.load(text)


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The folder of a random strategy of Hold'em, read with cheap buckets."""
    monkeypatch.setattr(named_strategy.NamedStrategy, "bucketing", ScrambledBuckets())
    return saved_agent(tmp_path / "toy")


def test_a_folder_is_loaded_and_shows_its_grid(toy: str) -> None:
    agent = doyle.load(Path(toy))
    assert (agent.name, agent.game.name, agent.cards) == ("toy", "holdem-nl-200bb", "7.5.5.5")
    decision = agent.at("r300")
    assert decision.probabilities.shape == (1326, len(decision.actions))
    page = agent._repr_html_()
    ElementTree.fromstring(page)
    assert page.count("<td") == 169


def test_options_after_a_colon_hold(toy: str) -> None:
    purified = doyle.load(f"{toy}:purification=full,translation=det-geo")
    assert purified.translation == "det-geo"
    shares = purified.at().probabilities
    assert set(np.unique(shares)) <= {0.0, 1.0}


def test_a_loaded_agent_travels_as_its_name(toy: str, tmp_path: Path) -> None:
    agent = doyle.load(toy)
    data = pickle.dumps(agent)
    assert len(data) < 1000
    again = pickle.loads(data)
    assert np.array_equal(again.at().probabilities, agent.at().probabilities)
    other = TableStrategy(agent.tables.tree, [1 - table for table in agent.tables.tables])
    save_strategy(other, Path(toy) / "strategy", step=1)
    doyle.apps.front.loaded._loaded_again.cache_clear()  # type: ignore[attr-defined]
    with pytest.raises(doyle.DoyleError, match="built again meanwhile"):
        pickle.loads(data)


def test_games_and_agents_are_given_by_name_or_value() -> None:
    agent = doyle.solve("leduc", iterations=100).agent
    by_name = doyle.play_match("leduc", [agent, "always-raise"], hands=100, seed=3)
    by_value = doyle.play_match(
        doyle.Game.named("leduc"),
        [agent, doyle.resolve_agent("always-raise", "leduc")],
        hands=100,
        seed=3,
        workers=2,
    )
    assert np.array_equal(by_name.units, by_value.units)
    page = by_name._repr_html_()
    ElementTree.fromstring(page)
    assert "±" in page
    assert "always-raise" in page


def test_exploitability_names_its_game() -> None:
    agent = doyle.solve("kuhn", iterations=10).agent
    with pytest.raises(doyle.DoyleError, match="plays kuhn, not leduc"):
        doyle.exploitability(agent, game="leduc")


@pytest.mark.slow
def test_a_description_is_built_and_loaded(
    fresh_cache: Path, tmp_path: Path, notices: list[str]
) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(
        'name = "tiny"\ngame = "holdem-nl-20bb"\nbetting = "fca"\ncards = "ir5.ir5.ir5.5"\n'
        'solver = "external"\nsmall = { cards = "ir3.ir3.ir3.3" }\n'
    )
    page = tmp_path / "report.html"
    built = doyle.build(path, iterations=1 << 18, workers=1, report=page, hands=0)
    assert "<h2>Convergence</h2>" in page.read_text()
    assert built.name == "tiny"
    assert any(line.startswith("solving") for line in notices)
    assert doyle.load(str(path)).at().frequencies.sum() == pytest.approx(1)


def test_a_baseline_is_measured_in_the_game_it_is_given() -> None:
    found = doyle.exploitability("always-call", game="leduc")
    assert (
        found.total
        == doyle.exploitability(doyle.resolve_agent("always-call", "leduc"), game="leduc").total
        > 0
    )
