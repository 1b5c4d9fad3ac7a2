"""Searching agents: what they play, how bets outside the tree are met, and what is refused."""

from __future__ import annotations

import pickle
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from doyle.agents import check_agent_text, own_game, resolve_agent
from doyle.agents.identity import identity
from doyle.agents.registry import BASELINES, Searching, read_agent
from doyle.agents.search import SearchAgent
from doyle.agents.search.agent import start_of_round
from doyle.agents.search.explanation import explain_search
from doyle.apps.cli import main
from doyle.base.errors import DoyleError
from doyle.games import CALL, Action, Deal, Game, State, View
from doyle.games.policies import policy_row, walked_reach
from doyle.measuring.strategies import policy_profile
from doyle.solving.games.small_games import small_game
from doyle.solving.policy_response import PolicyResponse
from tests.agents.search.small_games import blueprint, responses, searching
from tests.measuring.small_policies import RandomPolicy

HOLDEM = Game.named("holdem-nl-200bb")
DEAL = Deal(hole=((48, 50), (0, 5)), board=(46, 22, 11, 3, 38))


def river(bet: int | None = None) -> State:
    """A river after calls, in a pot of 600, with a first bet."""
    state = State.start(HOLDEM, DEAL).apply(300).apply(CALL)
    for _ in range(4):
        state = state.apply(CALL)
    assert state.round == 3
    return state if bet is None else state.apply(bet)


@pytest.fixture(scope="module")
def agent() -> SearchAgent:
    found = resolve_agent("search:starter:iterations=20", HOLDEM)
    assert isinstance(found, SearchAgent)
    return found


def test_before_the_street_the_blueprint_plays(agent: SearchAgent) -> None:
    state = State.start(HOLDEM, DEAL).apply(300).public()
    ours, theirs = agent.probabilities(state), agent.blueprint.probabilities(state)
    assert ours[0] == theirs[0]
    np.testing.assert_array_equal(ours[1], theirs[1])
    view = State.start(HOLDEM, DEAL).view(1, dice_key=b"x")
    assert agent.act(view) == agent.blueprint.act(view)


def test_a_river_is_played_by_its_solution(agent: SearchAgent) -> None:
    actions, shares = agent.probabilities(river().public())
    assert actions == (CALL, 600, 900, 20000)  # half the pot and the pot more than 300
    live = ~np.isin(PolicyResponse(agent, HOLDEM, lambda _: ()).cards, DEAL.board).any(axis=1)
    np.testing.assert_allclose(shares[live].sum(axis=1), 1.0)
    found = agent.solution(river().public())
    assert found is not None
    assert found.exploitability < 0.15 * 600


@pytest.mark.parametrize("bet", [417, 455, 5000])
def test_a_bet_outside_the_tree_is_added_where_it_was_made(agent: SearchAgent, bet: int) -> None:
    found = agent.solution(river(bet).public())
    assert found is not None
    assert [str(one) for one in found.subgame.added] == [f":r{bet}"]
    assert found.subgame.root == river().public()
    actions, _ = found.probabilities(())
    assert bet in actions
    assert river(bet).apply(CALL).is_over
    assert CALL in agent.probabilities(river(bet).public())[0]


def test_reach_is_the_product_of_what_is_played(agent: SearchAgent) -> None:
    state = river().apply(CALL).apply(900).public()
    for seat in (0, 1):
        np.testing.assert_allclose(agent.reach(state, seat), walked_reach(agent, state, seat))


def test_play_is_a_pure_function_of_the_state(agent: SearchAgent) -> None:
    """Other questions before, or another process, change nothing."""
    fresh = pickle.loads(pickle.dumps(agent))
    for state in (river(455), river(), river().apply(CALL)):
        agent.probabilities(state.public())
    for state in (river().apply(CALL), river(455)):
        np.testing.assert_array_equal(
            fresh.probabilities(state.public())[1], agent.probabilities(state.public())[1]
        )
        view = state.view(state.actor, dice_key=b"key")
        assert fresh.act(view) == agent.act(view)


