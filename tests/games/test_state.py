"""The rules, case by case, as the ACPC reference server plays them."""

from __future__ import annotations

import copy
import multiprocessing
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from doyle.base.errors import DoyleError
from doyle.cards import parse_cards
from doyle.games import CALL, FOLD, Deal, Game, State, check_deal
from doyle.games.payoffs import best_rank, showdown_ranks
from doyle.games.state import action_name

NL = Game.named("holdem-nl-200bb")
LIMIT = Game.named("holdem-limit-2p")


def deal(*hole: str, board: str = "") -> Deal:
    return Deal(tuple(parse_cards(cards) for cards in hole), parse_cards(board))


def play(game: Game, *actions: int, cards: Deal | None = None) -> State:
    state = State.start(game, cards)
    for action in actions:
        state = state.apply(action)
    return state


def three_handed(*stacks: int) -> Game:
    return Game(
        name="three",
        betting="nolimit",
        players=3,
        rounds=4,
        blinds=(50, 100, 0),
        suits=4,
        ranks=13,
        hole_cards=2,
        board_cards=(0, 3, 1, 1),
        stacks=stacks,
        first_players=(2, 0, 0, 0),
    )


def test_reverse_blinds() -> None:
    state = State.start(NL)
    assert (state.spent, state.actor, state.round, state.pot) == ((100, 50), 1, 0, 150)
    assert play(NL, CALL, CALL).actor == 0


def test_minimum_raise_doubles_the_last_one() -> None:
    assert State.start(NL).min_raise_to == 200
    assert play(NL, 300).min_raise_to == 500
    assert play(NL, 300, 900).min_raise_to == 1500
    # A new round starts at the chips spent plus the big blind.
    assert play(NL, 300, 900, CALL).min_raise_to == 1000


def test_only_all_in_remains_when_the_minimum_exceeds_the_stack() -> None:
    state = play(NL, 12_000)
    assert (state.min_raise_to, state.max_raise_to) == (20_000, 20_000)
    assert state.legal_actions() == (FOLD, CALL, 20_000)
    after = state.apply(20_000)
    assert after.legal_actions() == (FOLD, CALL)


def test_folding_with_nothing_to_call_is_illegal() -> None:
    state = play(NL, CALL)
    assert not state.can_fold
    assert state.legal_actions()[0] == CALL
    with pytest.raises(DoyleError, match="seat 0 folds with nothing to call"):
        state.apply(FOLD)


@pytest.mark.parametrize("action", [-1, 199, 20_001, 2])
def test_illegal_raises(action: int) -> None:
    state = State.start(NL)
    assert not state.is_legal(action)
    with pytest.raises(DoyleError, match="illegal action"):
        state.apply(action)


def test_nearest_legal_is_the_dealers_rule() -> None:
    state = State.start(NL)
    assert state.nearest_legal(150) == 200
    assert state.nearest_legal(99_999) == 20_000
    assert state.nearest_legal(-7) == CALL
    assert state.nearest_legal(FOLD) == FOLD
    assert play(NL, CALL).nearest_legal(FOLD) == CALL
    assert play(NL, 20_000).nearest_legal(20_000) == CALL


def test_an_all_in_call_runs_to_the_showdown() -> None:
    cards = deal("KhQh", "KcAc", board="Ts8hQcJhQs")
    state = play(NL, 300, 20_000, CALL, cards=cards)
    assert state.is_over
    assert state.is_showdown
    assert state.round == 3
    assert state.betting == ((300, 20_000, CALL), (), (), ())
    assert state.board == cards.board
    assert state.payoffs() == (-20_000, 20_000)


def test_a_fold_ends_the_hand_in_its_round() -> None:
    state = play(NL, CALL, CALL, CALL, 200, FOLD, cards=deal("8cQs", "7h8h", board="4h9cJc2c2d"))
    assert state.round == 1
    assert state.board == parse_cards("4h9cJc")
    assert state.payoffs() == (-100, 100)
    assert state.legal_actions() == ()
    with pytest.raises(DoyleError, match="the hand is over"):
        state.apply(CALL)


