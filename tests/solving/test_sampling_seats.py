"""External sampling with more than two seats: its twin, exact gains, OpenSpiel, files."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.abstractions.betting import DECISION, BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.cards import rank_hand
from doyle.games import Game
from doyle.games.payoffs import share_layers
from doyle.solving.run import Limits, Run
from doyle.solving.sampling import _sampling_kernels as kernels
from doyle.solving.sampling.batches import deal_frames
from doyle.solving.sampling.deals import HoldemDeals, SmallDeals
from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver
from doyle.strategy import TableStrategy, load_strategy, save_strategy
from tests.abstractions.betting.test_tree import three_player_game
from tests.reference.sampling import Sampler

KUHN = Game.named("kuhn-3p")
SHORT_STACKS = """GAMEDEF
limit
numPlayers = 3
numRounds = 2
stack = 3 9 14
blind = 1 1 2
raiseSize = 2 3
firstPlayer = 1 2
maxRaises = 2 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
"""


def solver_of(game: Game, **options: Any) -> SamplingSolver:
    tree = BettingTree.build(BettingModel.parse("limit"), game)
    return SamplingSolver(tree, SmallDeals(game), SamplingOptions(**options))


# Kernels ----------------------------------------------------------------------------------------


@given(
    seats=st.lists(
        st.tuples(st.integers(0, 30), st.booleans(), st.integers(0, 3)), min_size=2, max_size=6
    )
)
def test_payoffs_are_those_of_the_rules(seats: list[tuple[int, bool, int]]) -> None:
    spent, folded, strength = zip(*seats, strict=True)
    standings = np.array(strength, np.int8)
    mask = sum(1 << seat for seat, out in enumerate(folded) if out)
    ranks = tuple(-1 if out else rank for out, rank in zip(folded, strength, strict=True))
    rules = share_layers(spent, ranks)
    chips = np.array(spent, np.int32)
    ours = [kernels.payoff(chips, mask, standings, seat) for seat in range(len(seats))]
    assert ours == pytest.approx([float(won) for won in rules], abs=1e-12)
    assert sum(ours) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("pure", [False, True])
@pytest.mark.parametrize(
    "game", [KUHN, Game.parse(SHORT_STACKS, name="short")], ids=lambda g: g.name
)
def test_traversals_equal_their_twin(game: Game, pure: bool) -> None:
    subject = solver_of(game, batch=64, interval=64)
    deals = subject.source.deals(300, np.array([5], dtype=np.uint64))
    packed = subject._packed
    twin = Sampler(packed, subject.regret.size, seed=99)
    state = np.array([99], dtype=np.uint64)
    for _ in range(3):
        kernels.run_deals(
            packed,
            subject.regret,
            subject.average,
            deals.buckets,
            deals.results,
            pure,
            -np.inf,
            0.0,
            0.0,
            deal_frames(packed),
            state,
        )
        kernels.average_deals(packed, subject.regret, subject.average, deals.buckets, pure, state)
        twin.run_deals(list(zip(deals.buckets, deals.standings, strict=True)), pure)
        twin.average_deals(list(deals.buckets), pure)
    np.testing.assert_array_equal(subject.regret, twin.regret)
    np.testing.assert_array_equal(subject.average, twin.average)
    assert int(state[0]) == twin.rng.state


def test_short_stacks_have_side_pots() -> None:
    tree = BettingTree.build(BettingModel.parse("limit"), Game.parse(SHORT_STACKS, name="short"))
    shown = tree.spent[(tree.kind == 2) & (tree.folded == 0)]
    assert any(len(set(row)) == 3 for row in shown.tolist())


# Exact evaluation by enumeration of all deals -----------------------------------------------------


class Exact:
    """Three-player Kuhn with a strategy, every deal and every betting sequence."""

    def __init__(self, strategy: TableStrategy) -> None:
        self.strategy, self.tree = strategy, strategy.tree
        self.deals = list(permutations(range(4), 3))

    def chances(self, node: int, card: int) -> np.ndarray[Any, Any]:
        return self.strategy.probabilities(node, np.array([card]))[0]

    def payoff(self, node: int, deal: tuple[int, ...], seat: int) -> float:
        folded = int(self.tree.folded[node])
        ranks = tuple(-1 if folded >> s & 1 else card for s, card in enumerate(deal))
        return float(share_layers(tuple(self.tree.spent[node].tolist()), ranks)[seat])

    def values(self) -> list[float]:
        """What each seat wins on average."""

        def value(node: int, deal: tuple[int, ...], seat: int) -> float:
            if self.tree.kind[node] != DECISION:
                return self.payoff(node, deal, seat)
            chances = self.chances(node, deal[self.tree.actor[node]])
            below = self.tree.children_of(node).tolist()
            return sum(
                float(chance) * value(child, deal, seat)
                for chance, child in zip(chances, below, strict=True)
            )

        return [sum(value(0, deal, seat) for deal in self.deals) / 24 for seat in range(3)]

    def best_response(self, seat: int) -> float:
        """What a seat wins that answers the strategies of the others as well as possible."""

        def value(node: int, reach: dict[tuple[int, ...], float]) -> float:
            if self.tree.kind[node] != DECISION:
                return sum(w * self.payoff(node, deal, seat) for deal, w in reach.items())
            below = self.tree.children_of(node).tolist()
            actor = int(self.tree.actor[node])
            if actor == seat:
                return max(value(child, reach) for child in below)
            return sum(
                value(
                    child,
                    {d: w * float(self.chances(node, d[actor])[k]) for d, w in reach.items()},
                )
                for k, child in enumerate(below)
            )

        total = 0.0
        for card in range(4):
            total += value(0, {deal: 1 / 24 for deal in self.deals if deal[seat] == card})
        return total

    def gains(self) -> list[float]:
        values = self.values()
        return [self.best_response(seat) - values[seat] for seat in range(3)]


@pytest.mark.parametrize("method", ["external", "pure"])
def test_gains_of_three_player_kuhn_fall_to_zero(method: str) -> None:
    subject = solver_of(KUHN, method=method, batch=256, interval=4096, seed=7)
    found = []
    for iterations in (4096, 1 << 16, 1 << 20):
        subject.advance(iterations - subject.iteration)
        gains = Exact(TableStrategy(subject.tree, subject.tables())).gains()
        assert min(gains) > -1e-6
        found.append(max(gains))
    assert found[0] > found[1] > found[2]
    assert found[2] < 0.01, found
    assert len(subject.regret_bound()) == 3
    assert max(subject.regret_bound()) < 0.05
    # 4 cards; seat 0 decides at 4 histories, and so do the others; each with 2 actions.
    assert subject.sizes() == ([16, 16, 16], [33, 33, 33])


def openspiel_values(strategy: TableStrategy) -> Iterator[float]:
    """Expected values of a strategy in OpenSpiel's game, by its own rules."""
    pyspiel = pytest.importorskip("pyspiel")

    def value(state: Any, node: int) -> np.ndarray[Any, Any]:
        if state.is_terminal():
            assert strategy.tree.kind[node] != DECISION
            return np.array(state.returns())
        if state.is_chance_node():
            return sum(p * value(state.child(a), node) for a, p in state.chance_outcomes())
        actor = state.current_player()
        assert strategy.tree.actor[node] == actor
        chances = strategy.probabilities(node, np.array([state.history()[actor]]))[0]
        below = strategy.tree.children_of(node).tolist()
        # Pass is the first of our two actions (check, or fold), bet the second (bet, or call).
        return sum(
            chances[action] * value(state.child(action), below[action])
            for action in state.legal_actions()
        )

    game = pyspiel.load_game("kuhn_poker", {"players": 3})
    return iter(value(game.new_initial_state(), 0).tolist())


