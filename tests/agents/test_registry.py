"""Texts of agents are read by one kind each, which knows what must be built for them."""

from __future__ import annotations

import re

import pytest

from doyle.agents import registry
from doyle.agents.registry import find_agent, read_agent
from doyle.base.errors import DoyleError


@pytest.mark.parametrize(
    ("text", "kind", "needs"),
    [
        ("always-call", "Bundled", []),
        ("starter", "Bundled", []),
        ("search:starter", "Searching", []),
        ("search:default:guard=resolve,threshold=0.2", "Searching", ["default:threshold=0.2"]),
        ("size-tell:default:translation=det-geo", "Exploiting", ["default:translation=det-geo"]),
        ("hyperborean09-br-small", "Exploiting", ["hyperborean09-br-small"]),
        ("full-coach:a:then:b", "Coached", ["a", "b"]),
        ("./agent.py:Bot", "FromFile", []),
        ("sartre-2010:retain=own", "FromCases", ["sartre-2010:retain=own"]),
        ("default:threshold=0.2", "FromStrategy", ["default:threshold=0.2"]),
    ],
)
def test_a_text_is_of_one_kind(text: str, kind: str, needs: list[str]) -> None:
    found = read_agent(text)
    assert type(found).__name__ == kind
    assert found.text == text
    assert [part.text for part in found.needs()] == needs
    assert found.is_foreign == (kind == "FromFile")


@pytest.mark.parametrize("text", ["", "nobody", "+-:default", "size-tell"])
def test_other_texts_are_of_none(text: str) -> None:
    assert find_agent(text) is None
    with pytest.raises(DoyleError, match="no such agent"):
        read_agent(text)


def test_no_name_looks_like_an_option_to_the_shell() -> None:
    names = (*registry.OWN_NAMES, *registry.EXPLOITERS, *registry.COACHES, registry.SEARCH)
    assert all(re.fullmatch(r"[A-Za-z][\w.-]*", name) for name in names)
