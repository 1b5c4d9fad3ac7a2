"""`doyle strategy show` and `doyle exploitability`: as played, by one reading of agent texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle import building
from doyle.agents import named_strategy, resolve_agent
from doyle.apps.cli import main
from doyle.cards import HOLES, hole_index, parse_cards
from doyle.games import Deal, Policy, State
from doyle.measuring import strategies as measured
from doyle.measuring.full_cards.response import FullCardResponse
from doyle.solving.games import holdem
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.solving.profile import exploitability, profile_of
from doyle.strategy import (
    Layout,
    Purified,
    StrategyInfo,
    TableStrategy,
    Thresholded,
    load_strategy,
    save_strategy,
)
from tests.agents.synthetic import ScrambledBuckets, betting_tree, random_strategy, saved_agent
from tests.apps.cli.refusals import refused


class ByHighCard:
    """Buckets that remember: three by the higher hole card, the same in all rounds."""

    spec = "by-high-card"

    def bucket_count(self, round_: int) -> int:
        return 3

    def parents(self, round_: int) -> Any:
        return np.arange(3) if round_ else None

    def buckets(self, board: tuple[int, ...]) -> Any:
        shown = np.isin(HOLES, board).any(axis=1)
        return np.where(shown, -1, np.minimum(HOLES.max(axis=1) // 18, 2)).astype(np.int32)


TREE = betting_tree("fca", "holdem-nl-20bb")


def saved(folder: Path, *, buckets: int, seed: int = 1, **info: Any) -> str:
    """A strategy of random tables for the tree of `TREE`."""
    rng = np.random.default_rng(seed)
    tables = [rng.random((buckets, w)).astype(np.float32) for w in Layout.of(TREE).widths]
    known = StrategyInfo(agent="toy", cards="any", iterations=4, seed=1)
    strategy = TableStrategy(TREE, tables, known).with_info(**info)
    save_strategy(strategy, folder, step=4)
    return str(folder)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(named_strategy, "build_abstraction", lambda spec, **_: ScrambledBuckets())
    return saved_agent(tmp_path / "toy", purification="full")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["strategy", "show", "tartanian5", "--history", "cr300x"], "--history 'cr300x'"),
        (["explain", "tartanian5:translation=det-geo", "--state", "MATCH"], "--state 'MATCH'"),
    ],
)
def test_what_is_asked_of_a_build_is_read_before_it_is_built(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    problem: str,
) -> None:
    def no_build(agent: str, **_: object) -> None:
        raise AssertionError(f"{agent} would be built")

    monkeypatch.setattr(building, "load_or_build_strategy", no_build)
    assert problem in refused(capsys, *arguments, "--build")


def test_a_board_shows_hands_and_any_betting_is_read_as_in_play(
    capsys: pytest.CaptureFixture[str], toy: str, tmp_path: Path
) -> None:
    game = load_strategy(Path(toy) / "strategy").tree.game
    toy += ":purification=none"
    agent = resolve_agent(toy, game)
    assert isinstance(agent, Policy)
    board = parse_cards("Ah7c2d")
    # r731 is no bet of the tree.
    for history, plays in (("cr731c/c", [1, 731, 1, 1]), ("cc/r400", [1, 1, 400])):
        state = State.start(game, Deal(((), ()), board))
        for action in plays:
            state = state.apply(action)
        actions, shares = agent.probabilities(state)
        reach = agent.reach(state, state.actor)
        path = tmp_path / "grid.png"
        shown = answer(
            capsys, "strategy", "show", toy, "--history", history, "--board", "Ah7c2d",
            "--plot", str(path),
        )  # fmt: skip
        assert path.stat().st_size > 1000
        assert (shown["board"], shown["seat"]) == ("Ah7c2d", state.actor)
        assert len(shown["actions"]) == len(actions)
        # Suited hands: the four suits, by how often each gets here, as far as they do.
        seen = 0
        for name in ("KQs", "QJs", "JTs", "T9s", "98s", "65s", "54s", "43s"):
            cards = [parse_cards(f"{name[0]}{suit}{name[1]}{suit}") for suit in "cdhs"]
            rows = [hole_index(*pair) for pair in cards if not set(pair) & set(board)]
            weights = reach[rows]
            if weights.sum() > 0:
                expected = weights @ shares[rows] / weights.sum() * weights.mean()
                np.testing.assert_allclose(
                    shown["by_class"][name]["frequencies"], expected, atol=1e-5
                )
                seen += 1
        assert seen
        here = ~np.isin(HOLES, board).any(axis=1)
        overall = (reach * here) @ shares / (reach * here).sum()
        np.testing.assert_allclose(shown["overall"], overall, atol=1e-5)
    before = answer(capsys, "strategy", "show", toy, "--history", "cr731")
    assert before["board"] == ""
    assert main(["strategy", "show", toy, "--history", "cc/"]) == 0
    assert "give --board CARDS" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--history", "cc/", "--board", "Ah7c"], "expected 3 different cards in round 2"),
        (["--history", "cc/", "--board", "Ah7cAh"], "--board"),
        (["--history", "cc/", "--board", "Ah7x2d"], "--board"),
        (["--history", "cr731c/"], "need a --board"),
        (["--history", "cr731", "--raw"], "--history 'cr731'"),
        (["--history", "cr731c/", "--board", "Ah7c2d"], "seat 0 never reaches this betting"),
        (["--history", "cc/", "--board", "Ah7c2d", "--raw"], "--raw"),
        (["--history", "f"], "the hand is over there"),
    ],
)
def test_boards_that_do_not_fit_are_one_line(
    capsys: pytest.CaptureFixture[str], toy: str, arguments: list[str], problem: str
) -> None:
    assert problem in refused(capsys, "strategy", "show", toy, *arguments)


def test_what_is_played_is_shown_and_the_tables_if_asked(
    capsys: pytest.CaptureFixture[str], toy: str
) -> None:
    tables = load_strategy(Path(toy) / "strategy")
    node = tables.tree.find([[1, 1], [1]])
    buckets = np.arange(5)
    for arguments, strategy, as_played in (
        ([toy], Purified(tables), True),
        ([toy, "--raw"], tables, False),
        ([f"{toy}:threshold=0.3"], Thresholded(tables, 0.3), True),
        ([f"{toy}:purification=none"], tables, True),
    ):
        shown = answer(capsys, "strategy", "show", *arguments, "--history", "cc/c")
        expected = strategy.probabilities(node, buckets)
        np.testing.assert_allclose(shown["buckets"], expected, atol=1e-6)
        assert shown["as_played"] is as_played
    assert main(["strategy", "show", toy, "--history", "cc/c"]) == 0
    assert "as played: purified" in capsys.readouterr().out
    assert main(["strategy", "show", toy, "--raw"]) == 0
    assert "as solved (it is played purified)" in capsys.readouterr().out
    grid = answer(capsys, "strategy", "show", toy)
    assert {share for row in grid["by_class"].values() for share in row["frequencies"]} != {0.0}
    row = tables.probabilities(0, ScrambledBuckets().buckets(()))
    np.testing.assert_allclose(
        grid["overall"],
        Purified(tables).probabilities(0, ScrambledBuckets().buckets(())).mean(axis=0),
        atol=1e-6,
    )
    assert not np.allclose(grid["overall"], row.mean(axis=0), atol=1e-3)


@pytest.mark.parametrize("command", [["strategy", "show"], ["exploitability"]])
@pytest.mark.parametrize(
    ("agent", "problem"),
    [
        ("random", "has no strategy to"),
        ("no-such-agent", "no such agent"),
        ("/no/such/folder", "no such agent"),
        ("default:colour=red", "option 'colour=red'"),
        ("default:translation=x", "translation 'x'"),
        ("default:threshold=2", "threshold '2'"),
    ],
)
def test_bad_agents_are_one_line(
    capsys: pytest.CaptureFixture[str], command: list[str], agent: str, problem: str
) -> None:
    message = refused(capsys, *command, agent)
    assert problem in message
    assert message.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--history", "zz"], "--history 'zz'"),
        (["--history", "r450", "--raw"], "--history 'r450': betting tree fcpa: no action 450"),
        (["--history", "f"], "--history 'f': the hand is over there"),
        (["--plot", "grid.txt"], "grid.txt: the name must end in .png"),
        (["--plot", "/proc/no/grid.png"], "/proc"),
    ],
)
def test_bad_questions_are_refused(
    capsys: pytest.CaptureFixture[str], toy: str, arguments: list[str], problem: str
) -> None:
    assert problem in refused(capsys, "strategy", "show", toy, *arguments)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--sample-flops", "9"], "--sample-flops: requires --cards full in Hold'em"),
        (["--cards", "full", "--sample-flops", "9", "--flops", "3"], "give one of them"),
        (["--cards", "full", "--sample-flops", "5"], "--sample-flops 5: expected 6 to 1755 flops"),
    ],
)
def test_samples_of_flops_that_make_no_sense_are_refused(
    capsys: pytest.CaptureFixture[str], toy: str, arguments: list[str], problem: str
) -> None:
    assert problem in refused(capsys, "exploitability", toy, *arguments)


@pytest.mark.parametrize("command", [["strategy", "show"], ["exploitability"]])
@pytest.mark.parametrize("buckets", [2, 4])
def test_tables_of_another_abstraction_are_refused(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    buckets: int,
) -> None:
    monkeypatch.setattr(named_strategy, "build_abstraction", lambda spec, **_: ByHighCard())
    folder = saved(tmp_path / "x", buckets=buckets)
    message = refused(capsys, *command, folder)
    assert (
        "manifest.json: field 'metadata.cards' is 'any', which has (3, 3, 3, 3) buckets" in message
    )
    assert f"the tables have {(buckets,) * 4}" in message


def test_cards_in_a_game_without_abstractions_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["solve", "kuhn", "--solver", "lp", "--save", str(tmp_path / "x")]) == 0
    capsys.readouterr()
    path = next((tmp_path / "x").glob("*/manifest.json"))
    manifest = json.loads(path.read_text())
    manifest["metadata"]["cards"] = "3.3.3.3"
    path.write_text(json.dumps(manifest))
    message = refused(capsys, "strategy", "show", str(tmp_path / "x"))
    assert f"{path}: field 'metadata.cards' is '3.3.3.3', but kuhn is not Hold'em" in message


def test_the_abstract_game_is_counted_on_demand_and_measured_as_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = np.array([[9, 7, 8], [7, 9, 6], [8, 6, 9]], np.int64)
    counted = []

    class Counted:
        def array(self, name: str) -> Any:
            return counts if name == "pairs" else np.tril(counts)

    def count(abstraction: Any, **_: Any) -> Counted:
        counted.append(abstraction.spec)
        return Counted()

    monkeypatch.setattr(holdem, "count_bucket_pairs", count)
    monkeypatch.setattr(named_strategy, "build_abstraction", lambda spec, **_: ByHighCard())
    folder = saved(tmp_path / "x", buckets=3, purification="full")
    document = answer(capsys, "exploitability", folder)
    assert counted == ["by-high-card"]
    form = SequenceForm(holdem.abstract_holdem(TREE, ByHighCard()))  # type: ignore[arg-type]
    tables = load_strategy(tmp_path / "x")
    expected = exploitability(profile_of(form, Purified(tables)))
    assert document["exploitability"] == expected.document()
    assert document["measured_in"] == "abstract"
    assert document["exploitability_mbb"]["total"] == pytest.approx(1000 * expected.total / 2)
    assert (document["as_played"], document["purification"]) == (True, "full")
    assert document["reason"] is None
    mixed = answer(capsys, "exploitability", f"{folder}:purification=none")
    assert mixed["exploitability"] == exploitability(profile_of(form, tables)).document()
    assert mixed["exploitability"] != document["exploitability"]


def test_buckets_that_forget_have_no_abstract_number(
    capsys: pytest.CaptureFixture[str], toy: str
) -> None:
    document = answer(capsys, "exploitability", toy)
    assert document["exploitability"] is None
    assert "imperfect recall (in round 2)" in document["reason"]
    assert f"`doyle exploitability {toy} --cards full`" in document["reason"]
    assert main(["exploitability", toy]) == 0
    assert f"exploitability not known: {document['reason']}" in capsys.readouterr().out
    assert "expected abstract or full" in refused(capsys, "exploitability", toy, "--cards", "some")


def test_all_cards_are_measured_as_played(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    fresh_cache: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The running sum of one flop is that of the purified strategy, and has its own place."""
    for module in (named_strategy, measured):
        monkeypatch.setattr(module, "build_abstraction", lambda spec, **_: ByHighCard())
    folder = saved(tmp_path / "x", buckets=3, purification="full")
    tables = load_strategy(Path(folder))
    arguments = ["--cards", "full", "--flops", "1", "--workers", "1"]
    for text, strategy, known in (
        (folder, Purified(tables), {"purification": "full", "threshold": None}),
        (f"{folder}:purification=none", tables, {"purification": "none", "threshold": None}),
        (
            f"{folder}:threshold=0.3",
            Thresholded(tables, 0.3),
            {"purification": "threshold", "threshold": 0.3},
        ),
    ):
        before = set((fresh_cache / "measurements").glob("*"))
        document = answer(capsys, "exploitability", text, *arguments)
        assert known.items() <= document.items()
        assert (document["as_played"], document["flops_done"]) == (True, 1)
        (place,) = set((fresh_cache / "measurements").glob("*")) - before
        total = np.fromfile(next(place.glob("*/total.bin")))
        response = FullCardResponse(strategy, ByHighCard())
        flop = response.flops()[0]
        expected = response.total()
        response.add_flop(flop, response.flop_values(flop), expected)
        np.testing.assert_allclose(total, expected.ravel(), atol=1e-9)


