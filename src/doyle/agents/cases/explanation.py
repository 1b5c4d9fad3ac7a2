"""The cases behind one decision: what a case-based agent retrieved, and what it made of it."""

from __future__ import annotations

from typing import Any

from doyle.agents.cases.agent import CaseBasedAgent, LetterAgent
from doyle.agents.cases.combination import ChoosingAgent, VotingAgent
from doyle.agents.cases.switching import SwitchingAgent
from doyle.cases import Query
from doyle.cases.features.situations import sequences_of
from doyle.cases.inspection import answer_document
from doyle.errors import DoyleError
from doyle.games import View
from doyle.games.policies import check_decision, policy_row
from doyle.histories import format_action


def explain_cases(agent: LetterAgent, view: View) -> dict[str, Any]:
    """Every reading of the betting with its cases, and the real actions with their probabilities."""
    state = view.state
    if state.is_over:
        raise DoyleError("the hand is over: there is no decision to explain")
    if state.actor != view.seat:
        raise DoyleError(f"seat {state.actor} is to act, not seat {view.seat}")
    if len(view.hole) != 2:
        raise DoyleError(f"the cards of seat {view.seat} are hidden; a decision depends on them")
    check_decision(state)
    readings = [
        {
            "betting": text,
            "weight": weight,
            "answers": _answers(agent, agent.query(state, text, view.hole)),
        }
        for text, weight in sequences_of(state, agent.architecture)
    ]
    actions, shares = agent.probabilities(state)
    row = shares[policy_row(state.game, view.hole)].tolist()
    return {
        "reuse": agent.architecture.reuse,
        "readings": readings,
        "actions": [
            {"action": format_action(state.game, action), "probability": share}
            for action, share in zip(actions, row, strict=True)
            if share > 0
        ],
    }


def _answers(agent: LetterAgent, query: Query) -> list[dict[str, Any]]:
    """What each base of an agent says of a situation."""
    if isinstance(agent, VotingAgent | ChoosingAgent):
        return [{"base": member.base.name, **_of_base(member, query)} for member in agent.members]
    if isinstance(agent, SwitchingAgent):
        answer = agent.switched(query) if "f" in query.sequence else None
        if answer is not None:
            asked, found = answer
            document = answer_document(agent.two_players, asked, found)
            return [{"base": agent.heads_up.name, "mapped_from": query.sequence, **document}]
        return [{"base": agent.base.name, **_of_base(agent.three_players, query)}]
    assert isinstance(agent, CaseBasedAgent)
    return [{"base": agent.base.name, **_of_base(agent, query)}]


def _of_base(agent: CaseBasedAgent, query: Query) -> dict[str, Any]:
    return answer_document(agent.retriever, query, agent.retrieve(query))
