"""Agents and mappings as another package would offer them: an installed distribution with entry points."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path

import pytest


def install_plugins(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    agents: Mapping[str, str],
    *,
    group: str = "doyle.agents",
) -> None:
    """Install a distribution in `folder` that offers agents, given as `name: "module:factory"`.

    Or other parts, by the group of their entry points.
    """
    information = folder / "plugins-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: plugins\nVersion: 1.0\n")
    lines = [f"[{group}]", *(f"{name} = {value}" for name, value in agents.items())]
    (information / "entry_points.txt").write_text("\n".join(lines) + "\n")
    monkeypatch.syspath_prepend(str(folder))
    importlib.invalidate_caches()
