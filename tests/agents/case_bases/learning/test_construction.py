"""Whole builds: the same base however logs are cut, resumed and shared; nothing half-written."""

from __future__ import annotations

import lzma
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from doyle.agents.case_bases import CaseBase, build_case_base, build_to_folder
from doyle.agents.case_bases.domains import default_game, domain_named
from doyle.agents.case_bases.imitation import held_out_agreement
from doyle.agents.case_bases.learning import construction
from doyle.agents.case_bases.learning.construction import standings, winners
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.games import Game
from doyle.games.histories import read_hands, write_phh
from tests.agents.case_bases.random_logs import write_random_log
from tests.agents.case_bases.synthetic import CATEGORIES
from tests.agents.case_bases.test_case_base import same

LIMIT = Game.named("holdem-limit-2p")


def built(paths: list[Path], domain: str = "limit", **options: Any) -> CaseBase:
    game = default_game(domain_named(domain))
    return build_case_base(paths, CATEGORIES[domain], game=game, **options)


@pytest.mark.parametrize("domain", list(CATEGORIES))
def test_blocks_and_workers_change_nothing(
    domain: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = default_game(domain_named(domain))
    log = write_random_log(tmp_path / "a.log", game, 150, 1)
    whole = built([log], domain)
    monkeypatch.setattr(construction, "BLOCK_BYTES", 700)
    assert same(whole, built([log], domain, workers=Workers(3)))
    assert whole.training["hands"] == 150
    assert whole.training["players"] == sorted(("Ann", "Bob", "Cy")[: game.players])


def test_packed_logs_and_phh(tmp_path: Path) -> None:
    log = write_random_log(tmp_path / "a.log", LIMIT, 60, 2)
    packed = tmp_path / "a.log.xz"
    packed.write_bytes(lzma.compress(log.read_bytes()))
    assert same(built([log]), built([packed]))
    write_phh(tmp_path / "a.phhs", read_hands(log, LIMIT))
    assert same(built([log], players=["Bob"]), built([tmp_path / "a.phhs"], players=["Bob"]))
    two = built([log, packed])
    assert two.decisions == 2 * built([log]).decisions


def test_an_interrupted_build_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = [write_random_log(tmp_path / f"{n}.log", LIMIT, 80, n) for n in (1, 2)]
    architecture, folder = CATEGORIES["limit"], tmp_path / "base"
    monkeypatch.setattr(construction, "BLOCK_BYTES", 700)
    monkeypatch.setattr(construction, "SECONDS_BETWEEN_SAVES", 0.0)
    read: list[int] = []

    def stop(label: str, done: int, total: int) -> None:
        read.append(done)
        if len(read) == 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_to_folder(logs, architecture, folder, game=LIMIT, progress=stop)
    assert not folder.exists()
    blocks = len(read)
    resumed = build_to_folder(
        logs, architecture, folder, game=LIMIT, progress=lambda *_: read.append(0)
    )
    fresh: list[int] = []
    whole = build_case_base(logs, architecture, game=LIMIT, progress=lambda *_: fresh.append(0))
    assert len(read) - blocks < len(fresh) - 8
    assert same(resumed, whole)
    assert resumed.training == whole.training
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.log", "2.log", "base"]


def test_another_build_does_not_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = write_random_log(tmp_path / "a.log", LIMIT, 80, 1)
    monkeypatch.setattr(construction, "BLOCK_BYTES", 700)
    monkeypatch.setattr(construction, "SECONDS_BETWEEN_SAVES", 0.0)
    count = iter(range(5))

    def stop(*_: object) -> None:
        if next(count) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_to_folder(
            [log], CATEGORIES["limit"], tmp_path / "b", game=LIMIT, players=["Ann"], progress=stop
        )
    base = build_to_folder([log], CATEGORIES["limit"], tmp_path / "b", game=LIMIT, players=["Bob"])
    assert same(base, built([log], players=["Bob"]))


def broken(path: Path, log: Path, change: Any) -> Path:
    path.write_bytes(change(log.read_bytes()))
    return path


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("cut.log", lambda raw: raw[: len(raw) // 2], r"cut\.log, line \d+"),
        ("cut.log.xz", lambda raw: lzma.compress(raw)[:-40], r"cut\.log\.xz: cannot be read"),
        ("cards.log", lambda raw: raw.replace(b"STATE:9:", b"STATE:9:x"), r"cards\.log, line 11"),
        ("score.log", lambda raw: raw.replace(b"SCORE:", b"SCORE:1"), r"score\.log, line 42"),
        ("noise.log", lambda raw: b"\x00\x01noise\n", r"noise\.log, line 1"),
    ],
)
def test_broken_logs_are_refused(tmp_path: Path, name: str, change: Any, message: str) -> None:
    log = write_random_log(tmp_path / "good.log", LIMIT, 40, 3)
    bad = broken(tmp_path / name, log, change)
    folder = tmp_path / "base"
    with pytest.raises(DoyleError, match=message):
        build_to_folder([log, bad], CATEGORIES["limit"], folder, game=LIMIT)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["good.log", name])


