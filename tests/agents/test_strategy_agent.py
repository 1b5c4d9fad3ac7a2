"""The strategy agent: a pure function, the same as agent and as policy, never outside its reach."""

from __future__ import annotations

import copy
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.abstractions.betting import BettingTree
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers, map_items, parse_workers
from doyle.cards import HOLE_COUNT, HOLES, hole_index
from doyle.games import CALL, FOLD, Agent, Deal, Game, Policy, State, View
from doyle.matches import Dealer, as_deal, play_match
from doyle.strategy import Purified, Strategy, Thresholded
from doyle.strategy.translation import mapping_names
from doyle.strategy.translation.defence import Order
from doyle.strategy.translation.named_translations import DEFENCES, TARTANIAN
from doyle.testing import check_agent
from tests.agents.synthetic import (
    AnyBet,
    ScrambledBuckets,
    betting_tree,
    random_strategy,
    scrambled_equities,
    synthetic_agent,
)
from tests.reference.translated_strategy import Beliefs, TranslatedStrategy

SOFT, SOFT_ND = "polaris-soft+aa+cisc+ec", "polaris-nd+aa+cisc+ec"
TRANSLATIONS = (
    *mapping_names(),
    "rand-arith~1~rand-pshar",
    *TARTANIAN,
    "polaris-hard",
    "polaris-hard+reread",
    "polaris-hard+aa+cisc+ec",
    "polaris-soft+real+cisc+ec",
    "polaris-soft+ec+reread",
    SOFT,
    SOFT_ND,
    *(f"rand-pshar{ending}" for ending in DEFENCES),
)
DEFENDED = [name for name in TRANSLATIONS if "+defend" in name]
MODELS = ("fcpa", "fcpta", "tartanian", "tartanian5")
BETS_TRIED = 24
GAMES = ("holdem-nl-200bb", "doyle-500bb", "holdem-nl-20bb", "holdem-nl-100bb")


def views(agent: Agent, *, seed: int, hands: int = 1) -> Iterator[tuple[State, View]]:
    """The decisions of `agent` in both seats against any bets, with the whole state of each."""
    game = agent.game  # type: ignore[attr-defined]
    opponent = AnyBet()
    for number, row in enumerate(Dealer(game, seed=seed).draw(hands)):
        deal = as_deal(game, row)
        for seat in range(2):
            state = State.start(game, deal)
            while state.actor >= 0:
                view = state.view(state.actor, dice_key=b"%d %d %d" % (seed, number, seat))
                if state.actor == seat:
                    yield state, view
                    state = state.apply(agent.act(view))
                else:
                    state = state.apply(opponent.act(view))


def share_of(agent: StrategyAgent, state: State, hole: tuple[int, ...]) -> dict[int, float]:
    actions, shares = agent.probabilities(state)
    return dict(zip(actions, shares[hole_index(*hole)], strict=True))


def definition(agent: StrategyAgent, state: State, seat: int) -> tuple[TranslatedStrategy, Beliefs]:
    """The plain twin of the agent, and what it believes at `state`; nothing is remembered."""
    tree = agent.strategy.tree

    def table(node: int) -> npt.NDArray[np.float64]:
        board = state.board[: agent.game.board_ends[int(tree.round[node])]]
        buckets = np.maximum(ScrambledBuckets().buckets(board), 0)
        return agent.strategy.probabilities(node, buckets)

    def order(now: State) -> Order:
        board = state.board[: agent.game.board_ends[now.round]]
        return Order.of(scrambled_equities(board), possible=ScrambledBuckets().buckets(board) >= 0)

    player = TranslatedStrategy(agent.translation, tree, table, order)
    now, beliefs = State.start(agent.game), player.start(HOLE_COUNT)
    for action in chain.from_iterable(state.betting):
        if beliefs:
            beliefs = (player.act if now.actor == seat else player.see)(beliefs, now, action)
        now = now.apply(action)
    return player, beliefs


def test_it_is_an_agent_and_a_policy() -> None:
    agent = synthetic_agent("rand-pshar")
    assert isinstance(agent, Agent)
    assert isinstance(agent, Policy)
    assert check_agent(agent, agent.game, hands=50) > 100


