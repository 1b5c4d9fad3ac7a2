"""Replaying the actions of a PHH hand with doyle's rules.

d dh p1 AsKd   deal hole cards      p1 cbr 300   bet or raise to 300 in this round
d db 2c3c4c    deal the board       p1 cc, p1 f  check or call, fold
p1 sm AsKd     show (or muck) at the showdown; also reveals cards dealt as ??
"""

from __future__ import annotations

from typing import Any, NoReturn

from doyle.cards.cards import CARD_NAMES
from doyle.errors import DoyleError
from doyle.games import CALL, FOLD, UNLIMITED_STACK, Deal, Game, State
from doyle.games.payoffs import payoffs
from doyle.histories.lines import Chips, Hand

_CARDS = {name: card for card, name in enumerate(CARD_NAMES)}


def replay(fields: Any, game: Game, where: str) -> Hand:
    """Play the `actions` of a parsed PHH hand; `fields` is PokerKit's HandHistory."""
    actions = fields.actions
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise DoyleError(f"{where}: actions: expected a list of texts")
    table = _Table(game, where)
    for index, action in enumerate(actions):
        table.play(index, action)
    state = table.finish()
    players = fields.players or []
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise DoyleError(f"{where}: players: expected a list of names")
    if players and len(players) != game.players:
        raise DoyleError(f"{where}: players: {len(players)} names for {game.players} seats")
    number = fields.hand if isinstance(fields.hand, int) and 0 <= fields.hand < 2**32 else 0
    return Hand(number, state, tuple(players), _payoffs(state, table.mucked, fields, where))


class _Table:
    """One hand being replayed."""

    def __init__(self, game: Game, where: str) -> None:
        self.game = game
        self.where = where
        self.state = State.start(game)
        self.hole: list[list[int | None]] = [[] for _ in range(game.players)]
        self.board: list[int] = []
        self.mucked = [False] * game.players
        self.spent_before = 0  # the bet to call when the round began
        self.label = ""

    def refuse(self, problem: str) -> NoReturn:
        raise DoyleError(f"{self.where}: {self.label}: {problem}")

    def play(self, index: int, action: str) -> None:
        self.label = f"actions[{index + 1}] {action[:40]!r}"
        match action.split("#", 1)[0].split():
            case ["d", "dh", player, cards]:
                self.deal_hole(self.seat(player), cards)
            case ["d", "db", cards]:
                self.deal_board(cards)
            case [player, "f"]:
                self.bet(self.seat(player), FOLD)
            case [player, "cc"]:
                self.bet(self.seat(player), CALL)
            case [player, "cbr", amount]:
                if not (amount.isascii() and amount.isdigit() and len(amount) <= 10):
                    self.refuse("expected a whole number of chips")
                total = int(amount) + self.spent_before
                self.bet(self.seat(player), min(max(total, 2), UNLIMITED_STACK))
            case [player, "sm"]:
                self.mucked[self.seat(player)] = True
            case [player, "sm", "-"]:
                self.seat(player)
            case [player, "sm", cards]:
                self.show(self.seat(player), cards)
            case []:
                pass
            case _:
                self.refuse("not an action of Texas Hold'em")

    def seat(self, player: str) -> int:
        number = player[1:]
        if player[:1] != "p" or number not in map(str, range(1, self.game.players + 1)):
            self.refuse(f"expected a player p1 to p{self.game.players}")
        return int(number) - 1

    def cards(self, text: str) -> list[int | None]:
        cards: list[int | None] = []
        for start in range(0, len(text), 2):
            name = text[start : start + 2]
            if name not in _CARDS and name != "??":
                self.refuse(f"expected cards such as As, not {name!r}")
            cards.append(_CARDS.get(name))
        return cards

    def check_new(self, cards: list[int | None]) -> None:
        known = [card for hole in self.hole for card in hole if card is not None] + self.board
        for index, card in enumerate(cards):
            if card is not None and (card in known or card in cards[:index]):
                self.refuse(f"{CARD_NAMES[card]} is dealt twice")

    def deal_hole(self, seat: int, text: str) -> None:
        cards = self.cards(text)
        self.check_new(cards)
        self.hole[seat] += cards
        if len(self.hole[seat]) > self.game.hole_cards:
            self.refuse(f"more than {self.game.hole_cards} hole cards")

    def deal_board(self, text: str) -> None:
        cards = self.cards(text)
        self.check_new(cards)
        if len(self.board) + len(cards) > self.game.board_ends[self.state.round]:
            self.refuse("the betting round is not over")
        for card in cards:
            if card is None:
                self.refuse("board cards must be known")
            self.board.append(card)

    def bet(self, seat: int, action: int) -> None:
        state = self.state
        if state.is_over:
            self.refuse("the hand is over")
        if seat != state.actor:
            self.refuse(f"it is the turn of p{state.actor + 1}")
        if any(len(hole) != self.game.hole_cards for hole in self.hole):
            self.refuse("not all hole cards are dealt")
        if len(self.board) != self.game.board_ends[state.round]:
            self.refuse("the board is not dealt")
        if not state.is_legal(action):
            self.refuse(state.describe(action))
        self.state = state.apply(action)
        if self.state.round != state.round:
            self.spent_before = self.state.largest

    def show(self, seat: int, text: str) -> None:
        cards = self.cards(text)
        unknown = [card for card in self.hole[seat] if card is None]
        if any(card is not None and card not in self.hole[seat] for card in cards) and not unknown:
            self.refuse("these are not the cards that were dealt")
        if unknown and None not in cards and len(cards) == self.game.hole_cards:
            self.hole[seat] = []
            self.check_new(cards)
            self.hole[seat] = cards

    def finish(self) -> State:
        self.label = "actions"
        state = self.state
        if not state.is_over:
            self.refuse("the hand is not over")
        if len(self.board) != self.game.board_ends[state.round]:
            self.refuse("the board is not complete")
        hole = tuple(tuple(card for card in cards if card is not None) for cards in self.hole)
        hidden = tuple(cards if len(cards) == self.game.hole_cards else () for cards in hole)
        return state.with_deal(Deal(hidden, tuple(self.board)))


def _payoffs(state: State, mucked: list[bool], fields: Any, where: str) -> tuple[Chips, ...]:
    """By the rules where the cards are known; else a mucked hand loses, or as the file says."""
    game, deal = state.game, state.deal
    assert deal is not None
    unknown = [not cards and not state.folded[seat] for seat, cards in enumerate(deal.hole)]
    if not state.is_showdown or not any(unknown):
        return state.payoffs()
    out = tuple(
        state.folded[seat] or (unknown[seat] and mucked[seat]) for seat in range(game.players)
    )
    left = [seat for seat in range(game.players) if not out[seat]]
    if len(left) == 1 or (left and not any(unknown[seat] for seat in left)):
        return payoffs(game, deal, state.spent, out)
    finishing = fields.finishing_stacks
    if (
        isinstance(finishing, list)
        and len(finishing) == game.players
        and all(isinstance(chips, int) for chips in finishing)
    ):
        return tuple(after - before for after, before in zip(finishing, game.stacks, strict=True))
    raise DoyleError(f"{where}: the cards at the showdown are not known, nor are finishing_stacks")
