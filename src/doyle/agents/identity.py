"""The identity of an agent: a record of everything that decides how it plays.

Kept matches, logs and results are found again by it, so it follows content and not names: the tables
of a strategy and how they are played, the case bases of a case-based agent, the source of an agent
from a file or of another package with the modules it imports from its own folder, and the code of
this package on which play depends. Data that a foreign agent opens by itself is not covered.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from doyle.agents.registry import read_agent
from doyle.base.artifacts.files import checksum
from doyle.base.errors import DoyleError
from doyle.games import Game

_SHOWING = {
    "apps", "display.py", "experiments", "network", "planning", "reports", "reviewing", "testing", "version.py",
}  # fmt: skip
"""Modules and packages of doyle that show, run or report and decide no hand; every other one may."""


def identity(text: str, game: Game) -> dict[str, Any]:
    """All inputs of the play of a text's agent in a game, as a JSON document.

    DoyleError for a text that names no agent, or an agent that is not built yet.

    >>> sorted(identity("always-call", Game.named("kuhn")))
    ['agent', 'code']
    """
    return {**read_agent(text).content(game), "code": code_digest()}


@cache
def code_digest() -> str:
    """One text for the code and data of this package on which the play of its agents depends."""
    root = Path(__file__).parents[1]
    sources = [
        path
        for path in root.rglob("*")
        if path.is_file() and not (_SHOWING | {"__pycache__"}) & {*path.relative_to(root).parts}
    ]
    return sources_digest(sorted(sources), root=root)


def sources_digest(paths: Iterable[Path], *, root: Path | None = None) -> str:
    """One text for the contents of files, in order, with their names (below `root`, if given)."""
    digest = hashlib.blake2b(digest_size=16)
    for path in paths:
        name = path.name if root is None else path.relative_to(root).as_posix()
        try:
            digest.update(f"{name}\0{checksum(path)}\0".encode("utf-8", "surrogateescape"))
        except OSError as error:
            raise DoyleError(f"{path}: cannot be read ({error.strerror})") from None
    return digest.hexdigest()


def file_digest(path: Path) -> str:
    """One text for the source of an agent from a file."""
    return sources_digest(_local_sources(path))


def package_digest(point: EntryPoint) -> str:
    """One text for the source of an agent of another package."""
    return sources_digest(_package_sources(point))


def _local_sources(path: Path) -> list[Path]:
    """A Python file and the modules of its folder that it imports, directly or through others."""
    found: list[Path] = []
    waiting = [path]
    while waiting:
        source = waiting.pop()
        if source in found:
            continue
        found.append(source)
        for name in sorted(_imported_names(source)):
            module = path.parent / f"{name}.py"
            package = path.parent / name
            if module.is_file():
                waiting.append(module)
            elif (package / "__init__.py").is_file():
                waiting.extend(sorted(package.rglob("*.py")))
    return [found[0], *sorted(found[1:])]


def _imported_names(path: Path) -> set[str]:
    """The first parts of the modules that a file imports; empty for a file that cannot be
    parsed."""
    try:
        module = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
        elif isinstance(node, ast.ImportFrom):
            names.update(alias.name for alias in node.names)
    return names


def _package_sources(point: EntryPoint) -> list[Path]:
    """The Python files of the top package, or the one module, that an entry point names."""
    specification = find_spec(point.module.partition(".")[0])
    if specification is None:
        raise DoyleError(f"agent {point.name!r} ({point.value}): there is no such module")
    folders = [Path(folder) for folder in specification.submodule_search_locations or ()]
    if folders:
        return sorted(path for folder in folders for path in folder.rglob("*.py"))
    return _local_sources(Path(str(specification.origin)))
