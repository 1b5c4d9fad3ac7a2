"""The sources of the documentation site: rooms that name their modules, pages for all of them.

The site itself is built without warnings by `make docs`, which `.ci/run` calls.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import doyle

ROOT = Path(__file__).parent.parent
PACKAGES = [
    module.name for module in pkgutil.walk_packages(doyle.__path__, "doyle.") if module.ispkg
]
LISTED = "In reading order:\n\n`"


@pytest.fixture(scope="module")
def docstrings() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "docs" / "docstrings.py"))


@pytest.fixture(scope="module")
def api_pages() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "docs" / "api_pages.py"))


@pytest.mark.parametrize("name", PACKAGES)
def test_a_room_that_lists_its_modules_names_every_one_and_no_other(name: str) -> None:
    package = importlib.import_module(name)
    text = package.__doc__ or ""
    assert len(text) > 40, f"{name} does not say what is in it"
    if LISTED not in text:
        return
    modules = {one.name for one in pkgutil.iter_modules(package.__path__)}
    public = {one for one in modules if not one.startswith("_")}
    assert public <= set(re.findall(r"`([a-z0-9_]+)`", text))
    entries = re.findall(r"^`([a-z0-9_]+)`  ", text, re.MULTILINE)
    assert set(entries) <= modules


def test_most_rooms_list_their_modules() -> None:
    rooms = [importlib.import_module(name).__doc__ or "" for name in PACKAGES]
    assert sum(LISTED in text for text in rooms) >= 17


FIRST = {name.rpartition(".")[2] for name in PACKAGES}
"""Packages of any depth: a name in a docstring begins with a room, so that others are found to be stale."""


def dotted_names() -> Iterator[tuple[str, str]]:
    """Names of parts of the package in the docstrings of modules, and where they stand."""
    for path in sorted((ROOT / "src" / "doyle").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                text = ast.get_docstring(node) or ""
                for name in re.findall(r"`(?:doyle\.)?([a-z_]+(?:\.[A-Za-z_]+)+)`", text):
                    if name.split(".")[0] in FIRST:
                        yield f"{path.relative_to(ROOT)}: {name}", f"doyle.{name}"


def exists(name: str) -> bool:
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


def test_names_in_docstrings_point_somewhere() -> None:
    found = list(dotted_names())
    assert len(found) >= 40
    assert [where for where, name in found if not exists(name)] == []


def test_every_package_has_a_page(api_pages: dict[str, Any], tmp_path: Path) -> None:
    api_pages["write_api_pages"](tmp_path)
    top = {one.name for one in pkgutil.iter_modules(doyle.__path__) if not one.name.startswith("_")}
    assert {path.stem for path in tmp_path.glob("*.md")} == (top - {"apps"}) | {
        "apps.web",
        "doyle",
        "index",
    }
    page = (tmp_path / "cards.md").read_text()
    places = [page.index(f"automodule:: doyle.cards.{name}\n") for name in ("cards", "ranges")]
    assert places == sorted(places)
    front = (tmp_path / "doyle.md").read_text()
    for name in doyle._HOMES:
        assert re.search(rf"\b{name}\b", front)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A `Fraction`s |x| of a_ *b*.", "A ``Fraction``\\ s \\|x\\| of a\\_ \\*b\\*."),
        ("In order:\n\n`a`  first\n`b`  second", "In order:\n\n- ``a``: first\n- ``b``: second"),
        ("Shown:\n\n    as *it* is", "Shown:\n\n::\n\n        as *it* is"),
        (">>> f('*')\n'`'", ">>> f('*')\n'`'"),
        ("=== ===\n`a` `b`\n=== ===", "::\n\n    === ===\n    `a` `b`\n    === ==="),
    ],
)
def test_docstrings_are_shown_as_they_are_meant(
    docstrings: dict[str, Any], text: str, wanted: str
) -> None:
    assert "\n".join(docstrings["convert"](text.split("\n"))).rstrip() == wanted


def test_the_first_picture_is_of_what_the_agent_plays() -> None:
    """`make pictures` draws it again."""
    from PIL import Image

    tool = runpy.run_path(str(ROOT / "tools" / "make_pictures.py"))
    picture: Path = tool["PICTURE"]
    first = re.search(r"!\[[^]]*\]\(([^)]*)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert first is not None
    assert ROOT / first[1] == picture
    with Image.open(picture) as image:
        assert image.text[tool["MARK"]] == tool["digest"](tool["first_decision"]())  # type: ignore[attr-defined]


MONTHS = "January February March April May June July August September October November December"
DATED = re.compile(
    rf"20\d\d-\d\d-\d\d|\b({'|'.join(MONTHS.split())}) 20\d\d|\bload (of )?\d|busy machine|\bidle\b"
)


def test_dates_and_loads_of_machines_are_in_lab_notes_only() -> None:
    docs = ROOT / "docs"
    elsewhere = {docs / "lab", docs / "reference" / "api", docs / "reference" / "commands"}
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *docs.rglob("*.md")]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line}"
        for path in pages
        if elsewhere.isdisjoint(path.parents)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if DATED.search(line)
    ]
    assert found == []


def test_methods_and_their_lab_notes_link_both_ways() -> None:
    for notes in sorted((ROOT / "docs" / "lab").glob("*.md")):
        text = notes.read_text(encoding="utf-8")
        if not text.startswith("# Lab notes: "):
            continue
        page = re.search(r"^Dated measurements.*Method: \[.*\]\((.*)\)\.$", text, re.MULTILINE)
        assert page is not None, notes.name
        method = (notes.parent / page[1]).resolve()
        assert f"../lab/{notes.name}" in method.read_text(encoding="utf-8"), notes.name


def test_every_command_has_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from doyle.apps.cli.app import TOPICS

    monkeypatch.syspath_prepend(ROOT / "docs")
    pages = runpy.run_path(str(ROOT / "docs" / "command_pages.py"))
    pages["write_command_pages"](tmp_path)
    names = {name for topic in TOPICS.values() for name in topic}
    assert {path.stem for path in tmp_path.glob("*.md")} == names | {"index"}
    page = (tmp_path / "solve.md").read_text(encoding="utf-8")
    assert "`--target`" in page
    assert "## doyle game show" in (tmp_path / "game.md").read_text(encoding="utf-8")
