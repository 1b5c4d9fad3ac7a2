"""A round solved again to a depth limit at its end, in games whose best responses are exact.

Each seat plays its own solution, in which the other seat chooses among leanings of the blueprint after the
round (`doyle.agents.search.continuations`). Rounds after it stay the blueprint's until they are solved
again, without a guard, from the ranges that come out (`solved_again`).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from doyle.agents.search.subgame import Subgame
from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.subgames.games import MODEL, Setting, leduc, short_holdem
from doyle.experiments.papers.subgames.guards import row
from doyle.experiments.papers.subgames.solved_again import Blueprint, Place, solved_again
from doyle.experiments.papers.table import Result
from doyle.games import Action, Deal, State
from doyle.games.policies import Floats, policy_row, policy_rows
from doyle.solving.games.chance import Board
from doyle.solving.vector import VectorSolver
from doyle.solving.vector.fixed_play import FixedPlay, write_play

NAME = "beyond/search-depth-limit"
NO_SEARCH, NEXT, WHOLE = "blueprint", "next round", "both rounds, to the end"
LEAN = 10.0
LIMITS = {
    "to a limit, other seat leans": (LEAN, False),
    "to a limit, both seats lean": (LEAN, True),
    "to a limit, nobody leans": (1.0, False),
}
"""The factor of leaning, and whether both seats lean."""
SETTINGS = ((leduc(1000), 0), (short_holdem(4, (0, 3, 1), 100, (8, 32)), 1))
"""Games, and the round that is solved to a limit."""
ALL_RUN_OUTS = 10_000


def depth_limits(options: Options) -> Result:
    """Every game and blueprint: no search, the round after the limit, and both rounds."""
    cells: list[Cell] = []
    total = sum(len(setting.blueprints) for setting, _ in SETTINGS) * (len(LIMITS) + 3)
    for setting, round_ in SETTINGS:
        game = setting.public_game()
        for count in setting.blueprints:
            blueprint = setting.blueprint(game, count)
            for column in (NO_SEARCH, NEXT, *LIMITS, WHOLE):
                if column != WHOLE or round_ > game.first_level:
                    agent = _searched(blueprint, round_, setting.iterations, column)
                    cells.append(_cell(setting, count, column, agent.best_responses))
                if options.progress is not None:
                    options.progress("depth limits", len(cells), total)
    return Result(
        cells,
        notes=(
            "Exact best responses to the whole agent, mean of both seats, mbb a hand (in Leduc thousandths of the "
            f"ante); bets {MODEL} on both sides. A row is a blueprint: the average strategy of so many iterations of "
            "the whole game.",
            "A round is solved again to a depth limit at its end, where a seat leans by a factor of "
            f"{LEAN:g} to a class of actions, and the next round from the ranges that come out, without a guard; "
            "all cards to come are counted. `next round`: the second of these alone; `to the end`: no limit.",
            *(f"{one.title}: {one.iterations:,} iterations a solve." for one, _ in SETTINGS),
        ),
    )


def _searched(blueprint: Blueprint, round_: int, iterations: int, column: str) -> Blueprint:
    if column == NO_SEARCH:
        return blueprint
    if column == WHOLE:
        return solved_again(blueprint, round_, "unsafe", iterations)
    before = blueprint
    if column in LIMITS:
        lean, both = LIMITS[column]
        before = limited_again(blueprint, round_, iterations, lean, both=both)
    return solved_again(before, round_ + 1, "unsafe", iterations)


def _cell(setting: Setting, count: int, column: str, responses: tuple[float, float]) -> Cell:
    first, second = (setting.mbb(chips) for chips in responses)
    return Cell(
        row(setting, count), column, None, (first + second) / 2, unsigned=True,
        reason=f"best responses of the seats: {first:.2f}, {second:.2f}",
    )  # fmt: skip


class Played:
    """A blueprint as a policy of real states; boards that differ by suits are read from one of them."""

    def __init__(self, blueprint: Blueprint) -> None:
        self.blueprint, self.game = blueprint, blueprint.root.game
        cards = blueprint.game.hands[0].cards.tolist()
        self.rows = np.array([policy_row(self.game, tuple(hand)) for hand in cards])
        self._board = lru_cache(1 << 12)(self._found)

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """Actions and probabilities [hands, actions]; nothing where a hand is not in the deck."""
        whole = self.blueprint.game
        node = whole.tree.find(state.betting)
        number, images = self._board(state.board)
        found = self.blueprint.solver.probabilities(node, number)
        table = np.zeros((policy_rows(self.game), found.shape[1]))
        table[self.rows[images]] = found
        return tuple(whole.tree.actions_of(node).tolist()), table

    def _found(self, cards: tuple[int, ...]) -> tuple[int, npt.NDArray[np.int32]]:
        ends = (0, *self.game.board_ends)
        dealt = [cards[a:b] for a, b in pairwise(ends) if a < b <= len(cards)]
        number, suits = self.blueprint.game.boards.find(dealt)
        return number, self.blueprint.game.hands[0].permuted(suits)


def limited_again(
    blueprint: Blueprint, round_: int, iterations: int, lean: float, *, both: bool = False
) -> Blueprint:
    """The blueprint with the play of one round solved again to its end."""
    game, boards = blueprint.game, blueprint.game.boards
    _ = blueprint.best_responses
    whole = VectorSolver(game, precision="double", packed=blueprint.solver.packed)
    for seat in (0, 1):
        whole.averages[seat][:] = blueprint.solver.averages[seat]
    played, level = Played(blueprint), round_ - game.first_level
    for number in np.flatnonzero(boards.level == level).tolist():
        for node in blueprint.starts(round_) if level else [0]:
            _solve_into(whole, played, Place(node, number), iterations, lean, both)
    return Blueprint(whole, blueprint.root)


def _solve_into(
    whole: VectorSolver, played: Played, place: Place, iterations: int, lean: float, both: bool
) -> None:
    blueprint, rows = played.blueprint, played.rows
    game, board = blueprint.game, blueprint.game.boards[place.board]
    subgame = _subgame(played, place, board)
    if not all(weights.any() for weights in subgame.weights):
        return
    values = subgame.continuations(played, floor=0.0, runouts=ALL_RUN_OUTS, factor=lean, both=both)
    for seat in (0, 1):
        found = subgame.solved_to_limit(values, 1 - seat, iterations=iterations)
        if found is None:
            continue
        live = game.live(seat, board)
        for node in found.solver.decisions:
            if found.tree.actor[node] == seat:
                shares = found.probabilities(found.tree.path(node))[1][rows]
                play = FixedPlay(place.node + node, shares, live)
                write_play(whole.packed, play, seat, place.board, board.level, whole.averages[seat])


def _subgame(played: Played, place: Place, board: Board) -> Subgame:
    blueprint = played.blueprint
    state = blueprint.root
    for action in blueprint.game.tree.path(place.node):
        state = state.apply(action)
    weights = np.zeros((2, policy_rows(played.game)))
    for seat in (0, 1):
        weights[seat, played.rows] = blueprint.reach(place, seat)
    root = state.with_deal(Deal(((),) * 2, board.cards)).public()
    return Subgame(root, blueprint.game.tree.model, (weights[0], weights[1]))
