"""Sampling solvers on any game, measured exactly where that can be done.

A small game is sampled card by card, so its tables are read back into the tree game that tells
every card apart, and exploitability is exact. In Hold'em it is measured in the abstract game if that
is asked for and buckets remember: it needs the pairs of buckets, which take minutes to count, and
sampling does without. If buckets forget, a best response in the abstract game is not well defined
and none is reported. What is reported never depends on what has been counted before.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from doyle.betting import BettingModel, BettingTree
from doyle.card_abstraction import CardAbstraction, build
from doyle.card_abstraction.registry import bucket_counts
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.solving.games.card_states import check_size
from doyle.solving.games.holdem import bucket_chances, check_cards
from doyle.solving.games.poker import SmallGame, bucket_game, small_game
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Profile
from doyle.solving.profile_tables import profile_of
from doyle.solving.sampling.deals import DealSource, HoldemDeals, SmallDeals
from doyle.solving.sampling.solver import METHODS, Method, SamplingOptions, SamplingSolver
from doyle.solving.solver import Limits, Point, next_measurement, stopwatch
from doyle.strategy import TableStrategy
from doyle.strategy.layout import SAMPLED_BYTES, check_room
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
        prune_below: float = -np.inf,
        measured: bool = False,
        progress: Progress | None = None,
    ) -> None:
        """`measured`: count the pairs of buckets, so that exploitability in Hold'em is known."""
        self.method = _method(name)
        # What needs no time is refused before the tree is made, and the tree before the cards.
        if cards is not None:
            check_cards(game, cards)
        elif game.hole_cards == 1:
            check_size(game)
        else:
            raise DoyleError(f"{game.name}: too many cards to sample; give --cards SPEC")
        tree = BettingTree.build(BettingModel.named("full" if betting is None else betting), game)
        self._small: SmallGame | None = None
        self.unmeasured: str | None = None
        """Why exploitability is not known; None where it is."""
        source: DealSource
        form: SequenceForm | None = None
        if cards is not None:
            counts = bucket_counts(cards)
            if counts is not None:
                check_room(tree, counts, bytes_each=SAMPLED_BYTES)
            # The seed is that of the sampling. Buckets have their own, as whoever reads the strategy
            # finds them by the name of the abstraction alone.
            abstraction = build(cards, progress=progress)
            source = HoldemDeals(abstraction, players=game.players)
            if measured and game.players == 2:
                form = abstract_form(tree, abstraction, progress=progress)
            self.unmeasured = None if form is not None else unmeasured_reason(abstraction)
        else:
            source = SmallDeals(game)
            if game.players == 2:
                self._small = small_game(game, tree, lossless=False)
                form = SequenceForm(self._small.tree_game)
        if game.players != 2:
            self.unmeasured = f"exploitability is for two players, and there are {game.players}"
        batch, interval = (_SMALL if cards is None else _LARGE)[self.method]
        options = SamplingOptions(
            method=self.method,
            seed=seed,
            batch=batch,
            interval=interval,
            shards=shards,
            prune_below=prune_below,
        )
        self._source = source
        self.solver = SamplingSolver(tree, source, options)
        self.form = form
        self.seconds = 0.0

    @property
    def history(self) -> list[Point]:
        """All measurements, those before a checkpoint too."""
        return [Point.of(entry) for entry in self.solver.history]

    def strategy(self) -> TableStrategy:
        """The average strategy so far."""
        return TableStrategy(self.solver.tree, self.solver.tables())

    def profile(self) -> Profile | None:
        """The average strategy in the game it is measured in; None where there is none."""
        if self.form is None:
            return None
        return profile_of(self.form, self.strategy(), rows=self._rows())

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
        if self.form is not None:
            return list(self.form.game.information_sets()), list(self.form.sequences)
        return self.solver.sizes()

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
            why = self.unmeasured or "exploitability is not known here"
            raise DoyleError(f"--target: {why}; give --seconds or --iterations")
        if checkpoint is not None and resume:
            self._restore(checkpoint)
        last = self._last()
        before = saved = max(self.solver.seconds, 0.0 if last is None else last.seconds)
        kept, watch = -1, stopwatch()

        def elapsed() -> float:
            return before + watch()

        self.seconds = before
        if self.solver.iterations and not self._is_measured(limits):
            self._measure(elapsed(), limits)
        while not self._finished(limits):
            self._advance(limits, workers, elapsed)
            point = self._measure(elapsed(), limits)
            if report is not None:
                report(point)
            if checkpoint is not None and elapsed() - saved >= every_seconds:
                self.solver.save(checkpoint)
                kept, saved = self.solver.iterations, elapsed()
        if checkpoint is not None and kept != self.solver.iterations:
            self.solver.save(checkpoint)

    def _restore(self, checkpoint: Path) -> None:
        self.solver.restore(checkpoint)
        try:
            _ = self.history
        except (AttributeError, KeyError, TypeError, ValueError):
            raise DoyleError(
                f"{checkpoint}: the field 'metadata.history' of its checkpoint is damaged; remove "
                "the folder and solve again"
            ) from None

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

    def _last(self) -> Point | None:
        entries = self.solver.history
        return Point.of(entries[-1]) if entries else None

    def _is_measured(self, limits: Limits) -> bool:
        """Whether the last point says of the tables as they are all that the limits ask for."""
        last = self._last()
        return (
            last is not None
            and last.iteration == self.solver.iterations
            and (limits.target is None or not math.isnan(last.exploitability))
        )

    def _measure(self, seconds: float, limits: Limits) -> Point:
        # A measurement of abstract Hold'em takes as long as many iterations.
        due = self._small is not None or limits.target is not None
        profile = self.profile() if due else None
        known = profile.exploitability if profile is not None else float("nan")
        self.seconds = seconds
        bounds = self.solver.regret_bound()
        bound = sum(bounds) / len(bounds)
        point = Point(self.solver.iterations, seconds, known, bound)
        entries = self.solver.history
        if entries and entries[-1]["iterations"] == point.iteration:
            entries.pop()
        entries.append(point.document())
        return point

    def _finished(self, limits: Limits) -> bool:
        last = self._last()
        return last is not None and (
            (limits.target is not None and last.exploitability <= limits.target)
            or (limits.iterations is not None and last.iteration >= limits.iterations)
            or (limits.seconds is not None and last.seconds >= limits.seconds)
        )


