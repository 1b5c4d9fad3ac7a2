"""From the text of an agent to its built strategy; a preset that is not built yet is built."""

from __future__ import annotations

import hashlib
import sys
from functools import partial
from pathlib import Path
from typing import Any

from doyle.artifacts.locks import locked
from doyle.building.description import BuildDescription, load_description, preset_names
from doyle.building.pipeline import BuildResult, agent_folder, build
from doyle.card_abstraction.registry import build as build_abstraction
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.measuring.full_cards import Deck, FullCardResponse
from doyle.measuring.full_run import VERSION, FullCardResult, ResponseSource, run_full_cards
from doyle.paths import cache_folder
from doyle.strategy import TableStrategy, load_strategy
from doyle.workers import Progress, Workers
from doyle.workers.local import available_cores


def named_build(agent: str) -> BuildDescription | None:
    """The description that a text names: PRESET or FILE.toml, then `-small`, then `@GAME`.

    None if it names none. `tartanian-small@holdem-nl-200bb` is the small version of a preset, with
    its betting and cards in another game.

    >>> named_build("tartanian-small@holdem-nl-200bb").game.value
    'holdem-nl-200bb'
    """
    rest, _, game = agent.partition("@")
    name = rest.removesuffix("-small")
    if name not in preset_names() and not (name.endswith(".toml") and Path(name).is_file()):
        return None
    description = load_description(name).at_scale("small" if rest != name else "full")
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
    if description is not None and not folder.exists():
        print(f"doyle: building {agent} first", file=sys.stderr)
        say = partial(print, file=sys.stderr)
        with locked(agent_folder(description.name) / "lock"):
            if not folder.exists():
                build(description, workers=Workers(available_cores()), say=say)
    return load_strategy(folder)


def _load_response(folder: str) -> FullCardResponse:
    strategy = load_strategy(Path(folder))
    abstraction = build_abstraction(strategy.info["cards"])
    return FullCardResponse(strategy, abstraction, Deck(strategy.tree.game))


def full_card_run(
    agent: str,
    *,
    flops: int | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> FullCardResult:
    """Go on with the full-card best response to `agent`."""
    strategy = find_strategy(agent)
    folder = strategy_folder(agent)
    assert folder is not None
    identity: dict[str, Any] = {
        "version": VERSION,
        "game": strategy.tree.game.to_text(),
        "betting": str(strategy.tree.model),
        "cards": strategy.info["cards"],
        "iterations": strategy.info["iterations"],
        "seed": strategy.info["seed"],
        "folder": str(folder.absolute()),
    }
    digest = hashlib.blake2b(repr(sorted(identity.items())).encode(), digest_size=8).hexdigest()
    return run_full_cards(
        ResponseSource(_load_response, (str(folder.absolute()),)),
        cache_folder() / "measurements" / digest,
        identity=identity,
        flops=flops,
        workers=workers,
        progress=progress,
    )


def play_notes(result: BuildResult) -> tuple[list[tuple[str, str]], str]:
    """Facts for the report, and what more time buys."""
    info = result.info
    history = info["history"]
    rate = info["iterations"] / history[-1]["seconds"] if history else 0.0
    facts = [
        ("information sets", f"{info['infosets']:,}"),
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
    over_all = f"over all cards: doyle exploitability {info['agent']} --cards full"
    if info["exploitability"] is None:
        return [("exploitability", f"not known in the abstract game; {over_all}")]
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
    more = f"`doyle build {info['agent']} --minutes 60` goes on from here."
    if info["agent"] == "default":
        more = "`make agent MINUTES=60` goes on from here."
    if "regret_bound" not in (info["history"] or [{}])[-1]:
        return f"Exploitability in the abstract game falls with every iteration; {more}"
    visits = info["iterations"] * 2 / max(1, info["infosets"])
    return (
        "The regret bound falls about as one over the square root of time: four times the minutes "
        f"halve it. So far there are {visits:,.0f} traversals for every information set. {more}"
    )
