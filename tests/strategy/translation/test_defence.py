"""The worst hands fold first: the same folds in all, never more than to the known bet."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.games import CALL, FOLD, Game, State
from doyle.strategy.translation import mapping_names
from doyle.strategy.translation.defence import Answers, Order, call_factor, defended, unread
from doyle.strategy.translation.named_translations import (
    DEFENCES,
    TARTANIAN,
    named_translation,
    polaris_names,
)
from doyle.strategy.translation.walk import (
    OtherHandsMatterError,
    Position,
    TranslationCache,
    Walker,
    Weight,
    normalised,
)

Floats = npt.NDArray[np.float64]
STATES = 6
GAME = Game.named("holdem-nl-200bb")
TREE = BettingTree.build(BettingModel.parse("fcpa"), GAME)
DEFENDED = named_translation("rand-pshar+defend")
CHECKED = (CALL,) * 6
OWN = (1, 2, 4, 6)
"""Which of the actions `CHECKED`, a check and a bet are those of seat 0."""


def shares(unit: int = 8) -> st.SearchStrategy[Floats]:
    """Numbers from 0 to 1 that often are equal."""
    whole = arrays(np.int64, STATES, elements=st.integers(0, unit))
    return whole.map(lambda numbers: numbers / unit)


@st.composite
def situations(draw: st.DrawFn) -> tuple[Answers, Order]:
    facing, folding, calls = draw(shares()), draw(shares()), draw(shares())
    order = Order.of(draw(shares(3)), possible=draw(shares(1)) > 0)
    return Answers(facing * folding, facing, calls), order


def by_hand(answers: Answers, order: Order) -> list[Fraction]:
    """The definition in exact arithmetic: fill from the least equity up, equals together."""
    exact = [[Fraction(float(number)) for number in term] for term in answers]
    folds, facing, calls = exact
    result = list(folds)
    moving = [s for s in range(STATES) if calls[s] > 0 and order.possible[s]]
    left = sum((folds[s] for s in moving), Fraction(0))
    for place in sorted({int(order.place[s]) for s in moving}):
        group = [s for s in moving if order.place[s] == place]
        most = {s: folds[s] + (folds[s] / facing[s] * calls[s] if facing[s] else 0) for s in group}
        total = sum(most.values(), Fraction(0))
        share = min(Fraction(1), left / total) if total else Fraction(0)
        for s in group:
            result[s] = most[s] * share
        left -= share * total
    return result


@given(situations())
def test_it_is_the_definition(situation: tuple[Answers, Order]) -> None:
    answers, order = situation
    expected = [float(number) for number in by_hand(answers, order)]
    np.testing.assert_allclose(defended(answers, order=order), expected, atol=1e-12)


@given(situations())
def test_as_much_is_folded_as_before_and_never_more_than_to_the_known_bet(
    situation: tuple[Answers, Order],
) -> None:
    answers, order = situation
    folds = defended(answers, order=order)
    assert folds.sum() == pytest.approx(answers.folds.sum(), abs=1e-12)
    assert (folds >= 0).all()
    most = np.where(answers.facing > 0, answers.folds / np.maximum(answers.facing, 1e-9), 0.0)
    assert (folds <= most * (answers.facing + answers.calls) + 1e-12).all()
    # What a state does not fold it calls: nothing is lost, whichever branch it is in.
    calls = answers.calls * call_factor(answers, order=order)
    np.testing.assert_allclose(folds + calls, answers.folds + answers.calls, atol=1e-12)


@given(situations())
def test_no_hand_calls_where_a_better_one_with_the_same_answers_folds(
    situation: tuple[Answers, Order],
) -> None:
    answers, order = situation
    folds = defended(answers, order=order)
    kinds = np.stack([*answers, order.possible]).T
    for worse in range(STATES):
        for better in range(STATES):
            if order.place[worse] <= order.place[better] and (kinds[worse] == kinds[better]).all():
                assert folds[worse] >= folds[better] - 1e-12


def at(*actions: int) -> State:
    state = State.start(GAME)
    for action in actions:
        state = state.apply(action)
    return state


def test_the_bet_is_missing_where_it_was_read_as_a_check() -> None:
    bet = at(*CHECKED, CALL, 200)
    assert unread(TREE, TREE.find([*CHECKED, CALL, CALL]), bet)  # the abstract hand is over
    assert not unread(TREE, TREE.find([*CHECKED, CALL, 300]), bet)
    led = at(*CHECKED, 200)
    assert unread(TREE, TREE.find([*CHECKED, CALL]), led)
    assert not unread(TREE, TREE.find([*CHECKED]), at(*CHECKED))  # nothing to call


def test_a_called_all_in_is_no_missing_bet() -> None:
    over = TREE.find([20000, CALL])
    assert not unread(TREE, over, at(5000, CALL, CALL, 6000))


@pytest.mark.parametrize("ending", DEFENCES)
@pytest.mark.parametrize("name", [*mapping_names(), *TARTANIAN, *polaris_names()])
def test_published_names_do_not_defend_and_their_readings_stay(name: str, ending: str) -> None:
    plain = named_translation(name)
    assert plain.defend == "never"
    if plain.least_probability is not None:
        with pytest.raises(DoyleError, match="soft-ND"):
            named_translation(name + ending)
        return
    assert replace(named_translation(name + ending), defend="never") == plain


@pytest.mark.parametrize("name", ["rand-pshar+defend+defend", "det-geo+defend+defend-all"])
def test_a_translation_defends_in_one_way(name: str) -> None:
    with pytest.raises(DoyleError, match="not both"):
        named_translation(name)


def test_rounds() -> None:
    river, start = at(*CHECKED), at()
    last, every = (named_translation(f"rand-pshar{ending}") for ending in DEFENCES)
    assert [last.defends(start), last.defends(river)] == [False, True]
    assert [every.defends(start), every.defends(river)] == [True, True]
    assert not named_translation("rand-pshar").defends(river)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(DoyleError, match="expected one of"):
        named_translation("rand-pshar+attack")
    with pytest.raises(DoyleError, match="expected one of"):
        named_translation("+defend")


def row(node: int) -> Floats:
    """Folds half of the time wherever it can, and never raises."""
    actions = TREE.actions_of(node).tolist()
    row = [0.5 if a == FOLD else 1 - 0.5 * (FOLD in actions) if a == CALL else 0 for a in actions]
    return np.tile(row, (STATES, 1)).T


def facing_half_the_pot(walker: Walker, weight: Weight) -> Position:
    """Seat 0 on the river after checks, and a bet of half the pot."""
    position = walker.start(weight)
    for number, action in enumerate((*CHECKED, CALL, 200)):
        position = walker.after(position, action, own=number in OWN)
    return position


def test_half_the_pot_on_the_river() -> None:
    """A third of 1/2 folds by lot; by order the best third of those who would fold calls."""
    order = Order.of(np.arange(STATES) / STATES)
    walker = Walker(TranslationCache(DEFENDED, TREE), row, lambda state: order)
    position = facing_half_the_pot(walker, np.ones(STATES))
    actions, probabilities = normalised(walker.joint(position), STATES)
    # A bet of half the pot is a check with 1/3; the table folds 1/2 of the other 2/3.
    assert probabilities[:, actions.index(FOLD)].tolist() == pytest.approx([0.5] * 4 + [0, 0])
    assert probabilities.sum(axis=1).tolist() == pytest.approx([1] * STATES)


def test_it_needs_the_order_of_all_hands() -> None:
    walker = Walker(TranslationCache(DEFENDED, TREE), lambda node: row(node)[:, 0].tolist())
    position = facing_half_the_pot(walker, 1.0)
    with pytest.raises(OtherHandsMatterError, match="equities of all hands"):
        walker.joint(position)
    with pytest.raises(OtherHandsMatterError, match="equities of all hands"):
        walker.after(position, CALL, own=True)
    walker.after(position, CALL, own=False)


def test_rounds_that_a_translation_defends() -> None:
    game = Game.named("holdem-nl-200bb")
    states = [State.start(game)]
    for _ in range(3):
        states.append(states[-1].apply(CALL).apply(CALL))
    defended = {
        name: [named_translation(name).defends(state) for state in states]
        for name in ("rand-pshar", "rand-pshar+defend", "rand-pshar+defend-all")
    }
    assert defended == {
        "rand-pshar": [False] * 4,
        "rand-pshar+defend": [False, False, False, True],
        "rand-pshar+defend-all": [True] * 4,
    }
