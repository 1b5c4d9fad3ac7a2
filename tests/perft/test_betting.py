"""Sizes of betting trees, kept as data beside the figures of the papers.

The published ratios are of "nodes" or "size"; ours are of decisions. A ratio must be the one in the
file to its last digit and within 2% of the published one. Tartanian's footnote ("increases the size
by 15%") tells its readings apart: 15.8% without half-pot bets and with all-ins above the cap is the
only one within a percentage point.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.games import Game, State
from tests.reference.betting_tree import build


def rows(name: str) -> list[dict[str, str]]:
    with (Path(__file__).parent / name).open(newline="") as stream:
        return list(csv.DictReader(stream))


@cache
def decisions(model: str, game: str) -> int:
    return BettingTree.build(BettingModel.parse(model), Game.named(game)).decision_count


@pytest.mark.parametrize(
    "row", rows("betting_decisions.csv"), ids=lambda r: f"{r['model']}-{r['game']}"
)
def test_decisions(row: dict[str, str]) -> None:
    assert decisions(row["model"], row["game"]) == int(row["decisions"])


@pytest.mark.parametrize(
    "row", rows("betting_ratios.csv"), ids=lambda r: f"{r['model']}-{r['base']}"
)
def test_ratios(row: dict[str, str]) -> None:
    ratio = decisions(row["model"], row["game"]) / decisions(row["base"], row["game"])
    digits = len(row["ratio"].partition(".")[2])
    assert round(ratio, digits) == float(row["ratio"])
    if row["published"] and "tartanian" not in row["model"]:
        assert ratio == pytest.approx(float(row["published"]), rel=0.02)


def test_the_footnotes_15_percent_fits_one_reading_of_the_cap() -> None:
    ours = {r["base"]: float(r["ratio"]) for r in rows("betting_ratios.csv") if "@" in r["base"]}
    assert len(ours) == 4
    close = [base for base, ratio in ours.items() if abs(ratio - 1.15) < 0.01]
    assert close == ["tartanian-2007@3+a"]


@pytest.mark.parametrize(
    "row",
    [row for row in rows("betting_decisions.csv") if int(row["decisions"]) <= 20_000],
    ids=lambda row: f"{row['model']}-{row['game']}",
)
def test_decisions_by_plain_enumeration(row: dict[str, str]) -> None:
    """The counts again by recursion over `State`, which shares no code with the tree's kernel."""
    plain = build(BettingModel.parse(row["model"]), State.start(Game.named(row["game"])))
    assert sum(kind == 0 for kind, *_ in plain) == int(row["decisions"])


@pytest.mark.slow
@pytest.mark.parametrize("model", ["fc75,pa", "fc125,pa"])
def test_both_sizes_by_plain_enumeration(model: str) -> None:
    plain = build(BettingModel.parse(model), State.start(Game.named("doyle-500bb")))
    assert sum(kind == 0 for kind, *_ in plain) == decisions(model, "doyle-500bb")


@pytest.mark.slow
def test_three_player_limit() -> None:
    assert decisions("limit", "holdem-limit-3p") == 9_711_806
