"""Beyond the papers: which sizes to bet and which to know in Hold'em, attack and defence apart.

IJCAI 2013 (section 11) found that in Kuhn sizes which nobody should bet are worth knowing, and advises "a mix
of both optimal offensive actions and defensive actions". Here a player bets the sizes of its *attack* and
knows those of its *defence*: it plays the first seat of the tree `A|D` and the second of `D|A`. The search
begins with pot and all-in, adds one size at a time to either, always the one that leaves the local best
response the least, and ends when no addition helps or fits the largest tree. All candidates meet the same
hands, so they are compared in pairs.

A second search has another goal: that the exploiter which wins most wins the least. Exploiters of a player know it, mapping
included: in each seat they play the strategy of the tree that the player has in the other, in sizes that it misreads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.agents.by_seat import BySeat
from doyle.agents.resolve import resolve_agent
from doyle.base.artifacts.documents import validated
from doyle.base.statistics import Estimate
from doyle.building import BuildDescription
from doyle.experiments.laboratory import key_of, memo, small_agent
from doyle.experiments.papers.cell import Cell, measured
from doyle.experiments.papers.claims.beyond import BET_LESS_KNOWN, LARGEST
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result
from doyle.games import Game
from doyle.measuring.exact_hands.run import ExactHandsResult, run_exact_hands
from doyle.measuring.local_best_response.run import LbrResult, run_lbr

GAME = "holdem-nl-200bb"
TRANSLATION = "rand-pshar"

EXPLOITERS = ("size-tell", "AllDown", "naivePA-fold")
LEAST_STAKE = 1.0
"""Chips a hand, a hundredth of the big blind, below which a history is followed at random."""

M = TypeVar("M")
Value = Callable[["Sizes"], float]
"""A player's losses."""
Between = Callable[[M, M], Estimate]
"""The difference of two players' losses."""


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
    """Of the local best response."""
    boards: int
    """On which exploiters play all hands."""


SEARCHES = {
    "small": Search("ir169.ir20.ir20.20", (300, 1000), 5_000, 1 << 19, 600, 24),
    "published": Search(
        "ir169.ir200.ir200.200", (50, 200, 300, 500, 1000), 15_000, 1 << 25, 20_000, 400
    ),
}


def solved(model: str, search: Search, seed: int) -> str:
    """The folder of a tree's strategy."""
    fields = {
        "name": "bet-sizes", "game": GAME, "betting": model, "cards": search.cards,
        "solver": "external", "seed": seed, "translation": TRANSLATION,
    }  # fmt: skip
    description = validated(BuildDescription, fields, where=f"sizes {model}")
    return small_agent(description, search.iterations)


def player(sizes: Sizes, search: Search, seed: int) -> BySeat:
    """The player that bets and knows these sizes."""
    first, second = (
        resolve_agent(solved(model, search, seed), Game.named(GAME)) for model in sizes.trees
    )
    return BySeat(str(sizes), (first, second))  # type: ignore[arg-type]


def key(sizes: Sizes, search: Search, seed: int, **how: Any) -> dict[str, Any] | None:
    """All inputs of the winnings against a player."""
    texts = [solved(model, search, seed) for model in sizes.trees]
    return key_of(Game.named(GAME), texts, seed=seed, **how)


def difference(one: LbrResult, other: LbrResult) -> Estimate:
    """How much more is won from the one than from the other, in mbb/h, hand by hand."""
    apart = one.values - other.values
    return Estimate.of_strata(apart[0::2], apart[1::2]).in_mbb(one.game.big_blind)


def holdem_sizes(options: Options) -> Result:
    """The search step by step, with every candidate that was measured."""
    search = SEARCHES[options.scale]
    hands = options.hands or search.hands
    game, found = Game.named(GAME), dict[Sizes, LbrResult]()

    def measure(sizes: Sizes) -> LbrResult:
        if sizes not in found:
            found[sizes] = memo(
                LbrResult,
                key(sizes, search, options.seed, lbr="56", hands=hands),
                lambda: run_lbr(
                    game, player(sizes, search, options.seed), actions="56", hands=hands,
                    seed=options.seed, workers=options.workers, progress=options.progress,
                ),
                game=game,
                origins={},
            )  # fmt: skip
        return found[sizes]

    path = searched(search, lambda sizes: measure(sizes).mbb_per_hand)
    cells = [
        measured(f"step {step}", str(sizes), found[sizes].won) for step, sizes in enumerate(path)
    ]
    cells += _candidates(found, difference)
    cells += _advice(found, search, difference)
    how = f"{hands:,} hands of the local best response with 56 sizes"
    return _result(cells, search, how)


