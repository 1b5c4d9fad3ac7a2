"""Safe exploitation: the expected total is never below hands times value, whatever the opponent does.

The opponents here are the strongest there can be: they know the agent's memory before every hand, and so
the strategy it will play, and choose what is worst for it over all hands that are left.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from doyle.agents import resolve_agent
from doyle.agents.adaptive.safe import SafeExploiter
from doyle.agents.adaptive.small_game_model import PlayedHand
from doyle.experiments.papers.tartanian5.least_total import LeastTotal
from doyle.games import Deal, Game, State
from doyle.matches.match import play_match
from doyle.testing import check_agent

KUHN = Game.named("kuhn")
VALUE = -1 / 18
TOLERANCE = 1e-9


@pytest.mark.parametrize("hands", [2, 4])
@pytest.mark.parametrize("seat", [0, 1])
def test_kuhn_against_every_adaptive_opponent(seat: int, hands: int) -> None:
    value = VALUE if seat == 0 else -VALUE
    assert LeastTotal(SafeExploiter(KUHN), seat).over(hands) >= hands * value - TOLERANCE


@pytest.mark.parametrize("seat", [0, 1])
def test_a_plain_response_to_the_model_can_be_made_to_lose(seat: int) -> None:
    value = VALUE if seat == 0 else -VALUE
    agent = SafeExploiter(KUHN, name="model-response")
    assert LeastTotal(agent, seat).over(2) < 2 * value - 0.01


def played(game: Game, seat: int, rng: np.random.Generator, agent: SafeExploiter) -> PlayedHand:
    """A hand against an opponent who acts evenly at random."""
    cards = [int(card) for card in rng.permutation(game.deck)[: 2 + sum(game.board_cards)]]
    state = State.start(game, Deal(((cards[0],), (cards[1],)), tuple(cards[2:])))
    behaviour = agent.response(agent.memory, seat)
    while not state.is_over:
        actions, row = list(state.legal_actions()), None
        if state.actor == seat:
            actions, row = agent.table.row(state.public(), (cards[seat],), behaviour)
        state = state.apply(int(rng.choice(actions, p=row)))
    return PlayedHand.of(state.view(seat))


@pytest.mark.parametrize("seat", [0, 1])
def test_leduc_keeps_the_invariant_of_every_hand(seat: int) -> None:
    """The worst case of what is played is never below v - k, and k never grows by more than was won.

    The second is checked against pure strategies of the opponent that the hand does not rule out.
    """
    game, rng = Game.named("leduc"), np.random.default_rng(seat)
    agent = SafeExploiter(game)
    table = agent.table
    form, value = table.form, table.programs.values[seat]
    budgets = []
    for _ in range(12):
        memory, behaviour = agent.memory, agent.response(agent.memory, seat)
        plan = form.realise(seat, behaviour)
        worst = -form.best_response(1 - seat, plan)[0]
        assert worst >= value - memory.budget - TOLERANCE
        hand = played(game, seat, rng, agent)
        agent.memory = agent.after(memory, hand, behaviour)
        grown = agent.memory.budget - memory.budget
        assert agent.memory.budget >= 0
        for _ in range(20):
            assert grown <= against_consistent(agent, hand, behaviour, rng) - value + TOLERANCE
        budgets.append(agent.memory.budget)
    assert max(budgets) > 1e-3  # an opponent who acts at random gives something to risk


def against_consistent(
    agent: SafeExploiter, hand: PlayedHand, behaviour: np.ndarray, rng: np.random.Generator
) -> float:
    """What was won in expectation against a random strategy that plays as the opponent did."""
    table, other = agent.table, 1 - hand.seat
    small, form = table._apart
    strategy = rng.dirichlet(np.ones(form.sizes[other]))
    strategy = form.behaviour(other, strategy)
    holes = table._holes(hand)
    for at, taken in table._sequences(
        hand, holes[rng.integers(len(holes))], small=small, form=form
    ):
        strategy[at] = float(taken)
    spread = form.uniform_behaviour(hand.seat)
    tree = small.tree
    for node in tree.decisions[tree.actor[tree.decisions] == hand.seat].tolist():
        rows = table.form.table(node, behaviour)
        form.put_table(node, rows[table._classes[int(tree.round[node])]], spread)
    plans = [spread, strategy] if hand.seat == 0 else [strategy, spread]
    won = form.value((form.realise(0, plans[0]), form.realise(1, plans[1])))
    return won if hand.seat == 0 else -won


def test_hands_that_are_not_shown_count_for_all_that_may_be_held() -> None:
    agent = SafeExploiter(KUHN)
    jack, queen, king = ((card,) for card in KUHN.deck)
    folded = PlayedHand(0, queen, (), (2, 0), None)
    memory = agent.after(agent.empty_memory(), folded, agent.response(agent.empty_memory(), 0))
    counts = memory.counts[1]
    assert counts.sum() == pytest.approx(1.0)  # one decision of one hand
    with_jack = agent.table.counted(PlayedHand(0, queen, (), (2, 0), jack), agent.model(memory, 1))
    with_king = agent.table.counted(PlayedHand(0, queen, (), (2, 0), king), agent.model(memory, 1))
    # In equilibrium a king never folds, so that all of the hand is the jack's.
    assert counts == pytest.approx(with_jack)
    assert with_king.sum() == 1.0


def test_a_fold_that_reveals_nothing_gains_nothing_an_equilibrium_could_not_win() -> None:
    """Folding a king to a bet is a gift; a fold that may have been a jack's is none."""
    agent = SafeExploiter(KUHN)
    memory = agent.empty_memory()
    behaviour = agent.response(memory, 0)
    hidden = PlayedHand(0, (KUHN.deck[1],), (), (2, 0), None)
    assert agent.after(memory, hidden, behaviour).budget == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("name", ["safe-exploiter", "best-equilibrium", "model-response"])
