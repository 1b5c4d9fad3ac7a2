"""The agents that a server offers: the only ones that can be named from the network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from doyle.agents import check_agent_text, own_game
from doyle.agents.starter import STARTER, STARTER_GAMES
from doyle.building import is_built, named_build, preset_names
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.web.config import GAMES

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


class Offer(NamedTuple):
    """An agent for one game."""

    agent: str
    name: str
    game: str
    note: str


def offers(agents: tuple[str, ...]) -> list[Offer]:
    """What is offered: `starter`, builds that are there, the given agents, and simple players."""
    found: dict[tuple[str, str], Offer] = {}
    for offer in (*_built(), *_given(agents), *_simple()):
        found.setdefault((offer.agent, offer.game), offer)
    order = {name: place for place, name in enumerate(GAMES)}
    return sorted(found.values(), key=lambda offer: order.get(offer.game, len(order)))


def title(game: str) -> str:
    return TITLES.get(game, game)


def _built() -> Iterator[Offer]:
    """Builds first, the strongest that there is; then what comes with the package."""
    for preset in preset_names():
        for name in (preset, f"{preset}-small"):
            description = named_build(name)
            if description is not None and is_built(description):
                yield Offer(name, name, description.game.value, description.summary)
    for game in STARTER_GAMES:
        yield Offer(STARTER, STARTER, game, "comes with doyle; plays at once")


def _given(agents: tuple[str, ...]) -> Iterator[Offer]:
    for text in agents:
        game = own_game(text)
        games = GAMES if game is None else (game.name,)
        for name in games:
            try:
                check_agent_text(text, Game.named(name))
            except DoyleError:
                if game is not None or name == games[0]:
                    raise
                continue
            yield Offer(text, text, name, "")


def _simple() -> Iterator[Offer]:
    for game in GAMES:
        for agent, note in SIMPLE:
            yield Offer(agent, agent, game, note)