@pytest.mark.parametrize("iterations", [4096, 1 << 15])
def test_values_are_those_of_openspiel(iterations: int) -> None:
    subject = solver_of(KUHN, batch=256, interval=4096, seed=3)
    subject.advance(iterations)
    strategy = TableStrategy(subject.tree, subject.tables())
    values = Exact(strategy).values()
    assert values == pytest.approx(list(openspiel_values(strategy)), abs=1e-7)
    assert sum(values) == pytest.approx(0.0, abs=1e-6)


def test_averages_weigh_by_the_seats_own_reach() -> None:
    """Visits of the path walk: own reach times even chances of the others, whatever they play."""
    subject = solver_of(KUHN, batch=64, interval=64)
    packed, tree = subject._packed, subject.tree
    rng = np.random.default_rng(4)
    subject.regret[:] = rng.uniform(-1, 1, subject.regret.size)
    deals = subject.source.deals(60_000, np.array([8], dtype=np.uint64))
    kernels.average_deals(
        packed, subject.regret, subject.average, deals.buckets, False, np.array([2], np.uint64)
    )
    node = tree.find([1, 1, 2])  # check, check, bet: seat 0 to act with own reach of its check
    first = subject.regret[: packed.width[0] * 4].reshape(4, -1)
    offset, root = packed.nodes[node, 5], packed.nodes[0, 5]
    for card in range(4):
        own = np.maximum(first[card, root : root + 2], 0)
        reach = own[0] / own.sum() if own.sum() else 0.5
        visits = subject.average.reshape(4, -1)[card, offset : offset + 2].sum()
        expected = 60_000 / 4 * reach / 4  # two even choices of the others
        assert visits == pytest.approx(expected, abs=5 * float(np.sqrt(expected)))


