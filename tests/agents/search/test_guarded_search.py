"""The whole of no-limit Leduc, exactly: how exploitable searching is, by guard."""

from __future__ import annotations

import pytest

from tests.agents.search.small_games import blueprint, responses, searching

ITERATIONS = 4000


@pytest.fixture(scope="module")
def before() -> tuple[float, float]:
    """What best responses win from the blueprint: 32 iterations of the whole game."""
    return responses(blueprint(iterations=32))


@pytest.mark.parametrize("guard", ["resolve", "maxmargin", "reach-maxmargin"])
def test_guarded_search_is_never_above_its_blueprint(
    before: tuple[float, float], guard: str
) -> None:
    agent = searching(guard, iterations=ITERATIONS, under=blueprint(iterations=32))  # type: ignore[arg-type]
    after = responses(agent)
    for seat in (0, 1):
        assert after[seat] <= before[seat] + 1e-6
    assert sum(after) < sum(before)


def test_unsafe_search_may_be_above_its_blueprint(before: tuple[float, float]) -> None:
    """The ranges of a coarse blueprint are wrong, so one seat loses more than without search."""
    after = responses(searching("unsafe", iterations=ITERATIONS, under=blueprint(iterations=32)))
    assert after[0] > before[0] + 0.005


def test_guarded_search_below_an_equilibrium_stays_one() -> None:
    """Without a guard it does not: hands that never come there may win from the solution."""
    equilibrium = blueprint(iterations=3000)
    before = responses(equilibrium)
    unsafe = responses(searching("unsafe", iterations=1500, under=equilibrium))
    assert sum(unsafe) / 2 > sum(before) / 2 + 0.02
    for guard in ("resolve", "maxmargin"):
        after = responses(searching(guard, iterations=1500, under=equilibrium))  # type: ignore[arg-type]
        assert sum(after) / 2 < sum(before) / 2 + 0.01
