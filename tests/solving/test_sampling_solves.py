"""Sampling solvers to measured equilibria of Leduc, killed and resumed, and in abstract Hold'em."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.apps.cli import main
from doyle.base.artifacts import Store
from doyle.cards import HOLES
from doyle.games import Game
from doyle.solving import solve
from doyle.solving.games.holdem import pairs_description
from doyle.solving.profile import Profile
from doyle.solving.run import Limits, Run
from doyle.solving.sampling import solver as sampling_solver
from doyle.solving.sampling.deals import SmallDeals
from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver
from doyle.solving.solve import GameSolver, Method, Problem, unmeasured_reason
from tests.solving.test_sampling import limit_tree

LEDUC_VALUE = -0.085606  # by the linear program, for the seat that acts first


@pytest.mark.parametrize(
    ("name", "iterations", "bound"),
    [("external", 400_000, 0.05), ("pure", 400_000, 0.05), ("pcs", 8_000, 0.04)],
)
def test_leduc_comes_near_its_equilibrium(
    capsys: pytest.CaptureFixture[str], name: str, iterations: int, bound: float
) -> None:
    arguments = ["solve", "leduc", "--solver", name, "--iterations", str(iterations)]
    assert main([*arguments, "--seed", "5", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    total = document["exploitability"]["total"]
    assert 0 < total < bound
    # Each player's strategy is within twice the total of the game's value.
    assert document["value"] == pytest.approx(LEDUC_VALUE, abs=2 * total)
    assert document["sequences"] == [337, 337]  # up to suits, as every solver counts them


def sampling(name: str, game: str, **options: Any) -> GameSolver:
    """A new sampling solver of a game with a small deck."""
    method = Method(name, **options)
    return Problem.named(game, method=method).solver(method)


def trembling(profile: Profile, share: float) -> Profile:
    """Both seats act evenly at random in this share of their decisions."""
    form = profile.form
    first, second = (
        (1 - share) * profile.behaviours[seat] + share * form.uniform_behaviour(seat)
        for seat in (0, 1)
    )
    return Profile.of_behaviours(form, (first, second))


def solved_leduc(tremble: float, iterations: int = 400_000) -> Profile:
    subject = sampling("external", "leduc", seed=5, tremble=tremble)
    subject.advance(iterations)
    profile = subject.profile()
    assert profile is not None
    return profile


def test_a_tremble_costs_at_most_what_it_can() -> None:
    share = 0.001
    # A seat decides at most twice a round and wins or loses at most 1 + 4 + 8 chips, so the tremble of
    # one seat moves no value by more than this. It is counted once for each of the two seats that err
    # in the solve, and once more for each that does not err in the end; exploitability is half of it.
    moved = (1 - (1 - share) ** 4) * 26
    assert solved_leduc(share).exploitability < 2 * moved + 0.05


def test_each_seat_plays_its_best_against_one_that_trembles() -> None:
    share = 0.2
    lost = {}
    for solved_with in (share, 0.0):
        profile = solved_leduc(solved_with)
        form, err = profile.form, trembling(profile, share)
        best = err.best_response_values
        got = (
            form.value((profile.plans[0], err.plans[1])),
            -form.value((err.plans[0], profile.plans[1])),
        )
        lost[solved_with] = sum(best) - sum(got)
    # Without a tremble in the solve the answers to errors are not the best ones.
    assert 0 <= lost[share] < 0.1
    assert lost[0.0] > 3 * lost[share]


def test_a_target_ends_the_solve(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "kuhn", "--solver", "pcs", "--target", "0.02", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert 0 < document["exploitability"]["total"] <= 0.02
    assert document["iterations"] % 256 == 0


def test_standings_of_small_deals_are_those_of_the_rules() -> None:
    from doyle.games import Deal, showdown_ranks

    game = Game.named("leduc")
    source = SmallDeals(game)
    deals = source.deals(400, np.array([3], dtype=np.uint64))
    size = len(source.deck)
    signs = deals.standings[:, 0] - deals.standings[:, 1]
    for buckets, sign in zip(deals.buckets, signs, strict=True):
        board = (source.deck[buckets[0, 1] % size],)
        holes = tuple((source.deck[buckets[seat, 0]],) for seat in range(2))
        ranks = showdown_ranks(game, Deal(hole=holes, board=board), (False, False))
        assert sign == np.sign(ranks[0] - ranks[1])
    assert set(signs.tolist()) == {-1, 0, 1}


def test_pruning_passes_over_nodes_and_keeps_the_value() -> None:
    tree = limit_tree("leduc")
    visited = {}
    for threshold in (-np.inf, -300.0):
        options = SamplingOptions(batch=512, interval=4096, seed=6, prune_below=threshold)
        subject = SamplingSolver(tree, SmallDeals(tree.game), options)
        subject.advance(20 * 4096)
        visited[threshold] = subject.nodes_visited
        if threshold > -np.inf:
            # Regrets are not let below twice the threshold, so that an action can come back.
            assert subject.regret.min() > 3 * threshold
    assert visited[-300.0] < 0.97 * visited[-np.inf]


class ByHighCard:
    """A card abstraction of perfect recall: three buckets by the higher hole card, in all rounds."""

    spec = "by-high-card"
    table = np.minimum(HOLES.max(axis=1) // 18, 2).astype(np.int32)

    def bucket_count(self, round: int) -> int:
        return 3

    def parents(self, round: int) -> Any:
        return np.arange(3) if round else None

    def buckets(self, board: tuple[int, ...]) -> Any:
        shown = np.isin(HOLES, board).any(axis=1)
        return np.where(shown, -1, self.table).astype(np.int32)

    def deal_buckets(self, holes: Any, boards: Any) -> Any:
        one = np.minimum(holes.max(axis=2) // 18, 2).astype(np.int32)
        return np.ascontiguousarray(np.repeat(one[:, :, None], 4, axis=2))


@pytest.mark.parametrize("name", ["external", "pcs"])
def test_holdem_is_measured_if_asked_whatever_the_cache_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("DOYLE_CACHE", str(tmp_path))
    monkeypatch.setattr(solve, "build", lambda *_, **__: ByHighCard())
    monkeypatch.setitem(sampling_solver.INTERVALS, "external", (512, 2048))
    monkeypatch.setitem(sampling_solver.INTERVALS, "pcs", (2, 4))
    # Made-up counts: what is tested is that the tables are read into the right places.
    counts = np.array([[9, 7, 8], [7, 9, 6], [8, 6, 9]], np.int64)
    Store().get(
        pairs_description(ByHighCard()),  # type: ignore[arg-type]
        lambda builder: (builder.put("pairs", counts), builder.put("wins", np.tril(counts)))[0],
    )
    method = Method(name, seed=1)
    problem = Problem.named("holdem-nl-100bb", "fca", "3.1.1.1", method=method)
    make = partial(problem.solver, method)
    unasked = make()
    assert unasked.profile() is None
    assert "does not count the pairs of buckets" in str(unmeasured_reason(unasked))
    solver = make(measured=True)
    assert unmeasured_reason(solver) is None
    Run(solver).until(Limits(iterations=solver.interval))
    profile, strategy = solver.profile(), solver.strategy()
    assert profile is not None
    assert profile.exploitability > 0
    for node in solver.tree.decisions.tolist():
        expected = strategy.probabilities(node, np.arange(3))
        np.testing.assert_allclose(profile.probabilities(node), expected, atol=1e-5)


SCRIPT = """
import sys
from pathlib import Path
from doyle.solving.run import Limits, Run
from doyle.solving.solve import Method, Problem

