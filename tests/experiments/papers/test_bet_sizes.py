"""The search for bet sizes: one size is table 5, and a further size never hurts the best."""

from __future__ import annotations

from fractions import Fraction

import pytest

from doyle.experiments.papers.bet_sizes import kuhn_gives_away, leduc_gives_away
from doyle.experiments.papers.full_game import FullGame
from doyle.experiments.papers.ijcai2013.one_street import (
    best_kuhn_sizes,
    king_as_published,
    kuhn_exploitability,
)
from doyle.games import Game
from doyle.strategy.translation import mapping


def test_one_size_is_table_5() -> None:
    entry = mapping("rand-pshar")
    values = {size: kuhn_gives_away(entry, 3, (size,)) for size in range(1, 30)}
    assert values[4] == pytest.approx(float(kuhn_exploitability(entry, 3, bet_tenths=4)))
    best = best_kuhn_sizes(entry, 3, (king_as_published,))
    assert min(values, key=lambda size: values[size]) == best[0].tenths


def test_knowing_every_size_gives_nothing_away() -> None:
    everything = tuple(range(1, 30))
    assert kuhn_gives_away(mapping("rand-arith"), 3, everything) == pytest.approx(0.0, abs=1e-12)


def test_two_sizes_are_better_than_one_in_leduc() -> None:
    full = FullGame.of(Game.named("leduc-nl12"))
    entry = mapping("rand-pshar")
    one = leduc_gives_away(full, entry, (Fraction(1),))
    two = leduc_gives_away(full, entry, (Fraction(1), Fraction(1, 2)))
    assert 0 < two < one < 0.5
