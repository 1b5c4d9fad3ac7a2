"""Abstract games of three sizes, solved by `egt` until they are as exploitable as printed.

When the paper chose between its abstractions, the solves of the larger ones had not come as far:
8-4-3-3 was exploitable for 0.13 big blinds a hand in its abstraction, 8-12-4-4 for 0.55 and 12-25-6-6 for
0.8. So each size is solved down to its own number and kept there. At small scale buckets are
percentiles with branching factors whose numbers of river buckets stand in nearly the same proportion (24, 135
and 875 beside 288, 1,536 and 10,800), betting is pot or all-in, and pairs of buckets are counted on some of
the flops; solves do not depend on the machine's speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.cards import CardAbstraction, build
from doyle.base.artifacts.documents import read_json
from doyle.base.artifacts.files import write_json
from doyle.base.paths import cache_folder
from doyle.base.workers.memory import one_blas_thread
from doyle.experiments.papers.registry import Options
from doyle.games import Game
from doyle.solving.games.holdem import GROUPS, bucket_states
from doyle.solving.games.small_games import bucket_game
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import strategy_of
from doyle.solving.run import stopwatch
from doyle.solving.solve import make_solver
from doyle.strategy import StrategyInfo, save_strategy

GAME = "holdem-nl-200bb"
_VERSION = 4


@dataclass(frozen=True)
class Size:
    """One abstraction of the paper: its cards at both scales, and its printed exploitabilities in bb."""

    name: str
    small_cards: str
    published_cards: str
    targets: tuple[float, ...]
    """Falling; the first is that of the size experiment."""
    earlier: tuple[float, ...] = ()
    """Falling exploitabilities before the printed ones at which a strategy is kept too."""


SIZES = (
    Size("8-4-3-3", "3.2.2.2", "potential-8-4-3-3", (0.13,)),
    Size("8-12-4-4", "5.3.3.3", "potential-8-12-4-4", (0.55, 0.3)),
    Size("12-25-6-6", "7.5.5.5", "potential-12-25-6-6", (0.8,), (12.8, 6.4, 3.2, 1.6)),
)


@dataclass(frozen=True)
class Scale:
    """How large the abstract games are."""

    betting: str
    groups: int
    """Of flops on which pairs of buckets are counted."""
    iterations: int
    """After which exploitability is reported."""
    measured_every: int
    hands: int

    def cards(self, size: Size) -> str:
        return size.small_cards if self.groups < GROUPS else size.published_cards


SCALES = {
    "small": Scale("fcpa", 1, 100, 5, 400_000),
    "published": Scale("tartanian5", GROUPS, 400, 10, 1_000_000),
}


@dataclass(frozen=True)
class Solved:
    """The result of a solve: the iterations at each printed exploitability, and the last value."""

    reached: dict[str, tuple[int, float, float]]
    """By target: iterations, seconds and exploitability in big blinds a hand."""
    iterations: int
    exploitability: float
    """In big blinds a hand, after `iterations`."""
    folder: Path

    def agent(self, target: float) -> str:
        """The text of the agent that was kept at a target."""
        return str(self.folder / f"at-{target:g}")


def solved(size: Size, options: Options, scale: Scale | None = None) -> Solved:
    """Solve an abstraction, or load its stored result."""
    scale = scale or SCALES[options.scale]
    cards = scale.cards(size)
    folder = (
        cache_folder() / "papers" / "tartanian5"
        / f"{cards}-{scale.betting}-{scale.groups}-{scale.iterations}-v{_VERSION}"
    )  # fmt: skip
    summary = folder / "solve.json"
    targets = (*size.earlier, *size.targets)
    if not summary.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        # Counting pairs of buckets included: its sums must not depend on the cores either.
        with one_blas_thread():
            write_json(summary, _solve(targets, cards, scale, folder, options))
    document = read_json(summary)
    return Solved(
        {f"{target:g}": tuple(document["reached"][f"{target:g}"]) for target in targets},
        int(document["iterations"]),
        float(document["exploitability"]),
        folder,
    )


def _solve(
    targets: Sequence[float], cards: str, scale: Scale, folder: Path, options: Options
) -> dict[str, object]:
    game = Game.named(GAME)
    tree = BettingTree.build(BettingModel.named(scale.betting), game)
    abstraction = build(cards, workers=options.workers, progress=options.progress)
    states = bucket_states(abstraction, groups=scale.groups, progress=options.progress)
    form = SequenceForm(bucket_game(f"{GAME} {cards}", tree, states), workers=options.workers)
    solver = make_solver("egt", form)
    waiting = list(targets)
    reached: dict[str, tuple[int, float, float]] = {}
    end: dict[str, float] | None = None
    elapsed = stopwatch()
    while waiting or end is None:
        solver.advance(scale.measured_every)
        now = solver.distance().exploitability / game.big_blind
        if end is None and solver.iteration >= scale.iterations:
            end = {"iterations": solver.iteration, "exploitability": now}
        while waiting and now <= waiting[0]:
            target = waiting.pop(0)
            info = _info(cards, abstraction, solver.iteration)
            strategy = replace(strategy_of(solver.profile(), tree), info=info)
            save_strategy(strategy, folder / f"at-{target:g}", step=solver.iteration)
            reached[f"{target:g}"] = (solver.iteration, elapsed(), now)
        if options.progress is not None:
            done = min(solver.iteration, scale.iterations)
            options.progress(f"solving {cards}", done, scale.iterations)
    return {"reached": reached, **end}


def _info(cards: str, abstraction: CardAbstraction, iterations: int) -> StrategyInfo:
    return StrategyInfo(
        agent=f"tartanian5-{cards}",
        cards=abstraction.spec,
        solver="egt",
        iterations=iterations,
        bucket_counts=tuple(abstraction.bucket_count(number) for number in range(4)),
        translation="det-pshar",
        purification="full",
    )
