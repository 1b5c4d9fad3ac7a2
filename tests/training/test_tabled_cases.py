"""Case bases as tables: the same answers as the agent that retrieves them one by one."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import pytest
from benchmarks.cases import decisions
from hypothesis import given
from hypothesis import strategies as st

from doyle.agents.cases import CaseBasedAgent, VotingAgent
from doyle.agents.cases.agent import LetterAgent
from doyle.agents.strategy_agent import StrategyAgent
from doyle.cases import Architecture, CaseBase, Query, Retriever
from doyle.cases.features.textures import TEXTURES
from doyle.cases.learning.decisions import Decisions
from doyle.cases.reuse import decide, decide_all, voted
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.matches import play_match
from doyle.strategy import TableStrategy
from doyle.training import tabled_cases
from doyle.training.tabled_cases import AllAnswers, tabled_agent
from tests.cases.synthetic import category_base

SEQUENCES = ("", "r", "c", "rr", "rc-", "cc-", "crc-", "rc-r", "cc-r", "cc-c", "rc-rc-", "cc-cc-")


def random_base(seed: int, **points: Any) -> CaseBase:
    architecture = Architecture(domain="limit", **points)
    rng = np.random.default_rng(seed)
    count = 400
    sequence = rng.integers(len(SEQUENCES), size=count)
    rounds = np.array([text.count("-") for text in SEQUENCES])[sequence]
    decisions = Decisions(
        SEQUENCES, rounds, sequence,
        rng.integers(20, size=count), rng.integers(len(TEXTURES), size=count) * (rounds > 0),
        np.zeros(count, np.int64), rng.integers(3, size=count), rng.normal(size=count) * 10,
    )  # fmt: skip
    return CaseBase.of(architecture, Game.named("holdem-limit-2p"), decisions)


@pytest.mark.parametrize(
    "points", [{}, {"reuse": "best-outcome"}, {"retrieve": 0}, {"retrieve": 3}]
)
def test_all_answers_are_those_of_the_retriever(
    points: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    base = random_base(1, **points)
    retriever = Retriever(base)
    monkeypatch.setattr(retriever.features, "size", lambda round_: 20)
    answers = AllAnswers(retriever)
    for text in ("", "rr", "rrr", "cc-", "rc-r", "rrc-r", "cc-rc-", "rrrc-rc-"):
        round_ = text.count("-")
        rows = decide_all(*answers.solutions(round_, text), base.architecture.reuse)
        textures = len(TEXTURES) if round_ else 1
        for row in range(0, len(rows), 7):
            found = retriever.retrieve(Query(round_, text, row // textures, row % textures))
            wanted = decide(found.counts, found.outcomes, base.architecture.reuse)
            assert rows[row].tolist() == wanted.tolist()


@given(
    counts=st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=6),
    policy=st.sampled_from(["probabilistic", "max-frequency", "best-outcome"]),
    seed=st.integers(0, 9),
)
def test_many_rows_are_decided_as_one(counts: list[list[int]], policy: Any, seed: int) -> None:
    table = np.array(counts, np.float64)
    outcomes = np.random.default_rng(seed).integers(-9, 9, size=table.shape) * (table > 0.0)
    rows = decide_all(table, outcomes, policy)
    for row, one, won in zip(rows, table, outcomes, strict=True):
        assert row.tolist() == decide(one, won, policy).tolist()


def test_the_tables_have_every_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    base = random_base(2)
    monkeypatch.setattr(tabled_cases.HandFeatures, "size", lambda self, round_: 20)
    strategy = tabled_agent("cases", base).strategy
    assert isinstance(strategy, TableStrategy)
    for round_, table in enumerate(strategy.tables):
        decisions = strategy.tree.decisions[strategy.tree.round[strategy.tree.decisions] == round_]
        np.testing.assert_allclose(table.sum(axis=1), len(decisions), atol=1e-2)
    with pytest.raises(DoyleError, match="two-player limit"):
        three = CaseBase.empty(Architecture(domain="limit-3p"), Game.named("holdem-limit-3p"))
        tabled_agent("three", three)


@pytest.fixture(scope="module")
def nearest() -> tuple[CaseBase, StrategyAgent]:
    base = category_base("limit", hands=40).with_points(reuse="probabilistic")
    return base, tabled_agent("tabled", base)


def check_policy(agent: LetterAgent, tabled: StrategyAgent) -> None:
    """Every hand at decisions of every round has the probabilities that retrieving gives."""
    tree = tabled.strategy.tree
    for state in decisions(agent.game, 6, 3):
        actions, wanted = agent.probabilities(state)
        node = 0
        for action in chain(*state.betting):
            node = tree.child(node, action)
        buckets = tabled.bucketing.buckets(state.board)
        live = buckets >= 0
        found = tabled.strategy.probabilities(node, buckets[live])
        for column, action in enumerate(tree.actions_of(node).tolist()):
            expected = wanted[:, actions.index(action)] if action in actions else 0.0 * live
            np.testing.assert_allclose(found[:, column], expected[live], atol=1e-6)


def test_tables_are_the_policy_of_the_agent(nearest: tuple[CaseBase, StrategyAgent]) -> None:
    base, tabled = nearest
    check_policy(CaseBasedAgent("plain", base), tabled)


def test_tables_of_votes_are_the_policy_of_the_agent() -> None:
    bases = [category_base("limit", hands=40, seed=seed).with_points(retrieve=0) for seed in (1, 2)]
    agents = [CaseBasedAgent(str(n), base) for n, base in enumerate(bases)]
    check_policy(VotingAgent("votes", agents), tabled_agent("tabled", bases))


def test_kernels_play_tables_as_they_are_played_hand_by_hand(
    nearest: tuple[CaseBase, StrategyAgent],
) -> None:
    agent = nearest[1]
    fast = play_match(agent.game, [agent, agent], hands=40, seed=2, workers=1, method="fast")
    plain = play_match(agent.game, [agent, agent], hands=40, seed=2, workers=1, method="plain")
    assert fast.method == "fast"
    assert fast.units.tolist() == plain.units.tolist()


@pytest.mark.parametrize("reuse", ["max-frequency", "probabilistic"])
def test_several_bases_vote_as_the_agent_does(reuse: str) -> None:
    bases = [random_base(seed, reuse=reuse) for seed in (3, 4, 5)]
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
