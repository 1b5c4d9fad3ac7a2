"""The Hold'em tables of the thesis: who plays whom, all printed cells, resumption."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.cards.registry import bucket_counts
from doyle.base.workers import Workers
from doyle.experiments import laboratory
from doyle.experiments.laboratory import own_description
from doyle.experiments.papers.cell import Word
from doyle.experiments.papers.registry import Options, find
from doyle.experiments.papers.table import printed
from doyle.experiments.papers.thesis.holdem import (
    boundary,
    coaches,
    players,
    preparation,
    size_ratios,
    trade_offs,
)
from doyle.experiments.papers.thesis.holdem.players import PLAYERS, player_description
from doyle.games import Game
from doyle.matches import MatchResult
from doyle.matches.chance import Chance
from doyle.matches.play import chip_unit
from doyle.measuring.exact_hands.run import ExactHandsResult
from tests.agents.synthetic import synthetic_agent

CROSS_TABLES = ("thesis/table3.1", "thesis/table3.2", "thesis/table3.3")
OPPONENT_TABLES = ("thesis/table4.2", "thesis/table4.3", "thesis/table4.5", "thesis/table4.6")


@pytest.fixture
def matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Tables play nothing: pairs are noted, nobody is built, and the first wins its number."""
    monkeypatch.setenv("DOYLE_CACHE", str(tmp_path))
    noted: list[tuple[str, str]] = []

    def chips(game: Game) -> float:
        return len(noted) * game.big_blind / 10.0

    def run(game: Game, agents: tuple[str, str], *, boards: int, **_: Any) -> ExactHandsResult:
        noted.append(agents)
        values = chips(game) + np.array([-1.0, 0.0, 1.0])
        return ExactHandsResult(game, agents, values, 0.0, 0, None)

    def match(game: Game, agents: tuple[str, str], **_: Any) -> MatchResult:
        noted.append(agents)
        won = round(chips(game) * 2 * chip_unit(game)) + np.array([-1, 0, 1])
        units = np.stack([won, -won], axis=1)
        return MatchResult(game, agents, Chance.repeatable(0), True, units, (0, 0), ())

    monkeypatch.setattr(players, "_is_solved", lambda name: True)
    monkeypatch.setattr(players, "built_player", lambda name, options: name)
    monkeypatch.setattr(laboratory, "run_exact_hands", run)
    monkeypatch.setattr(laboratory, "play_match", match)
    monkeypatch.setattr(laboratory, "key_of", lambda game, agents, **more: {"a": agents, **more})
    return noted


def test_players_that_are_missing_are_built_before_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    monkeypatch.setattr(players, "_is_solved", lambda name: name == "fcpta 8s")
    monkeypatch.setattr(players, "_build_small", built.append)
    names = ("fcpta 12s", "fcpta 8s", "fcpta public")
    players.build_players(names, Options(workers=Workers(1)))
    assert built == ["fcpta 12s", "fcpta public"]
    players.build_players(names, Options(workers=Workers(1), scale="published"))
    assert len(built) == 2  # presets are built when they play


def test_players_of_several_tables_are_built_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    monkeypatch.setattr(players, "_is_solved", lambda name: False)
    monkeypatch.setattr(players, "_build_small", built.append)
    preparation.prepare(["thesis/table3.2", "thesis/table5.2"], Options(workers=Workers(1)))
    assert built == ["fchqpwea 200bb", "fcpea 200bb", "fchpea 200bb"]
    built.clear()
    preparation.prepare(preparation.PLAYERS_OF, Options(workers=Workers(1)))
    folders = [player_description(name, scale="small").name for name in built]
    assert len({*folders}) == len(folders)
    assert {*folders} == {player_description(name, scale="small").name for name in PLAYERS}
    preparation.prepare(["ijcai2013/table1"], Options(workers=Workers(1)))
    assert len(built) == len(folders)


