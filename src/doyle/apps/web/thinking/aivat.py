"""A person's winnings in hands against an agent, after AIVAT: only the agent's policy is known.

The position term is part of it: a person's expected value in the position it had is replaced by the mean
over both positions.
"""

from __future__ import annotations

from functools import lru_cache

from doyle.apps.web.thinking.decisions import loaded_agent, prepare
from doyle.apps.web.thinking.requests import PlayedHand
from doyle.base.errors import DoyleError
from doyle.games import Game, Policy
from doyle.measuring.variance_reduction.aivat import Aivat


def corrected(
    hands: tuple[tuple[PlayedHand, int, str], ...],
) -> list[float | None]:
    """By hand the corrected chips of the person in a position; None if AIVAT does not apply.

    A hand names the digest of the strategy that the agent played: AIVAT needs exactly this policy.
    """
    return [_corrected(*one) for one in hands]


def _corrected(hand: PlayedHand, position: int, digest: str) -> float | None:
    game = Game.named(hand.game)
    agent = hand.agents[1 - position] if game.players == 2 else None
    if agent is None or hand.agents[position] is not None:
        return None
    if prepare(agent, hand.game).digest != digest:
        return None
    seatings = _seatings(agent, hand.game)
    if seatings is None:
        return None
    by_position = seatings[0].expected, -seatings[1].expected
    try:
        value = seatings[position].corrected(hand.states()[-1]).value
    except DoyleError:
        return None  # a substitute acted for the agent, or its play has changed
    mine = value if position == 0 else -value
    return mine + sum(by_position) / 2.0 - by_position[position]


@lru_cache(maxsize=4)
def _seatings(agent: str, game: str) -> tuple[Aivat, Aivat] | None:
    """AIVAT for the person in either position; None if the agent is not a policy."""
    player, rules = loaded_agent(agent, game), Game.named(game)
    if not isinstance(player, Policy):
        return None
    return Aivat.of(rules, (None, player)), Aivat.of(rules, (player, None))
