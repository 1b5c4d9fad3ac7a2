"""Strategies: action probabilities for every (decision, bucket), their files and their views.

A strategy belongs to one betting tree. It has a table per round whose rows are buckets; what the rows
mean is told by the card abstraction that its `StrategyInfo` names. Purified and thresholded strategies
are views that are computed when read.

Three nouns are easily confused. A *strategy* is these tables: what files hold. A *profile*
(`doyle.solving.profile`) is a pair of plans inside a solver. A *policy* (`doyle.games.view`) answers
for any public history of the real game, all hands at once; a strategy with a translation is one.

In reading order:

`strategy`  `Strategy`, `TableStrategy`, `Purified` and `Thresholded`; where actions stand in the tables, and whether tables fit in memory
`info`      `StrategyInfo`: what a file says of itself; `Point`, one measurement of a solve
`place`     `PlaceView`: what is played at one decision, with every hand
`files`     snapshots with memory-mapped tables, checked when they are read
`translation`  real bets read as bets of the tree, and bets of the tree made real
"""

from doyle.strategy.files import load_strategy, save_strategy
from doyle.strategy.info import (
    PURIFICATIONS,
    ChosenField,
    ExploitabilityRecord,
    Point,
    StrategyInfo,
)
from doyle.strategy.place import PlaceView
from doyle.strategy.strategy import (
    PUBLISHED_THRESHOLD,
    Layout,
    Origin,
    Purified,
    Strategy,
    TableStrategy,
    Thresholded,
    purified,
    uniform_tables,
)

__all__ = [
    "PUBLISHED_THRESHOLD",
    "PURIFICATIONS",
    "ChosenField",
    "ExploitabilityRecord",
    "Layout",
    "Origin",
    "PlaceView",
    "Point",
    "Purified",
    "Strategy",
    "StrategyInfo",
    "TableStrategy",
    "Thresholded",
    "load_strategy",
    "purified",
    "save_strategy",
    "uniform_tables",
]
