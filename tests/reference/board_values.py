"""Values of two plays over a public game by `BoardWalk`, and a profile of the sequence form as a play."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.solving.board_walk import BoardWalk, Play, Rows, ValueQuery, best_rule, mean_rule
from doyle.solving.games import Board, PublicGame
from doyle.solving.games.small_games import SmallGame
from doyle.solving.profile import Exploitability, Profile


def _walked(game: PublicGame, plays: tuple[Play, Play], *queries: ValueQuery) -> list[float]:
    found = BoardWalk(game, plays, queries).root_values()
    return [
        float(game.weights(query.seat) @ values) / game.mass
        for query, values in zip(queries, found, strict=True)
    ]


def best_response(game: PublicGame, seat: int, play: Play) -> float:
    """Chips per hand that `seat` wins at most against the other seat's play."""
    return _walked(game, (play, play), ValueQuery(seat, best_rule))[0]


def expected_value(game: PublicGame, plays: tuple[Play, Play], seat: int = 0) -> float:
    """Chips per hand for `seat` when both seats play as given."""
    return _walked(game, plays, ValueQuery(seat, mean_rule))[0]


def measured(game: PublicGame, plays: tuple[Play, Play]) -> Exploitability:
    """How exploitable both plays are."""
    queries = (ValueQuery(0, best_rule), ValueQuery(1, best_rule), ValueQuery(0, mean_rule))
    first, second, own = _walked(game, plays, *queries)
    return Exploitability.of((first, second), own)


class ProfilePlay:
    """A profile over the states of a small game, played with the hands of its public game."""

    def __init__(self, profile: Profile, game: PublicGame) -> None:
        assert isinstance(profile.form.game, SmallGame)
        self.profile, self.cards, self.game = profile, profile.form.game.cards, game

    def states(self, seat: int, board: Board) -> npt.NDArray[np.int64]:
        """The state of every hand of a seat on a board; 0 where they share a card."""
        hands = [tuple(hand) for hand in self.game.hands[seat].cards.tolist()]
        return np.array(
            [
                0
                if set(hand) & set(board.cards)
                else self.cards.state(board.level, hand, board.cards)
                for hand in hands
            ]
        )

    def on(self, board: Board) -> Rows:
        def rows(node: int) -> npt.NDArray[Any]:
            seat = int(self.game.tree.actor[node])
            return self.profile.probabilities(node)[self.states(seat, board)]

        return rows
