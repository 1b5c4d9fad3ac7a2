"""What the explorer shows is what the agent plays; bets are read as the mappings say."""

from __future__ import annotations

from itertools import pairwise

import pytest

from doyle.agents.strategy_agent import StrategyAgent
from doyle.apps.web.explorer.mapping_tables import mapping_table
from doyle.apps.web.thinking.decisions import loaded_agent
from doyle.apps.web.thinking.strategy_browser import explore, read_bet
from doyle.base.errors import DoyleError
from doyle.cards import HOLES
from doyle.games import Deal, Game
from doyle.games.histories import parse_betting
from doyle.strategy.translation.mappings import MAPPINGS

GAME = "holdem-nl-200bb"


def test_a_place_has_the_agents_probabilities() -> None:
    agent = loaded_agent("starter", GAME)
    assert isinstance(agent, StrategyAgent)
    for betting, board in (("", ""), ("r300c/", "2s7dKh"), ("r300c/cr900c/", "2s7dKh9c")):
        place = explore("starter", GAME, betting, board)
        cards = tuple("23456789TJQKA".index(c[0]) * 4 + "cdhs".index(c[1]) for c in _pairs(board))
        state = parse_betting(Game.named(GAME), betting, deal=Deal(((), ()), cards))
        actions, shares = agent.probabilities(state)
        here = agent.reach(state, state.actor) > 0
        assert len(place["actions"]) == len(actions)
        assert sum(action["share"] for action in place["actions"]) == pytest.approx(1, abs=1e-3)
        for hole, row in enumerate(place["rows"]):
            dead = bool(set(HOLES[hole].tolist()) & set(cards))
            assert (row is None) == dead
            if row is not None and here[hole]:
                assert row[2:] == pytest.approx(shares[hole], abs=1e-4)
                assert row[1] == agent.bucket(tuple(HOLES[hole].tolist()), cards)


def _pairs(text: str) -> list[str]:
    return [text[place : place + 2] for place in range(0, len(text), 2)]


def test_a_bet_that_the_tree_lacks_is_read() -> None:
    place = explore("starter", GAME, "r900", "")
    assert len(place["readings"]) > 1
    assert sum(one["weight"] for one in place["readings"]) == pytest.approx(1, abs=1e-3)
    assert place["trail"][0]["name"] == "raise 900"


def test_places_without_a_decision() -> None:
    assert explore("starter", GAME, "f", "")["over"]
    assert explore("starter", GAME, "r300c/", "")["needs_board"] == 3
    with pytest.raises(DoyleError, match="twice"):
        explore("starter", GAME, "r300c/", "2s2s2s")
    with pytest.raises(DoyleError, match="two players"):
        explore("starter", "holdem-limit-3p", "", "")


def test_lines_of_a_bet() -> None:
    found = read_bet("starter", GAME, "", 1000)
    known = [size["pots"] for size in found["known"]]
    assert found["size"] == pytest.approx((1000 - 100) / 200)
    lower, upper = next((a, b) for a, b in pairwise(known) if a <= found["size"] <= b)
    for mapping, shown in zip(MAPPINGS, found["mappings"], strict=True):
        assert sum(line["weight"] for line in shown["lines"]) == pytest.approx(1)
        expected = float(mapping.probability(lower, upper, found["size"]))
        below = next(size["raise_to"] for size in found["known"] if size["pots"] == lower)
        weight = sum(line["weight"] for line in shown["lines"] if line["betting"] == f"r{below}")
        assert weight == pytest.approx(expected, abs=1e-5)
    with pytest.raises(DoyleError, match="not a legal raise"):
        read_bet("starter", GAME, "", 150)
    with pytest.raises(DoyleError, match="the strategy's tree lacks"):
        read_bet("starter", GAME, "r275", 5000)


def test_the_table_of_mappings() -> None:
    table = mapping_table(0.5, 2.0, 0.9)
    assert [row["name"] for row in table["mappings"]] == [mapping.name for mapping in MAPPINGS]
    for mapping, row in zip(MAPPINGS, table["mappings"], strict=True):
        assert row["probability"] == float(mapping.probability(0.5, 2.0, 0.9))
        assert row["median"] == float(mapping.median(0.5, 2.0))
        assert len(row["curve"]) == len(table["points"])
        assert all(0 <= p <= 1 for p in row["curve"])
