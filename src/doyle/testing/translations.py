"""`check_mapping` and `check_translation`: the contract of reading real bets in a tree and
converting tree bets to real ones.

A mapping is a probability, 1 at the smaller bet and 0 at the larger, never rises between them and
does not depend on the unit of chips (IJCAI 2013, desiderata 1 to 3). From a smaller bet of 0 some
mappings are certain of the larger bet, so bets above 0 are tried.

A translation reads every real action as places of the tree with weights that sum to 1, reads
actions of the tree as themselves, and converts every action of the tree to a legal one.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np

from doyle.abstractions.betting import DECISION, BettingModel, BettingTree
from doyle.base.errors import DoyleError
from doyle.games import CALL, FOLD, Action, Game, State
from doyle.games.histories import format_betting
from doyle.strategy.translation import Mapping, mapping
from doyle.strategy.translation.named_translations import named_translation
from doyle.strategy.translation.steps import Reading, Translation, caught_up, waiting
from doyle.testing.contract import ContractError, random_action, require

INTERVALS = ((1, 2), (1, 3), (2, 7), (3, 30), (9, 100))


def check_mapping(entry: Mapping | str) -> int:
    """Check a mapping in exact arithmetic; return the number of queried probabilities.

    >>> check_mapping("rand-pshar") > 100
    True
    """
    found = mapping(entry) if isinstance(entry, str) else entry
    asked = 0
    for low, high in INTERVALS:
        for pot in (1, 4, 50):
            asked += _check_interval(found, Fraction(low), Fraction(high), Fraction(pot))
    return asked


def _check_interval(entry: Mapping, low: Fraction, high: Fraction, pot: Fraction) -> int:
    sizes = [low + (high - low) * Fraction(part, 24) for part in range(25)]
    try:
        shares = [Fraction(entry.probability(low, high, size, pot)) for size in sizes]
    except DoyleError as error:  # a mapping refuses invalid probabilities
        raise ContractError(str(error)) from None
    where = f"mapping {entry.name}, A={low}, B={high}, pot={pot}"
    require(shares[0] == 1, f"{where}: A itself is read as A with {shares[0]}")
    require(shares[-1] == 0, f"{where}: B itself is read as A with {shares[-1]}")
    for before, after, size in zip(shares, shares[1:], sizes[1:], strict=False):
        require(after <= before, f"{where}: rises to {float(after)} at x={size}")
    for size, share in zip(sizes, shares, strict=True):
        other = entry.probability(7 * low, 7 * high, 7 * size, 7 * pot)
        require(
            abs(float(other) - float(share)) < 1e-12,
            f"{where}: depends on the unit of chips at x={size}",
        )
    return 2 * len(sizes)


def check_translation(
    translation: Translation | str,
    *,
    game: Game | str | Path = "holdem-nl-200bb",
    betting: str = "fcpa",
    hands: int = 50,
    seed: int = 0,
) -> int:
    """Walk random hands with one reading of them in the tree; return how many steps were checked.

    >>> check_translation("rand-pshar", hands=10) > 10
    True
    """
    found = named_translation(translation) if isinstance(translation, str) else translation
    rules = Game.of(game)
    tree = BettingTree.build(BettingModel.parse(betting), rules)
    rng = np.random.default_rng(seed)
    steps = 0
    for _ in range(hands):
        state, node = State.start(rules), 0
        while not state.is_over:
            where = f"{rules.name} {betting}, betting {format_betting(state)!r}, node {node}"
            _check_spoken(found, tree, node, state, where)
            action = random_action(state, rng)
            if rng.random() < 0.5 and not waiting(tree, node, state):
                action = _tree_action(tree, node, state, rng) or action
            readings = found.in_step(tree, node, state=state, action=action)
            _check_readings(readings, tree, where, action)
            _check_known(readings, tree, node, state, action, where)
            steps += 1
            weights = np.array([float(reading.weight) for reading in readings])
            node = readings[int(rng.choice(len(readings), p=weights / weights.sum()))].node
            state = state.apply(action)
            if not state.is_over:
                node = caught_up(tree, node, state)
    return steps


def _tree_action(
    tree: BettingTree, node: int, state: State, rng: np.random.Generator
) -> Action | None:
    """A legal action that the tree has at the node."""
    legal = [int(action) for action in tree.actions_of(node) if state.is_legal(int(action))]
    return int(rng.choice(legal)) if legal else None


def _check_spoken(
    translation: Translation, tree: BettingTree, node: int, state: State, where: str
) -> None:
    actions = [CALL] if waiting(tree, node, state) else tree.actions_of(node).tolist()
    for action in actions:
        spoken = translation.out_step(tree, node, int(action), state=state)
        require(state.is_legal(spoken), f"{where}: {action} is spoken as {state.describe(spoken)}")


def _check_readings(
    readings: tuple[Reading, ...], tree: BettingTree, where: str, action: Action
) -> None:
    total = sum((reading.weight for reading in readings), Fraction(0))
    require(total == 1, f"{where}: readings of {action} sum to {total}")
    for reading in readings:
        require(0 <= reading.weight <= 1, f"{where}: {action} has a reading of {reading.weight}")
        require(0 <= reading.node < tree.node_count, f"{where}: {action} leads out of the tree")


def _check_known(
    readings: tuple[Reading, ...],
    tree: BettingTree,
    node: int,
    state: State,
    action: Action,
    where: str,
) -> None:
    """If the tree matches the hand, an action of the tree is read as itself."""
    if tree.kind[node] != DECISION or action == FOLD:
        return
    same = tree.path(node) == tuple(a for actions in state.betting for a in actions)
    if same and action in tree.actions_of(node):
        child = tree.child(node, action)
        likely = [reading.node for reading in readings if reading.weight]
        require(likely == [child], f"{where}: {action} is in the tree and read as {likely}")
