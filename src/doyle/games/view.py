"""`View`: what one seat may see, and the protocols of those who decide from it.

An agent is a pure function of the view: all its randomness comes from `view.rng()`, seeded by the
hand, the seat and the decision, so the same view always gives the same action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from doyle.games.state import Action, State


class View(NamedTuple):
    """One seat's window on a hand: its own hole cards, and what is public.

    `state.deal` holds the visible board only.

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
    hand_seed: tuple[int, ...] = (0,)

    def rng(self) -> np.random.Generator:
        """The generator of this decision."""
        from numpy.random import default_rng

        return default_rng((*self.hand_seed, self.seat, self.state.action_count))

    def hand_rng(self) -> np.random.Generator:
        """A generator that is the same at every decision of this seat in this hand."""
        from numpy.random import default_rng

        return default_rng((*self.hand_seed, self.seat))


@runtime_checkable
class Agent(Protocol):
    """Whoever chooses an action from a view."""

    @property
    def name(self) -> str: ...

    def act(self, view: View) -> Action: ...


@runtime_checkable
class Policy(Protocol):
    """An agent that can be looked into: its probabilities for every private state at once."""

    def probabilities(self, state: State) -> tuple[tuple[Action, ...], NDArray[np.float64]]:
        """Actions, and probabilities[private state, action], at a public state.

        Hold'em has one row per pair of hole cards in hole-index order (1,326), games of one hole
        card one row per card of the deck.
        """
        ...
