"""Opponents of experiments in no-limit Hold'em: the agents of the museum, built if they are missing."""

from __future__ import annotations

from doyle.agents.registry import explores
from doyle.building import named_build
from doyle.experiments.laboratory import ITERATIONS, built_agent, kept_match
from doyle.experiments.museum.exhibits import LEAGUES, preset_text
from doyle.experiments.papers.registry import Options
from doyle.games import Game
from doyle.matches import MatchResult

GAME = "holdem-nl-200bb"


def museum_agent(name: str, options: Options) -> str:
    """The text by which an agent of the museum plays: a small exhibit, at published scale a full preset."""
    scale = "small" if options.scale == "small" else "full"
    text = preset_text(name, GAME, scale)
    return built_agent(text, workers=options.workers, progress=options.progress)


def museum_opponents(options: Options, *, without: str) -> dict[str, str]:
    """By name the strategies of the museum's league at 200 big blinds, but for one preset.

    A stateful agent is played hand by hand and has experiments of its own, so it is left out.
    """
    names = [name for name in LEAGUES[GAME] if name != without and not explores(name)]
    return {name: museum_agent(name, options) for name in names if named_build(name) is not None}


def match(first: str, second: str, options: Options, *, hands: int) -> MatchResult:
    """A match at 200 big blinds, played unless it is remembered."""
    return kept_match(
        Game.named(GAME), (first, second), hands=hands, seed=options.seed, workers=options.workers
    )


def solved_note(options: Options) -> str:
    """How the museum's agents of an experiment were solved."""
    if options.scale == "small":
        return (
            f"Agents of the museum: small exhibits, {ITERATIONS:,} iterations each by one thread, so that "
            "results depend on the seed alone."
        )
    return "Agents of the museum: the presets at full size."
