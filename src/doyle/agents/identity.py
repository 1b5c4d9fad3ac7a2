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
from dataclasses import asdict
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from doyle.agents.agent_file import agent_file
from doyle.agents.resolve import (
    ENTRY_POINT_GROUP,
    OWN_NAMES,
    split_coach,
    split_exploiter,
    split_search,
)
from doyle.artifacts.files import checksum
from doyle.errors import DoyleError
from doyle.games import Game

_DECIDING_PACKAGES = (
    "agents", "betting", "card_abstraction", "cards", "cases", "games", "matches", "public_games",
    "solving", "spots", "strategy", "translation",
)  # fmt: skip
"""The packages of doyle whose code or data decides a hand."""


def identity(text: str, game: Game) -> dict[str, Any]:
    """Everything that decides how the agent of a text plays a game, as a JSON document.

    DoyleError for a text that stands for no agent, or for one that is not built yet.

    >>> sorted(identity("always-call", Game.named("kuhn")))
    ['agent', 'code']
    """
    return {**_content(text, game), "code": code_digest()}


def _content(text: str, game: Game) -> dict[str, Any]:
    if text in OWN_NAMES:
        return {"agent": text}
    blueprint, options = split_search(text)
    if blueprint is not None:
        from doyle.agents.search.settings import parse_settings

        settings = asdict(parse_settings(text, options))
        return {"search": settings, "blueprint": _content(blueprint, game)}
    kind, first, second = split_coach(text)
    if kind:
        return {"coach": kind, "first": _content(first, game), "second": _content(second, game)}
    technique, tested = split_exploiter(text)
    if technique:
        return {"exploiter": technique, "exploits": _strategy(tested)}
    own_file = agent_file(text)
    if own_file is not None:
        return {"agent": own_file.name, "source": sources_digest(_local_sources(own_file.path))}
    for point in entry_points(group=ENTRY_POINT_GROUP):
        if point.name == text:
            return {"agent": point.value, "source": sources_digest(_package_sources(point))}
    return _cases(text) or _strategy(text)


def _cases(text: str) -> dict[str, Any] | None:
    from doyle.agents.cases.named import NoCaseBaseError, named_cases

    named = named_cases(text)
    if named is None:
        return None
    if not named.is_built:
        raise NoCaseBaseError(text)
    retain = None if named.retain is None else str(named.retain)
    options = {name: str(value) for name, value in sorted(named.options.items())}
    manifests = sorted(named.folder.rglob("manifest.json"))
    return {"cases": sources_digest(manifests), "options": options, "retain": retain}


def _strategy(text: str) -> dict[str, Any]:
    from doyle.agents.named_strategy import required_strategy

    named = required_strategy(text, purpose="play")
    origin = named.tables.origin
    return {
        "tables": "" if origin is None else origin.digest,
        "cards": named.cards,
        "translation": named.translation_name,
        "played": named.played_document(),
    }


@cache
def code_digest() -> str:
    """One text for the code and data of this package on which the play of its agents depends."""
    root = Path(__file__).parents[1]
    files = (path for name in _DECIDING_PACKAGES for path in (root / name).rglob("*"))
    sources = [path for path in files if path.is_file() and path.parent.name != "__pycache__"]
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
    """The first parts of the modules that a file imports; none of a file that cannot be parsed."""
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
