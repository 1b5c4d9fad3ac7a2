"""Every preset builds at small scale and plays; few iterations, as strength is not the point."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from doyle.agents.named_strategy import named_strategy
from doyle.apps.cli import main
from doyle.base.paths import cache_folder
from doyle.building import agent_folder, load_agent_strategy, load_description, preset_names

KEYS = {
    "agent", "folder", "report", "infosets", "iterations", "wanted_iterations", "cut_short", "exploitability",
    "exploitability_as_played", "exploitability_note", "deterministic", "stages", "matches",
    "game", "seed", "advice", "late_responses", "lbr", "abstract_exploitability_mbb", "betting_tree_exploitability_mbb",
}  # fmt: skip


@pytest.fixture
def own_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cards of the usual cache, and no agents: those of the user stay as they are."""
    artifacts = cache_folder() / "artifacts"
    artifacts.mkdir(parents=True, exist_ok=True)
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "artifacts").symlink_to(artifacts, target_is_directory=True)
    monkeypatch.setenv("DOYLE_CACHE", str(tmp_path / "cache"))


@pytest.mark.slow
@pytest.mark.usefixtures("own_agents")
@pytest.mark.parametrize("name", preset_names())
def test_a_preset_builds_at_small_scale(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    # The default agent would also build two presets to play against.
    hands = 0 if name == "default" else 5
    arguments = ["build", name, "--scale", "small", "--iterations", "1", "--workers", "1"]
    assert main([*arguments, "--hands", str(hands), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document) == KEYS
    assert document["agent"] == f"{name}-small"
    assert document["folder"] == str(agent_folder(f"{name}-small"))
    assert document["iterations"] == 1 << 18
    assert document["deterministic"]
    assert len(document["matches"]) == (6 if hands else 0)
    assert {"cards", "betting tree", "solving", "strategy"} <= {
        stage["name"] for stage in document["stages"]
    }
    strategy = load_agent_strategy(f"{name}-small")
    described = load_description(name).at_scale("small")
    assert strategy.tree.game.name == described.game.value
    assert list(strategy.info.infosets or ()) == document["infosets"]
    assert len(document["infosets"]) == strategy.tree.game.players
    for node in (0, int(strategy.tree.decisions[-1])):
        buckets = min(20, strategy.bucket_count(int(strategy.tree.round[node])))
        shares = strategy.probabilities(node, np.arange(buckets))
        np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=1e-5)
    html = Path(document["report"]).read_text()
    assert all(row.note in html.replace("&#x27;", "'") for row in described.tags())


@pytest.mark.slow
@pytest.mark.usefixtures("own_agents")
def test_gs1_and_its_purified_variant_play(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["build", "gs1-limit", "--scale", "small", "--iterations", "1", "--workers", "1"]
    assert main([*arguments, "--hands", "0", "--json"]) == 0
    capsys.readouterr()
    mixed, pure = (
        named_strategy(f"gs1-limit-small{options}") for options in ("", ":purification=full")
    )
    assert mixed is not None
    assert pure is not None
    assert mixed.tables.info.bucket_counts == (3, 18, 137, 624)
    mixes = False
    for node in mixed.tables.tree.decisions[::50].tolist():
        buckets = np.arange(mixed.tables.bucket_count(int(mixed.tables.tree.round[node])))
        shares = mixed.played.probabilities(node, buckets)
        purified = pure.played.probabilities(node, buckets)
        largest = shares >= shares.max(axis=1, keepdims=True) - 1e-6
        assert not purified[~largest].any()
        np.testing.assert_allclose(purified.sum(axis=1), 1.0, atol=1e-5)
        mixes = mixes or bool(((shares > 0.05).sum(axis=1) > 1).any())
    assert mixes
    texts = ["gs1-limit-small", "gs1-limit-small:purification=full"]
    assert main(["match", "holdem-limit-2p", *texts, "--hands", "20", "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["players"]
    assert first["mbb_per_hand"] == pytest.approx(-second["mbb_per_hand"])