def test_solutions_are_forgotten_when_they_are_many(
    agent: SearchAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doyle.agents.search.agent.KEPT_BYTES", 1)
    fresh = pickle.loads(pickle.dumps(agent))
    first = fresh.probabilities(river().public())[1].copy()
    fresh.probabilities(river(455).public())
    np.testing.assert_array_equal(first, fresh.probabilities(river().public())[1])
    assert len(fresh._kept) == 1


def test_a_solve_that_is_too_large_gets_fewer_bets_and_then_none(
    agent: SearchAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = pickle.loads(pickle.dumps(agent))
    monkeypatch.setattr("doyle.agents.search.agent.MOST_BYTES", 1_000_000)
    assert fresh.probabilities(river().public())[0] == (CALL, 900, 20000)
    fresh = pickle.loads(pickle.dumps(agent))
    monkeypatch.setattr("doyle.agents.search.agent.MOST_BYTES", 1)
    left = fresh.probabilities(river().public())
    assert fresh.counts.left == 1
    np.testing.assert_array_equal(left[1], agent.blueprint.probabilities(river().public())[1])


def test_the_turn_is_searched_and_the_river_after_it() -> None:
    found = resolve_agent("search:starter:rounds=turn,iterations=3,sizes=fca", HOLDEM)
    assert isinstance(found, SearchAgent)
    turn = start_of_round(river(), 2)
    assert found.solution(turn) is not None
    reach = found.reach(river().public(), 0)
    expected = found.blueprint.reach(turn, 0) * found.probabilities(turn)[1][:, 0]
    np.testing.assert_allclose(reach, expected)
    solution = found.solution(river().public())
    assert solution is not None
    np.testing.assert_allclose(
        solution.subgame.weights[0], np.maximum(reach / reach.max(), found.settings.floor)
    )


def test_guards_follow_the_turns_solution_to_the_river() -> None:
    found = resolve_agent("search:starter:rounds=turn,iterations=3,sizes=fca,guard=resolve", HOLDEM)
    assert isinstance(found, SearchAgent)
    before = found._before(river().public(), 0)
    assert before is not None
    solution = found.solution(river().public())
    assert solution is not None
    assert solution.subgame.guard is not None
    np.testing.assert_array_equal(solution.subgame.guard.values, before[0])
    assert solution.subgame.guard.seat == 1
    assert np.abs(before[0]).max() <= HOLDEM.stacks[0]


def test_responses_to_a_policy_are_those_of_the_sequence_form() -> None:
    """Two ways to the same number: a walk of real states, and a profile of the whole game."""
    game = Game.named("leduc")
    policy = RandomPolicy(game, seed=3)
    profile = policy_profile(small_game(game, lossless=False), (policy, policy))
    response = PolicyResponse(policy, game, lambda state: [state.max_raise_to])
    for seat in (0, 1):
        everybody = np.ones(len(game.deck))
        values = response.values(State.start(game), seat, everybody)
        pairs = len(game.deck) * (len(game.deck) - 1)
        assert values.sum() / pairs == pytest.approx(profile.best_response_values[seat], abs=1e-9)


def test_bets_outside_the_tree_are_solved_in_leduc() -> None:
    """Half-pot and pot bets of the second round are met by a search that knows all-in only."""
    coarse = blueprint("fchpa", 12)
    before = responses(coarse, "fchpa")
    after = responses(searching("unsafe", iterations=100, under=coarse, model="fca"), "fchpa")
    assert sum(after) < sum(before)


def test_texts_are_split() -> None:
    found = read_agent("search:default:guard=resolve,threshold=0.2")
    assert isinstance(found, Searching)
    assert (found.blueprint, found.options) == ("default:threshold=0.2", "guard=resolve")
    assert own_game("search:starter") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search:nobody", "no such agent"),
        ("search:", "names no agent"),
        ("search", "names no agent"),
        ("search:starter:iterations=-1", "iterations '-1'"),
        ("search:starter:iterations=1.5", "whole number"),
        ("search:starter:iterations=inf", "iterations 'inf'"),
        ("search:starter:seconds=0", "seconds '0'"),
        ("search:starter:seconds=nan", "seconds 'nan'"),
        ("search:starter:seconds=1,iterations=5", "two limits"),
        ("search:starter:guard=none", "guard 'none'"),
        ("search:starter:guard=resolve,guard=resolve", "given twice"),
        ("search:starter:rounds=preflop", "rounds 'preflop'"),
        ("search:starter:rounds=flop,guard=resolve", "guard 'resolve': not with rounds=flop"),
        ("search:starter:rounds=flop,runouts=0", "runouts '0'"),
        ("search:starter:rounds=flop,runouts=2.5", "whole number"),
        ("search:starter:rounds=flop,lean=0.5", "lean '0.5'"),
        ("search:starter:rounds=flop,choose=me", "choose 'me'"),
        ("search:starter:rounds=flop,flop=xyz", "sizes"),
        ("search:starter:rounds=turn,runouts=8", "'runouts' is for rounds=flop"),
        ("search:starter:sizes=xyz", "sizes"),
        ("search:starter:river=", "option 'river='"),
    ],
)
def test_bad_texts_are_refused_before_anything_is_built(text: str, message: str) -> None:
    with pytest.raises(DoyleError, match=message):
        check_agent_text(text, HOLDEM)


@pytest.mark.parametrize("game", ["holdem-limit-2p", "leduc-nl12", "holdem-nl-200bb-3p"])
def test_other_games_are_refused(game: str) -> None:
    with pytest.raises(DoyleError, match="no-limit Hold'em for two"):
        check_agent_text("search:always-call", Game.named(game))


def test_what_cannot_be_searched_from_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Black:
        name = "black"

        def act(self, view: View) -> Action:
            return CALL

    monkeypatch.setitem(BASELINES, "random", lambda game: Black())
    with pytest.raises(DoyleError, match="black has no probabilities and reach"):
        resolve_agent("search:random", HOLDEM)


