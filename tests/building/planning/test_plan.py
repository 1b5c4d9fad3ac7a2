"""Plans: sizes against what is built, what fits, and the kept speeds."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.cards.strength import atlas
from doyle.base.errors import DoyleError
from doyle.building import load_description, plan_build
from doyle.building.planning import Capacity, Plan, Speeds, Stage, TreeShape, calibration, plan_spot
from doyle.building.planning import cards as planned_cards
from doyle.building.planning.calibration import RandomDeals
from doyle.building.planning.cards import CardsSize
from doyle.building.planning.tree_shape import PlainDeals, count_visits
from doyle.cards.suits.boards import boards, flop_turns
from doyle.games import Game
from doyle.solving.games import poker_game
from doyle.solving.sampling.deals import SmallDeals
from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver
from doyle.solving.spots import Spot
from doyle.solving.vector import VectorSolver

SPEEDS = Speeds()
ROOMY = Capacity(memory_bytes=1 << 40, disk_bytes=1 << 42, workers=1)


def small(name: str = "default", **changes: object) -> Plan:
    description = load_description(name).at_scale("small")
    capacity = replace(ROOMY, **changes)  # type: ignore[arg-type]
    return plan_build(description, SPEEDS, capacity, hands=100)


def stage(plan: Plan, name: str) -> Stage:
    return next(one for one in plan.stages if one.name == name)


def test_a_plan_is_the_largest_memory_and_the_sum_of_the_rest(fresh_cache: Path) -> None:
    plan = small()
    assert [one.name for one in plan.stages] == [
        *("tree", "atlas", "cards", "solving", "checkpoint", "strategy", "measuring")
    ]
    assert plan.memory_bytes == max(one.memory_bytes for one in plan.stages)
    assert plan.disk_bytes == sum(one.disk_bytes for one in plan.stages)
    assert plan.seconds == pytest.approx(sum(one.seconds for one in plan.stages))
    document = json.loads(json.dumps(plan.document()))
    assert {"memory_bytes", "disk_bytes", "seconds", "fits", "stages"} <= set(document)
    assert document["fits"] is True


def test_sizes_of_boards_are_those_of_the_card_tables() -> None:
    counts = (len(boards(3)), len(boards(4)), len(boards(5)), len(flop_turns()))
    assert counts == (
        planned_cards.FLOPS,
        planned_cards.TURNS,
        planned_cards.RIVERS,
        planned_cards.FLOP_TURNS,
    )
    assert planned_cards.STRENGTHS == atlas.FULL_STRENGTH + 1


@pytest.mark.parametrize(("model", "game"), [("fcpa", "holdem-nl-20bb"), ("limit", "kuhn-3p")])
def test_table_bytes_are_those_of_the_solver(model: str, game: str) -> None:
    tree = BettingTree.build(model, game)
    shape = TreeShape.of_tree(tree)
    assert sum(shape.actions) == tree.node_count - 1
    buckets = tuple(range(7, 7 + tree.game.rounds))
    source = RandomDeals(buckets)
    solver = SamplingSolver(tree, source, SamplingOptions())
    assert solver.table_bytes == 8 * shape.entries(buckets)


@pytest.mark.parametrize(("model", "game"), [("fcpa", "holdem-nl-20bb"), ("limit", "leduc")])
def test_visits_are_about_those_of_a_solve(model: str, game: str) -> None:
    """With buckets of cards, or of Leduc itself: visits rise as the solve goes on, and so do these."""
    tree = BettingTree.build(model, game)
    source = SmallDeals(tree.game) if game == "leduc" else PlainDeals(2, 4)
    solver = SamplingSolver(tree, source, SamplingOptions(interval=8192, seed=3))
    solver.advance(1 << 15)
    per_bucket = (1 << 15) * sum(solver.widths) / solver.regret.size
    ratio = count_visits(tree, per_bucket) / (solver.nodes_visited / (1 << 15))
    assert 0.8 < ratio < 1.25


def test_visits_of_kuhn_by_hand() -> None:
    """The first iterations, of even strategies: all own actions, and the other's with their odds."""
    tree = BettingTree.build("limit", "kuhn")
    # Root, check, bet; check-check, check-bet, fold, call; check-bet-fold, check-bet-call.
    first = 1 + 2 + 4 * 1 / 2 + 2 * 1 / 2
    second = 1 + 2 * 1 / 2 + 4 * 1 / 2 + 2 * 1 / 2 * 1 / 2
    assert count_visits(tree, 0.0) == pytest.approx(first + second, rel=0.15)


def test_visits_of_a_long_solve_are_those_of_its_last_iterations() -> None:
    tree = BettingTree.build("fcpa", "holdem-nl-20bb")
    short, long, longer = (count_visits(tree, count) for count in (1e3, 1e7, 1e9))
    assert abs(long / longer - 1) < 0.01
    assert short != long


def test_trees_too_large_to_make_are_still_planned(fresh_cache: Path) -> None:
    description = load_description("default")
    wide = description.betting.model_copy(update={"value": "fc25,50,75,100,150,200,300,500pa"})
    plan = plan_build(description.model_copy(update={"betting": wide}), SPEEDS, ROOMY)
    assert not plan.exact
    assert plan.memory_bytes > 8 * 200 * 50_000_000
    here = replace(ROOMY, memory_bytes=1 << 34)
    assert not plan_build(description.model_copy(update={"betting": wide}), SPEEDS, here).fits


