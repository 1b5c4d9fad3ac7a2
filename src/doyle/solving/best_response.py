"""Best response: the most that a seat can win against a play in a public game, exactly.

The responder knows its private state and the board, and what the other seat plays.
"""

from __future__ import annotations

import numpy as np

from doyle.solving.board_walk import BoardWalk, Wanted
from doyle.solving.expected_value import as_played
from doyle.solving.exploitability import Exploitability
from doyle.solving.games.public_game import PublicGame
from doyle.solving.reach import Floats, Play, Rows


def best(node: int, rows: Rows, below: Floats) -> Floats:
    """The rule of a best response: the best action of every state."""
    return np.asarray(below.max(axis=0))


def best_response(game: PublicGame, seat: int, play: Play) -> float:
    """Chips per hand that `seat` wins at most against the other seat's play."""
    values = BoardWalk(game, (play, play), [Wanted(seat, best)]).root_values()[0]
    return float(game.weights(seat) @ values) / game.mass


def measured(
    game: PublicGame, plays: tuple[Play, Play], *, value: float | None = None
) -> Exploitability:
    """How exploitable both plays are; `value` is the game's for seat 0 if it is known."""
    wanted = [Wanted(0, best), Wanted(1, best), Wanted(0, as_played)]
    found = BoardWalk(game, plays, wanted).root_values()
    first, second, own = (
        float(game.weights(want.seat) @ values) / game.mass
        for want, values in zip(wanted, found, strict=True)
    )
    return Exploitability.of((first, second), own if value is None else value)
