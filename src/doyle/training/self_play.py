"""Self-play of players who share a betting tree: no bet is translated, so hands are compiled.

Every deal is played in every seating, each with dice of its own. What comes out are lines of an ACPC
log; part n of a request is a pure function of the strategies, the seed and n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from doyle.agents.named_strategy import NamedStrategy, named_strategy
from doyle.betting import BettingTree, PackedTree, pack_tree
from doyle.card_abstraction import CardAbstraction
from doyle.cards import evaluate
from doyle.cards.cards import CARD_NAMES
from doyle.errors import DoyleError
from doyle.games import State
from doyle.games.payoffs import share_layers
from doyle.histories import format_betting, format_chips
from doyle.matches.play import chip_unit, seatings
from doyle.solving.sampling._sampling_kernels import deal_cards
from doyle.solving.sampling.deals import standings
from doyle.training import _self_play_kernels as kernels

_PURE = 2.0
"""Above every probability: only the largest are played."""


@dataclass(frozen=True)
class Leaf:
    """Where hands end: the betting, and what it takes to say who wins."""

    betting: str
    board_cards: int
    spent: tuple[int, ...]
    folded: tuple[bool, ...]


@dataclass(frozen=True, eq=False)
class Player:
    """Whoever plays from tables: one by round as a strategy's layout says, and a bucket per hand.

    Probabilities below `threshold` are not played; above 1 stands for the largest only.
    `buckets(holes[n, seats, 2], boards[n, 5])` gives int32[n, seats, 4].
    """

    name: str
    tree: BettingTree
    tables: Sequence[npt.NDArray[np.float32]]
    buckets: Callable[[npt.NDArray[Any], npt.NDArray[Any]], npt.NDArray[np.int32]]
    threshold: float = 0.0

    @classmethod
    def of(cls, strategy: NamedStrategy) -> Player:
        """The player of a strategy of Hold'em, as it is purified."""
        cards = cast(CardAbstraction, strategy.bucketing)
        threshold = _PURE if strategy.purification == "full" else strategy.threshold or 0.0
        tables = strategy.tables
        return cls(strategy.name, tables.tree, tables.tables, cards.deal_buckets, threshold)


