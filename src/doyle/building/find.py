"""The strategy of an agent text: looked up, or built on request."""

from __future__ import annotations

from pathlib import Path

from doyle.base.artifacts.files import path_of
from doyle.base.display import duration
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers
from doyle.building.description import BuildDescription, load_description, preset_names
from doyle.building.pipeline import agent_folder, agent_lock, build, check_fits, has_snapshot
from doyle.strategy import TableStrategy, load_strategy


class NotBuiltError(DoyleError):
    """A build whose strategy does not exist yet."""

    def __init__(self, agent: str, description: BuildDescription) -> None:
        self.agent = agent
        self.seconds = description.seconds.value
        super().__init__(
            f"agent {agent!r}: not built yet ({duration(self.seconds)} of solving); build it first"
        )


def named_build(agent: str, *, scale: str = "full") -> BuildDescription | None:
    """The description that a text names: PRESET or FILE.toml, then `-small`, then `@GAME`.

    None if it names no build. `tartanian-small@holdem-nl-200bb` is the small version of a preset,
    with its betting and cards in another game; `scale="small"` makes any text's build small.

    >>> named_build("tartanian-small@holdem-nl-200bb").game.value
    'holdem-nl-200bb'
    """
    rest, _, game = agent.partition("@")
    name = rest.removesuffix("-small")
    is_file = name.endswith(".toml") and path_of(name, what="agent").is_file()
    if name not in preset_names() and not is_file:
        return None
    if rest != name and scale == "full":
        scale = "small"
    description = load_description(name).at_scale(scale)
    return description.in_game(game) if game else description


def agent_text(name: str, scale: str) -> str:
    """The text of a build at a scale.

    >>> agent_text("default@holdem-nl-100bb", "small")
    'default-small@holdem-nl-100bb'
    """
    rest, at, game = name.partition("@")
    small = scale == "small" and not rest.endswith("-small")
    return f"{rest}-small{at}{game}" if small else name


def strategy_folder(agent: str) -> Path | None:
    """The folder of the strategy of `agent`, existing or not; None for a text that names no
    strategy.

    A text names a build (`named_build`), or is the folder of a build or of a strategy.
    """
    description = named_build(agent)
    if description is not None:
        return agent_folder(description.name) / "strategy"
    path = path_of(agent, what="agent")
    if agent.strip() and path.is_dir():  # the empty text is the folder one is in
        return path / "strategy" if (path / "strategy").is_dir() else path
    return None


def is_built(description: BuildDescription) -> bool:
    """Whether a strategy of this name exists; compatibility is checked on load."""
    return has_snapshot(agent_folder(description.name) / "strategy")


def load_agent_strategy(agent: str) -> TableStrategy:
    """The strategy that a text names; `NotBuiltError` if it names a build that is not there."""
    folder = strategy_folder(agent)
    if folder is None:
        raise DoyleError(
            f"agent {agent!r}: not a preset ({', '.join(preset_names())}), a .toml description "
            "or a strategy folder"
        )
    description = named_build(agent)
    if description is None:
        return load_strategy(folder)
    if not is_built(description):
        raise NotBuiltError(agent, description)
    return load_built_strategy(description)


def load_built_strategy(description: BuildDescription) -> TableStrategy:
    """The strategy of a finished build, played by its current description.

    Translation and purification of the description may have changed since the solve.
    """
    folder = agent_folder(description.name)
    check_fits(description, folder)
    return load_strategy(folder / "strategy").with_info(
        translation=description.translation.value,
        purification=description.purification.value,
        threshold=description.threshold.value,
    )


def load_or_build_strategy(
    agent: str,
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> TableStrategy:
    """The strategy that a text names, built first if it names a build that is not there."""
    description = named_build(agent)
    if description is not None and not is_built(description):
        with agent_lock(description.name):
            if not is_built(description):  # another process may have built it meanwhile
                build(
                    description,
                    workers=workers,
                    progress=progress,
                    lock=False,
                    solve_here=True,
                )
    return load_agent_strategy(agent)
