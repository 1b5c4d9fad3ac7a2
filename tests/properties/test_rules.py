"""Rules that hold for every game and every hand: chips are conserved, and states say what is so."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from doyle.base.errors import DoyleError
from doyle.games import CALL, FOLD, Deal, Game, State, bundled_names


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Bundled games and games nobody has thought of, for two to five players."""
    if draw(st.booleans()):
        return Game.named(draw(st.sampled_from(bundled_names())))
    players = draw(st.integers(2, 5))
    rounds = draw(st.integers(1, 4))
    limit = draw(st.booleans())
    blinds = tuple(draw(st.integers(0, 5)) for _ in range(players))
    assume(any(blinds))
    board = (draw(st.integers(0, 1)), *(draw(st.integers(0, 3)) for _ in range(rounds - 1)))
    return Game(
        name="drawn",
        betting="limit" if limit else "nolimit",
        players=players,
        rounds=rounds,
        blinds=blinds,
        suits=4,
        ranks=13,
        hole_cards=draw(st.integers(1, 2)),
        board_cards=board,
        stacks=tuple(draw(st.integers(max(1, blind), 60)) for blind in blinds),
        raise_sizes=tuple(draw(st.integers(1, 9)) for _ in range(rounds)) if limit else (),
        first_players=tuple(draw(st.integers(0, players - 1)) for _ in range(rounds)),
        max_raises=tuple(draw(st.integers(0, 5)) for _ in range(rounds)),
        min_bet=0 if limit else draw(st.integers(0, 9)),
    )


@st.composite
def lines(draw: st.DrawFn) -> list[State]:
    """All states of one hand, from the blinds to the end."""
    game = draw(games())
    count = game.hole_cards * game.players + game.board_ends[-1]
    cards = draw(st.permutations(game.deck))[:count]
    size = game.hole_cards
    hole = tuple(tuple(cards[seat * size : (seat + 1) * size]) for seat in range(game.players))
    state = State.start(game, Deal(hole, tuple(cards[size * game.players :])))
    states = [state]
    while not state.is_over:
        options = [CALL, CALL]
        if state.can_fold:
            options.append(FOLD)
        if state.max_raise_to:
            low, high = state.min_raise_to, state.max_raise_to
            options += [low, high, draw(st.integers(low, high))]
        state = state.apply(draw(st.sampled_from(options)))
        states.append(state)
    return states


@given(lines())
@settings(max_examples=250)
def test_chips_are_conserved(states: list[State]) -> None:
    end = states[-1]
    payoffs = end.payoffs()
    assert sum(payoffs, Fraction(0)) == 0
    for seat, chips in enumerate(payoffs):
        assert chips >= -end.spent[seat]
        assert isinstance(chips, int) or chips.denominator > 1
        if end.folded[seat]:
            assert chips == -end.spent[seat]
    for state in states:
        assert all(0 <= s <= k for s, k in zip(state.spent, state.game.stacks, strict=True))
        assert state.pot == sum(state.spent)
        assert state.largest == max(state.spent)


@given(lines())
@settings(max_examples=250)
def test_states_follow_one_another(states: list[State]) -> None:
    for before, after in pairwise(states):
        seat = before.actor
        assert not before.folded[seat]
        assert before.spent[seat] < before.game.stacks[seat]
        assert all(a <= b for a, b in zip(before.spent, after.spent, strict=True))
        assert after.action_count == before.action_count + 1
        assert after.round >= before.round
        assert len(after.betting) == after.round + 1
        assert before.to_call >= 0
        others = [s for s in range(before.game.players) if s != seat]
        assert all(before.spent[s] == after.spent[s] for s in others)
    end = states[-1]
    assert end.actor == -1
    assert end.is_showdown == (end.folded.count(False) > 1)


@given(lines())
@settings(max_examples=150)
def test_legal_actions_are_those_that_apply(states: list[State]) -> None:
    for state in states:
        legal = state.legal_actions()
        assert list(legal) == sorted(set(legal))
        top = max((state.max_raise_to, state.largest))
        for action in {-1, 0, 1, 2, *legal[:3], *legal[-2:], top + 1, state.min_raise_to - 1}:
            assert state.is_legal(action) == (action in legal)
            assert state.is_over or state.nearest_legal(action) in legal
            if action not in legal:
                try:
                    state.apply(action)
                except DoyleError:
                    continue
                raise AssertionError(f"{action} was applied at {state}")


@given(lines())
@settings(max_examples=100)
def test_views_hide_the_other_hands(states: list[State]) -> None:
    for state in states:
        deal = state.deal
        assert deal is not None
        for seat in range(state.game.players):
            view = state.view(seat)
            assert view.hole == deal.hole[seat]
            assert view.board == state.board == view.state.board
            shown = tuple(
                hole if state.is_showdown and not folded else ()
                for hole, folded in zip(deal.hole, state.folded, strict=True)
            )
            assert view.state.deal == Deal(shown, state.board)
            assert view.state.legal_actions() == state.legal_actions()


@given(games())
def test_definitions_round_trip(game: Game) -> None:
    assert Game.parse(game.to_text()) == game
