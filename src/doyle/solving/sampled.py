"""Sampling solvers on any game, measured exactly where that can be done.

A small game is sampled card by card, so its tables are read back into the tree game that tells
every card apart, and exploitability is exact. In Hold'em it is measured in the abstract game if the
card abstraction has perfect recall and its pairs of buckets have been counted before (counting is
long, and sampling does without). If buckets forget, a best response in the abstract game is not
well defined and none is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from doyle.artifacts import Store
from doyle.betting import BettingModel, BettingTree
from doyle.card_abstraction import CardAbstraction, build
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.solving.deals import DealSource, HoldemDeals, SmallDeals
from doyle.solving.holdem import bucket_chances, pairs_description
from doyle.solving.poker import SmallGame, bucket_game, small_game
from doyle.solving.profile import Profile
from doyle.solving.sampling import METHODS, Method, SamplingOptions, SamplingSolver
from doyle.solving.sequence_form import SequenceForm
from doyle.solving.solver import Limits, Point, next_measurement, stopwatch
from doyle.strategy import TableStrategy
from doyle.workers import Progress, Workers

_SMALL = {"external": (256, 4096), "pure": (256, 4096), "pcs": (16, 256)}
_LARGE = {"external": (4096, 1 << 18), "pure": (4096, 1 << 18), "pcs": (16, 256)}
"""Iterations per batch and per interval (deals, or boards for pcs)."""


class SampledSolve:
    """One sampling solver on one game, with what can be measured of it."""

    def __init__(
        self,
        name: str,
        game: Game,
        *,
        betting: str | None = None,
        cards: str | None = None,
        seed: int = 0,
        shards: int = 0,
        progress: Progress | None = None,
    ) -> None:
        self.method = _method(name)
        tree = BettingTree.build(BettingModel.parse(betting or "full"), game)
        self._small: SmallGame | None = None
        source: DealSource
        form: SequenceForm | None = None
        if cards is not None:
            abstraction = build(cards, seed=seed, progress=progress)
            source = HoldemDeals(abstraction)
            form = abstract_form(tree, abstraction)
        elif game.hole_cards == 1:
            source = SmallDeals(game)
            self._small = small_game(game, tree, lossless=False)
            form = SequenceForm(self._small.tree_game)
        else:
            raise DoyleError(f"{game.name}: too many cards to sample; give --cards SPEC")
        batch, interval = (_LARGE if self._small is None else _SMALL)[self.method]
        options = SamplingOptions(
            method=self.method, seed=seed, batch=batch, interval=interval, shards=shards
        )
        self._source = source
        self.solver = SamplingSolver(tree, source, options)
        self.form = form
        self.history: list[Point] = []
        self.seconds = 0.0

    def strategy(self) -> TableStrategy:
        """The average strategy so far."""
        return TableStrategy(self.solver.tree, self.solver.tables())

    def profile(self) -> Profile | None:
        """The average strategy in the game it is measured in; None where there is none."""
        if self.form is None:
            return None
        strategy, rows = self.strategy(), self._rows()
        behaviours = (self.form.uniform_behaviour(0), self.form.uniform_behaviour(1))
        tree = self.form.game.tree
        for node in tree.decisions.tolist():
            table = strategy.probabilities(node, rows[int(tree.round[node])])
            self.form.put_table(node, table, behaviours[int(tree.actor[node])])
        return Profile.of_behaviours(self.form, behaviours)

    def _rows(self) -> list[npt.NDArray[np.int64]]:
        """By round: for each private state of the measured game, its row of the tables."""
        source = self._source
        if self._small is None or not isinstance(source, SmallDeals):
            return [np.arange(count) for count in source.bucket_counts]
        return [
            np.array([source.bucket(key[0][0], sum(key[1:], ()), number) for key in keys])
            for number, keys in enumerate(self._small.cards.keys)
        ]

    def sizes(self) -> tuple[list[int], list[int]]:
        """Information sets and sequences (the empty one included) per seat."""
        tree, buckets = self.solver.tree, np.array(self._source.bucket_counts)
        if self.form is not None:
            return list(self.form.game.information_sets()), list(self.form.sequences)
        sets, sequences = [0, 0], [1, 1]
        for seat in (0, 1):
            own = tree.decisions[tree.actor[tree.decisions] == seat]
            sets[seat] = int(buckets[tree.round[own]].sum())
            sequences[seat] += int((buckets[tree.round[own]] * tree.child_count[own]).sum())
        return sets, sequences

    def run(
        self,
        limits: Limits,
        *,
        workers: Workers | None = None,
        report: Callable[[Point], None] | None = None,
        checkpoint: Path | None = None,
        resume: bool = False,
        every_seconds: float = 30.0,
    ) -> None:
        """Sample until a limit is reached; intervals are whole.

        A checkpoint is kept at the end and after each `every_seconds`; results never depend on it.
        """
        if limits.target is not None and self.form is None:
            raise DoyleError(
                "--target: exploitability is not known here; give --seconds or --iterations"
            )
        if checkpoint is not None and resume:
            self.solver.restore(checkpoint)
        before, saved = self.solver.seconds, 0.0
        watch = stopwatch()

        def elapsed() -> float:
            return before + watch()

        if self.solver.iterations:
            self._measure(elapsed(), limits)
            saved = elapsed()
        while not self._finished(limits):
            self._advance(limits, workers, elapsed)
            self._measure(elapsed(), limits)
            if report is not None:
                report(self.history[-1])
            if checkpoint is not None and elapsed() - saved >= every_seconds:
                self.solver.save(checkpoint)
                saved = elapsed()
        if checkpoint is not None:
            self.solver.save(checkpoint)

    def _advance(
        self, limits: Limits, workers: Workers | None, elapsed: Callable[[], float]
    ) -> None:
        """Sample up to the next measurement or the end; small games are measured on a sparse grid."""
        interval = self.solver.options.interval
        done = self.solver.iterations // interval
        goal = interval * (next_measurement(done) if self._small is not None else done + 1)
        if limits.iterations is not None:
            goal = min(goal, -(-limits.iterations // interval) * interval)
        while self.solver.iterations < goal:
            self.solver.run(iterations=self.solver.iterations + interval, workers=workers)
            if limits.seconds is not None and elapsed() >= limits.seconds:
                return

    def _measure(self, seconds: float, limits: Limits) -> None:
        # A measurement of abstract Hold'em takes as long as many iterations.
        due = self._small is not None or limits.target is not None
        profile = self.profile() if due else None
        known = profile.exploitability if profile is not None else float("nan")
        self.seconds = seconds
        self.history.append(Point(self.solver.iterations, seconds, known))

    def _finished(self, limits: Limits) -> bool:
        if not self.history:
            return False
        last = self.history[-1]
        return (
            (limits.target is not None and last.exploitability <= limits.target)
            or (limits.iterations is not None and last.iteration >= limits.iterations)
            or (limits.seconds is not None and last.seconds >= limits.seconds)
        )


def abstract_form(tree: BettingTree, abstraction: CardAbstraction) -> SequenceForm | None:
    """The abstract game if it is one of perfect recall and its pairs of buckets are known."""
    if any(abstraction.parents(round) is None for round in (1, 2, 3)):
        return None
    if Store().find(pairs_description(abstraction)) is None:
        return None
    name = f"{tree.game.name} {tree.model} {abstraction.spec}"
    return SequenceForm(bucket_game(name, tree, bucket_chances(abstraction)))


def _method(name: str) -> Method:
    for method in METHODS:
        if method == name:
            return method
    raise DoyleError(f"solver {name!r}: expected one of {', '.join(METHODS)}")
