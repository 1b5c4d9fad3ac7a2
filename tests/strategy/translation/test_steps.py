"""In-steps and out-steps: the thesis's examples, legality everywhere, internal consistency."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.abstractions.betting import DECISION, BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.games import Game, State, bundled_names
from doyle.strategy.translation import MAPPINGS, mapping
from doyle.strategy.translation.named_translations import named_translation
from doyle.strategy.translation.steps import CALL, FOLD, Translation, caught_up, waiting

MODELS = ("fcpa", "fchpta/h", "fca", "fc75pa@3", "fcpa|fcpta", "fchpa/h@2+a|fcda")
NO_LIMIT = [
    name
    for name in bundled_names()
    if Game.named(name).betting == "nolimit" and Game.named(name).players == 2
]
OPTIONS = [
    Translation(entry, measure=measure, small_bets=small, call_is_call=calls, correct_pot=correct)
    for entry, measure, small, calls, correct in product(
        MAPPINGS,
        ("abstract", "real", "chips", "contributed"),
        ("raise", "check", "call", "extend-call"),
        (True, False),
        (True, False),
    )
]
_TREES: dict[tuple[str, str], BettingTree] = {}


def tree_of(game: str, model: str) -> BettingTree:
    if (game, model) not in _TREES:
        _TREES[game, model] = BettingTree.build(BettingModel.parse(model), Game.named(game))
    return _TREES[game, model]


def random_action(state: State, rng: np.random.Generator) -> int:
    """Any legal action; raises are drawn on a logarithmic scale so that small ones occur too."""
    if state.max_raise_to and rng.random() < 0.6:
        span = state.max_raise_to - state.min_raise_to
        return (
            state.min_raise_to + int(span ** rng.random()) - 1 if span > 1 else state.min_raise_to
        )
    if state.can_fold and rng.random() < 0.1:
        return FOLD
    return CALL


def follow(game: str, model: str, translation: Translation, seed: int) -> int:
    """Walk one random hand; at every step all readings are nodes and all out-steps are legal.

    Returns how many actions were read.
    """
    tree = tree_of(game, model)
    rng = np.random.default_rng(seed)
    state, node, steps = State.start(Game.named(game)), 0, 0
    while not state.is_over:
        if not waiting(tree, node, state):
            assert tree.actor[node] == state.actor
            for abstract in tree.actions_of(node).tolist():
                spoken = translation.out_step(tree, node, abstract, state=state)
                assert state.is_legal(spoken)
        action = random_action(state, rng)
        readings = translation.in_step(tree, node, state=state, action=action)
        assert sum(reading.weight for reading in readings) == 1
        assert all(0 <= reading.node < tree.node_count for reading in readings)
        state = state.apply(action)
        picked = readings[int(rng.integers(len(readings)))]
        node = caught_up(tree, picked.node, state)
        steps += 1
    return steps


@given(st.sampled_from(NO_LIMIT), st.sampled_from(MODELS), st.sampled_from(OPTIONS), st.integers(0))
@settings(max_examples=1500)
def test_every_history_is_read_and_every_bet_is_legal(
    game: str, model: str, translation: Translation, seed: int
) -> None:
    assert follow(game, model, translation, seed) >= 1


@pytest.mark.slow
@given(st.sampled_from(NO_LIMIT), st.sampled_from(MODELS), st.sampled_from(OPTIONS), st.integers(0))
@settings(max_examples=12_000)
def test_twelve_thousand_histories(
    game: str, model: str, translation: Translation, seed: int
) -> None:
    assert follow(game, model, translation, seed) >= 1


@given(st.sampled_from(MODELS), st.sampled_from(NO_LIMIT), st.integers(0), st.booleans())
@settings(max_examples=300)
def test_internal_consistency(model: str, game: str, seed: int, soft: bool) -> None:
    """Equation 4.4 with AbstractActions and CallIsCall, where out-steps are distinct."""
    tree = tree_of(game, model)
    translation = named_translation(f"polaris-{'soft' if soft else 'hard'}+aa+cisc")
    rng = np.random.default_rng(seed)
    state, node = State.start(Game.named(game)), 0
    while not state.is_over and not waiting(tree, node, state):
        actions = tree.actions_of(node).tolist()
        spoken = [translation.out_step(tree, node, a, state=state) for a in actions]
        if len(set(spoken)) == len(spoken):
            for abstract, real in zip(actions, spoken, strict=True):
                if real not in (abstract, FOLD, CALL):
                    continue  # the size was illegal and had to be mended
                readings = translation.in_step(tree, node, state=state, action=real)
                assert [(r.node, r.weight) for r in readings] == [(tree.child(node, abstract), 1)]
        action = random_action(state, rng)
        readings = translation.in_step(tree, node, state=state, action=action)
        state = state.apply(action)
        node = caught_up(tree, readings[0].node, state)


def test_consistency_fails_without_call_is_call() -> None:
    """Too small a pot: a call is enlarged to a bet, and read again it is a bet."""
    tree = tree_of("leduc-nl12", "fcpa")
    state = State.start(Game.named("leduc-nl12")).apply(2).apply(CALL)
    node = tree.find([3, CALL])  # the bet of 1 was read as a pot bet of 2
    unfixed = named_translation("polaris-hard")
    assert unfixed.out_step(tree, node, CALL, state=state) == 3
    readings = unfixed.in_step(tree, node, state=state, action=3)
    assert tree.action[readings[0].node] > CALL
    fixed = named_translation("polaris-hard+cisc")
    assert fixed.out_step(tree, node, CALL, state=state) == CALL


def test_the_thesis_example_of_up_bets() -> None:
    """Section 3.4: the largest bet read as a pot bet is 63, then 348 (real) or 50 (abstract)."""
    tree = tree_of("doyle-500bb", "fcpa")
    start = State.start(Game.named("doyle-500bb")).apply(CALL)
    real, abstract = (named_translation(f"polaris-hard+{flag}") for flag in ("real", "aa"))
    assert largest_pot_bet(tree, tree.find([CALL]), start, real) == 63
    state = start.apply(2 + 63).apply(CALL)
    node = tree.find([CALL, 6, CALL])
    assert largest_pot_bet(tree, node, state, real) == 348
    assert largest_pot_bet(tree, node, state, abstract) == 50


def largest_pot_bet(tree: BettingTree, node: int, state: State, translation: Translation) -> int:
    pot = min(a for a in tree.actions_of(node).tolist() if a > CALL)
    sizes = [
        raise_to - state.largest
        for raise_to in range(state.min_raise_to, state.max_raise_to + 1)
        if translation.in_step(tree, node, state=state, action=raise_to)[0].node
        == tree.child(node, pot)
    ]
    return max(sizes)


def test_contributed_chips_count_what_the_actor_puts_in() -> None:
    """The small blind puts in 5 for a pot raise and 999 for all: up to sqrt(5 * 999) is a pot raise.

    With the bet of 2 for the own chip on either side of the comparison the largest would be a raise
    to 64 or 72, on both sides 65.
    """
    tree = tree_of("doyle-500bb", "fcpa")
    start = State.start(Game.named("doyle-500bb"))
    translation = Translation(mapping("det-geo"), measure="contributed")
    assert start.largest + largest_pot_bet(tree, 0, start, translation) == 71


def test_soft_weights_of_the_thesis_example() -> None:
    """A bet of 6 between 4 and 8: 2/3 and 3/4 less the overlap 1/2, normalised."""
    tree = tree_of("doyle-500bb", "fchpa")
    state = State.start(Game.named("doyle-500bb")).apply(CALL).apply(4).apply(CALL)
    node = tree.find([CALL, 4, CALL])
    translation = named_translation("polaris-soft+aa")
    readings = translation.in_step(tree, node, state=state, action=4 + 6)
    assert [int(tree.action[r.node]) for r in readings] == [8, 12]
    assert readings[0].weight == Fraction(4 * 2, 4 * 2 + 6 * 2)


def test_extend_call() -> None:
    tree = tree_of("doyle-500bb", "fcpa")
    game = Game.named("doyle-500bb")
    flop = State.start(game).apply(20).apply(CALL)
    node = tree.find([6, CALL])
    translation = named_translation("polaris-hard+cisc+ec")
    first = translation.in_step(tree, node, state=flop, action=22)
    assert first[0].node == tree.child(node, CALL)  # /b becomes /c
    checked = tree.child(node, CALL)
    second = translation.in_step(tree, checked, state=flop.apply(CALL), action=22)
    assert second[0].node == node  # /cb becomes /
    third = translation.in_step(tree, tree.child(node, 18), state=flop.apply(32), action=44)
    assert tree.action[third[0].node] > CALL


def test_tartanian_reads_144_chips_as_a_pot_bet_only_by_distance() -> None:
    tree = tree_of("doyle-500bb", "fcpa")
    start = State.start(Game.named("doyle-500bb"))
    pot, all_in = (tree.child(0, action) for action in tree.actions_of(0).tolist()[-2:])
    for name, expected in (("absolute", pot), ("relative", all_in)):
        reading = named_translation(name).in_step(tree, 0, state=start, action=144)[0]
        assert reading.node == expected


def test_wrong_options_are_refused() -> None:
    with pytest.raises(DoyleError, match="least probability"):
        Translation(mapping("det-geo"), least_probability=-1)


def test_leaves_wait() -> None:
    tree = tree_of("leduc-nl12", "fcpa")
    over = tree.find([12, CALL])
    assert tree.kind[over] != DECISION
    state = State.start(Game.named("leduc-nl12")).apply(9).apply(CALL)
    assert waiting(tree, over, state)
    translation = named_translation("polaris-hard+aa")
    assert translation.out_step(tree, over, CALL, state=state) == CALL
