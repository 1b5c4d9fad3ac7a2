"""Training a snapshot: its experts play, and their decisions become the bases of the agent.

Each expert has one base, under `members` of the preset's folder; a three-player agent that switches
also has two-player ones, under `heads-up`. At small scale the experts are small builds too. Experts
that are not built are built first, so this is for commands, not for look-ups.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from typing import get_args

from doyle.agents.case_bases.snapshot import Scale, Snapshot, preset_folder
from doyle.base.display import duration
from doyle.base.errors import FieldError
from doyle.base.workers import Progress, Workers
from doyle.building import is_built, load_or_build_strategy, named_build
from doyle.experiments.training.lessons import Lesson

HEADS_UP_GAME = "holdem-limit-2p"


def train(
    snapshot: Snapshot,
    *,
    scale: str = "full",
    workers: Workers | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> None:
    """Fill the folder of a snapshot with the bases of its experts; existing ones are kept.

    The snapshot seeds all play; an interrupted training resumes.
    """
    if scale not in get_args(Scale):
        raise FieldError("scale", f"expected {' or '.join(get_args(Scale))}", value=scale)
    small = scale == "small"
    folder = preset_folder(snapshot.name + ("-small" if small else ""))
    point = snapshot.training
    partners = tuple(scaled(agent, small=small) for agent in point.partners.value)
    architecture = snapshot.architecture
    groups = [("members", snapshot.game.value, point.experts.value, architecture)]
    if architecture.switching:  # first, because an agent with members counts as built
        heads_up = ("heads-up", HEADS_UP_GAME, point.heads_up.value, architecture.heads_up())
        groups.insert(0, heads_up)
    for part, game, names, represented in groups:
        if (folder / part).is_dir():
            say(f"{folder / part}: is there already")
            continue
        experts = [scaled(name, small=small) for name in names]
        others = partners if part == "members" else ()
        for agent in (*experts, *others):
            _build(agent, workers, progress, say)
        unfinished = folder / f".{part}"
        for number, expert in enumerate(experts):
            opponents = (*(other for other in experts if other != expert), *others)
            lesson = Lesson(
                game,
                (expert,),
                tuple(dict.fromkeys(opponents)),
                deals=snapshot.deals("small" if small else "full"),
                seed=point.seed.value + number,
            )
            own = unfinished / folder_name(expert)
            say(f"learning from {expert}: {lesson.deals:,} deals of {game}")
            lesson.base(represented, own, workers=workers, progress=progress)
        shutil.rmtree(unfinished / "locks", ignore_errors=True)
        unfinished.rename(folder / part)


def _build(
    agent: str,
    workers: Workers | None,
    progress: Progress | None,
    say: Callable[[str], None],
) -> None:
    description = named_build(agent.partition(":")[0])
    if description is not None and not is_built(description):
        say(f"building {description.name} first: {duration(description.seconds.value)} of solving")
        load_or_build_strategy(agent.partition(":")[0], workers=workers, progress=progress)


def scaled(agent: str, *, small: bool) -> str:
    """The small build of a preset's text, with its options; other agents have no scale.

    >>> scaled("limit-2p:purification=full", small=True), scaled("ev", small=True)
    ('limit-2p-small:purification=full', 'ev')
    """
    name, colon, options = agent.partition(":")
    known = named_build(name)
    if not small or known is None or name.endswith("-small"):
        return agent
    rest, at, game = name.partition("@")
    return f"{rest}-small{at}{game}{colon}{options}"


def folder_name(agent: str) -> str:
    """An agent's text as the name of a folder.

    >>> folder_name("limit-2p-small:purification=full")
    'limit-2p-small-purification-full'
    """
    return re.sub(r"[^A-Za-z0-9._-]+", "-", agent)
