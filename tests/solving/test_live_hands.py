"""Rows of hands on boards: every live hand has one, and no more vectors than live hands need."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.solving.games import PublicGame
from doyle.solving.games.evaluators import padded
from doyle.solving.spots import Spot
from doyle.solving.spots.solve import memory_needed, prepare
from doyle.solving.vector import VectorSolver
from doyle.solving.vector.live_hands import live_hands
from tests.reference.board_values import expected_value, measured
from tests.solving.public_games import holdem, small

GAMES = {
    "turn, all hands": lambda: holdem("Td9d6hQc", "*", "*"),
    "turn, merged": lambda: holdem("2s3s4s5c", "22+,A2s+,KTs+", "QQ,AKs,98s,76s"),
    "flop": lambda: holdem("2s3s4s", "AA,KK,QQ,JTs", "QQ,AKs,98s,55", "fca"),
    "one hand that rivers take": lambda: holdem("Td9d6hQc", "AsAh", "KK,AdAc"),
    "leduc": lambda: small("leduc"),
}


@pytest.mark.parametrize("name", GAMES)
def test_rows_follow_the_hands(name: str) -> None:
    game: PublicGame = GAMES[name]()
    for seat in (0, 1):
        found = live_hands(game, seat)
        hands = len(game.hands[seat])
        for board in range(len(game.boards)):
            live = game.live(seat, game.boards[board])
            places = found.places[board, :hands]
            assert np.array_equal(places >= 0, live)
            assert len(set(places[live].tolist())) == live.sum()
            assert np.array_equal(found.order[board, places[live]], np.flatnonzero(live))
            assert 16 * found.tiles[board] == padded(max(1, int(live.sum())))
            if board:
                # The rows of the board before, with the moves made, are those of this one.
                rows = found.order[int(game.boards.parent[board])].copy()
                part = slice(*found.fill_start[board : board + 2].tolist())
                assert (np.diff(found.fill_to[part]) > 0).all()
                rows[found.fill_to[part]] = rows[found.fill_from[part]]
                assert np.array_equal(rows[places[live]], np.flatnonzero(live))


def test_memory_is_known_before_and_counts_live_hands_only() -> None:
    spot = Spot.parse(board="Td9d6hQc", ranges=("*", "*"), pot=200, stacks=900, betting="fcpa")
    solver: VectorSolver = prepare(spot)[0]
    assert memory_needed(spot.outline()) == solver.memory_bytes
    # 1,128 hands on the turn, 1,081 on every river.
    assert solver.packed.live[0].tiles.tolist() == [71] + 48 * [68]


@pytest.mark.parametrize("board", ["Td9d6hQc", "Ts9s6sQs"])
def test_solves_where_hands_move(board: str) -> None:
    """A range in which many rivers leave a vector less, measured by walks that know no rows."""
    ranges = ("22+,A2s+,K9s+,T8s+", "22+,A2s+,K9s+,T8s+,98s:0.5")
    spot = Spot.parse(board=board, ranges=ranges, pot=200, stacks=300, betting="fca")
    solver = prepare(spot, locks=["c=c:0.5,a:0.5@88+"], precision="double")[0]
    assert min(len({*live.tiles.tolist()}) for live in solver.packed.live) > 1
    solver.advance(100)
    assert solver.measure().expected == pytest.approx(
        expected_value(solver.game, (solver, solver)), abs=1e-9
    )
    free = prepare(spot, precision="double")[0]
    free.advance(100)
    ours, found = free.measure(), measured(free.game, (free, free))
    assert ours.best_responses == pytest.approx(found.best_responses, abs=1e-9)
    assert ours.exploitability < 0.01 * spot.pot
    single = prepare(spot)[0]
    single.advance(100)
    assert single.measure().value == pytest.approx(ours.value, abs=0.01 * spot.pot)
