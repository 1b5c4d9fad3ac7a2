"""Results: queries against sums made by hand, curves against their definitions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from doyle.apps.web.results import curves, queries
from doyle.apps.web.store import Database
from doyle.apps.web.store.models import AgentVersion, Hand, HandSeat, Player, TableRow
from doyle.games import Game

NOLIMIT, LIMIT = Game.named("holdem-nl-200bb"), Game.named("holdem-limit-2p")


@pytest.fixture
def database() -> Database:
    found = Database("sqlite://")
    rng = np.random.default_rng(5)
    with found.session() as session:
        for number in (1, 2):
            name = f"<i>p{number}</i>"
            session.add(Player(id=f"p{number}", name=name, token_digest=f"digest{number}"))
            session.add(
                AgentVersion(
                    agent="starter", name="starter", game=NOLIMIT.name, digest=f"{number}" * 16
                )
            )
            session.add(
                TableRow(
                    id=f"t{number}",
                    player_id=f"p{number}",
                    game=NOLIMIT.name,
                    seat=0,
                    agents=["starter"],
                    pace=0,
                )
            )
        session.flush()
        start = datetime(2026, 1, 1, tzinfo=UTC)
        for number in range(120):
            owner = 1 + number % 2
            over = number < 110
            hand = Hand(
                table_id=f"t{owner}",
                number=number,
                game=NOLIMIT.name,
                commitment="",
                salt=b"",
                deck="",
                ended_at=start + timedelta(seconds=200 - number) if over else None,
            )
            session.add(hand)
            session.flush()
            won = float(rng.integers(-500, 500)) if over else None
            session.add(
                HandSeat(
                    hand_id=hand.id,
                    position=0,
                    seat=0,
                    player_id=f"p{owner}",
                    won=won,
                    baseline=won and won / 2,
                )
            )
            version = 1 if number < 60 else 2
            lost = None if won is None else -won
            session.add(
                HandSeat(hand_id=hand.id, position=1, seat=1, agent_version_id=version, won=lost)
            )
    return found


def test_queries_equal_sums_by_hand(database: Database) -> None:
    with database.session() as session:
        everything = queries.results(session, NOLIMIT.name)
        mine = queries.results(session, NOLIMIT.name, player_id="p1")
        second = queries.results(session, NOLIMIT.name, agent_version=2)
        players = {one.key: one for one in queries.players(session, NOLIMIT.name)}
        agents = {one.key: one for one in queries.agents(session, NOLIMIT.name)}
        assert queries.games_played(session) == {NOLIMIT.name: 110}
        assert queries.results(session, LIMIT.name) == []
    assert (len(everything), len(mine), len(second)) == (110, 55, 50)
    # The hands ended in the opposite order of their numbers.
    rng = np.random.default_rng(5)
    dealt = [float(rng.integers(-500, 500)) for _ in range(110)]
    assert [one.won for one in everything] == dealt[::-1]
    assert players["p1"].hands == 55
    assert players["p1"].total == pytest.approx(sum(dealt[0::2]))
    assert players["p1"].squares == pytest.approx(sum(won**2 for won in dealt[0::2]))
    assert players["p2"].baseline == pytest.approx(sum(dealt[1::2]) / 2)
    assert agents["1"].total == pytest.approx(-sum(dealt[:60]))
    assert agents["2"].name.endswith(" · 22222222")


def test_a_curve_ends_at_the_mean_and_its_interval() -> None:
    won = np.random.default_rng(2).normal(30, 400, 5000)
    curve = curves.Curve.of(won, NOLIMIT)
    assert len(curve.hands) <= curves.MOST_POINTS
    assert curve.hands[-1] == 5000
    assert curve.total[-1] == pytest.approx(won.sum() / 100)
    assert curve.mean[-1] == pytest.approx(won.mean() / 100)
    assert curve.width[-1] == pytest.approx(1.96 * won.std(ddof=1) / np.sqrt(5000) / 100, rel=1e-3)
    middle = int(curve.hands[200])
    assert curve.mean[200] == pytest.approx(won[:middle].mean() / 100)


def test_intervals_of_few_hands_are_students() -> None:
    won = np.array([100.0, -300.0, 500.0, 0.0, 250.0])
    curve = curves.Curve.of(won, NOLIMIT)
    assert np.isnan(curve.width[0])
    for hands, quantile in ((2, 12.7062), (3, 4.3027), (5, 2.7764)):  # of Student's distribution
        half = quantile * won[:hands].std(ddof=1) / np.sqrt(hands) / 100
        assert curve.width[hands - 1] == pytest.approx(half, rel=2e-3)
    standing = queries.Standing("a", "few", 5, float(won.sum()), float((won**2).sum()), None)
    assert curves.per_hand(standing, NOLIMIT).ci95 == pytest.approx(curve.width[-1])


@pytest.mark.parametrize("count", [0, 1, 2])
def test_curves_of_few_hands(count: int) -> None:
    curve = curves.Curve.of(np.arange(float(count)), LIMIT)
    assert len(curve.hands) == count
    for options in (
        curves.total_options(curve, LIMIT),
        curves.mean_options(curve, LIMIT, reference=True),
    ):
        assert options["series"]


def test_reference_lines_are_the_published_end_points() -> None:
    curve = curves.Curve.of(np.ones(100), LIMIT)
    shown = curves.mean_options(curve, LIMIT, reference=True)["series"][2]["markLine"]
    assert shown["data"] == [{"yAxis": 0.30734}]
    assert "30,003 hands" in shown["label"]["formatter"]
    nolimit = curves.mean_options(curve, NOLIMIT, reference=True)["series"][2]["markLine"]
    assert nolimit["data"] == [{"yAxis": 0.9023}]
    assert "8,356 hands" in nolimit["label"]["formatter"]
    assert (curves.unit_of(LIMIT), curves.unit_of(NOLIMIT)) == ("sb", "bb")


def test_places_need_hands() -> None:
    few = queries.Standing("a", "few", 5, 5000.0, 1e7, None)
    many = queries.Standing("b", "many", 100, 100.0, 1e6, None)
    best = queries.Standing("c", "best", 50, 5000.0, 1e7, None)
    assert [one.name for one in curves.ranked([few, many, best])] == ["best", "many", "few"]
    found = curves.per_hand(best, NOLIMIT)
    assert found.mean == pytest.approx(1.0)
    spread = (1e7 - 50 * 100.0**2) / 49
    assert found.ci95 == pytest.approx(2.0096 * np.sqrt(spread / 50) / 100, rel=1e-3)


def test_measures() -> None:
    found = [queries.HandResult(10.0, 4.0, None), queries.HandResult(-5.0, None, 1.0)]
    assert curves.chosen_values(found, "won").tolist() == [10.0, -5.0]
    assert curves.chosen_values(found, "baseline").tolist() == [6.0]
    assert curves.chosen_values(found, "corrected").tolist() == [1.0]
