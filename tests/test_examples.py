"""Everything printed as code runs: examples, pages, and the docstrings of every module."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import runpy
from pathlib import Path

import pytest

import doyle

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
MODULES = [
    "doyle",
    *sorted(
        module.name
        for module in pkgutil.walk_packages(doyle.__path__, "doyle.")
        if not module.name.endswith("__main__")
    ),
]


def _blocks(path: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)


PAGES = [
    path
    for path in [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    ]
    if _blocks(path)
]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    failures, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert failures == 0


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_python_of_a_page_runs(path: Path) -> None:
    """The blocks of a page run in order, in one namespace."""
    space: dict[str, object] = {}
    for number, block in enumerate(_blocks(path), start=1):
        exec(compile(block, f"{path.name}, block {number}", "exec"), space)


def test_the_readme_and_the_first_page_have_code() -> None:
    assert {ROOT / "README.md", ROOT / "docs" / "index.md"} <= set(PAGES)
