"""Expected value: what two plays earn against each other in a public game, exactly."""

from __future__ import annotations

import numpy as np

from doyle.solving.board_walk import BoardWalk, Wanted
from doyle.solving.games.public_game import PublicGame
from doyle.solving.reach import Floats, Play, Rows


def as_played(node: int, rows: Rows, below: Floats) -> Floats:
    """The rule of play itself: the mean over the actions, as often as each is taken."""
    return np.asarray((below * rows(node).T).sum(axis=0))


def state_values(game: PublicGame, plays: tuple[Play, Play], seat: int) -> Floats:
    """What each state of `seat` earns: chips times the weight of the other seat's states it meets."""
    return BoardWalk(game, plays, [Wanted(seat, as_played)]).root_values()[0]


def expected_value(game: PublicGame, plays: tuple[Play, Play], seat: int = 0) -> float:
    """Chips per hand for `seat` when both seats play as given."""
    return float(game.weights(seat) @ state_values(game, plays, seat)) / game.mass
