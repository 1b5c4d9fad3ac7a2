"""Leagues: every table once, a cross-table that adds up, intervals on deals."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.games import Game
from doyle.matches import LeagueResult, play_league, play_match

LEDUC = Game.named("leduc")
AGENTS = ["random", "always-call", "always-raise", "always-fold"]


@pytest.fixture(scope="module")
def league() -> LeagueResult:
    return play_league(LEDUC, AGENTS, hands=150, seed=5)


def test_the_cross_table_is_that_of_the_matches(league: LeagueResult) -> None:
    for (first, second), match in league.matches.items():
        alone = play_match(LEDUC, [AGENTS[first], AGENTS[second]], hands=150, seed=5)
        assert np.array_equal(match.units, alone.units)
        cell = league.against(AGENTS[first], AGENTS[second])
        assert cell == alone.mbb_per_hand(0)
        assert league.against(AGENTS[second], AGENTS[first]).mean == -cell.mean


def test_bankrolls_are_the_means_of_the_rows(league: LeagueResult) -> None:
    for name in AGENTS:
        row = [league.against(name, other).mean for other in AGENTS if other != name]
        assert league.bankroll(name).mean == sum(row, Fraction(0)) / 3
        assert dict(league.total_bankroll.bankrolls)[name] == league.bankroll(name).mean
    assert sum(league.bankroll(name).mean for name in AGENTS) == 0


def test_differences_are_measured_on_deals(league: LeagueResult) -> None:
    comparison = league.compare("always-raise", "random")
    mean = league.bankroll("always-raise").mean - league.bankroll("random").mean
    assert comparison.difference.mean == mean
    assert comparison.difference.count == 150
    ordered = league.comparisons(league.total_bankroll)
    assert [c.better for c in ordered] == list(league.total_bankroll.names[:-1])
    assert all(c.difference.mean >= 0 for c in ordered)
    assert all(c.difference.mean >= 0 for c in league.comparisons(league.instant_runoff))


def test_the_document_has_what_scripts_rely_on(league: LeagueResult) -> None:
    document = json.loads(json.dumps(league.document()))
    assert document["total_bankroll"] == list(league.total_bankroll.names)
    assert document["instant_runoff"] == list(league.instant_runoff.names)
    cell = document["cross_table"]["always-fold"]["always-raise"]
    assert cell == {"mbb_per_hand": -1000.0, "ci95": 0.0}
    assert len(document["matches"]) == 6


def test_results_do_not_depend_on_the_number_of_workers(league: LeagueResult) -> None:
    again = play_league(LEDUC, AGENTS, hands=150, seed=5, workers=Workers(2))
    assert again.document() == league.document()


def test_three_player_games_seat_all_triples() -> None:
    game = Game.named("holdem-limit-3p")
    league = play_league(game, AGENTS, hands=10, seed=1)
    assert set(league.matches) == {(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)}
    assert sum(league.bankroll(name).mean for name in AGENTS) == 0
    assert len(league.instant_runoff.eliminations) == 1
    together = [
        match.mbb_per_hand(seats.index(0)).mean
        for seats, match in league.matches.items()
        if {0, 1} <= set(seats)
    ]
    assert league.against("random", "always-call").mean == sum(together, Fraction(0)) / 2


def test_the_same_agent_twice_is_told_apart() -> None:
    league = play_league(LEDUC, ["always-fold", "always-raise", "always-fold"], hands=10)
    assert league.names == ("always-fold", "always-raise", "always-fold#2")
    assert league.against("always-fold", "always-fold#2").mean == 0
    first, second = league.bankroll("always-fold"), league.bankroll("always-fold#2")
    assert first == second
    assert ("always-fold", "always-fold#2") in league.total_bankroll.ties


def test_a_league_needs_enough_agents_for_a_table() -> None:
    with pytest.raises(DoyleError, match="at least 2 agents"):
        play_league(LEDUC, ["random"], hands=1)
    pair = play_league(LEDUC, ["always-fold", "always-raise"], hands=5)
    assert pair.instant_runoff.names == ("always-raise", "always-fold")


def test_results_show_their_text_in_notebooks() -> None:
    league = play_league(
        Game.named("kuhn"), ["always-fold", "always-call", "always-raise"], hands=20, seed=3
    )
    page = league._repr_html_()
    assert page.count("<table") == 1
    assert "total bankroll: " in page
    assert "&gt;" in page
    match = next(iter(league.matches.values()))
    assert match.verdict.sentence in match._repr_html_()
