"""`View`: what one seat may see, and the protocols of those who decide from it.

An agent is a pure function of the view: all its randomness comes from `view.rng()`, seeded by the
key of its seat in this hand and by the decision, so the same view always gives the same action. An
agent that remembers is told besides when a match starts and how each hand ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from doyle.games.game import Game
    from doyle.games.state import Action, State


class View(NamedTuple):
    """One seat's window on a hand: its own hole cards, and what is public.

    `state.deal` holds the visible board only, and after a showdown the hands that were shown.
    `dice_key` seeds the seat's own randomness in this hand. A match derives it one way from a secret,
    so that it says nothing about the cards, other seats or other hands.

    >>> from doyle.games import Deal, Game, State
    >>> deal = Deal(hole=((51,), (47,)), board=(46,))
    >>> view = State.start(Game.named("leduc"), deal).view(1)
    >>> view.hole, view.board, view.state.deal
    ((47,), (), Deal(hole=((), ()), board=()))
    """

    seat: int
    state: State
    hole: tuple[int, ...]
    board: tuple[int, ...]
    dice_key: bytes = b""

    def rng(self) -> np.random.Generator:
        """The generator of this decision."""
        from numpy.random import default_rng

        key = int.from_bytes(self.dice_key, "big")
        return default_rng((key, self.seat, 1 + self.state.action_count))


@runtime_checkable
class Agent(Protocol):
    """Whoever chooses an action from a view."""

    @property
    def name(self) -> str: ...

    def act(self, view: View) -> Action: ...


@runtime_checkable
class RememberingAgent(Agent, Protocol):
    """An agent that learns during a match.

    A match with such an agent is played in the order of its deals. `start` comes before the first
    hand of every seating and must leave no memory of earlier hands.
    """

    def start(self, game: Game, rng: np.random.Generator) -> None:
        """A match begins; `rng` is this seat's own generator for the whole of it."""
        ...

    def hand_over(self, view: View) -> None:
        """A hand has ended; the view shows the other hands only if they were shown."""
        ...


def remembers(agent: object) -> bool:
    """Whether an agent is a `RememberingAgent`."""
    return callable(getattr(agent, "start", None)) and callable(getattr(agent, "hand_over", None))


@runtime_checkable
class Policy(Protocol):
    """An agent that can be looked into: its probabilities for every private state at once."""

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], NDArray[np.float64]]:
        """Actions, and probabilities[private state, action], at a public state.

        Hold'em has one row per pair of hole cards in hole-index order (1,326), games of one hole
        card one row per card of the deck.
        """
        ...

    def reach(self, state: State, seat: int) -> NDArray[np.float64]:
        """The probability, for every private state, that the seat's own actions led to `state`.

        The product of what this policy, playing `seat`, gave to each action the seat took; 1 if it
        has not acted. Any state will do, also between rounds and when the hand is over; it needs the
        board of the rounds in which the seat acted.
        """
        ...


@runtime_checkable
class SpreadPolicy(Policy, Protocol):
    """A policy that chooses at random, whatever it holds, how it reads bets or how much it bets."""

    @property
    def spreads(self) -> bool:
        """Whether it does."""
        ...

    def drawn_probabilities(
        self, state: State, rng: np.random.Generator
    ) -> tuple[tuple[Action, ...], NDArray[np.float64]]:
        """As `probabilities`, for one drawn reading of the bets and one drawn size of its own bets.

        The mean over draws is what `probabilities` gives.
        """
        ...