def test_limit_raises_and_caps() -> None:
    state = State.start(LIMIT)
    assert state.legal_actions() == (FOLD, CALL, 20)
    state = play(LIMIT, 20, 30, 40)
    assert state.legal_actions() == (FOLD, CALL)
    flop = state.apply(CALL)
    assert flop.legal_actions() == (CALL, 50)
    assert play(LIMIT, CALL, CALL, CALL, CALL, CALL, CALL).legal_actions() == (CALL, 30)


def test_limit_raises_stop_at_the_stack() -> None:
    short = replace(LIMIT, stacks=(25, 25))
    state = play(short, 20)
    assert state.legal_actions() == (FOLD, CALL, 25)
    assert play(short, 20, 25, CALL).is_showdown


def test_no_raise_once_actions_and_players_exceed_64() -> None:
    game = replace(NL, stacks=(2**31 - 1,) * 2)
    state = State.start(game)
    for made in range(63):
        assert state.max_raise_to, made
        state = state.apply(state.min_raise_to)
    assert len(state.betting[0]) == 63
    assert state.legal_actions() == (FOLD, CALL)


def test_a_seat_all_in_with_its_blind_is_passed_over() -> None:
    game = three_handed(50, 1000, 1000)
    state = play(game, 300, CALL)
    assert (state.round, state.actor) == (1, 1)
    assert state.apply(CALL).actor == 2


def test_everybody_all_in_with_the_blinds() -> None:
    game = replace(NL, stacks=(100, 50))
    state = State.start(game, deal("AsAh", "KsKh", board="2c3c4d5d7h"))
    assert state.is_over
    assert state.payoffs() == (50, -50)


def test_a_short_all_in_call_returns_what_it_does_not_match() -> None:
    game = replace(NL, stacks=(20_000, 500))
    state = play(game, CALL, 5000, CALL, cards=deal("2c3d", "AsAh", board="Ks9c8d7h2s"))
    assert state.spent == (5000, 500)
    assert state.payoffs() == (-500, 500)


def test_a_short_all_in_raise_keeps_the_old_minimum() -> None:
    game = three_handed(2000, 2000, 380)
    state = play(game, 300)
    assert state.min_raise_to == 500
    state = play(game, CALL, 300, CALL, 380)  # raises by 80 only
    assert state.min_raise_to == 500
    assert state.actor == 0


def test_side_pots() -> None:
    game = three_handed(300, 1000, 1000)
    # Seat 0 has the best hand and wins 300 from each; seat 1 beats seat 2 for the rest.
    cards = deal("AsAh", "KsKh", "QsQh", board="2c3c4d9d7h")
    state = play(game, 1000, CALL, CALL, cards=cards)
    assert state.spent == (300, 1000, 1000)
    assert state.payoffs() == (600, 700 - 300, -1000)


def test_a_folded_seat_pays_into_the_side_pots() -> None:
    game = three_handed(300, 1000, 1000)
    cards = deal("AsAh", "KsKh", "QsQh", board="2c3c4d9d7h")
    state = play(game, 600, CALL, CALL, 1000, FOLD, cards=cards)
    # Seat 0 is in for 300, seat 2 folded 600, seat 1 put in 1000 of which 400 come back.
    assert state.payoffs() == (600, 0, -600)