def test_agents_by_name(name: str) -> None:
    assert check_agent(resolve_agent(name, "kuhn"), KUHN, hands=5) >= 5
    result = play_match(KUHN, [name, "always-raise"], hands=30, seed=1)
    assert not result.forfeits


def test_deeper_budgets_win_more_from_a_fixed_weak_opponent() -> None:
    """Exact values against `always-raise`, after 60 hands: equilibrium <= safe <= best response."""
    rng = np.random.default_rng(3)
    won = {}
    for name in ("best-equilibrium", "safe-exploiter", "model-response"):
        agent = SafeExploiter(KUHN, name=name)
        total = 0.0
        for _, seat in itertools.product(range(60), (0,)):
            behaviour = agent.response(agent.memory, seat)
            total += exact_against_raiser(agent, behaviour, seat)
            cards = rng.permutation(KUHN.deck)
            state = State.start(KUHN, Deal(((int(cards[0]),), (int(cards[1]),)), ()))
            while not state.is_over:
                if state.actor == seat:
                    actions, row = agent.table.row(state, (int(cards[seat]),), behaviour)
                    state = state.apply(int(rng.choice(actions, p=row)))
                else:
                    state = state.apply(max(state.legal_actions()))
            agent.memory = agent.after(agent.memory, PlayedHand.of(state.view(seat)), behaviour)
        won[name] = total / 60
    assert won["best-equilibrium"] + 0.01 < won["safe-exploiter"]
    assert won["safe-exploiter"] <= won["model-response"] + 0.02


def exact_against_raiser(agent: SafeExploiter, behaviour: np.ndarray, seat: int) -> float:
    total = 0.0
    for mine, theirs in itertools.permutations(KUHN.deck, 2):
        holes = ((mine,), (theirs,)) if seat == 0 else ((theirs,), (mine,))
        stack = [(State.start(KUHN, Deal(holes, ())), 1 / 6)]
        while stack:
            state, weight = stack.pop()
            if state.is_over:
                total += weight * float(state.payoffs()[seat])
            elif state.actor == seat:
                actions, row = agent.table.row(state, (mine,), behaviour)
                stack += [(state.apply(a), weight * p) for a, p in zip(actions, row, strict=True)]
            else:
                stack.append((state.apply(max(state.legal_actions())), weight))
    return total
