"""Matches played by kernels against the same matches played hand by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.agents import AlwaysCall, AlwaysRaise, ExpectedValue, Random
from doyle.agents.cases import CaseBasedAgent, SwitchingAgent, VotingAgent
from doyle.agents.exploiters.naive import NaivePotAllIn
from doyle.agents.exploiters.sized import SIZES, Exploiter
from doyle.agents.scripted import PokeMinn, SmallBettor
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.games import CALL, Action, Agent, Game, State, View
from doyle.games.policies import CardBlind
from doyle.matches import Chance, play_league, play_match
from doyle.matches.fast import FastPlayers
from doyle.matches.match import Match
from doyle.matches.play import play_batch
from doyle.matches.sequential import play_until_decided
from doyle.strategy import Purified, Thresholded
from tests.agents.case_bases.synthetic import category_base
from tests.agents.synthetic import (
    betting_tree,
    random_strategy,
    scrambled_equities,
    synthetic_agent,
)

HOLDEM = "holdem-nl-200bb"
COLUMNS = ("deal", "seating", "won", "actions", "showdown")


class Overbettor(CardBlind):
    """Bets 2.3 pots whenever it may, and calls once the other is all-in."""

    name = "overbettor"

    def choose(self, state: State) -> Action:
        wanted = state.largest + round(2.3 * (state.pot + state.to_call))
        return state.nearest_legal(wanted) if state.max_raise_to else CALL


class IllegalAtTheRiver(AlwaysCall):
    """Raises beyond its stack on the river, which is illegal and is clamped."""

    name = "illegal"

    def choose(self, state: State) -> Action:
        return 10**6 if state.round == 3 and not state.to_call else CALL


def strategy_of(view: type[Any], **options: float) -> Agent:
    tree = betting_tree("fchpa", HOLDEM)
    return synthetic_agent("rand-pshar", strategy=view(random_strategy(tree, seed=9), **options))


def exploiter(technique: str) -> Agent:
    return Exploiter(technique, synthetic_agent("polaris-soft+aa+cisc+ec"), SIZES[technique])


PAIRS: dict[str, tuple[Any, Any]] = {
    "same tree": (lambda: synthetic_agent("rand-pshar"), lambda: synthetic_agent("det-geo")),
    "other bets, IJCAI": (
        lambda: synthetic_agent("rand-geo-2"),
        lambda: synthetic_agent("rand-arith", model="fchpa", seed=2),
    ),
    "hard and soft": (
        lambda: synthetic_agent("polaris-hard", model="fcpta"),
        lambda: synthetic_agent("polaris-soft+real", model="fchpa", seed=3),
    ),
    "all fixes": (
        lambda: synthetic_agent("polaris-soft+aa+cisc+ec"),
        lambda: synthetic_agent("polaris-soft+reread", model="fchpa", seed=4),
    ),
    "pseudo-dominated": (
        lambda: synthetic_agent("polaris-nd+aa+cisc+ec"),
        lambda: synthetic_agent("polaris-hard", model="fchpa", seed=6, fold_weight=0.3),
    ),
    "pseudo-dominated, real": (
        lambda: synthetic_agent("polaris-nd+real", fold_weight=0.3),
        Overbettor,
    ),
    "absolute": (
        lambda: synthetic_agent("absolute"),
        lambda: synthetic_agent("relative", model="fchpa", seed=5),
    ),
    "small bets": (
        lambda: synthetic_agent("rand-pshar", fold_weight=0.2),
        lambda: SmallBettor("street", 0.1, 1),
    ),
    "overbets": (lambda: synthetic_agent("polaris-soft", fold_weight=0.2), Overbettor),
    "pokeminn": (lambda: synthetic_agent("absolute", fold_weight=0.1), PokeMinn),
    "purified": (lambda: strategy_of(Purified), lambda: synthetic_agent("det-pshar")),
    "thresholded": (lambda: strategy_of(Thresholded, threshold=0.3), AlwaysRaise),
    "scripts": (Overbettor, AlwaysRaise),
    "sizes by hand": (lambda: exploiter("AllDown"), lambda: synthetic_agent("polaris-soft+real")),
    "naivePA": (
        lambda: synthetic_agent("polaris-soft+aa+cisc", fold_weight=0.3),
        lambda: NaivePotAllIn("naivePA", synthetic_agent("polaris-soft+aa+cisc")),
    ),
}


def both(
    agents: list[Any], tmp_path: Path, *, game: str | Game = HOLDEM, hands: int = 40, **options: Any
) -> None:
    """Play a match both ways and compare logs, results and every hand."""
    rules = Game.of(game)
    logs = []
    for method in ("plain", "fast"):
        log = tmp_path / f"{method}.log"
        result = play_match(rules, agents, hands=hands, log=log, method=method, **options)
        assert result.method == method
        logs.append((log.read_text(), result.units.tolist()))
    assert logs[0] == logs[1]


@pytest.mark.parametrize("name", PAIRS)
def test_the_same_hands(name: str, tmp_path: Path) -> None:
    both([make() for make in PAIRS[name]], tmp_path, seed=len(name))


@pytest.mark.parametrize("technique", ["size-tell", "reverse-one-chip-tell"])
def test_exploiters(technique: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "doyle.agents.exploiters.goodness.equity.equities",
        lambda game, board: scrambled_equities(board),
    )
    monkeypatch.setattr("doyle.agents.exploiters.goodness.BOARDS", 20)
    agents = [exploiter(technique), synthetic_agent("polaris-soft+aa+cisc+ec", fold_weight=0.3)]
    both(agents, tmp_path, seed=7)


@pytest.mark.parametrize("seed", [0, 12345])
def test_the_same_hands_from_other_chance(seed: int, tmp_path: Path) -> None:
    agents = [synthetic_agent("polaris-soft+real"), synthetic_agent("rand-geo-2", model="fchpa")]
    both(agents, tmp_path, seed=seed, duplicate=False)
    both(agents, tmp_path, chance=Chance.sealed(bytes([seed % 256] * 32)))
    both(agents, tmp_path, chance=Chance.repeatable(seed, deals="acpc"), hands=20)


@pytest.mark.parametrize("game", ["kuhn", "leduc", "holdem-limit-2p", "holdem-nl-20bb"])
def test_scripts_in_every_game(game: str, tmp_path: Path) -> None:
    both(["always-raise", "always-call"], tmp_path, game=game)
    both(["always-fold", "always-all-in"], tmp_path, game=game, duplicate=False)


def test_ev_in_leduc(tmp_path: Path) -> None:
    leduc = Game.named("leduc")
    both([ExpectedValue(leduc), AlwaysRaise()], tmp_path, game="leduc", hands=200)
    both([ExpectedValue(leduc), ExpectedValue(leduc)], tmp_path, game="leduc", hands=200)


THREE_PLAYERS = """GAMEDEF
limit
numPlayers = 3
numRounds = 2
blind = 5 10 0
raiseSize = 10 20
firstPlayer = 3 1
maxRaises = 2 2
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3
END GAMEDEF
"""


def test_three_strategies(tmp_path: Path) -> None:
    """Pots that two or three share are split as in any match."""
    game = Game.parse(THREE_PLAYERS, name="three-players")
    tree = BettingTree.build(BettingModel.parse("limit"), game)
    agents = [
        synthetic_agent("det-pshar", strategy=view(random_strategy(tree, seed=seed)))
        for seed, view in enumerate((lambda source: source, Purified, lambda source: source))
    ]
    both(agents, tmp_path, game=game, hands=300)
    both([agents[0], agents[1], agents[0]], tmp_path, game=game, hands=31, duplicate=False)
    both([*agents[:2], AlwaysRaise()], tmp_path, game=game, chance=Chance.sealed(bytes(32)))


def test_three_scripts_and_ev(tmp_path: Path) -> None:
    both(["always-raise", "always-call", "always-raise"], tmp_path, game="holdem-limit-3p")
    both(["always-call", "always-all-in", "always-fold"], tmp_path, game="holdem-nl-200bb-3p")
    kuhn = Game.named("kuhn-3p")
    both([ExpectedValue(kuhn), AlwaysRaise(), ExpectedValue(kuhn)], tmp_path, game=kuhn, hands=100)


def test_side_pots_are_left_to_the_rules(tmp_path: Path) -> None:
    text = Game.named("holdem-nl-200bb-3p").to_text()
    game = Game.parse(text.replace("stack = 20000 20000 20000", "stack = 500 900 20000"), name="x")
    assert len({*game.stacks}) == 3
    both(["always-all-in"] * 2 + ["always-call"], tmp_path, game=game, hands=10)


CASES: dict[str, Any] = {
    "probabilistic": lambda base: CaseBasedAgent("a", base.with_points(reuse="probabilistic")),
    "identical or a call": lambda base: CaseBasedAgent("b", base.with_points(retrieve=0)),
    "best outcome of three": lambda base: CaseBasedAgent(
        "c", base.with_points(retrieve=3, reuse="best-outcome")
    ),
    "votes": lambda base: VotingAgent(
        "d", [CaseBasedAgent("x", base), CaseBasedAgent("y", category_base("limit", seed=5))]
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_two_case_based_agents(name: str, tmp_path: Path) -> None:
    agent = CASES[name](category_base("limit"))
    other = CaseBasedAgent(
        "other", category_base("limit", seed=7).with_points(reuse="probabilistic")
    )
    both([agent, other], tmp_path, game="holdem-limit-2p", hands=30)
    both([agent, agent], tmp_path, game="holdem-limit-2p", hands=20, duplicate=False)


def test_three_case_based_agents(tmp_path: Path) -> None:
    base, heads_up = category_base("limit-3p"), category_base("limit")
    switching = SwitchingAgent("switching", base, heads_up)
    mixed = CaseBasedAgent("mixed", base.with_points(reuse="probabilistic"))
    both([switching, mixed, AlwaysCall()], tmp_path, game="holdem-limit-3p", hands=30)
    assert switching.mapped
    assert switching.unmapped


def test_answers_grow_the_same_with_any_number_of_workers() -> None:
    agent = CaseBasedAgent("a", category_base("limit").with_points(reuse="probabilistic"))
    one, two = (
        play_match("holdem-limit-2p", [agent, agent], hands=600, seed=5, workers=Workers(count))
        for count in (1, 2)
    )
    assert one.method == "fast"
    assert np.array_equal(one.units, two.units)


def test_a_small_plan_leaves_hands_to_the_agents() -> None:
    """Hands beyond a full plan are the same."""
    agents = (synthetic_agent("rand-pshar"), synthetic_agent("det-geo", model="fchpa"))
    game = Game.named(HOLDEM)
    runner = FastPlayers.of(game, agents).runner(most_nodes=60)
    match = Match(game, agents, 40, Chance.repeatable(1))
    (batch,) = match.batches(("a", "b"), size=40, keep_hands=True)
    fast, plain = runner.play(batch), play_batch(batch)
    assert 0 < runner.plain_hands < 64
    assert fast.log == plain.log
    assert fast.hands is not None
    assert plain.hands is not None
    for column in COLUMNS:
        found, wanted = getattr(fast.hands, column), getattr(plain.hands, column)
        assert found.dtype == wanted.dtype
        assert np.array_equal(found, wanted)


def test_a_defence_is_asked(tmp_path: Path) -> None:
    agents = [synthetic_agent("rand-pshar+defend"), SmallBettor("river", 0.33, 3)]
    both(agents, tmp_path, hands=12)


def test_a_fifth_of_the_hands_may_be_asked() -> None:
    """Kernels and single questions together are cheaper than asking for every hand."""
    agents = (synthetic_agent("rand-pshar+defend", fold_weight=0.2), SmallBettor("river", 0.33, 3))
    game = Game.named(HOLDEM)
    runner = FastPlayers.of(game, agents).runner()
    (batch,) = Match(game, agents, 600, Chance.repeatable(1)).batches(("a", "b"), size=600)
    fast, plain = runner.play(batch), play_batch(batch)
    assert 130 < runner.plain_hands < 360
    assert fast.log == plain.log
    assert np.array_equal(fast.units, plain.units)


def test_workers_do_not_matter() -> None:
    agents = [synthetic_agent("rand-pshar"), Overbettor()]
    one, two = (
        play_match(HOLDEM, agents, hands=300, seed=5, method="fast", workers=Workers(count))
        for count in (1, 2)
    )
    assert np.array_equal(one.units, two.units)


def test_what_kernels_do_not_play() -> None:
    game = Game.named(HOLDEM)
    for agent, reason in (
        (Random(), "random has no compiled form"),
        (CaseBasedAgent("cases", category_base("no-limit", hands=5)), "plays no limit game"),
    ):
        assert reason in str(Match(game, (agent, agent), 10_000, Chance.repeatable(0)).fast)
        with pytest.raises(DoyleError, match=reason):
            play_match(game, [agent, agent], hands=600, method="fast")
    short = play_match("kuhn", ["always-call", "always-fold"], hands=10)
    assert short.plain_because == "fewer than 500 deals"
    scripts = play_match("kuhn", ["always-call", "always-fold"], hands=600)
    assert scripts.plain_because == "fewer than 10,000 deals without a strategy"


class Watcher(AlwaysCall):
    """A script that acts in its own way."""

    name = "watcher"

    def act(self, view: View) -> Action:
        return CALL


def test_a_subclass_that_acts_differently_is_asked() -> None:
    match = Match(Game.named("kuhn"), (Watcher(), AlwaysCall()), 10_000, Chance.repeatable(0))
    assert "watcher" in str(match.fast)


def test_a_script_that_acts_illegally_is_judged_by_the_match() -> None:
    plain, auto = (
        play_match(HOLDEM, [IllegalAtTheRiver(), AlwaysCall()], hands=500, seed=1, method=method)  # type: ignore[arg-type]
        for method in ("plain", "fast")
    )
    assert np.array_equal(plain.units, auto.units)
    assert auto.illegal_actions == plain.illegal_actions != (0, 0)
    assert auto.plain_because == "a script acted illegally"


def test_leagues_and_sequential_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doyle.matches.match.LEAST_FAST_DEALS", 20)
    agents = [synthetic_agent("rand-pshar"), Overbettor(), Random()]
    plain, auto = (
        play_league(Game.named(HOLDEM), agents, hands=20, seed=2, method=method)  # type: ignore[arg-type]
        for method in ("plain", "auto")
    )
    assert plain.tables == auto.tables
    methods = {seats: match.method for seats, match in auto.matches.items()}
    assert methods == {(0, 1): "fast", (0, 2): "plain", (1, 2): "plain"}
    first, second = (
        play_until_decided(
            Game.named("leduc"), ["always-raise", "always-fold"], hands=2000, method=method
        )  # type: ignore[arg-type]
        for method in ("plain", "fast")
    )
    assert first.match.hands == second.match.hands < 2000
    assert first.interval == second.interval
