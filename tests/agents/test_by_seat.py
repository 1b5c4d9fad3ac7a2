"""A policy for each seat: everything it says is what the policy of that seat says."""

from __future__ import annotations

import numpy as np

from doyle.agents.by_seat import BySeat
from doyle.agents.resolve import resolve_agent
from doyle.games import Game
from doyle.matches import play_match
from doyle.measuring.local_best_response.run import run_lbr

LEDUC = Game.named("leduc")


def _mixed() -> BySeat:
    first, second = (resolve_agent(name, LEDUC) for name in ("always-raise", "always-call"))
    return BySeat("mixed", (first, second))  # type: ignore[arg-type]


def test_each_seat_plays_as_its_policy() -> None:
    mixed = play_match(LEDUC, [_mixed(), "random"], hands=60, seed=3, duplicate=False)
    # Without duplicate seats rotate, so even deals are played in the first seat and odd ones in the second.
    raising = play_match(LEDUC, ["always-raise", "random"], hands=60, seed=3, duplicate=False)
    calling = play_match(LEDUC, ["always-call", "random"], hands=60, seed=3, duplicate=False)
    assert np.array_equal(mixed.units[0::2], raising.units[0::2])
    assert np.array_equal(mixed.units[1::2], calling.units[1::2])
    assert not np.array_equal(raising.units, calling.units)


def test_local_best_response_meets_the_policy_of_the_other_seat() -> None:
    found = run_lbr(LEDUC, _mixed(), actions="all")
    raising = run_lbr(LEDUC, "always-raise", actions="all")
    calling = run_lbr(LEDUC, "always-call", actions="all")
    # The responder in the first seat meets the second policy, and the other way round.
    assert np.array_equal(found.values[0::2], calling.values[0::2])
    assert np.array_equal(found.values[1::2], raising.values[1::2])
