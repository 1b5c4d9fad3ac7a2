"""The report card: its numbers are those of the instruments, and its page needs nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from doyle.agents import named_strategy
from doyle.agents.resolve import resolve_agent
from doyle.apps.cli import main
from doyle.base.statistics import Estimate
from doyle.games import Game
from doyle.matches import play_match
from doyle.measuring.exact_hands.run import run_exact_hands
from doyle.measuring.local_best_response.run import run_lbr
from doyle.measuring.reports import report_card as cards
from doyle.measuring.reports.advice import Advice
from doyle.measuring.reports.report_card import (
    Budget,
    OpponentRow,
    late_rows,
    opponents_of,
    report_card,
)
from doyle.measuring.reports.report_card_page import Bar, bars_svg, write_report_card
from tests.agents.synthetic import ScrambledBuckets, saved_agent

KUHN, HOLDEM = Game.named("kuhn"), Game.named("holdem-nl-200bb")
KEYS = {
    "abstract_exploitability_mbb",
    "betting_tree_exploitability_mbb",
    "lbr",
    "late_responses",
    "matches",
}
KEYS |= {"agent", "game", "seed", "advice"}


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(named_strategy, "build_abstraction", lambda spec, **_: ScrambledBuckets())
    return saved_agent(tmp_path / "toy")


def even() -> np.ndarray:
    """In place of the table of all pairs of holes, which takes seconds to count."""
    return np.full((1326, 1326), 1_712_304, np.int32)


def test_a_small_game_is_counted_whole() -> None:
    card = report_card("always-call", KUHN)
    (row,) = card.lbr
    assert (row.won.mean, row.won.ci95) == (
        run_lbr(KUHN, "always-call", actions="all").mbb_per_hand,
        0.0,
    )
    assert len(card.matches) >= 5
    for match in card.matches:
        exact = run_exact_hands(KUHN, ["always-call", match.opponent])
        assert match.document() == {
            "opponent": match.opponent,
            "mbb_per_hand": exact.mbb_per_hand,
            "ci95": 0.0,
            "method": "exact-hands",
        }


def test_an_equilibrium_is_said_to_be_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = str(tmp_path / "kuhn")
    assert main(["solve", "kuhn", "--solver", "lp", "--save", folder]) == 0
    capsys.readouterr()
    assert main(["exploitability", folder, "--json"]) == 0
    known = json.loads(capsys.readouterr().out)["exploitability_mbb"]["total"]
    card = report_card(folder, KUHN)
    assert card.abstract == card.betting_tree == pytest.approx(known, abs=1e-9)
    assert "next to nothing left to gain" in card.advice.sentence
    assert all(row.won.mean >= -1e-9 for row in card.matches)


def test_holdem_by_the_method_that_is_feasible(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "OPPONENTS", ("always-call", "random"))
    monkeypatch.setattr(cards, "PRESETS", ())
    monkeypatch.setattr(cards, "_responders", lambda game: (("fc", "late"),))
    monkeypatch.setattr("doyle.measuring.hand_equity.preflop_points", even)
    monkeypatch.setattr(
        "doyle.measuring.local_best_response.run.make_preflop_points", lambda *_, **__: even()
    )
    card = report_card(toy, HOLDEM, budget=Budget(hands=6, deals=8, boards=3, seed=4))
    assert (card.abstract, card.betting_tree) == (None, None)
    caller, dice = card.matches
    exact = run_exact_hands(HOLDEM, [toy, "always-call"], boards=3, seed=4)
    assert caller.document() == {
        "opponent": "always-call",
        "mbb_per_hand": exact.mbb_per_hand,
        "ci95": exact.ci95,
        "method": "exact-hands",
    }
    played = play_match(HOLDEM, [toy, "random"], hands=8, seed=4).mbb_per_hand(0)
    assert dice.won.mean == float(played.mean)
    assert dice.method == "duplicate"
    assert card.lbr[0].document().keys() == {"actions", "rounds", "mbb_per_hand", "ci95"}
    assert len(cards.preflop_grids(toy)) == 2


def test_policies_with_too_many_joint_histories_play_matches() -> None:
    players = {name: resolve_agent(name, HOLDEM) for name in ("always-raise", "always-call")}
    dice = resolve_agent("random", HOLDEM)
    assert cards._few_histories(players["always-raise"], players["always-call"], HOLDEM)
    assert not cards._few_histories(players["always-raise"], dice, HOLDEM)
    assert cards._few_histories(players["always-raise"], dice, KUHN)


def test_opponents_are_five_at_least_and_never_the_agent_itself() -> None:
    for agent in ("ev", "default"):
        names = opponents_of(agent, HOLDEM)
        assert len(names) >= 5
        assert agent not in names


def test_the_page_needs_nothing_else_and_is_the_same_again(tmp_path: Path) -> None:
    card = report_card("always-call", KUHN)
    first, second = tmp_path / "a.html", tmp_path / "b.html"
    write_report_card(first, card)
    write_report_card(second, report_card("always-call", KUHN))
    text = first.read_text()
    assert text == second.read_text()
    assert text.count("<svg") == 2
    assert card.advice.sentence in text
    assert not re.search(r"(src|href)=|url\(|@import|<script", text)
    for row in card.matches:
        assert row.opponent in text


def test_who_folds_everything_is_not_the_hardest(tmp_path: Path) -> None:
    card = replace(
        report_card("always-call", KUHN),
        matches=(
            OpponentRow("always-fold", Estimate(450.0, 3.0), "duplicate"),
            OpponentRow("ev", Estimate(2000.0, 90.0), "duplicate"),
        ),
    )
    write_report_card(tmp_path / "card.html", card)
    text = (tmp_path / "card.html").read_text()
    assert "against the hardest, ev" in text
    folding = Advice.of(KUHN, exact=None, lbr={("all", "all"): Estimate.exact(1000.0)}, matches={})
    assert "as much as from a player who always folds (1,000)" in folding.sentence


def test_names_are_escaped(tmp_path: Path) -> None:
    assert "<b>" not in bars_svg([Bar("<b>", Estimate(1.0, None), "red")], "<b>")


@pytest.mark.parametrize(
    ("exact", "lbr", "matches", "words"),
    [
        (None, {("fcpa", "late"): (900.0, 90.0), ("fcpa", "all"): (1000.0, 90.0)}, {}, "turn and river"),
        (None, {("fcpa", "late"): (-90.0, 90.0), ("fcpa", "all"): (1000.0, 90.0)}, {}, "before the turn"),
        (None, {("fcpa", "all"): (500.0, 90.0), ("56", "all"): (1900.0, 200.0)}, {},
         "wins at least 1,900 ± 200 mbb/h, about as much as from pot-and-all-in-small (2,015); sizes beside"),
        (None, {("56", "all"): (9000.0, 90.0)}, {}, "less than from tartanian-small"),
        (None, {("fcpa", "all"): (90.0, 900.0)}, {}, "proves little"),
        (None, {}, {"ev": (-10.0, 1.0), "random": (5.0, 9.0)}, "beats 0 of 2 opponents beyond doubt, loses to ev"),
        (None, {}, {}, "does not give its probabilities"),
        (0.5, {}, {"ev": (10.0, 1.0)}, "beats 1 of 1 opponents beyond doubt, and an opponent who knows it and keeps to its bet sizes wins 0.5"),
    ],
)  # fmt: skip
def test_advice_follows_the_numbers(
    exact: float | None,
    lbr: dict[tuple[str, str], tuple[float, float]],
    matches: dict[str, tuple[float, float]],
    words: str,
) -> None:
    advice = Advice.of(
        HOLDEM,
        exact=exact,
        lbr={responder: Estimate(*won) for responder, won in lbr.items()},
        matches={name: Estimate(*won) for name, won in matches.items()},
    )
    assert words in advice.sentence


def test_the_command_prints_one_document_or_writes_a_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["report", "always-call", "--game", "kuhn"]
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document.keys() == KEYS
    assert list(tmp_path.glob("*.html")) == []
    assert main(arguments) == 0
    assert "against ev" in capsys.readouterr().out
    assert (tmp_path / "always-call-report.html").exists()
    assert main([*arguments, "--json", "--output", "card.html"]) == 0
    assert json.loads(capsys.readouterr().out) == document
    assert (tmp_path / "card.html").exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["always-call", "--output", "card.txt"], "card.txt"),
        (["always-cal"], "did you mean 'always-call'"),
        (["always-call", "--game", "no-such-game"], "no-such-game"),
    ],
)
def test_bad_questions_are_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    assert main(["report", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert problem in captured.err
    assert captured.err.count("\n") == 1


def test_late_responses_are_of_strategies_and_of_them_with_search() -> None:
    game = Game.named("holdem-nl-200bb")
    rows = late_rows("starter", resolve_agent("starter", game), game, Budget(hands=16))
    assert [(row.agent, row.actions, row.searches) for row in rows] == [
        ("starter", "fcpa", False),
        ("starter", "18", False),
        ("search:starter", "fcpa", True),
    ]
    assert rows[2].won.mean < rows[0].won.mean
    assert late_rows("always-call", resolve_agent("always-call", game), game, Budget()) == ()
    limit = Game.named("holdem-limit-2p")
    assert late_rows("starter", resolve_agent("starter", limit), limit, Budget()) == ()


def test_the_headline_is_the_largest_bound() -> None:
    lbr = {("fcpa", "late"): Estimate(100.0, 20.0), ("56", "all"): Estimate(300.0, 50.0)}
    late = [Estimate(900.0, 80.0), Estimate(2e3, 3e3)]
    advice = Advice.of(HOLDEM, exact=None, lbr=lbr, matches={}, late=late)
    assert "at least 900 ± 80 mbb/h" in advice.sentence
    without = Advice.of(HOLDEM, exact=None, lbr=lbr, matches={})
    assert "at least 300 ± 50 mbb/h" in without.sentence
