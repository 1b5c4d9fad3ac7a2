"""Local best response: against plain formulas, exact best responses, and what is known exactly."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from doyle.agents import AlwaysCall, AlwaysFold
from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.cards import HOLES
from doyle.games import CALL, FOLD, Action, Deal, Game, State, View
from doyle.games.policies import possible_hands
from doyle.measuring.hand_equity import win_probabilities
from doyle.measuring.local_best_response.origins import ALL_IN, LIMIT, first_raise
from doyle.measuring.local_best_response.response import _MOST_LEGAL as RAISES
from doyle.measuring.local_best_response.response import (
    Holding,
    LocalBestResponse,
    default_actions,
    raises,
)
from doyle.measuring.local_best_response.run import (
    LbrResult,
    deals,
    enumerate_lbr,
    every_deal,
    run_lbr,
)
from doyle.measuring.strategies import policy_profile
from doyle.solving.games.one_bet import bet_sizes, clairvoyance
from doyle.solving.games.small_games import small_game
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from tests.agents.synthetic import synthetic_agent
from tests.measuring.small_policies import Floats, RandomPolicy
from tests.reference import local_best_response as plain

HOLDEM = Game.named("holdem-nl-200bb")
KUHN = Game.named("kuhn")
LEDUC = Game.named("leduc")
NOLIMIT_KUHN = Game.parse(
    """GAMEDEF
nolimit
numPlayers = 2
numRounds = 1
stack = 15 15
blind = 5 5
minBet = 1
numSuits = 1
numRanks = 3
numHoleCards = 1
numBoardCards = 0
maxRaises = 2
END GAMEDEF""",
    name="nolimit-kuhn",
)


def lbr(game: Game, policy: Any, actions: str = "all", rounds: str = "all") -> LocalBestResponse:
    return LocalBestResponse(game, policy, actions, rounds)


@pytest.fixture
def no_preflop_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the flop every hand wins half: for tests that do not look at the number."""

    def even() -> Any:
        return np.full((1326, 1326), 1_712_304, np.int32)

    monkeypatch.setattr("doyle.measuring.hand_equity.preflop_points", even)
    monkeypatch.setattr(
        "doyle.measuring.local_best_response.run.make_preflop_points", lambda *_, **__: even()
    )


# What it does ------------------------------------------------------------------------------------


def test_sizes_of_the_action_sets() -> None:
    state = State.start(HOLDEM)
    assert raises("fc", state) == []
    assert raises("fcpa", state) == [300, 20_000]
    called = state.apply(CALL).apply(CALL)
    found = raises("56", called)
    # Bets below the big blind are not legal, so of 55 sizes and all-in those from 0.5 pots remain.
    wanted = [200 * 0.05 * 1.15**k for k in range(55)]
    assert found == [100 + int(size + 0.5) for size in wanted if 100 <= size < 19_900] + [20_000]
    big = State.start(HOLDEM).apply(2000).apply(CALL)
    assert len(raises("56", big)) > 25
    assert raises("all", State.start(KUHN)) == [2]
    with pytest.raises(DoyleError, match="19,801 raises are legal"):
        raises("all", state)
    assert (default_actions(KUHN), default_actions(HOLDEM)) == ("all", "fcpa")


@pytest.mark.parametrize("game", [KUHN, NOLIMIT_KUHN, LEDUC], ids=lambda game: game.name)
@pytest.mark.parametrize("seat", [0, 1])
def test_equals_the_plain_formulas(game: Game, seat: int) -> None:
    for seed in range(3):
        policy = RandomPolicy(game, seed=seed)
        responder = lbr(game, policy)
        for hole, board in every_deal(game):
            ours = responder.value(Holding(game, hole, board), seat=seat)
            other = plain.value(
                game, policy, hole, board, seat=seat, raises_of=lambda state: raises("all", state)
            )
            assert ours == pytest.approx(other, abs=1e-12)


def test_sampling_has_the_mean_of_enumeration() -> None:
    policy = RandomPolicy(LEDUC, seed=5)
    responder = lbr(LEDUC, policy)
    hole, board = (LEDUC.deck[3],), (LEDUC.deck[0],)
    holding = Holding(LEDUC, hole, board)
    for seat in (0, 1):
        rng = np.random.default_rng(seat)
        drawn = [responder.value(holding, seat=seat, rng=rng) for _ in range(1000)]
        exact = responder.value(holding, seat=seat)
        error = np.std(drawn) / len(drawn) ** 0.5
        assert error > 0
        assert abs(np.mean(drawn) - exact) < 4 * error