@pytest.mark.parametrize("translation", TRANSLATIONS)
def test_reach_is_the_product_of_own_probabilities(translation: str) -> None:
    agent = synthetic_agent(translation)
    for state, _ in views(agent, seed=7, hands=4):
        seat, product = state.actor, np.ones(1326)
        now = State.start(state.game, state.deal)
        for action in (action for actions in state.betting for action in actions):
            if now.actor == seat:
                actions, shares = agent.probabilities(now)
                product = product * shares[:, actions.index(action)]
            now = now.apply(action)
        holes = [hole_index(*hole) for hole in state.deal.hole]
        assert agent.reach(state, seat)[holes] == pytest.approx(product[holes], abs=1e-12)
        assert agent.reach(state, 1 - seat).max() <= 1 + 1e-12


@pytest.mark.parametrize("translation", TRANSLATIONS)
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_fresh_agent_does_what_one_that_played_the_hand_does(translation: str, seed: int) -> None:
    playing = synthetic_agent(translation)
    for _, view in views(playing, seed=seed, hands=2):
        assert synthetic_agent(translation).act(view) == playing.act(view)


def test_forgetting_changes_nothing() -> None:
    forgetful = synthetic_agent("rand-pshar", histories_remembered=3)
    for _, view in views(synthetic_agent("rand-pshar"), seed=3, hands=8):
        assert forgetful.act(view) == synthetic_agent("rand-pshar").act(view)
        fresh = everything(synthetic_agent("rand-pshar"), view.state)
        assert all(map(np.array_equal, everything(forgetful, view.state), fresh))


def everything(agent: StrategyAgent, state: State) -> list[npt.NDArray[np.float64]]:
    """All that the agent says about all hands at a state."""
    reaches = [agent.reach(state, seat) for seat in range(2)]
    return reaches if state.is_over else [*reaches, agent.probabilities(state)[1]]


def dealt_histories(game: Game) -> list[State]:
    """Every moment of one betting, with bets of seat 1 that no tree has, on boards that share cards."""
    boards = [(0, 5, 10, 15, 20), (0, 5, 10, 15, 21), (0, 5, 10, 16, 20), (0, 5, 11, 15, 20)]
    states = []
    for board in boards:
        state = State.start(game, Deal(((), ()), board))
        states.append(state)
        for action in (250, CALL, CALL, 420, CALL, CALL, 900, CALL, CALL, 1500, FOLD):
            state = state.apply(action)
            states.append(state)
    return states


@pytest.mark.parametrize("translation", ["rand-pshar", SOFT, SOFT_ND, *DEFENDED])
def test_walks_resume_where_betting_and_board_are_the_same(translation: str) -> None:
    states = dealt_histories(Game.named("holdem-nl-200bb"))
    resuming = synthetic_agent(translation)
    alone = [everything(synthetic_agent(translation), state) for state in states]
    assert len({answers[0].tobytes() for answers in alone}) > 8
    assert all(a[0].any() for a, state in zip(alone, states, strict=True) if not state.is_over)
    order = np.random.default_rng(1).integers(len(states), size=150)
    for number in [*range(len(states)), *order.tolist()]:
        for ours, expected in zip(everything(resuming, states[number]), alone[number], strict=True):
            assert np.array_equal(ours, expected)


def test_reach_needs_the_boards_of_own_decisions_only() -> None:
    agent = synthetic_agent("rand-pshar")
    flop = State.start(agent.game, Deal(((), ()), (0, 5, 10))).apply(CALL).apply(CALL)
    turn = flop.apply(300).apply(CALL)  # its card is not known yet
    assert turn.round == 2
    assert 0 < agent.reach(turn, 0).max() <= 1
    dark = State.start(agent.game).apply(CALL).apply(CALL)
    assert np.array_equal(agent.reach(dark, 1), agent.reach(flop, 1))
    for seat in range(2):
        with pytest.raises(DoyleError, match="needs the board"):
            agent.reach(dark.apply(300).apply(CALL), seat)


def test_order_of_questions_changes_nothing() -> None:
    asked = [view for _, view in views(synthetic_agent(SOFT), seed=4, hands=20)]
    forwards, backwards = synthetic_agent(SOFT), synthetic_agent(SOFT)
    answers = [forwards.act(view) for view in asked]
    assert [backwards.act(view) for view in reversed(asked)] == answers[::-1]


@pytest.mark.parametrize("translation", TRANSLATIONS)
def test_policy_rows_are_probabilities_of_legal_actions(translation: str) -> None:
    agent = synthetic_agent(translation, model="tartanian", game="doyle-500bb")
    for state, view in views(agent, seed=5, hands=12):
        actions, shares = agent.probabilities(view.state)
        assert shares.shape == (HOLE_COUNT, len(actions))
        assert list(actions) == sorted(set(actions))
        assert all(type(action) is int and state.is_legal(action) for action in actions)
        assert (shares >= 0).all()
        np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("translation", TRANSLATIONS)
