"""Hands kept in folders: equal to the log, resumed, refused when damaged, exported."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.cards import format_cards
from doyle.games import Game
from doyle.games.histories import read_hands
from doyle.matches import Chance, play_league, play_match
from doyle.matches.match import Match
from doyle.matches.results.files import recording
from doyle.matches.results.hands import MatchHands, hands_in
from doyle.matches.results.parquet import write_parquet
from doyle.matches.results.rows import HandRows
from doyle.matches.running import played_in_order
from tests.agents.synthetic import synthetic_agent
from tests.matches.remembering_agents import Counting

LEDUC = Game.named("leduc")


def all_rows(hands: MatchHands) -> HandRows:
    return HandRows.joined(list(hands.blocks(7)))


@pytest.mark.parametrize("method", ["plain", "fast"])
@pytest.mark.parametrize("duplicate", [True, False])
def test_rows_are_those_of_the_log(method: Any, duplicate: bool, tmp_path: Path) -> None:
    agents = [synthetic_agent("rand-pshar"), synthetic_agent("det-geo", model="fchpa")]
    log, folder = tmp_path / "log", tmp_path / "hands"
    result = play_match(
        "holdem-nl-200bb", agents, hands=20, seed=3, log=log, results=folder, method=method,
        duplicate=duplicate,
    )  # fmt: skip
    hands = MatchHands.open(folder)
    rows = all_rows(hands)
    logged = list(read_hands(log, hands.game))
    assert len(rows) == len(logged) == len(hands)
    for place, hand in enumerate(logged):
        assert [Fraction(int(won), hands.unit) for won in rows.won[place]] == list(hand.payoffs)
        assert rows.actions[place] == hand.state.action_count
        assert rows.showdown[place] == hand.state.is_showdown
        first = rows.seating[place]
        assert hand.players[0].startswith(("synthetic-rand", "synthetic-det")[first])
        assert hand.state.deal is not None
        dealt = tuple(hands.cards[rows.deal[place]].tolist())
        assert dealt[:4] == hand.state.deal.hole[0] + hand.state.deal.hole[1]
    again = hands.result()
    assert again.document() == result.document()
    assert np.array_equal(again.units, result.units)


def test_three_players_and_agents_that_remember(tmp_path: Path) -> None:
    three = play_match(
        "kuhn-3p", ["random", "always-call", "always-raise"], hands=9, results=tmp_path / "three"
    )
    rows = all_rows(MatchHands.open(tmp_path / "three"))
    assert len(rows) == 54
    assert np.array_equal(rows.won.sum(axis=1), np.zeros(54))
    play_match("kuhn", [Counting(), "random"], hands=8, results=tmp_path / "learner")
    rows = all_rows(MatchHands.open(tmp_path / "learner"))
    assert rows.seating.tolist() == [0] * 8 + [1] * 8
    assert rows.deal.tolist() == [*range(8)] * 2
    assert three.hands == 9


def test_an_interrupted_match_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was saved is not played again, and the whole is the same."""
    folder = tmp_path / "hands"
    match = Match(LEDUC, ("random", "always-raise"), 500, Chance.repeatable(4))
    whole = play_match(LEDUC, match.agents, hands=500, seed=4)

    class Interrupted(Exception):
        pass

    with pytest.raises(Interrupted), recording(folder, match) as recorder:
        assert recorder is not None
        for number, part in enumerate(
            played_in_order([match], None, None, "match", keep_hands=True)
        ):
            recorder.add(part)
            if number == 3:
                raise Interrupted
    assert not folder.exists()
    with pytest.raises(DoyleError, match="not over; run it again to resume"):
        hands_in(folder)
    with recording(folder, match) as resumed:
        assert resumed is not None
        assert resumed.beginning.deals == 256
        raised = resumed.beginning
        for part in played_in_order(
            [match], None, None, "match", keep_hands=True, beginnings=[raised]
        ):
            assert part.batch.first_deal >= 256
            resumed.add(part)
    assert np.array_equal(MatchHands.open(folder).result().units, whole.units)
    # The folder is whole: the same match reads it, another one is refused.
    monkeypatch.setattr("doyle.matches.running.play_batch", None)
    again = play_match(LEDUC, match.agents, hands=500, seed=4, results=folder)
    assert again.document() == whole.document()
    with pytest.raises(DoyleError, match="holds another match"):
        play_match(LEDUC, match.agents, hands=500, seed=5, results=folder)


