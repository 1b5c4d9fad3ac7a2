"""`doyle explain`: what it prints is what the agent plays; one line for bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from doyle.agents import named_strategy, resolve_agent
from doyle.agents.strategy_agent import StrategyAgent
from doyle.apps.cli import main
from doyle.cards import HOLES, format_cards, hole_index
from doyle.games import FOLD, Game, Policy
from doyle.games.histories import format_action, parse_matchstate
from tests.agents.synthetic import ScrambledBuckets, saved_agent, scrambled_equities

GAME = Game.named("holdem-nl-200bb")
STATES = (
    "MATCHSTATE:1:0::|AsKd",
    "MATCHSTATE:0:7:r450:TdTs|",
    "MATCHSTATE:0:3:r250c/cr400:AsTd|/8c8d5c",
    "MATCHSTATE:1:9:cr700c/r1111r5000c/r9000:|2c2d/AhKhQh/3s",
)


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(named_strategy, "build_abstraction", lambda spec, **_: ScrambledBuckets())
    monkeypatch.setattr(named_strategy, "_equities", lambda game: scrambled_equities)
    return saved_agent(tmp_path)


def explained(capsys: pytest.CaptureFixture[str], agent: str, state: str) -> dict[str, Any]:
    assert main(["explain", agent, "--state", state, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize(
    "translation",
    [
        "rand-pshar",
        "det-geo",
        "relative",
        "polaris-soft+aa",
        "polaris-nd+ec",
        "polaris-hard+reread",
    ],
)
@pytest.mark.parametrize("line", STATES)
def test_it_shows_what_the_agent_plays(
    capsys: pytest.CaptureFixture[str], toy: str, line: str, translation: str
) -> None:
    text = f"{toy}:translation={translation}"
    document = explained(capsys, text, line)
    agent = resolve_agent(text, GAME)
    assert isinstance(agent, StrategyAgent)
    seen = parse_matchstate(GAME, line)
    view = seen.state.view(seen.seat)
    assert document["bucket"] == agent.bucket(view.hole, view.board)
    actions, shares = agent.probabilities(view.state)
    row = shares[hole_index(*view.hole)]
    played = {
        format_action(GAME, action): share
        for action, share in zip(actions, row, strict=True)
        if share > 0
    }
    shown = {entry["action"]: entry["probability"] for entry in document["actions"]}
    assert shown == pytest.approx(played)
    assert document["reached"] == bool(document["histories"])
    if not document["reached"]:
        assert shown == {"c": 1.0}
        return
    # The real probabilities are the weighted mean of the abstract ones.
    mean: dict[str, float] = {}
    for history in document["histories"]:
        moves = history["actions"] or [{"real": "c", "probability": 1.0}]
        assert bool(history["actions"]) != history["waits"]
        for move in moves:
            share = history["weight"] * move["probability"]
            mean[move["real"]] = mean.get(move["real"], 0.0) + share
    assert {action: share for action, share in mean.items() if share > 0} == pytest.approx(played)
    assert sum(history["weight"] for history in document["histories"]) == pytest.approx(1.0)


def test_weights_are_those_of_the_mapping(capsys: pytest.CaptureFixture[str], toy: str) -> None:
    """A raise to 450 over a pot of 200 is 1.75 pots: between the pot bet and all-in."""
    document = explained(capsys, toy, "MATCHSTATE:0:7:r450:TdTs|")
    weights = {history["betting"]: history["weight"] for history in document["histories"]}
    lower, upper, seen = 1.0, 19_900 / 200, 1.75
    down = (upper - seen) * (1 + lower) / ((upper - lower) * (1 + seen))
    assert weights == pytest.approx({"r300": down, "r20000": 1 - down})
    assert document["translation"]["mapping"] == "rand-pshar"
    assert document["hand_strength"] is None  # these buckets are not made from the atlas


def test_deterministic_mappings_leave_one_history(
    capsys: pytest.CaptureFixture[str], toy: str
) -> None:
    for line in STATES[:3]:
        document = explained(capsys, f"{toy}:translation=det-pshar", line)
        assert [history["weight"] for history in document["histories"]] in ([1.0], [])


def test_the_text_is_for_people(capsys: pytest.CaptureFixture[str], toy: str) -> None:
    assert main(["explain", toy, "--state", STATES[1]]) == 0
    text = capsys.readouterr().out
    assert "toy in seat 0 of holdem-nl-200bb" in text
    assert "TdTs: bucket " in text
    assert "read by  rand-pshar, measure real\n" in text
    assert "as r300 with weight 0.72" in text
    assert "plays\n" in text


def test_a_translation_is_shown_by_its_canonical_name(
    capsys: pytest.CaptureFixture[str], toy: str
) -> None:
    agent = f"{toy}:translation=polaris-hard+reread+ec"
    assert main(["explain", agent, "--state", STATES[1]]) == 0
    text = capsys.readouterr().out
    assert "toy:translation=polaris-hard+ec+reread in seat 0" in text
    assert "read by  polaris-hard+ec+reread, mapping det-geo, measure chips\n" in text
    assert explained(capsys, agent, STATES[1])["translation"] == {
        "name": "polaris-hard+ec+reread",
        "mapping": "det-geo",
        "measure": "chips",
        "small_bets": "extend-call",
        "remembers_own_actions": False,
        "defend": "never",
    }


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("STATE:0::AsKd|", "expected"),
        ("MATCHSTATE:1:0:r5:|AsKd", "raises to 5"),
        ("MATCHSTATE:1:0:f:|AsKd", "the hand is over"),
        ("MATCHSTATE:1:0:c:|AsKd", "seat 0 is to act, not seat 1"),
        ("MATCHSTATE:1:0::|", "the cards of seat 1 are hidden"),
        ("MATCHSTATE:0:0:cc/:AsKd|", "before the board of round 1"),
    ],
)
def test_bad_states_are_one_line(
    capsys: pytest.CaptureFixture[str], toy: str, line: str, problem: str
) -> None:
    assert main(["explain", toy, "--state", line]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert problem in captured.err.splitlines()[0]


@pytest.mark.parametrize(
    ("agent", "problem"),
    [("random", "has no strategy to explain"), ("qqq", "no such agent")],
)
def test_agents_without_a_strategy_are_refused(
    capsys: pytest.CaptureFixture[str], agent: str, problem: str
) -> None:
    assert main(["explain", agent, "--state", STATES[0]]) == 2
    assert problem in capsys.readouterr().err


def test_numbers_are_finite(capsys: pytest.CaptureFixture[str], toy: str) -> None:
    for line in STATES:
        document = explained(capsys, toy, line)
        values = [entry["probability"] for entry in document["actions"]]
        assert np.isfinite(values).all()
        assert sum(values) == pytest.approx(1.0)


def test_a_defence_is_shown_where_it_changes_something(
    capsys: pytest.CaptureFixture[str], toy: str
) -> None:
    line = "MATCHSTATE:0:3:cc/cc/cc/cr200:{}|/8c8d5c/Kh/Qd"
    names = [f"{toy}:translation=rand-pshar{ending}" for ending in ("", "+defend")]
    state = parse_matchstate(GAME, line.format("AsTd")).state.public()
    before, after = (cast(Policy, resolve_agent(name, GAME)).probabilities(state) for name in names)
    assert before[0] == after[0]
    assert before[0][0] == FOLD
    change = np.abs(before[1][:, 0] - after[1][:, 0])
    free = ~np.isin(HOLES, state.board).any(axis=1)
    unchanged, changed = (
        np.flatnonzero(free & (change < 1e-12)),
        np.flatnonzero(free & (change > 0.01)),
    )
    assert len(changed) > 100
    for hole in (*changed[::100].tolist(), int(unchanged[0])):
        cards = format_cards(HOLES[hole].tolist())
        plain, document = (explained(capsys, name, line.format(cards)) for name in names)
        assert document["translation"]["defend"] == "last-round"
        assert document["histories"] == plain["histories"]
        assert plain["defence"] is None
        if hole == unchanged[0]:
            assert document["defence"] is None
            continue
        assert document["defence"]["by_strategy"] == pytest.approx(before[1][hole, 0])
        assert document["defence"]["folds"] == pytest.approx(after[1][hole, 0])
        assert 0 <= document["defence"]["place"] <= 1
        assert main(["explain", names[1], "--state", line.format(cards)]) == 0
        assert "the worst hands fold first" in capsys.readouterr().out
