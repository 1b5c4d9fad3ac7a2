"""Case bases: merging loses nothing, files come back as they were and are checked."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from doyle.agents.case_bases import Architecture, CaseBase
from doyle.base.errors import DoyleError, FieldError
from tests.agents.case_bases.synthetic import BUCKETS, bucket_base, category_base


def same(first: CaseBase, second: CaseBase) -> bool:
    return all(
        ours.sequences == theirs.sequences
        and all(
            np.array_equal(getattr(ours, name), getattr(theirs, name))
            for name in ("sequence", "hand", "texture", "commitment", "counts", "outcomes")
        )
        for ours, theirs in zip(first.rounds, second.rounds, strict=True)
    )


@pytest.mark.parametrize("domain", list(BUCKETS))
def test_merging_adds_counts_in_any_order(domain: str) -> None:
    first, second = (category_base(domain, hands=80, seed=seed) for seed in (1, 2))
    merged = first.merged(second)
    assert merged.decisions == first.decisions + second.decisions
    assert merged.cases <= first.cases + second.cases
    assert same(merged, second.merged(first))
    for cases in merged.rounds:
        keys = list(
            zip(
                (cases.sequences[n] for n in cases.sequence.tolist()),
                cases.hand.tolist(),
                cases.texture.tolist(),
                cases.commitment.tolist(),
                strict=True,
            )
        )
        assert keys == sorted(set(keys))


def test_single_representation_keeps_every_decision() -> None:
    single = BUCKETS["limit"].with_points(solution="single")
    parts = [bucket_base(single, hands=50, seed=seed) for seed in (1, 2)]
    merged = parts[0].merged(parts[1])
    for cases in merged.rounds:
        assert cases.members is not None
        letters, outcomes = cases.members
        assert len(letters) == cases.decisions
        for case in range(len(cases)):
            start, end = cases.member_starts[case : case + 2].tolist()
            assert (np.bincount(letters[start:end], minlength=3) == cases.counts[case]).all()
            assert outcomes[start:end].sum() == pytest.approx(cases.outcomes[case].sum())


@pytest.mark.parametrize("solution", ["vector", "single"])
def test_files_round_trip(tmp_path: Path, solution: str) -> None:
    base = bucket_base(BUCKETS["no-limit"].with_points(solution=solution), hands=60, seed=3)
    base.save(tmp_path / "base")
    loaded = CaseBase.load(tmp_path / "base")
    assert same(base, loaded)
    assert loaded.architecture == base.architecture
    assert loaded.game == base.game
    with pytest.raises(DoyleError, match="already"):
        base.save(tmp_path / "base")
    assert [path.name for path in tmp_path.iterdir()] == ["base"]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("kind", "strategy", "field 'kind'"),
        ("parameters", {"domain": "chess"}, "parameters"),
        ("parameters", {"domain": "limit", "reuse": "worst"}, "reuse"),
        ("parameters", {"domain": "limit", "moon": 1}, "moon"),
        ("metadata", {"game": "x", "game_definition": "nonsense"}, "game_definition"),
    ],
)
def test_damaged_manifests_are_refused(
    tmp_path: Path, field: str, value: object, message: str
) -> None:
    folder = tmp_path / "base"
    category_base("limit", hands=10).save(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest[field] = value
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DoyleError, match=message):
        CaseBase.load(folder)


def test_damaged_arrays_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "base"
    category_base("limit", hands=10).save(folder)
    path = folder / "round1_counts.bin"
    path.write_bytes(b"\xff" * path.stat().st_size)
    with pytest.raises(DoyleError, match="round1_counts"):
        CaseBase.load(folder)


def test_points_that_decide_what_is_stored_cannot_change() -> None:
    base = category_base("limit", hands=10)
    assert base.with_points(reuse="probabilistic").architecture.reuse == "probabilistic"
    with pytest.raises(DoyleError, match="solution"):
        base.with_points(solution="single")
    with pytest.raises(FieldError, match="moon"):
        base.with_points(moon=1)


def test_part_of_a_base() -> None:
    base = bucket_base(BUCKETS["limit"], hands=100, seed=4)
    half = base.part(0.5, seed=1)
    assert half.cases == sum(round(0.5 * len(cases)) for cases in base.rounds)
    assert same(half, base.part(0.5, seed=1))
    assert same(base.part(1.0, seed=1), base)


@pytest.mark.parametrize(
    ("points", "field"),
    [
        ({"domain": "limit", "betting_metric": "sizes"}, "betting_metric"),
        ({"domain": "no-limit", "betting_metric": "stepped"}, "betting_metric"),
        ({"domain": "no-limit", "betting_metric": "sizes", "letters": "fcpx"}, "letters"),
        ({"domain": "limit", "strength": "categories"}, "strength_metric"),
        ({"domain": "limit", "buckets": 1}, "buckets"),
        ({"domain": "limit", "switching": True}, "switching"),
        ({"domain": "limit", "retrieve": -1}, "retrieve"),
        ({"domain": "limit", "slope": "steep"}, "slope"),
    ],
)
def test_points_that_do_not_go_together(points: dict[str, object], field: str) -> None:
    with pytest.raises(FieldError) as caught:
        Architecture(**points)  # type: ignore[arg-type]
    assert caught.value.field == field
