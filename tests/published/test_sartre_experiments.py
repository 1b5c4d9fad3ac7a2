"""The experiments of the case-based paper, on few deals: what must hold whoever the expert is."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.cases import Architecture
from doyle.errors import DoyleError
from doyle.papers.registry import ENTRIES, Options, find
from doyle.papers.sartre import imitation, merging, setting
from doyle.training import Lesson

EXPERIMENTS = [entry.name for entry in ENTRIES if entry.is_experiment]


def test_every_experiment_is_listed() -> None:
    assert set(EXPERIMENTS) >= {
        "sartre/table2", "sartre/figure2", "sartre/table3", "sartre/table15", "sartre/imitation",
        "sartre/exploitation", "sartre/evolution-limit", "sartre/evolution-no-limit",
    }  # fmt: skip


def test_scales_and_hands_are_for_experiments() -> None:
    with pytest.raises(DoyleError, match="expected small or published"):
        find("sartre/table3").run(Options(scale="large"))
    with pytest.raises(DoyleError, match="is computed, not played"):
        find("sartre/table6").run(Options(hands=5))


def small_setting() -> setting.Setting:
    return setting.Setting(Options(seed=3), 1_500, 0, 400, 0)


@pytest.mark.slow
def test_merging_loses_nothing_and_features_differ() -> None:
    chosen = small_setting()
    bases = {name: chosen.base(points) for name, points in merging.FEATURES.items()}
    decisions = {name: [cases.decisions for cases in base.rounds] for name, base in bases.items()}
    assert len({tuple(counts) for counts in decisions.values()}) == 1
    merged = {name: sum(map(len, base.rounds)) for name, base in bases.items()}
    assert (
        merged["E[HS^2], 20 buckets"] < merged["E[HS^2], 50 buckets"] < sum(decisions["categories"])
    )


@pytest.mark.slow
def test_an_imitator_has_the_frequencies_of_its_expert() -> None:
    chosen = small_setting()
    base = chosen.base(Architecture(domain="limit", reuse="probabilistic"))
    held_out = Lesson(setting.GAME, (setting.EXPERT,), deals=300, seed=99)
    decisions = imitation.Decisions.joined(imitation._decisions(held_out, base))
    shares = imitation.answers(base, decisions)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    for place in range(3):
        expert = float((decisions.letter == place).mean())
        assert abs(float(shares[:, place].mean()) - expert) < 0.05
    # A perfect copy agrees as often as the expert agrees with itself; no imitator does so more often.
    given = shares[np.arange(len(decisions)), decisions.letter].mean()
    own = np.concatenate(imitation.own_agreement(held_out))
    assert len(own) == len(decisions)
    assert 0.5 < given < own.mean() + 0.02


@pytest.mark.slow
def test_a_base_from_tables_plays_as_its_agent() -> None:
    """The same base from tables and by retrieval against the same opponent, within both intervals."""
    from doyle.agents.cases import CaseBasedAgent
    from doyle.matches import play_match

    chosen = small_setting()
    base = chosen.base(Architecture(domain="limit"))
    tabled = chosen.match(chosen.imitator("tabled", base), chosen.expert(setting.EXPERT))
    played = play_match(
        setting.GAME, [CaseBasedAgent("agent", base), setting.EXPERT], hands=300, seed=8, workers=1
    ).small_bets_per_hand(0)
    gap = abs(float(tabled.mean - played.mean))
    assert gap < 1.5 * ((tabled.ci95 or 0) ** 2 + (played.ci95 or 0) ** 2) ** 0.5
