"""Small exhibits: built for a fixed number of iterations under a name of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from doyle.building import BuildDescription, agent_folder
from doyle.experiments.museum import built
from doyle.experiments.museum.built import (
    DEEP_ITERATIONS,
    ITERATIONS,
    built_exhibit,
    built_strategy,
)


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, Any]]:
    """What would be built; nothing is."""
    monkeypatch.setenv("DOYLE_CACHE", str(tmp_path))
    made: list[tuple[str, Any]] = []

    def build(description: BuildDescription, **options: Any) -> None:
        made.append((description.name, (options["iterations"], options["workers"].count)))

    def load_or_build(text: str, **_: Any) -> None:
        made.append((text, None))

    monkeypatch.setattr(built, "build", build)
    monkeypatch.setattr(built, "load_or_build_strategy", load_or_build)
    return made


def test_a_small_exhibit_is_built_by_one_thread_for_its_iterations(builds: list[Any]) -> None:
    text = "tartanian-small@holdem-nl-200bb"
    assert built_exhibit(text) == str(agent_folder(f"museum-{text}"))
    assert builds == [(f"museum-{text}", (ITERATIONS, 1))]


def test_deeper_stacks_take_more_iterations(builds: list[Any]) -> None:
    assert built_exhibit("tartanian-small") == str(agent_folder("museum-tartanian-small"))
    assert builds == [("museum-tartanian-small", (DEEP_ITERATIONS, 1))]


def test_other_lengths_have_other_names(builds: list[Any]) -> None:
    assert built_strategy("tartanian-small", iterations=64) == str(
        agent_folder("museum-tartanian-small-64")
    )
    assert builds == [("museum-tartanian-small-64", (64, 1))]


def test_a_full_exhibit_is_the_preset(builds: list[Any]) -> None:
    assert built_exhibit("tartanian") == "tartanian"
    assert builds == [("tartanian", None)]


def test_the_agent_that_explores_explores_over_its_exhibit(builds: list[Any]) -> None:
    text = "hyperborean09-br-small@holdem-nl-200bb"
    folder = agent_folder(f"museum-{text}")
    assert built_exhibit(text) == f"explorer:{folder}"
    assert built_strategy(text) == str(folder)
    assert built_exhibit("hyperborean09-br") == "hyperborean09-br"


def test_agents_that_are_no_builds_are_left_as_they_are(builds: list[Any]) -> None:
    assert built_exhibit("pokeminn") == "pokeminn"
    assert (
        built_exhibit("tartanian-small:translation=det-geo")
        == "tartanian-small:translation=det-geo"
    )
    assert builds == []
