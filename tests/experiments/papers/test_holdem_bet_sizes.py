"""The search for sizes in Hold'em: trees by seat, the greedy path, comparison in pairs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from doyle.building import BuildDescription
from doyle.experiments.papers import holdem_bet_sizes as sizes
from doyle.experiments.papers.claims import decided_claims
from doyle.experiments.papers.claims.deciding import Finding
from doyle.experiments.papers.holdem_bet_sizes import SEARCHES, Sizes, searched
from doyle.experiments.papers.registry import Options, find
from doyle.games import Game
from doyle.measuring.exact_hands.run import ExactHandsResult
from doyle.measuring.local_best_response.run import LbrResult


def test_trees_are_mirrored_by_seat() -> None:
    some = Sizes((300,), (1000,))
    assert some.trees == ("fcp300pa|fcp1000pa", "fcp1000pa|fcp300pa")
    assert Sizes((300,), (300,)).trees == ("fcp300pa", "fcp300pa")
    assert some.decisions == Sizes((1000,), (300,)).decisions
    assert Sizes().decisions == 1360


def test_additions_are_one_size_more() -> None:
    found = Sizes((300,), ()).additions((300, 1000))
    assert found == [Sizes((300, 1000)), Sizes((300,), (300,)), Sizes((300,), (1000,))]


def test_the_search_takes_the_best_addition_that_fits() -> None:
    worth = {300: 5.0, 1000: 3.0}
    search = replace(SEARCHES["small"], most_decisions=100_000)

    def value(found: Sizes) -> float:
        # Only knowing helps, and 3 pots more than 10.
        return 20.0 + len(found.attack) - sum(worth[size] for size in found.defence)

    assert searched(search, value) == [Sizes(), Sizes((), (300,)), Sizes((), (300, 1000))]
    # 4,668 decisions are too many, so the search ends one step before.
    limited = replace(search, most_decisions=4_000)
    assert searched(limited, value) == [Sizes(), Sizes((), (300,))]
    assert searched(replace(search, most_decisions=1_360), value) == [Sizes()]


def test_candidates_are_compared_hand_by_hand(
    monkeypatch: pytest.MonkeyPatch, fresh_cache: Path
) -> None:
    game = Game.named(sizes.GAME)

    def run_lbr(game_: Game, player: Sizes, *, hands: int, **_: object) -> LbrResult:
        noise = np.random.default_rng(0).normal(0.0, 1000.0, hands)  # the same for all
        gain = -100.0 * len(player.defence) + 40.0 * len(player.attack)
        own = np.random.default_rng(len(player.attack)).normal(0.0, 1.0, hands)
        return LbrResult(game, str(player), "56", "all", noise + gain + own, 0)

    monkeypatch.setattr(sizes, "run_lbr", run_lbr)
    monkeypatch.setattr(sizes, "player", lambda found, search, seed: found)
    monkeypatch.setattr(sizes, "key", lambda found, *_, **how: {"trees": found.trees, **how})
    result = find("beyond/bet-sizes-holdem").run(Options(hands=100))
    steps = [cell.column for cell in result.cells if cell.row.startswith("step")]
    assert steps[0] == "bets fcpa, knows fcpa"
    assert steps[1:] == ["bets fcpa, knows fcp300pa", "bets fcpa, knows fcp300,1000pa"]
    advice = result.cells[-1]
    assert decided_claims(result.name, {result.name: result.cells})[0].finding is Finding.HOLDS
    # 140 chips of a big blind of 100, with the noise that all share taken away.
    assert advice.ours == pytest.approx(1400, abs=10)
    assert advice.ci95 is not None
    assert advice.ci95 < 10


def test_sizes_by_what_the_worst_exploiter_wins(
    monkeypatch: pytest.MonkeyPatch, fresh_cache: Path
) -> None:
    game = Game.named(sizes.GAME)
    won = {"size-tell": 30.0, "AllDown": 90.0, "naivePA-fold": 10.0}

    def run_exact_hands(_: Game, both: list[Any], *, boards: int, **__: object) -> ExactHandsResult:
        (technique, found), tested = both
        assert found is tested
        noise = np.random.default_rng(0).normal(0.0, 50.0, boards)  # the same for all
        known = 60.0 * len(found.defence) if technique == "AllDown" else 5.0 * len(found.attack)
        values = won[technique] - known + noise - noise.mean()
        return ExactHandsResult(game, (technique, str(found)), values, 0.0, 0, None)

    monkeypatch.setattr(sizes, "run_exact_hands", run_exact_hands)
    monkeypatch.setattr(sizes, "player", lambda found, search, seed: found)
    monkeypatch.setattr(sizes, "key", lambda found, *_, **how: {"trees": found.trees, **how})
    monkeypatch.setattr(
        sizes, "exploiter", lambda technique, found, search, seed: (technique, found)
    )
    result = find("beyond/bet-sizes-exploiters").run(Options(hands=20))
    steps = [cell for cell in result.cells if cell.row.startswith("step")]
    # Only AllDown's winnings fall with what is known, and it wins most at first.
    assert [cell.column for cell in steps[:2]] == [
        "bets fcpa, knows fcpa", "bets fcpa, knows fcp300pa",
    ]  # fmt: skip
    assert str(steps[0].reason).startswith("size-tell 300 ± 204, AllDown 900 ± 204, ")
    advice = result.cells[-1]
    assert decided_claims(result.name, {result.name: result.cells})[0].finding is Finding.HOLDS
    # The worst of the one wins 90 chips and of the other 30, of a big blind of 100.
    assert advice.ours == pytest.approx(600)
    assert advice.ci95 == pytest.approx(0, abs=1e-9)


def test_exploiters_sit_opposite_the_strategy_that_they_know(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sizes, "solved", lambda model, search, seed: model)
    monkeypatch.setattr(sizes, "resolve_agent", lambda text, game: text)
    found = Sizes((300,), (1000,))
    first, second = found.trees
    assert sizes.player(found, SEARCHES["small"], 0).policies == (first, second)
    opposite = sizes.exploiter("size-tell", found, SEARCHES["small"], 0)
    assert opposite.policies == (f"size-tell:{second}", f"size-tell:{first}")


def test_a_strategy_is_solved_by_its_own_tree_cards_and_seed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[tuple[str, str, int, int]] = []

    def small_agent(description: BuildDescription, iterations: int) -> str:
        values = (description.betting.value, description.cards.value, description.seed.value)
        made.append((*values, iterations))
        return "folder"

    monkeypatch.setattr(sizes, "small_agent", small_agent)
    search = SEARCHES["small"]
    assert sizes.solved("fcp300pa|fcpa", search, 4) == "folder"
    assert made == [("fcp300pa|fcpa", search.cards, 4, search.iterations)]
