"""The folders of a league's tables, and the document beside them that names all tables.

A league is all of its tables: an incomplete league has no ranking, so its folder is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from doyle.base.artifacts.documents import read_json
from doyle.base.artifacts.files import write_json
from doyle.base.errors import DoyleError

_LEAGUE = "league.json"


def table_folders(folder: Path, count: int) -> list[Path]:
    """Where the hands of each table of a league are, in order."""
    return [folder / f"table-{number:04d}" for number in range(count)]


def keep_tables(folder: Path, tables: Sequence[Sequence[str]]) -> None:
    """Write the players of each table; DoyleError if the folder belongs to another league."""
    seated = [list(names) for names in tables]
    if (folder / "manifest.json").exists():
        raise DoyleError(f"{folder}: holds a match, not a league; name another folder")
    if (folder / _LEAGUE).exists():
        if _kept(folder) != seated:
            raise DoyleError(
                f"{folder}: holds a league of other agents; remove it or name another folder"
            )
        return
    write_json(folder / _LEAGUE, {"tables": seated})


def finished_tables(folder: Path) -> list[Path]:
    """The folders of a league's tables; DoyleError names the tables without hands."""
    try:
        seated = _kept(folder)
    except FileNotFoundError:
        problem = "holds no hands of a match or a league"
        if any(folder.glob("table-*/manifest.json")):
            problem = f"holds tables of a league but no {_LEAGUE}; name one table's folder"
        raise DoyleError(f"{folder}: {problem}") from None
    folders = table_folders(folder, len(seated))
    missing = [
        f"{table.name} ({' - '.join(names)})"
        for table, names in zip(folders, seated, strict=True)
        if not (table / "manifest.json").is_file()
    ]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise DoyleError(
            f"{folder}: {len(missing)} of the league's {len(seated)} tables are not there: "
            f"{', '.join(missing[:3])}{more}; play the league again to resume, or name one table's folder"
        )
    return folders


def _kept(folder: Path) -> list[list[str]]:
    path = folder / _LEAGUE
    document = read_json(path)
    tables = document.get("tables") if isinstance(document, dict) else None
    known = isinstance(tables, list) and all(
        isinstance(names, list) and all(isinstance(name, str) for name in names) for names in tables
    )
    if not known or not tables:
        raise DoyleError(f"{path}: names no tables of a league; play the league again")
    return tables  # type: ignore[no-any-return]
