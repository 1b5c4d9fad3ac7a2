"""Replaying the actions of a PHH hand with doyle's rules.

d dh p1 AsKd   deal hole cards      p1 cbr 300   bet or raise to 300 in this round
d db 2c3c4c    deal the board       p1 cc, p1 f  check or call, fold
p1 sm AsKd     show (or muck) at the showdown; also reveals cards dealt as ??

PHH has no action for a seat that has nothing to call while nobody else has chips left to answer it;
the rules of the ACPC server ask it for a check, which is filled in here.

What each seat won follows from the rules where the cards are known, else the file says it. Payoffs are
those of the game, before any rake: PHH gives `winnings` after it. A rake is at most a tenth of the pot
here; if more is missing, a winner is. Sites may count a bet that nobody called among the winnings or
not, and some write zeros where they do not know; both are allowed for.

Without winnings a hand that is mucked cannot win, and one that is not shown cannot win against one
that is: as in PokerKit it plays the board, and if the best hand shown is no better, nobody knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from typing import NoReturn

from doyle.cards.cards import CARD_NAMES
from doyle.games import CALL, FOLD, UNLIMITED_STACK, Deal, State
from doyle.games.histories.lines import Chips
from doyle.games.histories.phh.fields import MOST_DECIMALS, Fields, Stakes, parse_amount
from doyle.games.payoffs import best_rank, share_layers

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


_LARGEST_RAKE = Fraction(1, 10)
_UNKNOWN = "who won the showdown is not known"


def payoffs_of(table: Table, state: State) -> tuple[Chips, ...]:
    """Chips won by each seat in the finished hand that `table` has replayed."""
    claimed = _claimed(table, state)
    if not state.is_showdown:
        payoffs = state.payoffs()
    elif all(_known(state, seat) for seat in _live(state)):
        payoffs = _by_the_cards(table, state)
    elif claimed is not None:
        return _by_claims(table, state, claimed)
    else:
        return _by_what_is_shown(table, state)
    if claimed is not None:
        odd_chips = state.game.players  # of pots that do not divide, which somebody gets
        for seat, (chips, won) in enumerate(zip(claimed, payoffs, strict=True)):
            if chips > won + state.spent[seat] + odd_chips:
                rules = f"the actions and cards give {_in_file(table, won + state.spent[seat])}"
                problem = f"p{seat + 1} takes {_in_file(table, chips)}, {rules}"
                _refuse_result(table, problem, reason="contradicts the actions")
    return payoffs


def _live(state: State) -> list[int]:
    return [seat for seat, folded in enumerate(state.folded) if not folded]


def _known(state: State, seat: int) -> bool:
    return state.deal is not None and bool(state.deal.hole[seat])


def _rank(state: State, seat: int) -> int:
    assert state.deal is not None
    return best_rank(state.deal.hole[seat] + state.deal.board)


def _in_file(table: Table, chips: Chips) -> str:
    """Chips as an amount of the file."""
    return f"{float(chips * table.stakes.unit):g}"


def _refuse_result(table: Table, problem: str, *, reason: str) -> None:
    field = "winnings" if any(table.fields.winnings) else "finishing_stacks"
    table.fields.refuse(field, problem, reason=reason)


def _claimed(table: Table, state: State) -> tuple[Fraction, ...] | None:
    """Chips that the file says each seat took off the table, or None if it does not say."""
    fields, unit = table.fields, table.stakes.unit
    winnings = [amount for amount in fields.winnings if amount is not None]
    if any(winnings) and len(winnings) == len(fields.winnings):
        return tuple(amount / unit for amount in winnings)
    finishing = [amount for amount in fields.finishing_stacks if amount is not None]
    stacks = state.game.stacks
    if not finishing or len(finishing) < len(stacks) or UNLIMITED_STACK in stacks:
        return None
    taken = tuple(
        amount / unit - stack + spent
        for amount, stack, spent in zip(finishing, stacks, state.spent, strict=True)
    )
    if min(taken) < 0:
        problem = "a seat ends with less than it had left"
        table.fields.refuse("finishing_stacks", problem, reason="contradicts the actions")
    return taken if any(taken) else None


def _by_the_cards(table: Table, state: State) -> tuple[Chips, ...]:
    """The showdown by the rules; it must not depend on a hand that was mucked."""
    payoffs = state.payoffs()
    live = _live(state)
    if any(table.mucked[seat] for seat in live):
        ranks = [-1] * state.game.players
        for seat in live:
            if not table.mucked[seat]:
                ranks[seat] = _rank(state, seat)
        if _undecided(state, ranks, live) or share_layers(state.spent, tuple(ranks)) != payoffs:
            table.refuse("a hand that wins is mucked", reason="a hand that wins is mucked")
    return payoffs


def _by_what_is_shown(table: Table, state: State) -> tuple[Chips, ...]:
    """The showdown of shown hands; a hand that is not shown counts as the board."""
    assert state.deal is not None
    board = best_rank(state.deal.board)
    ranks = [-1] * state.game.players
    for seat in _live(state):
        if table.mucked[seat]:
            continue
        if _known(state, seat):
            ranks[seat] = _rank(state, seat)
        elif any(card is not None for card in table.hole[seat]):
            table.refuse(f"p{seat + 1} shows one card: {_UNKNOWN}", reason=_UNKNOWN)
        else:
            ranks[seat] = board
    shown = [seat for seat in _live(state) if table.shown[seat] and _known(state, seat)]
    if _undecided(state, ranks, shown):
        table.refuse(f"{_UNKNOWN}, nor are winnings or finishing_stacks given", reason=_UNKNOWN)
    return share_layers(state.spent, tuple(ranks))


def _undecided(state: State, ranks: Sequence[int], shown: Sequence[int]) -> bool:
    """Whether some part of the pot that several seats paid has a winner that is not shown."""
    for level in set(state.spent) - {0}:
        inside = [seat for seat, chips in enumerate(state.spent) if chips >= level]
        running = [seat for seat in inside if ranks[seat] >= 0]
        if len(inside) == 1 or len(running) == 1:
            continue
        best = max((ranks[seat] for seat in running), default=-1)
        winners = [seat for seat in running if ranks[seat] == best]
        if not winners or not set(winners) <= set(shown):
            return True
    return False


def _by_claims(table: Table, state: State, claimed: tuple[Fraction, ...]) -> tuple[Chips, ...]:
    """The showdown as the file says, with the rake given back to those who won."""
    collected = _without_uncalled(state, claimed)
    first, second = sorted(state.spent)[:-3:-1]
    pot = sum(state.spent) - (first - second)
    called = tuple(min(chips, second) for chips in state.spent)
    reachable = [sum(min(chips, own) for chips in called) for own in called]
    winners = [seat for seat, chips in enumerate(collected) if chips > 0]
    for seat in winners:
        if state.folded[seat] or table.mucked[seat] or collected[seat] > reachable[seat]:
            problem = f"p{seat + 1} cannot win {_in_file(table, collected[seat])}"
            _refuse_result(table, problem, reason="contradicts the actions")
    _check_against_cards(table, state, called, collected)
    total = sum(collected)
    if total > pot or total < pot * (1 - _LARGEST_RAKE):
        problem = f"{_in_file(table, total)} of a pot of {_in_file(table, pot)} is won"
        _refuse_result(table, problem, reason="does not add up to the pot")
    if total < pot:
        share = Fraction(pot, len(winners))
        equal = max(collected) - min(collected[seat] for seat in winners) <= 1
        whole = 10**MOST_DECIMALS % (share * table.stakes.unit).denominator == 0
        if not (equal and whole and all(reachable[seat] == pot for seat in winners)):
            problem = f"what a rake of {_in_file(table, pot - total)} took from whom is not known"
            _refuse_result(table, problem, reason="a rake that several winners paid")
        collected = tuple(share if seat in winners else Fraction(0) for seat in range(len(called)))
    return tuple(
        int(won) if won.denominator == 1 else won
        for won in (chips - paid for chips, paid in zip(collected, called, strict=True))
    )


def _without_uncalled(state: State, claimed: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """The shares of the pot among the claims, which may hold a bet that nobody called."""
    first, second = sorted(state.spent)[:-3:-1]
    seat, uncalled = state.spent.index(first), first - second
    if claimed[seat] < uncalled or sum(claimed) <= sum(state.spent) - uncalled:
        return claimed
    return (*claimed[:seat], claimed[seat] - uncalled, *claimed[seat + 1 :])


def _check_against_cards(
    table: Table, state: State, called: tuple[int, ...], collected: tuple[Fraction, ...]
) -> None:
    """No seat may win a part of the pot from a better hand that is known and has paid for it."""
    known = [seat for seat in _live(state) if _known(state, seat)]
    for seat, other in permutations(known, 2):
        if collected[seat] and _rank(state, other) > _rank(state, seat):
            own, lost = called[seat], min(called[seat], called[other])
            if collected[seat] > sum(min(chips, own) - min(chips, lost) for chips in called):
                problem = f"p{seat + 1} wins with a hand that p{other + 1} beats"
                _refuse_result(table, problem, reason="contradicts the cards")
