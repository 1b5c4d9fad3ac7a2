"""The view of a table's player, as a document: the only way from a hand to the network.

During a hand it is built from `state.view(position)` and the commitment, which know nothing of the
other hands or of the rest of the deck. When it is over, all hole cards, deck and salt are shown, also after
a fold.
"""

from __future__ import annotations

from typing import Any

from doyle.apps.web.service.offers import title
from doyle.apps.web.service.tables import LiveHand, LiveTable
from doyle.cards import describe_hand, format_cards
from doyle.cards.cards import CARD_NAMES
from doyle.games import CALL, FOLD, Action, Game, State
from doyle.games.histories import format_action, format_betting

ROUND_NAMES = ("Preflop", "Flop", "Turn", "River")

POT_SIZES = (("h", "½ pot", 1, 2), ("t", "¾ pot", 3, 4), ("p", "Pot", 1, 1), ("d", "2× pot", 2, 1))


def game_document(game: Game) -> dict[str, Any]:
    """The rules of a game as far as a table shows them."""
    return {
        "name": game.name,
        "title": title(game.name),
        "players": game.players,
        "limit": game.is_limit,
        "big_blind": game.big_blind,
        "blinds": list(game.blinds),
        "stacks": list(game.stacks),
        "bets": list(game.raise_sizes),
    }


def table_document(table: LiveTable) -> dict[str, Any]:
    """All that the player of a table may know now."""
    hand = table.hand
    return {
        "type": "table",
        "table": table.id,
        "game": game_document(table.game),
        "seat": table.seat,
        "names": [
            table.player_name if seat == table.seat else table.agent_names[seat]
            for seat in range(table.game.players)
        ],
        "agents": [
            None if seat == table.seat else table.agent_of(seat)
            for seat in range(table.game.players)
        ],
        "session": {
            "hands": table.hands,
            "won": round(table.won, 2),
            "baseline": round(table.baseline, 2),
            "baseline_hands": table.baseline_hands,
        },
        "problem": table.problem,
        "hand": None if hand is None else hand_document(table, hand),
    }


def hand_document(table: LiveTable, hand: LiveHand) -> dict[str, Any]:
    """One hand as the player sees it."""
    position = hand.position_of(table.seat)
    view = hand.state.view(position)
    state = view.state  # public: the other hands and the cards to come are not in it
    document = {
        "number": hand.number,
        "commitment": hand.sealed.commitment,
        "over": state.is_over,
        "round": state.round,
        "round_name": ROUND_NAMES[state.round] if table.game.rounds == 4 else str(state.round),
        "board": _cards(view.board),
        "hole": _cards(view.hole),
        "position": position,
        "seats": [_seat(hand, state, seat) for seat in range(table.game.players)],
        "button": hand.seat_of[_button(table.game)],
        "pot": state.pot,
        "to_act": None if state.is_over else hand.seat_of[state.actor],
        "number_of_actions": state.action_count,
        "betting": format_betting(state),
        "log": _log(table, hand, state),
        "legal": _legal(state) if state.actor == position else None,
        "reveal": _reveal(table, hand) if state.is_over else None,
    }
    if len(view.hole) + len(view.board) >= 5:
        document["made"] = describe_hand((*view.hole, *view.board)).category
    return document


def _button(game: Game) -> int:
    """The position that acts last after the flop."""
    return (game.first_players[-1] - 1) % game.players


def _seat(hand: LiveHand, state: State, seat: int) -> dict[str, Any]:
    position = hand.position_of(seat)
    spent, stack = state.spent[position], state.game.stacks[position]
    return {
        "position": position,
        "stack": stack - spent,
        "spent": spent,
        "bet": spent - _before_round(state, position),
        "folded": state.folded[position],
        "all_in": spent == stack,
    }


def _before_round(state: State, position: int) -> int:
    """The chips of a position in the pot at the start of the round of `state`; all of them once it
    is over."""
    if state.is_over:
        return state.spent[position]
    if state.round == 0:
        return 0
    before = State.start(state.game)
    for round_ in state.betting[: state.round]:
        for action in round_:
            before = before.apply(action)
    return before.spent[position]


