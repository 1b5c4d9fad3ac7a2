"""Looking at abstractions: the numbers of one hand, a summary of one abstraction and its figure, two
compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from doyle.abstractions.cards.abstraction import BOARD_CARDS, CardAbstraction
from doyle.abstractions.cards.strength.atlas import FULL_STRENGTH, Atlas, largest_sum
from doyle.base.artifacts.files import replacing
from doyle.base.errors import DoyleError
from doyle.cards import live_hands
from doyle.cards.cards import DECK_SIZE, HOLES, check_cards, format_cards, hole_index
from doyle.cards.ranges import grid_places, hand_name
from doyle.cards.suits.boards import HOLE_MAPS, boards

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROUND_NAMES = ("preflop", "flop", "turn", "river")


@dataclass(frozen=True)
class HandValues:
    """HS with the cards that are out, and E[HS], E[HS^2] over all run-outs; uniform opponent.

    On the preflop nothing is out to compare, and HS is E[HS]; on the river all three agree but for
    the square.
    """

    hs: float
    ehs: float
    ehs2: float


def hand_values(hole: Sequence[int], board: Sequence[int], *, atlas: Atlas) -> HandValues:
    """The exact values of one hand on a board of 0, 3, 4 or 5 cards."""
    check_cards((*hole, *board), what="hand")
    if len(hole) != 2 or len(board) not in BOARD_CARDS:
        raise DoyleError(
            f"hand: expected two hole cards and a board of 0, 3, 4 or 5, "
            f"not {len(hole)} and {len(board)}"
        )
    round = BOARD_CARDS.index(len(board))
    column = hole_index(hole[0], hole[1])
    row = 0
    if board:
        row, permutation = boards(len(board)).find(board)
        column = int(HOLE_MAPS[permutation, column])
    if round == 3:
        hs = int(atlas.river_strength[row, column]) / FULL_STRENGTH
        return HandValues(hs, hs, hs * hs)
    ehs, ehs2 = (
        int(atlas.sums(round, power)[row, column]) / largest_sum(round, power) for power in (1, 2)
    )
    return HandValues(ehs if round == 0 else current_strength(hole, board), ehs, ehs2)


def current_strength(hole: Sequence[int], board: Sequence[int]) -> float:
    """Wins plus half the ties against all other holes if the board stayed as it is."""
    from doyle.cards import board_ranks

    ranks = board_ranks(board)
    mine = int(ranks[hole_index(hole[0], hole[1])])
    others = ranks[(ranks > 0) & live_hands(HOLES, hole)]
    return float((others < mine).mean() + (others == mine).mean() / 2)


def sampled_boards(round: int, count: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Boards of a round drawn uniformly; the preflop has one."""
    if round == 0:
        yield ()
        return
    generator = np.random.default_rng((seed, round))
    for _ in range(count):
        cards = generator.choice(DECK_SIZE, BOARD_CARDS[round], replace=False)
        yield tuple(int(card) for card in cards)


def examples(
    abstraction: CardAbstraction, round: int, *, each: int, seed: int, tries: int = 64
) -> dict[int, list[str]]:
    """Some hands of the buckets of a round, from random boards: bucket -> ["AsKd Qh7c2d", ...]."""
    found: dict[int, list[str]] = {}
    generator = np.random.default_rng((seed, round, each))
    for board in sampled_boards(round, tries, seed):
        buckets = abstraction.buckets(board)
        order = generator.permutation(np.flatnonzero(buckets >= 0))
        for hole in order:
            hands = found.setdefault(int(buckets[hole]), [])
            if len(hands) < each:
                cards = format_cards(int(card) for card in HOLES[hole][::-1])
                hands.append(f"{cards} {format_cards(board)}".strip())
    return dict(sorted(found.items()))


def preflop_grid(abstraction: CardAbstraction) -> list[list[int]]:
    """13 x 13 buckets, aces first: suited hands above the diagonal, offsuit below."""
    grid = np.empty((13, 13), np.int32)
    grid[grid_places(HOLES)] = abstraction.buckets(())
    rows: list[list[int]] = grid.tolist()
    return rows


