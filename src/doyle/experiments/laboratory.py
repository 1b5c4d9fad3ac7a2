"""The laboratory: agents made for experiments, and matches and measurements that are run once and remembered.

Small agents are solved by one thread for a fixed number of iterations, so that results do not depend on the speed of
the machine, and under names of their own (`experiment-...`, with a digest of the solve's
parameters), so that a user's build of the same preset changes no experiment. Agents at full scale
are the presets themselves.

A measurement is remembered by everything that decides it: the game, the identities of the agents
(`doyle.agents.identity`, the code that plays included), seed and size. Agents from files and of other packages play
every time, and so does a match with a forfeit: it may end otherwise the next time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields
from hashlib import sha256
from typing import Any, TypeVar

import numpy as np

from doyle.agents.identity import identity
from doyle.agents.registry import EXPLORER, explores, read_agent
from doyle.base.artifacts import Builder, Description, Store
from doyle.base.workers import Progress, Workers
from doyle.building import (
    BuildDescription,
    agent_folder,
    build,
    load_or_build_strategy,
    named_build,
)
from doyle.building.pipeline import has_snapshot
from doyle.building.pipeline import identity as solved_fields
from doyle.games import Game
from doyle.matches import MatchResult, play_match
from doyle.matches.chance import Chance
from doyle.measuring.exact_hands.run import ExactHandsResult, run_exact_hands
from doyle.measuring.local_best_response.run import LbrResult, run_lbr
from doyle.strategy import load_strategy

ITERATIONS = 1 << 21
"""Of a small agent: 10 to 20 seconds of one core."""
DEEP_ITERATIONS = 1 << 22
"""At more than 200 big blinds, where a million iterations leave all-ins that lose many big blinds."""
_DEEP = 200

VERSION = 4
"""Version of stored measurements; raised when the measuring code, not the play of agents,
changes."""

R = TypeVar("R", MatchResult, LbrResult, ExactHandsResult)


def built_agent(
    text: str,
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> str:
    """The text by which an agent plays, built first if it is missing.

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

    A small one is solved for `iterations`, by default its game's number.
    """
    description = named_build(text)
    if description is None:
        return text
    if is_small(text):
        iterations = iterations or iterations_in(Game.named(description.game.value))
        return small_agent(description, iterations, progress=progress, say=say)
    load_or_build_strategy(text, workers=workers, progress=progress)
    return text


def small_agent(
    description: BuildDescription,
    iterations: int,
    *,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> str:
    """The folder of a build solved by one thread for so many iterations, made if it is missing."""
    own = own_description(description, iterations)
    if not is_solved(description, iterations):
        say(f"building {own.name} first: {iterations:,} iterations")
        build(own, iterations=iterations, workers=Workers(1), progress=progress)
    return str(agent_folder(own.name))


def own_description(description: BuildDescription, iterations: int) -> BuildDescription:
    """The same build under a name of the experiments' own, with a digest of the solve's
    parameters."""
    solved = {**solved_fields(description), "iterations": iterations}
    digest = sha256(json.dumps(solved, sort_keys=True).encode()).hexdigest()[:8]
    name = f"experiment-{description.name}-{digest}"
    return description.model_copy(update={"name": name})


def is_solved(description: BuildDescription, iterations: int) -> bool:
    """Whether the small agent of a build is there, with all its iterations."""
    stored = agent_folder(own_description(description, iterations).name) / "strategy"
    return has_snapshot(stored) and (load_strategy(stored).info.iterations or 0) >= iterations


def iterations_in(game: Game) -> int:
    """Of small agents of a game.

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


def memo(
    kind: type[R],
    key: dict[str, Any] | None,
    measure: Callable[[], R],
    **known: Any,
) -> R:
    """A result that is measured once: its one array and its plain fields are kept under `key`.

    `known` are its other fields. Without a key it is measured now.
    """
    if key is None:
        return measure()
    plain = [one.name for one in fields(kind) if one.name not in (*known, *_ARRAYS)]
    array = next(one.name for one in fields(kind) if one.name in _ARRAYS)

    def run(builder: Builder) -> None:
        found = measure()
        if getattr(found, "forfeits", ()):
            raise _NotKept(found)
        builder.put(array, getattr(found, array))
        builder.metadata = {name: getattr(found, name) for name in plain}

    try:
        kept = Store().get(Description(kind.__name__, VERSION, key), run)
    except _NotKept as error:
        return error.args[0]  # type: ignore[no-any-return]
    for name in plain:
        detail = kept.detail(name)
        known[name] = tuple(detail) if isinstance(detail, list) else detail
    known[array] = np.array(kept.array(array))
    return kind(**known)


_ARRAYS = ("units", "values")


class _NotKept(Exception):
    """A result that may be another one the next time."""


def key_of(game: Game, agents: Sequence[str], **more: Any) -> dict[str, Any] | None:
    """All inputs of some agents' play in a game; None if an agent's results cannot be stored."""
    if any(read_agent(text).is_foreign for text in agents):
        return None
    return {"game": game.to_text(), "agents": [identity(text, game) for text in agents], **more}


def kept_match(
    game: Game,
    agents: tuple[str, str],
    *,
    hands: int,
    seed: int = 0,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """A duplicate match of two agents given as texts."""
    return memo(
        MatchResult,
        key_of(game, agents, hands=hands, seed=seed),
        lambda: play_match(
            game, agents, hands=hands, seed=seed, workers=workers, progress=progress
        ),
        game=game,
        chance=Chance.repeatable(seed),
        duplicate=True,
        forfeits=(),
    )


def kept_lbr(
    game: Game,
    agent: str,
    *,
    actions: str = "fcpa",
    hands: int,
    seed: int = 0,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> LbrResult:
    """Winnings of the local best response against an agent; stored without the division by first
    raise."""
    return memo(
        LbrResult,
        key_of(game, [agent], actions=actions, hands=hands, seed=seed),
        lambda: run_lbr(
            game, agent, actions=actions, hands=hands, seed=seed, workers=workers, progress=progress
        ),
        game=game,
        origins={},
    )


def kept_exact_hands(
    game: Game,
    agents: tuple[str, str],
    *,
    boards: int,
    seed: int = 0,
    least_stake: float = 0.0,
    workers: Workers | None = None,
) -> ExactHandsResult:
    """Winnings of the first of two agents against the second over all pairs of hands on some
    boards.

    For policies without a plan, histories with less than `least_stake` chips per hand at stake are
    sampled.
    """
    return memo(
        ExactHandsResult,
        key_of(game, agents, boards=boards, seed=seed, least_stake=least_stake),
        lambda: run_exact_hands(
            game, agents, boards=boards, seed=seed, least_stake=least_stake, workers=workers
        ),
        game=game,
    )
