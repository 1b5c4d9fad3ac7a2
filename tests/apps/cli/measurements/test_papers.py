"""`doyle papers`: names that are none, and where tables are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from doyle.apps.cli import main


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("thesis/4.4", "did you mean thesis/table4.4?"),
        ("thesis", "see `doyle papers list`"),
        ("ijcai/table3", "did you mean ijcai2013/table3?"),
        ("zzz", "see `doyle papers list`"),
    ],
)
def test_a_name_that_is_none_names_one_that_is(
    name: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["papers", name]) == 2
    assert capsys.readouterr().err.strip().endswith(hint)


def test_tables_are_written_into_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "table1.csv"
    assert main(["papers", "ijcai2013/table1", "--output", str(wrong)]) == 2
    assert "is a folder" in capsys.readouterr().err
    assert not wrong.exists()
    assert main(["papers", "ijcai2013/table1", "--output", str(tmp_path / "tables")]) == 0
    written = (tmp_path / "tables" / "ijcai2013-table1.csv").read_text()
    assert "Rand-psHar" in written
