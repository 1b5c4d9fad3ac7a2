"""Descriptions by name: presets come with the package, others are TOML files of the user's."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from doyle.base.artifacts.documents import parse_toml, read_text
from doyle.base.artifacts.validation import validated
from doyle.base.errors import DoyleError
from doyle.building.description import BuildDescription

LARGEST_DESCRIPTION = 32 << 10
"""Bytes of a user's TOML file; the time to parse one may grow with the square of its size."""


@cache
def preset_names() -> tuple[str, ...]:
    """The bundled descriptions.

    >>> "default" in preset_names()
    True
    """
    folder = resources.files("doyle.building") / "presets"
    found = sorted(
        entry.name.removesuffix(".toml")
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    )
    return tuple(found)


def load_description(name_or_path: str) -> BuildDescription:
    """The preset of that name, or the description in that TOML file."""
    if name_or_path in preset_names():
        return _preset(name_or_path)
    path = Path(name_or_path)
    if path.suffix != ".toml":
        raise DoyleError(
            f"build {name_or_path!r}: not a preset ({', '.join(preset_names())}) nor a .toml file"
        )
    try:
        text = read_text(path, most=LARGEST_DESCRIPTION)
    except FileNotFoundError:
        raise DoyleError(f"{path}: cannot be read (no such file)") from None
    description = parse_description(text, where=str(path))
    _refuse_taken_names(description.name, where=str(path))
    return description


@cache
def _preset(name: str) -> BuildDescription:
    """A bundled description, read and checked once in a process."""
    path = resources.files("doyle.building") / "presets" / f"{name}.toml"
    return parse_description(path.read_text(encoding="utf-8"), where=f"preset {name}")


def parse_description(text: str, *, where: str) -> BuildDescription:
    """Check the text of a description; the error names the key and what it allows."""
    return validated(BuildDescription, parse_toml(text, where=where), where=where)


def _refuse_taken_names(name: str, *, where: str) -> None:
    """An agent's folder has its name, and those of presets must hold what the preset says."""
    if name.removesuffix("-small") in preset_names():
        raise DoyleError(f"{where}: key 'name': {name!r} is a preset's; choose another")
    if "@" in name:
        raise DoyleError(
            f"{where}: key 'name': {name!r} has an '@', which stands before the game of `NAME@GAME`"
        )
