"""The agents that a server offers: the only ones that can be named from the network."""

from __future__ import annotations

from collections.abc import Iterable

from doyle.agents.starter.agent import STARTER, STARTER_GAMES
from doyle.paths import cache_folder
from doyle.web.config import GAMES
from doyle.web.thinking.requests import Offer

TITLES = {
    "holdem-nl-200bb": "No-limit, 200 big blinds",
    "holdem-limit-2p": "Limit, heads-up",
    "holdem-limit-3p": "Limit, three players",
    "holdem-nl-100bb": "No-limit, 100 big blinds",
    "holdem-nl-20bb": "No-limit, 20 big blinds",
    "doyle-500bb": "No-limit, 500 big blinds",
}

STRONGER = {"holdem-nl-200bb": "default", "holdem-limit-2p": "limit-2p"}
"""The preset to build for a stronger opponent than `starter`."""

SIMPLE = (
    ("always-call", "never folds, never raises"),
    ("random", "folds, calls and raises at random"),
)


def at_once() -> list[Offer]:
    """What can be played without anything built."""
    starters = [
        Offer(STARTER, STARTER, game, "comes with doyle; plays at once") for game in STARTER_GAMES
    ]
    return starters + [Offer(agent, agent, game, note) for game in GAMES for agent, note in SIMPLE]


def ordered(offers: Iterable[Offer]) -> list[Offer]:
    """Each agent once for a game, by game; the first of a game is what a new table has."""
    found: dict[tuple[str, str], Offer] = {}
    for offer in offers:
        found.setdefault((offer.agent, offer.game), offer)
    order = {name: place for place, name in enumerate(GAMES)}
    return sorted(found.values(), key=lambda offer: order.get(offer.game, len(order)))


def may_have_builds() -> bool:
    """Whether anything was ever built here; to look closer takes longer."""
    return (cache_folder() / "agents").is_dir()


def title(game: str) -> str:
    return TITLES.get(game, game)
