"""What `doyle solve --save` writes can be shown, measured, explained and played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.agents import resolve_agent
from doyle.agents.strategy_agent import StrategyAgent
from doyle.apps.cli import main
from doyle.base.workers import Workers
from doyle.games import Game
from doyle.matches import play_match
from doyle.measuring.strategies import policy_exploitability
from doyle.solving.games.small_games import small_game
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import profile_of
from doyle.strategy import Purified, load_strategy
from doyle.testing import check_agent

SOLVES = {
    "kuhn-lp": ["kuhn", "--solver", "lp"],
    "leduc-cfr+": ["leduc", "--solver", "cfr+", "--iterations", "100"],
    "leduc-external": ["leduc", "--solver", "external", "--iterations", "8000"],
}


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def solved(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str) -> dict[str, Any]:
    return answer(capsys, "solve", *arguments, "--save", str(folder))


@pytest.mark.parametrize("name", SOLVES)
def test_it_is_measured_as_its_solver_did(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    document = solved(capsys, tmp_path / "x", *SOLVES[name])
    measured = answer(capsys, "exploitability", str(tmp_path / "x"))
    assert measured["measured_in"] == "whole"
    assert measured["as_played"] is True
    assert (measured["purification"], measured["threshold"]) == ("none", None)
    # Files hold single precision.
    total = document["exploitability"]["total"]
    assert measured["exploitability"]["total"] == pytest.approx(total, abs=1e-6)
    players = document["exploitability"]["players"]
    assert measured["exploitability"]["players"] == pytest.approx(players, abs=1e-6)
    assert sum(measured["best_response"]) == pytest.approx(2 * total, abs=1e-6)
    chips, blind = measured["exploitability"], Game.named(SOLVES[name][0]).big_blind
    assert measured["exploitability_mbb"]["total"] == pytest.approx(1000 * chips["total"] / blind)
    assert main(["exploitability", str(tmp_path / "x"), "--flops", "1"]) == 2
    assert "--flops" in capsys.readouterr().err


@pytest.mark.parametrize("name", SOLVES)
def test_it_plays(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    solved(capsys, tmp_path / "x", *SOLVES[name])
    game = Game.named(SOLVES[name][0])
    agent = resolve_agent(str(tmp_path / "x"), game)
    assert isinstance(agent, StrategyAgent)
    assert agent.name == "x"
    assert check_agent(agent, game, hands=30) > 30
    # As a policy it is what was measured.
    total = policy_exploitability(game, (agent, agent)).total
    measured = answer(capsys, "exploitability", str(tmp_path / "x"))
    assert total == pytest.approx(measured["exploitability"]["total"], abs=1e-9)
    alone, together = (
        play_match(game, [agent, "random"], hands=100, workers=Workers(count)) for count in (1, 2)
    )
    assert alone.document() == together.document()
    assert alone.illegal_actions == (0, 0)


def test_every_hand_is_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    solved(capsys, tmp_path / "x", *SOLVES["leduc-cfr+"])
    solved(capsys, tmp_path / "y", *SOLVES["leduc-external"])
    strategy = load_strategy(tmp_path / "x")
    shown = answer(capsys, "strategy", "show", str(tmp_path / "x"), "--history", "cr")
    node = strategy.tree.find([[1, 3]])
    assert shown["actions"] == ["fold", "call", "raise 5"]
    assert list(shown["by_hand"]) == ["Qh", "Kh", "Ah"]
    for number, row in enumerate(shown["by_hand"].values()):
        expected = strategy.probabilities(node, np.array([number]))[0]
        assert row["frequencies"] == pytest.approx(expected.tolist(), abs=1e-6)
    after = answer(capsys, "strategy", "show", str(tmp_path / "x"), "--history", "cc/")
    assert len(after["by_hand"]) == 9
    assert after["by_hand"]["Kh/Ks"] != after["by_hand"]["Kh/Ah"]
    by_card = answer(capsys, "strategy", "show", str(tmp_path / "y"), "--history", "cc/")
    assert len(by_card["by_hand"]) == 30
    for row in by_card["by_hand"].values():
        assert sum(row["frequencies"]) == pytest.approx(1, abs=1e-5)
    assert main(["strategy", "show", str(tmp_path / "x"), "--plot", str(tmp_path / "x.png")]) == 0
    assert (tmp_path / "x.png").stat().st_size > 5_000


def test_it_is_measured_as_it_is_played(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    solved(capsys, tmp_path / "x", *SOLVES["leduc-cfr+"])
    strategy = load_strategy(tmp_path / "x")
    form = SequenceForm(small_game(Game.named("leduc")))
    pure = answer(capsys, "exploitability", f"{tmp_path / 'x'}:purification=full")
    expected = profile_of(form, Purified(strategy)).exploitability
    assert pure["exploitability"]["total"] == pytest.approx(expected, abs=1e-12)
    assert pure["purification"] == "full"
    solid = answer(capsys, "exploitability", f"{tmp_path / 'x'}:threshold=0")
    plain = answer(capsys, "exploitability", str(tmp_path / "x"))
    assert solid["exploitability"]["total"] == pytest.approx(plain["exploitability"]["total"])
    assert solid["threshold"] == 0.0
    assert pure["exploitability"]["total"] > 2 * plain["exploitability"]["total"]


def test_bets_outside_its_tree_are_translated(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A small no-limit game, so that all its bets can be walked in a second."""
    text = Game.named("leduc-nl12").to_text().replace("stack = 12 12", "stack = 6 6")
    assert "stack = 6 6" in text
    definition = tmp_path / "leduc-nl6.game"
    definition.write_text(text)
    arguments = [str(definition), "--betting", "fca", "--solver", "cfr+", "--iterations", "50"]
    document = solved(capsys, tmp_path / "x", *arguments)
    totals = {}
    for translation in ("rand-pshar", "det-geo"):
        agent = f"{tmp_path / 'x'}:translation={translation}"
        measured = answer(capsys, "exploitability", agent)
        assert measured["translation"] == translation
        totals[translation] = measured["exploitability"]["total"]
    # The responder may bet what the tree of the solve does not have.
    assert min(totals.values()) > document["exploitability"]["total"] + 0.01
    assert totals["rand-pshar"] != pytest.approx(totals["det-geo"], abs=1e-3)
    game = Game.named(str(definition))
    assert check_agent(resolve_agent(str(tmp_path / "x"), game), game, hands=30) > 30


@pytest.mark.slow
@pytest.mark.parametrize("model", ["fcpa", "fchpa/h"])
def test_a_defence_in_the_last_round_makes_no_limit_leduc_less_exploitable(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, model: str
) -> None:
    """And one in every round makes it more so: that is why `default` has the first."""
    arguments = ["leduc-nl12", "--betting", model, "--solver", "cfr+", "--iterations", "1000"]
    solved(capsys, tmp_path / "x", *arguments)
    totals = []
    for ending in ("+defend", "", "+defend-all"):
        agent = f"{tmp_path / 'x'}:translation=rand-pshar{ending}"
        totals.append(answer(capsys, "exploitability", agent)["exploitability"]["total"])
    assert totals == sorted(totals)
    assert totals[0] < totals[1] - 0.01
    assert totals[2] > totals[1] + 0.05


def test_it_is_explained(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    solved(capsys, tmp_path / "x", *SOLVES["leduc-cfr+"])
    state = "MATCHSTATE:0:0:cc/:As|/Kh"
    document = answer(capsys, "explain", str(tmp_path / "x"), "--state", state)
    assert document["buckets"] == 9
    assert sum(entry["probability"] for entry in document["actions"]) == pytest.approx(1)
