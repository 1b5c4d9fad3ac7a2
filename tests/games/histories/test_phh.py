"""PHH files: PokerKit reads what doyle writes and agrees on the chips; doyle reads PHH of others."""

from __future__ import annotations

import io
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from doyle.base.errors import DoyleError
from doyle.cards import parse_cards
from doyle.games import Deal, Game, State
from doyle.games.histories import (
    Hand,
    RefusedHand,
    format_phh,
    parse_betting,
    parse_phh,
    read_phh,
    write_phh,
)
from tests.games.peers import random_action, random_deal

NL = Game.named("holdem-nl-200bb")
PHH = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [20000, 20000]
actions = ['d dh p1 TdAs', 'd dh p2 2c9h', 'p2 cbr 300', 'p1 cc', 'd db 8c8d5c', 'p1 cbr 200', 'p2 f']
hand = 5
players = ['Ann', 'Bob']
finishing_stacks = [20300, 19700]
"""


def random_hand(game: Game, number: int) -> Hand:
    rng = np.random.default_rng((99, number))
    deal = random_deal(game, rng)
    state = State.start(game, deal)
    while not state.is_over:
        state = state.apply(random_action(state, rng))
    board = deal.board[: game.board_ends[state.round]]
    state = state.with_deal(Deal(deal.hole, board))
    names = tuple(f"player {seat}" for seat in range(game.players))
    return Hand(number, state, names, state.payoffs())


@pytest.mark.parametrize(
    "name",
    ["holdem-nl-200bb", "holdem-nl-200bb-3p", "doyle-500bb", "holdem-limit-2p", "holdem-limit-3p"],
)
def test_pokerkit_reads_what_we_write(name: str, tmp_path: Path) -> None:
    from pokerkit import HandHistory

    game = Game.named(name)
    hands = [random_hand(game, number) for number in range(40)]
    path = tmp_path / "hands.phhs"
    assert write_phh(path, hands) == 40
    assert list(read_phh(path, game)) == hands
    for hand, theirs in zip(
        hands, HandHistory.load_all(io.BytesIO(path.read_bytes())), strict=True
    ):
        played = list(theirs.state_actions)
        # PokerKit repairs what it cannot play; nothing of ours may need it.
        assert all(action is not None for _, action in played[1:])
        chips = played[-1][0].payoffs
        # PokerKit gives the odd chip of a split pot to one seat.
        assert all(abs(ours - one) < 1 for ours, one in zip(hand.payoffs, chips, strict=True))
        if not game.is_limit and all(isinstance(ours, int) for ours in hand.payoffs):
            assert theirs.finishing_stacks == played[-1][0].stacks


def test_one_hand(tmp_path: Path) -> None:
    path = tmp_path / "hand.phh"
    path.write_text(PHH)
    [hand] = read_phh(path)
    assert hand.number == 5
    assert hand.players == ("Ann", "Bob")
    assert hand.payoffs == (300, -300)
    assert hand.state == parse_betting(
        NL,
        "r300c/r500f",
        deal=Deal((parse_cards("TdAs"), parse_cards("2c9h")), parse_cards("8c8d5c")),
    )
    assert format_phh(hand) == PHH
    write_phh(tmp_path / "copy.phh", [hand])
    assert (tmp_path / "copy.phh").read_text() == PHH
    with pytest.raises(DoyleError, match=r"a \.phh file holds one hand"):
        write_phh(tmp_path / "copy.phh", [hand, hand])


def test_names_with_quotes() -> None:
    deal = Deal((parse_cards("AsAh"), parse_cards("KsKh")), ())
    hand = Hand(0, State.start(NL, deal).apply(0), ("O'Neil", 'say "hi"\\'))
    assert parse_phh(format_phh(hand)).players == hand.players


def test_a_hand_of_three_as_others_write_it() -> None:
    # One card at a time, comments, hidden cards that are mucked, an uneven all-in.
    text = """
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [100, 500, 500]
actions = [
  'd dh p1 Th', 'd dh p1 As', 'd dh p2 ????', 'd dh p3 KsKh', '# the flop is near',
  'p3 cbr 200 # big', 'p1 cc', 'p2 cc', 'd db 2c3c4c', 'p2 cc', 'p3 cc', 'd db 5d', 'p2 cc', 'p3 cc',
  'd db 5h', 'p2 cc', 'p3 cc', 'p1 sm ThAs', 'p2 sm', 'p3 sm KsKh',
]
_own = 1
"""
    hand = parse_phh(text)
    # Five-high straight for seat 0 in the main pot; seat 2 takes the side pot from the mucked hand.
    assert hand.payoffs == (200, -200, 0)
    assert hand.state.game.stacks == (100, 500, 500)


def test_shown_cards_replace_hidden_ones() -> None:
    text = PHH.replace("d dh p2 2c9h", "d dh p2 ????").replace(
        "'p1 cbr 200', 'p2 f'",
        "'p1 cc', 'p2 cc', 'd db Kc', 'p1 cc', 'p2 cc', 'd db Kd', 'p1 cc', 'p2 cc', "
        "'p2 sm 2c9h', 'p1 sm TdAs'",
    )
    hand = parse_phh(text)
    assert hand.state.deal is not None
    assert hand.state.deal.hole[1] == parse_cards("2c9h")
    assert hand.payoffs == (300, -300)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("variant = 'NT'", "variant = 'PO'", "variant: 'PO': only NT and FT"),
        ("variant = 'NT'\n", "", "variant: is missing"),
        ("antes = [0, 0]", "antes = [1, 0]", "antes: p1 posts 0 and p2 1: only antes that all"),
        ("antes = [0, 0]", "antes = [1, 1, 1]", "antes: 3 values for 2 players"),
        ("[50, 100]", "[50, 100.0000005]", "100.0000005 has more than 6 decimals"),
        ("[50, 100]", "[50, 1e999999]", "1E+999999 is not an amount"),
        ("[50, 100]", "[50, inf]", "inf is not an amount"),
        ("[50, 100]", "[50, -100]", "blinds_or_straddles: p1 posts 100, more than the big blind"),
        ("[50, 100]", "['a', 100]", "'a' is not a number of chips"),
        ("min_bet = 100", "min_bet = 0", "min_bet: expected more than 0 chips"),
        ("min_bet = 100", "min_bet = 250", "raises to 300, allowed: 350 to 20000"),
        ("[20000, 20000]", "[20000]", "starting_stacks: 1 players"),
        ("[20000, 20000]", "[10, 20000]", "raises to 300, but no raise is allowed"),
        ("'p2 cbr 300'", "'p1 cbr 300'", "actions[3] 'p1 cbr 300': it is the turn of p2"),
        ("'p2 cbr 300'", "'p2 cbr 150'", "seat 1 raises to 150, allowed: 200 to 20000"),
        ("'p2 cbr 300'", "'p2 cbr x'", "expected a number of chips"),
        ("'p2 cbr 300'", "'p9 cbr 300'", "expected a player p1 to p2"),
        ("'p2 cbr 300'", "'p2 pb'", "not an action of Texas Hold'em"),
        ("'d db 8c8d5c', ", "", "the board is not dealt"),
        ("'d db 8c8d5c'", "'d db 8c8d5c5s'", "the betting round is not over"),
        ("'d db 8c8d5c'", "'d db 8c8dTd'", "Td is dealt twice"),
        ("'d db 8c8d5c'", "'d db 8c8d??'", "board cards must be known"),
        ("'d dh p2 2c9h', ", "", "not all hole cards are dealt"),
        ("'d dh p2 2c9h'", "'d dh p2 2c9h3s'", "more than 2 hole cards"),
        ("'d dh p2 2c9h'", "'d dh p2 2c9x'", "expected cards such as As, not '9x'"),
        (", 'p2 f'", "", "actions: the hand is not over"),
        ("'p2 f'", "'p2 f', 'p1 cc'", "the hand is over"),
        ("['Ann', 'Bob']", "['Ann']", "players: 1 names for 2 seats"),
        ("[20300, 19700]", "[20300]", "finishing_stacks: expected a list of 2 amounts"),
        (
            "[20300, 19700]",
            "[20200, 19800]",
            "finishing_stacks: p2 takes 100, the actions and cards",
        ),
    ],
)
def test_errors_name_the_field(old: str, new: str, message: str) -> None:
    assert old in PHH
    with pytest.raises(DoyleError) as caught:
        parse_phh(PHH.replace(old, new))
    assert message in str(caught.value)


def test_hands_of_another_game_are_refused() -> None:
    with pytest.raises(DoyleError, match=r"stacks: .* are not those of doyle-500bb"):
        parse_phh(PHH.replace("50, 100", "1, 2").replace("= 100", "= 2"), Game.named("doyle-500bb"))


SHOWDOWN = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [100, 500, 500]
actions = ['d dh p1 {0}', 'd dh p2 {1}', 'd dh p3 {2}', 'p3 cbr 200', 'p1 cc', 'p2 cc', \
'd db 2c3c4c', 'p2 cc', 'p3 cc', 'd db 5d', 'p2 cc', 'p3 cc', 'd db Jh', 'p2 cc', 'p3 cc', {3}]
"""