method = Method(sys.argv[3], seed=3)
solver = Problem.named("leduc", method=method).solver(method)
run = Run(solver, Path(sys.argv[1]), every_seconds=0.0)
run.restore()
run.until(Limits(iterations=int(sys.argv[2])))
"""


@pytest.mark.parametrize(("name", "more"), [("external", 3 * 4096), ("pcs", 3 * 256)])
def test_kill_and_resume_leaves_the_bytes_of_an_uninterrupted_run(
    tmp_path: Path, name: str, more: int
) -> None:
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    started = _run(killed, 100_000_000, name)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not _steps(killed):
        time.sleep(0.01)
    os.kill(started.pid, signal.SIGKILL)
    started.communicate()
    goal = max(_steps(killed)) + more
    again = _run(killed, goal, name)
    _, errors = again.communicate()
    assert again.returncode == 0, errors
    alone = sampling(name, "leduc", seed=3)
    Run(alone, whole).until(Limits(iterations=goal))
    step = f"{alone.iteration:012d}"
    manifests = [json.loads((f / step / "manifest.json").read_text()) for f in (killed, whole)]
    assert manifests[0]["arrays"] == manifests[1]["arrays"]  # with their checksums
    assert set(manifests[0]["arrays"]) == {"regret", "average", "counted"}


def _run(folder: Path, iterations: int, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder), str(iterations), name],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _steps(folder: Path) -> list[int]:
    if not folder.is_dir():
        return []
    return [
        int(path.name)
        for path in folder.iterdir()
        if path.name.isdigit() and (path / "manifest.json").is_file()
    ]