def test_never_folds_when_checking_is_free() -> None:
    class Watched(LocalBestResponse):
        def choose(self, state: State, reach: Floats, holding: Holding) -> Action:
            action = super().choose(state, reach, holding)
            assert state.can_fold or action != FOLD
            return action

    for game in (KUHN, NOLIMIT_KUHN, LEDUC):
        enumerate_lbr(Watched(game, RandomPolicy(game, seed=2), "all"))


def test_a_certain_loser_checks_and_folds() -> None:
    # The opponent never folds: the jack checks, and folds to a bet.
    jack = Holding(KUHN, (KUHN.deck[0],), ())
    responder = lbr(KUHN, AlwaysCall())
    start = State.start(KUHN, Deal(((), ()), ()))
    reach = np.ones(3)
    assert responder.choose(start, reach, jack) == CALL
    assert responder.choose(start.apply(2), reach, jack) == FOLD
    king = Holding(KUHN, (KUHN.deck[2],), ())
    assert responder.choose(start, reach, king) == 2


def test_late_rounds_check_and_call_before() -> None:
    responder = lbr(HOLDEM, AlwaysFold(), "fcpa", "late")
    board = (0, 5, 10, 15, 20)
    holding = Holding(HOLDEM, (50, 51), board)
    start = State.start(HOLDEM, Deal(((), ()), board))
    assert responder.choose(start, np.ones(1326), holding) == CALL
    turn = start.apply(CALL).apply(CALL).apply(CALL).apply(CALL)
    assert turn.round == 2
    assert responder.choose(turn, np.ones(1326), holding) > CALL


def test_late_in_a_game_of_two_rounds_only_calls() -> None:
    policy = RandomPolicy(LEDUC, seed=1)
    late, calls = (
        enumerate_lbr(lbr(LEDUC, policy, actions, rounds))
        for actions, rounds in (("all", "late"), ("fc", "late"))
    )
    assert (late == calls).all()


# What it wins ------------------------------------------------------------------------------------


def test_wins_750_against_always_fold(no_preflop_table: None) -> None:
    result = run_lbr(HOLDEM, AlwaysFold(), actions="fcpa", hands=40)
    assert (result.mbb_per_hand, result.ci95) == (750.0, 0.0)
    assert result.seats == (500.0, 1000.0)


@pytest.mark.parametrize("game", [KUHN, NOLIMIT_KUHN, LEDUC], ids=lambda game: game.name)
def test_at_most_the_best_response(game: Game) -> None:
    small = small_game(game, lossless=False)
    form = SequenceForm(small)
    for seed in range(4):
        policy = RandomPolicy(game, seed=seed)
        best = policy_profile(small, (policy, policy), form).best_response_values
        values = enumerate_lbr(lbr(game, policy))
        for seat in (0, 1):
            won = float(values[seat::2].mean())
            assert won <= best[seat] + 1e-9
            assert won > 0  # random play loses to it


class Caller:
    """Seat 1 of the clairvoyance game in chips of 0.1: holds the queen, calls as the table says."""

    name = "caller"

    def __init__(self, calls: dict[int, float]) -> None:
        self.calls = calls

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        if not state.can_fold:
            return (CALL,), np.ones((3, 1))
        call = self.calls[state.largest - 5]
        return (FOLD, CALL), np.tile([1 - call, call], (3, 1))

    def reach(self, state: State, seat: int) -> Floats:
        raise NotImplementedError


@pytest.mark.parametrize("rng", [None, np.random.default_rng(1)], ids=["followed", "drawn"])
def test_what_a_policy_never_does_is_no_outcome(rng: np.random.Generator | None) -> None:
    responder = lbr(NOLIMIT_KUHN, Caller(dict.fromkeys(range(1, 11), 0.0)))
    jack = Holding(NOLIMIT_KUHN, (NOLIMIT_KUHN.deck[0],), ())
    ends = list(responder.outcomes(jack, seat=0, rng=rng))
    assert [(state.is_showdown, part) for state, part in ends] == [(False, 5.0)]


@pytest.mark.parametrize("seed", range(4))
def test_equals_the_best_response_of_the_clairvoyant_bettor(seed: int) -> None:
    stack = 1.0
    rng = np.random.default_rng(seed)
    sizes = bet_sizes(stack)
    calls = {round(10 * size): float(rng.random()) for size in sizes}
    if seed == 0:  # the caller's equilibrium strategy
        calls = {round(10 * size): 1 / (1 + size) for size in sizes}
    # Seat 0 holds the king or the jack, seat 1 the queen.
    queen = np.array([0.0, 1.0, 0.0])
    responder = lbr(NOLIMIT_KUHN, Caller(calls))
    values = [
        responder.value(Holding(NOLIMIT_KUHN, (card,), (), opponent=queen), seat=0)
        for card in (NOLIMIT_KUHN.deck[0], NOLIMIT_KUHN.deck[2])
    ]
    game = clairvoyance(stack)
    form = SequenceForm(game)
    behaviours = (form.uniform_behaviour(0), form.uniform_behaviour(1))
    for node in game.tree.decisions.tolist():
        if game.tree.actor[node] == 1:
            size = float(str(game.tree.labels[node]).removeprefix("r"))
            call = calls[round(10 * size)]
            form.put_table(node, np.array([[1 - call, call]]), behaviours[1])
    best = Profile.of_behaviours(form, behaviours).best_response_values[0]
    assert np.mean(values) / 10 == pytest.approx(best, abs=1e-12)


