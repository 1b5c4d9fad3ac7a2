"""Every bundled game passes the check of games; broken rules do not."""

from __future__ import annotations

import pytest

from doyle.games import Game, State, View, bundled_names
from doyle.testing import ContractError, check_game


@pytest.mark.parametrize("name", bundled_names())
def test_bundled_games_keep_the_contract(name: str) -> None:
    assert check_game(name, hands=60) > 100


def test_a_game_from_a_definition_keeps_the_contract() -> None:
    text = Game.named("holdem-nl-20bb").to_text().replace("stack = 40 40", "stack = 7 40")
    assert "7 40" in text
    assert check_game(Game.parse(text), hands=60) > 100


def test_chips_from_nowhere_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "payoffs", lambda state: (1,) * state.game.players)
    with pytest.raises(ContractError, match="do not sum to 0"):
        check_game("kuhn", hands=5)


def test_an_action_too_many_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    original = State.is_legal

    def is_legal(state: State, action: int) -> bool:
        return original(state, action) or (not state.is_over and action == state.max_raise_to + 1)

    monkeypatch.setattr(State, "is_legal", is_legal)
    with pytest.raises(ContractError, match="must not be legal"):
        check_game("holdem-nl-20bb", hands=5)


def test_a_view_of_all_cards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def view(state: State, seat: int) -> View:
        assert state.deal is not None
        return View(seat, state, state.deal.hole[seat], state.board)

    monkeypatch.setattr(State, "view", view)
    with pytest.raises(ContractError, match=r"still to come|of seat 1"):
        check_game("leduc", hands=5)
