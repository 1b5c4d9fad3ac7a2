"""Every baseline passes the check of agents in every bundled game; bad agents do not."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from doyle.games import Game, View, bundled_names
from doyle.testing import ContractError, check_agent

SIMPLE = ("always-fold", "always-call", "always-raise", "always-all-in", "random")
SMALL = ("kuhn", "leduc", "leduc-nl12")


@pytest.mark.parametrize("name", bundled_names())
@pytest.mark.parametrize("agent", SIMPLE)
def test_baselines_keep_the_contract(agent: str, name: str) -> None:
    assert check_agent(agent, name, hands=5) >= 5


@pytest.mark.parametrize("name", SMALL)
def test_ev_keeps_the_contract_in_small_games(name: str) -> None:
    assert check_agent("ev", name) >= 20


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in bundled_names() if name not in SMALL])
def test_ev_keeps_the_contract_in_large_games(name: str) -> None:
    assert check_agent("ev", name) >= 20


class Bad:
    def __init__(self, answer: Any, name: Any = "bad") -> None:
        self.answer = answer
        self.name = name

    def act(self, view: View) -> int:
        return self.answer() if callable(self.answer) else self.answer  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("agent", "problem"),
    [
        (Bad(None), "returned None, which is not an int"),
        (Bad(1.0), "returned 1.0, which is not an int"),
        (Bad(-1), "illegal action, -1 is not an action"),
        (Bad(50), "raises to 50, allowed: 2 to 2"),
        (Bad(count(1).__next__), "returned 1, then 2 for the same view"),
        (Bad(1, name=""), "its name must be a text"),
    ],
)
def test_bad_agents_are_found(agent: Bad, problem: str) -> None:
    with pytest.raises(ContractError, match=problem):
        check_agent(agent, Game.named("kuhn"))
