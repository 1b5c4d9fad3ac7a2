"""What the solve of a spot takes."""

from __future__ import annotations

from doyle.building.planning.calibration import Speeds
from doyle.building.planning.plan import Capacity, Plan, Stage
from doyle.solving.spots.solve import memory_needed
from doyle.solving.spots.spot import Spot

_TO_TARGET = 110.0
"""Iterations to 0.3% of the pot with stacks of up to four pots; they grow with deeper stacks."""
_DEEPER = 0.7
_MEASURING = 1.15
_FURTHER_CORE = 0.85


def plan_spot(
    spot: Spot,
    speeds: Speeds,
    capacity: Capacity,
    *,
    target_percent: float | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
    precision: str = "single",
    name: str = "spot",
) -> Plan:
    """The plan of a solve to the first limit; without any, to 0.3% of the pot.

    The iterations that a target takes are an estimate from spots that were solved; those of
    `iterations` are exact.
    """
    parts = spot.outline()
    tables = memory_needed(parts, precision)
    entries = parts.sequence_hands()
    levels = parts.boards.levels
    cores = 1.0 + (_FURTHER_CORE * (capacity.workers - 1.0) if levels > 1 else 0.0)
    one = (
        _MEASURING * entries * speeds.hand(tables) * (2.0 if precision == "double" else 1.0) / cores
    )
    note = "iterations of an estimate"
    if iterations is None and seconds is None:
        ratio = min(spot.stacks) / max(spot.pot, 1)
        wanted = target_percent or 0.3
        iterations = int(_TO_TARGET * (0.3 / wanted) ** _DEEPER * max(1.0, ratio / 4.0) ** _DEEPER)
        note = f"about {iterations:,} iterations, estimated"
    elif iterations is not None:
        note = f"{iterations:,} iterations"
    taken = float("inf") if iterations is None else iterations * one
    taken = min(taken, float("inf") if seconds is None else seconds)
    boards = len(parts.boards.cards)
    evaluator = boards * 1326 * 16
    stages = (
        Stage("tree", speeds.spot_start, int(speeds.spot_bytes)),
        Stage("solving", taken, int(speeds.spot_bytes) + tables + evaluator, note=note),
    )
    advice = (
        f"shrink the ranges ({len(parts.hands[0])} and {len(parts.hands[1])} hands), the betting "
        f"({parts.tree.decision_count:,} decisions), or start on a later street"
    )
    return Plan(
        name=name,
        stages=stages,
        capacity=capacity,
        shrink=(advice,),
        sizes={"nodes": parts.tree.node_count, "boards": boards, "table_entries": 2 * entries},
    )