@pytest.mark.parametrize(
    ("hole", "shown", "results", "payoffs"),
    [
        # The straight of p1 takes the main pot; p2 and p3 play for the side pot of 200.
        ("AsTh KsKh QsQh", "'p1 sm -', 'p2 sm -', 'p3 sm -'", "", (200, 0, -200)),
        ("AsTh KsKh QsQh", "'p1 sm -', 'p2 sm -', 'p3 sm'", "", (200, 0, -200)),
        ("AsTh KsKh QsQh", "", "", (200, 0, -200)),
        ("AsTh KsKh QsQh", "'p2 sm'", "", "a hand that wins is mucked"),
        ("AsTh KsKh QsQh", "'p1 sm', 'p2 sm', 'p3 sm'", "", "a hand that wins is mucked"),
        ("???? ???? ????", "'p1 sm AsTh', 'p2 sm KsKh', 'p3 sm ????'", "", (200, 0, -200)),
        ("???? ???? ????", "'p1 sm AsTh', 'p2 sm ????', 'p3 sm ????'", "", "is not known"),
        ("???? ???? ????", "'p1 sm AsTh', 'p2 sm ????', 'p3 sm'", "", (200, 0, -200)),
        ("AsTh ???? ????", "'p2 sm KsKh'", "", "is not known"),
        ("???? ???? ????", "'p1 sm AsTh', 'p2 sm KsKh', 'p3 sm Qs??'", "", "shows one card"),
        ("???? ???? ????", "", "winnings = [300, 200, 0]", (200, 0, -200)),
        ("???? ???? ????", "", "winnings = [0, 500, 0]", (-100, 300, -200)),
        ("???? ???? ????", "", "winnings = [0, 475, 0]", (-100, 300, -200)),
        ("???? ???? ????", "", "winnings = [0, 240, 240]", (-100, 50, 50)),
        ("???? ???? ????", "", "winnings = [0, 0, 0]", "is not known"),
        ("???? ???? ????", "", "winnings = [285, 190, 0]", "a rake of 25 took from whom"),
        ("???? ???? ????", "", "winnings = [500, 0, 0]", "p1 cannot win 500"),
        ("???? ???? ????", "", "winnings = [0, 400, 0]", "400 of a pot of 500 is won"),
        ("???? ???? ????", "", "winnings = [0, 501, 0]", "p2 cannot win 501"),
        ("???? ???? ????", "'p2 sm'", "winnings = [0, 500, 0]", "p2 cannot win 500"),
        ("AsTh KsKh ????", "", "winnings = [0, 500, 0]", "p2 wins with a hand that p1 beats"),
        ("AsTh KsKh ????", "", "winnings = [300, 200, 0]", (200, 0, -200)),
        ("???? KsKh QsQh", "", "winnings = [0, 0, 500]", "p3 wins with a hand that p2 beats"),
        ("???? ???? ????", "", "finishing_stacks = [300, 500, 300]", (200, 0, -200)),
        ("???? ???? ????", "", "finishing_stacks = [0, 200, 300]", "ends with less than"),
        ("AsTh KsKh QsQh", "", "finishing_stacks = [290, 490, 300]", (200, 0, -200)),
        ("AsTh KsKh QsQh", "", "winnings = [300, 0, 200]", "p3 takes 200, the actions"),
    ],
)
def test_results_of_showdowns(
    hole: str, shown: str, results: str, payoffs: tuple[int, ...] | str
) -> None:
    text = SHOWDOWN.format(*hole.split(), shown) + results
    if isinstance(payoffs, tuple):
        assert parse_phh(text).payoffs == payoffs
    else:
        with pytest.raises(RefusedHand, match=payoffs):
            parse_phh(text)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Game.named("leduc"), "only Texas Hold'em"),
        (replace(NL, blinds=(50, 100)), "order of play"),
        (replace(Game.named("holdem-limit-2p"), raise_sizes=(10, 20, 20, 20)), "limit bets"),
    ],
)
def test_games_that_phh_cannot_hold(game: Game, message: str) -> None:
    with pytest.raises(DoyleError, match=message):
        format_phh(Hand(0, State.start(game)))


def test_long_files_are_not_held_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.phhs.gz"
    hand = parse_phh(PHH)
    write_phh(path, (hand for _ in range(600)))
    next(iter(read_phh(path)))  # imports and caches do not count
    tracemalloc.start()
    hands = sum(1 for _ in read_phh(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert hands == 600
    assert peak < 500_000
