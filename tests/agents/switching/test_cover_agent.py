"""Cover-set players in play: policies, and what an opponent wins from them is what table 5.1 says."""

from __future__ import annotations

from fractions import Fraction

import pytest

from doyle.agents import resolve_agent
from doyle.agents.switching.cover_agent import CoverAgent
from doyle.agents.switching.cover_games import COVER_GAME, CoverGame
from doyle.agents.switching.cover_player import CoverPlayer, cover_strategy, cover_tree
from doyle.base.errors import DoyleError
from doyle.experiments.papers.full_game import FullGame
from doyle.games import Game
from doyle.matches.match import play_match
from doyle.measuring.strategies import policy_profile
from doyle.solving.games import MatrixGame
from doyle.solving.games.small_games import CardStates, small_game
from doyle.solving.methods.sequence_form import SequenceForm
from doyle.testing import check_policy

GAME = Game.named(COVER_GAME)


def test_a_player_of_two_games_is_a_policy_and_plays() -> None:
    cards = CardStates.of(GAME)
    games = [CoverGame(100, 1200, Fraction(1)), CoverGame(100, 1200, Fraction(1, 2))]
    strategies = []
    for game in games:
        form = SequenceForm(MatrixGame("cover", cover_tree(game), cards.rounds))
        plans = [form.realise(seat, form.uniform_behaviour(seat)) for seat in (0, 1)]
        strategies.append(cover_strategy(game, cards.rounds, plans))
    agent = CoverAgent("two", CoverPlayer(GAME, tuple(strategies), exact=False), cards)
    assert check_policy(agent, GAME, hands=5) >= 5
    result = play_match(GAME, [agent, "random"], hands=40, seed=1)
    assert not result.forfeits
    with pytest.raises(DoyleError, match="plays leduc-nl12, not leduc"):
        resolve_agent("sub-cover", "leduc")


@pytest.mark.slow
def test_what_is_won_from_the_agent_is_what_the_table_says() -> None:
    agent = resolve_agent("sub-cover", GAME)
    asked = policy_profile(small_game(GAME, lossless=False), (agent, agent))  # type: ignore[arg-type]
    full = FullGame.of(GAME)
    player = agent.player  # type: ignore[attr-defined]
    for seat in (0, 1):
        table = full.form.best_response(seat, full.plan(1 - seat, player))[0]
        assert asked.best_response_values[seat] == pytest.approx(table, abs=1e-9)
