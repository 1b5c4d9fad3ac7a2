"""Shared parts of the instruments' runs: the policy of a text, every board of a small game, results
in mbb/h."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from doyle.agents.resolve import resolve_agent
from doyle.base.display import Shown
from doyle.base.errors import DoyleError
from doyle.base.statistics import Estimate
from doyle.games import Action, Deal, Game, Policy, State
from doyle.games.policies import policy_row
from doyle.measuring.hand_equity import Cards

Floats = npt.NDArray[np.float64]

MOST_SAMPLED = 10_000_000
"""Limit of hands or boards in one run: hours of work, with records that fit into memory."""

MOST_ENUMERATED = 5_000
"""Games with at most so many deals are enumerated instead of sampled."""


STREETS = {"turn": 2, "river": 3}
"""The rounds from which on late instruments are exact."""

MISSING_POLICY = "add `probabilities(state)` and `reach(state, seat)` to its class to measure it"
"""The remedy for an agent that only acts."""


def policy_of(agent: str | Policy, game: Game, *, instead: str) -> Policy:
    """The policy of a text, or the given one; `instead` names the alternative in errors."""
    found = resolve_agent(agent, game) if isinstance(agent, str) else agent
    if not isinstance(found, Policy):
        raise DoyleError(
            f"agent {agent!r}: is no policy, it does not give its probabilities for every hand; "
            + instead
        )
    own = getattr(found, "game", game)
    if own != game:
        name = getattr(found, "name", "policy")
        raise DoyleError(
            f"agent {name!r} plays {own.name}, not {game.name}: stacks, blinds or bets differ"
        )
    return found


def kept_policy(policy: str | Policy, game: Game, *, instead: str) -> Policy:
    """As `policy_of`; that of a text is made once in each process, until `forget_policies`."""
    if isinstance(policy, str):
        return _made_policy(policy, game, instead)
    return policy_of(policy, game, instead=instead)


@lru_cache(maxsize=4)
def _made_policy(text: str, game: Game, instead: str) -> Policy:
    return policy_of(text, game, instead=instead)


def forget_policies() -> None:
    """Clear the cache of policies: the files that they are made from may have changed."""
    _made_policy.cache_clear()


def count_boards(game: Game, *, dead: int = 0) -> int:
    """How many boards there are when `dead` cards cannot come."""
    count, left = 1, len(game.deck) - dead
    for cards in game.board_cards:
        count, left = count * comb(left, cards), left - cards
    return count


def every_board(game: Game, *, dead: Cards = (), round_: int = 0) -> Iterator[Cards]:
    """Every board without the `dead` cards; cards that are dealt together appear in one order
    only."""
    if round_ == game.rounds:
        yield ()
        return
    rest = [card for card in game.deck if card not in dead]
    for added in combinations(rest, game.board_cards[round_]):
        for later in every_board(game, dead=(*dead, *added), round_=round_ + 1):
            yield (*added, *later)


def drawn_cards(game: Game, rng: np.random.Generator, count: int) -> Cards:
    """The first cards of a shuffled deck."""
    return tuple(rng.permutation(np.array(game.deck))[:count].tolist())


def check_late_game(game: Game) -> None:
    """Refuse all games but no-limit Hold'em for two, whose late streets are evaluated exactly."""
    if not game.is_holdem or game.players != 2 or game.is_limit:
        raise DoyleError(f"{game.name}: late streets are evaluated in no-limit Hold'em for two")


def drawn_deal(game: Game, rng: np.random.Generator) -> Deal:
    """Hole cards of two seats and a whole board."""
    count = game.hole_cards
    cards = drawn_cards(game, rng, 2 * count + game.board_ends[-1])
    return Deal((cards[:count], cards[count : 2 * count]), cards[2 * count :])


def drawn_hand(
    policies: tuple[Policy, Policy], state: State, round_: int, rng: np.random.Generator
) -> State:
    """The hand played on by its seats' policies to the first decision of a round, or to its end."""
    while state.actor >= 0 and state.round < round_:
        state = state.apply(drawn_action(policies[state.actor], state, rng))
    return state


def drawn_action(policy: Policy, state: State, rng: np.random.Generator) -> Action:
    """An action of the seat that acts, with the probabilities of the hand that it was dealt."""
    assert state.deal is not None
    actions, shares = policy.probabilities(state.public())
    row = shares[policy_row(state.game, state.deal.hole[state.actor])]
    place = int(np.searchsorted(np.cumsum(row), rng.random() * row.sum(), side="right"))
    return actions[min(place, len(actions) - 1)]


class Measured(Shown):
    """A result of chips by hand, deal or board."""

    @property
    @abstractmethod
    def won(self) -> Estimate:
        """Thousandths of a big blind per hand; exact if nothing was sampled."""

    @property
    def mbb_per_hand(self) -> float:
        return float(self.won.mean)

    @property
    def ci95(self) -> float | None:
        """Half the width of the 95% interval of `won`."""
        return self.won.ci95
