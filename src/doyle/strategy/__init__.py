"""Strategies: action probabilities for every (decision, bucket), their files and their views."""

from doyle.strategy.files import load_strategy, save_strategy
from doyle.strategy.layout import Layout
from doyle.strategy.strategy import (
    PUBLISHED_THRESHOLD,
    PURIFICATIONS,
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
    "Layout",
    "Origin",
    "Purified",
    "Strategy",
    "TableStrategy",
    "Thresholded",
    "load_strategy",
    "purified",
    "save_strategy",
    "uniform_tables",
]
