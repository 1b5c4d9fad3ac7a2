"""What a build was built from: kept with it, so a folder is never used or resumed for a different one.

An agent's folder is named by its description's name alone. `build.json` in it records the fields
that decide what is solved; a description that has been changed since, or another one of the same
name, no longer fits it. How the strategy is played (translation, purification) may change.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from doyle.abstractions.cards.registry import describe
from doyle.base.artifacts import Checkpoints
from doyle.base.artifacts.documents import read_json
from doyle.base.artifacts.files import write_json
from doyle.base.artifacts.manifest import sealed
from doyle.base.errors import DoyleError, FieldError
from doyle.building.description import BuildDescription

FILE = "build.json"


def identity(description: BuildDescription) -> dict[str, Any]:
    """The fields that decide what is solved, in their canonical form."""
    game = description.rules
    return {
        "game": game.name,
        "game_definition": game.to_text(),
        "betting": str(description.betting_model),
        "cards": describe(description.cards.value).parameters["spec"],
        "solver": description.solver.value,
        "seed": description.seed.value,
        "prune_below": description.prune_below.value,
        "tremble": description.tremble.value,
    }


def check_fits(description: BuildDescription, folder: Path) -> None:
    """Refuse what is in `folder` if `description` does not describe it (any more)."""
    record = _record(folder)
    if record is None:
        return
    wanted, found = identity(description), record["described"]
    for key in wanted:
        if key != "game" and key in found and found[key] != wanted[key]:
            then, now = found[key], wanted[key]
            if key == "game_definition":
                key, then, now = "game", found["game"], wanted["game"]
            difference = f"{key} = {then!r}" if then != now else f"another definition of {then}"
            raise DoyleError(
                f"{folder}: was built with {difference}, and the description of "
                f"{description.name!r} has {now!r}; remove that folder, or change the name"
            )


def claim(
    description: BuildDescription,
    folder: Path,
    *,
    seed: int | None = None,
    shards: int = 0,
    merge: int = 0,
) -> None:
    """Record that `folder` holds the build of `description`, and with which options of the command.

    Refuses a folder in which another description, or other options, have left a solve.
    """
    used = {
        "seed": description.seed.value if seed is None else seed,
        "shards": shards,
        "merge": merge,
    }
    if has_snapshot(folder / "checkpoint") or has_snapshot(folder / "strategy"):
        check_fits(description, folder)
        record = _record(folder) or {}
        for option, value in record.get("used", used).items():
            if value != used[option]:
                raise FieldError(
                    option,
                    f"{folder} was built with {value}; give {value} to resume it, or remove that "
                    "folder to begin again",
                    value=used[option],
                )
    write_json(folder / FILE, sealed({"described": identity(description), "used": used}))


def has_snapshot(folder: Path) -> bool:
    """Whether there is a whole one; a process killed before its first leaves an empty folder."""
    return Checkpoints(folder).latest() is not None


def _record(folder: Path) -> dict[str, Any] | None:
    """What `claim` wrote; None if nothing was built here."""
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        record = read_json(path)
        return {"described": dict(record["described"]), "used": dict(record["used"])}
    except (OSError, DoyleError, ValueError, KeyError, TypeError):
        raise DoyleError(f"{path}: damaged; remove the folder and build again") from None
