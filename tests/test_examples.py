"""Everything printed as code runs: examples, the README, and the docstrings of every module."""

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
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(doyle.__path__, "doyle.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    failures, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert failures == 0


def test_the_code_of_the_readme_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


def test_public_names_are_these_and_resolve() -> None:
    assert doyle.__all__ == [
        "__version__",
        "BettingModel",
        "BettingTree",
        "DoyleError",
        "Game",
        "State",
        "View",
        "equity",
        "mapping",
        "parse_cards",
        "play_match",
        "rank_hand",
        "resolve_agent",
    ]
    for name in doyle.__all__:
        assert getattr(doyle, name) is not None
