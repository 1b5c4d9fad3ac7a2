"""The cards of an ACPC line: `TdAs|2c9h/8c8d5c/6s`.

Hole cards come by seat between `|`, hidden ones as nothing; then the board so far, with `/` before
each round after the first. Cards that the first round puts on the board follow the last hand without
a mark.
"""

from __future__ import annotations

from doyle.base.errors import ParseError
from doyle.cards.cards import CARD_NAMES
from doyle.games import Deal, State

_CARDS = {name: card for card, name in enumerate(CARD_NAMES)}


def format_deal(state: State, hole: tuple[tuple[int, ...], ...]) -> str:
    """The given hole cards and the board that the state shows."""
    names = CARD_NAMES
    text = "|".join(["".join([names[card] for card in cards]) for cards in hole])
    board = state.board
    if not board and state.round == 0:
        return text
    groups = []
    start = 0
    for end in state.game.board_ends[: state.round + 1]:
        groups.append("".join([names[card] for card in board[start:end]]))
        start = end
    return text + "/".join(groups)


def read_deal(state: State, line: str, start: int, end: int, *, what: str) -> Deal:
    """The cards in `line[start:end]`, which must be those of `state`; errors point into `line`."""
    reader = _Reader(state, line, start, end, what)
    hole, board = reader.hole_and_first_board()
    return Deal(hole, board + reader.later_board())


class _Reader:
    """Reads the cards of one line from left to right."""

    __slots__ = ("end", "line", "position", "seen", "state", "what")

    def __init__(self, state: State, line: str, start: int, end: int, what: str) -> None:
        self.state = state
        self.line = line
        self.position = start
        self.end = end
        self.what = what
        self.seen: set[int] = set()

    def refuse(self, problem: str) -> ParseError:
        return ParseError(problem, text=self.line, position=self.position, what=self.what)

    def expect(self, mark: str, where: str) -> None:
        if self.position >= self.end or self.line[self.position] != mark:
            raise self.refuse(f"expected {mark} before {where}")
        self.position += 1

    def cards(self) -> tuple[int, ...]:
        """The cards up to the next mark."""
        game, line, end = self.state.game, self.line, self.end
        cards = []
        while self.position < end and line[self.position] not in "|/":
            card = _CARDS.get(line[self.position : min(self.position + 2, end)])
            if card is None:
                raise self.refuse("expected a card such as As")
            if card not in game.deck_set:
                raise self.refuse(f"{CARD_NAMES[card]} is not in the deck of {game.name}")
            if card in self.seen:
                raise self.refuse(f"{CARD_NAMES[card]} is dealt twice")
            self.seen.add(card)
            cards.append(card)
            self.position += 2
        return tuple(cards)

    def hole_and_first_board(self) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
        game = self.state.game
        first_board = game.board_cards[0]
        hole: list[tuple[int, ...]] = []
        board: tuple[int, ...] = ()
        for seat in range(game.players):
            if seat:
                self.expect("|", f"the cards of seat {seat}")
            start = self.position
            cards = self.cards()
            if first_board and seat == game.players - 1 and len(cards) >= first_board:
                cards, board = cards[:-first_board], cards[-first_board:]
            if len(cards) not in (0, game.hole_cards):
                self.position = start
                raise self.refuse(f"expected {game.hole_cards} hole cards or none for seat {seat}")
            hole.append(cards)
        if len(board) != first_board:
            raise self.refuse(f"expected {first_board} board cards in the first round")
        return tuple(hole), board

    def later_board(self) -> tuple[int, ...]:
        game = self.state.game
        board: tuple[int, ...] = ()
        for round_ in range(1, self.state.round + 1):
            self.expect("/", f"the board of round {round_}")
            cards = self.cards()
            if len(cards) != game.board_cards[round_]:
                raise self.refuse(
                    f"expected {game.board_cards[round_]} board cards in round {round_}"
                )
            board += cards
        if self.position != self.end:
            raise self.refuse("expected no more cards")
        return board
