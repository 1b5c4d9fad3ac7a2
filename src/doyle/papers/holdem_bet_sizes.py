"""Beyond the papers: which sizes to bet and which to know in Hold'em, attack and defence apart.

IJCAI 2013 (section 11) found that in Kuhn sizes which nobody should bet are worth knowing, and advises "a mix
of both optimal offensive actions and defensive actions". Here a player bets the sizes of its *attack* and
knows those of its *defence*: it plays the first seat of the tree `A|D` and the second of `D|A`. The search
begins with pot and all-in, adds one size at a time to either, always the one that leaves the local best
response the least, and ends when no addition helps or fits the largest tree. All candidates meet the same
hands, so they are compared in pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from doyle.agents.by_seat import BySeat
from doyle.agents.resolve import resolve_agent
from doyle.betting import BettingModel, BettingTree
from doyle.card_abstraction import build
from doyle.games import Game
from doyle.measuring.local_best_response.run import LbrResult, run_lbr
from doyle.measuring.runs import half_width
from doyle.papers.registry import Options
from doyle.papers.result import Cell, Result
from doyle.paths import cache_folder
from doyle.solving.sampling.deals import HoldemDeals
from doyle.solving.sampling.solver import SamplingOptions, SamplingSolver
from doyle.strategy import StrategyInfo, save_strategy
from doyle.workers import Workers

GAME = "holdem-nl-200bb"
TRANSLATION = "rand-pshar"

Value = Callable[["Sizes"], float]
"""What a player gives away."""


@dataclass(frozen=True, order=True)
class Sizes:
    """Percentages of the pot, beside pot and all-in, that are bet and that are known.

    >>> Sizes((300,), (300, 1000)).trees
    ('fcp300pa|fcp300,1000pa', 'fcp300,1000pa|fcp300pa')
    """

    attack: tuple[int, ...] = ()
    defence: tuple[int, ...] = ()

    @property
    def trees(self) -> tuple[str, str]:
        """The betting models whose first and second seat the player plays."""
        attack, defence = _model(self.attack), _model(self.defence)
        if attack == defence:
            return attack, attack
        return f"{attack}|{defence}", f"{defence}|{attack}"

    def additions(self, grid: tuple[int, ...]) -> list[Sizes]:
        """Every player with one size more."""
        return [
            *(replace(self, attack=tuple(sorted((*self.attack, size))))
              for size in grid if size not in self.attack),
            *(replace(self, defence=tuple(sorted((*self.defence, size))))
              for size in grid if size not in self.defence),
        ]  # fmt: skip

    @property
    def decisions(self) -> int:
        """Of the tree; both have as many."""
        tree = BettingTree.build(BettingModel.named(self.trees[0]), Game.named(GAME))
        return len(tree.decisions)

    def __str__(self) -> str:
        return f"bets {_model(self.attack)}, knows {_model(self.defence)}"


def _model(sizes: tuple[int, ...]) -> str:
    return f"fcp{','.join(map(str, sizes))}pa" if sizes else "fcpa"


@dataclass(frozen=True)
class Search:
    """How large the candidates are, and how long they are solved and measured."""

    cards: str
    grid: tuple[int, ...]
    most_decisions: int
    iterations: int
    hands: int


SEARCHES = {
    "small": Search("ir169.ir20.ir20.20", (300, 1000), 5_000, 1 << 19, 600),
    "published": Search(
        "ir169.ir200.ir200.200", (50, 200, 300, 500, 1000), 15_000, 1 << 25, 20_000
    ),
}


_TREES, _CANDIDATES = 25, 40
_PUBLISHED_SECONDS = _TREES * 600.0 + _CANDIDATES * SEARCHES["published"].hands / 62
"""An estimate: about so many trees, 10 minutes each of one core, and players at 62 hands a second (docs/benchmarks.md)."""


def solved(model: str, search: Search, seed: int) -> Path:
    """The folder of a tree's strategy; one thread, so that the same seed gives the same bytes."""
    name = f"{model} {search.cards} {search.iterations} seed {seed}"
    folder = cache_folder() / "papers" / "bet-sizes" / name.replace("|", "_").replace(" ", "-")
    if not folder.is_dir():
        tree = BettingTree.build(BettingModel.named(model), Game.named(GAME))
        deals = HoldemDeals(build(search.cards))
        solver = SamplingSolver(tree, deals, SamplingOptions(seed=seed), Workers(1))
        solver.advance(search.iterations)
        info = StrategyInfo(
            agent=model,
            cards=deals.cards,
            solver="external",
            seed=seed,
            iterations=solver.iteration,
            bucket_counts=tuple(deals.bucket_counts),
            translation=TRANSLATION,
            purification="none",
        )
        save_strategy(replace(solver.strategy(), info=info), folder, step=solver.iteration)
    return folder


