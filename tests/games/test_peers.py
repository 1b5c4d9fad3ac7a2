"""The rules agree with PokerKit and with OpenSpiel's universal_poker, hand by hand.

A disagreement means that doyle plays another game than everybody else: the message is the state.
"""

from __future__ import annotations

import numpy as np
import pytest

from doyle.base.workers import Workers, map_items
from doyle.games import bundled_names
from tests.games.peers import pairs, play_many, play_with_open_spiel, random_game

pytestmark = pytest.mark.peer


@pytest.mark.parametrize(("peer", "name"), pairs(bundled_names()))
def test_hands_agree(peer: str, name: str) -> None:
    hands, decisions = play_many((peer, name, 0, 60))
    assert hands == 60
    assert decisions > 60


def test_side_pots_and_uneven_stacks_agree() -> None:
    """OpenSpiel plays these games with the code of the ACPC server itself."""
    decisions = 0
    for number in range(300):
        rng = np.random.default_rng((7, number))
        game = random_game(rng)
        for _ in range(3):
            decisions += play_with_open_spiel(game, rng)
    assert decisions > 3 * 300


@pytest.mark.slow
@pytest.mark.parametrize("peer", ["pokerkit", "open_spiel"])
def test_hundred_thousand_hands_agree(peer: str) -> None:
    names = [name for known, name in pairs(bundled_names()) if known == peer]
    each, step = -(-100_000 // len(names)), 500
    tasks = [
        (peer, name, start, min(start + step, each))
        for name in names
        for start in range(0, each, step)
    ]
    results = list(map_items(play_many, tasks, workers=Workers(2)))
    assert sum(hands for hands, _ in results) >= 100_000
