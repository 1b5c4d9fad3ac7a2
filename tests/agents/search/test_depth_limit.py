"""Solves that end with a street: values of continuations, the solver, and what comes out in Leduc."""

from __future__ import annotations

import pickle
from functools import partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from doyle.abstractions.betting import BettingModel
from doyle.agents import resolve_agent
from doyle.agents.search import SearchAgent
from doyle.agents.search.continuations import Continuations, leaned, run_outs
from doyle.agents.search.street_solver import Street, StreetSolver
from doyle.agents.search.subgame import VARIANT, RestSolution, StreetSolution, Subgame
from doyle.games import CALL, Deal, Game, State
from doyle.games.payoffs import best_rank
from doyle.games.policies import policy_cards
from doyle.measuring.hand_equity import win_probabilities
from doyle.solving.solvers import VARIANTS
from tests.agents.search.small_games import GAME, SolvedPolicy, blueprint, responses, searching

HOLDEM = Game.named("holdem-nl-200bb")
DEAL = Deal(hole=((48, 50), (0, 5)), board=(46, 22, 11, 3, 38))
FACTOR = 5.0
ROUNDING = {"rtol": 1e-4, "atol": 1e-4}


def flop(first: int = 300) -> State:
    return State.start(HOLDEM, DEAL).apply(first).apply(CALL)


def leduc_values(policy: SolvedPolicy, runouts: int = 16) -> Continuations:
    """Continuations of all hands after the first round of Leduc, from the start on."""
    everybody = np.arange(len(GAME.deck))
    ones = np.ones(len(everybody))
    return Continuations(
        policy, State.start(GAME), (everybody, everybody), (ones, ones), runouts, FACTOR
    )


def expected(
    state: State, hands: tuple[int, int], board: int, policy: SolvedPolicy, lean: tuple[int, int]
) -> float:
    """What the first seat's hand wins on one board, by plain recursion."""
    if state.actor < 0:
        if not state.is_showdown:
            return float(-state.spent[0] if state.folded[0] else state.spent[1])
        first, second = (best_rank((GAME.deck[hand], board)) for hand in hands)
        return float(min(state.spent) * ((first > second) - (first < second)))
    seat = state.actor
    actions, table = policy.probabilities(state.with_deal(Deal(((), ()), (board,))))
    row = leaned(actions, table, FACTOR)[lean[seat], hands[seat]]
    return sum(
        share * expected(state.apply(action), hands, board, policy, lean)
        for action, share in zip(actions, row.tolist(), strict=True)
    )


