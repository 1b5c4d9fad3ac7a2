"""Exact-hands evaluation: against enumeration, against plain matches, plan against policies."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.agents import AlwaysFold
from doyle.agents.exploiters.sized import SIZES, Exploiter
from doyle.agents.strategy_agent import StrategyAgent
from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.games import CALL, Game, Policy, State
from doyle.matches import play_match
from doyle.measuring.exact_hands.evaluators import (
    BoardHands,
    Floats,
    PlanEvaluator,
    PolicyEvaluator,
    evaluator,
)
from doyle.measuring.exact_hands.run import ExactHandsResult, drawn_board, run_exact_hands
from doyle.measuring.strategies import policy_profile
from doyle.solving.games.small_games import SmallDeckBuckets, small_game
from doyle.strategy import TableStrategy, uniform_tables
from doyle.strategy.translation.named_translations import named_translation
from tests.agents.synthetic import scrambled_equities, synthetic_agent
from tests.measuring.small_policies import RandomPolicy
from tests.reference import exact_hands as plain

HOLDEM = Game.named("holdem-nl-200bb")
KUHN = Game.named("kuhn")
LEDUC = Game.named("leduc")
NOLIMIT_LEDUC = Game.named("leduc-nl12")


def small_agent(game: Game, model: str, translation: str, *, seed: int) -> StrategyAgent:
    """A random strategy of a game with a small deck, a third of its actions never taken."""
    tree = BettingTree.build(BettingModel.parse(model), game)
    counts = small_counts(game)
    rng = np.random.default_rng(seed)
    tables = [
        (rng.random(table.shape) * (rng.random(table.shape) > 1 / 3)).astype(np.float32)
        for table in uniform_tables(tree, counts)
    ]
    return StrategyAgent(
        f"{model}-{translation}",
        TableStrategy(tree, tables),
        bucketing=SmallDeckBuckets(game, counts),
        translation=named_translation(translation),
    )


def small_counts(game: Game) -> tuple[int, ...]:
    return tuple(len(keys) for keys in small_game(game).cards.keys)


def boards_of(game: Game) -> list[tuple[int, ...]]:
    return [()] if game.rounds == 1 else [(card,) for card in game.deck]


# Against enumeration -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", [KUHN, LEDUC], ids=lambda game: game.name)
def test_policies_equal_enumeration(game: Game) -> None:
    for seed in range(3):
        policies = RandomPolicy(game, seed=seed), RandomPolicy(game, seed=seed + 10)
        walked = PolicyEvaluator(game, policies)
        for board in boards_of(game):
            expected = plain.value_on_board(game, policies, board)
            assert walked.outcome(board).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("game", "models"),
    [(KUHN, ("full", "full")), (LEDUC, ("full", "full")), (NOLIMIT_LEDUC, ("fcpa", "fchpa"))],
    ids=["kuhn", "leduc", "nolimit-leduc-translated"],
)
def test_plans_equal_enumeration(game: Game, models: tuple[str, str]) -> None:
    for seed, translations in enumerate(
        (("rand-pshar", "det-geo"), ("polaris-soft+ec", "rand-geo-1"))
    ):
        agents = tuple(
            small_agent(game, model, translation, seed=seed + place)
            for place, (model, translation) in enumerate(zip(models, translations, strict=True))
        )
        pair = agents[0], agents[1]
        for ordered in (pair, pair[::-1]):
            found = evaluator(game, ordered)
            assert isinstance(found, PlanEvaluator)
            for board in boards_of(game)[:3]:
                expected = plain.value_on_board(game, ordered, board)
                assert found.outcome(board).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("game", [KUHN, LEDUC], ids=lambda game: game.name)
def test_runs_equal_the_value_of_the_profile(game: Game) -> None:
    # The sequence form is another way to the same number.
    policies = RandomPolicy(game, seed=1), RandomPolicy(game, seed=2)
    small = small_game(game, lossless=False)
    first = policy_profile(small, policies).value
    second = policy_profile(small, policies[::-1]).value
    result = run_exact_hands(game, policies)
    assert (result.seed, result.ci95) == (None, 0.0)
    expected = (first - second) / 2 * 1000 / game.big_blind
    assert result.mbb_per_hand == pytest.approx(expected, abs=1e-9)


def test_mean_square_is_that_of_single_hands() -> None:
    policies = RandomPolicy(KUHN, seed=1), RandomPolicy(KUHN, seed=2)
    outcome = PolicyEvaluator(KUHN, policies).outcome(())
    hands = play_squares(KUHN, policies)
    assert outcome.square == pytest.approx(hands, abs=1e-12)


def play_squares(game: Game, policies: tuple[Policy, Policy]) -> float:
    """The mean square of seat 0's result, by following every hand and action."""
    from doyle.games import Deal, State

    def walk(state: State) -> float:
        if state.actor < 0:
            return float(state.payoffs()[0]) ** 2
        assert state.deal is not None
        actions, rows = policies[state.actor].probabilities(state.public())
        row = rows[game.deck.index(state.deal.hole[state.actor][0])]
        return sum(
            float(p) * walk(state.apply(a)) for a, p in zip(actions, row, strict=True) if p > 0
        )

    deals = [(a, b) for a, b in product(game.deck, game.deck) if a != b]
    return sum(walk(State.start(game, Deal(((a,), (b,)), ()))) for a, b in deals) / len(deals)


