"""Why, for agents that play cases: what the page is sent is what a scan of all cases finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from doyle.agents.case_bases import CaseBase
from doyle.agents.case_bases.features.bets import sequences_of
from doyle.agents.cases.named import named_cases
from doyle.apps.web.thinking.available_agents import built_offers
from doyle.apps.web.thinking.case_explanations import MOST_CASES
from doyle.apps.web.thinking.decisions import act, loaded_agent
from doyle.apps.web.thinking.hand_explanations import explain_hand
from doyle.apps.web.thinking.requests import Decision, PlayedHand
from doyle.games import CALL, Game, remembers
from tests.agents.case_bases.synthetic import category_base
from tests.reference.case_scan import LinearScan

GAMES = {"limit": "holdem-limit-2p", "no-limit": "holdem-nl-200bb", "limit-3p": "holdem-limit-3p"}


def played(game_name: str, text: str, *, seed: int = 1) -> PlayedHand:
    """A hand of a caller in position 0 against an agent in every other one."""
    game = Game.named(game_name)
    cards = [int(card) for card in np.random.default_rng(seed).permutation(52)]
    holes = tuple((cards[2 * p], cards[2 * p + 1]) for p in range(game.players))
    board = tuple(cards[10:15])
    keys = tuple(bytes([65 + p]) * 32 for p in range(game.players))
    agents = (None, *[text] * (game.players - 1))
    hand = PlayedHand(game_name, agents, holes, board, (), keys)
    while not (state := hand.states()[-1]).is_over:
        position = state.actor
        if position == 0:
            action = CALL
        else:
            shown = (text, game_name, position, holes[position], state.board)
            action = act(Decision(*shown, hand.actions, keys[position]))
        hand = hand._replace(actions=(*hand.actions, action))
    return hand


@pytest.mark.parametrize("domain", list(GAMES))
def test_the_cases_behind_each_decision(domain: str, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    category_base(domain, hands=60).with_points(retrieve=3, reuse="probabilistic").save(folder)
    hand = played(GAMES[domain], str(folder))
    decisions = explain_hand(hand)
    asked = [state for state in hand.states()[:-1] if state.actor != 0]
    assert len(decisions) == len(asked) > 0
    base = CaseBase.load(folder)
    agent, scan = named_cases(str(folder)).agent(), LinearScan(base)  # type: ignore[union-attr]
    for decision, state in zip(decisions, asked, strict=True):
        assert sum(entry["probability"] for entry in decision["actions"]) == pytest.approx(
            1, abs=2e-3
        )
        weights = dict(sequences_of(state, base.architecture))
        for reading in decision["retrieved"]["readings"]:
            assert reading["weight"] == pytest.approx(weights[reading["betting"]], abs=1e-4)
            assert state.deal is not None
            query = agent.query(state, reading["betting"], state.deal.hole[state.actor])
            [answer] = reading["answers"]
            found = scan.nearest(query, answer["count"])
            assert len(answer["cases"]) == min(answer["count"], MOST_CASES)
            cases = base.rounds[query.round]
            for case, neighbour in zip(answer["cases"], found, strict=False):
                assert case["similarity"] == pytest.approx(neighbour.similarity, abs=1e-4)
                mean = sum(case["by_feature"].values()) / len(case["by_feature"])
                assert mean == pytest.approx(case["similarity"], abs=1e-3)
                assert sum(case["counts"].values()) == cases.counts[neighbour.case].sum()
            assert sum(answer["action_vector"].values()) == sum(
                int(cases.counts[neighbour.case].sum()) for neighbour in found
            )
            assert set(answer["action_vector"]) <= set(decision["retrieved"]["letters"])


def test_an_agent_that_learns_is_explained_as_it_was(tmp_path: Path) -> None:
    """The cases of hands before count, and those of the hand itself do not."""
    folder = tmp_path / "mine"
    category_base("limit", hands=40).save(folder)
    text = f"{folder}:retain=own"
    assert remembers(loaded_agent(text, GAMES["limit"]))
    hand = played(GAMES["limit"], text)
    first, later = explain_hand(hand), explain_hand(hand, before=(hand, hand, hand))

    def counted(decisions: list[dict[str, object]]) -> int:
        [answer] = decisions[0]["retrieved"]["readings"][0]["answers"]  # type: ignore[index]
        return sum(answer["action_vector"].values())

    assert counted(later) == counted(first) + 3
    assert explain_hand(hand) == first


def test_built_case_bases_are_offered(fresh_cache: Path) -> None:
    category_base("limit", hands=30).save(
        fresh_cache / "case_bases" / "sartre-2010-small" / "members" / "expert"
    )
    offers = [(offer.agent, offer.game) for offer in built_offers(())]
    assert offers == [("sartre-2010-small", "holdem-limit-2p")]