def test_a_measurement_belongs_to_the_tables(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    fresh_cache: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Built again with the same iterations and seed, threads may leave other tables."""
    for module in (named_strategy, measured):
        monkeypatch.setattr(module, "build_abstraction", lambda spec, **_: ByHighCard())
    arguments = ["--cards", "full", "--flops", "1", "--workers", "1"]
    first = saved(tmp_path / "x", buckets=3, seed=1)
    assert answer(capsys, "exploitability", first, *arguments)["flops_done"] == 1
    elsewhere = saved(tmp_path / "y", buckets=3, seed=1)
    assert answer(capsys, "exploitability", elsewhere, *arguments)["flops_done"] == 2
    again = saved(tmp_path / "x", buckets=3, seed=2)
    assert again == first
    assert answer(capsys, "exploitability", again, *arguments)["flops_done"] == 1


@pytest.fixture
def limit_toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(named_strategy, "build_abstraction", lambda spec, **_: ScrambledBuckets())
    source = random_strategy(betting_tree("limit", "holdem-limit-2p"), seed=1)
    strategy = source.with_info(agent="toy", cards="7.5.5.5", purification="none")
    save_strategy(strategy, tmp_path / "limit" / "strategy")
    return str(tmp_path / "limit")


def test_a_limit_raise_is_called_a_raise(
    capsys: pytest.CaptureFixture[str], limit_toy: str
) -> None:
    shown = answer(
        capsys, "strategy", "show", limit_toy, "--history", "cc/r", "--board", "Ah7c2d"
    )  # fmt: skip
    assert shown["actions"][:2] == ["fold", "call"]
    assert shown["actions"][2].startswith("raise")
    before = answer(capsys, "strategy", "show", limit_toy, "--history", "c")
    assert before["actions"][-1].startswith("raise")


def test_one_hand_is_one_row(capsys: pytest.CaptureFixture[str], limit_toy: str) -> None:
    where = ["strategy", "show", limit_toy, "--history", "cc/r", "--board", "Ah7c2d"]
    state = State.start("holdem-limit-2p")
    for action in (1, 1, state.apply(1).apply(1).max_raise_to):
        state = state.apply(action)
    dealt = state.with_deal(Deal(((), ()), tuple(parse_cards("Ah7c2d"))))
    player = resolve_agent(limit_toy, dealt.game)
    assert isinstance(player, Policy)
    expected = player.probabilities(dealt)[1][hole_index(*parse_cards("AsAd"))]
    shown = answer(capsys, *where, "--hand", "AsAd")
    np.testing.assert_allclose(shown["frequencies"], expected, atol=1e-6)
    assert main([*where, "--hand", "AsAd"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("AsAd: fold ")
    row = answer(capsys, "strategy", "show", limit_toy, "--hand", "AKs")
    assert sum(row["frequencies"]) == pytest.approx(1, abs=1e-5)
    assert main([*where]) == 0
    assert capsys.readouterr().out.count("AKs") == 1  # one grid
    assert "on the --board" in refused(capsys, *where, "--hand", "AhAd")
    assert "--hand" in refused(capsys, *where, "--hand", "XX")
    assert "--hand" in refused(
        capsys, "strategy", "show", limit_toy, "--history", "cc/", "--hand", "AA"
    )
