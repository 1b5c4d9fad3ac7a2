"""PHH files: the Poker Hand History format (Kim 2024), for Texas Hold'em with or without limit.

A `.phh` file holds one hand, a `.phhs` file many under headers `[1]`, `[2]`, ... PokerKit parses
the fields; the actions are replayed with doyle's rules. In PHH the amounts of a bet are totals of
the betting round, and two-player blinds are listed small blind first although player 1 posts the
big one; both are converted here. Amounts must be whole chips, and antes are refused: a `Game`
cannot tell them from blinds.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from doyle.cards.cards import CARD_NAMES
from doyle.errors import DoyleError
from doyle.games import CALL, FOLD, UNLIMITED_STACK, Game, State
from doyle.histories.files import kind_of, read_lines, writing
from doyle.histories.lines import Hand
from doyle.histories.replay import replay

_HEADER = re.compile(r"\[\s*[A-Za-z0-9_\"'-]+\s*\]\s*(?:#.*)?\Z")
_MAX_CHARACTERS = 1 << 20
_HOLDEM_BOARD = (0, 3, 1, 1)
# What PokerKit raises on text that is not PHH.
_NOT_PHH = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


def read_phh(path: Path, game: Game | None = None) -> Iterator[Hand]:
    """The hands of a `.phh` or `.phhs` file, one at a time.

    Each hand is played in the game that its fields describe, which must be `game` if that is given.
    """
    for first_line, text in _sections(path):
        where = f"{path}, line {first_line}"
        yield parse_phh(text, game, where=where)


def parse_phh(text: str, game: Game | None = None, *, where: str = "PHH") -> Hand:
    """Read one hand from the text of a PHH file."""
    fields = _parse_fields(text, where)
    own_game = _game_of(fields, where)
    if game is not None:
        own_game = _agreed(own_game, game, where)
    return replay(fields, own_game, where)


def write_phh(path: Path, hands: Iterable[Hand]) -> int:
    """Write hands to a `.phhs` file, or one hand to a `.phh` file; return their number."""
    count = 0
    several = kind_of(path) == ".phhs"
    with writing(path) as stream:
        for hand in hands:
            count += 1
            if several:
                stream.write(f"[{count}]\n{format_phh(hand)}\n")
            elif count > 1:
                raise DoyleError(f"{path}: a .phh file holds one hand; use .phhs for several")
            else:
                stream.write(format_phh(hand))
    return count


def format_phh(hand: Hand) -> str:
    """One hand as PHH text.

    >>> from doyle.games import Deal
    >>> deal = Deal(hole=((51, 50), (47, 46)), board=())
    >>> state = State.start(Game.named("holdem-nl-200bb"), deal).apply(FOLD)
    >>> print(format_phh(Hand(3, state, players=("Ann", "Bob"))), end="")
    variant = 'NT'
    antes = [0, 0]
    blinds_or_straddles = [50, 100]
    min_bet = 100
    starting_stacks = [20000, 20000]
    actions = ['d dh p1 AsAh', 'd dh p2 KsKh', 'p2 f']
    hand = 3
    players = ['Ann', 'Bob']
    finishing_stacks = [20050, 19950]
    """
    state = hand.state
    game = state.game
    _require_phh_game(game)
    if not state.is_over:
        raise DoyleError(f"hand {hand.number}: PHH holds finished hands, this one is not over")
    blinds = game.blinds[::-1] if game.players == 2 else game.blinds
    if game.is_limit:
        bets = [
            ("small_bet", str(game.raise_sizes[0])),
            ("big_bet", str(game.raise_sizes[2])),
        ]
    else:
        bets = [("min_bet", str(game.big_blind))]
    rows = [
        ("variant", "'FT'" if game.is_limit else "'NT'"),
        ("antes", str([0] * game.players)),
        ("blinds_or_straddles", str(list(blinds))),
        *bets,
        ("starting_stacks", str(list(game.stacks))),
        ("actions", "[" + ", ".join(f"'{action}'" for action in _actions(state)) + "]"),
        ("hand", str(hand.number)),
    ]
    if hand.players:
        rows.append(("players", "[" + ", ".join(map(_quoted, hand.players)) + "]"))
    payoffs = hand.payoffs or state.payoffs()
    if all(isinstance(chips, int) for chips in payoffs):
        finishing = [stack + int(chips) for stack, chips in zip(game.stacks, payoffs, strict=True)]
        rows.append(("finishing_stacks", str(finishing)))
    return "".join(f"{key} = {value}\n" for key, value in rows)


def phh_problem(game: Game) -> str | None:
    """Why a game cannot be written as PHH, or None if it can."""
    if (game.suits, game.ranks, game.hole_cards) != (4, 13, 2) or game.board_cards != _HOLDEM_BOARD:
        return "only Texas Hold'em can be written"
    first = (game.blinds.index(game.big_blind) + 1) % game.players
    if game.blinds.count(game.big_blind) > 1 or game.first_players != (first, 0, 0, 0):
        return "the blinds or the order of play are not those of Texas Hold'em"
    if game.players == 2 and first != 1:
        return "with two players the first seat must post the big blind"
    if game.is_limit:
        sizes = game.raise_sizes
        if sizes[0] != sizes[1] or sizes[2] != sizes[3]:
            return "limit bets must be equal in the first two and in the last two rounds"
    return None


def _require_phh_game(game: Game) -> None:
    problem = phh_problem(game)
    if problem is not None:
        raise DoyleError(f"PHH: {game.name}: {problem}")


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    if "'" not in name and escaped == name:
        return f"'{name}'"
    return f'"{escaped}"'


def _actions(state: State) -> Iterator[str]:
    """The dealing, betting and showing of a finished hand as PHH actions."""
    game, deal = state.game, state.deal
    if deal is None:
        raise DoyleError("PHH: the cards of the hand are not known")
    for seat, hole in enumerate(deal.hole):
        cards = "".join(CARD_NAMES[card] for card in hole) or "??" * game.hole_cards
        yield f"d dh p{seat + 1} {cards}"
    walked = State.start(game)
    dealt = 0
    spent_before = 0
    last_round = max(r for r, actions in enumerate(state.betting) if actions or r == 0)
    shown = [
        f"p{seat + 1} sm {''.join(CARD_NAMES[card] for card in hole) or '-'}"
        for seat, hole in enumerate(deal.hole)
        if state.is_showdown and not state.folded[seat]
    ]
    for round_, actions in enumerate(state.betting):
        if game.board_ends[round_] > dealt:
            board = deal.board[dealt : game.board_ends[round_]]
            dealt = game.board_ends[round_]
            yield "d db " + "".join(CARD_NAMES[card] for card in board)
        for action in actions:
            player = f"p{walked.actor + 1}"
            if action > CALL:
                yield f"{player} cbr {action - spent_before}"
            else:
                yield f"{player} {'f' if action == FOLD else 'cc'}"
            walked = walked.apply(action)
        spent_before = walked.largest
        if round_ == last_round:
            # An all-in shows the hands before the rest of the board is dealt.
            yield from shown


def _sections(path: Path) -> Iterator[tuple[int, str]]:
    """Each hand's text with the number of its first line."""
    several = kind_of(path) == ".phhs"
    lines: list[str] = []
    first_line = 1
    size = 0
    for number, line in enumerate(read_lines(path), start=1):
        if several and _HEADER.match(line):
            if any(map(str.strip, lines)):
                yield first_line, "\n".join(lines)
            lines, first_line, size = [], number, 0
            continue
        lines.append(line)
        size += len(line)
        if size > _MAX_CHARACTERS:
            raise DoyleError(f"{path}, line {first_line}: the hand is too long")
    if any(map(str.strip, lines)) or not several:
        yield first_line, "\n".join(lines)


