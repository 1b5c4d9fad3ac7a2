"""Snapshots trained on hands of their experts, with strategies of no strength in their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from doyle.agents.case_bases import CaseBase
from doyle.agents.case_bases.snapshot import (
    load_snapshot,
    parse_snapshot,
    preset_folder,
    preset_names,
)
from doyle.agents.cases.named import named_cases
from doyle.base.errors import DoyleError
from doyle.building import named_build
from doyle.experiments.training.presets import folder_name, scaled, train
from doyle.games import Game
from tests.experiments.training.experts_of_no_strength import save_random, use_rank_cards

SNAPSHOT = """
name = "two-teachers"
game = "holdem-limit-2p"
retrieve = 0
[features]
strength = "categories"
[similarity]
strength_metric = "all-or-nothing"
[training]
experts = [{experts}]
deals = 40
"""


def test_every_expert_gives_a_base(
    fresh_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_rank_cards(monkeypatch)
    texts = [save_random(tmp_path / name, seed=seed) for seed, name in enumerate(("one", "two"))]
    experts = ", ".join(f'"{text}"' for text in texts)
    snapshot = parse_snapshot(SNAPSHOT.format(experts=experts), where="test")
    said: list[str] = []
    train(snapshot, say=said.append)
    members = preset_folder("two-teachers") / "members"
    assert sorted(path.name for path in members.iterdir()) == sorted(map(folder_name, texts))
    bases = [CaseBase.load(members / folder_name(text)) for text in texts]
    assert all(base.decisions > 100 for base in bases)
    # Each learns from its own expert only: against itself and against the other.
    assert [base.training["players"] for base in bases] == [["one", "one#2"], ["two", "two#2"]]
    assert len(said) == 2
    train(snapshot, say=said.append)
    assert "is there already" in said[-1]


def test_an_interrupted_training_is_not_an_agent(
    fresh_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_rank_cards(monkeypatch)
    text = save_random(tmp_path / "one")
    snapshot = parse_snapshot(SNAPSHOT.format(experts=f'"{text}", "nobody"'), where="test")
    with pytest.raises(DoyleError, match="nobody"):
        train(snapshot)
    assert not (preset_folder("two-teachers") / "members").exists()
    with pytest.raises(DoyleError, match="full or small"):
        train(snapshot, scale="tiny")


def test_small_training_has_small_experts() -> None:
    assert scaled("gs2-limit", small=True) == "gs2-limit-small"
    assert scaled("gs2-limit", small=False) == "gs2-limit"
    assert scaled("limit-2p-small", small=True) == "limit-2p-small"
    snapshot = load_snapshot("sartre-2011")
    assert [scaled(name, small=True) for name in snapshot.training.experts.value] == [
        "limit-2p-small", "gs2-limit-small", "gs3-limit-small",
    ]  # fmt: skip
    assert named_cases("sartre-2011-small") is not None


@pytest.mark.parametrize("name", preset_names())
@pytest.mark.parametrize("small", [True, False])
def test_the_experts_of_a_preset_play_its_game(name: str, small: bool) -> None:
    snapshot = load_snapshot(name)
    point = snapshot.training
    groups = [
        (snapshot.game.value, (*point.experts.value, *point.partners.value)),
        ("holdem-limit-2p", point.heads_up.value),
    ]
    for game, agents in groups:
        for agent in agents:
            description = named_build(scaled(agent, small=small).partition(":")[0])
            assert description is not None
            assert Game.named(description.game.value) == Game.named(game)
