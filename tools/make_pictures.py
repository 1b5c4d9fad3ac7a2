"""The first picture of README, made again from the agent that comes with the package: `make pictures`.

The picture carries a digest of what it shows, so that a test finds out when the agent plays otherwise.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from doyle.agents import resolve_agent
from doyle.games import Game, Policy, State
from doyle.measuring.reports.pages import grid_figure
from doyle.strategy import PlaceView

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "first-decision.png"
AGENT, GAME = "starter", "holdem-nl-200bb"
MARK = "Description"


def first_decision() -> PlaceView:
    """What the agent does with each hand when it acts first."""
    game = Game.named(GAME)
    agent = resolve_agent(AGENT, game)
    assert isinstance(agent, Policy)
    return PlaceView.of_policy(agent, State.start(game))


def digest(grid: PlaceView) -> str:
    """Of the shares in whole percent, which is more than one can see."""
    shares = (100 * grid.cells).round().astype(int).tolist()
    text = json.dumps([list(grid.names), shares])
    return hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    grid = first_decision()
    figure = grid_figure(grid)
    figure.savefig(PICTURE, dpi=110, metadata={MARK: digest(grid)})
    print(f"wrote {PICTURE}")
