"""Agents that a command needs and that are not built yet.

Small builds start automatically. Longer builds need the user's consent: the command ends with the
estimated cost and the command to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer

from doyle.apps.cli.common import progress_bar, say
from doyle.base.display import duration

if TYPE_CHECKING:
    from doyle.agents.case_bases.snapshot import Snapshot
    from doyle.agents.cases.named import NamedCases
    from doyle.agents.named_strategy import NamedStrategy
    from doyle.base.workers import Workers
    from doyle.games import Game

SMALL_SECONDS = 60.0
"""Builds estimated to solve within this time start automatically."""

TRAINING = "doyle.experiments.training.presets"
"""The module that trains the case bases of a preset: loaded when needed, never imported here."""

BuildMissing = Annotated[
    bool,
    typer.Option("--build", help="Build agents that are not built yet, without a time limit."),
]


def build_missing(agents: Iterable[str], *, build: bool, game: Game | None = None) -> None:
    """Build missing builds among the agents, after all texts have been checked.

    With a `game`, agents that do not exist or play another one are refused first.
    """
    texts = list(agents)
    if game is not None:
        from doyle.agents import check_agent_text

        for text in texts:
            check_agent_text(text, game)
    for text in texts:
        _build(text, allowed=build)


def strategy_of(
    agent: str,
    *,
    purpose: str,
    build: bool,
    check: Callable[[Game], object] | None = None,
) -> NamedStrategy:
    """The strategy that a text names, built first if it is small or if `build` is set.

    `check` is called with its game before anything is built. Agents derived from others
    (`search:AGENT`) have no strategy of their own, so nothing is built for them.
    """
    from doyle.agents.named_strategy import checked_text, required_strategy

    if checked_text(agent, check=check) is not None:
        _build(agent, allowed=build)
    return required_strategy(agent, purpose=purpose, check=check)


def _build(text: str, *, allowed: bool) -> None:
    from doyle.agents.registry import FromCases, find_agent

    found = find_agent(text)
    for needed in found.needs() if found is not None else ():
        if isinstance(needed, FromCases):
            _build_cases(needed.named, allowed=allowed)
        else:
            _build_strategy(needed.text, allowed=allowed)


def _build_strategy(text: str, *, allowed: bool) -> None:
    import shlex

    from doyle.agents.registry import split_text
    from doyle.base.errors import DoyleError
    from doyle.base.workers import Workers
    from doyle.base.workers.local import available_cores
    from doyle.building import is_built, load_or_build_strategy, named_build

    name = split_text(text)[0]
    description = named_build(name)
    if description is None or is_built(description):
        return
    seconds = description.seconds.value
    cost = f"{duration(seconds)} of solving"
    if seconds > SMALL_SECONDS and not allowed:
        raise DoyleError(
            f"agent {name!r}: not built yet, which takes {cost} after its cards; run "
            f"`doyle build {shlex.quote(name)}`, or add --build to this command"
        )
    say(f"building {name} first: {cost}")
    with progress_bar() as progress:
        load_or_build_strategy(name, workers=Workers(available_cores()), progress=progress)


def _build_cases(cases: NamedCases, *, allowed: bool) -> None:
    """Make the case bases of a snapshot that has none yet, from hands that its experts play."""
    from doyle.base.errors import DoyleError
    from doyle.base.workers import Workers
    from doyle.base.workers.local import available_cores

    snapshot = cases.snapshot
    if cases.is_built or snapshot is None:
        return
    if not allowed and cases.scale == "full":
        raise DoyleError(
            f"agent {cases.text!r}: its case base is not built yet; run "
            f"`doyle cases build {snapshot.name}`, or add --build to this command"
        )
    say(f"building {cases.name} first: its experts play {snapshot.deals(cases.scale):,} deals")
    train_preset(snapshot, scale=cases.scale, workers=Workers(available_cores()))


def train_preset(snapshot: Snapshot, *, scale: str, workers: Workers) -> None:
    """Make the logs of a snapshot's experts and its case bases from them."""
    with progress_bar() as progress:
        import_module(TRAINING).train(
            snapshot, scale=scale, workers=workers, progress=progress, say=say
        )
