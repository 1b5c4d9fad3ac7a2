"""Strategies: action probabilities for every (decision, bucket), their files and their views.

A strategy belongs to one betting tree. It has a table per round whose rows are buckets; the meaning
of the rows is defined by the card abstraction that its `StrategyInfo` names. Purified and
thresholded strategies are views that are computed when read.

Three nouns are easily confused. A *strategy* is these tables: the content of files. A *profile*
(`doyle.solving.profile`) is a pair of plans inside a solver. A *policy* (`doyle.games.view`) answers
for any public history of the real game, all hands at once; a strategy with a translation is one.

In reading order:

`strategy`  `Strategy`, `TableStrategy`, `Purified` and `Thresholded`; positions of actions in the
    tables, and whether tables fit in memory
`info`      `StrategyInfo`: the metadata of a file; `Point`, one measurement of a solve
`place`     `PlaceView`: the play at one decision, with every hand
`files`     snapshots with memory-mapped tables, checked on load
`translation`  real bets read as bets of the tree, and bets of the tree converted to real ones
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
