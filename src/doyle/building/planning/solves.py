"""What a build takes after its cards: tree, solve, checkpoint, strategy file and measuring; and a spot."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from doyle.base.artifacts import Store
from doyle.building.planning.calibration import Speeds
from doyle.building.planning.cards import CardsSize
from doyle.building.planning.plan import (
    PROCESS_BYTES,
    RAY_BYTES,
    WORKER_BYTES,
    Capacity,
    Plan,
    Stage,
    tree_bytes,
)
from doyle.building.planning.tree_shape import TreeShape
from doyle.solving.run import CHECKPOINT_SECONDS, next_measurement, seconds_between_saves
from doyle.solving.sampling.solver import SamplingOptions
from doyle.solving.solvers import SAMPLING
from doyle.solving.spots.solve import memory_needed
from doyle.solving.spots.spot import Spot
from doyle.strategy.strategy import SAMPLED_BYTES, WALKED_BYTES

STRATEGY_BYTES = 4
_LONG = 1e7
"""Iterations for each bucket, of a solve that has converged."""
_NODE_SECONDS = 0.35e-6
"""To enumerate one node of a tree."""
_DEAL = 10.0
"""A deal with the buckets of both hands on every round, beside drawing and ranking them."""
_PUBLIC_HANDS = 1081.0
_PUBLIC_SHARE = 0.035
"""A visit of one hand where a whole board is walked at once, beside a visit of a single deal."""
_FURTHER_CORE = 0.9
"""What a further core adds to a solve."""
_PASSES = 2.0
"""Tables that a shard looks through for what it changed, its own and those it began with."""
_CHANGED_ENTRY, _WHOLE = 7.0, 1.0625
"""Bytes of a changed entry where a few of their group changed; all of a table, beside its bytes."""
_PRODUCTS = {"egt": 3.0}
_OTHER_PRODUCTS = 2.0
_PAIR_SECONDS = 30e-9
"""A pair of hands on a river, counted by its buckets."""
_NETWORK = 1e8
"""Bytes a second between two machines: what a gigabit line carries."""
_SINGLE = 512
"""River buckets from which matrices are single precision."""
_LBR_SECONDS, _MATCH_SECONDS, _BOARD_SECONDS = 0.020, 0.0012, 0.020
"""A hand of a local best response, a deal of a match in both seatings, a board of an exact match."""
_RESPONDERS, _OPPONENTS = 3, 6


@dataclass(frozen=True)
class BuildSize:
    """What decides the cost of a build.

    `seconds` or `iterations` bound the solve. `hands` are the deals of each match of the report card,
    0 for none. `shards` and `merge` are those of sampling on several machines.
    """

    name: str
    shape: TreeShape
    cards: CardsSize
    solver: str
    seconds: float | None
    iterations: int | None = None
    hands: int = 0
    shards: int = 0
    merge: int = 0

    @property
    def buckets(self) -> tuple[int, ...]:
        """By round; where only building tells them, as many as there are hands at the most."""
        return self.cards.buckets or (169, 1 << 11, 1 << 12, 1 << 13)

    @property
    def entries(self) -> int:
        return self.shape.entries(self.buckets)

    @cached_property
    def visits(self) -> float:
        """Nodes of a sampled iteration; a solve by time is taken to be a long one."""
        iterations = math.inf if self.iterations is None else float(self.iterations)
        actions = max(sum(self.shape.actions), 1)
        return self.shape.visits(min(iterations * actions / max(self.entries, 1), _LONG))

    @property
    def samples(self) -> bool:
        return self.solver in SAMPLING


def plan_solve(size: BuildSize, speeds: Speeds, capacity: Capacity, store: Store) -> Plan:
    """The whole build, from the atlas to the report card."""
    stages = [_tree_stage(size, speeds), *size.cards.stages(speeds, capacity, store)]
    held = 0 if all(stage.done for stage in stages[1:]) else _left_mapped(size)
    stages += (
        _sampled(size, speeds, capacity, held) if size.samples else _walked(size, speeds, capacity)
    )
    stages.append(_strategy_stage(size, speeds, stages[-1].memory_bytes))
    if size.hands:
        stages.append(_measuring(size, speeds, capacity))
    return Plan(
        name=size.name,
        stages=tuple(stages),
        capacity=capacity,
        shrink=_advice(size, capacity, max(stage.memory_bytes for stage in stages)),
        sizes={
            "nodes": size.shape.nodes,
            "actions_by_round": list(size.shape.actions),
            "buckets_by_round": None if size.cards.buckets is None else list(size.cards.buckets),
            "table_entries": size.entries,
            "visits_per_iteration": size.visits if size.samples else None,
        },
        exact=size.shape.exact and size.cards.buckets is not None,
    )


def _left_mapped(size: BuildSize) -> int:
    """Parts of the atlas that stay open after the cards were made in the same process."""
    return sum(part.size for part in size.cards.parts[1:] if "histograms" not in part.name)


def _tree_stage(size: BuildSize, speeds: Speeds) -> Stage:
    nodes, players = size.shape.nodes, size.shape.players
    return Stage(
        "tree",
        speeds.plotted_start + _NODE_SECONDS * nodes,
        int(speeds.solve_bytes) + nodes * (25 + 4 * players),
        note="" if size.shape.exact else "too large to be made: a lower bound",
    )


def iteration_seconds(size: BuildSize, speeds: Speeds) -> float:
    """One sampled iteration on one core."""
    visit = size.visits * speeds.visit(SAMPLED_BYTES * size.entries, size.shape.nodes)
    if size.solver == "pcs":
        return _PUBLIC_HANDS * _PUBLIC_SHARE * 2.0 * size.shape.nodes * speeds.visit_small
    pairs = size.shape.players / 2.0
    deal = pairs * _DEAL * speeds.deal
    return visit * (0.5 if size.solver == "pure" else 1.0) + deal


def _sampled(size: BuildSize, speeds: Speeds, capacity: Capacity, held: int) -> list[Stage]:
    tables = SAMPLED_BYTES * size.entries
    memory = (
        int(speeds.solve_bytes)
        + tree_bytes(size.shape.nodes, size.shape.players)
        + tables
        + size.cards.mapped
        + held
    )
    each = capacity.workers / capacity.machines
    cores = 1.0 + _FURTHER_CORE * (each - 1.0)
    one = iteration_seconds(size, speeds)
    merging = 0.0
    if capacity.machines > 1 or size.shards > 1:
        shards = max(size.shards, capacity.workers)
        merge = size.merge or SamplingOptions().merge
        runners = -(-min(shards, capacity.workers) // capacity.machines)
        cores *= capacity.machines
        one += _PASSES * speeds.discount * tables / merge
        whole = _WHOLE * tables
        changed = min(whole, _CHANGED_ENTRY * size.visits * merge)
        merged = min(whole, shards * changed)
        memory += int(shards * changed + merged) + runners * tables
        if capacity.machines > 1:
            moved = shards * changed + (capacity.machines - 1) * merged
            merging = moved / _NETWORK / (shards * merge)
            memory += RAY_BYTES + runners * (PROCESS_BYTES + tables)
    interval = SamplingOptions(method=SAMPLING[SAMPLING.index(size.solver)]).interval
    discounts = speeds.discount * tables / (capacity.workers / capacity.machines)
    rate = 1.0 / (one / cores + merging + discounts / interval)
    seconds = float(size.seconds or 0.0)
    done = int(seconds * rate)
    if size.iterations is not None:
        done = -(-size.iterations // interval) * interval
        points = _points(done, interval)
        bounds = points * speeds.bound * size.entries
        seconds = done / rate + speeds.touch * tables + bounds
    where = f" on {capacity.machines} machines" if capacity.machines > 1 else ""
    solving = Stage(
        "solving",
        seconds,
        memory,
        note=f"{done:,} iterations, {rate:,.0f} a second{where}",
    )
    return [solving, _checkpoint(tables, seconds, speeds, memory)]


def _points(iterations: int, interval: int) -> int:
    """How often a solve of so many iterations is measured."""
    points = done = 0
    while done < iterations:
        done = -(-next_measurement(done) // interval) * interval
        points += 1
    return points


def _checkpoint(size: int, solving: float, speeds: Speeds, memory: int) -> Stage:
    """As many checkpoints of `size` bytes as a solve of so many seconds writes."""
    work, disk = speeds.save * size, size / speeds.disk
    saves = 1 + int(solving / seconds_between_saves(CHECKPOINT_SECONDS, work + disk))
    return Stage(
        "checkpoint",
        saves * (work + disk),
        memory,
        2 * size,
        note=f"{saves} of {size:,} bytes; one is kept while the next is written",
        disk_seconds=saves * disk,
    )


def _walked(size: BuildSize, speeds: Speeds, capacity: Capacity) -> list[Stage]:
    buckets = size.buckets
    river = buckets[-1]
    each = 4 if river >= _SINGLE else 8
    cores = 1.0 + _FURTHER_CORE * (capacity.workers / capacity.machines - 1.0)
    matrices = sum(2 * each * count * count for count in buckets)
    counts = 16 * river * river
    base = int(speeds.solve_bytes) + tree_bytes(size.shape.nodes, size.shape.players)
    counting = Stage(
        "pairs of buckets",
        63_193 * 48 * 1081 * 1081 / 2 * _PAIR_SECONDS * speeds.board / 14.5e-6 / cores / 20.0,
        base + size.cards.mapped + counts * (1 + 2 * capacity.workers // capacity.machines),
        counts,
    )
    flops = 2.0 * sum(
        leaves * count * count for leaves, count in zip(size.shape.leaves, buckets, strict=True)
    )
    products = _PRODUCTS.get(size.solver, _OTHER_PRODUCTS)
    precision = 1.0 if each == 4 else 2.0
    one = products * flops / 2e6 * speeds.product * precision / 0.8 / cores
    one += WALKED_BYTES * size.entries * 1.5e-10
    seconds = size.iterations * one if size.iterations is not None else float(size.seconds or 0.0)
    done = size.iterations if size.iterations is not None else int(seconds / max(one, 1e-12))
    memory = base + WALKED_BYTES * size.entries + 3 * matrices + counts
    solving = Stage("solving", seconds, memory, note=f"{done:,} iterations of {one:.3g} s")
    vectors = 5 * 8 * size.entries
    return [counting, solving, _checkpoint(vectors, seconds, speeds, memory)]


def _strategy_stage(size: BuildSize, speeds: Speeds, solving: int) -> Stage:
    written = STRATEGY_BYTES * size.entries
    return Stage(
        "strategy",
        speeds.normalise * size.entries + (speeds.save + 1.0 / speeds.disk) * written,
        solving + written + 24 * size.shape.nodes,
        written,
        disk_seconds=written / speeds.disk,
    )


def _measuring(size: BuildSize, speeds: Speeds, capacity: Capacity) -> Stage:
    """The report card: local best responses, matches, exact matches."""
    two = size.shape.players == 2
    factor = speeds.board / 14.5e-6
    boards, hands = size.hands / 25.0, size.hands / 5.0
    seconds = factor * (
        (_RESPONDERS * hands * _LBR_SECONDS if two else 0.0)
        + 2 * size.hands * _MATCH_SECONDS * (1.0 if two else 2.0)
        + (_OPPONENTS - 2) * boards * _BOARD_SECONDS
    )
    runs = _OPPONENTS + (_RESPONDERS if two else 0)
    starts = runs * speeds.start * min(capacity.workers, 8)
    memory = (
        PROCESS_BYTES
        + (capacity.workers * WORKER_BYTES if capacity.workers > 1 else 0)
        + STRATEGY_BYTES * size.entries
        + tree_bytes(size.shape.nodes, size.shape.players) * (1 + capacity.workers)
        + size.cards.mapped
    )
    return Stage("measuring", seconds / capacity.workers + starts, memory)


def _advice(size: BuildSize, capacity: Capacity, peak: int) -> tuple[str, ...]:
    """What to make smaller, with what it must come to; the round with the largest tables first."""
    fixed = PROCESS_BYTES + tree_bytes(size.shape.nodes, size.shape.players) + size.cards.mapped
    share = max(capacity.memory_bytes - fixed, 0) / max(peak - fixed, 1)
    shares = [
        (width * count, number, count)
        for number, (width, count) in enumerate(zip(size.shape.actions, size.buckets, strict=True))
    ]
    _, number, count = max(shares)
    names = ("preflop", "flop", "turn", "river")
    place = names[number] if len(shares) == len(names) else f"round {number + 1}"
    sizes = f"allow fewer bet sizes ({size.shape.nodes:,} nodes)"
    advice = [sizes]
    wanted = int(count * share)
    if 1 <= wanted < count:
        buckets = f"the buckets of the {place} from {count:,} to about {wanted:,}"
        advice.insert(0, f"shrink {buckets}, or {sizes}")
    if not size.samples:
        advice.append("solve by sampling (external), which keeps a tenth of the numbers")
    return tuple(advice)


_TO_TARGET = 110.0
"""Iterations to 0.3% of the pot with stacks of up to four pots; they grow with deeper stacks."""
_DEEPER = 0.7
_MEASURING = 1.15
_FURTHER_CORE_OF_SPOT = 0.85


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
    cores = 1.0 + (_FURTHER_CORE_OF_SPOT * (capacity.workers - 1.0) if levels > 1 else 0.0)
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