@pytest.mark.parametrize("name", sorted(preparation.PLAYERS_OF))
def test_tables_play_those_that_were_prepared(
    name: str, matches: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def built_player(player: str, options: Options) -> str:
        asked.append(player)
        return player

    monkeypatch.setattr(players, "built_player", built_player)
    if name == "thesis/table4.1-holdem":
        assert preparation.PLAYERS_OF[name] == (boundary.EXPLORED,)
        return
    find(name).run(Options())
    assert {*asked} == {*preparation.PLAYERS_OF[name]}


@pytest.mark.parametrize("name", [*CROSS_TABLES, *OPPONENT_TABLES])
def test_every_printed_cell_is_data(name: str) -> None:
    table = printed(name)
    cells = [table.text(row, column) for row in table.row_names for column in table.columns]
    assert all(text is not None and float(text) == int(text) for text in cells)
    if name in CROSS_TABLES:
        square = np.array(cells, float).reshape(len(table.row_names), len(table.columns))
        assert square.shape[0] == square.shape[1]
        # What one wins the other loses.
        assert np.array_equal(square, -square.T)
    else:
        assert (len(table.row_names), len(table.columns)) == (7, 3)


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("scale", ["small", "published"])
def test_players_can_be_built(name: str, scale: str) -> None:
    description = player_description(name, scale=scale)
    if scale == "small":
        description = own_description(description, PLAYERS[name].iterations)
    is_own = scale == "small" or not PLAYERS[name].is_preset
    assert description.name.startswith("experiment-") == is_own
    game = Game.named(description.game.value)
    BettingModel.named(description.betting.value).check(game)
    if scale == "small":
        model = BettingModel.named(description.betting.value)
        most = 500_000 if name in trade_offs.LARGE_TREES else 60_000
        assert BettingTree.build(model, game).decision_count < most


def test_other_abstractions_are_players_by_name() -> None:
    assert player_description("fc75pa 500bb", scale="published").betting.value == "fc75pa"
    assert player_description("fc125pa 100bb", scale="small").game.value == "holdem-nl-100bb"
    both = [player_description(name, scale="small") for name in ("fcpa 8.8.8.8", "fcpa 500bb")]
    assert both[0] == both[1]  # shared at small scale


def test_table_4_2_plays_the_printed_pairs(matches: list[tuple[str, str]]) -> None:
    result = find("thesis/table4.2").run(Options())
    assert len(result.cells) == 24
    assert sum(cell.published is not None for cell in result.cells) == 21
    assert all((cell.word is not None) == (cell.published is not None) for cell in result.cells)
    assert all(cell.rebuilt and cell.word is not Word.REPRODUCED for cell in result.cells)
    assert len(matches) == 24
    soft = "fcpa 500bb:translation=polaris-soft+aa+cisc+ec"
    assert ("size-tell:" + soft, soft) in matches
    assert ("fc75pa 500bb:translation=polaris-hard+aa+cisc+ec", soft) in matches
    nd = "fcpa 500bb:translation=polaris-nd+aa+cisc+ec"
    assert ("naivePA:" + nd, nd) in matches


def test_an_interrupted_table_resumes(
    matches: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = vars(laboratory)["run_exact_hands"]

    def interrupted(*arguments: Any, **options: Any) -> Any:
        if len(matches) == 8:  # naivePA of the second column
            raise KeyboardInterrupt
        return run(*arguments, **options)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(laboratory, "run_exact_hands", interrupted)
        find("thesis/table4.6").run(Options())
    whole = find("thesis/table4.6").run(Options())
    assert len(matches) == 24
    assert find("thesis/table4.6").run(Options()).document() == whole.document()
    assert len(matches) == 24
    find("thesis/table4.6").run(Options(seed=1))
    assert len(matches) == 48


def test_size_ratios() -> None:
    result = find("thesis/section3.2").run(Options())
    trees = [cell for cell in result.cells if cell.row not in size_ratios.ABSTRACTIONS]
    assert len(trees) == 6
    for cell in trees:
        assert float(cell.ours) == pytest.approx(float(cell.published or 0), rel=0.02)
    found = {cell.row: float(cell.ours) for cell in result.cells}
    assert found["12s and 8s of table 3.1"] == pytest.approx(4.97, abs=0.01)
    assert all(cell.reason for cell in result.cells if cell.row in size_ratios.REASONS)


def test_pokeminn_meets_both_roundings(matches: list[tuple[str, str]]) -> None:
    result = find("tartanian/section7").run(Options())
    assert matches == [
        (row, f"tartanian:translation={rounding}")
        for row in ("pokeminn", "pokeminn-144")
        for rounding in ("absolute", "relative")
    ]
    assert [cell.published for cell in result.cells] == ["42.055", None, "42.055", None]
    assert result.cells[0].ours == pytest.approx(0.1)  # big blinds


def test_answers_of_a_holdem_agent_to_an_opening_bet() -> None:
    agent = synthetic_agent("polaris-hard+aa+cisc+ec", game="doyle-500bb")
    tree = agent.strategy.tree
    buckets = agent.bucketing.buckets(())
    for bet in (6, 1000):
        answers = boundary.answers_to(agent, bet)
        by_hand = [
            agent.strategy.probabilities(tree.child(0, bet), np.array([b]))[0] for b in buckets
        ]
        mean = np.mean(by_hand, axis=0)
        assert answers == pytest.approx((mean[0], mean[1], mean[2:].sum()))
        assert sum(answers) == pytest.approx(1)


def test_tables_3_4_and_3_5(matches: list[tuple[str, str]]) -> None:
    result = find("thesis/table3.4-holdem").run(Options())
    assert sum(cell.published is not None for cell in result.cells) == 24
    unfixed, fixed = (
        f"fcpa 8.8.8.8:translation=polaris-hard{ending}+reread" for ending in ("", "+aa+cisc+ec")
    )
    assert ("AllDown:" + unfixed, unfixed) in matches
    assert ("size-tell:" + fixed, fixed) in matches
    assert "270" in result.notes[-1]  # BluffBot's row stands as printed
    cells = find("thesis/table3.5-holdem").run(Options()).cells
    assert [(cell.row, cell.column) for cell in cells] == [
        ("fcpta vs +-", "Real"), ("fcpta vs +-", "Abstract"),
        ("fcpa vs +-", "Real"), ("fcpa vs +-", "Abstract"),
    ]  # fmt: skip
    ten = find("thesis/section3.3.3").run(Options())
    assert [cell.published for cell in ten.cells] == ["12252", "451", "1623", "324", None, None]


@pytest.mark.parametrize("name", CROSS_TABLES)
def test_cross_tables_play_every_pair_once(matches: list[tuple[str, str]], name: str) -> None:
    result = find(name).run(Options())
    names = trade_offs.TABLES[name].players
    texts = [f"{player}:translation={trade_offs.TRANSLATION}" for player in names]
    assert matches == list(combinations(texts, 2))
    count = len(names)
    ours = np.array([float(cell.ours) for cell in result.cells]).reshape(count, count)
    assert np.array_equal(ours, -ours.T)
    assert ours[0, 1] == pytest.approx(100.0)
    assert [cell.published for cell in result.cells[:2]] == ["0", printed(name).rows[0][1][1]]
    # Of a square only one half counts.
    assert sum(cell.word is not None for cell in result.cells) == count * (count - 1) // 2
    assert [cell.uncounted for cell in result.cells].count("itself") == count
    assert any(cell.tuned for cell in result.cells)


def test_small_agents_of_a_trade_off_keep_its_proportions() -> None:
    def sizes(table: str, *, scale: str) -> list[int]:
        found = []
        for name in trade_offs.TABLES[table].players:
            one = player_description(name, scale=scale)
            model = BettingModel.named(one.betting.value)
            tree = BettingTree.build(model, Game.named(one.game.value))
            decisions = np.bincount(np.asarray(tree.round)[tree.decisions], minlength=4)
            buckets = bucket_counts(one.cards.value)
            assert buckets is not None
            found.append(int(decisions @ np.array(buckets)))
        return found

    for table in ("thesis/table3.1", "thesis/table3.3"):
        small, published = (sizes(table, scale=scale) for scale in ("small", "published"))
        assert np.array(small) / small[0] == pytest.approx(
            np.array(published) / published[0], rel=0.15
        )
    for scale in ("small", "published"):  # three agents of one size
        assert max(sizes("thesis/table3.2", scale=scale)) < 1.6 * min(
            sizes("thesis/table3.2", scale=scale)
        )


def test_table_5_2_plays_coaches(matches: list[tuple[str, str]]) -> None:
    result = find("thesis/table5.2").run(Options())
    one, two = (
        f"{name}:translation={trade_offs.TRANSLATION}" for name in coaches.STRATEGIES.values()
    )
    both = f"{one}:then:{two}"
    assert matches == [
        (f"full-coach:{both}", one), (f"full-coach:{both}", two),
        (f"defensive-coach:{both}", one), (f"defensive-coach:{both}", two),
        (f"full-coach-calls:{both}", one), (f"full-coach-calls:{both}", two),
        (f"full-coach-stays:{both}", one), (f"full-coach-stays:{both}", two),
        (f"defensive-coach-returns:{both}", two), (f"defensive-coach-untrained:{both}", two),
        (one, two), (two, one),
    ]  # fmt: skip
    assert [cell.published for cell in result.cells] == [
        "-348", "-32", "0", "-125", *[None] * 6, "0", "-36", "36", "0",
    ]  # fmt: skip
    counted = [cell for cell in result.cells if cell.word is not None]
    assert [cell.published for cell in counted] == ["-348", "-32", "-125"]
    assert [bool(cell.tuned) for cell in counted] == [True, False, True]
