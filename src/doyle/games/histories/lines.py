"""Lines of the ACPC protocol and logs: MATCHSTATE, STATE and SCORE.

    MATCHSTATE:0:30:cr200c/:TdAs|/8c8d5c              seat, hand, betting, cards it may see
    STATE:30:cr200f:TdAs|2c9h:-100|100:Alice|Bob      hand, betting, cards, chips won, players
    SCORE:-100|100:Alice|Bob                          totals of a match

Names and chips of a STATE line are by seat. Printing what was read gives the same line, byte for
byte, but for a comment (a `#` after white space) behind a STATE or SCORE line, which is no part of a
name. Fractions of a chip have six decimals without final zeros, as the server prints them.

In the cards of a line (`TdAs|2c9h/8c8d5c/6s`) hole cards come by seat between `|`, hidden ones as
nothing; then the board so far, with `/` before each round after the first. Cards that the first round
puts on the board follow the last hand without a mark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from doyle.base.errors import DoyleError, ParseError
from doyle.cards.cards import CARD_NAMES
from doyle.games import Deal, Game, State
from doyle.games.histories.betting import format_betting, read_betting

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


_VALUE = re.compile(r"-?\d{1,15}(?:\.\d{1,6})?\Z", re.ASCII)
# Sites number their hands beyond the 32 bits of the server.
_NUMBER = re.compile(r"\d{1,18}\Z", re.ASCII)
_FORBIDDEN_IN_NAMES = re.compile(r"[:|\r\n]|(?:^|\s)#")
_COMMENT = re.compile(r"\s+#.*")

Chips = Fraction | int


@dataclass(frozen=True, slots=True)
class Hand:
    """One finished hand: its number, its last state, who sat where and what they won.

    `unit` is what one chip is worth in the file that the hand was read from.
    """

    number: int
    state: State
    players: tuple[str, ...] = ()
    payoffs: tuple[Chips, ...] = ()
    unit: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class MatchState:
    """What the dealer shows one seat: the state with the cards that this seat may see."""

    seat: int
    number: int
    state: State


@dataclass(frozen=True, slots=True)
class Score:
    """The totals at the end of a match."""

    totals: tuple[Chips, ...]
    players: tuple[str, ...]


def format_chips(chips: Chips) -> str:
    """Chips as the server prints them.

    >>> format_chips(-100), format_chips(Fraction(100, 3)), format_chips(Fraction(-5, 2))
    ('-100', '33.333333', '-2.5')
    """
    if isinstance(chips, int) or chips.denominator == 1:
        return str(int(chips))
    text = f"{float(chips):.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def format_state_line(hand: Hand) -> str:
    """A hand as a log line; the payoffs are worked out where the hand does not carry them.

    >>> state = State.start(Game.named("kuhn"), Deal(((51,), (43,)), ())).apply(1).apply(1)
    >>> format_state_line(Hand(7, state, players=("Ann", "Bob")))
    'STATE:7:cc:As|Qs:1|-1:Ann|Bob'
    """
    state = hand.state
    deal = state.deal or Deal(((),) * state.game.players, ())
    line = f"STATE:{hand.number}:{format_betting(state)}:{format_deal(state, deal.hole)}"
    if not hand.players:
        return line
    chips = "|".join(map(format_chips, hand.payoffs or state.payoffs()))
    return f"{line}:{chips}:{_format_names(hand.players)}"


def format_score_line(score: Score) -> str:
    """The last line of a log.

    >>> format_score_line(Score((50, -50), ("Ann", "Bob")))
    'SCORE:50|-50:Ann|Bob'
    """
    return f"SCORE:{'|'.join(map(format_chips, score.totals))}:{_format_names(score.players)}"


def format_matchstate(match_state: MatchState) -> str:
    """A MATCHSTATE line: the cards of other seats show only at a showdown they reached."""
    state, seat = match_state.state, match_state.seat
    deal = state.deal or Deal(((),) * state.game.players, ())
    shown = state.is_showdown
    hole = tuple(
        cards if other == seat or (shown and not state.folded[other]) else ()
        for other, cards in enumerate(deal.hole)
    )
    cards = format_deal(state, hole)
    return f"MATCHSTATE:{seat}:{match_state.number}:{format_betting(state)}:{cards}"


def _format_names(players: tuple[str, ...]) -> str:
    for name in players:
        if not name or _FORBIDDEN_IN_NAMES.search(name):
            raise DoyleError(
                f"player name {name[:40]!r}: must not be empty or contain : | a comment or a line end"
            )
    return "|".join(players)


def parse_matchstate(game: Game, line: str, *, what: str = "MATCHSTATE line") -> MatchState:
    """Read a MATCHSTATE line.

    >>> line = "MATCHSTATE:0:30:cr200c/:TdAs|/8c8d5c"
    >>> match_state = parse_matchstate(Game.named("holdem-nl-200bb"), line)
    >>> match_state.seat, match_state.state.actor, match_state.state.deal.hole
    (0, 0, ((33, 51), ()))
    >>> format_matchstate(match_state) == line
    True
    """
    line = line.rstrip("\r\n")
    fields = _fields(line, "MATCHSTATE", 5, 5, what=what)
    seat = _number(line, fields[1], "a seat", what=what)
    if seat >= game.players:
        raise _refusal(f"seat {seat} in a game of {game.players}", line, fields[1][0], what)
    number = _number(line, fields[2], "a hand number", what=what)
    state = read_betting(State.start(game), line, *fields[3], what=what)
    deal = read_deal(state, line, *fields[4], what=what)
    return MatchState(seat, number, state.with_deal(deal))


def parse_state_line(
    game: Game, line: str, *, what: str = "STATE line", check: bool = True
) -> Hand:
    """Read a STATE line; with `check` its chips must be what the rules give.

    >>> hand = parse_state_line(Game.named("kuhn"), "STATE:7:cc:As|Qs:1|-1:Ann|Bob")
    >>> hand.payoffs, hand.players
    ((1, -1), ('Ann', 'Bob'))
    """
    line = _without_comment(line)
    fields = _fields(line, "STATE", 4, 6, what=what)
    number = _number(line, fields[1], "a hand number", what=what)
    state = read_betting(State.start(game), line, *fields[2], what=what)
    state = state.with_deal(read_deal(state, line, *fields[3], what=what))
    if len(fields) == 4:
        return Hand(number, state)
    if len(fields) == 5:
        raise _refusal("expected players after the chips", line, len(line), what)
    values = _read_values(line, fields[4], game.players, what=what)
    players = _read_names(line, fields[5], game.players, what=what)
    if not state.is_over:
        raise _refusal("chips are given but the hand is not over", line, fields[4][0], what)
    if not state.is_showdown or _shown(state):
        payoffs = state.payoffs()
        if check:
            _check_values(line, fields[4], values, payoffs, what=what)
        values = payoffs
    elif check:
        _check_possible(line, fields[4], values, state, what=what)
    return Hand(number, state, players, values)


def _shown(state: State) -> bool:
    """Whether the hole cards of all seats that have not folded are known."""
    hole = state.deal.hole if state.deal is not None else ()
    return all(cards or folded for cards, folded in zip(hole, state.folded, strict=True))


def parse_score_line(line: str, *, what: str = "SCORE line") -> Score:
    """Read the SCORE line of a log."""
    line = _without_comment(line)
    fields = _fields(line, "SCORE", 3, 3, what=what)
    count = line.count("|", *fields[1]) + 1
    totals = _read_values(line, fields[1], count, what=what)
    return Score(totals, _read_names(line, fields[2], count, what=what))


def _refusal(problem: str, line: str, position: int, what: str) -> ParseError:
    return ParseError(problem, text=line, position=position, what=what)


def _without_comment(line: str) -> str:
    return _COMMENT.sub("", line.rstrip("\r\n"), count=1)


def _fields(line: str, header: str, least: int, most: int, *, what: str) -> list[tuple[int, int]]:
    """The (start, end) of each field between colons; the first one must be `header`."""
    fields = []
    start = 0
    for part in line.split(":"):
        fields.append((start, start + len(part)))
        start += len(part) + 1
    if line[slice(*fields[0])] != header:
        raise _refusal(f"expected {header}:", line, 0, what)
    if len(fields) < least:
        raise _refusal(
            f"expected at least {least} fields between colons, got {len(fields)}",
            line,
            len(line),
            what,
        )
    if len(fields) > most:
        raise _refusal("unexpected field", line, fields[most][0], what)
    return fields


def _number(line: str, field: tuple[int, int], expected: str, *, what: str) -> int:
    digits = line[slice(*field)]
    if not _NUMBER.match(digits):
        raise _refusal(f"expected {expected}", line, field[0], what)
    return int(digits)


def _split(line: str, field: tuple[int, int], count: int, *, what: str) -> list[tuple[int, str]]:
    """The parts of a field between `|`, each with its position."""
    parts = line[slice(*field)].split("|")
    if len(parts) != count:
        raise _refusal(f"expected {count} values between |, got {len(parts)}", line, field[0], what)
    placed = []
    position = field[0]
    for part in parts:
        placed.append((position, part))
        position += len(part) + 1
    return placed


def _read_values(line: str, field: tuple[int, int], count: int, *, what: str) -> tuple[Chips, ...]:
    values: list[Chips] = []
    for position, part in _split(line, field, count, what=what):
        if not _VALUE.match(part):
            raise _refusal("expected a number of chips", line, position, what)
        values.append(Fraction(part) if "." in part else int(part))
    return tuple(values)


def _read_names(line: str, field: tuple[int, int], count: int, *, what: str) -> tuple[str, ...]:
    parts = _split(line, field, count, what=what)
    for position, part in parts:
        if not part:
            raise _refusal("expected a player's name", line, position, what)
    return tuple(part for _, part in parts)


def _check_possible(
    line: str, field: tuple[int, int], values: tuple[Chips, ...], state: State, *, what: str
) -> None:
    """Refuse chips that no hidden cards can give: not zero sum, or more than was put in."""

    def refuse(problem: str) -> ParseError:
        return ParseError(problem, text=line, position=field[0], what=what)

    rounding = Fraction(len(values), 10**6)
    if abs(sum(map(Fraction, values), Fraction(0))) > rounding:
        raise refuse("the chips do not add up to 0")
    for seat, value in enumerate(map(Fraction, values)):
        spent = state.spent[seat]
        if value + spent < -rounding or value > state.pot - spent + rounding:
            raise refuse(f"seat {seat} put in {spent} of {state.pot} chips")
        if state.folded[seat] and abs(value + spent) > rounding:
            raise refuse(f"seat {seat} folded and loses {spent}")


def _check_values(
    line: str,
    field: tuple[int, int],
    values: tuple[Chips, ...],
    payoffs: tuple[Chips, ...],
    *,
    what: str,
) -> None:
    for value, payoff in zip(values, payoffs, strict=True):
        if value != payoff and abs(Fraction(value) - payoff) > Fraction(1, 10**6):
            correct = "|".join(map(format_chips, payoffs))
            raise _refusal(f"the rules give {correct}", line, field[0], what)
