"""Enumerating a model's betting: rules as numbers, the nodes counted, then the arrays filled.

Sequences after which the same betting can follow are counted together, one action after the other
(the idea of `doyle.games.sequences`, here for any betting model). The count ends as soon as it is above
the most that is asked for, and nothing of the size of the tree is allocated on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from doyle.abstractions.betting import _tree_kernels as kernels
from doyle.abstractions.betting.model import BetSize, BettingModel
from doyle.base.errors import DoyleError
from doyle.games import Game, State

# Rows of a layer; 2**20 of them take about 130 MB.
_FIRST_ROWS, _MOST_ROWS = 1 << 10, 1 << 20
_MOST_VISITS = 30_000_000


@dataclass(frozen=True)
class NodeCount:
    """`nodes` is exact if `exact`, else there are at least that many. `visits`: actions looked at."""

    nodes: int
    exact: bool
    visits: int


def count_nodes(
    rules: kernels.Rules, *, most_nodes: int, root: npt.NDArray[np.int64] | None = None
) -> NodeCount:
    """Count the nodes of the tree that `rules` span, as far as `most_nodes`.

    `root` is the state of the first node, by default that in which the blinds are posted.
    """
    width = kernels.SPENT + rules.players
    buffers = np.zeros((4, rules.once.shape[1] + 3), np.int64)
    reduction = _reduction(rules)
    layer = np.zeros((1, width), np.int64)
    if root is None:
        kernels.begin(rules, layer[0])
    else:
        layer[0] = root
    counts = np.ones(1, np.int64)
    if layer[0, kernels.ACTOR] < 0:
        return NodeCount(1, exact=True, visits=0)
    first = int(kernels.width_of(rules, layer[0], buffers[0], buffers[1]))
    nodes = np.array([1 + first, 0], np.int64)
    rows = _FIRST_ROWS
    while counts.size and nodes[0] <= most_nodes:
        if kernels.count_ahead(rules, layer, counts, buffers, nodes, most_nodes):
            break
        size = kernels.FULL
        while size == kernels.FULL:
            following = np.empty((rows, width), np.int64)
            numbers = np.zeros(rows, np.int64)
            slots = np.full(4 * rows, -1, np.int32)
            size = kernels.next_layer(
                rules, reduction, layer, counts, buffers, following, numbers, slots
            )
            if size == kernels.FULL:
                rows *= 4
            if rows > _MOST_ROWS or nodes[1] > _MOST_VISITS:
                return NodeCount(int(nodes[0]), exact=False, visits=int(nodes[1]))
        layer, counts = following[:size], numbers[:size]
    return NodeCount(int(nodes[0]), exact=bool(nodes[0] <= most_nodes), visits=int(nodes[1]))


def most_actions(rules: kernels.Rules) -> int:
    """More actions than any betting sequence of these rules has."""
    return kernels.MAX_ACTIONS_PER_ROUND * rules.rounds + 1


def _reduction(rules: kernels.Rules) -> kernels.Reduction:
    """What never matters in this game."""
    chips = 0
    if rules.kind[0] == kernels.KIND_LIMIT:
        raises = np.minimum(rules.max_raises, kernels.MAX_ACTIONS_PER_ROUND)
        deepest = int(rules.blinds.max()) + int((raises * rules.raise_sizes).sum())
        chips = int(deepest < int(rules.stacks.min()))
    longest = max(_most_raises(rules, int(raises)) for raises in rules.max_raises)
    actions = int(rules.players * (longest + 2) <= kernels.MAX_ACTIONS_PER_ROUND)
    pot = int(not (rules.kind == kernels.KIND_POT).any())
    return kernels.Reduction(pot=pot, chips=chips, actions=actions)


def _most_raises(rules: kernels.Rules, allowed: int) -> int:
    """At least as many raises as a round can have room for."""
    most = min(allowed, kernels.MAX_ACTIONS_PER_ROUND)
    if rules.kind[0] == kernels.KIND_LIMIT:
        return most
    by_pot = bool((rules.kind == kernels.KIND_POT).all())
    if by_pot and not rules.sizes.any():
        return min(most, rules.players)
    there = np.arange(rules.once.shape[1]) < rules.sizes[:, None]
    # A raise adds the big blind at least, but for each seat's all-in; one of a model also its
    # smallest share of the pot, which is twice what has been put in by the larger seat.
    stack, step = int(rules.stacks.max()), max(1, int(rules.blinds.max()))
    spent, raises = step, rules.players
    while spent < stack and raises < most:
        share = 0
        if by_pot:
            share = int((2 * spent * rules.numerators // rules.denominators)[there].min())
        spent += max(step, share)
        raises += 1
    return min(most, raises)


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
