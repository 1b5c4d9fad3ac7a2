"""`SpotResult`: a solved spot, with the play at any place of it.

At a place the history determines the seat to act and both seats' reach; the board may continue
beyond the spot's. Values are chips from the start of the hand, so a seat that folds at once has
lost half the pot; `pot_shares` adds that half back. A board with another canonical board is
relabelled on the way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import DECISION
from doyle.base.display import curve_svg, percent_text, table_html
from doyle.base.errors import DoyleError
from doyle.cards import format_cards, parse_cards
from doyle.games import Game
from doyle.solving.board_walk import reach_at
from doyle.solving.games import Board, Boards
from doyle.solving.run import Run
from doyle.solving.spots.locks import Lock, find_node
from doyle.solving.spots.spot import Spot
from doyle.solving.vector import ValueBounds, VectorSolver
from doyle.strategy import PlaceView, Point

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SpotResult:
    """A solve that is over: the spot, its locks and the average strategy inside the solver."""

    spot: Spot
    locks: tuple[Lock, ...]
    run: Run[VectorSolver]
    measurement: ValueBounds
    method: str
    precision: str

    @property
    def solver(self) -> VectorSolver:
        return self.run.solver

    @property
    def exploitability_percent_of_pot(self) -> float:
        return 100 * self.measurement.exploitability / self.spot.pot

    @property
    def value(self) -> float:
        """The spot's value for seat 0 in chips from the start of the hand, up to the exploitability."""
        return self.measurement.value

    @property
    def expected(self) -> float:
        """Seat 0's expected winnings under both strategies; frequencies times values."""
        return self.measurement.expected

    @property
    def history(self) -> list[Point]:
        return self.run.history

    def at(self, history: str = "", board: str | None = None) -> PlaceView:
        """The play after a betting text, on a board that continues the spot's."""
        tree = self.solver.game.tree
        node = find_node(tree, history)
        if tree.kind[node] != DECISION:
            raise DoyleError(f"history {history!r}: the hand is over there")
        cards = self.spot.board if board is None else parse_cards(board, what="board")
        return _decision(self, node, _dealt(self, node, cards, history))

    def continues_in_round(self, history: str) -> bool:
        """Whether a seat is to act after a betting text without another board card."""
        tree = self.solver.game.tree
        node = find_node(tree, history)
        return bool(tree.kind[node] == DECISION and tree.round[node] == tree.round[0])

    @cached_property
    def root(self) -> PlaceView:
        """The first decision of the spot."""
        return self.at()

    def _repr_html_(self) -> str:
        points = [
            (point.seconds, 100 * point.exploitability / self.spot.pot) for point in self.history
        ]
        rows = [
            ["value for the first to act", f"{self.value:.4f} chips"],
            ["exploitability", f"{percent_text(self.exploitability_percent_of_pot)} of the pot"],
            ["iterations", f"{self.solver.iteration:,}"],
            ["seconds", f"{self.run.seconds:.3f}"],
        ]
        table = table_html(["", ""], rows)
        return (
            self.root._repr_html_()
            + table
            + curve_svg(points, x_label="seconds", y_label="% of the pot")
        )

    def document(self) -> dict[str, Any]:
        """The JSON output of the command `doyle spot`."""
        spent = self.spot.state.spent
        return {
            "spot": self.spot.document(),
            "locks": [lock.text for lock in self.locks],
            "solver": self.method,
            "precision": self.precision,
            "exploitability_percent_of_pot": self.exploitability_percent_of_pot,
            "value": self.value,
            "expected": self.expected,
            "pot_shares": [spent[0] + self.value, spent[1] - self.value],
            "iterations": self.solver.iteration,
            "seconds": round(self.run.seconds, 6),
            "memory_bytes": self.solver.memory_bytes,
            "root": self.root.document(hands=False),
        }


def _dealt(
    result: SpotResult, node: int, cards: tuple[int, ...], history: str
) -> list[tuple[int, ...]]:
    """The cards of each round after the spot's first, up to the round of `node`."""
    game: Game = result.solver.game.tree.game
    needed = game.board_ends[int(result.solver.game.tree.round[node])]
    start = len(result.spot.board)
    if cards[:start] != result.spot.board or len(cards) != needed:
        raise DoyleError(
            f"board {format_cards(cards)}: after {history!r} a board of {needed} cards is needed that "
            f"begins with {format_cards(result.spot.board)}"
        )
    return [(card,) for card in cards[start:]]


def _decision(result: SpotResult, node: int, dealt: list[tuple[int, ...]]) -> PlaceView:
    solver = result.solver
    game, tree = solver.game, solver.game.tree
    board, suits = game.boards.find(dealt)
    seat = int(tree.actor[node])
    chain = _chain(game.boards, board)
    here = chain[-1]
    reach = [reach_at(game, solver, one, node, chain) for one in (0, 1)]
    meets = game.meeting(seat, reach[1 - seat]) * game.live(seat, here)
    side = solver.packed.sides[seat]
    number = int(solver.packed.decision_of[node])
    slots = slice(int(side.first[number]), int(side.first[number] + side.actions[number]))
    worth = solver.values(seat, board=board)[slots].T
    possible = meets > 1e-9 * max(1.0, meets.max())
    values = np.where(possible[:, None], worth / np.where(possible, meets, 1.0)[:, None], np.nan)
    # Hand j of the board that is kept is hand image[j] of the real one.
    image = np.argsort(game.hands[seat].permuted(suits))
    weights = reach[seat][image] * np.where(possible, meets, 0.0)[image]
    return PlaceView(
        history=tree.betting_text(node),
        board=(*result.spot.board, *(card for group in dealt for card in group)),
        seat=seat,
        actions=tuple(tree.actions_of(node).tolist()),
        names=tree.action_names(node),
        cards=game.hands[seat].cards,
        live=weights > 0,
        reach=reach[seat][image],
        weights=weights,
        probabilities=solver.probabilities(node, board)[image],
        action_values=values[image],
        equity=game.equities(seat, reach[1 - seat], board=here)[image],
    )


def _chain(boards: Boards, number: int) -> list[Board]:
    """The boards from the root to that number."""
    chain = []
    while number >= 0:
        chain.append(boards[number])
        number = int(boards.parent[number])
    return chain[::-1]
