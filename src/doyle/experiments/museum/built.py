"""Exhibits that are built: small ones by one thread up to a fixed number of iterations.

What a match shows of a strategy depends on how far it was solved, and a number of seconds is another number
of iterations on every machine. So a small exhibit is built under a name of its own, `museum-...`, and its
bytes depend on its seed alone; a user's build of the same preset changes no league. Exhibits at full scale are
the presets themselves.
"""

from __future__ import annotations

from collections.abc import Callable

from doyle.agents.registry import EXPLORER, explores
from doyle.building import agent_folder, build, load_or_build_strategy, named_build
from doyle.building.description import BuildDescription
from doyle.building.identity import has_snapshot
from doyle.games import Game
from doyle.strategy import load_strategy
from doyle.workers import Progress, Workers

ITERATIONS = 1 << 21
"""Of a small exhibit: 10 to 20 seconds of one core."""
DEEP_ITERATIONS = 1 << 22
"""At more than 200 big blinds, where a million iterations leave all-ins that lose many big blinds."""
_DEEP = 200

_PREFIX = "museum-"


def built_exhibit(
    text: str,
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> str:
    """The text by which an exhibit plays, built first if it is missing.

    Texts that name no build, options after a colon included, are left as they are.
    """
    if named_build(text) is None:
        return text
    found = built_strategy(text, workers=workers, progress=progress, say=say)
    return f"{EXPLORER}:{found}" if explores(text) and found != text else found


def built_strategy(
    text: str,
    *,
    iterations: int | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> str:
    """The text of the strategy of a build, built first if it is missing.

    A small one is solved for `iterations`, by default as many as its game asks for.
    """
    description = named_build(text)
    if description is None or not is_small(text):
        load_or_build_strategy(text, workers=workers, progress=progress, say=say)
        return text
    own = museum_description(description, iterations)
    iterations = iterations or iterations_in(Game.named(description.game.value))
    folder = agent_folder(own.name)
    stored = folder / "strategy"
    if not has_snapshot(stored) or (load_strategy(stored).info.iterations or 0) < iterations:
        say(f"building {own.name} first: {iterations:,} iterations")
        build(own, iterations=iterations, workers=Workers(1), progress=progress)
    return str(folder)


def museum_description(description: BuildDescription, iterations: int | None) -> BuildDescription:
    """The same build under the museum's name, with its iterations if they are not the usual ones."""
    length = "" if iterations is None else f"-{iterations}"
    return description.model_copy(update={"name": f"{_PREFIX}{description.name}{length}"})


def iterations_in(game: Game) -> int:
    """Of small exhibits of a game.

    >>> iterations_in(Game.named("holdem-nl-200bb")), iterations_in(Game.named("doyle-500bb"))
    (2097152, 4194304)
    """
    is_deep = not game.is_limit and min(game.stacks) > _DEEP * game.big_blind
    return DEEP_ITERATIONS if is_deep else ITERATIONS


def is_small(text: str) -> bool:
    """Whether a text names a small build.

    >>> is_small("tartanian-small@holdem-nl-200bb"), is_small("tartanian")
    (True, False)
    """
    return text.partition("@")[0].endswith("-small")
