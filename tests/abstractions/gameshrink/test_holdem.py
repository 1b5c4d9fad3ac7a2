"""GameShrink for Hold'em of any deck: equal to the listed signals' classes, stored, resumable."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.abstractions.gameshrink.holdem import (
    describe,
    shrink_game,
    shrink_holdem,
    signals_of,
    stored_counts,
)
from doyle.abstractions.gameshrink.holdem_classes import HoldemClasses
from doyle.abstractions.gameshrink.isomorphism_classes import IsomorphismClasses, stored_kinds
from doyle.abstractions.gameshrink.shrinking import Relation, SignalClasses, _Isomorphism, shrink
from doyle.abstractions.gameshrink.signals import SignalTree
from doyle.base.artifacts import Store
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.cards import parse_cards
from doyle.cards._strength_kernels import board_scratch, strength_of_boards
from doyle.cards.cards import hole_index
from doyle.cards.ranking import rank_tables
from doyle.cards.suits.boards import Deck
from doyle.cards.suits.relabelling import orbit_counts
from doyle.games import Game, bundled_names
from tests.abstractions.cards.short_holdem import short_holdem
from tests.reference import shrink_twin as twin

RELATIONS: tuple[Relation, ...] = ("suits", "lossless", "matching")
GAMES = {
    game.name: game
    for game in (
        short_holdem(5, 2, (0, 3)),
        short_holdem(3, 4, (0, 3)),
        short_holdem(4, 2, (0, 3, 1)),
        short_holdem(3, 3, (0, 3, 1)),
        short_holdem(5, 2, (0, 3, 1, 1)),
        short_holdem(3, 3, (0, 3, 1, 1)),
    )
}
LARGEST = "holdem-5x2-4"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("shrink"))


@cache
def listed(name: str, relation: Relation) -> SignalClasses:
    return shrink(GAMES[name], relation=relation)


def deals(game: Game, count: int, seed: int) -> list[list[int]]:
    rng = random.Random(seed)
    return [rng.sample(game.deck, 2 + game.board_ends[-1]) for _ in range(count)]


def numbers(classes: SignalClasses | HoldemClasses, cards: list[int]) -> list[int]:
    """The class of a deal in every round."""
    ends = classes.game.board_ends if isinstance(classes, SignalClasses) else classes.signals.ends
    return [classes.find(cards[:2], cards[2 : 2 + end]) for end in ends]


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("name", GAMES)
def test_classes_are_those_of_listed_signals(name: str, relation: Relation, store: Store) -> None:
    game = GAMES[name]
    expected = listed(name, relation)
    found = shrink_holdem(signals_of(game), relation=relation, store=store)
    assert found.counts == expected.counts
    there: dict[tuple[int, int], int] = {}
    back: dict[tuple[int, int], int] = {}
    for cards in deals(game, 120, 1):
        pairs = zip(numbers(expected, cards), numbers(found, cards), strict=True)
        for round, (one, other) in enumerate(pairs):
            assert 0 <= other < found.counts[round]
            assert there.setdefault((round, one), other) == other
            assert back.setdefault((round, other), one) == one
    for round in range(2):
        weights = sorted(found.weights(round).tolist())
        assert weights == sorted(expected.weights(round).tolist())


@pytest.mark.parametrize("relation", RELATIONS)
def test_every_number_is_some_class_and_knows_its_parent(relation: Relation, store: Store) -> None:
    game = GAMES["holdem-3x3-4"]
    found = shrink_holdem(signals_of(game), relation=relation, store=store)
    tree = SignalTree.build(game)
    for round, level in enumerate(tree.rounds):
        parents = found.parents(round) if round < 3 else None
        seen = set()
        for signal in level.signals:
            board = sum(signal[1:], ())
            number = found.find(signal[0], board)
            seen.add(number)
            if parents is not None:
                above = found.find(signal[0], board[: game.board_ends[round - 1]])
                assert parents[number] == above
        assert seen == set(range(found.counts[round]))


@pytest.mark.parametrize(("ranks", "suits"), [(2, 4), (4, 2), (3, 3)])
def test_orbits_by_burnside_and_by_listing(ranks: int, suits: int) -> None:
    game = short_holdem(ranks, suits, (0, 3, 1))
    assert orbit_counts(ranks, suits, (2, 3, 1)) == shrink(game, relation="suits").counts


def test_kinds_are_multisets_of_kinds(store: Store) -> None:
    """On a deck of nine cards: wins and losses by ranking every hand, then multisets of those."""
    deck = Deck(3, 3)
    tree = stored_kinds(deck, (0, 3, 4), store=store)
    cards = deck.cards.tolist()
    plain: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, int]] = {}
    for board in combinations(range(9), 4):
        for hole, results in twin.showdowns(cards, board).items():
            code = twin.code_of(list(results.values()))
            plain[hole, board] = ((code >> 10) - 1024, code & 1023)
            kind = tree.find(hole, board)
            assert tuple(tree.rounds[2].sums[kind]) == plain[hole, board]
    flops = list(combinations(range(9), 3))
    alike: dict[tuple[tuple[tuple[int, int], int], ...], int] = {}
    for flop in flops:
        free = [card for card in range(9) if card not in flop]
        for hole in combinations(free, 2):
            below = Counter(
                plain[hole, tuple(sorted((*flop, card)))] for card in free if card not in hole
            )
            kind = tree.find(hole, flop)
            assert alike.setdefault(tuple(sorted(below.items())), kind) == kind
            assert tree.rounds[1].classes[kind, 0] == len(below)
            children = [
                tuple(tree.rounds[2].sums[child]) for child in tree.rounds[1].children[kind]
            ]
            assert Counter(children) == below
    assert len(alike) == len(tree.rounds[1])


@pytest.mark.parametrize("name", ["holdem-5x2-2", "holdem-3x3-3", LARGEST])
@pytest.mark.parametrize("threshold", [1e-9, 0.05, 0.2, 0.5, 2.0])
def test_lossy_classes_are_within_the_threshold(name: str, threshold: float, store: Store) -> None:
    """Every member has a matching with its class's first member that costs at most the threshold,
    by the best matching of the listed signals; so any two are within twice that."""
    game = GAMES[name]
    found = shrink_holdem(signals_of(game), threshold, relation="matching", store=store)
    exact = listed(name, "matching")
    if threshold == 1e-9:
        assert found.counts == exact.counts
    if threshold == 2.0:
        assert set(found.counts) == {1}
    assert all(a <= b for a, b in zip(found.counts, exact.counts, strict=True))
    isomorphism = _Isomorphism(exact.tree)
    members: dict[tuple[int, int], list[int]] = {}
    parents: dict[tuple[int, int], int] = {}
    for cards in deals(game, 60, 2):
        own = numbers(found, cards)
        for round, end in enumerate(game.board_ends):
            assert 0 <= own[round] < found.counts[round]
            if round:
                assert parents.setdefault((round, own[round]), own[round - 1]) == own[round - 1]
            _, signal = exact.tree.find(cards[:2], cards[2 : 2 + end])
            members.setdefault((round, own[round]), []).append(
                int(isomorphism.kinds[round][signal])
            )
    for (round, _), kinds in members.items():
        if round or game.board_ends[-1] < 5:
            gaps = [isomorphism.distance(round, kinds[0], kind) for kind in kinds[:6]]
            assert max(gaps) <= 2 * threshold + 1e-12


def test_thresholds_on_short_decks(store: Store) -> None:
    """Where the sorted matching is the best one, the counts are those of the listed signals."""
    for name, threshold in (("holdem-5x2-2", 0.2), ("holdem-4x2-3", 0.5)):
        expected = shrink(GAMES[name], threshold).counts
        found = shrink_holdem(signals_of(GAMES[name]), threshold, relation="matching", store=store)
        assert found.counts == expected


@pytest.mark.parametrize(
    ("relation", "threshold"),
    [("suits", 0.0), ("lossless", 0.0), ("matching", 0.0), ("matching", 0.1)],
)
@settings(deadline=None, max_examples=15)
@given(suits=st.permutations(range(3)), order=st.permutations(range(9)))
def test_relabelling_suits_changes_nothing(
    relation: Relation, threshold: float, suits: list[int], order: list[int], store: Store
) -> None:
    game = GAMES["holdem-3x3-4"]
    classes = shrink_holdem(signals_of(game), threshold, relation=relation, store=store)
    cards = [game.deck[place] for place in order[:7]]
    renamed = [card - card % 4 + 1 + suits[card % 4 - 1] for card in cards]
    assert numbers(classes, cards) == numbers(classes, renamed)


def arrays_of(store: Store, relation: Relation, threshold: float) -> dict[str, bytes]:
    artifact = store.find(describe(signals_of(GAMES[LARGEST]), relation, threshold))
    assert artifact is not None
    return {path.name: path.read_bytes() for path in artifact.folder.glob("*.bin")} | {
        "counts": str(artifact.metadata).encode()
    }


KILLED = """
import os, signal, sys
from pathlib import Path
from doyle.base.artifacts import Store
from doyle.abstractions.gameshrink.holdem import shrink_holdem, signals_of
from tests.abstractions.cards.short_holdem import short_holdem

