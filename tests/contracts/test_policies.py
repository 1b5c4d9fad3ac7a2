"""Every policy of ours keeps the contract of policies; bad ones are found."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import doyle
from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.agents import resolve_agent
from doyle.agents.equity import equities
from doyle.agents.registry import BASELINES, SCRIPTED
from doyle.agents.strategy_agent import StrategyAgent
from doyle.games import CALL, Action, Game, Policy, State, View, bundled_names
from doyle.games.policies import ReachByWalking, policy_rows
from doyle.solving.games.small_games import SmallDeckBuckets, StateNumbers
from doyle.strategy import Purified, TableStrategy, uniform_tables
from doyle.strategy.translation.named_translations import named_translation
from doyle.testing import ContractError, check_play, check_policy, check_suits
from tests.agents.synthetic import synthetic_agent
from tests.agents.test_strategy_agent import TRANSLATIONS

SIMPLE = [name for name in (*BASELINES, *SCRIPTED) if name != "ev"]
LEDUC = Game.named("leduc")
SMALL = ("kuhn", "leduc", "leduc-nl12")


def small_agent(translation: str, game_name: str = "leduc-nl12", *, pure: bool) -> StrategyAgent:
    """Random tables for every state of a small deck up to suits, with the bets of fcpa."""
    game = Game.named(game_name)
    model = "fcpa" if game.betting == "nolimit" else "limit"
    tree = BettingTree.build(BettingModel.parse(model), game)
    counts = tuple(len(keys) for keys in StateNumbers.of(game).keys)
    rng = np.random.default_rng(5)
    tables = [
        (rng.random(table.shape) * (rng.random(table.shape) > 0.2)).astype(np.float32)
        for table in uniform_tables(tree, counts)
    ]
    strategy = TableStrategy(tree, tables)
    return StrategyAgent(
        f"small-{translation}",
        Purified(strategy) if pure else strategy,
        bucketing=SmallDeckBuckets(game, counts),
        translation=named_translation(translation),
        equities=lambda board: equities(game, board),
    )


@pytest.mark.parametrize("name", bundled_names())
@pytest.mark.parametrize("agent", SIMPLE)
def test_baselines_and_scripts_are_policies(agent: str, name: str) -> None:
    game = Game.named(name)
    policy = resolve_agent(agent, game)
    assert isinstance(policy, Policy)
    assert check_policy(policy, game, hands=2) > 2
    tries = 200 if agent == "random" else 2
    assert check_play(policy, game, hands=1, tries=tries) > 0
    assert check_suits(policy, game, hands=1) > 0


@pytest.mark.parametrize("name", SMALL)
def test_ev_is_a_policy_in_small_games(name: str) -> None:
    game = Game.named(name)
    policy = resolve_agent("ev", game)
    assert isinstance(policy, Policy)
    assert check_policy(policy, game, hands=20) > 20
    assert check_play(policy, game, hands=20, tries=2) > 20
    assert check_suits(policy, game, hands=10) > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in bundled_names() if name not in SMALL])
def test_ev_is_a_policy_in_large_games(name: str) -> None:
    game = Game.named(name)
    policy = resolve_agent("ev", game)
    assert isinstance(policy, Policy)
    assert check_policy(policy, game, hands=5) > 5
    assert check_play(policy, game, hands=5, tries=2) > 5
    assert check_suits(policy, game, hands=2) > 2


@pytest.mark.parametrize("translation", TRANSLATIONS)
def test_strategy_agents_are_policies(translation: str) -> None:
    agent = synthetic_agent(translation)
    assert check_policy(agent, agent.game, hands=12, seed=3) > 50


@pytest.mark.parametrize("pure", [False, True])
@pytest.mark.parametrize("translation", TRANSLATIONS)
def test_strategy_agents_of_small_games_are_policies(translation: str, pure: bool) -> None:
    agent = small_agent(translation, pure=pure)
    assert check_policy(agent, agent.game, hands=30) > 30
    assert check_play(agent, agent.game, hands=3, tries=150) > 3
    assert check_suits(agent, agent.game, hands=10) > 10


class Bad(ReachByWalking):
    """Always calls, but for one defect."""

    name = "bad"

    def __init__(self, defect: str) -> None:
        self.defect = defect
        self.asked = 0

    def act(self, view: View) -> Action:
        return view.state.max_raise_to or CALL if self.defect == "act" else CALL

    def probabilities(self, state: State) -> tuple[tuple[int, ...], npt.NDArray[np.float64]]:
        self.asked += 1
        count = policy_rows(state.game) - (self.defect == "rows")
        raises = np.zeros(count)
        if self.defect == "suits":
            raises = np.arange(count) % 2.0
        elif self.defect == "memory":
            raises = np.full(count, 1 / self.asked)
        elif self.defect == "hole" and any(state.deal.hole):  # type: ignore[union-attr]
            raises = np.full(count, 0.5)
        shares = np.stack([1 - raises, raises], axis=1)
        if self.defect == "sum":
            shares[1] /= 2
        if not state.max_raise_to or not raises.any():
            call = 7 if self.defect == "illegal" else CALL
            return (call,), shares.sum(axis=1, keepdims=True)
        return (CALL, state.max_raise_to), shares

    def reach(self, state: State, seat: int) -> Any:
        found = super().reach(state, seat)
        return found * 0.5 if self.defect == "reach" and state.action_count else found


@pytest.mark.parametrize(
    ("defect", "problem"),
    [
        ("rows", "probabilities of shape"),
        ("sum", "sum to 1 but for"),
        ("illegal", "offers 7, which is illegal"),
        ("reach", "from reach times probability"),
        ("hole", "another answer when asked again"),
        ("memory", "times probability|product of probabilities|another answer"),
    ],
)
def test_bad_policies_are_found(defect: str, problem: str) -> None:
    with pytest.raises(ContractError, match=problem):
        check_policy(Bad(defect), LEDUC, hands=5)


def test_bad_play_is_found() -> None:
    with pytest.raises(ContractError, match="which has no probability"):
        check_play(Bad("act"), LEDUC)


def test_a_preference_for_suits_is_found() -> None:
    check_suits(Bad("none"), LEDUC)
    with pytest.raises(ContractError, match="change what it does"):
        check_suits(Bad("suits"), LEDUC)


@pytest.mark.parametrize("game", SMALL)
def test_solved_games_are_policies(game: str) -> None:
    agent = doyle.solve(game, iterations=30).agent
    assert check_policy(agent, game, hands=20) > 40
    assert check_play(agent, game, hands=3, tries=150) > 3
