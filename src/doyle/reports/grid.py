"""The 13x13 grid of starting hands: pairs on the diagonal, suited above it, offsuit below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.betting import BettingTree
from doyle.cards import HOLES, RANKS
from doyle.errors import DoyleError
from doyle.games import CALL, FOLD
from doyle.strategy import Strategy

ABSENT = "#b9bec6"
"""What is seen of a cell as far as its hands are not there."""
COLOURS = {"fold": "#4a6fa5", "call": "#5aa469", "raise": "#d98e32", "all-in": "#b83b3b"}


@dataclass(frozen=True)
class StrategyGrid:
    """Action probabilities by starting hand at one decision.

    `cells[row, column, action]`: row and column are ranks from ace to deuce.
    """

    history: str
    actor: int
    actions: tuple[str, ...]
    cells: npt.NDArray[np.float64]
    overall: npt.NDArray[np.float64]

    def document(self) -> dict[str, Any]:
        """The grid as plain values."""
        return {
            "history": self.history,
            "seat": self.actor,
            "actions": list(self.actions),
            "overall": [round(float(share), 6) for share in self.overall],
            "hands": {
                hand_name(row, column): [round(float(p), 6) for p in self.cells[row, column]]
                for row in range(13)
                for column in range(13)
            },
        }


def hand_name(row: int, column: int) -> str:
    """The usual name of a cell: AKs above the diagonal, AKo below, AA on it.

    >>> hand_name(0, 1), hand_name(1, 0), hand_name(12, 12)
    ('AKs', 'AKo', '22')
    """
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


def strategy_grid(
    strategy: Strategy, preflop_buckets: npt.NDArray[np.int32], node: int
) -> StrategyGrid:
    """The grid at a decision of the first round; `preflop_buckets` int32[1326] by hole."""
    tree = strategy.tree
    if tree.round[node] != 0 or tree.child_count[node] == 0:
        raise DoyleError(
            f"history {tree.betting_text(node)!r}: the grid shows decisions before the flop"
        )
    shares = strategy.probabilities(node, preflop_buckets)
    row, column = _places(HOLES)
    cells = np.zeros((13, 13, shares.shape[1]))
    count = np.zeros((13, 13, 1))
    np.add.at(cells, (row, column), shares)
    np.add.at(count, (row, column), 1.0)
    return StrategyGrid(
        tree.betting_text(node),
        int(tree.actor[node]),
        tuple(action_name(tree, node, int(action)) for action in tree.actions_of(node)),
        cells / count,
        shares.mean(axis=0),
    )


def range_grid(
    history: str,
    seat: int,
    actions: tuple[str, ...],
    cards: npt.NDArray[np.int32],
    probabilities: npt.NDArray[np.float64],
    *,
    weights: npt.NDArray[np.float64],
    reach: npt.NDArray[np.float64],
) -> StrategyGrid:
    """The grid of some hands: a cell is filled by the mean reach of the hands of its class that are here.

    `weights` says how often each hand is here, `reach` with what probability.
    """
    row, column = _places(cards)
    cells = np.zeros((13, 13, len(actions)))
    total, here, held = np.zeros((3, 13, 13, 1))
    np.add.at(cells, (row, column), weights[:, None] * probabilities)
    np.add.at(total, (row, column), weights[:, None])
    np.add.at(here, (row, column), reach[:, None])
    np.add.at(held, (row, column), (weights > 0).astype(np.float64)[:, None])
    fill = np.clip(here / np.maximum(held, 1.0), 0.0, 1.0)
    shares = cells / np.where(total > 0, total, 1.0) * fill
    overall = weights @ probabilities / max(float(weights.sum()), 1e-300)
    return StrategyGrid(history, seat, actions, shares, overall)


def _places(
    cards: npt.NDArray[Any],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Row and column of each hand."""
    ranks, suits = cards // 4, cards % 4
    high, low = 12 - ranks.max(axis=1), 12 - ranks.min(axis=1)
    suited = suits[:, 0] == suits[:, 1]
    return np.where(suited, high, low), np.where(suited, low, high)


def action_name(tree: BettingTree, node: int, action: int) -> str:
    """fold, check or call, raise N, all-in."""
    if action == FOLD:
        return "fold"
    seat = int(tree.actor[node])
    if action == CALL:
        return "check" if tree.spent[node].max() == tree.spent[node, seat] else "call"
    return "all-in" if action >= tree.game.stacks[seat] else f"raise {action}"


def colours_of(actions: Sequence[str]) -> list[str]:
    """A colour for each action's name; of several raises the larger ones are darker.

    >>> colours_of(["check", "raise 200", "raise 300"])
    ['#5aa469', '#e8b470', '#d98e32']
    """
    kinds = [action.split()[0] for action in actions]
    raises, seen, found = kinds.count("raise"), 0, []
    for kind in kinds:
        if kind == "raise":
            seen += 1
            found.append(_shade(raises - seen))
        else:
            found.append(COLOURS["call" if kind == "check" else kind])
    return found


def _shade(lighter: int) -> str:
    """The colour of a raise, some steps lighter."""
    numbers = [int(COLOURS["raise"][place : place + 2], 16) for place in (1, 3, 5)]
    part = 1 - 0.72**lighter if lighter else 0.0
    target = (0xFF, 0xF0, 0xD0)
    mixed = [round(n + (light - n) * part * 1.4) for n, light in zip(numbers, target, strict=True)]
    return "#" + "".join(f"{min(255, n):02x}" for n in mixed)
