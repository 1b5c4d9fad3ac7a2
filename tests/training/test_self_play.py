"""Compiled self-play: its draws, and hands that are what the rules and the strategies say."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.agents.named_strategy import named_strategy
from doyle.games import FOLD, Game, State
from doyle.histories import parse_state_line
from doyle.strategy import TableStrategy
from doyle.strategy.strategy import Purified, Thresholded
from doyle.training import _self_play_kernels as kernels
from doyle.training.self_play import SelfPlay, self_play
from tests.building.test_three_players import ONE_BET
from tests.training.experts_of_no_strength import save_random, use_rank_cards


class OneRow:
    """A strategy of one decision and one bucket."""

    tree: Any = None

    def __init__(self, row: list[float]) -> None:
        self.row = np.array(row, np.float32)

    def bucket_count(self, round_number: int) -> int:
        return 1

    def probabilities(self, node: int, buckets: Any) -> Any:
        total = self.row.sum()
        shares = self.row / total if total > 0 else np.full(len(self.row), 1 / len(self.row))
        return shares[None, :].astype(np.float64)


@given(
    row=st.lists(st.sampled_from([0.0, 0.05, 0.125, 0.25, 0.5, 1.0]), min_size=2, max_size=4),
    threshold=st.sampled_from([0.0, 0.15, 0.5, 1.0, 2.0]),
)
def test_draws_have_the_probabilities_of_the_views(row: list[float], threshold: float) -> None:
    view: Any = OneRow(row)
    if threshold > 1:
        view = Purified(view)
    elif threshold:
        view = Thresholded(view, threshold)
    wanted = view.probabilities(0, np.zeros(1, int))[0]
    draws = (np.arange(2000) + 0.5) / 2000
    drawn = [kernels.drawn_action(np.array(row, np.float32), threshold, draw) for draw in draws]
    found = np.bincount(drawn, minlength=len(row)) / len(draws)
    np.testing.assert_allclose(found, wanted, atol=2e-3)


def played(texts: list[str], deals: int) -> list[Any]:
    table = self_play(tuple(texts))
    assert isinstance(table, SelfPlay)
    names = [f"p{number}" for number in range(len(texts))]
    lines = list(table.lines(table.play(deals, (1, 2)), names))
    return [parse_state_line(table.game, line) for line in lines]


@pytest.mark.parametrize(
    ("game", "betting", "players"),
    [("holdem-limit-2p", "limit", 2), ("holdem-nl-20bb", "fcpa", 2)],
)
def test_hands_keep_the_rules_and_duplicate_deals(
    game: str, betting: str, players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_rank_cards(monkeypatch)
    texts = [
        save_random(tmp_path / f"x{number}", game=game, betting=betting, seed=number)
        for number in range(players)
    ]
    hands = played(texts, 150)  # the chips are checked against the rules as they are read
    assert len(hands) == 300
    for first, second in zip(hands[::2], hands[1::2], strict=True):
        assert first.state.deal.hole == second.state.deal.hole
        assert first.players == second.players[::-1]
    assert {hand.state.round for hand in hands} == {0, 1, 2, 3}
    assert any(hand.state.is_showdown for hand in hands)


def test_three_players_sit_in_six_orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_rank_cards(monkeypatch)
    game = tmp_path / "one-bet.game"
    game.write_text(ONE_BET)
    text = save_random(tmp_path / "x", game=str(game))
    hands = played([text, text, f"{text}:purification=full"], 60)
    assert len(hands) == 360
    assert {hand.players for hand in hands} == {*permutations(("p0", "p1", "p2"))}
    assert any(not any(hand.state.folded) for hand in hands)
    table = self_play((text, text, f"{text}:purification=full"))
    assert table is not None
    dealt = table.play(60, (1, 2))
    won = table.units(dealt)
    lines = [parse_state_line(table.game, line) for line in table.lines(dealt, ("p0", "p1", "p2"))]
    for deal in range(60):
        for player in range(3):
            chips = sum(
                hand.payoffs[hand.players.index(f"p{player}")]
                for hand in lines[6 * deal : 6 * deal + 6]
            )
            assert won[deal, player] == 6 * chips  # chips are counted in sixths
    assert not won.sum(axis=1).any()


def test_decisions_have_the_frequencies_of_the_strategies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By (player, history, highest rank): what was done, beside the tables that the player has."""
    use_rank_cards(monkeypatch)
    texts = [save_random(tmp_path / "a", seed=3), save_random(tmp_path / "b", seed=4)]
    texts[1] += ":purification=full"
    named = [named_strategy(text) for text in texts]
    counts: dict[tuple[int, str, int], Counter[int]] = defaultdict(Counter)
    for hand in played(texts, 4000):
        state = State.start(Game.named("holdem-limit-2p"))
        history = ""
        for action in hand.state.betting[0]:
            player = int(hand.players[state.actor][1])
            rank = max(card // 4 for card in hand.state.deal.hole[state.actor])
            counts[player, history, rank][min(action, 2)] += 1
            history += "fcr"[min(action, 2)]
            state = state.apply(action)
    compared = 0
    for (player, history, rank), seen in counts.items():
        if seen.total() < 100:
            continue
        one = named[player]
        assert one is not None
        tables: TableStrategy = one.tables
        actions = {"f": FOLD, "c": 1}
        node = 0
        for letter in history:
            below = tables.tree.actions_of(node)
            wanted = actions.get(letter, int(below.max()))
            node = tables.tree.child(node, wanted)
        shares = one.played.probabilities(node, np.array([rank]))[0]
        for action, share in zip(tables.tree.actions_of(node), shares, strict=True):
            expected = seen.total() * share
            spread = 5 * np.sqrt(seen.total() * share * (1 - share)) + 1e-9
            assert abs(seen[min(int(action), 2)] - expected) <= spread
            compared += 1
    assert compared > 50


def test_only_strategies_of_one_tree_play_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_rank_cards(monkeypatch)
    one = save_random(tmp_path / "one", game="holdem-nl-20bb", betting="fcpa")
    other = save_random(tmp_path / "other", game="holdem-nl-20bb", betting="fca")
    assert self_play((one, other)) is None
    assert self_play((one, "always-call")) is None
    assert self_play((one, one)) is not None
    assert list(chain(played([one, one], 1)))
