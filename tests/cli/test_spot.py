"""`doyle spot` as a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doyle.cli import main

SPOT = (
    "spot", "--board", "Ks7h4d2cJs", "--ranges", "QQ+,AKs", "22+,A2s+", "--pot", "200",
    "--stacks", "800", "--betting", "fcpa",
)  # fmt: skip


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SPOT, "--target", "0.3%", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["exploitability_percent_of_pot"] <= 0.3
    assert sorted(document["root"]["actions"]) == ["c", "r300", "r900"]
    assert sum(document["root"]["frequencies"]) == pytest.approx(1.0, abs=1e-5)
    assert len(document["root"]["values"]) == 3
    for name in ("value", "iterations", "seconds", "memory_bytes"):
        assert document[name] is not None


def test_saved_shown_and_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder, figure = tmp_path / "spot", tmp_path / "grid.png"
    arguments = [*SPOT, "--target", "1%", "--save", str(folder), "--figure", str(figure)]
    assert main([*arguments, "--html", str(tmp_path / "spot.html")]) == 0
    page = (tmp_path / "spot.html").read_text()
    assert "Ks7h4d2cJs" in page
    assert "After &#x27;c&#x27;: by class" in page
    assert "exploitability" in capsys.readouterr().out
    assert figure.read_bytes()[:4] == b"\x89PNG"
    assert main(["spot", "show", str(folder), "--history", "c", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["seat"] == 1
    assert "JJ" in shown["classes"]
    (tmp_path / "lock.json").write_text(json.dumps(shown))
    locked = [*SPOT, "--target", "1%", "--lock", f"@{tmp_path / 'lock.json'}", "--json"]
    assert main(locked) == 0
    assert json.loads(capsys.readouterr().out)["locks"] == [f"@{tmp_path / 'lock.json'}"]


def test_ranges_from_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "first.txt").write_text("QQ+,AKs\n")
    arguments = list(SPOT)
    arguments[4] = f"@{tmp_path / 'first.txt'}"
    assert main([*arguments, "--iterations", "10", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["spot"]["ranges"][0] == "QQ+,AKs"
    assert document["iterations"] == 10


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (("--target", "x"), "expected a percentage"),
        (("--stacks", "8x"), "expected chips at character 1"),
        (("--stacks", "800,900,1"), "one or two stacks"),
        (("--lock", "r7=c"), "no such action"),
        (("--precision", "tiny"), "precision 'tiny'"),
        (("--solver", "lp"), "solver 'lp'"),
        (("--memory", "0.0000001"), "shrink"),
        (("--figure", "grid.txt"), "figures are written as"),
        (("--iterations", "0"), "at least 1"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], extra: tuple[str, ...], message: str
) -> None:
    assert main([*SPOT, *extra]) == 2
    captured = capsys.readouterr()
    assert message in captured.err.splitlines()[0]
    assert captured.out == ""


def test_what_is_missing_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["spot", "--board", "Ks7h4d2cJs"]) == 2
    assert "--ranges is missing" in capsys.readouterr().err
    assert main(["spot", "show", "/nowhere"]) == 2
    assert "no solved spot" in capsys.readouterr().err
