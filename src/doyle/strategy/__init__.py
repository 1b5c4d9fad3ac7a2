"""Strategies: action probabilities for every (decision, bucket), their files and their views."""

from doyle.strategy.files import load_strategy, save_strategy
from doyle.strategy.info import (
    PURIFICATIONS,
    ChosenField,
    ExploitabilityRecord,
    Point,
    StrategyInfo,
)
from doyle.strategy.layout import Layout
from doyle.strategy.strategy import (
    PUBLISHED_THRESHOLD,
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
