"""Case bases as tables: the same answers as the agent that retrieves them one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.cases import Architecture, CaseBase, Query, Retriever
from doyle.cases.features.textures import TEXTURES
from doyle.cases.learning.decisions import Decisions
from doyle.cases.reuse import decide, decide_all
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.training import tabled_cases
from doyle.training.tabled_cases import AllAnswers, tabled_player, voted

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
        rows = answers.letters(round_, text)
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


def test_the_tables_of_a_player_have_every_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    base = random_base(2)
    monkeypatch.setattr(tabled_cases.HandFeatures, "size", lambda self, round_: 20)
    player = tabled_player("cases", base)
    tree = player.tree
    for round_, table in enumerate(player.tables):
        decisions = tree.decisions[tree.round[tree.decisions] == round_]
        np.testing.assert_allclose(table.sum(axis=1), len(decisions), atol=1e-2)
    with pytest.raises(DoyleError, match="two-player limit"):
        three = CaseBase.empty(Architecture(domain="limit-3p"), Game.named("holdem-limit-3p"))
        tabled_player("three", three)


@pytest.mark.parametrize("reuse", ["max-frequency", "probabilistic"])
def test_several_bases_vote_as_the_agent_does(reuse: str) -> None:
    from doyle.agents.cases import CaseBasedAgent, VotingAgent

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