def test_holdem_range_and_utilities_equal_the_plain_formulas() -> None:
    # The agent checks to the turn, then bets: the plain twin looks at every run-out of some hands.
    agent = synthetic_agent("rand-pshar", seed=3)
    board = (0, 5, 10, 15, 20)
    holding = Holding(HOLDEM, (30, 44), board)
    state = State.start(HOLDEM, Deal(((), ()), board))
    for action in (CALL, CALL, CALL, CALL, 300):
        assert action == CALL or (state.round, state.actor) == (2, 0)
        state = state.apply(action)
    reach = agent.reach(state.public(), 0)
    places = np.flatnonzero(reach * holding.possible(state.round))[::40]
    assert len(places) > 5
    few = np.zeros_like(reach)
    few[places] = reach[places]
    range_ = {tuple(HOLES[place].tolist()): float(few[place]) for place in places}
    found = set()
    for hole in ((30, 44), (50, 51), (2, 25)):
        holding = Holding(HOLDEM, hole, board)
        held = {cards: weight for cards, weight in range_.items() if not set(cards) & set(hole)}
        other = plain.choose(HOLDEM, agent, state, hole, held, raises("fcpa", state))
        assert lbr(HOLDEM, agent, "fcpa").choose(state, few, holding) == other
        found.add(other)
    assert len(found) > 1


# Runs --------------------------------------------------------------------------------------------


def test_same_values_with_one_and_two_workers() -> None:
    game = Game.named("holdem-limit-2p")
    policy = RandomPolicy(game, seed=1)
    one, two, fewer = (
        run_lbr(
            game, policy, actions="all", rounds="late", hands=hands, seed=9, workers=Workers(count)
        )
        for count, hands in ((1, 70), (2, 70), (1, 40))
    )
    assert one.hands == 70
    assert len(set(one.values)) > 30
    assert (one.values == two.values).all()
    assert (one.values[:40] == fewer.values).all()


def test_interval_is_of_the_seats() -> None:
    values = np.array([1.0, 10.0, 3.0, 10.0])
    result = LbrResult(KUHN, "x", "all", "all", values, 0)
    assert result.mbb_per_hand == 6000.0
    # One seat has no variance: two values, one degree of freedom.
    assert result.ci95 == pytest.approx(12.706204736 * np.sqrt(2.0 / 2 / 4) * 1000)
    assert "proves nothing" in result.reading
    many = LbrResult(KUHN, "x", "all", "all", np.tile(values, 10), 0)
    assert "at least" in many.reading
    assert "proves nothing" in LbrResult(KUHN, "x", "all", "all", -values, 0).reading


def test_origins_add_up_to_the_result(no_preflop_table: None) -> None:
    small = run_lbr(LEDUC, RandomPolicy(LEDUC, seed=3), actions="all")
    assert len(small.origins) > 2
    assert sum(small.origins.values()) == pytest.approx(small.mbb_per_hand)
    one, two = (
        run_lbr(HOLDEM, AlwaysFold(), actions="fcpa", hands=40, workers=Workers(count))
        for count in (1, 2)
    )
    # It raises at once in the first seat; in the second it is given the pot without a raise.
    assert one.origins == two.origins
    assert one.origins == {None: 250.0, **dict.fromkeys(set(one.origins) - {None}, 500.0)}
    document = one.document()["by_first_raise"]
    assert [row["mbb_per_hand"] for row in document] == [500.0, 250.0]
    assert [row["round"] for row in document] == [0, None]


def test_a_raise_has_a_round_and_a_size() -> None:
    state = State.start(HOLDEM)
    for raise_to, wanted in ((200, (0, 0)), (300, (0, 1)), (2100, (0, 5)), (20_000, (0, ALL_IN))):
        assert first_raise(state.apply(raise_to), 1) == wanted
    later = state.apply(CALL).apply(CALL).apply(CALL).apply(7100)
    assert (first_raise(later, 0), first_raise(later, 1)) == (None, (1, 6))
    assert first_raise(later.apply(20_000), 0) == (1, ALL_IN)
    limit = State.start(LEDUC)
    assert first_raise(limit.apply(limit.max_raise_to), 0) == (0, LIMIT)


