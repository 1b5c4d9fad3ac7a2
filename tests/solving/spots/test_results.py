"""Walking, saving and locking solved spots."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from doyle.base.errors import DoyleError
from doyle.cards import parse_cards
from doyle.solving.spots import Lock, Spot, SpotResult, load_spot, save_spot, solve_spot

TURN = Spot.parse(
    board="Ks7s4s2c", ranges=("QQ+,AKs,A5s", "TT+,AQs,87s:0.5"), pot=200, stacks=800,
    betting="fcpa",
)  # fmt: skip


@pytest.fixture(scope="module")
def solved() -> SpotResult:
    return solve_spot(TURN, target_percent=0.05, precision="double")


def test_values_add_up(solved: SpotResult) -> None:
    root = solved.root
    assert root.frequencies.sum() == pytest.approx(1.0)
    assert float(np.nansum(root.frequencies * root.values)) == pytest.approx(
        solved.expected, abs=1e-6
    )
    weights = root.weights / root.weights.sum()
    assert float(weights @ root.hand_values) == pytest.approx(solved.expected, abs=1e-6)
    document = solved.document()
    assert sum(document["pot_shares"]) == pytest.approx(200)
    assert document["exploitability_percent_of_pot"] <= 0.05


def test_the_second_seat_earns_the_rest(solved: SpotResult) -> None:
    # What seat 1 earns after a check and after each bet adds up to what seat 0 pays.
    root = solved.root
    total = 0.0
    for text, share in zip(root.texts, root.frequencies, strict=True):
        after = solved.at(text)
        weights = after.weights / after.weights.sum()
        total += float(share) * float(np.nansum(weights * after.hand_values))
    assert total == pytest.approx(-solved.expected, abs=1e-6)


def test_folding_loses_what_was_put_in(solved: SpotResult) -> None:
    decision = solved.at("cr300")
    assert decision.texts[0] == "f"
    here = decision.weights > 0
    assert decision.action_values[here, 0] == pytest.approx(-100.0)


def test_boards_that_are_merged_are_shown_with_their_own_suits(solved: SpotResult) -> None:
    assert len(solved.solver.game.boards) < 49
    first = solved.at("cc/", "Ks7s4s2c9h").by_hand()
    second = solved.at("cc/", "Ks7s4s2c9d").by_hand()
    swap = str.maketrans("hd", "dh")
    assert {_sorted(name.translate(swap)) for name in first} == {_sorted(name) for name in second}
    rows = {_sorted(name): row for name, row in second.items()}
    for name, row in first.items():
        twin = rows[_sorted(name.translate(swap))]
        assert twin["frequencies"] == pytest.approx(row["frequencies"], abs=1e-6)
        assert not set(parse_cards(name)) & set(parse_cards("Ks7s4s2c9h"))


def _sorted(name: str) -> tuple[int, ...]:
    return tuple(sorted(parse_cards(name)))


def test_saved_and_loaded(solved: SpotResult, tmp_path: Path) -> None:
    save_spot(solved, tmp_path / "spot")
    loaded = load_spot(tmp_path / "spot")
    assert loaded.document() == solved.document()
    place = ("cr300c/", "Ks7s4s2cAh")
    assert loaded.at(*place).document() == solved.at(*place).document()


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("spot", {"board": "Ks"}, "metadata.spot"),
        ("precision", "single", "does not fit"),
        ("best_responses", ["x", 1], "best_responses"),
        ("best_responses", [10**390, 1], "best_responses"),
        ("iterations", float("inf"), "iterations"),
        ("solver", "magic", "magic"),
    ],
)
def test_damaged_files(
    solved: SpotResult, tmp_path: Path, field: str, value: object, message: str
) -> None:
    folder = save_spot(solved, tmp_path / "spot")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["metadata"][field] = value
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DoyleError, match=message):
        load_spot(tmp_path / "spot")


def test_a_folder_without_a_spot(tmp_path: Path) -> None:
    with pytest.raises(DoyleError, match="no solved spot"):
        load_spot(tmp_path)


def test_a_lock_changes_the_other_seat_and_unlocking_returns(solved: SpotResult) -> None:
    locked = solve_spot(TURN, target_percent=0.05, locks=["cr300=f"], precision="double")
    assert locked.at("cr300").frequencies[0] == pytest.approx(1.0)
    # Betting wins the pot at once, so a check is right for a hand only if it wins more than that.
    answer = locked.at("c")
    bet = answer.texts.index("r300")
    here = answer.weights > 0
    assert answer.action_values[here, bet] == pytest.approx(100.0)
    better = np.nanmax(np.delete(answer.action_values[here], bet, axis=1), axis=1) > 100.5
    assert answer.probabilities[here][~better, bet].mean() > 0.9
    assert locked.value < solved.value
    again = solve_spot(TURN, target_percent=0.05, precision="double")
    assert again.document() | {"seconds": 0} == solved.document() | {"seconds": 0}


def test_locks_by_range_and_from_a_file(solved: SpotResult, tmp_path: Path) -> None:
    some = solve_spot(TURN, target_percent=0.3, locks=["cr300=f@AKs"]).at("cr300").by_class()
    assert some["AKs"]["frequencies"][0] == 1.0
    assert some["KK"]["frequencies"][0] < 0.5
    path = tmp_path / "lock.json"
    path.write_text(json.dumps(solved.at("cr300").document()))
    same = solve_spot(TURN, target_percent=0.05, locks=[Lock.read(path)])
    assert same.value == pytest.approx(solved.value, abs=0.4)
    kept = solved.at("cr300").by_hand()
    for name, row in same.at("cr300").by_hand().items():
        if name in kept:
            assert row["frequencies"] == pytest.approx(kept[name]["frequencies"], abs=1e-4)


def test_a_lock_with_an_infinite_frequency_is_refused(solved: SpotResult, tmp_path: Path) -> None:
    document = solved.at("cr300").document()
    hand = next(iter(document["by_hand"]))
    document["by_hand"][hand]["frequencies"][0] = float("inf")
    path = tmp_path / "lock.json"
    path.write_text(json.dumps(document).replace("Infinity", "1e999"))
    with pytest.raises(DoyleError, match="finite frequencies"):
        Lock.read(path)


@pytest.mark.parametrize("field", ["pot", "stacks"])
def test_infinite_chips_in_a_manifest_are_one_line(
    solved: SpotResult, tmp_path: Path, field: str
) -> None:
    folder = save_spot(solved, tmp_path / "spot")
    manifest = json.loads((folder / "manifest.json").read_text())
    spot = manifest["metadata"]["spot"]
    spot[field] = [float("inf")] * 2 if isinstance(spot[field], list) else float("inf")
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DoyleError, match=r"metadata\.spot"):
        load_spot(tmp_path / "spot")


def test_locked_spots_are_saved_with_their_locks(tmp_path: Path) -> None:
    locked = solve_spot(TURN, target_percent=1.0, locks=["cr300=c:3,r900:1"])
    save_spot(locked, tmp_path / "spot")
    loaded = load_spot(tmp_path / "spot")
    assert loaded.at("cr300").frequencies == pytest.approx([0, 0.75, 0.25])
    assert loaded.locks[0].history == "cr300"


@pytest.mark.parametrize(
    ("lock", "message"),
    [
        ("cr7=f", "no such action; there are c r300 r900 at character 2"),
        ("cr300", "expected = after the history at character 6"),
        ("cr300=x", "expected f, c, r with a total, or a at character 7"),
        ("cr300=f:-1", "expected a weight from 0 on at character 9"),
        ("cr300=f@ZZ", "expected a rank"),
        ("cr300=r301", "no action 'r301'"),
        ("cr300f=c", "the hand is over"),
        ("ccc=c", "expected / before the next round at character 3"),
    ],
)
def test_locks_that_cannot_be(lock: str, message: str) -> None:
    with pytest.raises(DoyleError, match=message):
        solve_spot(TURN, iterations=1, locks=[lock])


def test_two_locks_at_one_place() -> None:
    with pytest.raises(DoyleError, match="same history"):
        solve_spot(TURN, iterations=1, locks=["c=c", "c=r300"])


@pytest.mark.parametrize("precision", ["single", "double"])
def test_a_resumed_solve_ends_with_the_same_tables(tmp_path: Path, precision: str) -> None:
    whole = solve_spot(TURN, iterations=70, precision=precision)
    first = solve_spot(TURN, iterations=30, precision=precision, checkpoint=tmp_path)
    assert first.solver.iteration == 30
    seen: list[int] = []
    resumed = solve_spot(
        TURN, iterations=70, precision=precision, checkpoint=tmp_path, resume=True,
        report=lambda point: seen.append(point.iteration),
    )  # fmt: skip
    assert min(seen) > 30
    assert [point.iteration for point in resumed.history] == [
        point.iteration for point in whole.history
    ]
    for ours, theirs in zip(resumed.solver.averages, whole.solver.averages, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert resumed.run.seconds > first.run.seconds
    for other in (
        lambda: solve_spot(TURN, iterations=70, checkpoint=tmp_path, resume=True,
                           precision=precision, locks=["c=c"]),
        lambda: solve_spot(TURN, iterations=70, checkpoint=tmp_path, resume=True,
                           precision=precision, method="cfr+"),
    ):  # fmt: skip
        with pytest.raises(DoyleError, match="its checkpoint"):
            other()
