"""How exploitable a named strategy is as it is played, in one of three games.

- Whole game: a game with a small deck, all cards and all legal bets. Where the strategy's betting
  tree leaves bets out, its translation reads them.
- Abstract game: Hold'em in the strategy's buckets and its betting tree. The pairs of buckets are
  counted first if they have not been. Not well defined with imperfect recall.
- All cards: Hold'em inside the betting tree, where the responder sees every card; exactly, or as two
  bounds from a sample of flops.

Purification and thresholds are applied before anything is measured; ties share evenly.

Policies as profiles: asking a policy at every public history of a small game.

A policy may distinguish every card, so its game of measurement does too (`lossless=False`). The
answers give one profile, from which follow its exact value, best responses and exploitability.
Boards are queried in sequence and histories depth-first, so that a policy that resumes its walks
makes one step for each.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.cards.registry import build as build_abstraction
from doyle.agents.named_strategy import NamedStrategy
from doyle.base.artifacts import Store
from doyle.base.errors import DoyleError
from doyle.base.paths import cache_folder
from doyle.base.workers import Progress, Workers
from doyle.base.workers.memory import one_blas_thread
from doyle.games import Action, Deal, Game, Policy, State
from doyle.games.policies import policy_row
from doyle.measuring.full_cards.response import FullCardResponse
from doyle.measuring.full_cards.run import VERSION, FullCardResult, ResponseSource, run_full_cards
from doyle.measuring.full_cards.sampled_flops import SampledFlops, run_sampled_flops
from doyle.solving.games.holdem import (
    abstract_holdem,
    imperfect_recall_reason,
    pairs_description,
)
from doyle.solving.games.matrix_game import Floats
from doyle.solving.games.small_games import SmallDeckBuckets, SmallGame, small_game
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import Exploitability, Profile, exploitability, profile_of
from doyle.strategy import load_strategy, purified


def policy_profile(
    small: SmallGame, policies: tuple[Policy, Policy], form: SequenceForm | None = None
) -> Profile:
    """The plans of two policies, one per seat, at every decision of a game."""
    game_form = form or SequenceForm(small)
    behaviours = (game_form.uniform_behaviour(0), game_form.uniform_behaviour(1))
    for node, table in _tables(small, policies).items():
        game_form.put_table(node, table, behaviours[int(small.tree.actor[node])])
    return Profile.of_behaviours(game_form, behaviours)


def policy_exploitability(
    game: Game, policies: tuple[Policy, Policy], *, value: float | None = None
) -> Exploitability:
    """The exact exploitability of two policies in the whole of a small game."""
    profile = policy_profile(small_game(game, lossless=False), policies)
    return exploitability(profile, value=value)


def _tables(small: SmallGame, policies: tuple[Policy, Policy]) -> dict[int, Floats]:
    """Probabilities[private state, action] at every decision."""
    tree, game = small.tree, small.cards.game
    states = _states(tree)
    tables = {
        node: np.zeros((len(small.cards.keys[state.round]), int(tree.child_count[node])))
        for node, state in states.items()
    }
    for round_, keys in enumerate(small.cards.keys):
        here = [(node, state) for node, state in states.items() if state.round == round_]
        first = 0
        for board, group in groupby(keys, key=lambda key: key[1:]):
            rows = [policy_row(game, key[0]) for key in group]
            deal = Deal(
                hole=((),) * game.players, board=tuple(card for part in board for card in part)
            )
            for node, state in here:
                answers = _ask(tree, node, state.with_deal(deal), policies[state.actor])
                tables[node][first : first + len(rows)] = answers[rows]
            first += len(rows)
    return tables


def _states(tree: BettingTree) -> dict[int, State]:
    """The betting at every decision, depth-first."""
    states = {0: State.start(tree.game)}
    for node in tree.decisions[1:].tolist():
        states[node] = states[int(tree.parent[node])].apply(int(tree.action[node]))
    return states


def _ask(tree: BettingTree, node: int, state: State, policy: Policy) -> Floats:
    """The policy's rows, with columns in the order of the tree's actions."""
    actions: list[Action] = tree.actions_of(node).tolist()
    offered, probabilities = policy.probabilities(state)
    result = np.zeros((len(probabilities), len(actions)))
    for column, action in enumerate(offered):
        if action in actions:
            result[:, actions.index(action)] = probabilities[:, column]
        elif np.any(probabilities[:, column] > 0):
            raise DoyleError(
                f"{tree.game.name}: the policy plays {action} after {tree.path(node)}, "
                "which the tree does not have"
            )
    return result


@dataclass(frozen=True)
class Measurement:
    """A measurement and its game; without `found`, `reason` explains its absence."""

    game: str
    """`whole`, `abstract` or `all cards`."""
    found: Exploitability | None
    own_value: float | None = None
    """The strategy's self-play value in seat 0."""
    reason: str | None = None
    translation: str | None = None
    """The translation of bets outside the strategy's tree; None if no such bet occurs."""

    @classmethod
    def of(cls, game: str, profile: Profile, *, translation: str | None = None) -> Measurement:
        with one_blas_thread():
            return cls(game, exploitability(profile), profile.value, translation=translation)


