"""Opponents of experiments in no-limit Hold'em: the agents of the museum, built if they are missing."""

from __future__ import annotations

from collections.abc import Iterable

from doyle.agents.registry import explores
from doyle.building import load_description, named_build
from doyle.experiments.museum.built import ITERATIONS, built_exhibit
from doyle.experiments.museum.exhibits import LEAGUES, exhibit
from doyle.experiments.papers.registry import Options

GAME = "holdem-nl-200bb"


def museum_opponents(options: Options, *, without: str = "") -> dict[str, str]:
    """By name the strategies of the museum's league at 200 big blinds, but for one preset.

    At small scale they are small exhibits, at published scale full presets. An agent that remembers is
    asked hand by hand and has experiments of its own, so it is left out.
    """
    return {
        name: ready(exhibit(name, GAME, museum_scale(options)), options)
        for name in league_presets(without=without)
    }


def museum_scale(options: Options) -> str:
    """The museum's scale for that of an experiment."""
    return "small" if options.scale == "small" else "full"


def ready(text: str, options: Options) -> str:
    """The text by which an exhibit plays, built first if it is missing."""
    return built_exhibit(text, workers=options.workers, progress=options.progress)


def solved_note(options: Options) -> str:
    """How the museum's agents of an experiment were solved."""
    if options.scale == "small":
        return (
            f"Agents of the museum: small exhibits, {ITERATIONS:,} iterations each by one thread, so that "
            "results depend on the seed alone."
        )
    return "Agents of the museum: the presets at full size."


HANDS_PER_SECOND = 80_000
"""That kernels play on one core (docs/benchmarks.md)."""


def published_seconds(presets: Iterable[str], *, hands: int) -> float:
    """About how long the published scale takes: its presets at full size, on two cores, and hands by kernels."""
    solving = sum(load_description(name).seconds.value for name in presets)
    return float(solving + hands / HANDS_PER_SECOND)


def league_presets(*, without: str = "") -> list[str]:
    """The presets of `museum_opponents`."""
    names = [name for name in LEAGUES[GAME] if name != without and not explores(name)]
    return [name for name in names if named_build(name) is not None]