def test_the_identity_holds_the_settings_and_the_blueprint() -> None:
    one, two = (identity(f"search:starter:iterations={n}", HOLDEM) for n in (5, 6))
    assert one != two
    assert one["blueprint"] == {"agent": "starter"}


def test_hands_are_drawn_as_often_as_they_are_played(agent: SearchAgent) -> None:
    state = river()
    actions, shares = agent.probabilities(state.public())
    row = shares[policy_row(HOLDEM, DEAL.hole[state.actor])]
    drawn = [
        agent.act(state.view(state.actor, dice_key=bytes([n % 256, n // 256]))) for n in range(400)
    ]
    for action, share in zip(actions, row.tolist(), strict=True):
        spread = (share * (1 - share) / 400) ** 0.5
        assert abs(drawn.count(action) / 400 - share) <= 4.5 * spread + 1e-9


def test_seconds_bound_a_solve() -> None:
    found = resolve_agent("search:starter:seconds=0.3", HOLDEM)
    assert isinstance(found, SearchAgent)
    solution = found.solution(river().public())
    assert solution is not None
    assert solution.solver.iteration >= 2


def test_an_explanation_shows_the_solution_and_the_blueprint(agent: SearchAgent) -> None:
    state = river(455)
    found = explain_search(agent, state.view(state.actor))
    search = found["search"]
    assert found["searched"]
    assert search["pot"] == 600
    assert search["added"] == [":r455"]
    assert search["iterations"] == 20
    assert 0 < search["exploitability_percent_of_pot"] < 20
    assert sum(search["frequencies"]) == pytest.approx(1.0, abs=1e-4)
    assert sum(one["probability"] for one in found["actions"]) == pytest.approx(1.0, abs=1e-4)
    blueprint_row = agent.blueprint.probabilities(state.public())[1]
    hole = policy_row(HOLDEM, DEAL.hole[state.actor])
    shown = [one["probability"] for one in found["blueprint"]["actions"]]
    assert shown == pytest.approx(blueprint_row[hole].tolist(), abs=1e-6)
    early = explain_search(agent, State.start(HOLDEM, DEAL).view(1))
    assert not early["searched"]
    assert "search" not in early


def test_explain_prints_a_search(capsys: pytest.CaptureFixture[str]) -> None:
    line = "MATCHSTATE:1:0:cr300c/cc/cc/r777:|AsKd/Kh7s4d/2c/Jd"
    assert main(["explain", "search:starter:iterations=5", "--state", line]) == 0
    shown = capsys.readouterr().out
    assert ":r777" in shown
    assert "blueprint" in shown
    hidden = line.replace("AsKd", "")
    assert main(["explain", "search:starter", "--state", hidden]) == 2
    assert "hidden" in capsys.readouterr().err


def test_a_limit_ends_solves_early_and_leaves_the_rest_to_the_blueprint() -> None:
    found = resolve_agent("search:starter:iterations=100000", HOLDEM)
    assert isinstance(found, SearchAgent)
    found.limit = 0.05
    assert river().is_legal(found.act(river().view(0, dice_key=b"k")))
    assert found.counts.cut == 1
    assert found.counts.left == 0
    found.limit = -1.0  # there is no time at all
    state = river(455)
    assert state.is_legal(found.act(state.view(state.actor, dice_key=b"k")))
    assert found.counts.left == 1
    assert found.limit is not None
    again = pickle.loads(pickle.dumps(found))
    assert again.limit is None


def test_matches_with_search_write_the_same_log_with_any_workers(tmp_path: Path) -> None:
    logs = [tmp_path / f"{workers}.log" for workers in (1, 2)]
    for workers, log in enumerate(logs, start=1):
        command = ["match", HOLDEM.name, "search:starter:iterations=5", "starter", "--hands", "60"]
        options = ["--seed", "3", "--workers", str(workers), "--log", str(log)]
        assert main([*command, *options]) == 0
    assert logs[0].read_bytes() == logs[1].read_bytes()
    assert logs[0].read_text().count("STATE:") == 120


def test_kept_solutions_are_counted_by_all_that_they_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against what the allocator reports, whose larger blocks are NumPy's arrays."""
    monkeypatch.setattr("doyle.agents.search.agent.KEPT_BYTES", 30_000_000)
    agent = resolve_agent("search:starter:iterations=1", HOLDEM)
    assert isinstance(agent, SearchAgent)
    bets = [None, 417, 455, 500, 5000, 7000, 8000, 9000]
    agent.probabilities(river(bets[0]).public())
    tracemalloc.start()
    try:
        for bet in bets[1:]:
            state = river(bet).public()
            agent.probabilities(state)
            agent.reach(state, 0)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 2 <= len(agent._kept) < len(bets)
    assert held < 1.2 * 30_000_000
