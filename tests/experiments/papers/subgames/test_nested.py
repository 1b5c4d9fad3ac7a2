"""Bets outside the tree: the smaller game has the same best responses, and searches meet every bet."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from doyle.agents.search import SearchSettings
from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.claims import decided_claims
from doyle.experiments.papers.claims.deciding import Finding
from doyle.experiments.papers.full_game import FullGame, SolvedAbstraction
from doyle.experiments.papers.subgames import nested
from doyle.experiments.papers.subgames.nested import OffTree, TranslatedPolicy, _OneSuit
from doyle.games import Deal, Game, State
from doyle.solving.vector import GUARDS
from doyle.strategy.translation import MAPPINGS, mapping
from doyle.strategy.translation.named_translations import pot_fractions

GAME = Game.named(nested.GAME)


@lru_cache(maxsize=1)
def solved() -> SolvedAbstraction:
    return nested.blueprint("32 iterations")


@lru_cache(maxsize=2)
def off_tree(seat: int) -> OffTree:
    return OffTree.of(seat)


def test_nothing_is_lost_where_the_player_never_bets() -> None:
    full = FullGame.of(GAME)
    for seat in (0, 1):
        for name in ("det-arith", "rand-pshar"):
            entry = mapping(name)
            expected = full.best_response(1 - seat, solved(), pot_fractions(entry))
            assert off_tree(seat).translated(solved(), entry) == pytest.approx(expected, abs=1e-12)
    sizes = [one.full.small.tree.node_count for one in (off_tree(0), off_tree(1))]
    assert sizes == [985, 985]
    assert full.small.tree.node_count == 28_049


@pytest.mark.parametrize("seat", [0, 1])
def test_a_translated_policy_is_the_translated_plan(seat: int) -> None:
    """Asked state by state it gives away what its plan does."""
    entry = mapping(nested.BEFORE)
    policy = TranslatedPolicy(off_tree(seat), solved(), entry)
    won = off_tree(seat).searched(policy)  # type: ignore[arg-type]
    assert won == pytest.approx(off_tree(seat).translated(solved(), entry), abs=1e-9)


def test_every_bet_of_the_second_round_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nested, "ITERATIONS", 2)
    agent = nested.nested(off_tree(0), solved(), "unsafe", 1)
    won = off_tree(0).searched(agent)
    assert np.isfinite(won)
    # 23 ways into the round and 98 bets that the tree lacks, on a board of each of three ranks.
    assert agent.counts.solves == (23 + 98) * 3
    assert agent.counts.left == 0


def test_suits_are_played_alike() -> None:
    agent = nested.nested(off_tree(0), solved(), "unsafe", 1)
    agent.settings = SearchSettings(iterations=(3, 3), floor=0.0)
    asked = _OneSuit(agent)
    state = State.start(GAME).apply(1).apply(1)
    first, second = (state.with_deal(Deal(((), ()), (card,))) for card in GAME.deck[2:4])
    one, other = asked.probabilities(first), asked.probabilities(second)
    assert one[0] == other[0]
    np.testing.assert_array_equal(one[1][[1, 0, 3, 2, 5, 4]], other[1])


def test_claims_hold_and_fail() -> None:
    def findings(translated: float) -> set[Finding]:
        cells = [
            Cell(row, column, None, value)
            for column in nested.BLUEPRINTS
            for row, value in [
                *((entry.title, translated) for entry in MAPPINGS),
                *((f"nested {guard}, {rounds}", 5.0)
                  for guard in GUARDS for rounds in nested.ROUNDS),
            ]
        ]  # fmt: skip
        return {one.finding for one in decided_claims(nested.NAME, {nested.NAME: cells})}

    assert findings(9.0) == {Finding.HOLDS}
    assert findings(4.0) == {Finding.FAILS}
