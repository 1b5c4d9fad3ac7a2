"""AIVAT: the mean is that of the chips won, by enumeration; with exact values there is no variance."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from doyle.agents import AlwaysCall
from doyle.agents.resolve import resolve_agent
from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.cards import HOLE_COUNT
from doyle.games import Action, Deal, Game, Policy, State
from doyle.games.histories import Hand, read_hands
from doyle.games.policies import ReachByWalking, policy_row, possible_hands
from doyle.matches import play_match
from doyle.measuring.strategies import policy_profile
from doyle.measuring.variance_reduction import pairs
from doyle.measuring.variance_reduction.aivat import Aivat
from doyle.measuring.variance_reduction.log_run import run_hands
from doyle.measuring.variance_reduction.pairs import balance, balance_matrix, balance_row, mass
from doyle.measuring.variance_reduction.value_functions import ExactValues, RoundValues
from doyle.solving.games.small_games import small_game
from tests.measuring.small_policies import Floats, RandomPolicy, Remembered, every_hand

KUHN = Game.named("kuhn")
LEDUC = Game.named("leduc")
HOLDEM = Game.named("holdem-nl-20bb")


class AllInOnly(RandomPolicy):
    """Random play that raises all-in or not at all."""

    def __init__(self, game: Game, *, seed: int) -> None:
        super().__init__(game, seed=seed, sizes=2)

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        actions, shares = super().probabilities(state)
        kept = [k for k, action in enumerate(actions) if action in (0, 1, state.max_raise_to)]
        left = shares[:, kept]
        return tuple(actions[k] for k in kept), left / left.sum(axis=1, keepdims=True)


def moments(aivat: Aivat, policies: tuple[Policy, Policy]) -> tuple[float, float, float, float]:
    """Mean and variance of the chips of seat 0, plain and corrected."""
    found = [
        (weight, float(state.payoffs()[0]), aivat.corrected(state).value)
        for weight, state in every_hand(aivat.game, policies)
    ]
    weights, plain, corrected = np.array(found).T
    mean, corrected_mean = weights @ plain, weights @ corrected
    assert weights.sum() == pytest.approx(1.0, abs=1e-12)
    return (
        float(mean),
        float(weights @ (plain - mean) ** 2),
        float(corrected_mean),
        float(weights @ (corrected - corrected_mean) ** 2),
    )


KNOWN = pytest.mark.parametrize("known", [(0, 1), (0,), (1,)], ids=["both", "first", "second"])


@KNOWN
@pytest.mark.parametrize("values", ["exact", "round", "wrong"])
@pytest.mark.parametrize("game", [KUHN, LEDUC], ids=lambda game: game.name)
def test_mean_is_that_of_the_chips(game: Game, values: str, known: tuple[int, ...]) -> None:
    policies = Remembered(game, seed=1), Remembered(game, seed=2)
    models = policies if values != "wrong" else (AlwaysCall(), Remembered(game, seed=9))
    function = RoundValues(models) if values == "round" else ExactValues(game, models)
    seen = policies[0] if 0 in known else None, policies[1] if 1 in known else None
    mean, variance, corrected, left = moments(Aivat(game, seen, function), policies)
    expected = policy_profile(small_game(game, lossless=False), policies).value
    assert mean == pytest.approx(expected, abs=1e-12)
    assert corrected == pytest.approx(mean, abs=1e-12)
    if values != "wrong":
        assert left < variance


@pytest.mark.parametrize("game", [KUHN, LEDUC], ids=lambda game: game.name)
def test_exact_values_of_both_leave_no_variance(game: Game) -> None:
    policies = Remembered(game, seed=3), Remembered(game, seed=4)
    aivat = Aivat.of(game, policies)
    mean, variance, _, left = moments(aivat, policies)
    assert variance > 1.0
    assert left < 1e-24
    assert aivat.expected == pytest.approx(mean, abs=1e-12)


def test_choices_of_unknown_players_have_no_term() -> None:
    # Only the second seat acts differently: whatever it does, its own actions add no term.
    policies = Remembered(KUHN, seed=1), Remembered(KUHN, seed=2)
    state = State.start(KUHN, Deal(((51,), (43,)), ())).apply(1).apply(1)
    alone = Aivat(KUHN, (None, policies[1]), ExactValues(KUHN, policies))
    both = Aivat(KUHN, policies, ExactValues(KUHN, policies))
    assert both.corrected(state).deal == 0.0
    assert alone.corrected(state).deal != 0.0
    first = Aivat(KUHN, (AlwaysCall(), None), ExactValues(KUHN, (AlwaysCall(), policies[1])))
    assert first.corrected(state).choices == 0.0


@pytest.mark.parametrize("board", [(0, 17, 34), (0, 17, 34, 51), (0, 17, 34, 51, 8)])
def test_balances_of_ranges_are_sums_over_pairs(board: tuple[int, ...]) -> None:
    rng = np.random.default_rng(len(board))
    possible = possible_hands(HOLDEM, board)
    few = np.flatnonzero(possible)[rng.permutation(int(possible.sum()))[:40]]
    first, second = np.zeros(HOLE_COUNT), np.zeros(HOLE_COUNT)
    first[few[:25]], second[few[10:]] = rng.random(25), rng.random(30)
    plain = sum(
        first[row] * float(balance_row(HOLDEM, row, board) @ second) for row in few.tolist()
    )
    assert balance(HOLDEM, (first, second), board) == pytest.approx(plain, abs=1e-10)
    one = np.zeros(HOLE_COUNT)
    one[few[0]] = 0.5
    matrix = balance_matrix(HOLDEM, board)
    assert balance(HOLDEM, (first, one), board) == pytest.approx(first @ matrix @ one, abs=1e-10)
    assert balance(HOLDEM, (one, second), board) == pytest.approx(one @ matrix @ second, abs=1e-10)
    apart = possible_hands(HOLDEM, (0, 1))
    single = np.zeros(HOLE_COUNT)
    single[policy_row(HOLDEM, (0, 1))] = 1.0
    assert mass(HOLDEM, (single, np.ones(HOLE_COUNT))) == apart.sum() == 1225


def test_logs_of_small_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "match.log"
    arguments = ["match", "leduc", "ev", "always-call", "--hands", "40", "--no-duplicate"]
    assert main([*arguments, "--seed", "3", "--log", str(log)]) == 0
    capsys.readouterr()
    assert main(["evaluate", str(log), "--agent", "ev", "--agent", "always-call", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["player"] == "ev"
    assert document["hands"] == 40
    assert document["estimate"]["sd_mbb"] < 1e-9
    assert document["sd_reduction"] == pytest.approx(1.0)
    # Renamed players are given their agents; the first one's result is the other's negative.
    assert main(["evaluate", str(log), "--agent", "always-call=always-call", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["known"] == ["always-call"]


def test_both_seatings_of_a_deal_are_one_observation(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    arguments = ["match", "leduc", "ev", "random", "--hands", "12", "--seed", "4"]
    assert main([*arguments, "--log", str(log)]) == 0
    result = run_hands(LEDUC, read_hands(log, LEDUC), {"random": "random"})
    assert result.hands == 24
    pairs = result.plain_chips.reshape(-1, 2).mean(axis=1)
    unit = 1000.0 / LEDUC.big_blind
    assert result.plain.won.mean == pytest.approx(pairs.mean() * unit)
    width = 2.200985 * pairs.std(ddof=1) / np.sqrt(12)  # Student's with 11 degrees of freedom
    assert result.plain.won.ci95 == pytest.approx(width * unit, rel=1e-5)


def test_problems_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "match.log"
    arguments = ["match", "leduc", "ev", "always-call", "--hands", "10", "--seed", "3"]
    assert main([*arguments, "--log", str(log)]) == 0
    capsys.readouterr()
    for options, words in (
        (["--agent", "random"], "no player is called"),
        (["--agent", "ev=always-fold"], "never"),
        ([], "needs --agent"),
    ):
        assert main(["evaluate", str(log), *options]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert words in error
    hidden = State.start(LEDUC, Deal(((), (47,)), ())).apply(1).apply(3).apply(0)
    with pytest.raises(DoyleError, match="hand of a player"):
        run_hands(LEDUC, [Hand(0, hidden, ("a", "b"))], {"b": Remembered(LEDUC, seed=1)})


def played(game: Game, policies: tuple[Policy, Policy], rng: np.random.Generator) -> State:
    """One hand between two policies."""
    cards = rng.permutation(np.array(game.deck)).tolist()
    state = State.start(game, Deal((tuple(cards[:2]), tuple(cards[2:4])), tuple(cards[4:9])))
    while state.actor >= 0:
        assert state.deal is not None
        actions, shares = policies[state.actor].probabilities(state.public())
        row = shares[policy_row(game, state.deal.hole[state.actor])]
        state = state.apply(actions[int(rng.choice(len(actions), p=row))])
    return state


@KNOWN
def test_holdem_hands_agree_with_the_chips_won(known: tuple[int, ...]) -> None:
    policies = AllInOnly(HOLDEM, seed=1), AllInOnly(HOLDEM, seed=2)
    seen = policies[0] if 0 in known else None, policies[1] if 1 in known else None
    aivat = Aivat(HOLDEM, seen, RoundValues(policies))
    rng = np.random.default_rng(5)
    hands = [played(HOLDEM, policies, rng) for _ in range(15 if len(known) == 2 else 60)]
    plain = np.array([float(state.payoffs()[0]) for state in hands])
    corrected = np.array([aivat.corrected(state).value for state in hands])
    difference = corrected - plain
    assert abs(difference.mean()) < 3.0 * difference.std(ddof=1) / np.sqrt(len(hands))
    assert corrected.std() < plain.std()


def test_kept_terms_and_workers_change_no_number(tmp_path: Path) -> None:
    """Every hand with instruments that have kept nothing is the plain reference."""
    log = tmp_path / "match.log"
    play_match(LEDUC, ["random", "always-call"], hands=100, seed=5, log=log)
    hands = list(read_hands(log, LEDUC))
    one, two = (
        run_hands(LEDUC, hands, {"random": "random"}, workers=Workers(count)) for count in (1, 2)
    )
    assert np.array_equal(one.corrected_chips, two.corrected_chips)
    policy = resolve_agent("random", LEDUC)
    assert isinstance(policy, Policy)
    for hand, found, seat in zip(hands, one.corrected_chips, one.seats.tolist(), strict=True):
        known = (policy, None) if seat == 0 else (None, policy)
        fresh = Aivat.of(LEDUC, known)
        value = fresh.corrected(hand.state).value * (1 if seat == 0 else -1)
        own = fresh.expected * (1 if seat == 0 else -1)
        other = Aivat.of(LEDUC, known[::-1]).expected * (-1 if seat == 0 else 1)
        assert found == pytest.approx(value + (own + other) / 2 - own, abs=1e-12)


def test_an_empty_range_needs_no_table_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*arguments: object) -> None:
        raise AssertionError("the table of all pairs was made")

    monkeypatch.setattr(pairs, "balance_matrix", refused)
    game = Game.named("holdem-nl-200bb")
    nothing, everything = np.zeros(1326), np.ones(1326)
    assert pairs.balance(game, (everything, nothing), (0, 5, 10)) == 0.0
    assert pairs.balance(game, (nothing, everything), (0, 5, 10)) == 0.0


def test_hands_without_an_end_or_without_cards_are_refused() -> None:
    aivat = Aivat.of(KUHN, (Remembered(KUHN, seed=1), Remembered(KUHN, seed=2)))
    cards = Deal(((51,), (43,)), ())
    over = State.start(KUHN).apply(1).apply(1)
    first, second = State.start(KUHN, cards), State.start(KUHN, cards).apply(1)
    assert (first.actor, second.actor) == (0, 1)
    for state in (first, second, over):
        with pytest.raises(DoyleError, match="not over or has no cards"):
            aivat.corrected(state)


class BetsKings(ReachByWalking):
    """Opens with the king alone, and calls."""

    name = "bets-kings"

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        if state.largest > 1 or not state.max_raise_to:
            return (1,), np.ones((3, 1))
        return (1, state.max_raise_to), np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def test_an_action_with_cards_that_the_other_holds_is_refused() -> None:
    aivat = Aivat.of(KUHN, (BetsKings(), None))
    king = KUHN.deck[2]
    bet = State.start(KUHN, Deal(((), (king,)), ())).apply(2).apply(0)
    with pytest.raises(DoyleError, match="'bets-kings' never does this"):
        aivat.corrected(bet)
    queen = State.start(KUHN, Deal(((king,), (KUHN.deck[1],)), ())).apply(2).apply(0)
    assert np.isfinite(aivat.corrected(queen).value)
    jack = State.start(KUHN, Deal(((KUHN.deck[0],), (KUHN.deck[1],)), ())).apply(2).apply(0)
    with pytest.raises(DoyleError, match="never plays its cards like this"):
        aivat.corrected(jack)
