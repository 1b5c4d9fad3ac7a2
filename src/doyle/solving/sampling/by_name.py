"""Sampling solvers by name on any game, measured exactly where that can be done.

A small game is sampled card by card, so its tables are read back into the public game that tells
every card apart, and exploitability is exact. In Hold'em it is measured in the abstract game if that
is asked for and buckets remember: it needs the pairs of buckets, which take minutes to count, and
sampling does without. With imperfect recall, a best response in the abstract game is not well defined
and none is reported. What is reported never depends on what has been counted before.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from doyle.betting import BettingModel, BettingTree
from doyle.card_abstraction import CardAbstraction, build
from doyle.card_abstraction.registry import bucket_counts
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.solving.games.holdem import bucket_states, check_cards
from doyle.solving.games.small_games import SmallGame, bucket_game, check_size, small_game
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.sampling.deals import HoldemDeals, SmallDeals
from doyle.solving.sampling.solver import (
    METHODS,
    Method,
    SamplingOptions,
    SamplingSolver,
    Yardstick,
)
from doyle.strategy.layout import SAMPLED_BYTES, check_room
from doyle.workers import Progress, Workers

_SMALL = {"external": (256, 4096), "pure": (256, 4096), "pcs": (16, 256)}
_LARGE = {"external": (4096, 1 << 18), "pure": (4096, 1 << 18), "pcs": (16, 256)}
"""Iterations per batch and per interval (deals, or boards for pcs)."""


def make_sampling_solver(
    name: str,
    game: Game,
    *,
    betting: str | None = None,
    cards: str | None = None,
    seed: int = 0,
    shards: int = 0,
    merge: int = 0,
    prune_below: float = -np.inf,
    tremble: float = 0.0,
    measured: bool = False,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> SamplingSolver:
    """A new solver of that name; `measured` lets its exploitability in Hold'em be known too.

    That counts the pairs of buckets. In games with a small deck it is always known.
    """
    method = _method(name)
    # What needs no time is refused before the tree is made, and the tree before the cards.
    if cards is not None:
        check_cards(game, cards)
    elif game.hole_cards == 1:
        check_size(game)
    else:
        raise DoyleError(f"{game.name}: too many cards to sample; give a card abstraction")
    tree = BettingTree.build(BettingModel.named("full" if betting is None else betting), game)
    batch, interval = (_SMALL if cards is None else _LARGE)[method]
    options = SamplingOptions(
        method=method,
        seed=seed,
        batch=batch,
        interval=interval,
        shards=shards,
        merge=merge,
        prune_below=prune_below,
        tremble=tremble,
    )
    workers = workers or Workers()
    if cards is None:
        source = SmallDeals(game)
        if game.players != 2:
            return SamplingSolver(tree, source, options, workers)
        solver = SamplingSolver(tree, source, options, workers, small_yardstick(tree, source))
        # As solvers that walk count them: cards that play alike are one.
        solver.counted = small_game(game, tree)
        return solver
    counts = bucket_counts(cards)
    if counts is not None:
        check_room(tree, counts, bytes_each=SAMPLED_BYTES)
    # The seed is that of the sampling. Buckets have their own, as whoever reads the strategy
    # finds them by the name of the abstraction alone.
    abstraction = build(cards, progress=progress)
    form = None
    if measured and game.players == 2:
        form = abstract_form(tree, abstraction, progress=progress)
    abstract = None if form is None else Yardstick(form)
    deals = HoldemDeals(abstraction, players=game.players)
    return SamplingSolver(tree, deals, options, workers, abstract)


def small_yardstick(tree: BettingTree, source: SmallDeals) -> Yardstick:
    """The game with a small deck in which tables of every card are measured."""
    small = small_game(tree.game, tree, lossless=False)
    return Yardstick(SequenceForm(small), _rows(small, source))


def _rows(small: SmallGame, source: SmallDeals) -> list[npt.NDArray[np.int64]]:
    """By round: for each private state of the measured game, its row of the tables."""
    return [
        np.array([source.bucket(key[0][0], sum(key[1:], ()), number) for key in keys])
        for number, keys in enumerate(small.cards.keys)
    ]


def abstract_form(
    tree: BettingTree,
    abstraction: CardAbstraction,
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> SequenceForm | None:
    """The abstract game if buckets remember; their pairs are counted if they have not been."""
    if imperfect_recall_round(abstraction) is not None:
        return None
    name = f"{tree.game.name} {tree.model} {abstraction.spec}"
    chances = bucket_states(abstraction, workers=workers, progress=progress)
    return SequenceForm(bucket_game(name, tree, chances), workers=workers)


def imperfect_recall_round(abstraction: CardAbstraction) -> int | None:
    """The first round (0 is the first of a hand) with imperfect recall of the round before, if any."""
    return next((round for round in (1, 2, 3) if abstraction.parents(round) is None), None)


def unmeasured_reason(solver: SamplingSolver) -> str | None:
    """Why exploitability is not known during a sampling solve; None where it is."""
    players = solver.tree.game.players
    if players != 2:
        return f"exploitability is for two players, and {solver.tree.game.name} has {players}"
    if solver.yardstick is not None or not isinstance(solver.source, HoldemDeals):
        return None
    abstraction = solver.source.abstraction
    return imperfect_recall_reason(abstraction) or (
        f"sampling does not count the pairs of buckets of {abstraction.spec}, which takes minutes; "
        "measuring the strategy in the abstract game does"
    )


def imperfect_recall_reason(abstraction: CardAbstraction) -> str | None:
    """Why nothing is exploited in the abstract game; None with perfect recall."""
    round = imperfect_recall_round(abstraction)
    if round is None:
        return None
    return (
        f"{abstraction.spec} has imperfect recall (in round {round + 1}), so that a best response in "
        "the abstract game is not well defined; a best response over all cards is"
    )


def _method(name: str) -> Method:
    for method in METHODS:
        if method == name:
            return method
    raise DoyleError(f"solver {name!r}: expected one of {', '.join(METHODS)}")