def test_values_are_those_of_a_walk_hand_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A leaf after checks and one after a raise, every pair of hands and every continuation."""
    monkeypatch.setattr("doyle.agents.search.continuations.UNLIKELY", 0.0)
    policy = blueprint(iterations=8)
    values = leduc_values(policy)
    deck = GAME.deck
    for actions in ((CALL, CALL), (CALL, 3, CALL)):
        leaf = State.start(GAME)
        for action in actions:
            leaf = leaf.apply(action)
        for chooser in (0, 1):
            found = values.values(leaf, chooser)
            assert found is not None
            for kind in range(4):
                lean = (kind, 0) if chooser == 0 else (0, kind)
                for pair in ((0, 1), (2, 5), (4, 0), (3, 3)):
                    boards = [card for number, card in enumerate(deck) if number not in pair]
                    worth = [expected(leaf, pair, card, policy, lean) for card in boards]
                    mean = 0.0 if pair[0] == pair[1] else sum(worth) / len(worth)
                    np.testing.assert_allclose(found[(*lean, *pair)], mean, **ROUNDING)


def test_values_of_who_only_calls_are_exact_equities() -> None:
    """From three run-outs: all that differs between run-outs is who wins, which is known exactly."""
    agent = resolve_agent("always-call", HOLDEM)
    rows = np.array([100, 500, 700, 1325])
    rows = rows[~np.isin(policy_cards(HOLDEM)[rows], DEAL.board[:3]).any(axis=1)]
    values = Continuations(
        agent, flop().public(), (rows, rows), (np.ones(len(rows)),) * 2, 3, 1.0  # type: ignore[arg-type]
    )  # fmt: skip
    assert len({board[:4] for board in values.boards}) == 3
    leaf = flop().public().apply(CALL).apply(CALL)
    found = values.values(leaf, 1)
    assert found is not None
    for place, row in enumerate(rows.tolist()):
        hole = tuple(int(card) for card in policy_cards(HOLDEM)[row])
        wins = win_probabilities(HOLDEM, hole, DEAL.board[:3])[rows]
        chips = 300 * (2 * wins - 1) * values.apart[place]
        np.testing.assert_allclose(found[0, 0, place], chips, rtol=1e-3, atol=0.05)


def test_run_outs_are_all_or_different_and_depend_on_the_board_alone() -> None:
    assert len(run_outs(GAME, (), 16)) == len(GAME.deck)
    drawn = run_outs(HOLDEM, (46, 22, 11), 49)
    assert len({cards[0] for cards in drawn}) == 49
    assert all(len({*cards, 46, 22, 11}) == 5 for cards in drawn)
    assert drawn == run_outs(HOLDEM, (46, 22, 11), 49)
    assert drawn != run_outs(HOLDEM, (46, 22, 12), 49)


def street(agent: SearchAgent, root: State, searcher: int) -> tuple[Street, StreetSolver]:
    """A solved street with all that iterations need."""
    subgame = Subgame(root, agent.models[0], tuple(agent.range(root, s) for s in (0, 1)))  # type: ignore[arg-type]
    values = agent._continued(subgame)
    made: list[Street] = []

    class Kept(StreetSolver):
        def forget(self) -> None:
            made.append(self.street)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("doyle.agents.search.subgame.StreetSolver", Kept)
        found = subgame.solved_to_limit(values, 1 - searcher, iterations=50)
    assert isinstance(found, StreetSolution)
    return made[0], found.solver


@pytest.mark.parametrize("searcher", [0, 1])
def test_a_choice_never_leaves_the_other_seat_less(searcher: int) -> None:
    """Against the same play of the searcher, and no more to the searcher."""
    agent = searching("unsafe", iterations=50, first_round=0, limited=True)
    whole, solver = street(agent, State.start(GAME), searcher)
    limits = {node: values[:1, :1] for node, values in whole.limits.items()}
    alone = StreetSolver(
        Street(whole.tree, whole.weights, whole.apart, whole.equity, limits),
        VARIANTS[VARIANT],
    )
    for key, table in solver.averages.items():
        if key[0] not in limits:
            alone.averages[key][:] = table
    chosen, fixed = solver.best_values(1 - searcher), alone.best_values(1 - searcher)
    assert (chosen >= fixed - 1e-4).all()
    assert chosen.sum() > fixed.sum() + 0.1


def test_choices_of_both_are_worth_something_between_those_of_one() -> None:
    """The value of the game for the first seat rises with its own choice and falls with the other's."""
    root, ones = State.start(GAME), np.ones(6)
    subgame = Subgame(root, BettingModel.parse("fcpa"), (ones, ones))
    worth = []
    for both, chooser in ((False, 1), (True, -1), (False, 0)):
        values = subgame.continuations(
            blueprint(iterations=8), floor=0.0, runouts=16, factor=FACTOR, both=both
        )
        made: list[float] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                StreetSolver,
                "forget",
                lambda one, made=made: made.extend(
                    float(ones @ one.best_values(seat)) / one.street.mass for seat in (0, 1)
                ),
            )
            assert subgame.solved_to_limit(values, chooser, iterations=400) is not None
        worth.append((made[0] - made[1]) / 2)
        assert made[0] + made[1] < 0.005  # solved: best responses win as much as there is
    assert worth[0] + 0.02 < worth[1] < worth[2] - 0.005, worth


def test_a_street_without_limits_is_solved_as_by_the_vector_solver() -> None:
    """The second round of Leduc: the same iterations, so the same play; and the same exploitability."""
    root = State.start(GAME, Deal(((0,), (5,)), (GAME.deck[2],))).apply(CALL).apply(CALL).public()
    rng = np.random.default_rng(5)
    weights = (rng.random(6), rng.random(6))
    subgame = Subgame(root, BettingModel.parse("fchpa"), weights)
    values = subgame.continuations(blueprint(), floor=0.0, runouts=16, factor=FACTOR)
    ours = subgame.solved_to_limit(values, 1, iterations=30)
    theirs = subgame.solved(iterations=30, precision="double")
    assert isinstance(ours, StreetSolution)
    assert isinstance(theirs, RestSolution)
    for node in theirs.tree.decisions.tolist():
        actions = theirs.tree.path(node)
        found, wanted = (one.probabilities(actions)[1] for one in (ours, theirs))
        np.testing.assert_allclose(found, wanted, atol=2e-3)
    assert ours.exploitability == pytest.approx(theirs.exploitability, rel=1e-3)