def abstract_form(
    tree: BettingTree,
    abstraction: CardAbstraction,
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> SequenceForm | None:
    """The abstract game if buckets remember; their pairs are counted if they have not been."""
    if forgetful_round(abstraction) is not None:
        return None
    name = f"{tree.game.name} {tree.model} {abstraction.spec}"
    chances = bucket_chances(abstraction, workers=workers, progress=progress)
    return SequenceForm(bucket_game(name, tree, chances), workers=workers)


def forgetful_round(abstraction: CardAbstraction) -> int | None:
    """The first round (0 is the first of a hand) whose buckets forget the round before, if any."""
    return next((round for round in (1, 2, 3) if abstraction.parents(round) is None), None)


def unmeasured_reason(abstraction: CardAbstraction) -> str:
    """Why a sampling solve does not tell its exploitability, and what does."""
    round = forgetful_round(abstraction)
    if round is not None:
        return (
            f"the buckets of {abstraction.spec} forget (in round {round + 1}), so that a best "
            "response in the abstract game is not well defined; `doyle exploitability AGENT --cards "
            "full` measures over all cards"
        )
    return (
        f"sampling does not count the pairs of buckets of {abstraction.spec}, which takes minutes; "
        "`doyle exploitability AGENT` counts them and measures the strategy"
    )


def _method(name: str) -> Method:
    for method in METHODS:
        if method == name:
            return method
    raise DoyleError(f"solver {name!r}: expected one of {', '.join(METHODS)}")
