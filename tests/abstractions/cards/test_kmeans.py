"""K-means against scikit-learn, plain twins, and itself on other numbers of threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from doyle.abstractions.cards.clustering.kmeans import cluster_line, kmeans, nearest
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from tests.reference import kmeans_twin


def blobs(count: int, width: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    centres = generator.normal(size=(7, width)) * 2
    points = centres[generator.integers(7, size=count)] + generator.normal(size=(count, width))
    return points, generator.random(count) + 0.1


@pytest.mark.parametrize(("count", "width", "clusters"), [(400, 2, 7), (9000, 12, 25), (300, 1, 4)])
def test_same_result_as_scikit_learn_from_the_same_centres(
    count: int, width: int, clusters: int
) -> None:
    points, weights = blobs(count, width, seed=count)
    initial = points[:clusters].copy()
    theirs = KMeans(clusters, init=initial, n_init=1, max_iter=500, tol=0.0, algorithm="lloyd").fit(
        points, sample_weight=weights
    )
    ours = kmeans(points, weights=weights, clusters=clusters, initial=initial, iterations=500)
    assert np.array_equal(ours.assignment, theirs.labels_)
    assert np.abs(ours.centroids - theirs.cluster_centers_).max() < 1e-9
    assert abs(ours.inertia - theirs.inertia_) < 1e-9 * theirs.inertia_


@pytest.mark.parametrize("iterations", [1, 2, 5, 9])
def test_bounds_change_nothing_at_any_iteration(iterations: int) -> None:
    points, weights = blobs(3000, 6, seed=3)
    initial = points[:20].copy()
    assignment, centroids = kmeans_twin.lloyd(points, weights, initial, iterations)
    ours = kmeans(points, weights=weights, clusters=20, initial=initial, iterations=iterations)
    assert np.array_equal(ours.assignment, assignment)
    assert np.abs(ours.centroids - centroids).max() < 1e-12


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.uint8])
def test_bytes_do_not_depend_on_threads(dtype: type) -> None:
    generator = np.random.default_rng(0)
    points = generator.integers(0, 46, size=(20_000, 9)).astype(dtype)
    weights = generator.random(20_000)
    one, three = (
        kmeans(points, weights=weights, clusters=13, seed=5, restarts=2, workers=Workers(count))
        for count in (1, 3)
    )
    assert one.assignment.tobytes() == three.assignment.tobytes()
    assert one.centroids.tobytes() == three.centroids.tobytes()
    assert one.inertia == three.inertia
    assert np.array_equal(one.assignment, nearest(points, one.centroids, workers=Workers(2)))


def test_seed_decides() -> None:
    points, weights = blobs(2000, 3, seed=1)
    first, again, other = (
        kmeans(points, weights=weights, clusters=9, seed=seed, iterations=3) for seed in (1, 1, 2)
    )
    assert np.array_equal(first.centroids, again.centroids)
    assert not np.array_equal(first.centroids, other.centroids)


def test_restarts_keep_the_best() -> None:
    points, weights = blobs(500, 2, seed=8)
    few = kmeans(points, weights=weights, clusters=7, seed=0, restarts=1)
    many = kmeans(points, weights=weights, clusters=7, seed=0, restarts=8)
    assert many.inertia <= few.inertia


def test_empty_cluster_takes_the_worst_fitting_point() -> None:
    points = np.array([[0.0], [0.2], [10.0], [11.0], [30.0]])
    initial = np.array([[0.1], [12.0], [1000.0]])
    found = kmeans(points, clusters=3, initial=initial)
    assert found.assignment.tolist() == [0, 0, 1, 1, 2]
    assert found.inertia == pytest.approx(0.02 + 0.5)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30),
    st.integers(1, 12),
    st.integers(0, 5),
)
def test_never_more_clusters_than_distinct_points(
    rows: list[tuple[int, int]], clusters: int, seed: int
) -> None:
    points = np.array(rows, np.float32)
    found = kmeans(points, clusters=clusters, seed=seed)
    distinct = len(set(rows))
    assert found.count <= min(clusters, distinct)
    assert set(found.assignment.tolist()) == set(range(found.count))
    if clusters >= distinct:
        assert found.inertia == 0.0


def test_zero_weight_points_have_no_pull() -> None:
    points = np.array([[0.0], [1.0], [100.0]])
    found = kmeans(points, weights=np.array([1.0, 1.0, 0.0]), clusters=1)
    assert found.centroids[0, 0] == 0.5


def test_bad_input() -> None:
    with pytest.raises(DoyleError, match="clusters"):
        kmeans(np.zeros((3, 1)), clusters=0)
    with pytest.raises(DoyleError, match="points"):
        kmeans(np.zeros((0, 1)), clusters=1)
    with pytest.raises(DoyleError, match="weights"):
        kmeans(np.zeros((3, 1)), weights=np.array([1.0, -1.0, 0.0]), clusters=1)
    with pytest.raises(DoyleError, match="finite"):
        kmeans(np.array([[np.nan]]), clusters=1)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(-50, 50), st.integers(0, 5)),
        min_size=1,
        max_size=9,
        unique_by=lambda row: row[0],
    ),
    st.integers(1, 6),
)
def test_line_is_optimal(rows: list[tuple[int, int]], clusters: int) -> None:
    rows.sort()
    values = np.array([value for value, _ in rows], float)
    weights = np.array([weight for _, weight in rows], float)
    line = cluster_line(values, weights=weights, clusters=clusters)
    for k in range(1, len(line.errors) + 1):
        best = kmeans_twin.least_line_error(values, weights, k)
        assert line.errors[k - 1] == pytest.approx(best, abs=1e-9)
        assignment = line.assignment(k)
        reached = sum(
            weights[assignment == c]
            @ (
                values[assignment == c]
                - np.average(values[assignment == c], weights=weights[assignment == c] + 1e-300)
            )
            ** 2
            for c in range(k)
        )
        assert assignment.max() == k - 1
        assert reached == pytest.approx(best, abs=1e-9)


def test_line_is_never_worse_than_lloyd() -> None:
    generator = np.random.default_rng(4)
    values = np.sort(generator.random(1981))
    weights = generator.random(1981)
    line = cluster_line(values, weights=weights, clusters=12)
    assert (np.diff(line.errors) <= 0).all()
    lloyd = kmeans(values[:, None], weights=weights, clusters=12, seed=1, restarts=5)
    assert line.errors[11] <= lloyd.inertia + 1e-12
