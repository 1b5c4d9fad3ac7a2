"""`doyle cases` and what `doyle explain` says of case-based agents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from doyle.agents.case_bases import CaseBase
from doyle.apps.cli import main
from doyle.games import Game
from tests.agents.case_bases.random_logs import write_random_log
from tests.agents.case_bases.synthetic import category_base
from tests.apps.cli.refusals import refused

LIMIT = Game.named("holdem-limit-2p")
STATE = "MATCHSTATE:1:0:rc/c:|AsKd/2c7dAh"


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("domain", "first", "second", "value"),
    [
        ("no-limit", "ihpc", "dqpc", 0.85),
        ("limit", "crrc-crrrrc-cr", "rrc-rrrrc-cr", 0.9),
        ("limit", "rrc-cc-cc-rrr", "cc-rc-crc-rrr", 0.8),
        ("limit-3p", "rcc-ccf-c", "ccc-ccf-c", 0.9),
    ],
)
def test_similarity(
    capsys: pytest.CaptureFixture[str], domain: str, first: str, second: str, value: float
) -> None:
    assert told(capsys, "cases", "similarity", domain, first, second)["similarity"] == value


def test_similarity_of_nonsense(capsys: pytest.CaptureFixture[str]) -> None:
    assert "character 1" in refused(capsys, "cases", "similarity", "limit", "xx", "rr")
    assert "limit-3p" in refused(capsys, "cases", "similarity", "chess", "c", "c")


@pytest.fixture
def snapshot(tmp_path: Path) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\ngame = "holdem-limit-2p"\nfeatures = { strength = "categories" }\n'
        'similarity = { strength_metric = "all-or-nothing" }\ntraining = { experts = ["ev"] }\n'
    )
    return str(path)


def test_build_show_and_agreement(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, snapshot: str
) -> None:
    log = str(write_random_log(tmp_path / "a.log", LIMIT, 60, 1))
    out = str(tmp_path / "base")
    built = told(capsys, "cases", "build", snapshot, log, "--player", "Ann", "--save", out)
    (base,) = built["case_bases"]
    assert base["decisions"] == CaseBase.load(Path(out)).decisions
    assert base["training"]["players"] == ["Ann"]
    assert [row["round_name"] for row in base["rounds"]] == ["preflop", "flop", "turn", "river"]
    assert told(capsys, "cases", "show", out) == built
    assert main(["cases", "show", out]) == 0
    assert "preflop" in capsys.readouterr().out
    other = str(write_random_log(tmp_path / "b.log", LIMIT, 60, 2))
    rounds = told(capsys, "cases", "agreement", out, other, "--player", "Ann")["rounds"]
    assert all(0 <= entry["share"] <= 1 for entry in rounds)
    copied = tmp_path / "copied.log"
    copied.write_bytes(Path(log).read_bytes())
    for seen in (log, str(copied)):
        said = refused(capsys, "cases", "agreement", out, other, seen, "--player", "Ann")
        assert f"{seen}: the case base was built from this log" in said
    short = tmp_path / "short.log"
    short.write_text("STATE:0:f:2c3d|QdQh:5|-5:Bob|Ann\nSTATE:1:f:QdQh|2c3d:5|-5:Bob|Ann\n")
    (_, flop, *_) = told(capsys, "cases", "agreement", out, str(short), "--player", "Ann")["rounds"]
    assert flop["share"] is None
    assert main(["cases", "agreement", out, str(short), "--player", "Ann"]) == 0
    assert "nan" not in capsys.readouterr().out
    winner = told(
        capsys, "cases", "build", snapshot, log, other, "--winners", "1", "--save", out + "2"
    )
    assert len(winner["case_bases"][0]["training"]["players"]) == 1


def test_a_log_without_its_end_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, snapshot: str
) -> None:
    log = write_random_log(tmp_path / "a.log", LIMIT, 20, 1)
    arguments = ("cases", "build", snapshot, str(log), "--everybody", "--save")
    assert main([*arguments, str(tmp_path / "whole")]) == 0
    assert "SCORE" not in capsys.readouterr().err
    lines = log.read_text().splitlines(keepends=True)
    assert lines[-1].startswith("SCORE")
    log.write_text("".join(lines[:-1]))
    assert main([*arguments, str(tmp_path / "cut")]) == 0
    assert "1 log has no SCORE line at the end" in capsys.readouterr().err


def test_unseen_cards(capsys: pytest.CaptureFixture[str], tmp_path: Path, snapshot: str) -> None:
    log = tmp_path / "a.log"
    log.write_text("STATE:0:rf:|QdQh:-10|10:Ann|Bob\n")
    arguments = ("cases", "build", snapshot, str(log), "--everybody", "--save", str(tmp_path / "b"))
    assert "a.log, line 1" in refused(capsys, *arguments)
    assert not (tmp_path / "b").exists()
    assert main([*arguments, "--skip-unseen"]) == 0
    assert "1 decisions with hidden cards" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["explain", "cases query"])
def test_decisions_are_explained(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    base = category_base("limit").with_points(reuse="probabilistic", retrieve=3)
    base.save(tmp_path / "base")
    folder = str(tmp_path / "base")
    document = told(capsys, *command.split(), folder, "--state", STATE)
    (reading,) = document["readings"]
    assert reading["betting"] == "rc-c"
    (answer,) = reading["answers"]
    assert len(answer["retrieved_cases"]) == 3
    for case in answer["retrieved_cases"]:
        mean = sum(case["by_feature"].values()) / 3
        assert case["similarity"] == pytest.approx(mean)
    total = sum(sum(case["counts"].values()) for case in answer["retrieved_cases"])
    assert sum(answer["action_vector"].values()) == total
    for entry in document["actions"]:
        expected = answer["action_vector"].get(entry["action"], 0) / total
        assert entry["probability"] == pytest.approx(expected)
    assert main([*command.split(), folder, "--state", STATE]) == 0
    assert "similarity" in capsys.readouterr().out


def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, snapshot: str
) -> None:
    log = str(write_random_log(tmp_path / "a.log", LIMIT, 10, 1))
    out = str(tmp_path / "base")
    no_limit = str(write_random_log(tmp_path / "n.log", Game.named("holdem-nl-200bb"), 5, 1))
    category_base("limit", hands=5).save(tmp_path / "limit")
    base = str(tmp_path / "limit")
    for arguments, message in (
        (("build", snapshot, log, "--save", out), "--player"),
        (("build", snapshot, log, "--player", "Dee", "--save", out), "players are Ann, Bob"),
        (("build", snapshot, str(tmp_path / "no.log"), "--everybody"), "no such file"),
        (("build", "sartre-1999"), "not a preset"),
        (
            ("build", "sartre-nl-2011", log, "--everybody", "--save", out),
            "a log of holdem-limit-2p",
        ),
        (("build", "sartre-2010", "--player", "Ann"), "requires logs"),
        (("agreement", base, no_limit, "--player", "Ann"), "a log of holdem-nl-200bb"),
        (("show", "nobody"), "no case base"),
        (("show", "sartre-2010"), "not built yet"),
        (("query", "nobody", "--state", STATE), "no case base"),
    ):
        said = refused(capsys, "cases", *arguments)
        assert message in said
        assert said.count("\n") == 1
    assert not Path(out).exists()


def test_snapshots_are_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    for text, message in (
        ('name = "x"\n', "required"),
        (
            'name = "x"\ngame = "kuhn"\nfeatures = { strength = "hs2" }\ntraining = { experts = ["ev"] }\n',
            "kuhn",
        ),
        (
            'name = "x"\ngame = "holdem-limit-2p"\nfeatures = { strength = "luck" }\ntraining = { experts = ["ev"] }\n',
            "strength",
        ),
        (
            'name = "x"\ngame = "holdem-limit-2p"\nfeatures = { strength = "hs2" }\ntraining = { experts = [] }\n',
            "at least one",
        ),
        (
            'name = "sartre-2010"\ngame = "holdem-limit-2p"\nfeatures = { strength = "hs2" }\ntraining = { experts = ["ev"] }\n',
            "is a preset's",
        ),
    ):
        path.write_text(text)
        assert message in refused(capsys, "cases", "build", str(path))
