"""Full-game plans: exact where translation has nothing to do, and equal to sampling where it has."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.abstractions.betting import DECISION, BettingModel, BettingTree
from doyle.experiments.papers.full_game import FullGame, SolvedAbstraction, TranslatedProfile
from doyle.games import Game, State
from doyle.solving.games.small_games import small_game
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.strategy.translation import mapping
from doyle.strategy.translation.named_translations import named_translation
from doyle.strategy.translation.steps import Translation, waiting

GAME = Game.named("leduc-nl12")


@pytest.fixture(scope="module")
def full() -> FullGame:
    return FullGame.of(GAME)


def random_profile(form: SequenceForm, seed: int) -> Profile:
    rng = np.random.default_rng(seed)
    plans = []
    for seat in (0, 1):
        behaviour = form.uniform_behaviour(seat)
        for node in form.game.tree.decisions.tolist():
            if form.game.tree.actor[node] == seat:
                table = form.table(node, behaviour)
                form.put_table(node, rng.dirichlet(np.ones(table.shape[1]), len(table)), behaviour)
        plans.append(form.realise(seat, behaviour))
    return Profile(form, (plans[0], plans[1]))


def abstraction(model: str, seed: int) -> SolvedAbstraction:
    betting = BettingTree.build(BettingModel.parse(model), GAME)
    form = SequenceForm(small_game(GAME, betting))
    return SolvedAbstraction(betting, random_profile(form, seed))


@pytest.mark.parametrize("name", ["rand-pshar", "det-geo"])
def test_a_tree_with_every_bet_needs_no_translation(full: FullGame, name: str) -> None:
    profile = random_profile(full.form, 3)
    solved = SolvedAbstraction(full.small.tree, profile)
    player = TranslatedProfile.of(solved, Translation(mapping(name)))
    for seat in (0, 1):
        np.testing.assert_allclose(full.plan(seat, player), profile.plans[seat], atol=1e-12)


def test_exact_weights_are_what_sampling_gives(full: FullGame) -> None:
    """Draw readings and abstract actions one by one along a history, and compare frequencies."""
    solved = abstraction("fcpa", 5)
    translation = named_translation("polaris-soft+aa+cisc")
    tree, table = solved.betting, solved.profile.probabilities
    player = TranslatedProfile.of(solved, translation)
    seat, hand, history = 1, 2, (5, 1)
    place = player.after(player.start(3), history[0], own=False, parents=None)
    assert place is not None
    state = State.start(GAME).apply(history[0])
    actions, exact = player.probabilities(place)
    rng = np.random.default_rng(11)
    counts = dict.fromkeys(actions, 0)
    draws = 4_000
    start = State.start(GAME)
    for _ in range(draws):
        readings = translation.in_step(tree, 0, state=start, action=history[0])
        node = readings[int(rng.choice(len(readings), p=[float(r.weight) for r in readings]))].node
        row = table(node)[hand]
        abstract = int(rng.choice(tree.actions_of(node), p=row))
        counts[translation.out_step(tree, node, abstract, state=state)] += 1
    assert state.actor == seat
    for column, action in enumerate(actions):
        share = counts[action] / draws
        assert share == pytest.approx(exact[hand, column], abs=4 * (0.25 / draws) ** 0.5)


def test_plans_are_legal_plans(full: FullGame) -> None:
    """Every plan sums to its parent: no probability is lost or made by any translation."""
    solved = abstraction("fchpa", 9)
    for translation in (
        named_translation("polaris-soft+aa+cisc+ec"),
        named_translation("polaris-nd+real+cisc+ec"),
        named_translation("polaris-hard+reread"),
        named_translation("polaris-soft+ec+reread"),
        named_translation("absolute"),
        Translation(mapping("rand-arith"), measure="real", small_bets="call"),
    ):
        player = TranslatedProfile.of(solved, translation)
        for seat in (0, 1):
            plan = full.plan(seat, player)
            behaviour = full.form.behaviour(seat, plan)
            for node in full.form.game.tree.decisions[:400].tolist():
                if full.form.game.tree.actor[node] == seat:
                    rows = full.form.table(node, behaviour)
                    np.testing.assert_allclose(rows.sum(axis=1), 1.0)


def test_waiting_only_when_the_tree_is_ahead() -> None:
    tree = BettingTree.build(BettingModel.parse("fcpa"), GAME)
    assert tree.kind[0] == DECISION
    assert not waiting(tree, 0, State.start(GAME))
    assert waiting(tree, tree.find([1, 1]), State.start(GAME))
