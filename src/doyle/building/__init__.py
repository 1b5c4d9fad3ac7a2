"""Builds: from one description file to a strategy that plays.

A description is a TOML file; bundled ones are presets and mark every field as published or assumed.
A build makes cards, betting tree, solution and strategy file in a folder of its own, resumes where
it stopped, and only gets better. Looking up a strategy never builds it, unless the caller requests
it.

In reading order:

`description`  the parameters that determine a build, checked field by field; presets and files by
    name
`pipeline`     the cost of a build, planned before it runs; its stages, under a lock; the
    description that a folder was built from
`find`         the strategy of an agent text
`planning`     memory, disk and time of a build or a spot, estimated before it runs
"""

from doyle.building.description import BuildDescription, load_description, preset_names
from doyle.building.find import (
    NotBuiltError,
    is_built,
    load_agent_strategy,
    load_built_strategy,
    load_or_build_strategy,
    named_build,
    strategy_folder,
)
from doyle.building.pipeline import BuildResult, agent_folder, agent_lock, build, plan_build

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
    "plan_build",
    "preset_names",
    "strategy_folder",
]
