"""The 13x13 grid of starting hands: pairs on the diagonal, suited above it, offsuit below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.cards import HOLES
from doyle.cards.grid import grid_means, hand_name
from doyle.display import Cell, Share, grid_html, share_text
from doyle.errors import DoyleError
from doyle.games import Policy, State
from doyle.histories import format_betting
from doyle.strategy import Strategy


@dataclass(frozen=True)
class StrategyGrid:
    """Action probabilities by starting hand at one decision.

    `cells[row, column, action]`: row and column are ranks from ace to deuce; a hand that gets here
    in some of the times that it is dealt has less than 1 in all. `overall` is of those that do.
    """

    history: str
    actor: int
    actions: tuple[str, ...]
    cells: npt.NDArray[np.float64]
    overall: npt.NDArray[np.float64]

    def html(self) -> str:
        """The grid as HTML, each cell divided by the probabilities of its actions."""
        rows = [
            [
                Cell(
                    hand_name(row, column), list(map(Share, self.actions, self.cells[row, column]))
                )
                for column in range(13)
            ]
            for row in range(13)
        ]
        where = f"after {self.history!r}" if self.history else "first to act"
        return grid_html(
            f"{where}, seat {self.actor}", rows, list(map(Share, self.actions, self.overall))
        )

    def _repr_html_(self) -> str:
        return self.html()

    def lines(self) -> list[str]:
        """The grid as text: the commonest action of each hand that gets here, and how often it is taken.

        Each action has a sign, explained in the first lines; a dot stands for a hand that never gets here.
        """
        signs = _signs(self.actions)
        key = [
            f"{sign}  {action:<12} {share_text(float(share)):>6} of the hands that get here"
            for sign, action, share in zip(signs, self.actions, self.overall, strict=True)
        ]
        rows = [
            " ".join(
                f"{hand_name(row, column):>3} {_commonest(signs, self.cells[row, column])}"
                for column in range(13)
            ).rstrip()
            for row in range(13)
        ]
        return [*key, "", *rows]

    def document(self) -> dict[str, Any]:
        """The grid as plain values."""
        return {
            "history": self.history,
            "seat": self.actor,
            "actions": list(self.actions),
            "overall": [round(float(share), 6) for share in self.overall],
            "by_class": {
                hand_name(row, column): {
                    "frequencies": [round(float(p), 6) for p in self.cells[row, column]]
                }
                for row in range(13)
                for column in range(13)
            },
        }


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
    return StrategyGrid(
        tree.betting_text(node),
        int(tree.actor[node]),
        tree.action_names(node),
        grid_means(HOLES, shares, np.ones(len(HOLES))),
        shares.mean(axis=0),
    )


def policy_grid(policy: Policy, state: State) -> StrategyGrid:
    """The grid of what a policy plays with every hand it may hold at a public state of Hold'em.

    A cell is filled as far as its hands get here by the policy's own actions.
    """
    actions, shares = policy.probabilities(state)
    here = ~np.isin(HOLES, state.board).any(axis=1)
    reach = np.where(here, policy.reach(state, state.actor), 0.0)
    if not reach.any():
        raise DoyleError(
            f"history {format_betting(state)!r}: seat {state.actor} never reaches this betting"
        )
    cards, weights = HOLES[here].astype(np.int32), reach[here]
    fill = grid_means(cards, weights[:, None], np.ones(len(weights)))
    return StrategyGrid(
        format_betting(state),
        state.actor,
        tuple(state.action_name(action) for action in actions),
        grid_means(cards, shares[here], weights) * fill,
        weights @ shares[here] / weights.sum(),
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
    here = (weights > 0).astype(np.float64)
    fill = np.clip(grid_means(cards, reach[:, None], here), 0.0, 1.0)
    shares = grid_means(cards, probabilities, weights) * fill
    overall = weights @ probabilities / max(float(weights.sum()), 1e-300)
    return StrategyGrid(history, seat, actions, shares, overall)


def _signs(actions: tuple[str, ...]) -> list[str]:
    """A letter for each action, a number for each raise: f c 1 2 a."""
    raises = iter("123456789bdeghijklmnopqrstuvwxyz")
    return [next(raises) if action.startswith("raise") else action[0] for action in actions]


def _commonest(signs: list[str], shares: npt.NDArray[np.float64]) -> str:
    total = float(shares.sum())
    if total <= 0:
        return ".  "
    place = int(shares.argmax())
    percent = round(100 * float(shares[place]) / total)
    return f"{signs[place]}{'' if percent == 100 else percent:<2}"
