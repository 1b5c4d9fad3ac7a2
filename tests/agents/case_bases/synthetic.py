"""Case bases and architectures for tests, without a strength atlas."""

from __future__ import annotations

import numpy as np

from doyle.agents.case_bases import Architecture, CaseBase
from doyle.agents.case_bases.domains import default_game, domain_named
from doyle.agents.case_bases.features.hands import HandFeatures
from doyle.agents.case_bases.learning.decisions import Decisions, hand_decisions
from tests.agents.case_bases.random_logs import random_hands

CATEGORIES = {
    "limit": Architecture(domain="limit", strength="categories", strength_metric="all-or-nothing"),
    "no-limit": Architecture(
        domain="no-limit",
        strength="categories",
        strength_metric="all-or-nothing",
        betting_metric="sizes",
    ),
    "limit-3p": Architecture(
        domain="limit-3p", strength="categories", strength_metric="all-or-nothing"
    ),
}
"""Architectures whose features need no tables."""

BUCKETS = {
    "limit": Architecture(domain="limit"),
    "no-limit": Architecture(domain="no-limit", betting_metric="sizes"),
    "limit-3p": Architecture(domain="limit-3p"),
}
"""The published ones of 2010 and 2011."""


def category_base(domain: str, *, hands: int = 200, seed: int = 1) -> CaseBase:
    """A base of random play whose hands are categories."""
    architecture = CATEGORIES[domain]
    game = default_game(domain_named(domain))
    features = HandFeatures(architecture)
    everybody = range(game.players)
    parts = [
        hand_decisions(hand, everybody, architecture, features)
        for hand in random_hands(game, hands, seed)
    ]
    return CaseBase.of(architecture, game, Decisions.joined(parts))


def bucket_base(architecture: Architecture, *, hands: int, seed: int) -> CaseBase:
    """A base with the betting of random play and drawn hands, textures and commitments."""
    game = default_game(architecture.game_domain)
    plain = CATEGORIES[architecture.domain]
    features = HandFeatures(plain)
    everybody = range(game.players)
    parts = [
        hand_decisions(hand, everybody, plain, features) for hand in random_hands(game, hands, seed)
    ]
    decisions = Decisions.joined(parts)
    rng = np.random.default_rng(seed)
    after_flop = decisions.round > 0
    size = len(decisions)
    hand = np.where(
        after_flop, rng.integers(architecture.buckets, size=size), rng.integers(169, size=size)
    )
    drawn = Decisions(
        decisions.sequences,
        decisions.round,
        decisions.sequence,
        hand,
        np.where(after_flop, rng.integers(9, size=size), 0),
        decisions.commitment,
        decisions.letter,
        decisions.outcome,
    )
    return CaseBase.of(architecture, game, drawn)
