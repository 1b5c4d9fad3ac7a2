"""The cases behind one decision: what a case-based agent retrieved, and what it made of it."""

from __future__ import annotations

from typing import Any

from doyle.agents.case_bases import Query
from doyle.agents.case_bases.features.bets import sequences_of
from doyle.agents.case_bases.inspection import answer_document
from doyle.agents.cases.agent import (
    CaseBasedAgent,
    ChoosingAgent,
    LetterAgent,
    SwitchingAgent,
    VotingAgent,
)
from doyle.agents.explanation import moment, moment_text
from doyle.base.display import Text
from doyle.games import View
from doyle.games.histories import format_action
from doyle.games.policies import policy_row


def explain_cases(agent: LetterAgent, view: View) -> dict[str, Any]:
    """Every reading of the betting with its cases, and the real actions with their probabilities."""
    state, now = view.state, moment(agent.name, view)
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
    return now | {
        "reuse": agent.architecture.reuse,
        "readings": readings,
        "actions": [
            {"action": format_action(state.game, action), "probability": share}
            for action, share in zip(actions, row, strict=True)
            if share > 0
        ],
    }


def cases_text(document: dict[str, Any]) -> Text:
    """The document in words."""
    yield from moment_text(document)
    for reading in document["readings"]:
        yield f"\nread as {reading['betting'] or '(none)'} with weight {reading['weight']:.4f}"
        for answer in reading["answers"]:
            yield from _answer_text(answer)
    yield f"\nplays, by {document['reuse']}"
    for entry in document["actions"]:
        yield f"   {entry['action']:<8} {entry['probability']:.4f}"


def _answer_text(answer: dict[str, Any]) -> Text:
    mapped = f", mapped from {answer['mapped_from']}" if "mapped_from" in answer else ""
    yield f"   base {answer['base']}{mapped}: {_words(answer['features'])}"
    if not answer["retrieved_cases"]:
        yield "   no case is identical: checks, else calls"
    for case in answer["retrieved_cases"]:
        by_feature = ", ".join(f"{name} {value:.3f}" for name, value in case["by_feature"].items())
        yield f"   similarity {case['similarity']:.4f} ({by_feature})"
        yield f"      {_words(case['features'])}"
        means = case["mean_outcomes"]
        vector = (
            f"{one} {count:,} ({means[one]:+.1f} chips)" for one, count in case["counts"].items()
        )
        yield f"      {', '.join(vector)}"


def _words(features: dict[str, str]) -> str:
    return ", ".join(f"{name} {text}" for name, text in features.items())


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