def progress(label, done, total):
    if label == sys.argv[4] and done == 2:
        os.kill(os.getpid(), signal.SIGKILL)

shrink_holdem(
    signals_of(short_holdem(5, 2, (0, 3, 1, 1))), float(sys.argv[3]), relation=sys.argv[2],
    store=Store(Path(sys.argv[1])), progress=progress,
)
"""


@pytest.mark.parametrize(
    ("relation", "threshold", "label"),
    [
        ("lossless", 0.0, "lossless step 1"),
        ("matching", 0.0, "kinds on 4 cards"),
        ("matching", 0.1, "merging later hands"),
    ],
)
def test_a_killed_build_goes_on_to_the_same_bytes(
    relation: Relation, threshold: float, label: str, store: Store, tmp_path: Path
) -> None:
    signals = signals_of(GAMES[LARGEST])
    arguments = [str(tmp_path), relation, str(threshold), label]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, *arguments],
        env=os.environ | {"DOYLE_QUIET": "1"},
        capture_output=True,
        check=False,
    )
    assert killed.returncode == -9, killed.stderr.decode()
    again = Store(tmp_path)
    assert again.find(describe(signals, relation, threshold)) is None
    shrink_holdem(signals, threshold, relation=relation, store=again, workers=Workers(2))
    shrink_holdem(signals, threshold, relation=relation, store=store)
    assert arrays_of(again, relation, threshold) == arrays_of(store, relation, threshold)
    assert again.unfinished() == []


def test_games_of_one_deck_share_what_is_stored(store: Store) -> None:
    holdem = [name for name in bundled_names() if "holdem" in name or name == "doyle-500bb"]
    parameters = {str(signals_of(Game.named(name)).parameters) for name in holdem}
    assert len(holdem) >= 6
    assert len(parameters) == 1
    signals = signals_of(GAMES[LARGEST])
    for relation in RELATIONS:
        shrink_holdem(signals, relation=relation, store=store)
    assert stored_counts(signals, store=store) == {
        relation: list(listed(LARGEST, relation).counts) for relation in RELATIONS
    }
    assert stored_counts(signals_of(Game.named("holdem-nl-200bb")), store=store) == {}


def test_small_games_are_listed(store: Store) -> None:
    assert isinstance(shrink_game(GAMES[LARGEST], store=store), SignalClasses)
    assert shrink_game(Game.named("leduc"), store=store).counts == (3, 9)


def test_what_is_not_listed_is_refused(store: Store) -> None:
    classes = shrink_holdem(signals_of(GAMES[LARGEST]), relation="matching", store=store)
    with pytest.raises(DoyleError, match="not listed"):
        classes.weights(2)
    with pytest.raises(DoyleError, match="not listed"):
        classes.parents(3)
    assert classes.parents(0) is None
    deck = GAMES[LARGEST].deck
    with pytest.raises(DoyleError, match="different cards"):
        classes.find(deck[:2], (deck[0], *deck[2:4]))
    with pytest.raises(DoyleError, match="different cards"):
        classes.find((0, 1))
    with pytest.raises(DoyleError, match="2 board cards"):
        classes.find(deck[:2], deck[2:4])
    with pytest.raises(DoyleError, match="not a Hold'em game"):
        signals_of(Game.named("leduc"))


def test_full_deck_up_to_suits(store: Store) -> None:
    """Counted by listing flop hands and by Burnside's lemma."""
    game = Game.named("holdem-nl-200bb")
    classes = shrink_game(game, relation="suits", store=store)
    assert classes.counts == orbit_counts(13, 4, (2, 3, 1, 1))
    assert classes.counts == (169, 1_286_792, 55_190_538, 2_428_287_420)
    assert int(classes.weights(1).sum()) == 25_989_600
    rng = np.random.default_rng(0)
    for _ in range(20):
        cards = rng.choice(52, 7, replace=False).tolist()
        suits = rng.permutation(4).tolist()
        renamed = [card - card % 4 + suits[card % 4] for card in cards]
        for end in (0, 3, 4, 5):
            number = classes.find(cards[:2], cards[2 : 2 + end])
            assert number == classes.find(renamed[:2], renamed[2 : 2 + end])