def test_what_does_not_fit_says_what_to_shrink(fresh_cache: Path) -> None:
    with pytest.raises(DoyleError, match=r"of memory for .*shrink the buckets of the"):
        plan = plan_build(load_description("strong"), SPEEDS, replace(ROOMY, memory_bytes=3 << 28))
        plan.check_fits()
    with pytest.raises(DoyleError, match="allow fewer bet sizes"):
        small(memory_bytes=1 << 28).check_fits()
    with pytest.raises(DoyleError, match="of disk, and"):
        small(disk_bytes=1 << 20).check_fits()
    small().check_fits()


def test_more_iterations_and_buckets_take_more(fresh_cache: Path) -> None:
    description = load_description("default")
    few, many = (
        plan_build(description.at_scale(scale), SPEEDS, ROOMY, iterations=count)
        for scale, count in (("small", 10**6), ("full", 10**7))
    )
    assert stage(many, "solving").seconds > 10 * stage(few, "solving").seconds
    assert stage(many, "strategy").disk_bytes > 3 * stage(few, "strategy").disk_bytes


def test_machines_share_the_time_and_copy_the_tables(fresh_cache: Path) -> None:
    description = load_description("default").at_scale("small")
    many = replace(ROOMY, workers=8, machines=4)
    one = plan_build(description, SPEEDS, ROOMY, iterations=10**8)
    four = plan_build(description, SPEEDS, many, iterations=10**8, merge=1 << 20)
    assert stage(four, "solving").seconds < stage(one, "solving").seconds / 4
    assert stage(four, "solving").memory_bytes > stage(one, "solving").memory_bytes


def test_the_tables_of_a_spot_are_known() -> None:
    spot = Spot.parse(board="Ks7h4d2cJs", ranges=("AA,66", "KK,QQ"), pot=200, stacks=200)
    plan = plan_spot(spot, SPEEDS, ROOMY, iterations=100)
    tables = VectorSolver(poker_game(spot.outline())).memory_bytes
    assert (plan.sizes or {})["table_entries"] * 4 == tables
    assert plan.memory_bytes > tables


def test_notation_tells_the_bytes_of_its_file() -> None:
    size = CardsSize.of("ir169.ir20.ir20.20")
    assert size.buckets == (169, 20, 20, 20)
    rows = 1 + planned_cards.FLOPS + planned_cards.TURNS
    assert size.disk == pytest.approx(2 * 1326 * rows + 2 * 1981, rel=0.01)
    assert CardsSize.of("potential-12-25-6-6").buckets == (12, 300, 1800, 10800)


def test_a_visit_is_slower_with_larger_tables_and_with_a_larger_tree() -> None:
    small, nodes = SPEEDS.visit(SPEEDS.bytes_small, 1000), round(SPEEDS.tree_wide / 36)
    assert small == pytest.approx(SPEEDS.visit_small)
    assert SPEEDS.visit(SPEEDS.bytes_small / 100, 10) == small  # both fit in the caches of a core
    assert SPEEDS.visit(SPEEDS.bytes_large, 1000) == pytest.approx(SPEEDS.visit_large)
    assert SPEEDS.visit(SPEEDS.bytes_wide, nodes) == pytest.approx(SPEEDS.visit_wide)
    assert SPEEDS.visit(SPEEDS.bytes_large, 30_000) < SPEEDS.visit(SPEEDS.bytes_large, nodes)


def test_checkpoints_and_averages_are_work_of_the_processor(fresh_cache: Path) -> None:
    plan = plan_build(load_description("strong"), SPEEDS, ROOMY, iterations=1)
    entries = plan.sizes["table_entries"] if plan.sizes else 0
    kept, written = stage(plan, "checkpoint"), stage(plan, "strategy")
    assert kept.seconds - kept.disk_seconds == pytest.approx(SPEEDS.save * 8 * entries)
    assert written.seconds - written.disk_seconds == pytest.approx(
        (4 * SPEEDS.save + SPEEDS.normalise) * entries
    )


def test_speeds_are_kept_for_this_machine(
    fresh_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[int] = []

    def measure(**options: object) -> Speeds:
        measured.append(1)
        return replace(SPEEDS, disk=1e8 * len(measured))

    monkeypatch.setattr(calibration, "measure_speeds", measure)
    first = calibration.speeds_of_this_machine()
    assert calibration.speeds_of_this_machine() == first
    assert calibration.speeds_of_this_machine(again=True) != first
    path = fresh_cache / calibration.FILE
    kept = json.loads(path.read_text())
    for damage in ('{"machine"', "[]", json.dumps({**kept, "machine": ["another"]})):
        path.write_text(damage)
        before = len(measured)
        calibration.speeds_of_this_machine()
        assert len(measured) == before + 1


@pytest.mark.slow
def test_speeds_of_a_machine_are_positive_and_of_their_order() -> None:
    seen: list[tuple[int, int]] = []
    speeds = calibration.measure_speeds(progress=lambda label, *step: seen.append(step))
    assert seen == [(done, 9) for done in range(10)]
    assert all(value > 0 for value in vars(speeds).values())
    assert 1e-9 < speeds.visit_small < 1e-5
    small, wide = (
        TreeShape.of(BettingModel.named(betting), Game.named("holdem-nl-200bb"))
        for betting in (calibration._TREE, calibration._WIDE_TREE)
    )
    for shape, buckets, found in (
        (small, 10, speeds.bytes_small),
        (small, 800, speeds.bytes_large),
        (wide, 4, speeds.bytes_wide),
    ):
        assert found == 8 * shape.entries((169, buckets, buckets, buckets))
    assert speeds.tree_wide / speeds.tree_small == pytest.approx(wide.nodes / small.nodes)
    assert speeds.visit_wide > speeds.visit_small


def test_models_by_file_name_their_own_error() -> None:
    with pytest.raises(DoyleError):
        TreeShape.of(BettingModel.named("fcpa"), Game.named("kuhn"))
