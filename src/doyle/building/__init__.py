"""Builds: from one description file to a strategy that plays."""

from doyle.building.description import BuildDescription
from doyle.building.find import (
    NotBuiltError,
    is_built,
    load_agent_strategy,
    load_built_strategy,
    load_or_build_strategy,
    named_build,
    strategy_folder,
)
from doyle.building.library import load_description, preset_names
from doyle.building.pipeline import BuildResult, agent_folder, agent_lock, build

__all__ = [
    "BuildDescription",
    "BuildResult",
    "NotBuiltError",
    "agent_folder",
    "agent_lock",
    "build",
    "is_built",
    "load_agent_strategy",
    "load_built_strategy",
    "load_description",
    "load_or_build_strategy",
    "named_build",
    "preset_names",
    "strategy_folder",
]