def _parse_fields(text: str, where: str) -> Any:
    from pokerkit.notation import HandHistory

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # fields of the user's own
            return HandHistory.loads(text)
    except _NOT_PHH as error:
        problem = str(error).replace("HandHistory.__init__() ", "") or type(error).__name__
        raise DoyleError(f"{where}: not a PHH hand: {problem[:200]}") from None


def _game_of(fields: Any, where: str) -> Game:
    """The game that the fields of a hand describe."""
    if fields.variant not in ("NT", "FT"):
        raise DoyleError(f"{where}: variant {fields.variant!r}: only NT and FT are played here")
    stacks = _chips(fields.starting_stacks, "starting_stacks", where)
    players = len(stacks)
    if not 2 <= players <= 10:
        raise DoyleError(f"{where}: starting_stacks: {players} players, expected 2 to 10")
    if any(_chips(fields.antes, "antes", where)):
        raise DoyleError(f"{where}: antes: hands with antes besides blinds cannot be played here")
    blinds = _chips(fields.blinds_or_straddles, "blinds_or_straddles", where)
    blinds = (blinds + (0,) * players)[:players]
    if players == 2:
        blinds = blinds[::-1]
    big_blind = max(blinds)
    limit = fields.variant == "FT"
    if limit:
        small, big = _chips([fields.small_bet, fields.big_bet], "small_bet, big_bet", where)
        if big_blind and small != big_blind:
            raise DoyleError(f"{where}: small_bet: {small} is not the big blind of {big_blind}")
    elif _chips([fields.min_bet], "min_bet", where) != (big_blind,):
        raise DoyleError(f"{where}: min_bet: {fields.min_bet} is not the big blind of {big_blind}")
    try:
        return Game(
            name="PHH",
            betting="limit" if limit else "nolimit",
            players=players,
            rounds=4,
            blinds=blinds,
            suits=4,
            ranks=13,
            hole_cards=2,
            board_cards=_HOLDEM_BOARD,
            stacks=stacks,
            raise_sizes=(small, small, big, big) if limit else (),
            first_players=((blinds.index(big_blind) + 1) % players, 0, 0, 0),
            max_raises=(4, 4, 4, 4) if limit else (),
        )
    except DoyleError as error:
        raise DoyleError(f"{where}: {error}") from None


def _chips(values: Any, field: str, where: str) -> tuple[int, ...]:
    if not isinstance(values, list):
        raise DoyleError(f"{where}: {field}: expected a list of chips")
    chips = []
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int):
            if not (hasattr(value, "is_infinite") or isinstance(value, float)):
                raise DoyleError(f"{where}: {field}: {str(value)[:40]!r} is not a number of chips")
            if value == float("inf"):
                chips.append(UNLIMITED_STACK)
                continue
            if value != value or value != int(value):
                raise DoyleError(f"{where}: {field}: {value} is not a whole number of chips")
        if not 0 <= value <= UNLIMITED_STACK:
            raise DoyleError(f"{where}: {field}: {value} is not from 0 to {UNLIMITED_STACK}")
        chips.append(int(value))
    return tuple(chips)


def _agreed(own_game: Game, game: Game, where: str) -> Game:
    """`game`, after a check that the hand's fields describe it; PHH does not hold raise caps."""
    for name in ("betting", "players", "blinds", "stacks", "raise_sizes", "first_players"):
        if getattr(own_game, name) != getattr(game, name):
            raise DoyleError(
                f"{where}: {name} {getattr(own_game, name)} are not those of {game.name}: "
                f"{getattr(game, name)}"
            )
    return game
