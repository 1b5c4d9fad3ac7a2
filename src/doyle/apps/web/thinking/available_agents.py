"""Which agents are built, and for which games; runs in a thinking process, because building is heavy to import."""

from __future__ import annotations

from collections.abc import Iterator

from doyle.agents import check_agent_text, own_game
from doyle.agents.registry import SEARCH
from doyle.agents.search.settings import can_search
from doyle.apps.web.config import GAMES
from doyle.apps.web.thinking.requests import Offer, shown_name
from doyle.base.errors import DoyleError
from doyle.base.paths import cache_folder
from doyle.building import is_built, named_build, preset_names
from doyle.games import Game


def built_offers(agents: tuple[str, ...]) -> list[Offer]:
    """The agents that a server was started with, and all presets that are built."""
    return [*given_offers(agents), *_built(), *_built_cases()]


def _built() -> Iterator[Offer]:
    for preset in preset_names():
        for name in (preset, f"{preset}-small"):
            description = named_build(name)
            if description is not None and is_built(description):
                yield Offer(name, name, description.game.value, description.summary)
                if can_search(Game.named(description.game.value)):
                    text = f"{SEARCH}:{name}"
                    note = "solves every river again while it plays"
                    yield Offer(text, text, description.game.value, note)


def _built_cases() -> Iterator[Offer]:
    if not (cache_folder() / "case_bases").is_dir():
        return
    from doyle.agents.case_bases.snapshot import preset_names as case_preset_names
    from doyle.agents.cases.named import SMALL, named_cases

    for preset in case_preset_names():
        for name in (preset, f"{preset}{SMALL}"):
            named = named_cases(name)
            if named is not None and named.snapshot is not None and named.is_built:
                yield Offer(name, name, named.game.name, named.snapshot.summary)


def given_offers(agents: tuple[str, ...]) -> list[Offer]:
    """The games of the named agents; DoyleError if one does not exist. Nothing is built."""
    found = []
    for text in agents:
        own = own_game(text)
        for name in GAMES if own is None else (own.name,):
            try:
                check_agent_text(text, Game.named(name))
            except DoyleError:
                if own is not None or name == GAMES[0]:
                    raise
                continue
            found.append(Offer(text, shown_name(text), name, ""))
    return found
