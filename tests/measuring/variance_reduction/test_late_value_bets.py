"""Bet-for-value in Hold'em: against a plain walk of the betting; the terms of a deal have mean 0."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from doyle.agents import AlwaysCall
from doyle.apps.cli import main
from doyle.cards import parse_cards
from doyle.games import CALL, FOLD, Game, State
from doyle.games.histories import Hand, read_hands
from doyle.games.payoffs import best_rank
from doyle.games.policies import policy_row, policy_rows
from doyle.measuring.variance_reduction.divat import Divat
from doyle.measuring.variance_reduction.importance_sampling import one_hand
from doyle.measuring.variance_reduction.late_value_bets import (
    BET_FROM,
    FOLD_BELOW,
    LateValueBets,
    after_bet,
)
from doyle.measuring.variance_reduction.sampling_run import (
    chips_of,
    divat_chips,
    run_importance_sampling,
)
from tests.measuring.variance_reduction.test_aivat import HOLDEM, AllInOnly, played

Cards = tuple[int, ...]
BOARD = tuple(parse_cards("Ks7h4d2cJs"))
HOLES = tuple(parse_cards("KdQd")), tuple(parse_cards("6s5s"))
GAMES = ["holdem-nl-200bb", "holdem-nl-20bb", "holdem-limit-2p"]


def at_round(game: Game, round_: int, *, raise_first: bool = False) -> State:
    """The start of a round after checks and calls, or after a first raise of the pot."""
    state = State.start(game)
    if raise_first:
        state = state.apply(min(max(3 * game.big_blind, state.min_raise_to), state.max_raise_to))
    while state.round < round_:
        state = state.apply(CALL)
    return state


def strength(hole: Cards, board: Cards) -> float:
    """The win probability against all hands over the cards to come, one by one."""
    rest = [card for card in range(52) if card not in (*hole, *board)]
    points = []
    for added in combinations(rest, 5 - len(board)):
        whole = (*board, *added)
        own = best_rank((*hole, *whole))
        for other in combinations([card for card in rest if card not in added], 2):
            theirs = best_rank((*other, *whole))
            points.append(1.0 if own > theirs else 0.5 if own == theirs else 0.0)
    return sum(points) / len(points)


def walked(
    state: State, holes: tuple[Cards, Cards], board: Cards, known: dict[Cards, float]
) -> float:
    """What seat 0 wins from the start of the turn or the river, walked action by action."""
    if state.is_showdown:
        own, theirs = (best_rank((*hole, *board)) for hole in holes)
        return min(state.spent) * float(np.sign(own - theirs))

    def of(seat: int) -> float:
        key = (*holes[seat], *board)
        if key not in known:
            known[key] = strength(holes[seat], board)
        return known[key]

    while state.actor >= 0 and state.round == len(board) - 2:
        raised = any(action > CALL for action in state.betting[-1])
        if raised:
            state = state.apply(FOLD if of(state.actor) < FOLD_BELOW else CALL)
        elif of(state.actor) >= BET_FROM and state.max_raise_to:
            bet = min(max(3 * min(state.spent), state.min_raise_to), state.max_raise_to)
            state = state.apply(bet)
        else:
            state = state.apply(CALL)
    if any(state.folded):
        return float(state.spent[1] if state.folded[1] else -state.spent[0])
    if len(board) == 5:
        return walked(state, holes, board, known)
    rest = [card for card in range(52) if card not in (*board, *holes[0], *holes[1])]
    return sum(walked(state, holes, (*board, card), known) for card in rest) / len(rest)


def pair_ranges(game: Game, holes: tuple[Cards, Cards]) -> tuple[np.ndarray, np.ndarray]:
    return one_hand(game, holes[0]), one_hand(game, holes[1])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("swapped", [False, True])
def test_the_river_is_that_of_a_plain_walk(name: str, swapped: bool) -> None:
    game, values = Game.named(name), LateValueBets()
    holes = HOLES[::-1] if swapped else HOLES
    known: dict[Cards, float] = {}
    for raise_first in (False, True):
        state = at_round(game, 3, raise_first=raise_first)
        rivers = [card for card in range(52) if card not in (*BOARD[:4], *holes[0], *holes[1])]
        found = []
        for river in rivers[::4]:
            board = (*BOARD[:4], river)
            one = values.dealt(state, board, pair_ranges(game, holes))
            assert one == pytest.approx(walked(state, holes, board, known), abs=1e-9)
            found.append(one)
        assert len(set(found)) > 2  # bets, folds and showdowns all occur


@pytest.mark.parametrize("holes", [HOLES, HOLES[::-1], (HOLES[0], tuple(parse_cards("9c8c")))])
def test_the_turn_is_that_of_a_plain_walk(holes: tuple[Cards, Cards]) -> None:
    game, values = HOLDEM, LateValueBets()
    state = at_round(game, 2)
    expected = walked(state, holes, BOARD[:4], {})
    assert values.dealt(state, BOARD[:4], pair_ranges(game, holes)) == pytest.approx(expected)


@pytest.mark.parametrize("round_", [1, 2, 3])
def test_the_mean_before_a_deal_is_that_over_its_cards(round_: int) -> None:
    game, values = Game.named("holdem-nl-200bb"), LateValueBets()
    ranges = pair_ranges(game, HOLES)
    seen = BOARD[: 0 if round_ == 1 else round_ + 1]
    state = at_round(game, round_, raise_first=True)
    rest = [card for card in range(52) if card not in (*seen, *HOLES[0], *HOLES[1])]
    every = list(combinations(rest, 3 if round_ == 1 else 1))
    if round_ == 1:  # calling down: some flops beside the table of all
        assert values.before_deal(state, seen, ranges) == pytest.approx(
            Divat.of(game).values.before_deal(state, seen, ranges)
        )
        return
    mean = sum(values.dealt(state, (*seen, *added), ranges) for added in every) / len(every)
    assert values.before_deal(state, seen, ranges) == pytest.approx(mean, abs=1e-9)


@pytest.mark.parametrize("seen", [3, 4, 5])
def test_ranges_sum_over_their_pairs(seen: int) -> None:
    game, values = Game.named("holdem-nl-200bb"), LateValueBets()
    rng = np.random.default_rng(3)
    holes = [tuple(parse_cards(text)) for text in ("KdQd", "7s6s", "AcAd", "Kd3h", "Ks2s", "9h8h")]
    wide = np.zeros(policy_rows(game))
    for hole in holes:
        wide[policy_row(game, hole)] = rng.random()
    single = one_hand(game, tuple(parse_cards("QhQs")))
    state = at_round(game, min(seen - 1, 3) if seen > 3 else 2)
    ask = values.before_deal if seen == 3 else values.dealt
    for ranges in ((wide, single), (single, wide)):
        whole = ask(state, BOARD[:seen], ranges)
        parts = 0.0
        for hole in holes:
            one = one_hand(game, hole)
            row = policy_row(game, hole)
            pair = (one, single) if ranges[0] is wide else (single, one)
            parts += wide[row] * ask(state, BOARD[:seen], pair)
        assert whole == pytest.approx(parts, abs=1e-9)


def test_a_pair_that_cannot_be_held_is_worth_nothing() -> None:
    game, values = Game.named("holdem-nl-200bb"), LateValueBets()
    state = at_round(game, 2)
    meeting = one_hand(game, HOLES[0]), one_hand(game, (HOLES[0][0], 0))
    on_board = one_hand(game, HOLES[0]), one_hand(game, (BOARD[0], 0))
    for ranges in (meeting, on_board):
        assert values.dealt(state, BOARD[:4], ranges) == 0.0
        assert values.before_deal(state, BOARD[:3], ranges) == 0.0


def test_after_a_bet_of_the_pot_everybody_has_three_times_as_much_in() -> None:
    state = at_round(Game.named("holdem-nl-200bb"), 2)
    assert after_bet(state).spent == (300, 300)
    assert after_bet(at_round(Game.named("holdem-limit-2p"), 2)).spent == (30, 30)


def test_baselines_agree_on_the_mean_of_played_hands() -> None:
    policies = AllInOnly(HOLDEM, seed=1), AlwaysCall()
    rng = np.random.default_rng(11)
    hands = [Hand(n, played(HOLDEM, policies, rng), ("a", "b")) for n in range(60)]
    seats = [0] * len(hands)
    money = chips_of(hands, seats)
    late = divat_chips(hands, seats, Divat.of(HOLDEM, "bet-for-value"))
    calls = divat_chips(hands, seats, Divat.of(HOLDEM))
    assert not np.allclose(late, calls)
    for scores in (late, calls):
        difference = scores - money
        error = difference.std(ddof=1) / np.sqrt(len(hands))
        assert error > 0.0
        assert abs(difference.mean()) < 4.0 * error
    sampled = run_importance_sampling(
        HOLDEM, hands[:6], "a", policies[0], kind="gea-oc", divat=Divat.of(HOLDEM, "bet-for-value")
    )
    assert np.isfinite(sampled.values).all()


def test_the_command_takes_it_in_holdem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "match.log"
    arguments = ["match", "holdem-nl-20bb", "always-call", "random", "--hands", "5"]
    assert main([*arguments, "--seed", "4", "--log", str(path)]) == 0
    assert len(list(read_hands(path, HOLDEM))) == 10
    capsys.readouterr()
    assert main(["evaluate", str(path), "--method", "divat", "--baseline", "bet-for-value"]) == 0
    assert "mean" in capsys.readouterr().out
