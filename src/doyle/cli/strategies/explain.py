"""`doyle explain`: why an agent acts as it does at one moment of a hand."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

import typer

from doyle.agents import resolve_agent
from doyle.agents.explanation import Explanation
from doyle.agents.explanation import explain as explain_view
from doyle.agents.registry import FromCases, Searching, find_agent
from doyle.agents.strategy_agent import StrategyAgent
from doyle.card_abstraction import Atlas, CardAbstraction
from doyle.card_abstraction.strength.inspection import hand_values
from doyle.cards import format_cards
from doyle.cli.common import AsJson, output
from doyle.cli.measurements.lbr import game_of_agent
from doyle.cli.missing import BuildMissing, build_missing, strategy_of
from doyle.errors import DoyleError
from doyle.histories import MatchState, format_action, format_betting, parse_matchstate


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
    state: Annotated[
        str,
        typer.Option(
            "--state",
            metavar="MATCHSTATE",
            help="What the seat to act sees, such as 'MATCHSTATE:1:0:cr300:|AsKd'.",
        ),
    ],
    build: BuildMissing = False,
    as_json: AsJson = False,
) -> None:
    """Show a decision: abstract histories with weights, the bucket, action probabilities.

    Of a case-based agent: the cases retrieved, their similarity by feature, the action vector. Of a
    searching agent: the ranges, the solution, and what the blueprint would have done.
    """
    kind = find_agent(agent)
    if isinstance(kind, Searching):
        searched = _search_document(agent, state, build=build)
        output(searched, as_json=as_json, text=lambda: _show_search(searched))
        return
    if isinstance(kind, FromCases):
        from doyle.cli.strategies.explain_cases import explain_document, show_explanation

        build_missing([agent], build=build)
        found = explain_document(kind.named, state)
        output(found, as_json=as_json, text=lambda: show_explanation(found))
        return
    read = partial(parse_matchstate, line=state, what="--state")
    named = strategy_of(agent, purpose="explain", build=build, check=read)
    player = named.agent()
    seen = read(player.game)
    explanation = explain_view(player, seen.state.view(seen.seat))
    document = _document(player, seen, explanation, translation=named.translation_name)
    output(document, as_json=as_json, text=lambda: _show(document))


def _search_document(agent: str, line: str, *, build: bool) -> dict[str, Any]:
    from doyle.agents.search.agent import SearchAgent
    from doyle.agents.search.explanation import explain_search

    game = game_of_agent(agent, None, build=build)
    seen = parse_matchstate(game, line, what="--state")
    if seen.state.actor != seen.seat:
        raise DoyleError(f"--state: seat {seen.seat} is not to act")
    view = seen.state.view(seen.seat)
    if len(view.hole) != game.hole_cards:
        raise DoyleError(f"--state: the cards of seat {seen.seat} are hidden")
    player = resolve_agent(agent, game)
    assert isinstance(player, SearchAgent)
    return {
        "agent": player.name,
        "game": game.name,
        "seat": seen.seat,
        "round": seen.state.round,
        "betting": format_betting(seen.state),
        "hole": format_cards(view.hole),
        "board": format_cards(view.board),
        **explain_search(player, view),
    }


def _show_search(document: dict[str, Any]) -> None:
    typer.echo(f"{document['agent']} in seat {document['seat']} of {document['game']}")
    typer.echo(f"hand       {document['hole']} {document['board']}".rstrip())
    typer.echo(f"betting    {document['betting'] or '(none)'}")
    if document["searched"]:
        search = document["search"]
        typer.echo(
            f"solved     from a pot of {search['pot']}, bets {search['bets']}, guard "
            f"{search['guard']}, {search['iterations']} iterations, exploitability "
            f"{search['exploitability_percent_of_pot']:.2f}% of the pot"
        )
        if search["added"]:
            typer.echo(f"added      {', '.join(search['added'])}")
        first, second = search["ranges"]
        typer.echo(f"ranges     {first:.1f} and {second:.1f} hands by weight, largest 1")
    for name, actions in (
        ("plays", document["actions"]),
        ("blueprint", document["blueprint"]["actions"]),
    ):
        shares = ", ".join(f"{one['name']} {one['probability']:.4f}" for one in actions)
        typer.echo(f"{name:<11}{shares}")


def _document(
    agent: StrategyAgent, seen: MatchState, explanation: Explanation, *, translation: str
) -> dict[str, Any]:
    game, state = agent.game, seen.state
    view = state.view(seen.seat)
    return {
        "agent": agent.name,
        "game": game.name,
        "seat": seen.seat,
        "round": state.round,
        "betting": format_betting(state),
        "hole": format_cards(view.hole),
        "board": format_cards(view.board),
        "translation": {
            "name": translation,
            "mapping": agent.translation.mapping.name,
            "measure": agent.translation.measure,
            "small_bets": agent.translation.small_bets,
            "remembers_own_actions": agent.translation.remember,
            "defend": agent.translation.defend,
        },
        "bucket": explanation.bucket,
        "buckets": explanation.bucket_count,
        "hand_strength": _strength(agent, view.hole, view.board),
        "reached": bool(explanation.histories),
        "histories": [
            {
                "betting": history.betting,
                "weight": history.weight,
                "waits": history.waits,
                "if_last": history.if_last
                and {"betting": history.if_last[0], "probability": history.if_last[1]},
                "actions": [
                    {
                        "action": format_action(game, move.action),
                        "probability": move.probability,
                        "real": format_action(game, move.real),
                    }
                    for move in history.moves
                ],
            }
            for history in explanation.histories
        ],
        "defence": explanation.defence and asdict(explanation.defence),
        "actions": [
            {"action": format_action(game, action), "probability": probability}
            for action, probability in explanation.actions
        ],
    }


def _strength(
    agent: StrategyAgent, hole: tuple[int, ...], board: tuple[int, ...]
) -> dict[str, float] | None:
    """HS and E[HS] from the atlas, which is there when the abstraction was made from it."""
    if not isinstance(agent.bucketing, CardAbstraction):
        return None
    values = hand_values(hole, board, atlas=Atlas())
    return {"hs": values.hs, "ehs": values.ehs}


def _show(document: dict[str, Any]) -> None:
    cards = f"{document['hole']} {document['board']}".strip()
    typer.echo(f"{document['agent']} in seat {document['seat']} of {document['game']}")
    strength = document["hand_strength"]
    values = f", hs {strength['hs']:.3f}, E[HS] {strength['ehs']:.3f}" if strength else ""
    typer.echo(f"hand     {cards}: bucket {document['bucket']} of {document['buckets']:,}{values}")
    typer.echo(f"betting  {document['betting'] or '(none)'}")
    translation = document["translation"]
    name, mapping = translation["name"], translation["mapping"]
    by = name if name == mapping else f"{name}, mapping {mapping}"
    typer.echo(f"read by  {by}, measure {translation['measure']}")
    typer.echo("")
    if not document["reached"]:
        typer.echo("This hand has zero reach: the agent would have played it differently before.")
    for history in document["histories"]:
        typer.echo(f"as {history['betting'] or '(none)'} with weight {history['weight']:.4f}")
        if history["if_last"]:
            last = history["if_last"]
            typer.echo(
                f"   if this raise is the last of the round: "
                f"{last['betting']} with probability {last['probability']:.4f}"
            )
        if history["waits"]:
            typer.echo("   ahead of the real game: calls until that has caught up")
        for move in history["actions"]:
            spoken = "" if move["real"] == move["action"] else f"  played as {move['real']}"
            typer.echo(f"   {move['action']:<8} {move['probability']:.4f}{spoken}")
    defence = document["defence"]
    if defence:
        typer.echo(
            f"the worst hands fold first: of its hands here {defence['place']:.1%} are worse; "
            f"folds {defence['folds']:.4f} instead of {defence['by_strategy']:.4f}"
        )
    typer.echo("")
    typer.echo("plays")
    for entry in document["actions"]:
        typer.echo(f"   {entry['action']:<8} {entry['probability']:.4f}")
