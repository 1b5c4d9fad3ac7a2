"""The laboratory: small agents of a fixed number of iterations, and results that are measured once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.apps.cli.app import main
from doyle.building import BuildDescription, agent_folder, named_build
from doyle.experiments import laboratory
from doyle.experiments.laboratory import (
    DEEP_ITERATIONS,
    ITERATIONS,
    built_agent,
    built_strategy,
    kept_exact_hands,
    kept_lbr,
    kept_match,
    key_of,
    own_description,
)
from doyle.games import Game
from doyle.matches import MatchResult, play_match
from doyle.measuring.exact_hands.run import run_exact_hands

KUHN = Game.named("kuhn")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOYLE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """What would be built; nothing is."""
    made: list[tuple[str, Any]] = []

    def build(description: BuildDescription, **options: Any) -> None:
        made.append((description.name, (options["iterations"], options["workers"].count)))

    def load_or_build(text: str, **_: Any) -> None:
        made.append((text, None))

    monkeypatch.setattr(laboratory, "build", build)
    monkeypatch.setattr(laboratory, "load_or_build_strategy", load_or_build)
    return made


def own_name(text: str, iterations: int) -> str:
    description = named_build(text)
    assert description is not None
    return own_description(description, iterations).name


def test_a_small_agent_is_built_by_one_thread_for_its_iterations(builds: list[Any]) -> None:
    text = "tartanian-small@holdem-nl-200bb"
    name = own_name(text, ITERATIONS)
    assert name.startswith(f"experiment-{text}-")
    assert built_agent(text) == str(agent_folder(name))
    assert builds == [(name, (ITERATIONS, 1))]


def test_deeper_stacks_take_more_iterations(builds: list[Any]) -> None:
    name = own_name("tartanian-small", DEEP_ITERATIONS)
    assert built_agent("tartanian-small") == str(agent_folder(name))
    assert builds == [(name, (DEEP_ITERATIONS, 1))]


def test_what_is_solved_decides_the_name(builds: list[Any]) -> None:
    name = own_name("tartanian-small", 64)
    assert name != own_name("tartanian-small", 65)
    assert built_strategy("tartanian-small", iterations=64) == str(agent_folder(name))
    assert builds == [(name, (64, 1))]
    description = named_build("tartanian-small")
    assert description is not None
    finer = description.model_copy(
        update={"cards": description.cards.model_copy(update={"value": "9.9.9.9"})}
    )
    assert own_description(finer, 64).name != name


def test_a_full_agent_is_the_preset(builds: list[Any]) -> None:
    assert built_agent("tartanian") == "tartanian"
    assert builds == [("tartanian", None)]


def test_the_agent_that_explores_explores_over_its_strategy(builds: list[Any]) -> None:
    text = "hyperborean09-br-small@holdem-nl-200bb"
    folder = agent_folder(own_name(text, ITERATIONS))
    assert built_agent(text) == f"explorer:{folder}"
    assert built_strategy(text) == str(folder)
    assert built_agent("hyperborean09-br") == "hyperborean09-br"


def test_agents_that_are_no_builds_are_left_as_they_are(builds: list[Any]) -> None:
    for text in ("pokeminn", "tartanian-small:translation=det-geo"):
        assert built_agent(text) == text
    assert builds == []


def test_a_kept_match_is_the_match_and_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = kept_match(KUHN, ("always-call", "random"), hands=60, seed=4)
    plain = play_match(KUHN, ["always-call", "random"], hands=60, seed=4)
    assert np.array_equal(first.units, plain.units)
    assert first.document() == plain.document()
    monkeypatch.setattr(laboratory, "play_match", _never)
    again = kept_match(KUHN, ("always-call", "random"), hands=60, seed=4)
    assert np.array_equal(again.units, plain.units)
    assert again.document() == plain.document()
    with pytest.raises(AssertionError, match="played"):
        kept_match(KUHN, ("always-call", "random"), hands=60, seed=5)


def test_a_match_with_a_forfeit_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from doyle.matches.play import Forfeit

    played: list[int] = []

    def play(*arguments: Any, **options: Any) -> MatchResult:
        played.append(1)
        return replace(play_match(*arguments, **options), forfeits=(Forfeit(0, 3, "time"),))

    monkeypatch.setattr(laboratory, "play_match", play)
    for _ in range(2):
        assert kept_match(KUHN, ("always-call", "random"), hands=20).forfeits
    assert len(played) == 2


def test_a_kept_local_best_response_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = kept_lbr(KUHN, "always-call", actions="all", hands=10)
    monkeypatch.setattr(laboratory, "run_lbr", _never)
    again = kept_lbr(KUHN, "always-call", actions="all", hands=10)
    assert again.document() == first.document()
    assert again.ci95 == first.ci95 == 0.0


def test_hands_on_boards_are_evaluated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.named("leduc")
    pair = ("always-call", "always-raise")
    first = kept_exact_hands(game, pair, boards=2)
    assert first.won == run_exact_hands(game, pair, boards=2).won
    monkeypatch.setattr(laboratory, "run_exact_hands", _never)
    again = kept_exact_hands(game, pair, boards=2)
    assert (again.won, again.document()) == (first.won, first.document())
    with pytest.raises(AssertionError, match="played"):
        kept_exact_hands(game, pair, boards=2, least_stake=0.5)


def test_what_is_kept_follows_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    kept_match(KUHN, ("always-call", "random"), hands=20)
    monkeypatch.setattr("doyle.agents.identity.code_digest", lambda: "changed")
    monkeypatch.setattr(laboratory, "play_match", _never)
    with pytest.raises(AssertionError, match="played"):
        kept_match(KUHN, ("always-call", "random"), hands=20)


def _never(*arguments: object, **options: object) -> None:
    raise AssertionError("played")


def test_a_strategy_is_known_by_its_tables_and_how_it_is_played(tmp_path: Path) -> None:
    folder = tmp_path / "leduc"
    game = Game.named("leduc")
    found = []
    for iterations in ("5", "10"):
        assert (
            main(["solve", "leduc", "--iterations", iterations, "--save", str(folder), "--json"])
            == 0
        )
        found.append(key_of(game, [str(folder)]))
    found.append(key_of(game, [f"{folder}:purification=full"]))
    found.append(key_of(game, [f"{folder}:translation=det-geo"]))
    assert None not in found
    assert all(one not in found[:place] for place, one in enumerate(found))


def test_agents_from_files_play_every_time(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("class Player:\n    name = 'mine'\n")
    assert key_of(KUHN, [f"{path}:Player"]) is None
    assert key_of(KUHN, ["always-call", f"{path}:Player"]) is None
