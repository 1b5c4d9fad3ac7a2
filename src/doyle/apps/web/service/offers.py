"""The agents that a server offers: the only ones that can be named from the network."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable

from doyle.agents.registry import SEARCH
from doyle.agents.starter.agent import STARTER, STARTER_GAMES
from doyle.apps.web.config import GAMES
from doyle.apps.web.service.errors import UnknownAgentError
from doyle.apps.web.service.tasks import Tasks
from doyle.apps.web.thinking.pool import ThinkingPool
from doyle.apps.web.thinking.requests import Offer
from doyle.base.errors import DoyleError
from doyle.base.paths import cache_folder

logger = logging.getLogger("doyle.apps.web")

LOOKING_SECONDS = 120.0
BUILD_FOLDERS = ("agents", "case_bases")
"""The cache's folder of builds."""

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
    """The agents that can be played without a build."""
    starters = [
        Offer(STARTER, STARTER, game, "comes with doyle; plays at once") for game in STARTER_GAMES
    ]
    searching = Offer(
        f"{SEARCH}:{STARTER}",
        f"{SEARCH}:{STARTER}",
        "holdem-nl-200bb",
        "solves every river again while it plays",
    )
    return [*starters, searching] + [
        Offer(agent, agent, game, note) for game in GAMES for agent, note in SIMPLE
    ]


def ordered(offers: Iterable[Offer]) -> list[Offer]:
    """Each agent once for a game, by game; the first of a game is the default of a new table."""
    found: dict[tuple[str, str], Offer] = {}
    for offer in offers:
        found.setdefault((offer.agent, offer.game), offer)
    order = {name: place for place, name in enumerate(GAMES)}
    return sorted(found.values(), key=lambda offer: order.get(offer.game, len(order)))


def may_have_builds() -> bool:
    """Whether any build may exist here; a full check takes longer."""
    return any((cache_folder() / name).is_dir() for name in BUILD_FOLDERS)


def title(game: str) -> str:
    return TITLES.get(game, game)


class Offers:
    """The offers of a server: some immediately, others after the check of builds."""

    def __init__(self, pool: ThinkingPool, tasks: Tasks) -> None:
        self.known: list[Offer] = ordered(at_once())
        self._pool = pool
        self._tasks = tasks
        self._looking: asyncio.Task[None] | None = None

    def start(self, agents: tuple[str, ...]) -> None:
        """Find builds, then load the first agent of each game, so that no hand waits for it."""
        if agents or may_have_builds():
            self._looking = self._tasks.spawn(self._look(agents))
        self._tasks.spawn(self._warm())

    async def all(self) -> list[Offer]:
        if self._looking is not None:
            await asyncio.shield(self._looking)
        return self.known

    def find(self, agent: str, game: str) -> Offer:
        """The offer of an agent for a game; UnknownAgentError if absent."""
        for offer in self.known:
            if (offer.agent, offer.game) == (agent, game):
                return offer
        raise UnknownAgentError(f"agent {agent[:60]!r} is not offered for game {game[:60]!r}")

    async def _look(self, agents: tuple[str, ...]) -> None:
        try:
            built = await self._pool.work(
                "available_agents.built_offers", agents, seconds=LOOKING_SECONDS
            )
        except DoyleError as error:
            logger.warning("agents: %s", error)
        else:
            self.known = ordered([*built, *self.known])

    async def _warm(self) -> None:
        await self.all()
        for game in dict.fromkeys(offer.game for offer in self.known):
            first = next(offer for offer in self.known if offer.game == game)
            with contextlib.suppress(DoyleError):
                await self._pool.warm(first.agent, game)
