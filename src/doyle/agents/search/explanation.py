"""Why a searching agent acts as it does: the subgame, its ranges, the solution, and the blueprint."""

from __future__ import annotations

from typing import Any

import numpy as np

from doyle.agents.explanation import moment, moment_text
from doyle.agents.search.agent import SearchAgent
from doyle.base.display import Text
from doyle.games import Action, View
from doyle.games.histories import format_action
from doyle.games.policies import policy_row


def explain_search(agent: SearchAgent, view: View) -> dict[str, Any]:
    """One decision as plain values; without a solution (`searched` false) the blueprint plays it.

    `ranges` are the hands of each seat at the start of the street, counted by weight.
    """
    now, state = moment(agent.name, view), view.state.public()
    row = policy_row(agent.game, view.hole)
    solution = agent.solution(state) if state.round >= agent.first_round else None
    document: dict[str, Any] = now | {
        "searched": solution is not None,
        "actions": _shares(agent, view, *agent.probabilities(state), row=row),
        "blueprint": {
            "agent": agent.blueprint.name,
            "actions": _shares(agent, view, *agent.blueprint.probabilities(state), row=row),
        },
    }
    if solution is None:
        return document
    subgame, root = solution.subgame, solution.subgame.root
    reach = agent.reach(state, state.actor)[subgame.rows]
    shares = agent.probabilities(state)[1][subgame.rows]
    total = float(reach.sum())
    overall = reach @ shares / total if total > 0 else shares.mean(axis=0)
    document["search"] = {
        "round": root.round,
        "pot": root.pot,
        "bets": str(subgame.model),
        "added": [str(bet) for bet in subgame.added],
        "guard": agent.settings.guard,
        "iterations": solution.solver.iteration,
        "exploitability_percent_of_pot": 100 * solution.exploitability / root.pot,
        "ranges": [float(np.sum(weights[subgame.rows])) for weights in subgame.weights],
        "frequencies": [round(float(share), 6) for share in overall],
    }
    return document


def search_text(document: dict[str, Any]) -> Text:
    """The document in words."""
    yield from moment_text(document)
    if document["searched"]:
        search = document["search"]
        yield (
            f"solved   from a pot of {search['pot']}, bets {search['bets']}, guard {search['guard']}, "
            f"{search['iterations']} iterations, exploitability "
            f"{search['exploitability_percent_of_pot']:.2f}% of the pot"
        )
        if search["added"]:
            yield f"added    {', '.join(search['added'])}"
        first, second = search["ranges"]
        yield f"ranges   {first:.1f} and {second:.1f} hands by weight, largest 1"
    for name, actions in (
        ("plays", document["actions"]),
        ("blueprint", document["blueprint"]["actions"]),
    ):
        shares = ", ".join(f"{one['name']} {one['probability']:.4f}" for one in actions)
        yield f"{name:<10}{shares}"


def _shares(
    agent: SearchAgent, view: View, actions: tuple[Action, ...], table: Any, *, row: int
) -> list[dict[str, Any]]:
    return [
        {
            "action": format_action(agent.game, action),
            "name": view.state.action_name(action),
            "probability": round(float(share), 6),
        }
        for action, share in zip(actions, table[row], strict=True)
    ]