# Hold'em -----------------------------------------------------------------------------------------


def test_masses_equal_the_plain_twin() -> None:
    hands = BoardHands.of(HOLDEM, (0, 5, 10, 15, 20))
    assert hands.pairs == 1081 * 990
    rng = np.random.default_rng(1)
    keep = rng.permutation(len(hands.rows))[:60]
    first, second = np.zeros(len(hands.rows)), np.zeros(len(hands.rows))
    first[keep], second[keep] = rng.random(60), rng.random(60)
    ranks = np.searchsorted(hands.group_end, np.arange(len(hands.rows)), side="right")
    some = np.sort(keep)
    total, won, lost = plain.masses(first[some], second[some], hands.cards[some], ranks[some])
    assert hands.mass(first, second) == pytest.approx(total, abs=1e-9)
    assert hands.masses(first, second) == pytest.approx((won, lost), abs=1e-9)


@pytest.mark.parametrize(
    ("models", "translations"),
    [
        (("fcpa", "fcpa"), ("rand-pshar", "det-geo")),
        (("fcpa", "fchpa@2"), ("rand-pshar", "det-geo")),
    ],
)
def test_plan_equals_policies_in_holdem(
    models: tuple[str, str], translations: tuple[str, str]
) -> None:
    game = "holdem-nl-20bb"
    agents = tuple(
        synthetic_agent(translation, model=model, game=game, seed=place)
        for place, (model, translation) in enumerate(zip(models, translations, strict=True))
    )
    pair = agents[0], agents[1]
    plan = evaluator(Game.named(game), pair)
    assert isinstance(plan, PlanEvaluator)
    board = (3, 17, 22, 40, 51)
    other = PolicyEvaluator(Game.named(game), pair).outcome(board)
    assert plan.outcome(board) == pytest.approx(other, rel=1e-12)


