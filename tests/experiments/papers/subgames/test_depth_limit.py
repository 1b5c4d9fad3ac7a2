"""A round solved again to a depth limit: the same number by other computations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from doyle.cards.suits.relabelling import ALL_SUITS, SAME_SUITS
from doyle.experiments.papers.registry import Options, find
from doyle.experiments.papers.subgames import depth_limit
from doyle.experiments.papers.subgames.depth_limit import Played, limited_again
from doyle.experiments.papers.subgames.games import leduc, short_holdem
from doyle.experiments.papers.subgames.solved_again import solved_again
from doyle.games import Deal
from tests.agents.search.small_games import blueprint as searched_blueprint
from tests.agents.search.small_games import responses, searching
from tests.experiments.papers.subgames.test_solved_again import before, made


@pytest.mark.parametrize("choose", ["other", "both"])
def test_the_searching_agent_is_as_exploitable(choose: str) -> None:
    """Solutions written into the whole game, and an agent that is asked at every state."""
    limited = limited_again(before((SAME_SUITS,)), 0, 50, 10.0, both=choose == "both")
    agent = searching(
        "unsafe", iterations=50, under=searched_blueprint(iterations=32), first_round=0,
        limited=True, choose=choose,
    )  # fmt: skip
    found = solved_again(limited, 1, "unsafe", 50).best_responses
    np.testing.assert_allclose(found, responses(agent), atol=1e-3)


def test_boards_are_read_from_those_that_stand_for_them() -> None:
    """After one iteration, where no regret is 0 but for rounding; every third board of two rounds."""
    setting = short_holdem(2, (0, 3, 1), 0)
    apart, merged = (Played(made(setting, 1, suits)) for suits in ((SAME_SUITS,), ALL_SUITS))
    whole = apart.blueprint.game
    compared = 0
    for number in range(1, len(whole.boards), 3):
        board = whole.boards[number]
        for node in apart.blueprint.starts(board.level):
            state = apart.blueprint.root
            for action in whole.tree.path(node):
                state = state.apply(action)
            state = state.with_deal(Deal(((), ()), board.cards))
            live = apart.rows[whole.live(0, board)]
            found, wanted = (one.probabilities(state)[1][live] for one in (merged, apart))
            np.testing.assert_allclose(found, wanted, atol=1e-9)
            compared += float(np.ptp(wanted[:, 0])) > 0.01
    assert compared > 100


def test_every_blueprint_has_its_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    small = ((replace(leduc(5), blueprints=(8,)), 0),)
    monkeypatch.setattr(depth_limit, "SETTINGS", small)
    result = find(depth_limit.NAME).run(Options())
    assert [cell.column for cell in result.cells] == [
        "blueprint",
        "next round",
        *depth_limit.LIMITS,
    ]
    assert result.cells[0].ours == pytest.approx(761, abs=1)
    assert len({cell.ours for cell in result.cells}) == len(result.cells)
