"""Shards: kernels against their twins, whole solves against plain copies, convergence."""

from __future__ import annotations

from statistics import mean

import numpy as np
import pytest

from doyle.base.errors import DoyleError
from doyle.base.workers import LostPartError, Workers
from doyle.solving.sampling import _change_kernels as kernels
from doyle.solving.sampling import shards as subject
from doyle.solving.sampling.solver import SamplingSolver
from doyle.solving.solve import Method, Problem
from tests.reference import table_changes as twin
from tests.solving.test_sampling import solver

SIZES = [1, 31, 32, 33, 64, 1000]


def changed_tables(size: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(size)
    before = rng.normal(size=size).astype(np.float32)
    after = before * np.float32(share)
    chosen = rng.random(size) < 0.2
    chosen[-1] = True
    after[chosen] += rng.normal(size=size).astype(np.float32)[chosen]
    return before, after


@pytest.mark.parametrize("share", [1.0, 1 / 3])
@pytest.mark.parametrize("size", SIZES)
def test_changes_equal_their_twin(size: int, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "_PIECE", 96)
    before, after = changed_tables(size, share)
    expected = twin.differences(before, share, after)
    found = subject.taken(before, np.float32(share), after)
    places = twin.places(found.groups, found.bits)
    assert places == sorted(expected)
    assert found.numbers.tolist() == [expected[place] for place in places]
    assert after.tobytes() == (before * np.float32(share)).tobytes()
    again = subject.taken(before, np.float32(share), after)
    assert [part.size for part in again] == [0, 0, 0]


@pytest.mark.parametrize("size", SIZES)
def test_changes_are_added_marked_gathered_and_set(size: int) -> None:
    table, rng = np.zeros(size, np.float32), np.random.default_rng(5)
    expected = table.copy()
    marks = np.zeros(-(-size // 32), np.uint32)
    touched: set[int] = set()
    for seed in range(3):
        before, after = changed_tables(size, 1.0)
        after[rng.integers(size)] += seed
        differences = twin.differences(before, 1.0, after)
        for place, number in differences.items():
            expected[place] += number
        touched |= differences.keys()
        kernels.add_changes(table, *subject.taken(before, np.float32(1.0), after), marks)
    assert table.tobytes() == expected.tobytes()
    values = subject._values(table, marks)
    assert not marks.any()
    places = twin.places(values.groups, values.bits)
    assert places == sorted(touched)
    assert values.numbers.tolist() == [expected[place] for place in places]
    copy = np.zeros(size, np.float32)
    kernels.set_values(copy, np.float32(0.25), *values)
    assert copy.tobytes() == (table * np.float32(0.25)).tobytes()


class Elsewhere(subject.Runner):
    """A runner as it is on a cluster: the tables that it follows are its own."""

    def __init__(self, start: subject.RunnerStart) -> None:
        super().__init__(start._replace(here=False))


@pytest.mark.parametrize("runner", [subject.Runner, Elsewhere])
@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("pruned", [-np.inf, -4.0])
def test_a_sharded_solve_equals_plain_copies(
    runner: type[subject.Runner], threads: int, pruned: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "Runner", runner)
    options = {"batch": 16, "interval": 160, "shards": 3, "seed": 8, "prune_below": pruned}
    made, plain = solver("leduc", **options), solver("leduc", **options)
    made.workers = Workers(threads)
    made.advance(480)
    assert made._sampler.value.options.prune_below == pruned / 3
    tables = plain.regret, plain.average
    for interval in range(3):
        batches = range(10 * interval, 10 * interval + 10)
        for start in range(0, 10, 3):  # the last group has one batch
            group = [[number] for number in batches[start : start + 3]]
            twin.run_shards(plain._sampler.value, tables, group, 1 / 3)
        plain._discount((interval + 1) / (interval + 2), Workers())
    assert made.regret.tobytes() == plain.regret.tobytes()
    assert made.average.tobytes() == plain.average.tobytes()


class Fragile(Elsewhere):
    """A runner that is lost now and then, after its work."""

    steps = 0

    def run(self, step: subject.Step) -> list[subject.ShardResult]:
        found = super().run(step)
        Fragile.steps += 1
        if Fragile.steps % 5 == 0:
            raise LostPartError("lost")
        return found


def advanced(**options: object) -> SamplingSolver:
    made = solver("leduc", batch=16, interval=160, shards=2, seed=8, **options)
    made.advance(480)
    return made


def test_lost_runners_leave_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    undisturbed = advanced()
    monkeypatch.setattr(subject, "Runner", Fragile)
    disturbed = advanced()
    assert Fragile.steps >= 15
    assert disturbed.regret.tobytes() == undisturbed.regret.tobytes()
    assert disturbed.nodes_visited == undisturbed.nodes_visited


def test_runners_that_are_always_lost_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lost(subject.Runner):
        def run(self, step: subject.Step) -> list[subject.ShardResult]:
            raise LostPartError("lost")

    monkeypatch.setattr(subject, "Runner", Lost)
    with pytest.raises(DoyleError, match="workers were lost 8 times"):
        advanced()


def test_a_step_that_fails_can_be_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runners may be ahead of the tables when a step is interrupted; others then begin."""
    undisturbed = advanced()
    made = solver("leduc", batch=16, interval=160, shards=2, seed=8)
    made.advance(160)
    call = subject.Actors.call

    def interrupted(*words: object, **options: object) -> None:
        call(*words, **options)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(subject.Actors, "call", interrupted)
        made.advance(160)
    made.advance(320)
    assert made.regret.tobytes() == undisturbed.regret.tobytes()


def test_runners_follow_the_number_of_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    cores = iter([1, 1, 4, 4, 4])
    monkeypatch.setattr(subject, "cores_of", lambda _: next(cores))
    started = subject.Shards._started

    def counted(shards: subject.Shards) -> subject.Actors:
        counts.append(len(started(shards)))
        return started(shards)

    monkeypatch.setattr(subject.Shards, "_started", counted)
    made = solver("leduc", batch=16, interval=32, shards=2, seed=8)
    made.advance(96)
    assert counts == [1, 1, 2]
    plain = solver("leduc", batch=16, interval=32, shards=2, seed=8)
    monkeypatch.setattr(subject, "cores_of", lambda _: 1)
    plain.advance(96)
    assert made.regret.tobytes() == plain.regret.tobytes()


def test_restored_tables_are_those_that_shards_begin_with() -> None:
    made = solver("leduc", batch=16, interval=160, shards=2, seed=8)
    made.advance(160)
    kept = {name: array.copy() for name, array in made.arrays().items()}
    made.advance(160)
    made.restore(kept)
    made.iteration = 160
    made.advance(320)
    assert made.regret.tobytes() == advanced().regret.tobytes()


def test_shards_learn_as_fast_as_one_table() -> None:
    """Four shards that begin with all of the regrets have four times the exploitability here."""

    def exploitability(seed: int, shards: int) -> float:
        merge = 1024 if shards else 0
        method = Method("external", seed=seed, shards=shards, merge=merge)
        solver = Problem.named("leduc", "limit", method=method).solver(method)
        assert isinstance(solver, SamplingSolver)
        solver.advance(1 << 17)
        return solver.distance().exploitability

    one, four = ([exploitability(seed, shards) for seed in range(3)] for shards in (0, 4))
    assert mean(four) < 1.4 * mean(one)
