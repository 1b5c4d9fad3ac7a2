"""Replaying the actions of a PHH hand with doyle's rules.

d dh p1 AsKd   deal hole cards      p1 cbr 300   bet or raise to 300 in this round
d db 2c3c4c    deal the board       p1 cc, p1 f  check or call, fold
p1 sm AsKd     show (or muck) at the showdown; also reveals cards dealt as ??

PHH has no action for a seat that has nothing to call while nobody else has chips left to answer it;
the rules of the ACPC server ask it for a check, which is filled in here.
"""

from __future__ import annotations

from typing import NoReturn

from doyle.cards.cards import CARD_NAMES
from doyle.games import CALL, FOLD, UNLIMITED_STACK, Deal, State
from doyle.games.histories.phh.fields import Fields, parse_amount
from doyle.games.histories.phh.stakes import Stakes

_CARDS = {name: card for card, name in enumerate(CARD_NAMES)}


class Table:
    """One hand being replayed; `finish` gives its last state."""

    def __init__(self, fields: Fields, stakes: Stakes) -> None:
        self.fields = fields
        self.stakes = stakes
        self.game = stakes.game
        self.state = State.start(self.game)
        self.hole: list[list[int | None]] = [[] for _ in range(self.game.players)]
        self.board: list[int] = []
        self.shown = [False] * self.game.players
        self.mucked = [False] * self.game.players
        self.before_round = stakes.ante  # what our totals include and the bets of the round do not
        self.label = "actions"

    def refuse(self, problem: str, *, reason: str) -> NoReturn:
        self.fields.refuse(self.label, problem, reason=reason)

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
                self.bet(self.seat(player), self.total(amount))
            case [player, "sm"]:
                self.mucked[self.seat(player)] = True
            case [player, "sm", "-"]:
                self.shown[self.seat(player)] = True
            case [player, "sm", cards]:
                self.show(self.seat(player), cards)
            case []:
                pass
            case _:
                self.refuse("not an action of Texas Hold'em", reason="not an action")

    def seat(self, player: str) -> int:
        number = player[1:]
        if player[:1] != "p" or number not in map(str, range(1, self.game.players + 1)):
            self.refuse(f"expected a player p1 to p{self.game.players}", reason="not an action")
        return int(number) - 1

    def total(self, text: str) -> int:
        """The raise-to total over all rounds that an amount of this round stands for."""
        amount = parse_amount(text)
        if amount is None:
            self.refuse("expected a number of chips", reason="not an action")
        total = int(amount / self.stakes.unit) + self.before_round
        return min(max(total, CALL + 1), UNLIMITED_STACK)

    def cards(self, text: str) -> list[int | None]:
        cards: list[int | None] = []
        for start in range(0, len(text), 2):
            name = text[start : start + 2]
            if name not in _CARDS and name != "??":
                self.refuse(f"expected cards such as As, not {name!r}", reason="not cards")
            cards.append(_CARDS.get(name))
        return cards

    def check_new(self, cards: list[int | None]) -> None:
        known = [card for hole in self.hole for card in hole if card is not None] + self.board
        for index, card in enumerate(cards):
            if card is not None and (card in known or card in cards[:index]):
                self.refuse(f"{CARD_NAMES[card]} is dealt twice", reason="a card is dealt twice")

    def deal_hole(self, seat: int, text: str) -> None:
        cards = self.cards(text)
        self.check_new(cards)
        self.hole[seat] += cards
        if len(self.hole[seat]) > self.game.hole_cards:
            problem = f"more than {self.game.hole_cards} hole cards"
            self.refuse(problem, reason="too many cards")

    def deal_board(self, text: str) -> None:
        self.pass_over()
        cards = self.cards(text)
        self.check_new(cards)
        if len(self.board) + len(cards) > self.game.board_ends[self.state.round]:
            if self.state.is_over:
                self.refuse("more than one board", reason="too many cards")
            self.refuse("the betting round is not over", reason="betting is missing")
        for card in cards:
            if card is None:
                self.refuse("board cards must be known", reason="unknown board cards")
            self.board.append(card)

    def bet(self, seat: int, action: int) -> None:
        if seat != self.state.actor:
            self.pass_over()
        state = self.state
        if state.is_over:
            self.refuse("the hand is over", reason="actions after the end")
        if seat != state.actor:
            self.refuse(f"it is the turn of p{state.actor + 1}", reason="out of turn")
        if any(len(hole) != self.game.hole_cards for hole in self.hole):
            self.refuse("not all hole cards are dealt", reason="cards are missing")
        if len(self.board) != self.game.board_ends[state.round]:
            self.refuse("the board is not dealt", reason="cards are missing")
        if not state.is_legal(action):
            reason = "a fold with nothing to call" if action == FOLD else "an illegal bet"
            self.refuse(state.describe(action), reason=reason)
        self.advance(action)

    def pass_over(self) -> None:
        """Check for seats that PHH passes over."""
        while is_passed_over(self.state):
            self.advance(CALL)

    def advance(self, action: int) -> None:
        round_ = self.state.round
        self.state = self.state.apply(action)
        if self.state.round != round_:
            self.before_round = self.state.largest

    def show(self, seat: int, text: str) -> None:
        cards = self.cards(text)
        unknown = [card for card in self.hole[seat] if card is None]
        if any(card is not None and card not in self.hole[seat] for card in cards) and not unknown:
            self.refuse("these are not the cards that were dealt", reason="other cards are shown")
        if unknown and any(card is not None for card in cards):
            if len(cards) != self.game.hole_cards:
                self.refuse(f"expected {self.game.hole_cards} cards", reason="not cards")
            self.hole[seat] = []
            self.check_new(cards)
            self.hole[seat] = cards
        self.shown[seat] = None not in cards

    def finish(self) -> State:
        """The last state, with the hole cards of those seats of which both are known."""
        self.label = "actions"
        self.pass_over()
        state = self.state
        if not state.is_over:
            self.refuse("the hand is not over", reason="the hand is not over")
        if len(self.board) != self.game.board_ends[state.round]:
            self.refuse("the board is not complete", reason="cards are missing")
        hole = tuple(tuple(card for card in cards if card is not None) for cards in self.hole)
        known = tuple(cards if len(cards) == self.game.hole_cards else () for cards in hole)
        return state.with_deal(Deal(known, tuple(self.board)))


def is_passed_over(state: State) -> bool:
    """Whether the actor has nothing to call and nobody else could answer a bet."""
    seat = state.actor
    if seat < 0 or state.spent[seat] < state.largest:
        return False
    return not any(
        stack > state.spent[seat]
        for other, stack in enumerate(state.game.stacks)
        if other != seat and not state.folded[other]
    )
