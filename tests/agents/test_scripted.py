"""Scripted bets: the small bettors, and what PokeMinn's does to absolute and relative rounding."""

from __future__ import annotations

import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.cards.registry import build as build_abstraction
from doyle.agents import agent_names, resolve_agent
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.workers import parse_workers
from doyle.building import load_description
from doyle.games import CALL, FOLD, Game, State, bundled_names
from doyle.matches import play_match
from doyle.solving.sampling.deals import HoldemDeals
from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver
from doyle.strategy import TableStrategy
from doyle.strategy.translation.named_translations import named_translation
from doyle.testing import check_agent

GAME = Game.named("doyle-500bb")


@pytest.mark.parametrize(
    ("betting", "expected"),
    [
        ([], 144),
        ([CALL], 144),
        ([6], 144),
        ([144, 286], 1000),
        ([144, 1000], FOLD),
        ([6, 144, CALL, CALL], 1000),
        ([1000], FOLD),
    ],
)
def test_the_script(betting: list[int], expected: int) -> None:
    state = State.start(GAME)
    for action in betting:
        state = state.apply(action)
    assert resolve_agent("pokeminn-144", GAME).act(state.view(state.actor)) == expected


@pytest.mark.parametrize(
    ("betting", "river", "street"),
    [
        ([], CALL, CALL),
        ([CALL], CALL, CALL),
        ([60], CALL, CALL),
        ([60, CALL], CALL, 60 + 40),  # a third of 120
        ([60, CALL, CALL, 80], CALL, CALL),
        ([60, CALL, 100, CALL, CALL, CALL, CALL], 100 + 66, 100 + 66),
        ([60, CALL, 100, CALL, CALL, CALL, 300], CALL, CALL),
        ([CALL] * 6, 2 + 2, 2 + 2),  # a third of 4 is below the least bet
    ],
)
def test_small_bettors(betting: list[int], river: int, street: int) -> None:
    state = State.start(GAME)
    for action in betting:
        state = state.apply(action)
    view = state.view(state.actor)
    assert resolve_agent("river-bettor-0.33", GAME).act(view) == river
    assert resolve_agent("street-bettor-0.33", GAME).act(view) == street


@pytest.mark.parametrize("agent", ["river-bettor-0.1", "street-bettor-0.6"])
@pytest.mark.parametrize("name", bundled_names())
def test_small_bettors_keep_the_contract_of_agents(name: str, agent: str) -> None:
    game = Game.named(name)
    assert agent in agent_names()
    assert check_agent(resolve_agent(agent, game), game, hands=5) >= 5


@pytest.mark.parametrize("name", bundled_names())
def test_it_keeps_the_contract_of_agents(name: str) -> None:
    game = Game.named(name)
    assert check_agent(resolve_agent("pokeminn-144", game), game, hands=5) >= 5


def test_it_is_known_by_name() -> None:
    assert "pokeminn-144" in agent_names()


def test_the_bet_is_a_pot_bet_by_distance_and_all_in_by_ratio() -> None:
    tree = BettingTree.build(BettingModel.parse("tartanian-2007"), GAME)
    state = State.start(GAME)
    read = {
        name: [
            tree.betting_text(reading.node)
            for reading in named_translation(name).in_step(tree, 0, state=state, action=144)
        ]
        for name in ("absolute", "relative")
    }
    assert read == {"absolute": ["r6"], "relative": ["r1000"]}


@pytest.mark.slow
def test_absolute_rounding_loses_heavily_and_relative_rounding_does_not() -> None:
    """Gilpin, Sandholm and Sørensen 2008, section 7, with `tartanian` at small scale."""
    preset = load_description("tartanian").at_scale("small")
    abstraction = build_abstraction(preset.cards.value, workers=parse_workers(None))
    tree = BettingTree.build(BettingModel.parse(preset.betting.value), GAME)
    solver = SamplingSolver(tree, HoldemDeals(abstraction), SamplingOptions(seed=preset.seed.value))
    solver.advance(2_000_000)
    strategy = TableStrategy(tree, solver.tables())
    bounds = {}
    for name in (preset.translation.value, "relative"):
        agent = StrategyAgent(
            name, strategy, bucketing=abstraction, translation=named_translation(name)
        )
        opponent = resolve_agent("pokeminn-144", GAME)
        result = play_match(GAME, [agent, opponent], hands=12_000, seed=1)
        won = result.small_bets_per_hand(0)
        assert won.ci95 is not None
        bounds[name] = float(won.mean) - won.ci95, float(won.mean) + won.ci95
    # In big blinds a hand: folding every hand at once loses 0.75.
    assert bounds["absolute"][1] < -2, bounds
    assert bounds["relative"][0] > 0, bounds
