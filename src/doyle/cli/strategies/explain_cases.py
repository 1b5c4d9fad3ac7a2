"""A decision of a case-based agent: the cases that it retrieved, for `doyle explain` and `doyle cases`."""

from __future__ import annotations

from typing import Any

import typer

from doyle.agents.cases.explanation import explain_cases
from doyle.agents.cases.named import NamedCases
from doyle.cards import format_cards
from doyle.histories import format_betting, parse_matchstate


def explain_document(named: NamedCases, state: str) -> dict[str, Any]:
    """What the agent of `named` does at a MATCHSTATE line, and why."""
    agent = named.agent()
    seen = parse_matchstate(agent.game, state, what="--state")
    view = seen.state.view(seen.seat)
    return {
        "agent": agent.name,
        "game": agent.game.name,
        "seat": seen.seat,
        "round": seen.state.round,
        "betting": format_betting(seen.state),
        "hole": format_cards(view.hole),
        "board": format_cards(view.board),
        **explain_cases(agent, view),
    }


def show_explanation(document: dict[str, Any]) -> None:
    """The document for people."""
    cards = f"{document['hole']} {document['board']}".strip()
    typer.echo(f"{document['agent']} in seat {document['seat']} of {document['game']}")
    typer.echo(f"hand     {cards}")
    typer.echo(f"betting  {document['betting'] or '(none)'}")
    for reading in document["readings"]:
        typer.echo("")
        typer.echo(f"read as {reading['betting'] or '(none)'} with weight {reading['weight']:.4f}")
        for answer in reading["answers"]:
            _show_answer(answer)
    typer.echo("")
    typer.echo(f"plays, by {document['reuse']}")
    for entry in document["actions"]:
        typer.echo(f"   {entry['action']:<8} {entry['probability']:.4f}")


def _show_answer(answer: dict[str, Any]) -> None:
    mapped = f", mapped from {answer['mapped_from']}" if "mapped_from" in answer else ""
    typer.echo(f"   base {answer['base']}{mapped}: {_words(answer['features'])}")
    if not answer["retrieved_cases"]:
        typer.echo("   no case is identical: checks, else calls")
    for case in answer["retrieved_cases"]:
        by_feature = ", ".join(f"{name} {value:.3f}" for name, value in case["by_feature"].items())
        typer.echo(f"   similarity {case['similarity']:.4f} ({by_feature})")
        typer.echo(f"      {_words(case['features'])}")
        outcomes = case["mean_outcomes"]
        vector = ", ".join(
            f"{letter} {count:,} ({outcomes[letter]:+.1f} chips)"
            for letter, count in case["counts"].items()
        )
        typer.echo(f"      {vector}")


def _words(features: dict[str, str]) -> str:
    return ", ".join(f"{name} {text}" for name, text in features.items())