def test_pots_split_in_exact_fractions() -> None:
    game = Game.named("holdem-limit-3p")
    cards = deal("2c3d", "2d3h", "2h3c", board="AsKsQsJsTs")
    # Seats 0 and 1 share the chips of seat 2, which folds after one bet.
    state = play(game, *(20, 20 + 10, CALL, FOLD), cards=cards)
    for _ in range(6):
        state = state.apply(CALL)
    assert state.spent == (30, 30, 20)
    assert state.payoffs() == (10, 10, -20)
    uneven = replace(game, blinds=(5, 10, 5), stacks=(1000, 1000, 5))
    state = play(uneven, CALL, CALL, *[CALL] * 6, cards=cards)
    assert state.spent == (10, 10, 5)
    assert state.payoffs() == (0, 0, 0)
    thirds = replace(game, blinds=(5, 10, 10), players=3)
    state = play(thirds, CALL, FOLD, CALL, *[CALL] * 6, cards=cards)
    assert state.payoffs() == (-5, Fraction(5, 2), Fraction(5, 2))


def test_more_than_seven_cards_play_the_best_of_them() -> None:
    game = replace(NL, rounds=2, board_cards=(4, 4), first_players=(0, 0), max_raises=(1, 1))
    cards = deal("AsKs", "2c2d", board="QsJsTs2h3d3h3c9d")
    state = play(game, CALL, CALL, CALL, CALL, cards=cards)
    assert state.payoffs() == (100, -100)


def test_payoffs_need_the_end_and_the_cards() -> None:
    with pytest.raises(DoyleError, match="not over"):
        State.start(NL).payoffs()
    with pytest.raises(DoyleError, match="the board is not known"):
        play(NL, 20_000, CALL).payoffs()
    with pytest.raises(DoyleError, match="the cards of seat 1"):
        play(NL, 20_000, CALL, cards=Deal((parse_cards("AsAh"), ()), (0, 5, 10, 15, 20))).payoffs()
    assert play(NL, FOLD).payoffs() == (50, -50)


def test_states_are_values() -> None:
    state = State.start(NL)
    with pytest.raises(AttributeError, match="cannot be changed"):
        state.round = 2
    with pytest.raises(AttributeError, match="cannot be changed"):
        del state.round
    assert state.apply(300) == play(NL, 300)
    assert state.apply(300) != play(NL, 301)
    assert hash(state.apply(300)) == hash(play(NL, 300))
    assert state != "something else"
    assert copy.copy(state) == state
    assert "holdem-nl-200bb" in repr(state)


def test_states_travel_between_processes() -> None:
    state = play(NL, 300, 900)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        [back] = pool.map(_answer, [state])
    assert back == state.apply(2000)
    assert (back.min_raise_to, back.actor) == (3100, 0)


def _answer(state: State) -> State:
    return state.apply(2000)


def test_a_view_shows_only_what_a_seat_may_see() -> None:
    cards = deal("KhQh", "KcAc", board="Ts8hQcJhQs")
    state = play(NL, CALL, CALL, cards=cards)
    view = state.view(0, dice_key=b"7")
    assert view.hole == cards.hole[0]
    assert view.board == cards.board[:3]
    assert view.state.deal == Deal(((), ()), cards.board[:3])
    assert view.state.board == view.board
    assert view.state.betting == state.betting
    hidden = {*cards.hole[1], *cards.board[3:]}
    assert not hidden & _ints(view)
    assert not hidden & _ints(view.state.deal)


def test_after_a_showdown_a_view_shows_the_hands_that_were_shown() -> None:
    cards = deal("KhQh", "KcAc", board="Ts8hQcJhQs")
    end = play(NL, 20_000, CALL, cards=cards)
    view = end.view(0)
    assert view.state.deal == cards
    assert view.board == cards.board


def test_after_a_fold_a_view_shows_no_other_hand_and_no_card_not_dealt() -> None:
    cards = deal("KhQh", "KcAc", board="Ts8hQcJhQs")
    end = play(NL, CALL, CALL, 300, FOLD, cards=cards)
    assert end.is_over
    for seat in (0, 1):
        view = end.view(seat)
        assert view.hole == cards.hole[seat]
        assert view.state.deal == Deal(((), ()), cards.board[:3])