def test_in_leduc_a_limit_gains_by_the_choice_of_continuations() -> None:
    """Exact responses to the whole agent, second round searched too: below its blueprint of 32 iterations.

    Who takes it that the other seat goes on as the blueprint does is far above it.
    """
    under = blueprint(iterations=32)
    made = partial(searching, "unsafe", iterations=1000, under=under, first_round=0, limited=True)
    leaning, alone = responses(made()), responses(made(lean=1.0))
    assert sum(leaning) < 0.7 * sum(responses(under))
    assert sum(alone) > 3 * sum(responses(under))


def test_play_is_a_pure_function_of_the_state() -> None:
    """Two agents, asked in other orders, play the same bytes; a strange bet is added where it was made."""
    first = resolve_agent("search:starter:rounds=flop,iterations=2,runouts=2,flop=fca", HOLDEM)
    assert isinstance(first, SearchAgent)
    second = pickle.loads(pickle.dumps(first))
    state = flop().public()
    states = [state, state.apply(CALL), state.apply(455), state.apply(CALL).apply(CALL)]
    states[-1] = states[-1].with_deal(Deal(((), ()), DEAL.board[:4]))
    for one in states:
        first.probabilities(one)
    for one in reversed(states):
        found, again = first.probabilities(one), second.probabilities(one)
        assert found[0] == again[0]
        assert found[1].tobytes() == again[1].tobytes()
    added = [key.added for key in first._kept if key.added]
    assert [str(bet) for bets in added for bet in bets] == [":r455"]
    assert {key.seat for key in first._kept if key.root.round == 1} == {0, 1}


def test_reach_after_the_flop_is_that_of_each_seats_own_solution() -> None:
    agent = resolve_agent("search:starter:rounds=flop,iterations=2,runouts=2,flop=fca", HOLDEM)
    assert isinstance(agent, SearchAgent)
    before = flop().public()
    states = [before, before.apply(CALL), before.apply(CALL).apply(CALL)]
    for now, after in pairwise(states):
        seat = now.actor
        actions, shares = agent.probabilities(now)
        expected_reach = agent.blueprint.reach(before, seat) * shares[:, actions.index(CALL)]
        np.testing.assert_allclose(agent.reach(after, seat), expected_reach)


def test_a_limit_of_time_leaves_the_flop_to_the_blueprint() -> None:
    agent = resolve_agent("search:starter:rounds=flop", HOLDEM)
    assert isinstance(agent, SearchAgent)
    agent.limit = 1e-3
    state = flop()
    assert state.is_legal(agent.act(state.view(state.actor, dice_key=b"k")))
    assert agent.counts.left == 1
    assert agent.counts.solves == 0


def test_matrices_that_are_too_large_leave_the_flop_to_the_blueprint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And those of other bets at the same place are forgotten, so that they are never many."""
    agent = resolve_agent("search:starter:rounds=flop,iterations=2,runouts=1,flop=fca", HOLDEM)
    assert isinstance(agent, SearchAgent)
    state = flop().public()
    monkeypatch.setattr("doyle.agents.search.agent.MOST_BYTES", 1)
    left = agent.probabilities(state)
    np.testing.assert_array_equal(left[1], agent.blueprint.probabilities(state)[1])
    again = pickle.loads(pickle.dumps(agent))
    monkeypatch.undo()
    monkeypatch.setattr("doyle.agents.search.continuations.KEPT_BYTES", 1)
    assert again.probabilities(state)[0] != left[0]
    again.probabilities(state.apply(455))
    values = again._continuations
    assert values is not None
    kept = sum(one.nbytes for pair in values._kept.values() for one in pair)
    assert kept == values.bytes == values.leaf_bytes


def test_signs_are_counted_pair_by_pair() -> None:
    """The twin of the kernel that counts wins and losses over boards."""
    policy = blueprint(iterations=8)
    values = leduc_values(policy)
    ranks: list[tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]] = [
        values.ranks((card,)) for card in GAME.deck
    ]
    for own in range(6):
        for other in range(6):
            signs = [np.sign(int(a[own]) - int(b[other])) for a, b in ranks if a[own] and b[other]]
            wanted = 0.0 if own == other else np.mean(signs)
            assert values.equity[own, other] == pytest.approx(wanted)
