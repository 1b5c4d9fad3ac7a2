"""GameShrink: the published size of Rhode Island Hold'em, what is and is not lossless, symmetry."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.abstractions.gameshrink.shrinking import SignalClasses, shrink
from doyle.abstractions.gameshrink.signals import SignalTree
from doyle.base.errors import DoyleError
from doyle.games import Game
from tests.reference.restricted_value import all_deals, restricted_value
from tests.reference.shrunk_game import joint_classes, public_boards

RHODE_ISLAND = Game.named("rhode-island")
LEDUC = Game.named("leduc")
SHORT_HOLDEM = Game.parse(
    "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 2\nblind = 1 2\nraiseSize = 2 4\n"
    "firstPlayer = 2 1\nmaxRaises = 2 2\nnumSuits = 2\nnumRanks = 5\nnumHoleCards = 2\n"
    "numBoardCards = 0 3\nEND GAMEDEF\n",
    "short-holdem",
)


def sequences(counts: tuple[int, ...]) -> int:
    """Both seats' sequences that do not end in a fold: 7 of each seat's actions a round are not
    folds, and 7 betting sequences lead from each round to the next; and the two empty ones."""
    return 2 + sum(2 * 7 * 7**number * count for number, count in enumerate(counts))


def test_published_size_of_rhode_island() -> None:
    """JACM 2007, section 5: 91,224,226 sequences before GameShrink and 1,237,238 after."""
    assert sequences((52, 52 * 51, 52 * 51 * 50)) == 91_224_226
    assert sequences(shrink(RHODE_ISLAND, relation="matching").counts) == 1_237_238


def test_classes_of_rhode_island() -> None:
    """By suits: 13 ranks; 13 pairs + 13 * 12 * 2 suited or not; 13 triples + 3 * 13 * 12 * 3 pairs
    + 13 * 12 * 11 * 5 others, by which of the three cards share a suit."""
    by_suits = shrink(RHODE_ISLAND, relation="suits").counts
    assert by_suits == (13, 13 + 13 * 12 * 2, 13 + 3 * 13 * 12 * 3 + 13 * 12 * 11 * 5)
    assert shrink(RHODE_ISLAND, relation="matching").counts == (13, 205, 1774)
    assert shrink(RHODE_ISLAND).counts == (13, 325, 7969)


def test_classes_of_kuhn_and_leduc() -> None:
    """Kuhn: nothing merges. Leduc: suits never matter, so 3 ranks, then 3 * 3 with the board; the
    matching also merges the two boards that a queen misses, and the two that an ace misses."""
    assert shrink(Game.named("kuhn")).counts == (3,)
    assert shrink(LEDUC).counts == (3, 9)
    assert shrink(LEDUC, relation="suits").counts == (3, 3 + 6 * 2)
    assert shrink(LEDUC, relation="matching").counts == (3, 7)


def test_lossless_keeps_the_value_of_leduc_and_matching_does_not() -> None:
    cards = shrink(LEDUC, relation="suits").find
    classes = shrink(LEDUC).find
    matched = shrink(LEDUC, relation="matching").find
    value = restricted_value(LEDUC, (cards, cards))
    assert value == pytest.approx(-0.0856064, abs=1e-7)
    assert restricted_value(LEDUC, (classes, cards)) == pytest.approx(value, abs=1e-9)
    assert restricted_value(LEDUC, (cards, classes)) == pytest.approx(value, abs=1e-9)
    assert restricted_value(LEDUC, (matched, cards)) < value - 0.04


@pytest.mark.parametrize("relation", ["lossless", "matching", "suits"])
@settings(deadline=None, max_examples=25)
@given(st.permutations(range(4)), st.permutations(range(52)))
def test_relabelling_suits_changes_nothing(
    relation: str, suits: list[int], cards: list[int]
) -> None:
    classes = shrink(RHODE_ISLAND, relation=relation)  # type: ignore[arg-type]
    hole, flop, turn = cards[:3]
    renamed = [card - card % 4 + suits[card % 4] for card in (hole, flop, turn)]
    for end in (1, 2, 3):
        own, other = (hole, flop, turn)[:end], renamed[:end]
        assert classes.find(own[:1], own[1:]) == classes.find(other[:1], other[1:])


@pytest.mark.parametrize("relation", ["lossless", "matching", "suits"])
@pytest.mark.parametrize("game", [LEDUC, SHORT_HOLDEM], ids=["leduc", "short-holdem"])
def test_weights_parents_and_joint_counts_agree_with_dealing(game: Game, relation: str) -> None:
    classes = shrink(game, relation=relation)  # type: ignore[arg-type]
    for number in range(game.rounds):
        joint = joint_classes(classes, number)
        parents = classes.parents(number)
        boards = public_boards(classes, number)
        marginal = np.zeros(classes.counts[number], np.int64)
        np.add.at(marginal, joint.first, joint.deals)
        opponents = joint.deals.sum() // classes.weights(number).sum()
        assert np.array_equal(marginal, classes.weights(number) * opponents)
        assert boards.weight.sum() * len(classes.holes) >= classes.weights(number).sum()
        if parents is not None:
            folded = np.zeros(classes.counts[number - 1], np.int64)
            np.add.at(folded, parents, classes.weights(number))
            ratio = classes.weights(number).sum() // classes.weights(number - 1).sum()
            assert np.array_equal(folded, classes.weights(number - 1) * ratio)
    assert joint.deals.sum() == 2 * (joint.wins.sum()) + joint.ties.sum()


def test_joint_counts_deal_by_deal() -> None:
    classes = shrink(LEDUC)
    counted: dict[tuple[int, int], list[int]] = {}
    for deal in all_deals(LEDUC):
        cell = (classes.find(deal.hole[0], deal.board), classes.find(deal.hole[1], deal.board))
        ranks = [(hole[0] // 4 == deal.board[0] // 4, hole[0] // 4) for hole in deal.hole]
        entry = counted.setdefault(cell, [0, 0, 0])
        entry[0] += 1
        entry[1] += ranks[0] > ranks[1]
        entry[2] += ranks[0] == ranks[1]
    joint = joint_classes(classes, 1)
    found = {
        (int(a), int(b)): [int(d), int(w), int(t)]
        for a, b, d, w, t in zip(
            joint.first, joint.second, joint.deals, joint.wins, joint.ties, strict=True
        )
    }
    assert found == counted


def refines(finer: SignalClasses, coarser: SignalClasses) -> bool:
    return all(
        len(set(zip(a.tolist(), b.tolist(), strict=True))) == a.max() + 1
        for a, b in zip(finer.class_of, coarser.class_of, strict=True)
    )


@pytest.mark.parametrize("game", [LEDUC, SHORT_HOLDEM], ids=["leduc", "short-holdem"])
def test_relations_refine_each_other(game: Game) -> None:
    suits, lossless, matching = (
        shrink(game, relation=relation) for relation in ("suits", "lossless", "matching")
    )
    assert refines(suits, lossless)
    assert refines(lossless, matching)


@pytest.mark.parametrize("threshold", [0.1, 0.4, 2.0])
def test_threshold_merges_more_and_within_its_distance(threshold: float) -> None:
    exact, lossy = shrink(SHORT_HOLDEM, relation="matching"), shrink(SHORT_HOLDEM, threshold)
    assert lossy.counts[0] <= exact.counts[0]
    assert lossy.counts[1] <= exact.counts[1]
    if threshold == 2.0:
        assert lossy.counts == (1, 1)
    results = lossy.tree.showdowns.results
    wins, losses = (results > 0).mean(axis=1), (results < 0).mean(axis=1)
    for number in range(lossy.counts[1]):
        members = np.flatnonzero(lossy.class_of[1] == number)
        first = members[0]
        gap = np.abs(wins[members] - wins[first]) + np.abs(losses[members] - losses[first])
        assert gap.max() <= threshold + 1e-12


def test_matching_distance_is_the_best_over_all_matchings() -> None:
    from doyle.abstractions.gameshrink.shrinking import _Isomorphism

    isomorphism = _Isomorphism(SignalTree.build(LEDUC))
    for first, second in ((0, 1), (1, 2), (0, 2)):
        rows, columns = isomorphism.children[0][first], isomorphism.children[0][second]
        best = min(
            np.mean(
                [isomorphism.distance(1, int(a), int(b)) for a, b in zip(rows, order, strict=True)]
            )
            for order in permutations(columns)
        )
        assert isomorphism.distance(0, first, second) == pytest.approx(best, abs=1e-12)


def test_bad_input() -> None:
    with pytest.raises(DoyleError, match="threshold"):
        shrink(LEDUC, -1.0)
    with pytest.raises(DoyleError, match="relation"):
        shrink(LEDUC, relation="same")  # type: ignore[arg-type]
    with pytest.raises(DoyleError, match="too many"):
        shrink(Game.named("holdem-nl-200bb"))
    with pytest.raises(DoyleError, match="not a hand"):
        shrink(LEDUC).find((51,), (51,))
    with pytest.raises(DoyleError, match="2 board cards"):
        shrink(LEDUC).find((51,), (50, 47))
