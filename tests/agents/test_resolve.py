"""One resolver: baselines, agents of other packages, and clear refusals."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from doyle.agents import AlwaysCall, agent_names, check_agent_text, registry, resolve_agent
from doyle.base.errors import DoyleError
from doyle.games import Game

KUHN = Game.named("kuhn")


def make_caller(game: Game) -> AlwaysCall:
    return AlwaysCall()


def make_nothing(game: Game) -> object:
    return object()


def make_trouble(game: Game) -> AlwaysCall:
    raise RuntimeError(f"no strategy for {game.name}")


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entry points as an installed package would declare them."""
    here = "tests.agents.test_resolve"
    values = {
        "their-caller": f"{here}:make_caller",
        "broken": f"{here}:make_nothing",
        "failing": f"{here}:make_trouble",
        "missing": "no_such_module:make",
        "random": f"{here}:make_caller",
    }
    points = [EntryPoint(name, value, "doyle.agents") for name, value in values.items()]
    monkeypatch.setattr(registry, "entry_points", lambda *, group: points)


def test_all_baselines_are_known() -> None:
    known = ["always-fold", "always-call", "always-raise", "always-all-in", "random", "ev"]
    assert agent_names()[:6] == known
    for name in known:
        assert resolve_agent(name, KUHN).name == name


@pytest.mark.usefixtures("plugins")
def test_other_packages_offer_agents_by_entry_point() -> None:
    assert isinstance(resolve_agent("their-caller", KUHN), AlwaysCall)
    assert "their-caller" in agent_names()


@pytest.mark.usefixtures("plugins")
def test_an_entry_point_does_not_replace_a_baseline() -> None:
    assert resolve_agent("random", KUHN).name == "random"
    assert agent_names().count("random") == 1


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("broken", "gave a object, which has no `name` and `act"),
        ("failing", "RuntimeError: no strategy for kuhn"),
        ("missing", "ModuleNotFoundError"),
    ],
)
def test_broken_plugins_are_named(name: str, problem: str) -> None:
    with pytest.raises(DoyleError, match=problem):
        resolve_agent(name, KUHN)


def test_unknown_names_get_a_hint(tmp_path: Path) -> None:
    with pytest.raises(DoyleError, match="did you mean 'always-call'"):
        resolve_agent("always-cal", KUHN)
    with pytest.raises(DoyleError, match="no such agent; `doyle agents list` names all"):
        resolve_agent("qqq", KUHN)
    with pytest.raises(DoyleError, match="'starter' takes no options"):
        resolve_agent("starter:purification=full", KUHN)
    with pytest.raises(DoyleError, match="there is no such file or folder"):
        resolve_agent("no/such", KUHN)
    file = tmp_path / "notes.txt"
    file.write_text("not an agent")
    with pytest.raises(DoyleError, match="no agent is made from such a file"):
        resolve_agent(str(file), KUHN)


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_name_is_refused(text: str) -> None:
    with pytest.raises(DoyleError, match="an agent's name is empty"):
        check_agent_text(text, KUHN)
