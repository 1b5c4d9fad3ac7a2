"""Rows of policies, and reach for policies that have probabilities only.

A policy has one row for every private state: in games of two hole cards one per pair, in hole-index
order (1,326), in games of one hole card one per card of the deck. Rows of hands that share a card with
the board are there and mean nothing.

`ReachByWalking` gives `reach` by definition: the product of what the policy gave to each action the
seat took. `CardBlind` makes a policy of a script that does not look at its cards.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from doyle.base.errors import DoyleError
from doyle.cards import DECK_SIZE, HOLE_COUNT, HOLES, Card, hole_index, live_hands
from doyle.games.game import Game
from doyle.games.state import Action, State
from doyle.games.view import Policy, View

Floats = npt.NDArray[np.float64]


def policy_rows(game: Game) -> int:
    """Rows of a policy: one per card, or 1,326 in the order of hole indices.

    >>> policy_rows(Game.named("leduc")), policy_rows(Game.named("holdem-nl-20bb"))
    (6, 1326)
    """
    return len(game.deck) if game.hole_cards == 1 else HOLE_COUNT


def policy_row(game: Game, hole: tuple[int, ...]) -> int:
    """The row of a policy that is about these hole cards."""
    return game.deck.index(hole[0]) if game.hole_cards == 1 else hole_index(*hole)


def check_decision(state: State, *, needs_board: bool = True) -> None:
    """Refuse a state at which no policy can be asked for probabilities."""
    if state.actor < 0:
        raise DoyleError("the hand is over: nobody acts")
    if needs_board and len(state.board) != state.game.board_ends[state.round]:
        raise board_missing()


def board_missing() -> DoyleError:
    """What is raised where a policy needs board cards that the state does not have."""
    return DoyleError("a policy needs the board of the state; start the state from a deal")


def decisions_of(state: State, seat: int) -> Iterator[tuple[State, Action]]:
    """The decisions of a seat on the way to `state`, each with the action it took."""
    now = State.start(state.game, state.deal)
    for actions in state.betting:
        for action in actions:
            if now.actor == seat:
                yield now, action
            now = now.apply(action)


def walked_reach(policy: Policy, state: State, seat: int) -> Floats:
    """The product of what `policy` gave to each action that `seat` took, for every private state."""
    reach = np.ones(policy_rows(state.game))
    for now, action in decisions_of(state, seat):
        actions, shares = policy.probabilities(now)
        reach *= shares[:, actions.index(action)] if action in actions else 0.0
    return reach


class ReachByWalking(ABC):
    """A policy that has probabilities, and reach by multiplying them."""

    @abstractmethod
    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """As in `Policy`."""

    def reach(self, state: State, seat: int) -> Floats:
        """The probability of the seat's own actions so far, for every private state."""
        return walked_reach(self, state, seat)


class CardBlind(ReachByWalking):
    """Plays one action for sure at every public state, whatever it holds."""

    @abstractmethod
    def choose(self, state: State) -> Action:
        """The action at a decision, from what is public."""

    def act(self, view: View) -> Action:
        return self.choose(view.state)

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], Floats]:
        """One action with certainty."""
        check_decision(state, needs_board=False)
        return (self.choose(state),), np.ones((policy_rows(state.game), 1))


@lru_cache(maxsize=8)
def policy_cards(game: Game) -> npt.NDArray[np.int32]:
    """The cards [rows, hole cards] of the private hands that a policy has rows for."""
    if game.hole_cards == 1:
        return np.array(game.deck, np.int32)[:, None]
    return HOLES.astype(np.int32)


def possible_hands(game: Game, dead: Collection[Card]) -> npt.NDArray[np.bool_]:
    """Which hands, in the order of a policy, hold none of the `dead` cards."""
    missing = set(range(DECK_SIZE)).difference(game.deck)
    return live_hands(policy_cards(game), missing.union(dead))