def player(sizes: Sizes, search: Search, seed: int) -> BySeat:
    """The player that bets and knows these sizes."""
    first, second = (
        resolve_agent(str(solved(model, search, seed)), Game.named(GAME)) for model in sizes.trees
    )
    return BySeat(str(sizes), (first, second))  # type: ignore[arg-type]


def difference(one: LbrResult, other: LbrResult) -> tuple[float, float | None]:
    """How much more is won from the one than from the other, in mbb/h, hand by hand."""
    apart = (one.values - other.values) * 1000.0 / one.game.big_blind
    seats = apart[0::2], apart[1::2]
    return float(seats[0].mean() + seats[1].mean()) / 2.0, half_width(*seats)


def holdem_sizes(options: Options) -> Result:
    """The search step by step, with every candidate that was measured."""
    search = SEARCHES[options.scale]
    hands = options.hands or search.hands
    measured: dict[Sizes, LbrResult] = {}

    def measure(sizes: Sizes) -> LbrResult:
        if sizes not in measured:
            measured[sizes] = run_lbr(
                Game.named(GAME), player(sizes, search, options.seed),
                actions="56", hands=hands, seed=options.seed, workers=options.workers,
                progress=options.progress,
            )  # fmt: skip
        return measured[sizes]

    path = searched(search, lambda sizes: measure(sizes).mbb_per_hand)
    start = measured[Sizes()]
    cells = [
        Cell(f"step {step}", str(sizes), None, measured[sizes].mbb_per_hand,
             more={"ci95": measured[sizes].ci95})
        for step, sizes in enumerate(path)
    ]  # fmt: skip
    for sizes, found in measured.items():
        apart, width = difference(found, start)
        cells.append(
            Cell(f"candidate, {sizes.decisions:,} decisions", f"{sizes}, beside pot and all-in",
                 None, apart, more={"ci95": width})
        )  # fmt: skip
    cells.append(_advice(measured, search))
    return Result(
        "beyond/bet-sizes-holdem",
        "Sizes to bet and sizes to know in Hold'em, by local best response",
        "Beyond the papers; the advice is of Ganzfried and Sandholm, IJCAI 2013, section 11",
        tuple(cells),
        notes=(
            f"{search.cards}, {search.iterations:,} iterations of external a tree, {hands:,} hands of the "
            f"local best response with 56 sizes; trees of at most {search.most_decisions:,} decisions.",
        ),
        published_seconds=_PUBLISHED_SECONDS,
    )


def searched(search: Search, value: Value) -> list[Sizes]:
    """The players of the search, each the best addition to the one before."""
    path = [Sizes()]
    best = value(path[0])
    while True:
        fitting = [
            sizes
            for sizes in path[-1].additions(search.grid)
            if sizes.decisions <= search.most_decisions
        ]
        if not fitting:
            return path
        values = {sizes: value(sizes) for sizes in fitting}
        chosen = min(values, key=lambda sizes: values[sizes])
        if values[chosen] >= best:
            return path
        best = values[chosen]
        path.append(chosen)


def _advice(measured: dict[Sizes, LbrResult], search: Search) -> Cell:
    """Whether the largest size is worth more to know than to bet."""
    size = max(search.grid)
    bet, known = Sizes(attack=(size,)), Sizes(defence=(size,))
    more: dict[str, object] = {}
    ours = "not measured"
    if bet in measured and known in measured:
        apart, width = difference(measured[bet], measured[known])
        ours = "undecided"
        if width is not None and abs(apart) > width:
            ours = "yes" if apart > 0 else "no"
        more = {"mbb_per_hand": apart, "ci95": width}
        more["verdict"] = {"yes": "agrees", "no": "differs"}.get(ours, "explained")
        if ours == "undecided":
            more["reason"] = "The interval contains 0."
    text = f"{size / 100:g} pots are worth more to know than to bet"
    return Cell(text, "advice", "yes", ours, other="advice, not a number", more=more)
