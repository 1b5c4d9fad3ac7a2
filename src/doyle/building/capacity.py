"""What the build of a description takes: its plan, made before anything of it runs."""

from __future__ import annotations

from dataclasses import replace

from doyle.artifacts import Store
from doyle.betting import BettingModel, BettingTree
from doyle.building.description import BuildDescription
from doyle.games import Game
from doyle.planning import BuildSize, Capacity, Plan, Speeds, TreeShape, plan_solve
from doyle.planning.cards import CardsSize
from doyle.workers import Workers


def plan_build(
    description: BuildDescription,
    speeds: Speeds,
    capacity: Capacity,
    *,
    shape: TreeShape | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
    hands: int = 0,
    shards: int = 0,
    merge: int = 0,
    store: Store | None = None,
) -> Plan:
    """The stages of a build; `shape` is that of its betting tree, where that has been made."""
    if shape is None:
        model = BettingModel.named(description.betting.value)
        shape = TreeShape.of(model, Game.named(description.game.value))
    described = None if description.iterations is None else description.iterations.value
    size = BuildSize(
        name=description.name,
        shape=shape,
        cards=CardsSize.of(description.cards.value),
        solver=description.solver.value,
        seconds=description.seconds.value if seconds is None else seconds,
        iterations=described if iterations is None and seconds is None else iterations,
        hands=hands,
        shards=shards,
        merge=merge,
    )
    return plan_solve(size, speeds, capacity, store or Store())


def check_capacity(
    description: BuildDescription, tree: BettingTree, workers: Workers, *, shards: int = 0
) -> None:
    """Refuse a build that cannot fit in the memory or on the disk of this machine.

    Nothing is refused by buckets that only building tells. What a cluster's other machines have is
    not known here.
    """
    plan = plan_build(
        description,
        Speeds.typical(),
        Capacity.here(workers=workers.count),
        shape=replace(TreeShape.of_tree(tree), tree=None),  # times do not matter
        shards=shards,
    )
    if plan.exact:
        plan.check_fits()
