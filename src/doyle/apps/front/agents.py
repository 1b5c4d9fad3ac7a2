"""`load`, `build` and `exploitability`: agents from files, from descriptions, and how far they are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from doyle.agents.named_strategy import checked_text, named_strategy
from doyle.agents.registry import split_text
from doyle.apps.front.loaded import LoadedAgent
from doyle.apps.front.solves import SolveResult
from doyle.base.display import duration
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers
from doyle.base.workers.local import available_cores
from doyle.building import build as build_description
from doyle.building import is_built, load_description, named_build, preset_names
from doyle.building.find import agent_text
from doyle.games import Game, Policy
from doyle.measuring.runs import MISSING_POLICY, policy_of
from doyle.measuring.strategies import measure, measure_all_cards, policy_exploitability
from doyle.solving.profile import Exploitability


def load(agent: str | Path, *, build: bool = False) -> LoadedAgent:
    """The agent of a preset, a description or a strategy folder; options follow a colon.

    A preset or description that has not been built is refused, unless `build` is set, which builds it
    now with its description's time. `load("default:purification=full")` plays it purified.
    """
    text = str(agent)
    checked = checked_text(text)
    if checked is None:
        raise DoyleError(
            f"agent {text!r}: not a preset ({', '.join(preset_names())}), a .toml description or a "
            "strategy folder; with game=... `exploitability` measures baselines too"
        )
    description = named_build(checked[0])
    if description is not None and not is_built(description):
        if not build:
            raise DoyleError(
                f"agent {text!r}: not built yet ({duration(description.seconds.value)} of solving); "
                f"doyle.build({checked[0]!r}) builds it, and so does build=True here"
            )
        _build_now(checked[0])
    named = named_strategy(text)
    assert named is not None  # it was there a moment ago
    return LoadedAgent(named, text=_from_anywhere(text))


def build(
    agent: str | Path = "default",
    *,
    scale: Literal["full", "small"] = "full",
    seconds: float | None = None,
    iterations: int | None = None,
    seed: int | None = None,
    shards: int = 0,
    merge: int = 0,
    report: str | Path | None = None,
    hands: int = 10_000,
    workers: int | None = None,
    progress: Progress | None = None,
) -> LoadedAgent:
    """Build an agent from a preset or a .toml description, or resume building it, and load it.

    `seconds` (by default the description's) or `iterations` (in all) bound the solving. Several
    workers (by default all cores) sample a little differently each time; one worker, or `shards`,
    give the same bytes. `scale="small"` is the same as `-small` after the name. With `report`, an HTML
    file, the agent is measured by matches of so many `hands` and its report card is written there.
    """
    description = named_build(str(agent), scale=scale)
    if description is None:
        description = load_description(str(agent)).at_scale(scale)
    threads = Workers(workers or available_cores())
    result = build_description(
        description,
        seconds=seconds,
        iterations=iterations,
        seed=seed,
        shards=shards,
        merge=merge,
        workers=threads,
        progress=progress,
    )
    text = agent_text(str(agent), scale)
    if report is not None:
        from doyle.measuring.reports.build_report import report_build

        is_named = seed is None and not shards and not merge
        measured = text if is_named else str(result.folder)
        report_build(
            result,
            measured,
            Path(report),
            name=text,
            hands=hands,
            workers=threads,
            progress=progress,
        )
    return load(text)


def exploitability(
    agent: str | Path | LoadedAgent | SolveResult | Policy,
    *,
    game: Game | str | Path | None = None,
    cards: Literal["abstract", "full"] = "abstract",
    workers: int | None = None,
    progress: Progress | None = None,
) -> Exploitability:
    """The exact gain of a best response against an agent as it plays, in chips per hand.

    Games with a small deck are measured whole. Hold'em is measured in the agent's abstract game, or
    with `cards="full"` inside its betting tree over all hands and boards, which takes long and resumes
    where it stopped. Any other policy is measured in the small game that `game` names.

    >>> from doyle.apps.front.solves import solve
    >>> exploitability(solve("kuhn", solver="lp")).total < 1e-9
    True
    """
    if isinstance(agent, SolveResult):
        agent = agent.agent
    if isinstance(agent, str | Path) and checked_text(str(agent)) is None and game is not None:
        agent = policy_of(str(agent), Game.of(game), instead=MISSING_POLICY)
    elif isinstance(agent, str | Path):
        agent = load(agent)
    if not isinstance(agent, LoadedAgent):
        if game is None:
            raise DoyleError("exploitability: a policy needs the game that it is measured in")
        return policy_exploitability(Game.of(game), (agent, agent))
    if game is not None and Game.of(game) != agent.game:
        raise DoyleError(f"agent {agent.name!r} plays {agent.game.name}, not {Game.of(game).name}")
    chosen = Workers(workers or available_cores())
    if cards == "full" and agent.cards is not None:
        run = measure_all_cards(agent._named, workers=chosen, progress=progress)
        found, reason = run.exploitability, "not all flops are done"
    else:
        measured = measure(agent._named, workers=chosen, progress=progress)
        found, reason = measured.found, measured.reason or "not known"
    if found is None:
        raise DoyleError(f"exploitability of {agent.name!r}: {reason}")
    return found


def _build_now(agent: str) -> None:
    """As `build`, for a function that has a parameter of that name."""
    build(agent)


def _from_anywhere(text: str) -> str:
    """The text of an agent with paths that hold in any working folder."""
    name, rest = split_text(text)
    path = name if named_build(name) is not None and not name.endswith(".toml") else None
    full = path or os.path.abspath(name)  # noqa: PTH100
    return f"{full}:{rest}" if rest else full
