"""Strategy agents pass the check of policies under every family of translations; broken ones do not."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import doyle
from doyle.games import Action, State
from doyle.testing import ContractError, check_policy
from tests.agents.synthetic import synthetic_agent

TRANSLATIONS = (
    "rand-pshar",
    "det-geo",
    "absolute",
    "relative",
    "polaris-hard",
    "polaris-soft+aa+cisc+ec",
    "polaris-soft+real+reread",
    "polaris-nd+aa",
    "rand-arith~1~rand-pshar",
    "rand-pshar+defend",
    "rand-pshar+defend-all",
)


@pytest.mark.parametrize("game", ["kuhn", "leduc", "leduc-nl12"])
def test_solved_games_keep_the_contract(game: str) -> None:
    assert check_policy(doyle.solve(game, iterations=30).agent, game, hands=40) > 80


@pytest.mark.parametrize("translation", TRANSLATIONS)
def test_translated_strategies_keep_the_contract(translation: str) -> None:
    assert check_policy(synthetic_agent(translation), "holdem-nl-200bb", hands=12) > 30


class Broken:
    """A policy of Kuhn that checks or calls, with one defect."""

    def __init__(self, defect: str) -> None:
        self.defect = defect

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], npt.NDArray[np.float64]]:
        share = 0.9 if self.defect == "sum" else 1.0
        return (0,) if self.defect == "illegal" else (1,), np.full((3, 1), share)

    def reach(self, state: State, seat: int) -> npt.NDArray[np.float64]:
        return np.full(3, 0.5 if self.defect == "reach" and state.action_count else 1.0)


@pytest.mark.parametrize(
    ("defect", "problem"),
    [
        ("sum", "sum to 1 but for 0.1"),
        ("illegal", "folds with nothing to call"),
        ("reach", "not the product of its probabilities"),
    ],
)
def test_broken_policies_are_found(defect: str, problem: str) -> None:
    with pytest.raises(ContractError, match=problem):
        check_policy(Broken(defect), "kuhn")


class Stubborn(Broken):
    """Says that it calls, and raises."""

    name = "stubborn"

    def act(self, view: doyle.View) -> Action:
        return view.state.max_raise_to or 1


def test_an_agent_that_plays_otherwise_than_its_policy_is_found() -> None:
    with pytest.raises(ContractError, match="with a hand that never does"):
        check_policy(Stubborn("none"), "kuhn")