@dataclass(frozen=True)
class RoundComparison:
    """How two abstractions divide the same hands: information in bits, and whether one refines.

    `shared_bits` is what knowing one bucket says of the other; with `refines` every bucket of the
    first lies within one of the second, on the hands looked at.
    """

    hands: int
    bits: tuple[float, float]
    shared_bits: float
    refines: bool
    is_refined_by: bool


def compare_round(
    first: CardAbstraction, second: CardAbstraction, round: int, *, boards: int, seed: int
) -> RoundComparison:
    """Compare on all hands of randomly drawn boards (the preflop: all hands)."""
    pairs: list[NDArray[np.int64]] = []
    for board in sampled_boards(round, boards, seed):
        left, right = first.buckets(board), second.buckets(board)
        live = left >= 0
        pairs.append(left[live].astype(np.int64) << 32 | right[live])
    joint, counts = np.unique(np.concatenate(pairs), return_counts=True)
    lefts, rights = joint >> 32, joint & 0xFFFFFFFF
    left_counts = _sums_by(lefts, counts)
    right_counts = _sums_by(rights, counts)
    bits = (_entropy(left_counts), _entropy(right_counts))
    return RoundComparison(
        hands=int(counts.sum()),
        bits=bits,
        shared_bits=max(0.0, bits[0] + bits[1] - _entropy(counts)),
        refines=len(left_counts) == len(joint),
        is_refined_by=len(right_counts) == len(joint),
    )


def _sums_by(keys: NDArray[Any], counts: NDArray[Any]) -> NDArray[Any]:
    _, inverse = np.unique(keys, return_inverse=True)
    return np.bincount(inverse.reshape(-1), weights=counts)


def _entropy(counts: NDArray[Any]) -> float:
    share = counts / counts.sum()
    return max(0.0, float(-(share * np.log2(share)).sum()))


def draw(abstraction: CardAbstraction, path: Path) -> None:
    """Write the figure to `path`, as PNG or SVG by its suffix; equal input gives equal bytes."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in ("png", "svg"):
        raise DoyleError(f"{path}: a figure is written as .png or .svg")
    import matplotlib
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 7), layout="constrained")
    left, right = np.asarray(figure.subfigures(1, 2, width_ratios=(1.1, 1)), object)
    figure.suptitle(abstraction.spec)
    _draw_grid(abstraction, left.subplots())
    for round, axes in enumerate(right.subplots(4, 1)):
        _draw_masses(abstraction, round, axes)
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    with (
        matplotlib.rc_context({"svg.hashsalt": "doyle"}),
        replacing(path, "wb") as stream,
    ):
        figure.savefig(stream, format=kind, metadata=metadata)


def _draw_grid(abstraction: CardAbstraction, axes: Axes) -> None:
    grid = np.array(preflop_grid(abstraction))
    axes.imshow(grid, cmap="viridis")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_title("preflop buckets (suited above the diagonal)")
    middle = (int(grid.min()) + int(grid.max())) / 2
    for row in range(13):
        for column in range(13):
            bucket = int(grid[row, column])
            axes.text(
                column,
                row,
                f"{hand_name(row, column)}\n{bucket}",
                ha="center",
                va="center",
                fontsize=6,
                color="black" if bucket > middle else "white",
            )


def _draw_masses(abstraction: CardAbstraction, round: int, axes: Axes) -> None:
    """A histogram of the masses of buckets, as multiples of an equal share."""
    masses = abstraction.masses(round)
    axes.hist(masses * len(masses), bins=40, color="#3b6ea5")
    axes.axvline(1.0, color="black", linewidth=0.8)
    axes.set_ylabel("buckets", fontsize=8)
    axes.set_title(f"{ROUND_NAMES[round]}: mass of its {len(masses):,} buckets", fontsize=9)
    axes.tick_params(labelsize=7)
    if round == len(ROUND_NAMES) - 1:
        axes.set_xlabel("multiples of an equal share", fontsize=8)
