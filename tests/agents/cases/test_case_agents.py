"""Case-based agents: policies that keep the contract, and what combining, retaining and switching do."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from doyle.agents import check_agent_text, own_game, resolve_agent
from doyle.agents.case_bases import CaseBase, Query, Retriever
from doyle.agents.case_bases.features.bets import drawn_sequence, letter_options, sequences_of
from doyle.agents.case_bases.reuse import voted
from doyle.agents.case_bases.snapshot import load_snapshot, preset_names
from doyle.agents.cases import (
    CaseBasedAgent,
    ChoosingAgent,
    LetterAgent,
    RetainingAgent,
    SwitchingAgent,
    VotingAgent,
)
from doyle.agents.cases.named import NoCaseBaseError, named_cases
from doyle.base.errors import DoyleError
from doyle.games import CALL, FOLD, Game, State
from doyle.games.histories import parse_betting
from doyle.measuring.exact_hands.run import run_exact_hands
from doyle.testing import check_agent, check_play, check_policy, check_suits
from tests.agents.case_bases.synthetic import BUCKETS, CATEGORIES, bucket_base, category_base
from tests.agents.case_bases.test_case_base import same

NO_LIMIT = Game.named("holdem-nl-200bb")


def imitator(domain: str, *, seed: int = 1, **points: object) -> CaseBasedAgent:
    base = category_base(domain, hands=120, seed=seed).with_points(**points)
    return CaseBasedAgent(f"{domain}-{seed}", base)


@pytest.mark.parametrize("domain", list(CATEGORIES))
@pytest.mark.parametrize("reuse", ["probabilistic", "max-frequency"])
def test_policies_keep_the_contract(domain: str, reuse: str) -> None:
    agent = imitator(domain, reuse=reuse)
    check_policy(agent, agent.game, hands=2)
    check_suits(agent, agent.game, hands=1)
    check_agent(agent, agent.game, hands=3)


@pytest.mark.parametrize("domain", list(CATEGORIES))
def test_agents_play_as_their_policy_says(domain: str) -> None:
    agent = imitator(domain, reuse="probabilistic")
    check_play(agent, agent.game, hands=1, tries=200)


def test_agents_travel_to_other_processes() -> None:
    agent = imitator("limit")
    state = State.start(agent.game)
    copy = pickle.loads(pickle.dumps(agent))
    assert (copy.probabilities(state)[1] == agent.probabilities(state)[1]).all()


def test_soft_reading_mixes_sequences() -> None:
    architecture = CATEGORIES["no-limit"]
    state = parse_betting(NO_LIMIT, "cr260c/r700")
    readings = dict(sequences_of(state, architecture))
    assert sum(readings.values()) == pytest.approx(1)
    assert len(readings) == 4
    draws = [
        drawn_sequence(state, architecture, np.random.default_rng(seed)) for seed in range(2000)
    ]
    for text, weight in readings.items():
        assert draws.count(text) / 2000 == pytest.approx(weight, abs=0.04)
    hard = architecture.with_points(reading="hard")
    assert len(sequences_of(state, hard)) == 1
    assert all(len(option) == 1 for option in letter_options(state, hard))


def test_bets_are_spread_over_the_policy() -> None:
    """Every bet of x chips becomes bets of 0.7x to 1.3x, with the same weight altogether."""
    spread = imitator("no-limit", reuse="probabilistic", spread=0.3)
    exact = imitator("no-limit", reuse="probabilistic", spread=0.0)
    state = State.start(spread.game)
    actions, shares = spread.probabilities(state)
    plain, wanted = exact.probabilities(state)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert len(plain) <= len(exact.architecture.letters)
    for action in (FOLD, CALL):
        columns = [found[actions_.index(action)] if action in actions_ else 0.0
                   for actions_, found in ((actions, shares.T), (plain, wanted.T))]  # fmt: skip
        assert columns[0] == pytest.approx(columns[1])
    bets = [action for action in plain if action > CALL and wanted[:, plain.index(action)].any()]
    raised = [action for action in actions if action > CALL]
    assert bets
    for action in raised:
        sizes = [(bet, state.largest) for bet in bets]
        assert any(
            0.7 * (bet - largest) - 1 <= action - largest <= 1.3 * (bet - largest) + 1
            or action in (state.min_raise_to, state.max_raise_to)
            for bet, largest in sizes
        )
    for bet in bets:
        low, high = (state.largest + round(x * (bet - state.largest)) for x in (0.7, 1.3))
        near = [action for action in raised if low <= action <= high]
        assert len(near) > 5 or bet == state.max_raise_to


def test_drawn_readings_and_sizes_leave_the_policy_as_it_is() -> None:
    agent = imitator("no-limit", reuse="max-frequency", spread=0.3)
    state = parse_betting(NO_LIMIT, "cr260")
    actions, wanted = agent.probabilities(state)
    rng = np.random.default_rng(4)
    tries = 1500
    found = np.zeros_like(wanted)
    for _ in range(tries):
        drawn, shares = agent.drawn_probabilities(state, rng)
        assert len(drawn) <= len(agent.architecture.letters)
        found[:, [actions.index(action) for action in drawn]] += shares / tries
    np.testing.assert_allclose(found, wanted, atol=4 * np.sqrt(0.25 / tries))


def test_exact_hands_of_spread_bets_end() -> None:
    """A board of two agents with soft reading and the spread: as few histories as without."""
    agents = [imitator("no-limit", seed=seed, reuse="max-frequency") for seed in (1, 2)]
    assert all(agent.spreads for agent in agents)
    result = run_exact_hands(NO_LIMIT, agents, boards=1)
    assert result.drawn_sizes
    assert np.isfinite(result.values).all()


def test_votes() -> None:
    members = [imitator("limit", seed=seed, reuse="max-frequency") for seed in (1, 2, 3)]
    agent = VotingAgent("three", members)
    check_policy(agent, agent.game, hands=2)
    for hand in range(169):
        query = Query(0, "", hand)
        votes = np.sum([member.letter_row(query) for member in members], axis=0)
        row = np.array(agent.letter_row(query))
        assert votes[int(np.argmax(row))] == votes.max()
        assert row.sum() == 1
    mixed = VotingAgent("mixed", [imitator("limit", seed=s, reuse="probabilistic") for s in (1, 2)])
    rows = [member.letter_row(Query(0, "", 5)) for member in mixed.members]
    assert mixed.letter_row(Query(0, "", 5)) == pytest.approx(np.mean(rows, axis=0))
    with pytest.raises(DoyleError, match="differs"):
        VotingAgent("mixed", [members[0], imitator("no-limit")])


@pytest.mark.parametrize("reuse", ["max-frequency", "probabilistic"])
def test_several_bases_vote_as_the_agent_does(reuse: str) -> None:
    bases = [bucket_base(BUCKETS["limit"], hands=60, seed=seed) for seed in (3, 4, 5)]
    bases = [base.with_points(reuse=reuse) for base in bases]
    agent = VotingAgent("three", [CaseBasedAgent(str(n), base) for n, base in enumerate(bases)])
    solutions = []
    queries = [Query(1, text, hand, 3) for text in ("cc-", "rc-r", "rrc-") for hand in range(20)]
    for base in bases:
        found = [Retriever(base).retrieve(query) for query in queries]
        solutions.append((np.array([one.counts for one in found]),
                          np.array([one.outcomes for one in found])))  # fmt: skip
    rows = voted(solutions, bases[0].architecture.reuse)
    for row, query in zip(rows, queries, strict=True):
        np.testing.assert_allclose(row, agent.letter_row(query))


def test_the_imitator_that_wins_is_chosen() -> None:
    members = [imitator("limit", seed=seed) for seed in (1, 2)]
    agent = ChoosingAgent("chooser", members)
    game = agent.game
    agent.start(game, np.random.default_rng(0))
    folded = State.start(game).apply(0)  # seat 1 folds: seat 0 wins 5, seat 1 loses 5
    played = []
    for _ in range(400):
        played.append(agent.playing)
        agent.hand_over(folded.view(0 if agent.playing == 1 else 1, hole=(0, 1)))
    assert played[:2] == [0, 1]
    assert played[-100:].count(1) > 90
    agent.start(game, np.random.default_rng(0))
    assert agent.hands == [0, 0]
    check_agent(agent, game, hands=3)


def test_retaining_adds_own_decisions() -> None:
    base = category_base("limit", hands=40).with_points(reuse="probabilistic")
    agent = RetainingAgent("learner", base)
    rng = np.random.default_rng(1)
    from doyle.testing.contract import random_deal

    agent.start(base.game, rng)
    decisions = 0
    for number in range(30):
        state = State.start(base.game, random_deal(base.game, rng))
        while state.actor >= 0:
            seat = state.actor
            decisions += seat == 0
            action = agent.act(state.view(seat, dice_key=b"%d" % number))
            state = state.apply(action)
        agent.hand_over(state.view(0))
    assert agent.base.decisions == base.decisions + decisions
    assert agent.retained == decisions
    for cases in agent.base.rounds:
        assert (cases.support == cases.counts.sum(axis=1)).all()
    frozen = agent.frozen()
    assert same(frozen.base, agent.base)
    check_policy(frozen, base.game, hands=1)
    agent.start(base.game, rng)
    assert agent.base is base  # a match starts from the base as it was loaded
    check_agent(agent, base.game, hands=3)


def test_retained_decisions_are_found_again() -> None:
    empty = CaseBase.empty(
        CATEGORIES["limit"].with_points(retrieve=0), Game.named("holdem-limit-2p")
    )
    agent = RetainingAgent("learner", empty)
    state = State.start(empty.game)
    raised = state.apply(state.max_raise_to).apply(0)
    view = raised.view(1, hole=(51, 50))
    assert agent.act(state.view(1, hole=(51, 50))) == CALL  # nothing retrieved
    agent.hand_over(view)
    assert agent.act(state.view(1, hole=(51, 50))) == state.max_raise_to
    query = agent.query(state, "", (51, 50))
    assert agent.retrieve(query).outcomes.tolist() == [0, 0, 10]


def test_switching_asks_the_two_player_base() -> None:
    three, two = category_base("limit-3p"), category_base("limit")
    agent = SwitchingAgent("switcher", three, two)
    check_policy(agent, three.game, hands=2)
    plain = CaseBasedAgent("plain", three)
    heads_up = CaseBasedAgent("two", two)
    query = Query(1, "frc-", 10, 0)
    assert agent.letter_row(query) == heads_up.letter_row(Query(1, "crc-", 10, 0))
    assert (agent.mapped, agent.unmapped) != (0, 0)
    later = Query(1, "ccc-rf", 10, 0)
    assert agent.letter_row(later) == plain.letter_row(later)
    nobody = Query(1, "ccc-", 10, 0)
    assert agent.letter_row(nobody) == plain.letter_row(nobody)
    with pytest.raises(DoyleError, match="two-player"):
        SwitchingAgent("wrong", two, three)


def test_all_presets_are_sourced() -> None:
    assert preset_names() == [
        "sartre-2009",
        "sartre-2010",
        "sartre-2011",
        "sartre-3p-2011",
        "sartre-nl-2010",
        "sartre-nl-2011",
    ]
    for name in preset_names():
        snapshot = load_snapshot(name)
        assert snapshot.name == name
        for point in (snapshot.features, snapshot.similarity):
            for tagged in (getattr(point, key) for key in type(point).model_fields):
                assert tagged is None or tagged.source in ("published", "assumed")
        assert snapshot.training.experts.source in ("published", "assumed")


def test_the_table_of_presets() -> None:
    first, second, third = (
        load_snapshot(f"sartre-{year}").architecture for year in (2009, 2010, 2011)
    )
    assert (first.strength, first.solution, first.retrieve) == ("categories", "single", 0)
    assert (second.strength, second.buckets, second.reuse) == ("hs2", 50, "probabilistic")
    assert (third.reuse, third.combine) == ("max-frequency", "vote")
    early, late = (load_snapshot(f"sartre-nl-{year}").architecture for year in (2010, 2011))
    assert (early.letters, early.reading, early.reuse) == ("fcqhipdvt", "hard", "probabilistic")
    assert (late.letters, late.reading, late.reuse) == ("fcqhipdvta", "soft", "max-frequency")
    assert load_snapshot("sartre-3p-2011").architecture.switching


def test_names(tmp_path: Path, fresh_cache: Path) -> None:
    folder = tmp_path / "mine"
    base = category_base("limit", hands=30)
    base.save(folder)
    agent = resolve_agent(str(folder), base.game)
    assert isinstance(agent, CaseBasedAgent)
    assert agent.name == "mine"
    assert own_game(str(folder)) == base.game
    other = resolve_agent(f"{folder}:reuse=probabilistic,retrieve=5", base.game)
    assert isinstance(other, LetterAgent)
    assert other.architecture.retrieve == 5
    assert isinstance(resolve_agent(f"{folder}:retain=own", base.game), RetainingAgent)
    for text, message in (
        (f"{folder}:reuse=worst", "reuse"),
        (f"{folder}:moon=1", "moon"),
        (f"{folder}:retrieve=many", "whole number"),
        (f"{folder}:retain=all", "own or shown"),
        (f"{folder}:reuse", "POINT=VALUE"),
        (f"{folder}:solution=single", "solution"),
    ):
        with pytest.raises(DoyleError, match=message):
            resolve_agent(text, base.game)
    with pytest.raises(DoyleError, match="plays holdem-limit-2p, not"):
        check_agent_text(str(folder), NO_LIMIT)
    assert own_game("sartre-nl-2011") == NO_LIMIT
    with pytest.raises(NoCaseBaseError, match="not built yet"):
        resolve_agent("sartre-2010", base.game)


def test_folders_of_several_bases(tmp_path: Path) -> None:
    folder = tmp_path / "team"
    for seed in (1, 2, 3):
        category_base("limit", hands=30, seed=seed).save(folder / "members" / f"expert{seed}")
    assert isinstance(resolve_agent(str(folder), "holdem-limit-2p"), VotingAgent)
    chooser = resolve_agent(f"{folder}:combine=choose", "holdem-limit-2p")
    assert isinstance(chooser, ChoosingAgent)
    assert [member.name for member in chooser.members] == ["expert1", "expert2", "expert3"]
    three = tmp_path / "three"
    category_base("limit-3p", hands=30).with_points(switching=True).save(three / "members" / "x")
    with pytest.raises(DoyleError, match=r"two-player base .* or play .*three:switching=no"):
        resolve_agent(str(three), "holdem-limit-3p")
    category_base("limit", hands=30).save(three / "heads-up" / "y")
    assert isinstance(resolve_agent(str(three), "holdem-limit-3p"), SwitchingAgent)
    plain = resolve_agent(f"{three}:switching=no", "holdem-limit-3p")
    assert isinstance(plain, CaseBasedAgent)
    assert named_cases("default") is None