class SelfPlay:
    """A table of players, all of one game and one betting model; one may sit there several times."""

    def __init__(self, players: Sequence[Player]) -> None:
        distinct = {id(player): player for player in players}
        self.players = list(distinct.values())
        self.player_of = np.array([list(distinct).index(id(player)) for player in players])
        self.tree = players[0].tree
        self.game = self.tree.game
        if len(players) != self.game.players:
            raise DoyleError(f"{self.game.name}: needs {self.game.players} players")
        trees = {(player.tree.game, str(player.tree.model)) for player in self.players}
        if len(trees) != 1:
            raise DoyleError("self-play needs players of one game and one betting model")
        self._leaves: dict[int, Leaf] = {}
        self._chips: dict[tuple[int, tuple[int, ...]], str] = {}

    @cached_property
    def packed(self) -> PackedTree:
        return pack_tree(self.tree)

    @cached_property
    def _tables(self) -> tuple[npt.NDArray[np.float32], ...]:
        return tuple(_read_only(table) for player in self.players for table in player.tables)

    @cached_property
    def _thresholds(self) -> npt.NDArray[np.float64]:
        return np.array([player.threshold for player in self.players])

    @cached_property
    def _orders(self) -> npt.NDArray[np.int64]:
        return np.array(seatings(self.game.players), np.int64)

    def play(self, deals: int, seed: tuple[int, ...]) -> Played:
        """Deal that many hands and play each in every seating."""
        seeds = np.random.SeedSequence(seed)
        state = seeds.generate_state(1, dtype=np.uint64).astype(np.uint64)
        hidden = 2 * self.game.players
        cards = np.empty((deals, hidden + 5), np.uint8)
        deal_cards(cards, 52, state)
        holes = cards[:, :hidden].reshape(deals, self.game.players, 2)
        boards = np.ascontiguousarray(cards[:, hidden:])
        buckets = np.stack([player.buckets(holes, boards) for player in self.players])
        leaves = np.empty((deals, len(self._orders)), np.int32)
        kernels.play_deals(
            self.packed, self._tables, self._thresholds, self.player_of, self._orders, buckets,
            state, leaves,
        )  # fmt: skip
        ranks = [
            evaluate(np.concatenate((holes[:, seat], boards), axis=1))
            for seat in range(self.game.players)
        ]
        return Played(cards, leaves, standings(np.stack(ranks, axis=1)))

    def units(self, played: Played) -> npt.NDArray[np.int64]:
        """What each player won on each deal over its seatings: [deals, players], in chip units."""
        won = np.zeros((len(played.leaves), self.game.players), np.int64)
        unit = chip_unit(self.game)
        kernels.add_winnings(self.packed, self._orders, played.leaves, played.standings, unit, won)
        return won

    def lines(self, played: Played, names: Sequence[str]) -> Iterator[str]:
        """The STATE lines of played hands, numbered from 0."""
        players = self.game.players
        orders = ["|".join(names[player] for player in order) for order in self._orders.tolist()]
        number = 0
        for cards, leaves, standing in zip(
            played.cards.tolist(), played.leaves.tolist(), played.standings.tolist(), strict=True
        ):
            text = [CARD_NAMES[card] for card in cards]
            hole = "|".join(text[2 * seat] + text[2 * seat + 1] for seat in range(players))
            board = text[2 * players :]
            shown = _boards(board)
            for order, leaf in zip(orders, leaves, strict=True):
                end = self._leaf(leaf)
                chips = self._won(leaf, end, standing)
                yield (
                    f"STATE:{number}:{end.betting}:{hole}{shown[end.board_cards]}:{chips}:{order}\n"
                )
                number += 1

    def _leaf(self, node: int) -> Leaf:
        found = self._leaves.get(node)
        if found is None:
            found = self._leaves[node] = self._end(node)
        return found

    def _end(self, node: int) -> Leaf:
        actions = []
        place = node
        while place > 0:
            actions.append(int(self.tree.action[place]))
            place = int(self.tree.parent[place])
        state = State.start(self.game)
        for action in reversed(actions):
            state = state.apply(action)
        return Leaf(
            format_betting(state), self.game.board_ends[state.round], state.spent, state.folded
        )

    def _won(self, node: int, end: Leaf, standing: Sequence[int]) -> str:
        """The chips of a line, kept by leaf and by who beats whom."""
        key = (node, () if sum(end.folded) == len(end.folded) - 1 else tuple(standing))
        found = self._chips.get(key)
        if found is None:
            ranks = tuple(
                -1 if out else rank for out, rank in zip(end.folded, standing, strict=True)
            )
            won = share_layers(end.spent, ranks)
            found = self._chips[key] = "|".join(map(format_chips, won))
        return found


@dataclass(frozen=True, eq=False)
class Played:
    """Dealt hands: cards [deals, cards], the leaf of each seating, and how many hands each beats."""

    cards: npt.NDArray[np.uint8]
    leaves: npt.NDArray[np.int32]
    standings: npt.NDArray[np.int8]


@lru_cache(maxsize=1)
def self_play(agents: tuple[str, ...]) -> SelfPlay | None:
    """The table of these agents; None unless all are strategies of one betting tree of Hold'em."""
    found: dict[str, Player] = {}
    for text in agents:
        if text not in found:
            strategy = named_strategy(text)
            if strategy is None or strategy.cards is None:
                return None
            found[text] = Player.of(strategy)
    trees = {(one.tree.game, str(one.tree.model)) for one in found.values()}
    return SelfPlay([found[text] for text in agents]) if len(trees) == 1 else None


def _read_only(table: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The table as a plain view that kernels see as read-only, as those of files are."""
    view = np.asarray(table).view()
    view.flags.writeable = False
    return view


def _boards(board: Sequence[str]) -> dict[int, str]:
    """The board as a line shows it, by how many of its cards there are."""
    flop = "/" + "".join(board[:3])
    return {0: "", 3: flop, 4: f"{flop}/{board[3]}", 5: f"{flop}/{board[3]}/{board[4]}"}
