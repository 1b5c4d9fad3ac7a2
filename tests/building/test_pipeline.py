"""Builds end to end on the full deck; the strength atlas is built once and shared."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from doyle.abstractions.cards import CardAbstraction
from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.building import agent_folder, build, load_agent_strategy, strategy_folder
from doyle.building.description import BuildDescription
from doyle.measuring.reports.build_section import Hints, build_facts
from doyle.solving.games import holdem
from doyle.strategy import load_strategy


def description(name: str) -> BuildDescription:
    """A shallow game that builds in seconds once the atlas is there; nothing is left of it yet."""
    shutil.rmtree(agent_folder(name), ignore_errors=True)
    return same_description(name)


def same_description(name: str) -> BuildDescription:
    return BuildDescription.model_validate(
        {
            "name": name,
            "game": "holdem-nl-20bb",
            "betting": "fca",
            "cards": "ir169.ir20.ir20.20",
            "solver": "external",
            "small": {"cards": "ir169.ir20.ir20.20"},
        }
    )


def test_texts_that_name_no_strategy(tmp_path: Path) -> None:
    assert strategy_folder("always-fold") is None
    with pytest.raises(DoyleError, match="not a preset"):
        load_agent_strategy("always-fold")
    assert strategy_folder("default") == agent_folder("default") / "strategy"
    assert strategy_folder(str(tmp_path)) == tmp_path


@pytest.mark.slow
def test_a_build_goes_on_where_it_stopped_and_ends_with_the_same_bytes() -> None:
    steps = 1 << 18
    whole = build(description("test-whole"), iterations=2 * steps, workers=Workers(1))
    build(description("test-parts"), iterations=steps, workers=Workers(1))
    parts = build(same_description("test-parts"), iterations=2 * steps, workers=Workers(1))
    for ours, theirs in zip(parts.strategy().tables, whole.strategy().tables, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    info = parts.strategy().info
    assert info.iterations == 2 * steps
    assert info.deterministic
    assert [point.iteration for point in info.history] == [steps, 2 * steps]
    assert set(parts.stages) == {"cards", "betting tree", "solving", "strategy"}


@pytest.mark.slow
def test_a_built_agent_is_shown_and_beats_simple_players(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # One thread: what races for the tables would be another agent each time.
    result = build(description("test-shown"), iterations=1 << 20, workers=Workers(1))
    folder = str(result.folder)
    assert main(["strategy", "show", folder, "--plot", str(tmp_path / "grid.png"), "--json"]) == 0
    grid = json.loads(capsys.readouterr().out)
    assert grid["actions"] == ["fold", "call", "all-in"]
    fold, _, all_in = range(3)
    assert grid["by_class"]["AA"]["frequencies"][fold] < 0.05
    assert grid["by_class"]["72o"]["frequencies"][all_in] < 0.5
    assert (tmp_path / "grid.png").stat().st_size > 10_000
    assert main(["strategy", "show", folder, "--history", "cc/", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["buckets"]) == 20
    assert main(["strategy", "show", folder, "--history", "cf"]) == 2
    capsys.readouterr()
    for opponent in ("always-fold", "always-all-in", "random"):
        arguments = ["match", "holdem-nl-20bb", folder, opponent, "--hands", "2000", "--seed", "3"]
        assert main([*arguments, "--json"]) == 0
        mine = json.loads(capsys.readouterr().out)["players"][0]
        assert mine["mbb_per_hand"] - mine["ci95"] > 0
        assert mine["illegal_actions"] == 0
    assert main(["match", "holdem-nl-200bb", folder, "random", "--hands", "10"]) == 2
    assert "plays holdem-nl-20bb" in capsys.readouterr().err


@pytest.mark.slow
def test_full_card_exploitability_goes_on_where_it_stopped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = build(description("test-measured"), iterations=1 << 18, workers=Workers(1))
    # Another place for the same strategy: its measurement starts from nothing.
    strategy = load_strategy(result.folder / "strategy")
    assert strategy.info.exploitability is None
    for expected in (1, 2):
        arguments = ["exploitability", str(result.folder), "--cards", "full"]
        arguments += ["--flops", "1", "--workers", "1"]
        assert main([*arguments, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert document["flops"] == 1755
        assert document["flops_done"] >= expected
        assert document["exploitability"] is None
    assert main(["exploitability", str(result.folder), "--cards", "some"]) == 2


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["egt", "dcfr"])
def test_a_build_over_the_whole_abstract_game_knows_its_exploitability(
    solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deck is cut to one of 65 groups of flops, whose pairs of buckets are quickly counted."""

    class Counted:
        def __init__(self, abstraction: CardAbstraction) -> None:
            self.arrays = holdem.count_group(abstraction, 7, Workers(2))

        def array(self, name: str) -> np.ndarray:
            return self.arrays[("pairs", "wins").index(name)]

    monkeypatch.setattr(holdem, "count_bucket_pairs", lambda cards, **_: Counted(cards))
    name = f"test-{solver}"
    shutil.rmtree(agent_folder(name), ignore_errors=True)
    fields = same_description(name).model_dump()
    fields |= {"cards": "3.3.3.3", "solver": solver, "purification": "full"}
    fields["small"] = {"cards": "3.3.3.3"}
    chosen = BuildDescription.model_validate(fields)
    first = build(chosen, iterations=100, workers=Workers(2)).info
    again = build(chosen, iterations=400, workers=Workers(1))
    info = again.strategy().info
    assert info.iterations == 400
    assert info.history[-1].iteration == 400
    assert info.exploitability is not None
    assert first.exploitability is not None
    assert info.exploitability_as_played is not None
    assert 0 < info.exploitability.total < first.exploitability.total
    assert info.exploitability.total == pytest.approx(
        info.history[-1].exploitability, rel=0.05, abs=1e-3
    )
    assert info.exploitability_as_played.total > info.exploitability.total
    assert info.deterministic
    assert "pairs of buckets" in again.stages
    facts = dict(build_facts(info, again.strategy().tree.game, Hints()))
    assert "mbb/h in the abstract game" in facts["exploitability"]
    assert "exploitability after purification" in facts
