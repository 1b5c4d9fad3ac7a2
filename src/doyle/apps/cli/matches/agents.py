"""`doyle agents list`: every name of an agent, and the forms of names."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

import typer

from doyle.agents.case_bases.snapshot import load_snapshot
from doyle.agents.case_bases.snapshot import preset_names as case_preset_names
from doyle.agents.cases.named import SMALL, named_cases
from doyle.agents.registry import (
    ADAPTIVE,
    BASELINES,
    COVERS,
    ENTRY_POINT_GROUP,
    KINDS,
    OWN_NAMES,
    SCRIPTED,
    STARTER,
)
from doyle.apps.cli.common import AsJson, output
from doyle.base.artifacts.listing import agent_rows
from doyle.base.display import Text
from doyle.base.paths import cache_folder
from doyle.building import load_description, preset_names
from doyle.games import Game

agents_app = typer.Typer(help="The agents that commands know by name.", no_args_is_help=True)

FORMS = {form: meaning for kind in KINDS for form, meaning in kind.forms.items()} | {
    "acpc:PORT": "in `doyle match`: a client of the ACPC protocol that connects there"
}
"""Texts of agents besides the plain names."""


def register(app: typer.Typer) -> None:
    app.add_typer(agents_app, name="agents")


@agents_app.command("list")
def list_agents(as_json: AsJson = False) -> None:
    """List the agents: baselines, scripted ones, those of other packages, presets, and all forms."""
    rows = [*_own_rows(), *_offered_rows(), *_preset_rows(), *_case_rows()]
    document = {"agents": rows, "forms": [{"form": f, "meaning": m} for f, m in FORMS.items()]}

    def text() -> Text:
        width = max(len(row["name"]) for row in rows)
        for kind in dict.fromkeys(row["kind"] for row in rows):
            yield kind
            for row in rows:
                if row["kind"] == kind:
                    yield f"  {row['name']:<{width}}  {_line(row)}".rstrip()
        yield "forms"
        width = max(map(len, FORMS))
        yield from (f"  {form:<{width}}  {meaning}" for form, meaning in FORMS.items())

    output(document, as_json=as_json, text=text)


def _line(row: dict[str, Any]) -> str:
    if row["kind"] not in ("preset", "case-based preset"):
        return str(row["summary"])
    state = "built" if row["built"] else "not built"
    small = "built" if row["built_small"] else "not built"
    return f"{row['game']}; {state}, -small {small}; {row['summary']}"


def _own_rows() -> list[dict[str, Any]]:
    rows = []
    game = Game.named("kuhn")
    for kind, factories in (("baseline", BASELINES), ("scripted", SCRIPTED)):
        for name, make in factories.items():
            agent = make(game)
            summary = (type(agent).__doc__ or "").strip().partition("\n")[0]
            summary = getattr(agent, "summary", summary)
            rows.append({"name": name, "kind": kind, "summary": summary})
    shipped = "A small strategy that comes with the package and plays at once, without a build."
    for kind, described in (("adaptive", ADAPTIVE), ("cover set", COVERS)):
        rows += [{"name": name, "kind": kind, "summary": does} for name, does in described.items()]
    return [*rows, {"name": STARTER, "kind": "starter", "summary": shipped}]


def _offered_rows() -> list[dict[str, Any]]:
    """Agents of other packages; their code is not loaded."""
    return [
        {"name": point.name, "kind": "plug-in", "summary": point.value}
        for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name)
        if point.name not in OWN_NAMES
    ]


def _preset_rows() -> list[dict[str, Any]]:
    built = {row["name"] for row in agent_rows(cache_folder() / "agents") if row["built"]}
    rows = []
    for name in preset_names():
        description = load_description(name)
        rows.append(
            {
                "name": name,
                "kind": "preset",
                "game": description.game.value,
                "summary": description.summary,
                "built": name in built,
                "built_small": f"{name}-small" in built,
            }
        )
    return rows


def _case_rows() -> list[dict[str, Any]]:
    rows = []
    for name in case_preset_names():
        snapshot = load_snapshot(name)
        whole, small = named_cases(name), named_cases(name + SMALL)
        rows.append(
            {
                "name": name,
                "kind": "case-based preset",
                "game": snapshot.game.value,
                "summary": snapshot.summary,
                "built": whole is not None and whole.is_built,
                "built_small": small is not None and small.is_built,
            }
        )
    return rows
