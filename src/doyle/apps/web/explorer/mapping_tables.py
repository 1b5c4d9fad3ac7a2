"""The seven mappings between two sizes: probabilities, medians and curves."""

from __future__ import annotations

from typing import Any

from doyle.strategy.translation.mappings import MAPPINGS

CURVE_POINTS = 121


def mapping_table(lower: float, upper: float, size: float) -> dict[str, Any]:
    """Each mapping's probability of the lower size at `size` and along the interval, and its median."""
    step = (upper - lower) / (CURVE_POINTS - 1)
    points = [lower + step * place for place in range(CURVE_POINTS - 1)] + [upper]
    rows = [
        {
            "name": found.name,
            "title": found.title,
            "randomised": found.randomised,
            "probability": float(found.probability(lower, upper, size)),
            "median": float(found.median(lower, upper)),
            "curve": [round(float(found.probability(lower, upper, point)), 5) for point in points],
        }
        for found in MAPPINGS
    ]
    return {
        "lower": lower,
        "upper": upper,
        "size": size,
        "points": [round(point, 6) for point in points],
        "mappings": rows,
    }
