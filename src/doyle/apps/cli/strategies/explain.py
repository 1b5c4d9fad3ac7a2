"""`doyle explain`: why an agent acts as it does at one moment of a hand."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from doyle.abstractions.cards import Atlas, CardAbstraction
from doyle.abstractions.cards.strength.inspection import hand_values
from doyle.agents import resolve_agent
from doyle.agents.cases.explanation import cases_text, explain_cases
from doyle.agents.explanation import Explanation, moment, moment_text
from doyle.agents.explanation import explain as explain_view
from doyle.agents.registry import FromCases, Searching, find_agent
from doyle.agents.search.agent import SearchAgent
from doyle.agents.search.explanation import explain_search, search_text
from doyle.agents.strategy_agent import StrategyAgent
from doyle.apps.cli.common import AsJson, output
from doyle.apps.cli.missing import BuildMissing, build_missing, strategy_of
from doyle.apps.cli.options import MatchStateText, game_of_agent
from doyle.base.display import Text
from doyle.games import View
from doyle.games.histories import MatchState, parse_matchstate


def register(app: typer.Typer) -> None:
    app.command()(explain)


def explain(
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT",
            help="A preset, description, strategy or case-base folder; options after a colon.",
        ),
    ],
    state: MatchStateText,
    build: BuildMissing = False,
    as_json: AsJson = False,
) -> None:
    """Show a decision: abstract histories with weights, the bucket, action probabilities.

    Of a case-based agent: the cases retrieved, their similarity by feature, the action vector. Of a
    searching agent: the ranges, the solution, and the blueprint's play.
    """
    kind = find_agent(agent)
    read = partial(parse_matchstate, line=state, what="--state")
    if isinstance(kind, Searching):
        game = game_of_agent(agent, None, build=build)
        searching = resolve_agent(agent, game)
        assert isinstance(searching, SearchAgent)
        searched = explain_search(searching, _view(read(game)))
        output(searched, as_json=as_json, text=lambda: search_text(searched))
        return
    if isinstance(kind, FromCases):
        build_missing([agent], build=build)
        imitator = kind.named.agent()
        retrieved = explain_cases(imitator, _view(read(imitator.game)))
        output(retrieved, as_json=as_json, text=lambda: cases_text(retrieved))
        return
    named = strategy_of(agent, purpose="explain", build=build, check=read)
    player = named.agent()
    view = _view(read(player.game))
    document = moment(player.name, view)
    explanation = explain_view(player, view)
    document |= explanation.document() | {"hand_strength": _strength(player, view)}
    document["translation"]["name"] = named.translation_name
    output(document, as_json=as_json, text=lambda: _text(document, explanation))


def _view(seen: MatchState) -> View:
    return seen.state.view(seen.seat)


def _strength(agent: StrategyAgent, view: View) -> dict[str, float] | None:
    """HS and E[HS] from the atlas, which is there when the abstraction was made from it."""
    if not isinstance(agent.bucketing, CardAbstraction):
        return None
    values = hand_values(view.hole, view.board, atlas=Atlas())
    return {"hs": values.hs, "ehs": values.ehs}


def _text(document: dict[str, Any], explanation: Explanation) -> Text:
    strength, translation = document["hand_strength"], document["translation"]
    values = f", hs {strength['hs']:.3f}, E[HS] {strength['ehs']:.3f}" if strength else ""
    bucket = f": bucket {document['bucket']} of {document['buckets']:,}{values}"
    yield from moment_text(document, bucket)
    name, mapping = translation["name"], translation["mapping"]
    by = name if name == mapping else f"{name}, mapping {mapping}"
    yield f"read by  {by}, measure {translation['measure']}"
    yield from explanation.text()
