"""Opponents of experiments in no-limit Hold'em: the agents of the museum, built if they are missing."""

from __future__ import annotations

from doyle.agents.resolve import split_exploiter
from doyle.building import named_build
from doyle.museum.built import ITERATIONS, built_exhibit
from doyle.museum.exhibits import LEAGUES, exhibit
from doyle.papers.registry import Options

GAME = "holdem-nl-200bb"


def museum_opponents(options: Options, *, without: str = "") -> dict[str, str]:
    """By name the strategies of the museum's league at 200 big blinds, but for one preset.

    At small scale they are small exhibits, at published scale full presets. An agent that remembers is
    asked hand by hand and has experiments of its own, so it is left out.
    """
    names = [name for name in LEAGUES[GAME] if name != without and not split_exploiter(name)[0]]
    texts = {name: exhibit(name, GAME, museum_scale(options)) for name in names}
    return {name: ready(text, options) for name, text in texts.items() if named_build(text)}


def museum_scale(options: Options) -> str:
    """The museum's scale for that of an experiment."""
    return "small" if options.scale == "small" else "full"


def ready(text: str, options: Options) -> str:
    """The text by which an exhibit plays, built first if it is missing."""
    return built_exhibit(text, workers=options.workers, progress=options.progress)


def solved_note(options: Options) -> str:
    """How the museum's agents of an experiment were solved, and what the published scale takes."""
    if options.scale == "small":
        return (
            f"Agents of the museum: small exhibits, {ITERATIONS:,} iterations each by one thread, so that "
            "results depend on the seed alone."
        )
    return "Agents of the museum: the presets at full size."


PUBLISHED_TIME = (
    "The published scale takes the museum's nine presets at full size, about an hour of solving each on two "
    "cores ({solving} hours in all; `doyle plan` says what each needs), and then {matches} of matches."
)
"""What a note says of the published scale; filled in by each experiment."""