@dataclass(frozen=True)
class Exploited:
    """Winnings of every exploiter against a player, on the same boards."""

    by_exploiter: dict[str, ExactHandsResult]

    @property
    def most(self) -> str:
        """The exploiter that wins most."""
        return max(self.by_exploiter, key=lambda name: self.by_exploiter[name].mbb_per_hand)

    @property
    def worst(self) -> ExactHandsResult:
        return self.by_exploiter[self.most]

    def text(self) -> str:
        """Winnings of each, in one line."""
        found = self.by_exploiter.items()
        return ", ".join(f"{name} {one.won:.0f}" for name, one in found)


def exploiter(technique: str, sizes: Sizes, search: Search, seed: int) -> BySeat:
    """The exploiter of a player: in each seat that of the strategy which the player has in the other."""
    first, second = (
        resolve_agent(f"{technique}:{solved(model, search, seed)}", Game.named(GAME))
        for model in sizes.trees
    )
    return BySeat(f"{technique} of {sizes}", (second, first))  # type: ignore[arg-type]


def apart(one: Exploited, other: Exploited) -> Estimate:
    """How much more the worst exploiter of the one wins than that of the other, in mbb/h, board by board."""
    values = one.worst.values - other.worst.values
    return Estimate.of_strata(values).in_mbb(one.worst.game.big_blind)


def exploited_sizes(options: Options) -> Result:
    """The search for sizes that leave exploiters the least, with every candidate that was measured."""
    search = SEARCHES[options.scale]
    boards = options.hands or search.boards
    game, found = Game.named(GAME), dict[Sizes, Exploited]()

    def measure(sizes: Sizes) -> Exploited:
        if sizes not in found:
            found[sizes] = Exploited(
                {technique: exploited(technique, sizes) for technique in EXPLOITERS}
            )
        return found[sizes]

    def exploited(technique: str, sizes: Sizes) -> ExactHandsResult:
        how = {"exploiter": technique, "boards": boards, "least_stake": LEAST_STAKE}
        return memo(
            ExactHandsResult,
            key(sizes, search, options.seed, **how),
            lambda: run_exact_hands(
                game,
                (exploiter(technique, sizes, search, options.seed), player(sizes, search, options.seed)),
                boards=boards, seed=options.seed, least_stake=LEAST_STAKE,
                workers=options.workers, progress=options.progress,
            ),
            game=game,
        )  # fmt: skip

    path = searched(search, lambda sizes: measure(sizes).worst.mbb_per_hand)
    cells = [
        measured(f"step {step}", str(sizes), found[sizes].worst.won, reason=found[sizes].text())
        for step, sizes in enumerate(path)
    ]
    cells += _candidates(found, apart)
    cells += _advice(found, search, apart)
    how = f"exploiters {', '.join(EXPLOITERS)} over all hands on {boards:,} boards"
    return _result(cells, search, how)


def _result(cells: list[Cell], search: Search, how: str) -> Result:
    return Result(
        cells,
        notes=(
            f"{search.cards}, {search.iterations:,} iterations of external a tree, {how}; trees of at most "
            f"{search.most_decisions:,} decisions.",
        ),
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


def _candidates(found: dict[Sizes, M], between: Between[M]) -> list[Cell]:
    """Every player that was measured, beside pot and all-in."""
    return [
        measured(
            f"candidate, {sizes.decisions:,} decisions",
            f"{sizes}, beside pot and all-in",
            between(one, found[Sizes()]),
        )
        for sizes, one in found.items()
    ]


def _advice(found: dict[Sizes, M], search: Search, between: Between[M]) -> list[Cell]:
    """The additional loss if the largest size is bet instead of only known; empty if not
    measured."""
    size = max(search.grid)
    bet, known = Sizes(attack=(size,)), Sizes(defence=(size,))
    if not {bet, known} <= found.keys():
        return []
    return [measured(LARGEST, BET_LESS_KNOWN, between(found[bet], found[known]))]