@pytest.mark.parametrize("technique", ["size-tell", "AllDown", "reverse-one-chip-tell"])
@pytest.mark.parametrize("translation", ["polaris-hard+aa+cisc+ec", "polaris-soft+real"])
def test_exploiters_have_the_plan_of_two_strategies(
    technique: str, translation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    goodness = "doyle.agents.exploiters.goodness"
    monkeypatch.setattr(f"{goodness}.equity.equities", lambda _, board: scrambled_equities(board))
    monkeypatch.setattr(f"{goodness}.BOARDS", 20)
    game = "holdem-nl-20bb"
    tested = synthetic_agent(translation, game=game)
    pair = Exploiter(f"{technique}:x", tested, SIZES[technique]), tested
    plan = evaluator(Game.named(game), pair)
    assert isinstance(plan, PlanEvaluator)
    board = (3, 17, 22, 40, 51)
    other = PolicyEvaluator(Game.named(game), pair).outcome(board)
    assert plan.outcome(board) == pytest.approx(other, rel=1e-12)


def test_agrees_with_a_plain_match() -> None:
    agents = synthetic_agent("rand-pshar", seed=1), synthetic_agent("det-geo", seed=2)
    exact = run_exact_hands(HOLDEM, agents, boards=20, seed=3)
    match = play_match(HOLDEM, agents, hands=400, seed=4).mbb_per_hand(0)
    assert exact.ci95 is not None
    assert match.ci95 is not None
    assert exact.ci95 < match.ci95 / 5
    assert abs(exact.mbb_per_hand - float(match.mean)) < 1.5 * (match.ci95 + exact.ci95)
    worth = exact.plain_hands_per_board
    assert worth is not None
    assert worth > 100


def test_no_plan_for_what_is_not_linear() -> None:
    game = Game.named("holdem-nl-20bb")
    tiny = [
        synthetic_agent(name, model=model, game=game.name)
        for name, model in (("rand-pshar+defend", "fcpa"), ("det-geo", "fchpa@2"))
    ]
    # The half-pot bet is read partly as a check, and the first agent defends against it.
    found = evaluator(game, (tiny[0], tiny[1]))
    assert isinstance(found, PolicyEvaluator)
    assert "defends against bets that it cannot read" in found.reason
    assert isinstance(evaluator(game, (tiny[0], tiny[0])), PlanEvaluator)


class Spread:
    """Another policy whose raises come in two sizes each, whatever it holds."""

    spreads = True

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def reach(self, state: State, seat: int) -> Floats:
        raise NotImplementedError

    def probabilities(self, state: State) -> tuple[tuple[int, ...], Floats]:
        return self._split(state, None)

    def drawn_probabilities(
        self, state: State, rng: np.random.Generator
    ) -> tuple[tuple[int, ...], Floats]:
        return self._split(state, rng)

    def _split(
        self, state: State, rng: np.random.Generator | None
    ) -> tuple[tuple[int, ...], Floats]:
        actions, shares = self.policy.probabilities(state)
        made: dict[int, Floats] = {}
        for column, action in enumerate(actions):
            sizes = [action]
            if action > CALL and state.max_raise_to:
                sizes = [state.nearest_legal(size) for size in (action, action - 2)]
            if rng is not None:
                sizes = [sizes[int(rng.integers(len(sizes)))]]
            for size in sizes:
                before = made.get(size, np.zeros(len(shares)))
                made[size] = before + shares[:, column] / len(sizes)
        found = sorted(made)
        return tuple(found), np.stack([made[action] for action in found], axis=1)


def test_drawn_sizes_leave_the_mean_as_it_is() -> None:
    agents = (small_agent(NOLIMIT_LEDUC, "fcpa", "rand-pshar", seed=seed) for seed in (1, 2))
    first, second = map(Spread, agents)
    found = evaluator(NOLIMIT_LEDUC, (first, second))
    assert isinstance(found, PolicyEvaluator)
    assert found.spreads
    board = (NOLIMIT_LEDUC.deck[0],)
    exact = found.outcome(board)
    rng = np.random.default_rng(5)
    drawn = np.array([found.outcome(board, rng) for _ in range(400)])
    assert drawn[:, 0].std() > 0
    errors = 4 * drawn.std(axis=0, ddof=1) / np.sqrt(len(drawn))
    assert np.all(np.abs(drawn.mean(axis=0) - np.array(exact)) < errors)


# Runs --------------------------------------------------------------------------------------------


def test_identical_policies_tie_on_every_board() -> None:
    agent = synthetic_agent("rand-pshar", game="holdem-nl-20bb")
    result = run_exact_hands(Game.named("holdem-nl-20bb"), [agent, agent], boards=2)
    assert result.values == pytest.approx([0.0, 0.0], abs=1e-9)
    assert result.names[1] == result.names[0] + "#2"


def test_boards_do_not_depend_on_how_many_follow() -> None:
    boards = [drawn_board(HOLDEM, 7, number) for number in range(5)]
    assert len(set(boards)) == 5
    assert all(len(set(board)) == 5 for board in boards)
    assert boards[3] == drawn_board(HOLDEM, 7, 3)


def test_always_fold_loses_the_blinds() -> None:
    result = run_exact_hands(HOLDEM, [AlwaysFold(), RandomPolicy(HOLDEM, seed=1)], boards=1)
    assert result.ci95 is None
    assert result.plain_hands_per_board is None
    assert result.mbb_per_hand < -500


def test_hands_per_board() -> None:
    values = np.array([1.0, 3.0])
    result = ExactHandsResult(KUHN, ("a", "b"), values, square=204.0, seed=1, histories=None)
    assert result.plain_hands_per_board == 100.0
    assert result.document()["equivalent_plain_hands"] == 200.0


def test_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(tmp_path)
    for seed in ("1", "2"):
        saved = ["--save", f"{folder}/{seed}", "--iterations", f"{seed}0", "--json"]
        assert main(["solve", "leduc", *saved]) == 0
    capsys.readouterr()
    command = ["match", "leduc", f"{folder}/1", f"{folder}/2", "--exact-hands"]
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    first, second = document["players"]
    assert (document["method"], document["boards"], document["enumerated"]) == (
        "exact-hands",
        6,
        True,
    )
    assert first["mbb_per_hand"] == -second["mbb_per_hand"] < 0
    assert main([*command, "--log", f"{folder}/x.log"]) == 2
    assert "no hands are dealt" in capsys.readouterr().err
    monkeypatch.setattr("doyle.measuring.runs.resolve_agent", lambda *_: object())
    assert main(["match", "kuhn", "ev", "ev", "--exact-hands"]) == 2
    assert "agent 'ev': is no policy" in capsys.readouterr().err


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doyle.measuring.exact_hands.evaluators.MOST_HISTORIES", 10)
    with pytest.raises(DoyleError, match="more than 10 histories on one board"):
        run_exact_hands(LEDUC, [RandomPolicy(LEDUC, seed=1)] * 2)
    three = Game.named("holdem-limit-3p")
    policy = RandomPolicy(HOLDEM, seed=1)
    with pytest.raises(DoyleError, match="with two players"):
        evaluator(three, (policy, policy))
    other = synthetic_agent("det-geo", game="holdem-nl-20bb")
    with pytest.raises(DoyleError, match="plays holdem-nl-20bb, not holdem-nl-200bb"):
        run_exact_hands(HOLDEM, [other, other])
    with pytest.raises(DoyleError, match="needs 2 agents"):
        run_exact_hands(HOLDEM, [policy])
