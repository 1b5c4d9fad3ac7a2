"""The best response over all cards, against plain recursion on reduced decks."""

from __future__ import annotations

import zlib
from itertools import permutations

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.games import Game
from doyle.measuring.full_cards.response import FullCardResponse
from doyle.solving.games import PublicGame, whole_game
from doyle.strategy import Layout, TableStrategy, purified
from tests.reference.full_card_response import PlainResponse

SMALL = """GAMEDEF
nolimit
numPlayers = 2
numRounds = {rounds}
stack = {stack} {stack}
blind = 2 1
firstPlayer = 2 {first}
numSuits = 2
numRanks = {ranks}
numHoleCards = 2
numBoardCards = 0 {flop} {turn}
END GAMEDEF
"""
BUCKETS = 5


def canonical_text(hole: tuple[int, ...], board: tuple[int, ...], flop: int) -> str:
    """The same text for all suit renamings of a hand on a board."""
    forms = []
    for image in permutations((2, 3)):
        renamed = {2: image[0], 3: image[1]}

        def move(cards: tuple[int, ...], renamed: dict[int, int] = renamed) -> list[int]:
            return sorted(card - card % 4 + renamed[card % 4] for card in cards)

        forms.append(str((move(hole), move(board[:flop]), move(board[flop:]))))
    return min(forms)


class HashedBuckets:
    """Arbitrary buckets that respect suit renaming: the worst card abstraction there is."""

    def __init__(self, dealt: PublicGame, flop: int) -> None:
        self.dealt, self.flop = dealt, flop

    def bucket(self, hole: tuple[int, ...], board: tuple[int, ...]) -> int:
        return zlib.crc32(canonical_text(hole, board, self.flop).encode()) % BUCKETS

    def buckets(self, board: tuple[int, ...]) -> np.ndarray:
        return np.array(
            [
                -1 if set(hole) & set(board) else self.bucket(tuple(hole), board)
                for hole in self.dealt.hands[0].cards.tolist()
            ],
            dtype=np.int32,
        )


@pytest.mark.parametrize("purification", ["none", "full"])
@pytest.mark.parametrize("suits_alike", [False, True])
@pytest.mark.parametrize(
    ("ranks", "flop", "turn", "stack"), [(4, 1, "1", 6), (4, 2, "1", 4), (4, 3, "", 6)]
)
def test_equals_brute_force_on_a_reduced_deck(
    ranks: int, flop: int, turn: str, stack: int, suits_alike: bool, purification: str
) -> None:
    rounds = 3 if turn else 2
    first = " ".join("1" * (rounds - 1))
    text = SMALL.format(ranks=ranks, flop=flop, turn=turn, stack=stack, rounds=rounds, first=first)
    game = Game.parse(text)
    tree = BettingTree.build(BettingModel.parse("fcpa"), game)
    rng = np.random.default_rng(5)
    tables = [
        rng.random((BUCKETS, width)).astype(np.float32) ** 3 for width in Layout.of(tree).widths
    ]
    # A pure strategy leaves out whole subtrees, for all hands in some of them.
    strategy = purified(TableStrategy(tree, tables), purification, 0.0)
    dealt = whole_game(tree, suits_alike=suits_alike)
    bucketing = HashedBuckets(dealt, flop)
    found = FullCardResponse(strategy, bucketing, dealt).run()

    def shares(node: int, hole: tuple[int, ...], board: tuple[int, ...]) -> list[float]:
        return strategy.probabilities(node, np.array([bucketing.bucket(hole, board)]))[0].tolist()

    plain = PlainResponse(tree, game.deck, shares)
    # The last round's probabilities are float32 in the kernel.
    assert found[0] == pytest.approx(plain.value(0), abs=2e-6)
    assert found[1] == pytest.approx(plain.value(1), abs=2e-6)
    itself = PlainResponse(tree, game.deck, shares, own_play=True)
    assert found[2] == pytest.approx(itself.value(0), abs=2e-6)
    assert -found[2] == pytest.approx(itself.value(1), abs=2e-6)
