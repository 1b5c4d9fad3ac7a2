"""The museum: leagues, a run that its time ends, the page and the command."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from doyle.apps.cli.app import main
from doyle.base.errors import DoyleError, FieldError
from doyle.experiments import laboratory
from doyle.experiments.museum import LEAGUES, LeaguePlan, plans, run_museum
from doyle.experiments.museum.page import colour, league_parts, write_museum_page
from doyle.games import Game
from doyle.matches.league import LeagueResult

KUHN = Game.named("kuhn")
AGENTS = ("always-call", "always-raise", "always-fold")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOYLE_CACHE", str(tmp_path / "cache"))


def test_every_preset_of_a_league_has_the_leagues_game() -> None:
    from doyle.building import named_build

    for plan in plans("small") + plans("full"):
        assert len(plan.agents) == len(LEAGUES[plan.game])
        for agent in plan.agents:
            description = named_build(agent)
            if description is not None:
                assert Game.named(description.game.value).name == plan.game


def test_unknown_scales_and_leagues_are_refused() -> None:
    with pytest.raises(FieldError, match="expected small or full"):
        plans("huge")
    with pytest.raises(FieldError, match="expected doyle-500bb or"):
        plans("small", games=("kuhn",))


def _never(*arguments: object, **options: object) -> None:
    raise AssertionError("played")


def test_a_league_has_a_cross_table_both_rules_and_lbr() -> None:
    result = run_museum([LeaguePlan("kuhn", AGENTS)], hands=40, lbr_hands=4, seed=1)
    assert result.is_whole
    document = result.document()["leagues"][0]
    assert document["matches_played"] == document["match_count"] == 3
    assert document["league"]["total_bankroll"][-1] == "always-fold"
    lbr = {row["agent"]: row for row in document["lbr"]}
    assert set(lbr) == set(AGENTS)
    # A best response to one who always folds takes the ante every hand.
    assert lbr["always-fold"]["mbb_per_hand"] == pytest.approx(1000.0)
    table = document["league"]["cross_table"]
    for row in AGENTS:
        for column in AGENTS:
            if row != column:
                won = table[row][column]["mbb_per_hand"]
                assert won == pytest.approx(-table[column][row]["mbb_per_hand"])


def test_a_run_that_its_time_ends_resumes(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = [LeaguePlan("kuhn", AGENTS)]
    asked = iter([False] * len(AGENTS) + [False, False, True, True])
    part = run_museum(plan, hands=40, lbr_hands=4, seed=1, is_over=lambda: next(asked))
    assert not part.is_whole
    assert part.leagues[0].played == 2
    assert part.leagues[0].result is None
    played = []
    original = laboratory.play_match

    def counted(*arguments: object, **options: object) -> object:
        played.append(arguments)
        return original(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(laboratory, "play_match", counted)
    whole = run_museum(plan, hands=40, lbr_hands=4, seed=1)
    assert whole.is_whole
    assert len(played) == 1


def test_nothing_is_built_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    import doyle.experiments.museum.leagues

    monkeypatch.setattr(doyle.experiments.museum.leagues, "built_agent", _never)
    plan = LeaguePlan("holdem-nl-200bb", ("tartanian-small@holdem-nl-200bb", "default-small"))
    found = run_museum([plan], hands=40, lbr_hands=4, is_over=lambda: True).leagues[0]
    assert (found.names, found.played) == (("tartanian-small", "default-small"), 0)
    assert not found.is_whole


def test_a_league_needs_different_agents() -> None:
    with pytest.raises(DoyleError, match="each of them once"):
        run_museum([LeaguePlan("kuhn", ("random", "random"))], hands=4, lbr_hands=2)


def test_the_page_has_every_cell(tmp_path: Path) -> None:
    result = run_museum([LeaguePlan("kuhn", AGENTS)], hands=40, lbr_hands=4, seed=1)
    path = tmp_path / "museum.html"
    write_museum_page(path, result)
    text = path.read_text(encoding="utf-8")
    assert text.count("background:rgb") == 3 * 3  # six cells and three averages
    assert "Instant run-off" in text
    assert "play the same strategy" not in text
    assert "Local best response" in text
    assert colour(-50.0) != colour(50.0)


def test_the_page_says_who_plays_alike() -> None:
    """Only builds with the same cards: two scripts may check every hand down and win nothing either."""
    found = run_museum([LeaguePlan("kuhn", AGENTS[:2])], hands=10, lbr_hands=4).leagues[0]
    assert found.result is not None
    match = replace(found.result.matches[0, 1], units=np.zeros((10, 2), np.int64))
    for names, alike in ((("tartanian-small", "hyperborean07-small"), True), (AGENTS[:2], False)):
        league = replace(found, names=names, lbr={}, result=LeagueResult(names, {(0, 1): match}))
        assert (
            "and hyperborean07-small play the same strategy" in "".join(league_parts(league))
        ) == alike


def test_the_command_refuses_wrong_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["museum", "--scale", "huge"]) == 2
    assert "expected small or full" in capsys.readouterr().err
    assert main(["museum", "--scale", "full"]) == 2
    error = capsys.readouterr().err
    assert "--build" in error
    assert error.count("\n") == 1
    assert main(["museum", "--league", "kuhn"]) == 2
    assert "expected doyle-500bb" in capsys.readouterr().err


def test_the_command_plays_and_prints_one_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import doyle.experiments.museum

    monkeypatch.setattr(
        doyle.experiments.museum, "plans", lambda *_, **__: (LeaguePlan("kuhn", AGENTS),)
    )
    page = tmp_path / "page.html"
    command = [
        "museum",
        "--hands",
        "20",
        "--lbr-hands",
        "4",
        "--workers",
        "1",
        "--output",
        str(page),
    ]
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["is_whole"]
    assert page.is_file()
    assert main(command) == 0
    assert "instant run-off" in capsys.readouterr().out
    assert main([*command, "--minutes", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["leagues"][0]["matches_played"] == 0
