"""Builds: from one description file to a strategy that plays."""

from doyle.building.description import BuildDescription
from doyle.building.find import (
    find_strategy,
    named_build,
    play_notes,
    strategy_folder,
)
from doyle.building.library import load_description, preset_names
from doyle.building.pipeline import BuildResult, agent_folder, agent_lock, build, build_locked

__all__ = [
    "BuildDescription",
    "BuildResult",
    "agent_folder",
    "agent_lock",
    "build",
    "build_locked",
    "find_strategy",
    "load_description",
    "named_build",
    "play_notes",
    "preset_names",
    "strategy_folder",
]
