"""One-street best responses against a plain enumeration, and the command line of `doyle papers`."""

from __future__ import annotations

import csv
import itertools
import json
from fractions import Fraction
from pathlib import Path

import pytest

from doyle.apps.cli.app import main
from doyle.experiments.papers.cell import rounds_to
from doyle.experiments.papers.ijcai2013.one_street import (
    KUHN,
    best_response,
    bets_exactly,
    clairvoyance_exploitability,
    kuhn_defence,
    kuhn_exploitability,
    kuhn_value,
)
from doyle.strategy.translation import MAPPINGS, Mapping, mapping, read_chips


@pytest.mark.parametrize("entry", MAPPINGS, ids=lambda entry: entry.name)
def test_kuhn_best_response_is_the_best_of_all_plans(entry: Mapping) -> None:
    """Walk every deal and every bet per card, in tenths, with another reading of the bets."""
    stack, bet = 2, 7
    defence = kuhn_defence(Fraction(stack), Fraction(bet, 10))
    known = [int(10 * size) for size in defence.sizes]
    best = Fraction(0)
    for card in range(3):
        results = []
        for tenths in range(10 * stack + 1):
            total = Fraction(0)
            for other in (hand for hand in range(3) if hand != card):
                for index, weight in read_chips(entry, known, tenths, pot=10):
                    called = Fraction(defence.calls[other][index])
                    sign = 1 if card > other else -1
                    shown = sign * (Fraction(1, 2) + Fraction(tenths, 10))
                    total += weight * (called * shown + (1 - called) / 2)
            results.append(total)
        best += max(results)
    exact = best_response(KUHN, defence, mapping=entry, bets=bets_exactly(stack))
    assert exact == best / 6


def test_knowing_every_bet_leaves_nothing_to_win() -> None:
    for stack, tenths in itertools.product((1, 4), (4,)):
        found = kuhn_exploitability(
            mapping("rand-pshar"), stack, bet_tenths=tenths, exact=True, jack_folds_to_check=True
        )
        assert found >= 0
    assert clairvoyance_exploitability(mapping("rand-pshar"), 10, exact=True) == 0


def test_kuhn_value_is_that_of_a_0_4_pot_bet() -> None:
    assert kuhn_value(3, exact=True) == Fraction(1, 35)


def test_rounding_of_printed_digits() -> None:
    assert rounds_to("0.10", 0.1049)
    assert not rounds_to("0.10", 0.106)
    assert not rounds_to("0", 0.4, digits=3)


def test_papers_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["papers", "list", "--json"]) == 0
    names = [entry["name"] for entry in json.loads(capsys.readouterr().out)["papers"]]
    assert "ijcai2013/table1" in names
    assert main(["papers", "ijcai2013/figure1", "--json", "--output", str(tmp_path)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["words"]["reproduced"] == len(document["rows"]) == 4
    assert {Path(name).suffix for name in document["figures"]} == {".png", ".svg"}
    assert all(Path(name).stat().st_size > 1000 for name in document["figures"])
    assert main(["papers", "ijcai2013/table1"]) == 0
    shown = capsys.readouterr().out
    assert "published*" in shown
    assert "20 of 20" in shown
    assert main(["papers", "ijcai2013/table99"]) == 2


def test_tables_are_written_as_csv_and_fit_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["papers", "ijcai2013/table1", "--output", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert max(map(len, captured.out.splitlines())) <= 60
    path = tmp_path / "ijcai2013-table1.csv"
    assert f"doyle: wrote {path}" in captured.err
    with path.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 20
    assert (rows[1]["row"], rows[1]["published"]) == ("Rand-Arith", "0.751")
    assert float(rows[1]["ours"]) == pytest.approx(0.7508, abs=1e-4)


def test_translate_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["translate", "--mapping", "rand-pshar", "--a", "0", "--b", "1", "--x", "0.25"]
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["probability_of_a"] == pytest.approx(0.6)
    assert document["median"] == pytest.approx(1 / 3)
    assert main([*arguments[:-1], "1.5"]) == 2
    assert "A <= x <= B" in capsys.readouterr().err
