"""Enumerating a model's betting: rules as numbers, the nodes counted, then the arrays filled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import _tree_kernels as kernels
from doyle.abstractions.betting.model import BetSize, BettingModel
from doyle.abstractions.betting.tree_size import count_nodes, most_actions
from doyle.base.errors import DoyleError
from doyle.games import Game, State

# About 2 GB of arrays. No solver here holds the strategy of a larger tree, whatever the buckets.
LARGEST_TREE = 50_000_000
# Which restricted sizes each seat has used is one bit each of a signed 64-bit number.
MOST_USES = 62
_KINDS = {"pot": kernels.KIND_POT, "limit": kernels.KIND_LIMIT, "full": kernels.KIND_FULL}


def span(model: BettingModel, start: State, *, most_nodes: int) -> kernels.Arrays:
    """The arrays of the tree that `model` spans from `start` on, counted before they are made."""
    game = start.game
    rules = rules_of(model, game)
    depth = most_actions(rules)
    totals, bets = np.zeros((2, depth, rules.once.shape[1] + 3), np.int64)
    first = np.zeros(kernels.SPENT + game.players, np.int64)
    kernels.begin(rules, first)
    for action in chain.from_iterable(start.betting):
        kernels.follow(rules, first, action, totals[0], bets[0])
    counted = count_nodes(rules, most_nodes=most_nodes, root=first)
    if counted.nodes > most_nodes:
        raise _too_large(model, game, most_nodes)
    # A count that gave up leaves room for as many as are allowed: pages are used as they fill.
    arrays = _arrays(counted.nodes if counted.exact else most_nodes, game)
    path = np.zeros((depth, 3), np.int64)
    states = np.zeros((depth, kernels.SPENT + game.players), np.int64)
    nodes = int(kernels.enumerate_tree(rules, first, arrays, path, states, totals, bets))
    if nodes > most_nodes:
        raise _too_large(model, game, most_nodes)
    return _cut(arrays, nodes)


def _too_large(model: BettingModel, game: Game, most_nodes: int) -> DoyleError:
    """Why there is no such tree, and what to make smaller."""
    what = f"betting model {model} in {game.name}: more than {most_nodes:,} nodes"
    raises = max(game.max_raises)
    rules = f"{game.players} players, {game.rounds} rounds"
    if game.is_limit:
        return DoyleError(
            f"{what} with {rules}, up to {raises} raises a round; make one of the three smaller"
        )
    if "full" in (model.kind, model.of_seat(1).kind):
        return DoyleError(
            f"{what} with {rules}, stacks of {max(game.stacks):,}; take smaller stacks, or a model "
            "with a few sizes such as fcpa"
        )
    return DoyleError(
        f"{what} with {_sizes(model)} sizes, {game.rounds} rounds, stacks of "
        f"{max(game.stacks):,}; allow fewer sizes, restrict (fchpa/h) or cap them (fchpa@3)"
    )


def _sizes(model: BettingModel) -> str:
    """How many sizes a model has, by seat where they differ."""
    if model.second is None:
        return str(len(model.bets))
    return f"{len(model.bets)} and {len(model.second.bets)}"


def _arrays(nodes: int, game: Game) -> kernels.Arrays:
    def column(dtype: type[np.signedinteger]) -> npt.NDArray[np.signedinteger]:
        return np.zeros(nodes, dtype=dtype)

    return kernels.Arrays(
        kind=column(np.int8),
        round=column(np.int8),
        actor=column(np.int8),
        parent=column(np.int32),
        action=column(np.int32),
        child_start=column(np.int32),
        child_count=column(np.int32),
        children=np.zeros(max(nodes - 1, 0), dtype=np.int32),
        spent=np.zeros((nodes, game.players), dtype=np.int32),
        folded=column(np.int16),
    )


def _cut(arrays: kernels.Arrays, nodes: int) -> kernels.Arrays:
    """The first `nodes` of arrays that may be longer."""
    if arrays.kind.size == nodes:
        return arrays
    columns = {name: column[:nodes].copy() for name, column in arrays._asdict().items()}
    columns["children"] = arrays.children[: max(nodes - 1, 0)].copy()
    return kernels.Arrays(**columns)


def rules_of(model: BettingModel, game: Game) -> kernels.Rules:
    """The game and the model of each seat as numbers for the kernel."""
    models = [model.of_seat(seat) for seat in range(game.players)]
    width = max(len(one.bets) for one in models)
    if width * game.players > MOST_USES:
        raise DoyleError(
            f"betting model {model}: at most {MOST_USES // game.players} sizes, please"
        )
    every_round = (1 << game.rounds) - 1
    # Without a limit on commitment no total is too large: 2**20 stacks, which fit into 64 bits.
    shares = [one.committed_share for one in models]

    def numbers(values: Iterable[int]) -> npt.NDArray[np.int64]:
        return np.array(list(values), dtype=np.int64)

    def by_size(value: Callable[[BetSize], int]) -> npt.NDArray[np.int64]:
        """[seat, size]; seats with fewer sizes than others have ones behind them."""
        found = np.ones((game.players, width), np.int64)
        for seat, one in enumerate(models):
            found[seat, : len(one.bets)] = [value(bet) for bet in one.bets]
        return found

    return kernels.Rules(
        players=game.players,
        rounds=game.rounds,
        stacks=numbers(game.stacks),
        blinds=numbers(game.blinds),
        big_blind=game.big_blind,
        first_players=numbers(game.first_players),
        max_raises=numbers(game.max_raises),
        raise_sizes=numbers(game.raise_sizes or (0,) * game.rounds),
        kind=numbers(kernels.KIND_LIMIT if game.is_limit else _KINDS[one.kind] for one in models),
        raise_cap=numbers(-1 if one.raise_cap is None else one.raise_cap for one in models),
        cap_stops_all_in=numbers(one.cap_stops_all_in for one in models),
        all_in=numbers(one.all_in for one in models),
        committed_numerator=numbers(2**20 if one is None else one.numerator for one in shares),
        committed_denominator=numbers(1 if one is None else one.denominator for one in shares),
        sizes=numbers(len(one.bets) for one in models),
        numerators=by_size(lambda bet: bet.fraction.numerator),
        denominators=by_size(lambda bet: bet.fraction.denominator),
        once=by_size(lambda bet: bet.once),
        round_masks=by_size(
            lambda bet: every_round if bet.rounds is None else sum(1 << r for r in bet.rounds)
        ),
        least_raises=by_size(lambda bet: bet.least_raises),
        most_raises=by_size(lambda bet: 2**31 if bet.most_raises is None else bet.most_raises),
    )