def test_agent_and_policy_are_the_definition(translation: str) -> None:
    """What steps are remembered for is what the exact player of the translation does."""
    agent = synthetic_agent(translation, model="tartanian")
    for state, view in views(agent, seed=6, hands=12):
        player, beliefs = definition(agent, view.state, view.seat)
        whole = sum(beliefs.values(), np.zeros(HOLE_COUNT))
        np.testing.assert_allclose(agent.reach(view.state, view.seat), whole, atol=1e-15)
        actions, joint, _ = player.choices(beliefs, view.state)
        total = joint.sum(axis=0)
        ours, shares = agent.probabilities(view.state)
        for action, weights in zip(actions, joint, strict=True):
            column = shares[:, ours.index(action)]
            np.testing.assert_allclose(
                column[total > 0], (weights / np.where(total > 0, total, 1))[total > 0], atol=1e-12
            )
        # A hand with zero reach calls.
        assert (shares[total == 0, ours.index(CALL) if CALL in ours else 0] == 1).all()
        assert share_of(agent, state, view.hole)[agent.act(view)] > 0


@pytest.mark.parametrize(
    "translation", ["rand-pshar", SOFT, SOFT_ND, "polaris-hard+reread", *DEFENDED]
)
def test_actions_are_as_frequent_as_the_policy_says(translation: str) -> None:
    agent = synthetic_agent(translation, seed=2)
    states = list(views(agent, seed=7, hands=6))
    tried = 200 if translation == SOFT_ND else 800
    for state, view in states[:: len(states) // 4]:
        expected = share_of(agent, state, view.hole)
        counts = dict.fromkeys(expected, 0)
        for number in range(tried):
            counts[agent.act(view._replace(dice_key=b"%d" % number))] += 1
        for action, share in expected.items():
            spread = 5 * (tried * share * (1 - share)) ** 0.5
            assert abs(counts[action] - tried * share) <= spread + 1e-6


@dataclass
class Recorded:
    """A strategy that remembers what it was asked."""

    source: Strategy
    asked: list[tuple[int, int]] = field(default_factory=list)

    @property
    def tree(self) -> BettingTree:
        return self.source.tree

    def bucket_count(self, round_number: int) -> int:
        return self.source.bucket_count(round_number)

    def probabilities(
        self, node: int, buckets: npt.NDArray[np.integer[Any]]
    ) -> npt.NDArray[np.float64]:
        self.asked += [(node, int(bucket)) for bucket in buckets]
        return self.source.probabilities(node, buckets)


def own_reach(strategy: Strategy, node: int, seat: int, view: View) -> float:
    """How likely the seat's own strategy plays to `node` with the hole of `view`."""
    tree, reach = strategy.tree, 1.0
    ends = tree.game.board_ends
    while node > 0:
        parent = int(tree.parent[node])
        if tree.actor[parent] == seat:
            buckets = ScrambledBuckets().buckets(view.board[: ends[int(tree.round[parent])]])
            row = strategy.probabilities(parent, buckets[[hole_index(*view.hole)]])[0]
            reach *= row[tree.actions_of(parent).tolist().index(int(tree.action[node]))]
        node = parent
    return reach


# Three kinds leave their own strategy: soft-ND calls where every action has been removed, those
# that read their own actions again may take them for others, and who defends asks about all its hands.
@pytest.mark.parametrize("purified", [False, True])
@pytest.mark.parametrize(
    "translation",
    [name for name in TRANSLATIONS if name not in (SOFT_ND, *DEFENDED) and "reread" not in name],
)
def test_nodes_outside_its_own_reach_are_never_asked(translation: str, purified: bool) -> None:
    source: Strategy = random_strategy(betting_tree("fcpta", "doyle-500bb"), seed=8)
    if purified:
        source = Purified(source)
    recorded = Recorded(source)
    agent = synthetic_agent(translation, strategy=recorded)
    asked = 0
    for _, view in views(agent, seed=9, hands=6):
        recorded.asked.clear()
        synthetic_agent(translation, strategy=recorded).act(view)
        for node, _ in recorded.asked:
            assert recorded.tree.actor[node] == view.seat
            assert own_reach(source, node, view.seat, view) > 0
        asked += len(recorded.asked)
        recorded.asked.clear()
    assert asked > 10


@pytest.mark.parametrize("translation", DEFENDED)
def test_who_defends_asks_no_node_that_none_of_its_hands_can_reach(translation: str) -> None:
    source = Purified(random_strategy(betting_tree("fcpta", "doyle-500bb"), seed=8))
    recorded = Recorded(source)
    agent = synthetic_agent(translation, strategy=recorded)
    asked = 0
    for _, view in views(agent, seed=9, hands=6):
        recorded.asked.clear()
        synthetic_agent(translation, strategy=recorded).act(view)
        for node in {node for node, _ in recorded.asked}:
            assert recorded.tree.actor[node] == view.seat
            assert reach_of_all(source, node, view.seat, view.board).any()
        asked += len(recorded.asked)
    assert asked > 10


@pytest.mark.parametrize("translation", DEFENDED)
def test_a_defence_changes_who_folds_and_not_how_many(translation: str) -> None:
    """At the first bet of a hand: later ones are asked about other ranges."""
    changed = 0
    for seed in range(6):
        plain, agent = (synthetic_agent(name, seed=seed) for name in ("rand-pshar", translation))
        for state in first_bets(agent.game, round_=3 if translation == DEFENDED[0] else 1):
            actions, before = plain.probabilities(state)
            same, after = agent.probabilities(state)
            assert same == actions
            if actions[0] != FOLD:
                continue  # none of its hands folds
            possible = ScrambledBuckets().buckets(state.board) >= 0
            range_ = plain.reach(state, state.actor) * possible
            raises = [column for column, action in enumerate(actions) if action > CALL]
            np.testing.assert_allclose(after[range_ > 0][:, raises], before[range_ > 0][:, raises])
            np.testing.assert_allclose(after[:, 0] @ range_, before[:, 0] @ range_)
            changed += not np.allclose(before[:, 0], after[:, 0])
    assert changed > 10


@pytest.mark.parametrize("translation", DEFENDED)
def test_a_defence_changes_the_reach_of_every_answer(translation: str) -> None:
    """Also that of a fold, which ends the hand."""
    agent, changed = synthetic_agent(translation, seed=2), 0
    plain = synthetic_agent("rand-pshar", seed=2)
    for state in first_bets(agent.game, round_=3):
        actions, shares = agent.probabilities(state)
        before = agent.reach(state, state.actor)
        for column, action in enumerate(actions):
            after = agent.reach(state.apply(action), state.actor)
            np.testing.assert_allclose(after, before * shares[:, column], rtol=0, atol=1e-12)
            other = plain.reach(state.apply(action), state.actor)
            changed += action == FOLD and not np.allclose(after, other)
    assert changed > 10


def first_bets(game: Game, *, round_: int) -> Iterator[State]:
    """States that face a small bet in that round, after checks and calls only, in both seats."""
    for row in Dealer(game, seed=12).draw(4):
        for checks in range(2):
            for pots in (0.1, 0.3, 0.6):
                state = State.start(game, as_deal(game, row))
                for _ in range(2 * round_ + checks):
                    state = state.apply(CALL)
                yield state.apply(state.nearest_legal(state.largest + round(pots * state.pot)))


def reach_of_all(
    strategy: Strategy, node: int, seat: int, board: tuple[int, ...]
) -> npt.NDArray[np.float64]:
    """How likely the seat's own strategy plays to `node` with each hole."""
    tree, reach = strategy.tree, np.ones(HOLE_COUNT)
    while node > 0:
        parent = int(tree.parent[node])
        if tree.actor[parent] == seat:
            end = tree.game.board_ends[int(tree.round[parent])]
            buckets = np.maximum(ScrambledBuckets().buckets(board[:end]), 0)
            column = tree.actions_of(parent).tolist().index(int(tree.action[node]))
            reach = reach * strategy.probabilities(parent, buckets)[:, column]
        node = parent
    return reach


def test_hands_that_cannot_be_here_call() -> None:
    """A purified strategy raises some hands at once; those cannot be among the callers."""
    strategy = Purified(random_strategy(betting_tree("fcpa", "holdem-nl-200bb"), seed=3))
    agent = synthetic_agent("rand-pshar", strategy=strategy)
    state = State.start(agent.game, Deal(((), ()), ()))
    actions, first = agent.probabilities(state)
    limped = state.apply(CALL).apply(1234)
    after, shares = agent.probabilities(limped)
    never = first[:, actions.index(CALL)] == 0
    assert 0 < never.sum() < HOLE_COUNT
    assert (shares[never, after.index(CALL)] == 1).all()
    assert any(shares[~never, after.index(CALL)] < 1)


@pytest.mark.parametrize("translation", TRANSLATIONS)
def test_an_agent_led_where_it_cannot_be_calls(translation: str) -> None:
    strategy = Purified(random_strategy(betting_tree("fcpa", "holdem-nl-200bb"), seed=3))
    agent = synthetic_agent(translation, strategy=strategy)
    start = State.start(agent.game, Deal(((0, 1), (2, 3)), ()))
    actions, first = agent.probabilities(start.public())
    never = HOLES[first[:, actions.index(CALL)] == 0][0]
    limped = State.start(agent.game, Deal(((), tuple(never.tolist())), ()))
    assert agent.act(limped.apply(CALL).apply(1234).view(1)) == CALL


def test_thresholded_strategies_play_only_what_is_left() -> None:
    source = random_strategy(betting_tree("tartanian", "holdem-nl-200bb"), seed=3)
    agent = synthetic_agent("rand-pshar", strategy=Thresholded(source, 0.3))
    _, shares = agent.probabilities(State.start(agent.game, Deal(((), ()), ())))
    assert shares[shares > 0].min() >= 0.3


def test_policies_need_a_decision_and_a_board() -> None:
    agent = synthetic_agent("det-geo")
    start = State.start(agent.game, Deal(((), ()), ()))
    with pytest.raises(DoyleError, match="the hand is over"):
        agent.probabilities(start.apply(0))
    with pytest.raises(DoyleError, match="needs the board"):
        agent.probabilities(State.start(agent.game).apply(1).apply(1))


def test_agents_travel_to_other_processes() -> None:
    agent = synthetic_agent(SOFT)
    copied = copy.copy(agent)
    for _, view in views(agent, seed=1, hands=5):
        assert copied.act(view) == agent.act(view)
    alone, together = (
        play_match(agent.game, [agent, AnyBet()], hands=40, workers=Workers(count))
        for count in (1, 2)
    )
    assert alone.document() == together.document()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("translation", TRANSLATIONS)
def test_any_bet_is_understood_in_a_match(translation: str, model: str, game: str) -> None:
    # A strategy that seldom folds meets more bets in a hand.
    agent = synthetic_agent(translation, model=model, game=game, fold_weight=0.1)
    opponent = AnyBet()
    result = play_match(agent.game, [agent, opponent], hands=10, seed=1)
    assert opponent.bets >= 10
    assert result.forfeits == ()
    assert result.illegal_actions == (0, 0)


def answered_bets(item: tuple[str, str, str, int, int]) -> int:
    """How many bets of any legal size an agent answered by a legal action, over some deals.

    Wherever the opponent acts it tries several bets; one of them is played.
    """
    translation, model, game_name, seed, deals = item
    agent = synthetic_agent(translation, model=model, game=game_name, seed=seed, fold_weight=0.1)
    game, opponent = agent.game, AnyBet()
    for number, row in enumerate(Dealer(game, seed=seed).draw(deals)):
        deal = as_deal(game, row)
        for seat in range(2):
            state = State.start(game, deal)
            while state.actor >= 0:
                if state.actor == seat:
                    state = state.apply(
                        agent.act(state.view(seat, dice_key=b"%d %d" % (number, seat)))
                    )
                    continue
                for attempt in range(BETS_TRIED):
                    view = state.view(
                        state.actor, dice_key=b"%d %d %d %d" % (seed, number, seat, attempt)
                    )
                    tried = state.apply(opponent.act(view))
                    if tried.actor == seat:
                        action = agent.act(
                            tried.view(
                                seat, dice_key=b"%d %d %d %d" % (seed, number, seat, attempt)
                            )
                        )
                        assert type(action) is int
                        assert tried.is_legal(action), (item, tried, tried.describe(action))
                state = tried
    return opponent.bets


@pytest.mark.slow
def test_a_million_bets_of_any_size_are_understood() -> None:
    items = (
        (translation, model, game, seed, 5 if translation == SOFT_ND else 40)
        for seed in range(1000)
        for translation in TRANSLATIONS
        for model in MODELS
        for game in GAMES
    )
    bets = 0
    mapped = map_items(answered_bets, items, workers=parse_workers(None))
    with closing(cast("Generator[int, None, None]", mapped)) as results:
        for answered in results:
            bets += answered
            if bets >= 1_000_000:
                break
    assert bets >= 1_000_000
