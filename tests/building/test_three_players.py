"""Builds of three-player games: by sampling only, in a small game of three seats end to end."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.betting.tree import stored_tree
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.building import agent_folder, build, load_description
from doyle.building.description import BuildDescription, parse_description
from doyle.games import Game
from doyle.matches import play_match
from doyle.measuring.reports.build_section import Hints, build_advice, build_facts
from doyle.measuring.reports.report_card import Budget, report_card
from doyle.strategy import files, load_strategy
from tests.building.rank_cards import use_rank_cards

ONE_BET = """GAMEDEF
limit
numPlayers = 3
numRounds = 4
blind = 5 10 0
raiseSize = 10 10 20 20
firstPlayer = 3 1 1 1
maxRaises = 1 1 0 0
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def description(game: str) -> BuildDescription:
    return BuildDescription.model_validate(
        {
            "name": "test-three-players",
            "game": game,
            "betting": "limit",
            "cards": "ir169.ir50.ir50.50",
            "solver": "external",
            "small": {"cards": "ir169.ir50.ir50.50"},
        }
    )


@pytest.mark.parametrize("solver", ["cfr", "egt", "pcs"])
def test_only_sampling_takes_three_players(solver: str) -> None:
    text = f"""
name = "three"
game = "holdem-limit-3p"
betting = "limit"
cards = "5.5.5.5"
solver = "{solver}"
small = {{ cards = "5.5.5.5" }}
"""
    with pytest.raises(
        DoyleError, match=f"'solver': {solver} is for two players, and holdem-limit-3p"
    ):
        parse_description(text, where="three.toml")
    assert (
        parse_description(text.replace(solver, "pure"), where="three.toml").solver.value == "pure"
    )


def test_the_preset_fits_its_memory() -> None:
    """9,711,806 decisions: what 32 river buckets need while they are solved, and at the end."""
    preset = load_description("limit-3p")
    widths = (219, 10_864, 507_570, 23_418_654)
    actions = sum(w * b for w, b in zip(widths, (169, 200, 100, 32), strict=True))
    tree_bytes = 23_937_308 * (4 * 5 + 3 + 2 + 12) + 23_937_308 * 32
    assert actions * 8 + actions * 4 + tree_bytes < 12 * 2**30
    assert preset.cards.value.endswith(".32")


def test_a_build_of_three_players_plays(
    fresh_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_rank_cards(monkeypatch)
    monkeypatch.setattr("doyle.agents.named_strategy.build_abstraction", _rank_cards)
    game = tmp_path / "one-bet.game"
    game.write_text(ONE_BET)
    built = build(description(str(game)), iterations=1 << 18, workers=Workers(1))
    assert len(built.info.infosets or ()) == 3
    assert built.info.exploitability is None
    assert "3" in (built.info.exploitability_note or "")
    monkeypatch.setattr("doyle.measuring.reports.report_card.OPPONENTS", ("always-raise",))
    card = report_card(
        str(built.folder), built.strategy().tree.game, budget=Budget.of(20), workers=Workers(1)
    )
    assert [row.method for row in card.matches] == ["duplicate"]
    assert (card.lbr, card.abstract, card.betting_tree) == ((), None, None)
    assert "two players" in card.advice.sentence
    assert "traversals for every information set" in build_advice(built.info, Hints())
    assert dict(build_facts(built.info, built.strategy().tree.game, Hints()))["exploitability"]
    result = play_match(str(game), [str(built.folder), "random", "always-call"], hands=30, seed=2)
    assert result.illegal_actions == (0, 0, 0)
    assert result.seatings_per_deal == 6
    shutil.rmtree(agent_folder("test-three-players"), ignore_errors=True)


def _rank_cards(*_: object, **__: object) -> object:
    from tests.building.rank_cards import RankCards

    return RankCards()


def test_large_trees_are_mapped_from_the_store(
    fresh_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, game = BettingModel.parse("limit"), Game.named("holdem-limit-2p")
    spanned, stored = BettingTree.build(model, game), stored_tree(model, game)
    for name in ("kind", "round", "actor", "parent", "action", "children", "spent", "folded"):
        np.testing.assert_array_equal(getattr(spanned, name), getattr(stored, name))
    from tests.experiments.training.experts_of_no_strength import save_random

    folder = Path(save_random(tmp_path / "strategy"))
    plain = load_strategy(folder)
    monkeypatch.setattr(files, "LARGE_TREE", 1000)
    mapped = load_strategy(folder)
    assert not mapped.tree.kind.flags.writeable
    assert plain.tree.kind.flags.writeable
    nodes = plain.tree.decisions[::700]
    for node in nodes.tolist():
        ours = mapped.probabilities(node, np.arange(13))
        np.testing.assert_array_equal(ours, plain.probabilities(node, np.arange(13)))
