"""Solving through the front door: what commands find, by name and by value, shown in notebooks."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import doyle
from doyle.games import Game
from doyle.testing import check_agent, check_policy


def test_names_and_games_give_the_same_bytes() -> None:
    by_name = doyle.solve("leduc", iterations=50)
    by_value = doyle.solve(Game.named("leduc"), iterations=50)
    for first, second in zip(by_name.strategy.tables, by_value.strategy.tables, strict=True):
        assert np.array_equal(first, second)
    assert by_name.exploitability == by_value.exploitability


def test_without_limits_a_solve_ends_at_a_thousandth_of_the_big_blind() -> None:
    solved = doyle.solve("kuhn")
    assert solved.exploitability is not None
    assert 0 < solved.exploitability <= 1e-3
    assert solved.value == pytest.approx(-1 / 18, abs=2e-3)
    assert solved.history[-1].exploitability == pytest.approx(solved.exploitability)


def test_the_linear_program_ends_by_itself() -> None:
    solved = doyle.solve("kuhn", solver="lp")
    assert solved.value == pytest.approx(-1 / 18, abs=1e-12)


def test_a_sampled_solve_is_the_same_for_the_same_seed() -> None:
    one, two = (doyle.solve("kuhn", solver="external", iterations=4096, seed=7) for _ in range(2))
    assert np.array_equal(one.strategy.tables[0], two.strategy.tables[0])
    other = doyle.solve("kuhn", solver="external", iterations=4096, seed=8)
    assert not np.array_equal(one.strategy.tables[0], other.strategy.tables[0])


def test_games_without_a_definition_are_solved_but_have_no_strategy() -> None:
    solved = doyle.solve("clairvoyance:n=2", target=1e-4)
    assert solved.value == pytest.approx(1 / 3, abs=1e-3)
    assert solved.profile is not None
    with pytest.raises(doyle.DoyleError, match="has no betting tree"):
        _ = solved.strategy


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"game": "nonsense"}, "nonsense"),
        ({"game": "leduc", "solver": "magic"}, "solver 'magic'"),
        ({"game": "leduc", "target": -1.0}, "target must be"),
        ({"game": "holdem-nl-20bb", "iterations": 1}, "holdem-nl-20bb"),
    ],
)
def test_what_cannot_be_solved_is_refused(options: dict[str, object], problem: str) -> None:
    with pytest.raises(doyle.DoyleError, match=problem):
        doyle.solve(**options)  # type: ignore[arg-type]


def test_the_agent_of_a_solve_is_measured_as_the_solve_was() -> None:
    solved = doyle.solve("leduc", iterations=200)
    assert solved.measurement is not None
    found = doyle.exploitability(solved)
    assert found.total == pytest.approx(solved.measurement.total, abs=1e-6)  # tables are 32-bit
    as_policy = doyle.exploitability(_Opaque(solved.agent), game="leduc")
    assert as_policy.total == pytest.approx(found.total, abs=1e-9)


class _Opaque:
    """Only the policy of an agent."""

    def __init__(self, agent: doyle.LoadedAgent) -> None:
        self.probabilities, self.reach = agent.probabilities, agent.reach


def test_the_agent_of_a_solve_keeps_the_contracts() -> None:
    agent = doyle.solve("leduc", iterations=50).agent
    check_agent(agent, "leduc", hands=10)
    check_policy(agent, "leduc", hands=10)


def test_a_solve_shows_value_and_curve() -> None:
    solved = doyle.solve("leduc", iterations=100)
    page = solved._repr_html_()
    assert "exploitability" in page
    svg = solved._repr_svg_()
    assert svg is not None
    ElementTree.fromstring(svg)
    ElementTree.fromstring(f"<div>{page}</div>")


def test_an_agent_shows_its_decisions() -> None:
    agent = doyle.solve("leduc", iterations=100).agent
    decision = agent.at("r")
    assert decision.names == ("fold", "call", "raise 5")
    assert decision.frequencies.sum() == pytest.approx(1)
    page = decision._repr_html_()
    assert "fold" in page
    assert "Ks" in page
    ElementTree.fromstring(page)
    on_board = agent.at("cc/", board="Ks")
    assert "Ks" not in [
        row for row in on_board._repr_html_().split("<td") if row.endswith("Ks</td>")
    ]
    with pytest.raises(doyle.DoyleError, match="there are 1"):
        agent.at("cc/")
    with pytest.raises(doyle.DoyleError, match="the hand is over"):
        agent.at("rf")
    with pytest.raises(doyle.DoyleError, match="history 'x'"):
        agent.at("x")
