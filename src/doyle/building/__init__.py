"""Builds: from one description file to a strategy that plays."""

from doyle.building.description import BuildDescription, load_description, preset_names
from doyle.building.find import (
    find_strategy,
    full_card_run,
    named_build,
    play_notes,
    strategy_folder,
)
from doyle.building.pipeline import BuildResult, agent_folder, build

__all__ = [
    "BuildDescription",
    "BuildResult",
    "agent_folder",
    "build",
    "find_strategy",
    "full_card_run",
    "load_description",
    "named_build",
    "play_notes",
    "preset_names",
    "strategy_folder",
]
