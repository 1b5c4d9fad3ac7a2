"""Only commands speak to people: no module below them prints or knows an option's name.

What the library has to say it raises (`DoyleError`, with the names of fields), returns or logs.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "doyle"
MODULES = sorted(
    path for path in SOURCE.rglob("*.py") if "cli" not in path.relative_to(SOURCE).parts
)

FLAG = re.compile(r"(?<![#\w-])--[a-z][a-z-]*")
"""An option as it is typed. The ACPC dealer's log has `#--t_response`, which is a format."""

STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}


def speaks(tree: ast.AST) -> list[int]:
    """Lines that print or take hold of a standard stream."""
    found = []
    for node in ast.walk(tree):
        prints = (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("print", "input")
        )
        streams = (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and (node.value.id, node.attr in STREAMS) == ("sys", True)
        )
        if prints or streams:
            found.append(node.lineno)
    return found


def test_there_is_something_to_check() -> None:
    assert len(MODULES) > 150
    assert speaks(ast.parse("import sys\nprint('x')\nsys.stderr.write('x')")) == [2, 3]
    assert FLAG.findall("give --cards SPEC, not '#--t_response' or a--b") == ["--cards"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_libraries_do_not_print_or_name_options(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert speaks(ast.parse(text)) == []
    named = [
        (number, flag)
        for number, line in enumerate(text.splitlines(), start=1)
        for flag in FLAG.findall(line)
    ]
    assert named == []


def test_the_core_names_the_experiments_only_where_commands_are_listed() -> None:
    """The import rule sees no module that is loaded by its name, so names are checked here."""
    core = [
        path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] != "experiments"
    ]
    named = {path.name for path in core if "doyle.experiments" in path.read_text(encoding="utf-8")}
    assert named == {"__init__.py", "app.py", "missing.py"}