def results_of(hole: list[int], board: list[int]) -> dict[int, tuple[int, int]]:
    """Wins and losses of a hole after each next card of a four-card board."""
    rivers = [card for card in range(52) if card not in (*hole, *board)]
    boards = np.array([[*board, river] for river in rivers], np.uint8)
    win, tie, loss = (np.zeros((len(rivers), 1326), np.int32) for _ in range(3))
    strength_of_boards(rank_tables(7), boards, board_scratch(), win, tie, loss)
    own = hole_index(*hole)
    return {card: (int(win[i, own]), int(loss[i, own])) for i, card in enumerate(rivers)}


@pytest.mark.slow
def test_full_deck_matching(tmp_path: Path) -> None:
    """Under some flops: turns of one class have the same multiset of results, and others not."""
    game = Game.named("holdem-limit-3p")
    classes = shrink_game(game, relation="matching", store=Store(tmp_path), workers=Workers(2))
    assert all(
        a <= b for a, b in zip(classes.counts, orbit_counts(13, 4, (2, 3, 1, 1)), strict=True)
    )
    rng = np.random.default_rng(1)
    for _ in range(4):
        hole, flop = np.split(rng.choice(52, 5, replace=False), [2])
        kinds: dict[tuple[tuple[int, int], ...], set[int]] = {}
        for turn in set(range(52)) - {*hole.tolist(), *flop.tolist()}:
            board = [*flop.tolist(), turn]
            results = results_of(hole.tolist(), board)
            own = classes.find(hole.tolist(), board)
            kinds.setdefault(tuple(sorted(results.values())), set()).add(own)
            rivers: dict[tuple[int, int], set[int]] = {}
            for river, result in list(results.items())[::7]:
                rivers.setdefault(result, set()).add(classes.find(hole.tolist(), [*board, river]))
            assert all(len(found) == 1 for found in rivers.values())
            assert len(set().union(*rivers.values())) == len(rivers)
        assert all(len(found) == 1 for found in kinds.values())
        assert len(set().union(*kinds.values())) == len(kinds)