def test_a_hand_that_folded_is_not_shown_at_the_showdown_of_the_others() -> None:
    game = Game.named("holdem-limit-3p")
    cards = Deal(((51, 50), (47, 46), (43, 42)), (0, 5, 10, 15, 20))
    end = State.start(game, cards).apply(FOLD)
    while not end.is_over:
        end = end.apply(CALL)
    shown = end.view(0).state.deal
    assert shown is not None
    assert [bool(hole) for hole in shown.hole] == [not folded for folded in end.folded]


def _ints(value: object) -> set[int]:
    if isinstance(value, tuple):
        return {number for item in value for number in _ints(item)}
    return {value} if isinstance(value, int) else set()


def test_view_randomness_depends_on_hand_seat_and_decision() -> None:
    decisions = [State.start(NL), play(NL, 300), play(NL, 300, 900), play(NL, 300, 900, 2700)]
    drawn = {}
    for key in (b"34", b"35", b"43", b"\0" + b"3"):
        for seat in (0, 1):
            views = [state.view(seat, dice_key=key) for state in decisions]
            for state, view in zip(decisions, views, strict=True):
                number = view.rng().random()
                assert number == state.view(seat, dice_key=key).rng().random()
                entropy = (int.from_bytes(key, "big"), seat, 1 + state.action_count)
                assert number == np.random.default_rng(entropy).random()
                drawn[key, seat, state.action_count] = number
    assert len(set(drawn.values())) == len(drawn) == 4 * 2 * 4


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (Deal(((51, 50),), ()), "hole cards for 1 seats in a game of 2"),
        (Deal(((51,), (47, 46)), ()), "seat 0 holds 1 cards, not 2"),
        (Deal(((51, 50), (51, 46)), ()), "a card is dealt twice"),
        (Deal(((51, 50), (47, 46)), (0, 1, 2, 3, 4, 5)), "6 board cards, at most 5"),
        (Deal(((51, 50), (47, 52)), ()), "card 52 is not in the deck"),
    ],
)
def test_check_deal(cards: Deal, message: str) -> None:
    with pytest.raises(DoyleError, match=message):
        check_deal(NL, cards)


@pytest.mark.parametrize(
    ("action", "to_call", "words"),
    [(0, 50, "fold"), (1, 0, "check"), (1, 50, "call"), (300, 50, "raise 300"), (500, 0, "all-in")],
)
def test_actions_in_words(action: int, to_call: int, words: str) -> None:
    assert action_name(action, to_call=to_call, stack=500) == words


def test_ties_and_wins_of_two_players_at_a_showdown() -> None:
    for board, expected in (("2c7d9hJsQc", (100, -100)), ("AcKdQhJsTc", (0, 0))):
        cards = deal("AsAd", "KsKh", board=board)
        assert play(NL, *[1] * 8, cards=cards).payoffs() == expected
        swapped = deal("KsKh", "AsAd", board=board)
        assert play(NL, *[1] * 8, cards=swapped).payoffs() == tuple(-won for won in expected)


def test_the_best_of_more_than_seven_cards() -> None:
    straight_flush = parse_cards("9h8h7h6h5h")
    assert best_rank((*parse_cards("AsAd"), *straight_flush, *parse_cards("AcAh"))) == best_rank(
        straight_flush
    )


def test_a_folded_hand_ranks_below_every_other() -> None:
    cards = deal("AsAd", "3h2s", board="4c5d7hJsQc")
    ranks = showdown_ranks(NL, cards, (True, False))
    assert ranks == (-1, best_rank((*parse_cards("3h2s"), *parse_cards("4c5d7hJsQc"))))


@pytest.mark.parametrize("board", ["", "2c3c4c", "2c3c4c5c"])
def test_a_showdown_needs_the_whole_board(board: str) -> None:
    with pytest.raises(DoyleError, match="the board is not known"):
        showdown_ranks(NL, deal("AsAd", "KsKd", board=board), (False, False))
