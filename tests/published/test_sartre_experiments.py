"""The experiments of the case-based paper, on few deals: what must hold whoever the expert is."""

from __future__ import annotations

import numpy as np
import pytest

from doyle.agents.case_bases import Architecture
from doyle.agents.case_bases.imitation import held_out_agreement
from doyle.base.errors import DoyleError
from doyle.experiments.papers.registry import ENTRIES, Options, find
from doyle.experiments.papers.sartre import imitation, merging, setting, usage
from doyle.experiments.training import Lesson

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


def test_the_gap_of_figure_2_is_split_by_metrics_and_feature() -> None:
    nearest, identical = usage.CROSSED
    text = usage._reason(
        {"CATEGORIES": 0.1, "E[HS]": 0.4}, {nearest: 0.3, identical: 0.15}
    )  # the values of the four corners
    assert "CATEGORIES wins -0.3000 beside E[HS]" in text
    assert "nearest case instead it wins +0.2000 more" in text
    assert "E[HS] with its metrics -0.2500" in text
    assert "-0.1000 (nearest case) and -0.0500 (identical" in text
    points = usage.CROSSED[nearest]
    assert points.representation() == setting.CATEGORIES.representation()
    assert points.retrieve == 1


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
    (watched,) = held_out.logs()
    found = held_out_agreement(base, watched.log.paths, players=watched.experts)
    own = imitation.own_agreement(held_out)
    for round_, one in enumerate(found):
        assert len(own[round_]) == one.decisions
        for letter in "fcr":
            gap = one.imitator.get(letter, 0.0) - one.expert.get(letter, 0.0)
            assert abs(gap) < 0.12
    # A perfect copy agrees as often as the expert agrees with itself; no imitator does so more often.
    given = np.average(
        [float(one.share.mean) for one in found], weights=[one.decisions for one in found]
    )
    assert 0.5 < given < np.concatenate(own).mean() + 0.02