@pytest.mark.slow
def test_full_deck_lossless_is_up_to_suits(tmp_path: Path) -> None:
    """Nothing but suits merges: as many classes as orbits, and the same hands in them."""
    signals = signals_of(Game.named("holdem-nl-200bb"))
    store = Store(tmp_path)
    lossless = shrink_holdem(signals, relation="lossless", store=store, workers=Workers(2))
    suits = shrink_holdem(signals, relation="suits", store=store)
    assert lossless.counts == suits.counts == orbit_counts(13, 4, (2, 3, 1, 1))
    rng = np.random.default_rng(2)
    for _ in range(20):
        cards = rng.choice(52, 7, replace=False).tolist()
        images = rng.permutation(4).tolist()
        renamed = [card - card % 4 + images[card % 4] for card in cards]
        assert numbers(lossless, cards) == numbers(lossless, renamed)
        other = [*cards[:6], int(rng.choice([c for c in range(52) if c not in cards]))]
        apart = numbers(suits, cards)[3] != numbers(suits, other)[3]
        assert (numbers(lossless, cards)[3] != numbers(lossless, other)[3]) == apart
    # A river in either of two suits that cannot make a flush: as many hands are beaten, not the same.
    matching = shrink_holdem(signals, relation="matching", store=store, workers=Workers(2))
    hole = parse_cards("7d6d")
    rivers = [parse_cards(text) for text in ("Ks8s3d5h2c", "Ks8s3d5h2h")]
    assert len({matching.find(hole, board) for board in rivers}) == 1
    assert len({lossless.find(hole, board) for board in rivers}) == 2


def test_kinds_are_loaded_as_they_were_stored(store: Store) -> None:
    first = stored_kinds(Deck(3, 3), (0, 3, 4), store=store)
    again = stored_kinds(Deck(3, 3), (0, 3, 4), store=store)
    assert isinstance(again, IsomorphismClasses)
    for one, other in zip(first.rounds, again.rounds, strict=True):
        assert np.array_equal(one.sums, other.sums)
        assert np.array_equal(one.children, other.children)


def test_classes_that_do_not_fit_into_memory_are_refused(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Full Hold'em holds about 2 GiB while its classes are made; it says so before it begins."""
    monkeypatch.setattr(
        "doyle.abstractions.gameshrink.isomorphism_classes.usable_memory", lambda: 1 << 30
    )
    monkeypatch.setattr(
        "doyle.abstractions.gameshrink.isomorphism_classes._ClassesTask",
        lambda *_: pytest.fail("the work began"),
    )
    with pytest.raises(DoyleError, match=r"52 cards needs 2\.0 GiB of memory, and there are 1\.0"):
        stored_kinds(Deck(13, 4), (0, 3, 4, 5), store=store)
