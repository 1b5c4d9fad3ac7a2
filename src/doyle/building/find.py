"""From the text of an agent to its built strategy; a preset that is not built yet is built."""

from __future__ import annotations

import shlex
import sys
from functools import partial
from pathlib import Path

from doyle.building.description import BuildDescription
from doyle.building.identity import check_fits, has_snapshot
from doyle.building.library import load_description, preset_names
from doyle.building.pipeline import BuildResult, agent_folder, agent_lock, build_locked
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.strategy import TableStrategy, load_strategy
from doyle.workers import Workers
from doyle.workers.local import available_cores


def named_build(agent: str, *, scale: str = "full") -> BuildDescription | None:
    """The description that a text names: PRESET or FILE.toml, then `-small`, then `@GAME`.

    None if it names none. `tartanian-small@holdem-nl-200bb` is the small version of a preset, with
    its betting and cards in another game; `scale="small"` makes any text's build small.

    >>> named_build("tartanian-small@holdem-nl-200bb").game.value
    'holdem-nl-200bb'
    """
    rest, _, game = agent.partition("@")
    name = rest.removesuffix("-small")
    if name not in preset_names() and not (name.endswith(".toml") and Path(name).is_file()):
        return None
    if rest != name and scale == "full":
        scale = "small"
    description = load_description(name).at_scale(scale)
    return description.in_game(game) if game else description


def strategy_folder(agent: str) -> Path | None:
    """Where the strategy of `agent` is or will be; None for a text that names no strategy.

    A text names a build (`named_build`), or is the folder of a build or of a strategy.
    """
    description = named_build(agent)
    if description is not None:
        return agent_folder(description.name) / "strategy"
    path = Path(agent)
    if path.is_dir():
        return path / "strategy" if (path / "strategy").is_dir() else path
    return None


def find_strategy(agent: str) -> TableStrategy:
    """The strategy of `agent`, built first if it names a build that is not there yet."""
    folder = strategy_folder(agent)
    if folder is None:
        raise DoyleError(
            f"agent {agent!r}: not a preset ({', '.join(preset_names())}), a .toml description "
            "or a strategy folder"
        )
    description = named_build(agent)
    if description is None:
        return load_strategy(folder)
    if not has_snapshot(folder):
        say = partial(print, file=sys.stderr)
        seconds = description.seconds.value
        say(f"doyle: building {agent} first, {seconds:g} s of solving; or run doyle build {agent}")
        with agent_lock(description.name, say):
            if not has_snapshot(folder):
                build_locked(description, workers=Workers(available_cores()), say=say)
    check_fits(description, folder.parent)
    strategy = load_strategy(folder)
    # How it plays is as the description says now, whatever it said when the strategy was solved.
    strategy.info["translation"] = description.translation.value
    strategy.info["purification"] = description.purification.value
    strategy.info["threshold"] = description.threshold.value
    return strategy


def play_notes(result: BuildResult) -> tuple[list[tuple[str, str]], str]:
    """Facts for the report, and what more time buys."""
    info = result.info
    history = info["history"]
    rate = info["iterations"] / history[-1]["seconds"] if history else 0.0
    facts = [
        ("information sets", f"{sum(info['infosets']):,}"),
        ("buckets by round", ", ".join(f"{count:,}" for count in info["bucket_counts"])),
        ("iterations", f"{info['iterations']:,} ({rate:,.0f} a second)"),
        ("memory for regrets and averages", f"{info['table_bytes'] / 2**20:,.1f} MiB"),
        ("translation of unknown bets", str(info["translation"])),
        ("purification", str(info["purification"])),
        ("same bytes for the same seed", "yes" if info["deterministic"] else "no: threads race"),
        *_exploitability(result),
    ]
    return facts, _advice(result)


def _exploitability(result: BuildResult) -> list[tuple[str, str]]:
    info = result.info
    agent = result.agent or shlex.quote(str(result.folder))
    over_all = f"over all cards: doyle exploitability {agent} --cards full"
    if info["exploitability"] is None:
        note = info.get("exploitability_note") or "not known in the abstract game"
        return [("exploitability", f"not known: {note}".replace("AGENT", agent))]
    blind = Game.named(result.description.game.value).big_blind

    def amount(name: str) -> str:
        chips = float(info[name]["total"])
        return f"{1000 * chips / blind:,.1f} mbb/h in the abstract game ({chips:.4g} chips)"

    rows = [("exploitability", f"{amount('exploitability')}; {over_all}")]
    if info["purification"] != "none":
        rows.append(("exploitability after purification", amount("exploitability_as_played")))
    return rows


def _advice(result: BuildResult) -> str:
    info = result.info
    more = f"`{result.command}` goes on from here." if result.command else "Building again goes on."
    if "regret_bound" not in (info["history"] or [{}])[-1]:
        return f"Exploitability in the abstract game falls with every iteration; {more}"
    visits = info["iterations"] * 2 / max(1, sum(info["infosets"]))
    return (
        "The regret bound falls about as one over the square root of time: four times the minutes "
        f"halve it. So far there are {visits:,.0f} traversals for every information set. {more}"
    )