def measure(
    named: NamedStrategy, *, workers: Workers | None = None, progress: Progress | None = None
) -> Measurement:
    """Measure in the whole game if its deck is small, otherwise in the abstract game."""
    cards = named.bucketing
    if isinstance(cards, SmallDeckBuckets):
        return _in_whole_game(named, cards, workers)
    reason = imperfect_recall_reason(cards)
    if reason is not None:
        return Measurement("abstract", None, reason=reason)
    if Store().find(pairs_description(cards)) is None:
        logging.getLogger(__name__).info("counting pairs of buckets of %s, once", cards.spec)
    game = abstract_holdem(named.tables.tree, cards, workers=workers, progress=progress)
    form = SequenceForm(game, workers=workers)
    return Measurement.of("abstract", profile_of(form, named.played))


def _in_whole_game(
    named: NamedStrategy, cards: SmallDeckBuckets, workers: Workers | None
) -> Measurement:
    """Measure in a game of a small deck with all legal bets."""
    tree = named.tables.tree
    every_bet = BettingTree.build(BettingModel.parse("full"), tree.game)
    small = small_game(tree.game, every_bet, lossless=cards.lossless)
    form = SequenceForm(small, workers=workers)
    if not _same_tree(tree, every_bet):
        agent = named.agent()
        profile = policy_profile(small, (agent, agent), form)
        return Measurement.of("whole", profile, translation=named.translation_name)
    rows = [
        np.array([cards.row(number, key[0], sum(key[1:], ())) for key in keys])
        for number, keys in enumerate(small.cards.keys)
    ]
    return Measurement.of("whole", profile_of(form, named.played, rows=rows))


def _same_tree(first: BettingTree, second: BettingTree) -> bool:
    return np.array_equal(first.parent, second.parent) and np.array_equal(
        first.action, second.action
    )


def measure_all_cards(
    named: NamedStrategy,
    *,
    flops: int | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> FullCardResult:
    """Resume the best response over all cards; progress is saved in the cache."""
    source = _source(named)
    identity, folder = _kept(named, source)
    return run_full_cards(
        source, folder, identity=identity, flops=flops, workers=workers, progress=progress
    )


def known_all_cards(named: NamedStrategy) -> FullCardResult | None:
    """The results of earlier runs of `measure_all_cards`; None if absent."""
    source = _source(named)
    identity, folder = _kept(named, source)
    return run_full_cards(source, folder, identity=identity, flops=0) if folder.exists() else None


def _kept(named: NamedStrategy, source: ResponseSource) -> tuple[dict[str, Any], Path]:
    """The identity of a run over all cards, and its folder."""
    tree = named.tables.tree
    identity: dict[str, Any] = {
        "version": VERSION,
        "game": tree.game.to_text(),
        "betting": str(tree.model),
        "cards": named.cards,
        "tables": source.arguments[1],
        "purification": named.purification,
        "threshold": named.threshold,
    }
    digest = hashlib.blake2b(repr(sorted(identity.items())).encode(), digest_size=8).hexdigest()
    return identity, cache_folder() / "measurements" / digest


def measure_sampled_flops(
    named: NamedStrategy,
    count: int,
    *,
    seed: int = 0,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> SampledFlops:
    """Bound the best response over all cards by two samples of `count` flops."""
    return run_sampled_flops(_source(named), count, seed=seed, workers=workers, progress=progress)


def _source(named: NamedStrategy) -> ResponseSource:
    """How workers load a strategy of Hold'em with its buckets."""
    origin = named.tables.origin
    if origin is None or isinstance(named.bucketing, SmallDeckBuckets):
        raise DoyleError(f"agent {named.text!r}: names no card abstraction of Hold'em")
    arguments = (str(origin.manifest.parent), origin.digest, named.purification, named.threshold)
    return ResponseSource(_load_response, arguments)


def _load_response(
    folder: str, digest: str, purification: str, threshold: float | None
) -> FullCardResponse:
    """The response of a worker to the strategy in a snapshot, which must still be the same."""
    tables = load_strategy(Path(folder))
    if tables.origin is None or tables.origin.digest != digest:
        raise DoyleError(f"{folder}: the strategy was built again meanwhile; run again")
    if tables.info.cards is None:
        raise DoyleError(f"{folder}: names no card abstraction")
    played = purified(tables, purification, threshold)
    return FullCardResponse(played, build_abstraction(tables.info.cards))
