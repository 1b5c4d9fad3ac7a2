"""Opponents of experiments in no-limit Hold'em: the agents of the museum, built if they are missing."""

from __future__ import annotations

from doyle.building import load_or_build_strategy, named_build
from doyle.museum.exhibits import LEAGUES, exhibit
from doyle.papers.registry import Options

GAME = "holdem-nl-200bb"


def museum_opponents(options: Options, *, without: str = "") -> list[str]:
    """The strategies of the museum's league at 200 big blinds, but for one preset.

    At small scale they are small presets, at published scale full ones.
    """
    names = [name for name in LEAGUES[GAME] if name != without]
    texts = [exhibit(name, GAME, museum_scale(options)) for name in names]
    return [ready(text, options) for text in texts if named_build(text) is not None]


def museum_scale(options: Options) -> str:
    """The museum's scale for that of an experiment."""
    return "small" if options.scale == "small" else "full"


def ready(text: str, options: Options) -> str:
    """The text of an agent that is built."""
    load_or_build_strategy(text, workers=options.workers, progress=options.progress)
    return text
