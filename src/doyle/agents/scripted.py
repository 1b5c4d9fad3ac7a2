"""Scripted agents: players with one fixed trick, such as one described in a paper.

Each is a policy that ignores its cards, and plays any no-limit game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from doyle.games import CALL, FOLD, Action, Game, State
from doyle.games.policies import CardBlind

POKEMINN_BIG_BLINDS = 72
"""144 chips at blinds of 1/2."""


class PokeMinn(CardBlind):
    """Puts in 72 big blinds before the flop, then moves all-in, with every hand.

    Gilpin, Sandholm and Sørensen 2008, section 7: "a common bet made by PokeMinn was putting in 144
    chips pre-flop" (blinds 1/2, stacks 1,000). Only that bet is from the paper; that it comes with
    every hand, the all-in at the next decision, and the fold when the opponent is all-in first, are
    the script.
    """

    name = "pokeminn-144"

    def choose(self, state: State) -> Action:
        if not state.max_raise_to:
            return FOLD if state.can_fold else CALL
        wanted = POKEMINN_BIG_BLINDS * state.game.big_blind
        if state.round == 0 and state.largest < wanted:
            return state.nearest_legal(wanted)
        return state.max_raise_to


@dataclass(frozen=True)
class SmallBettor(CardBlind):
    """Bets `pots` of the pot with every hand where nobody has bet yet, and calls everything else.

    It bets from round `first_round` on, and checks and calls before. Bets below the legal minimum
    are raised to it.
    """

    name: str
    pots: float
    first_round: int
    when: str = "after the first round"
    """The rounds in which it bets, in words."""

    @property
    def summary(self) -> str:
        """
        >>> SmallBettor("overbettor-2", 2, 1).summary
        'Bets 2 pots with every hand where nobody has bet yet, after the first round; calls everything else.'
        """
        size = "the least legal amount" if not self.pots else f"{self.pots:g} of the pot"
        if self.pots > 1:
            size = f"{self.pots:g} pots"
        return (
            f"Bets {size} with every hand where nobody has bet yet, {self.when}; "
            "calls everything else."
        )

    def choose(self, state: State) -> Action:
        opens = state.round >= self.first_round and not state.to_call and state.max_raise_to > 0
        if not opens:
            return CALL
        return state.nearest_legal(state.largest + max(2, round(self.pots * state.pot)))


SMALL_BETS = (0.1, 0.33, 0.5, 0.6)
"""The bets of the small bettors known by name, in pots."""


MIN_BETTOR, OVERBETTORS = "min-bettor", (2, 5)
"""Bets the least legal amount; bets so many pots."""


def street_bettors() -> dict[str, Callable[[Game], SmallBettor]]:
    """By name: `min-bettor` and `overbettor-2`, which bet in every round after the first."""

    def bettor(name: str, pots: float) -> Callable[[Game], SmallBettor]:
        return lambda game: SmallBettor(name, pots, 1)

    over = {f"overbettor-{pots}": bettor(f"overbettor-{pots}", pots) for pots in OVERBETTORS}
    return {MIN_BETTOR: bettor(MIN_BETTOR, 0.0), **over}


def small_bettors() -> dict[str, Callable[[Game], SmallBettor]]:
    """By name: `river-bettor-0.33` bets in the last round only, `street-bettor-0.33` in every
    round after the first."""

    def river(pots: float) -> Callable[[Game], SmallBettor]:
        return lambda game: SmallBettor(
            f"river-bettor-{pots:g}", pots, game.rounds - 1, "in the last round"
        )

    def street(pots: float) -> Callable[[Game], SmallBettor]:
        return lambda game: SmallBettor(f"street-bettor-{pots:g}", pots, 1)

    kinds = {"river": river, "street": street}
    return {f"{kind}-bettor-{p:g}": make(p) for kind, make in kinds.items() for p in SMALL_BETS}