def test_unknown_players_are_refused(tmp_path: Path) -> None:
    log = write_random_log(tmp_path / "a.log", LIMIT, 10, 3)
    with pytest.raises(
        DoyleError, match=r"a\.log: no hand was played by 'Dee'; players are Ann, Bob"
    ):
        built([log], players=["Ann", "Dee"])
    empty = tmp_path / "empty.log"
    empty.write_text("# nothing\n")
    with pytest.raises(DoyleError, match="no decisions"):
        built([empty])


def test_winners_are_those_who_won_most(tmp_path: Path) -> None:
    log = write_random_log(tmp_path / "a.log", LIMIT, 50, 5)
    found = standings([log], game=LIMIT)
    totals = {"Ann": 0, "Bob": 0}
    for hand in read_hands(log, LIMIT):
        for name, chips in zip(hand.players, hand.state.payoffs(), strict=True):
            totals[name] += int(chips)
    best = max(totals, key=lambda name: totals[name])
    assert found[0].player == best
    assert found[0].chips_per_hand == totals[best] / 50
    assert winners([log], 1, game=LIMIT) == (best,)
    with pytest.raises(DoyleError, match="cannot be the winners"):
        winners([log], 3, game=LIMIT)


def test_agreement_with_the_same_hands_is_what_the_vectors_say(tmp_path: Path) -> None:
    log = write_random_log(tmp_path / "a.log", LIMIT, 200, 6)
    base = built([log], players=["Ann"]).with_points(reuse="max-frequency")
    with pytest.raises(DoyleError, match="built from this log"):
        held_out_agreement(base, [log], players=["Ann"])
    same = tmp_path / "same.log"  # the same hands in another file
    same.write_text("# again\n" + log.read_text())
    for entry in held_out_agreement(base, [same], players=["Ann"]):
        # On its own hands a pure imitator is right as often as the most frequent choice.
        assert entry.share.mean == pytest.approx(entry.best)
        assert entry.unknown == 0
        assert sum(entry.expert.values()) == pytest.approx(1)
        assert sum(entry.imitator.values()) == pytest.approx(1)


def test_memory_does_not_grow_with_the_hands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = write_random_log(tmp_path / "once.log", LIMIT, 800, 8, score=False)
    monkeypatch.setattr(construction, "BLOCK_BYTES", log.stat().st_size)
    peaks, cases = [], []
    for times in (4, 4, 24):  # the first also loads and compiles
        path = tmp_path / "again.log"
        path.write_bytes(log.read_bytes() * times)
        tracemalloc.start()
        cases.append(built([path], workers=Workers(1)).cases)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert len({*cases}) == 1
    assert peaks[2] < 1.1 * peaks[1]


@pytest.mark.slow
def test_a_million_decisions_lose_no_count(tmp_path: Path) -> None:
    log = write_random_log(tmp_path / "a.log", LIMIT, 2000, 7, score=False)
    once = built([log])
    times = 1 + 1_000_000 // once.decisions
    (tmp_path / "b.log").write_bytes(log.read_bytes() * times)
    many = built([tmp_path / "b.log"], workers=Workers(2))
    assert many.decisions == times * once.decisions >= 1_000_000
    assert many.cases == once.cases
    for ours, theirs in zip(once.rounds, many.rounds, strict=True):
        assert (times * ours.counts == theirs.counts).all()
        assert (times * ours.outcomes == theirs.outcomes).all()
