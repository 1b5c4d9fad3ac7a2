"""Explanations of case-based agents: the cases behind a decision, as few numbers as a page
shows."""

from __future__ import annotations

from typing import Any

from doyle.agents.case_bases.domains import ALL_IN, POT_SHARES
from doyle.agents.cases import LetterAgent
from doyle.agents.cases.explanation import explain_cases
from doyle.games import View

MOST_READINGS = 4
MOST_CASES = 5
_WORDS = {"f": "fold", "c": "check or call", "r": "bet or raise", ALL_IN: "all-in"}


def retrieved(agent: LetterAgent, view: View) -> dict[str, Any]:
    """The likeliest readings of the betting, each with the most similar cases of every base."""
    found = explain_cases(agent, view)
    readings = sorted(found["readings"], key=lambda reading: -float(reading["weight"]))
    return {
        "reuse": found["reuse"],
        "letters": {letter: letter_words(letter) for letter in agent.architecture.letters},
        "readings": [
            {
                "betting": reading["betting"],
                "weight": round(reading["weight"], 4),
                "answers": [_answer(answer) for answer in reading["answers"]],
            }
            for reading in readings[:MOST_READINGS]
        ],
    }


def letter_words(letter: str) -> str:
    """The action of a letter of a betting sequence, as text.

    >>> letter_words("h"), letter_words("a")
    ('bet 0.5 of the pot', 'all-in')
    """
    share = POT_SHARES.get(letter)
    return _WORDS[letter] if share is None else f"bet {share:g} of the pot"


def _answer(answer: dict[str, Any]) -> dict[str, Any]:
    """One base's answer for a reading."""
    cases = answer["retrieved_cases"]
    return {
        "base": answer["base"],
        "mapped_from": answer.get("mapped_from"),
        "features": answer["features"],
        "count": len(cases),
        "cases": [
            {
                "features": case["features"],
                "similarity": round(case["similarity"], 4),
                "by_feature": {name: round(v, 4) for name, v in case["by_feature"].items()},
                "counts": case["counts"],
            }
            for case in cases[:MOST_CASES]
        ],
        "action_vector": answer["action_vector"],
        "probabilities": {letter: round(p, 4) for letter, p in answer["probabilities"].items()},
    }