def test_a_match_is_kept_behind_a_link_to_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    played = play_match(
        LEDUC, ("random", "always-raise"), hands=20, seed=4, results=tmp_path / "link"
    )
    assert played.hands == 20
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "manifest.json").is_file()


def test_a_league_keeps_every_table(tmp_path: Path) -> None:
    agents = ["always-call", "always-raise", "random"]
    league = play_league(LEDUC, agents, hands=12, seed=1, results=tmp_path / "league")
    tables = hands_in(tmp_path / "league")
    assert [hands.names for hands in tables] == [
        ("always-call", "always-raise"),
        ("always-call", "random"),
        ("always-raise", "random"),
    ]
    for hands, match in zip(tables, league.matches.values(), strict=True):
        assert np.array_equal(hands.result().units, match.units)
    count = write_parquet(tables, tmp_path / "league.parquet", cards=True)
    assert count == 3 * 24
    import pyarrow.parquet as parquet

    rows = parquet.read_table(tmp_path / "league.parquet").to_pylist()
    assert len(rows) == count
    for number, row in enumerate(rows):
        hands = tables[number // 24]
        kept = all_rows(hands).selected(np.array([number % 24]))
        dealt = hands.cards[row["deal"]].tolist()
        assert row["table"] == number // 24
        assert row["won0"] * hands.unit == kept.won[0, 0]
        assert {row["player0"], row["player1"]} == set(hands.names)
        assert row["player0"] == hands.names[row["seating"]]
        texts = [format_cards((card,)) for card in dealt]
        assert [row["hole0"], row["hole1"], row["board"]] == texts


def test_a_league_without_one_of_its_tables_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whichever it is: the others are no league."""
    agents = ["always-call", "always-raise", "random"]
    folder = tmp_path / "league"
    for missing in ("table-0000", "table-0002"):
        league = play_league(LEDUC, agents, hands=12, seed=1, results=folder)
        shutil.rmtree(folder / missing)
        for command in (["show", str(folder), "--json"], ["export", str(folder), "x.parquet"]):
            assert main(["results", *command]) == 2
            captured = capsys.readouterr()
            assert captured.out == ""
            assert f"1 of the league's 3 tables are not there: {missing} (" in captured.err
    assert main(["results", "show", str(folder / "table-0001")]) == 0
    again = play_league(LEDUC, agents, hands=12, seed=1, results=folder)
    assert again.document() == league.document()
    assert len(hands_in(folder)) == 3


def test_tables_are_kept_with_those_of_their_league_only(tmp_path: Path) -> None:
    play_league(LEDUC, ["always-call", "random"], hands=5, results=tmp_path)
    with pytest.raises(DoyleError, match="holds a league of other agents"):
        play_league(LEDUC, ["always-call", "always-raise"], hands=5, results=tmp_path)
    (tmp_path / "league.json").write_text("[]")
    with pytest.raises(DoyleError, match="names no tables of a league"):
        hands_in(tmp_path)
    (tmp_path / "league.json").unlink()
    with pytest.raises(DoyleError, match=r"no league\.json; name one table"):
        hands_in(tmp_path)


@pytest.mark.parametrize(
    ("field", "value"),
    [("names", ["one"]), ("deals", 3), ("game_definition", "nonsense"), ("chance", {})],
)
def test_manifests_are_checked(field: str, value: Any, tmp_path: Path) -> None:
    folder = tmp_path / "hands"
    play_match("kuhn", ["always-call", "random"], hands=5, results=folder)
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["metadata"][field] = value
    path.write_text(json.dumps(manifest))
    with pytest.raises(DoyleError, match="manifest"):
        MatchHands.open(folder).result()


def test_damaged_arrays_and_other_folders_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "hands"
    play_match("kuhn", ["always-call", "random"], hands=5, results=folder)
    (folder / "won.bin").write_bytes(b"short")
    with pytest.raises(DoyleError, match=r"won\.bin"):
        MatchHands.open(folder)
    with pytest.raises(DoyleError, match="no such folder"):
        hands_in(tmp_path / "nothing")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(DoyleError, match="holds no hands"):
        hands_in(tmp_path / "other")
    with pytest.raises(DoyleError, match="holds no hands"):
        play_match("kuhn", ["always-call", "random"], hands=5, results=tmp_path / "other")