def _log(table: LiveTable, hand: LiveHand, state: State) -> list[dict[str, Any]]:
    """The actions so far, in words."""
    now = State.start(state.game)
    entries = []
    for action, note in zip(hand.actions, hand.notes, strict=True):
        entries.append(
            {
                "seat": hand.seat_of[now.actor],
                "round": now.round,
                "action": format_action(state.game, action),
                "text": action_text(now, action),
                "note": note,
            }
        )
        now = now.apply(action)
    return entries


def action_text(state: State, action: Action) -> str:
    """folds, checks, calls 200, bets 300, raises to 900, all-in for 20,000."""
    if action == FOLD:
        return "folds"
    if action == CALL:
        return f"calls {state.to_call:,}" if state.to_call else "checks"
    if action >= state.game.stacks[state.actor]:
        return f"all-in for {action:,}"
    opens = state.round > 0 and not any(made > CALL for made in state.betting[-1])
    if opens:
        return f"bets {action - state.largest:,}"
    return f"raises to {action - min(_before_round(state, state.actor), action):,}"


def _legal(state: State) -> dict[str, Any]:
    """The player's legal actions; sizes are totals over the whole hand, as everywhere in doyle."""
    own = state.spent[state.actor]
    before = _before_round(state, state.actor)
    return {
        "fold": state.can_fold,
        "to_call": state.to_call,
        "min_raise_to": state.min_raise_to,
        "max_raise_to": state.max_raise_to,
        "round_start": before,
        "spent": own,
        "bets": not any(made > CALL for made in state.betting[-1]) and state.round > 0,
        "sizes": _sizes(state),
    }


def _sizes(state: State) -> list[dict[str, Any]]:
    """Fractions of the pot as raises, and all-in; the fixed raise of a limit game."""
    if not state.max_raise_to:
        return []
    if state.game.is_limit:
        return [{"key": "r", "name": "Raise", "raise_to": state.max_raise_to}]
    pot = state.pot + state.to_call
    sizes = []
    for key, name, over, under in POT_SIZES:
        raise_to = state.largest + round(pot * over / under)
        if state.min_raise_to <= raise_to < state.max_raise_to:
            sizes.append({"key": key, "name": name, "raise_to": raise_to})
    return [*sizes, {"key": "a", "name": "All-in", "raise_to": state.max_raise_to}]


def _reveal(table: LiveTable, hand: LiveHand) -> dict[str, Any]:
    """Everything that was hidden; of a hand that is over only."""
    assert hand.is_over
    assert hand.won is not None
    state, deal = hand.state, hand.deal
    seats = []
    for seat in range(table.game.players):
        position = hand.position_of(seat)
        hole = deal.hole[position]
        entry: dict[str, Any] = {"hole": _cards(hole), "won": hand.won[position]}
        if state.is_showdown and not state.folded[position] and len(hole) + len(state.board) >= 5:
            made = describe_hand((*hole, *state.board))
            entry |= {"made": made.category, "best": _cards(made.best)}
        seats.append(entry)
    return {
        "salt": hand.sealed.salt.hex(),
        "deck": hand.sealed.deck,
        "board": _cards(deal.board),
        "showdown": state.is_showdown,
        "seats": seats,
        "baseline": hand.baseline,
        "explained": hand.explanation is not None,
    }


def _cards(cards: tuple[int, ...]) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


def hand_summary(table: LiveTable, hand: LiveHand) -> dict[str, Any]:
    """A finished hand in one line of a list."""
    assert hand.won is not None
    position = hand.position_of(table.seat)
    return {
        "number": hand.number,
        "hole": _cards(hand.deal.hole[position]),
        "board": _cards(hand.state.board),
        "betting": format_betting(hand.state),
        "won": hand.won[position],
        "baseline": hand.baseline,
        "commitment": hand.sealed.commitment,
        "shown": {
            str(seat): format_cards(hand.deal.hole[hand.position_of(seat)])
            for seat in range(table.game.players)
            if seat != table.seat
        },
    }
