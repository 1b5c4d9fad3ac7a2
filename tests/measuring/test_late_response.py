"""The exact late response: equal to the solver's own best response, zero before its street."""

from __future__ import annotations

import json

import numpy as np
import pytest

from doyle.agents import resolve_agent
from doyle.agents.search import SearchAgent
from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.games import CALL, Deal, Game, State
from doyle.measuring.late_response import late_value, responder_raises, run_late_response
from doyle.solving.policy_response import PolicyResponse

GAME = Game.named("holdem-nl-200bb")
RIVER = State.start(GAME, Deal(((), ()), (46, 22, 11, 3, 38))).apply(300).apply(CALL)
for _ in range(4):
    RIVER = RIVER.apply(CALL)


def test_it_is_the_solvers_own_best_response() -> None:
    """Two algorithms: a walk of real states that asks the policy, and the kernels of the solver."""
    agent = resolve_agent("search:starter:iterations=30,river=fcpa", GAME)
    assert isinstance(agent, SearchAgent)
    solution = agent.solution(RIVER)
    assert solution is not None
    tree, depth = solution.tree, len(RIVER.betting) - 1

    def raises(state: State) -> list[int]:
        path = [action for actions in state.betting[depth:] for action in actions]
        return [one for one in tree.actions_of(tree.find(path)).tolist() if one > CALL]

    response = PolicyResponse(agent, GAME, raises)
    game = solution.solver.game
    for seat in (0, 1):
        values = response.values(RIVER, seat, solution.subgame.weights[1 - seat])
        expected = solution.solver.root_values(seat, best=True)
        found = values[solution.subgame.rows]
        np.testing.assert_allclose(found, expected, atol=2e-5 * np.abs(expected).max())
    assert game.mass > 0


def test_a_response_wins_at_least_what_calling_does() -> None:
    agent = resolve_agent("starter", GAME)
    found = [
        late_value(
            PolicyResponse(agent, GAME, lambda state, a=actions: responder_raises(a, state)),
            agent,
            RIVER,
        )  # type: ignore[misc,arg-type]
        for actions in ("fc", "fcpa", "18")
    ]
    assert found[0] < found[1]
    assert found[0] < found[2]


def test_hands_that_end_before_count_nothing() -> None:
    found = run_late_response(GAME, "always-all-in", hands=20, seed=1)
    assert not found.reached.any()
    assert (found.values == 0).all()
    assert found.mbb_where_reached is None


def test_always_call_loses_the_pot_that_the_responder_chooses() -> None:
    """Against calls with every hand the responder bets all its chips with the better half."""
    found = run_late_response(GAME, "always-call", hands=6, seed=1)
    assert found.reached.all()
    assert found.mbb_per_hand > 20_000


def test_workers_change_nothing() -> None:
    alone, two = (
        run_late_response(GAME, "search:starter:iterations=5", hands=40, seed=2, workers=workers)
        for workers in (Workers(1), Workers(2))
    )
    np.testing.assert_array_equal(alone.values, two.values)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["late-response", "starter", "--hands", "4", "--seed", "2", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["hands"] == 4
    assert document["street"] == "river"
    assert main(["late-response", "starter", "--from", "flop", "--hands", "4"]) == 2
    assert "expected turn or river" in capsys.readouterr().err
    assert main(["late-response", "starter", "--actions", "56", "--hands", "4"]) == 2
    assert "expected fc, fcpa, 18" in capsys.readouterr().err


def test_other_games_are_refused() -> None:
    with pytest.raises(DoyleError, match="no-limit Hold'em for two"):
        run_late_response(Game.named("holdem-limit-2p"), "always-call")
