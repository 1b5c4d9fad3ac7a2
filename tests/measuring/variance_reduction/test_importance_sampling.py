"""Importance sampling and DIVAT: by enumeration of Leduc their means are those of the chips won."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from doyle.agents import AlwaysCall, AlwaysFold
from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.games import Action, Deal, Game, Policy, State
from doyle.games.histories import Hand, read_hands
from doyle.games.policies import policy_row
from doyle.measuring.variance_reduction.divat import BASELINES, BetForValue, Divat
from doyle.measuring.variance_reduction.importance_sampling import (
    KINDS,
    ImportanceSampling,
    effective_sample_size,
    one_hand,
)
from doyle.measuring.variance_reduction.pairs import Floats, balance_row
from doyle.measuring.variance_reduction.sampling_run import (
    chips_of,
    divat_chips,
    run_divat,
    run_importance_sampling,
    seen_by_actors,
)
from doyle.measuring.variance_reduction.value_functions import ExactValues, final_value
from doyle.testing import check_policy
from tests.measuring.small_policies import Remembered, every_hand
from tests.measuring.variance_reduction.test_aivat import HOLDEM, AllInOnly, played

KUHN = Game.named("kuhn")
LEDUC = Game.named("leduc")


class Everything(Remembered):
    """Random play that takes every action with some probability."""

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        actions, shares = super().probabilities(state)
        return actions, 0.7 * shares + 0.3 / len(actions)


def money(game: Game, policies: tuple[Policy, Policy]) -> float:
    return sum(weight * float(state.payoffs()[0]) for weight, state in every_hand(game, policies))


@pytest.mark.parametrize("baseline", [*BASELINES, "random"])
@pytest.mark.parametrize("game", [KUHN, LEDUC], ids=lambda game: game.name)
def test_divat_has_the_mean_of_the_chips(game: Game, baseline: str) -> None:
    policies = Remembered(game, seed=1), Remembered(game, seed=2)
    if baseline == "random":  # worth something to one of the seats before the deal
        models = Remembered(game, seed=5), Remembered(game, seed=6)
        divat = Divat(game, ExactValues(game, models))
        assert abs(divat.expected) > 0.01
    else:
        divat = Divat.of(game, baseline)
    found = []
    for weight, state in every_hand(game, policies):
        assert state.deal is not None
        ranges = np.zeros((2, len(game.deck)))
        for seat in (0, 1):
            ranges[seat, game.deck.index(state.deal.hole[seat][0])] = 1.0
        score = divat.total(state, state.board, (ranges[0], ranges[1]))
        found.append((weight, float(state.payoffs()[0]), score))
    weights, plain, scores = np.array(found).T
    mean = weights @ plain
    assert weights @ scores == pytest.approx(mean, abs=1e-12)
    if baseline != "random":
        assert weights @ (scores - mean) ** 2 < weights @ (plain - mean) ** 2


def test_always_call_is_worth_nothing_before_the_deal() -> None:
    assert Divat.of(LEDUC).expected == pytest.approx(0.0, abs=1e-12)


def test_bet_for_value_is_a_policy() -> None:
    check_policy(BetForValue(), LEDUC)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("seat", "value"), [(0, "money"), (1, "divat"), (1, "money")])
@pytest.mark.parametrize("off_policy", [False, True], ids=["on", "off"])
def test_importance_sampling_has_the_mean_of_the_target(
    value: str, off_policy: bool, seat: int, kind: str
) -> None:
    played, opponent = Everything(LEDUC, seed=1), Remembered(LEDUC, seed=2)
    target = Remembered(LEDUC, seed=3) if off_policy else played

    def pair(own: Policy) -> tuple[Policy, Policy]:
        return (own, opponent) if seat == 0 else (opponent, own)

    hand_value = final_value if value == "money" else Divat.of(LEDUC).total
    sampling = ImportanceSampling(LEDUC, seat, played, target, kind, hand_value)
    found = [(w, *sampling.sample(state)) for w, state in every_hand(LEDUC, pair(played))]
    weights, values, ratios, unsupported = np.array(found).T
    expected = money(LEDUC, pair(target)) * (1 if seat == 0 else -1)
    assert weights @ values == pytest.approx(expected, abs=1e-12)
    assert weights @ ratios == pytest.approx(1.0, abs=1e-12)
    assert not unsupported.any()


def test_more_observations_leave_less_variance() -> None:
    played, opponent = Remembered(LEDUC, seed=1), Remembered(LEDUC, seed=2)
    variances = {}
    for kind in KINDS:
        sampling = ImportanceSampling(LEDUC, 0, played, played, kind)
        pairs = [(w, sampling.sample(s).value) for w, s in every_hand(LEDUC, (played, opponent))]
        weights, values = np.array(pairs).T
        variances[kind] = float(weights @ (values - weights @ values) ** 2)
    assert variances["gea-oc"] < variances["oc"] < variances["basic"]
    assert variances["gea-oc"] < variances["gea"]


def test_what_is_not_supported_is_told() -> None:
    state = State.start(KUHN, Deal(((51,), (43,)), ())).apply(1).apply(1)
    sampling = ImportanceSampling(KUHN, 0, AlwaysCall(), Everything(KUHN, seed=1))
    assert 0.0 < sampling.sample(state).unsupported < 1.0
    supported = ImportanceSampling(KUHN, 0, Everything(KUHN, seed=1), AlwaysCall())
    assert supported.sample(state).unsupported == 0.0
    bet = State.start(KUHN, Deal(((51,), (43,)), ())).apply(2).apply(1)
    with pytest.raises(DoyleError, match="never does this"):
        sampling.sample(bet)
    with pytest.raises(DoyleError, match="expected basic"):
        ImportanceSampling(KUHN, 0, AlwaysFold(), AlwaysFold(), "all")
    assert effective_sample_size(np.array([1.0, 1.0, 2.0])) == pytest.approx(16 / 6)


def test_runs_warn_of_what_is_not_supported(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    arguments = ["match", "leduc", "random", "always-call", "--hands", "60", "--no-duplicate"]
    assert main([*arguments, "--seed", "3", "--log", str(log)]) == 0
    hands = list(read_hands(log, LEDUC))
    on = run_importance_sampling(LEDUC, hands, "random", "random", kind="basic")
    assert on.estimate.won.mean == pytest.approx(on.plain.won.mean)
    assert on.effective_hands == pytest.approx(60)
    assert on.warning is None
    off = run_importance_sampling(LEDUC, hands, "random", "random", "always-raise", kind="basic")
    assert off.effective_hands == pytest.approx(np.count_nonzero(off.weights))
    few = replace(off, weights=np.eye(1, 60)[0])
    assert few.warning == "60 hands are worth only 1.0 of equal weight"
    missing = run_importance_sampling(LEDUC, hands, "always-call", "always-call", "random")
    assert missing.warning is not None
    assert "never played" in missing.warning
    with pytest.raises(DoyleError, match="hand 0: 'always-raise' never does this"):
        run_importance_sampling(LEDUC, hands, "always-call", "always-raise")
    with pytest.raises(DoyleError, match="an effective sample size of 0"):
        run_importance_sampling(
            LEDUC, hands[:1], "always-call", "always-call", "always-raise", kind="basic"
        )
    scores = run_divat(LEDUC, hands, "random", Divat.of(LEDUC))
    assert scores.plain == on.plain
    other = run_divat(LEDUC, hands, "always-call", Divat.of(LEDUC)).estimate
    assert scores.estimate.won.mean == pytest.approx(-other.won.mean)


def test_all_ins_of_holdem_count_their_mean() -> None:
    # Aces against kings, all-in before the flop: DIVAT takes the deal's luck and the board's out.
    game = Game.named("holdem-nl-20bb")
    state = State.start(game, Deal(((51, 50), (47, 46)), (0, 5, 10, 15, 20)))
    state = state.apply(state.max_raise_to).apply(1)
    divat = Divat.of(game)
    ranges = one_hand(game, (51, 50)), one_hand(game, (47, 46))
    share = balance_row(game, policy_row(game, (51, 50)), ())[policy_row(game, (47, 46))]
    stack, call = game.stacks[0], game.big_blind
    assert seen_by_actors(Hand(0, state)) == ()
    assert divat.total(state, (), ranges) == pytest.approx((stack - call) * share)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("evaluate") / "match.log"
    arguments = ["match", "leduc", "random", "always-call", "--hands", "60", "--no-duplicate"]
    assert main([*arguments, "--seed", "3", "--log", str(path)]) == 0
    return str(path)


@pytest.mark.parametrize(
    "options",
    [
        ["--method", "divat"],
        ["--method", "divat", "--player", "always-call", "--baseline", "bet-for-value"],
        ["--method", "importance", "--agent", "random"],
        ["--method", "importance", "--agent", "random", "--target", "always-call", "--kind", "oc"],
        ["--method", "importance", "--agent", "random", "--baseline", "always-call"],
    ],
)
def test_one_command_has_one_form_for_all_methods(
    log: str, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", log, *options, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {
        "method",
        "game",
        "player",
        "opponent",
        "hands",
        "plain",
        "estimate",
        "sd_reduction",
    } <= (document.keys())
    assert document["estimate"].keys() == {"mbb_per_hand", "ci95", "sd_mbb"}
    assert main(["evaluate", log, *options]) == 0
    text = capsys.readouterr().out
    assert f"mean {document['estimate']['mbb_per_hand']:.1f}" in text


def test_a_target_without_support_is_warned_about(
    log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--method", "importance", "--agent", "always-call", "--target", "random", "--json"]
    assert main(["evaluate", log, *options]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("warning: the target does what was never played")
    assert "60 hands are worth" in captured.err
    assert json.loads(captured.out)["warning"] in captured.err


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--method", "luck"], "--method 'luck': expected aivat, divat, importance"),
        (["--method", "divat", "--agent", "random"], "--agent: not for --method divat"),
        (["--method", "divat", "--player", "nobody"], "no player is called 'nobody'"),
        (["--method", "divat", "--baseline", "raise"], "expected always-call, bet-for-value"),
        (["--method", "importance"], "needs --agent"),
        (["--method", "importance", "--agent", "random", "--kind", "all"], "expected basic, gea"),
        (["--method", "importance", "--agent", "random", "--agent", "ev"], "give --agent once"),
        (["--method", "importance", "--agent", "random", "--target", "nobody"], "no such agent"),
        (["--method", "importance", "--agent", "ev"], "no player is called 'ev'"),
    ],
)
def test_bad_questions_are_one_line(
    log: str, options: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", log, *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert problem in captured.err
    assert captured.err.count("\n") == 1


def test_a_log_of_another_game_is_refused_by_its_line(
    log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", log, "--agent", "random", "--game", "kuhn"]) == 2
    assert capsys.readouterr().err.startswith(f"doyle: {log}, line 5 ")


@pytest.mark.parametrize("method", ["divat", *KINDS])
def test_holdem_means_agree_with_the_chips_won(method: str) -> None:
    policies = AllInOnly(HOLDEM, seed=1), AllInOnly(HOLDEM, seed=2)
    rng = np.random.default_rng(7)
    hands = [Hand(n, played(HOLDEM, policies, rng), ("a", "b")) for n in range(60)]
    if method == "divat":
        values = divat_chips(hands, [0] * len(hands), Divat.of(HOLDEM))
    else:
        values = run_importance_sampling(HOLDEM, hands, "a", policies[0], kind=method).values
    difference = values - chips_of(hands, [0] * len(hands))
    error = difference.std(ddof=1) / np.sqrt(len(hands))
    assert error > 0.0
    assert abs(difference.mean()) < 3.0 * error
