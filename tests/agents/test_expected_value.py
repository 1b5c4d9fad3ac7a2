"""`ev`: exact equities, the best of its own values, and money from every simple opponent."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.agents import ExpectedValue
from doyle.agents.equity import equities, equity
from doyle.agents.expected_value import action_value, raise_size
from doyle.cards import HOLES, parse_cards, rank_hand
from doyle.games import CALL, FOLD, Deal, Game, State
from doyle.matches import play_match

HOLDEM = Game.named("holdem-nl-200bb")
LEDUC = Game.named("leduc")


def test_equities_of_kuhn_and_leduc() -> None:
    kuhn = Game.named("kuhn")
    assert [equity(kuhn, (card,), ()) for card in kuhn.deck] == [0, 0.5, 1]
    queen, king, ace = parse_cards("QsKsAs")
    # Preflop with a king: 5 opponents, 4 boards each. Q (2): wins unless the board is Q;
    # A (2): loses unless the board is K; the other K: tie.
    assert equity(LEDUC, (king,), ()) == pytest.approx((2 * 3 / 4 + 2 * 1 / 4 + 0.5) / 5)
    assert equity(LEDUC, (queen,), parse_cards("Qh")) == 1
    assert equity(LEDUC, (ace,), (king,)) == pytest.approx((2 + 0.5 + 0) / 4)
    assert equity(LEDUC, parse_cards("Kh"), ()) == equity(LEDUC, parse_cards("Ks"), ())


@pytest.mark.parametrize("text", ["AsKs 2c7dTsJsQs", "2c2d 3h4s9hTcKd", "7h8h 9hThJhQh2c"])
def test_river_equity_against_all_990_hands(text: str) -> None:
    hole, board = (parse_cards(part) for part in text.split())
    ours = rank_hand(hole + board)
    rest = [card for card in range(52) if card not in hole + board]
    theirs = [rank_hand(pair + board) for pair in combinations(rest, 2)]
    points = sum((ours > other) + (ours == other) / 2 for other in theirs)
    assert equity(HOLDEM, hole, board) == pytest.approx(points / 990, abs=1e-12)


@pytest.mark.slow
def test_earlier_equities_are_means_of_later_ones() -> None:
    hole, board = parse_cards("AsKh"), parse_cards("2c7dTs")
    rest = [card for card in range(52) if card not in hole + board]
    turns = [equity(HOLDEM, hole, (*board, card)) for card in rest]
    assert equity(HOLDEM, hole, board) == pytest.approx(np.mean(turns), abs=1e-12)
    rivers = [equity(HOLDEM, hole, (*board, rest[0], card)) for card in rest if card != rest[0]]
    assert turns[0] == pytest.approx(np.mean(rivers), abs=1e-12)
    # Known figures of all-in equity against a random hand.
    known = {"AsAh": 0.8520, "AsKs": 0.6704, "2c7d": 0.3458, "2s2h": 0.5033}
    for text, value in known.items():
        assert equity(HOLDEM, parse_cards(text), ()) == pytest.approx(value, abs=5e-5)


@given(chance=st.floats(0, 1), actions=st.sampled_from(["", "c", "r", "cr", "crcc", "crccr"]))
def test_no_legal_raise_is_worth_more_than_the_chosen_size(chance: float, actions: str) -> None:
    state = State.start(HOLDEM)
    for letter in actions:
        state = state.apply(CALL if letter == "c" else state.min_raise_to + 100)
    chosen = action_value(state, raise_size(state, chance), chance)
    sizes = np.unique(np.linspace(state.min_raise_to, state.max_raise_to, 200).astype(int))
    best = max(action_value(state, int(size), chance) for size in sizes)
    assert chosen >= best - 1e-3 * max(1, abs(best))


# Before the river they come from the atlas.
@pytest.mark.parametrize(
    "count", [5, *(pytest.param(n, marks=pytest.mark.slow) for n in (0, 3, 4))]
)
def test_equities_of_all_holes_are_those_of_each(count: int) -> None:
    board = parse_cards("9h2cKd7s9c")[:count]
    found = equities(HOLDEM, board)
    free = np.flatnonzero(~np.isin(HOLES, board).any(axis=1))
    for row in free[::97]:
        assert found[row] == equity(HOLDEM, tuple(HOLES[row].tolist()), board)
    assert (found[np.isin(HOLES, board).any(axis=1)] == 0).all()


def test_equities_of_a_small_deck() -> None:
    king = parse_cards("Ks")
    found = equities(LEDUC, king)
    rest = [card for card in LEDUC.deck if card not in king]
    assert [found[LEDUC.deck.index(card)] for card in rest] == [
        equity(LEDUC, (card,), king) for card in rest
    ]
    assert found[LEDUC.deck.index(king[0])] == 0


def test_values_of_actions_by_hand() -> None:
    state = State.start(HOLDEM).apply(300)  # pot 400, 200 to call
    assert action_value(state, FOLD, 0.4) == 0
    assert action_value(state, CALL, 0.4) == pytest.approx(0.4 * 600 - 200)
    # A raise by 300 over the call: a third of the hands fold.
    assert action_value(state, 600, 0.8) == pytest.approx((0.8 - 1 / 3) * 1200 - 200)
    assert action_value(state, 600, 0.2) == -200
    assert raise_size(state, 0.875) == 300 + 600  # E = 7/8 makes a pot-sized raise
    assert raise_size(state, 1.0) == 20_000
    assert raise_size(state, 0.3) == state.min_raise_to
    assert raise_size(state.apply(20_000), 0.9) == 0


def test_decisions_in_leduc() -> None:
    agent = ExpectedValue(LEDUC)
    deal = Deal(hole=(parse_cards("Ks"), parse_cards("Qs")), board=parse_cards("Kh"))
    state = State.start(LEDUC, deal).apply(CALL).apply(CALL)
    raised = agent.act(state.view(0))
    assert raised == state.max_raise_to  # a pair cannot lose
    assert agent.act(state.apply(raised).view(1)) == FOLD  # a queen loses to all but a queen


@pytest.mark.parametrize("opponent", ["random", "always-call", "always-raise"])
@pytest.mark.parametrize("name", ["leduc", "leduc-nl12"])
def test_it_beats_simple_opponents_in_small_games(name: str, opponent: str) -> None:
    result = play_match(Game.named(name), ["ev", opponent], hands=400, seed=1)
    assert result.illegal_actions == (0, 0)
    assert result.forfeits == ()
    won = result.mbb_per_hand(0)
    assert won.is_significant
    assert won.mean > 0


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["random", "always-call", "always-raise", "always-all-in"])
@pytest.mark.parametrize("name", ["holdem-nl-200bb", "holdem-limit-2p", "doyle-500bb"])
def test_it_beats_simple_opponents_in_holdem(name: str, opponent: str) -> None:
    won = play_match(Game.named(name), ["ev", opponent], hands=1000, seed=1).mbb_per_hand(0)
    assert won.is_significant
    assert won.mean > 0


@pytest.mark.slow
def test_it_plays_three_handed_limit() -> None:
    game = Game.named("holdem-limit-3p")
    result = play_match(game, ["ev", "random", "always-call"], hands=200, seed=1)
    assert result.mbb_per_hand(0).mean > 0
    assert result.illegal_actions == (0, 0, 0)