# The solver ---------------------------------------------------------------------------------------


def test_a_strategy_of_three_players_is_saved_and_loaded(tmp_path: Path) -> None:
    subject = solver_of(KUHN, batch=256, interval=4096)
    subject.advance(8192)
    strategy = TableStrategy(subject.tree, subject.tables())
    save_strategy(strategy, tmp_path)
    loaded = load_strategy(tmp_path)
    assert loaded.tree.game == KUHN
    for ours, theirs in zip(strategy.tables, loaded.tables, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert Exact(loaded).gains() == Exact(strategy).gains()


def test_the_same_seed_gives_the_same_bytes_and_checkpoints_resume(tmp_path: Path) -> None:
    whole, first, resumed = (solver_of(KUHN, batch=256, interval=4096, seed=5) for _ in range(3))
    whole.advance(16_384)
    Run(first, tmp_path).until(Limits(iterations=8192))
    run = Run(resumed, tmp_path)
    assert run.restore()
    run.until(Limits(iterations=16_384))
    assert resumed.regret.tobytes() == whole.regret.tobytes()
    assert resumed.average.tobytes() == whole.average.tobytes()


def test_public_chance_sampling_is_for_two() -> None:
    with pytest.raises(DoyleError, match="pcs is for two players, and it has 3"):
        solver_of(KUHN, method="pcs")


def test_deals_of_another_number_of_hands_are_refused() -> None:
    tree = BettingTree.build(BettingModel.parse("limit"), KUHN)
    subject = SamplingSolver(tree, SmallDeals(Game.named("kuhn")))
    with pytest.raises(DoyleError, match="deals of 2 hands, and kuhn-3p has 3 players"):
        subject.advance(1)


class EveryThird:
    """What deals ask of a card abstraction: three buckets by hole index in every round."""

    spec = "every third"

    def bucket_count(self, _: int) -> int:
        return 3

    def deal_buckets(self, holes: np.ndarray[Any, Any], _: object) -> np.ndarray[Any, Any]:
        low, high = holes.min(axis=2).astype(int), holes.max(axis=2).astype(int)
        bucket = (high * (high - 1) // 2 + low) % 3
        return np.repeat(bucket[:, :, None], 4, axis=2).astype(np.int32)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_holdem_deals_of_any_number_of_seats(players: int) -> None:
    source = HoldemDeals(EveryThird(), players=players)  # type: ignore[arg-type]
    state = np.array([3], dtype=np.uint64)
    deals = source.deals(50, state.copy())
    cards = np.empty((50, 2 * players + 5), np.uint8)
    kernels.deal_cards(cards, 52, state)
    for dealt, standings in zip(cards.tolist(), deals.standings.tolist(), strict=True):
        holes = [dealt[2 * seat : 2 * seat + 2] for seat in range(players)]
        ranks = [rank_hand((*hole, *dealt[2 * players :])) for hole in holes]
        assert standings == [sum(other < rank for other in ranks) for rank in ranks]
    assert deals.buckets.shape == (50, players, 4)


@pytest.mark.parametrize("method", ["external", "pure"])
def test_three_player_limit_holdem_is_sampled(method: str) -> None:
    game = three_player_game(20)  # stacks of 20, 30 and 45, so side pots
    tree = BettingTree.build(BettingModel.parse("limit"), game)
    deals = HoldemDeals(EveryThird(), players=3)  # type: ignore[arg-type]
    options = SamplingOptions(method=method, batch=512, interval=2048)  # type: ignore[arg-type]
    subject = SamplingSolver(tree, deals, options)
    subject.advance(2048)
    early = sum(subject.regret_bound())
    subject.advance(60_000)
    assert sum(subject.regret_bound()) < early / 2
    strategy = TableStrategy(tree, subject.tables())
    for node in tree.decisions[:200].tolist():
        rows = strategy.probabilities(node, np.arange(3))
        np.testing.assert_allclose(rows.sum(axis=1), 1.0, atol=1e-6)