def test_deals_are_counted() -> None:
    assert deals(LEDUC) == len(list(every_deal(LEDUC))) == 30
    assert deals(HOLDEM) == 1326 * 19_600 * 47 * 46


class BlackBox:
    name = "black-box"

    def act(self, view: View) -> Action:
        return CALL


def test_refusals(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doyle.measuring.runs.resolve_agent", lambda text, game: BlackBox())
    assert main(["lbr", "ev", "--game", "kuhn"]) == 2
    assert "agent 'ev': is no policy" in capsys.readouterr().err
    assert main(["lbr", "nobody"]) == 2
    assert "no such agent" in capsys.readouterr().err
    three = Game.named("holdem-limit-3p")
    with pytest.raises(DoyleError, match="two-player"):
        lbr(three, RandomPolicy(three, seed=1))
    with pytest.raises(DoyleError, match="rounds 'early': expected all, late"):
        lbr(KUHN, RandomPolicy(KUHN, seed=1), rounds="early")
    with pytest.raises(DoyleError, match="needs 2 to 10,000,000 hands"):
        run_lbr(KUHN, AlwaysCall(), actions="all", hands=1)


def test_value_is_exact_against_always_call_in_kuhn() -> None:
    # Against a caller the king bets, the queen is even, the jack checks: +2, 0, -1 in each seat.
    result = run_lbr(KUHN, AlwaysCall(), actions="all")
    assert result.seed is None
    assert result.mbb_per_hand == pytest.approx(1000 / 3)


def test_document(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    assert (
        main(["solve", "leduc", "--iterations", "20", "--save", str(tmp_path / "leduc"), "--json"])
        == 0
    )
    capsys.readouterr()
    assert main(["lbr", str(tmp_path / "leduc"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {"actions", "rounds", "mbb_per_hand", "ci95", "hands"} <= set(document)
    assert (document["actions"], document["method"], document["ci95"]) == ("all", "enumerated", 0)


def test_the_smallest_legal_raise_is_looked_at() -> None:
    state = State.start(Game.named("holdem-nl-20bb"))
    low = state.min_raise_to
    assert raises("56", state)[0] == low == 4
    assert raises("all", state)[0] == low


def test_every_raise_is_looked_at_up_to_a_number_of_raises_not_of_chips() -> None:
    game = replace(Game.named("leduc-nl12"), stacks=(RAISES, RAISES))
    state = State.start(game)
    low, high = state.min_raise_to, state.max_raise_to
    assert high - low < RAISES < high + low
    assert raises("all", state) == list(range(low, high + 1))
    with pytest.raises(DoyleError, match="raises are legal"):
        raises("all", State.start(replace(game, stacks=(2 * RAISES, 2 * RAISES))))


def test_actions_that_are_looked_at_unless_said() -> None:
    names = ("leduc", "leduc-nl12", "holdem-limit-2p", "holdem-nl-20bb", "holdem-nl-200bb")
    assert [default_actions(Game.named(name)) for name in names] == [
        "all", "all", "all", "fcpa", "fcpa"
    ]  # fmt: skip


@pytest.mark.parametrize(("rounds", "round_"), [("all", 1), ("late", 2)])
def test_all_ins_on_the_flop_count_with_one_card_more_where_turns_are_looked_at(
    rounds: str, round_: int
) -> None:
    game = Game.named("holdem-nl-20bb")
    hole, board = (51, 47), (0, 5, 10, 20, 33)
    state = State.start(game, Deal((hole, ()), board)).apply(CALL).apply(CALL)
    state = state.apply(state.max_raise_to).apply(CALL)
    holding = Holding(game, hole, board)
    possible = possible_hands(game, (*hole, *board[: game.board_ends[round_]]))
    wins = win_probabilities(game, hole, board[: game.board_ends[round_]])
    expected = (2 * wins[possible].mean() - 1) * game.stacks[0]
    responder = lbr(game, AlwaysCall(), "fc", rounds)
    (outcome,) = responder._outcomes(state, np.ones(1326), holding, 0, None, round_=1, weight=1.0)
    assert outcome[1] == pytest.approx(expected)


def test_the_last_round_of_two_is_counted_with_its_own_board() -> None:
    game = Game.named("leduc")
    hole, board = (game.deck[0],), (game.deck[1],)  # a pair
    state = State.start(game, Deal((hole, ()), board))
    for _ in range(4):
        state = state.apply(CALL)
    responder = lbr(game, AlwaysCall(), "all", "late")
    holding = Holding(game, hole, board)
    (outcome,) = responder._outcomes(state, np.ones(6), holding, 0, None, round_=1, weight=1.0)
    assert outcome[1] == pytest.approx(min(state.spent))  # beats every hand
