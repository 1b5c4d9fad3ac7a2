"""A finished hand as the text of a PHH file.

Amounts are written in the unit of the file that the hand was read from. A game does not say which
part of what its seats post is an ante: it is written as one where all seats can have posted it, which
is the same game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from doyle.base.errors import DoyleError
from doyle.cards.cards import CARD_NAMES
from doyle.games import CALL, FOLD, UNLIMITED_STACK, Game, State
from doyle.games.histories.lines import Chips, Hand
from doyle.games.histories.phh.fields import MOST_DECIMALS, opener
from doyle.games.histories.phh.replay import is_passed_over

_PLAIN = re.compile(r"[^'\x00-\x1f\x7f]*\Z")


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
    state, unit = hand.state, hand.unit
    game = state.game
    problem = phh_problem(game)
    blinds = _signed_blinds(game)
    if problem is not None or blinds is None:
        raise DoyleError(f"PHH: {game.name}: {problem}")
    if not state.is_over:
        raise DoyleError(f"hand {hand.number}: PHH holds finished hands, this one is not over")

    def amounts(chips: tuple[Chips, ...]) -> str:
        return "[" + ", ".join(_amount(one, unit) for one in chips) + "]"

    rows = [
        ("variant", "'FT'" if game.is_limit else "'NT'"),
        ("antes", amounts((_ante(game),) * game.players)),
        ("blinds_or_straddles", amounts(blinds[::-1] if game.players == 2 else blinds)),
    ]
    if game.is_limit:
        rows.append(("small_bet", _amount(game.raise_sizes[0], unit)))
        rows.append(("big_bet", _amount(game.raise_sizes[2], unit)))
    else:
        rows.append(("min_bet", _amount(game.big_blind, unit)))
    rows += [
        ("starting_stacks", amounts(game.stacks)),
        ("actions", "[" + ", ".join(f"'{action}'" for action in _actions(state, unit)) + "]"),
        ("hand", str(hand.number)),
    ]
    if hand.players:
        rows.append(("players", "[" + ", ".join(map(_quoted, hand.players)) + "]"))
    payoffs = hand.payoffs or state.payoffs()
    if all(10**MOST_DECIMALS % Fraction(chips * unit).denominator == 0 for chips in payoffs):
        endless = UNLIMITED_STACK in game.stacks
        before = state.spent if endless else game.stacks
        after = tuple(chips + won for chips, won in zip(before, payoffs, strict=True))
        rows.append(("winnings" if endless else "finishing_stacks", amounts(after)))
    return "".join(f"{key} = {value}\n" for key, value in rows)


def phh_problem(game: Game) -> str | None:
    """Why a game cannot be written as PHH, or None if it can."""
    if not game.is_holdem:
        return "only Texas Hold'em can be written"
    if _signed_blinds(game) is None or any(game.first_players[1:]):
        return "the blinds or the order of play are not those of Texas Hold'em"
    if game.is_limit:
        sizes = game.raise_sizes
        if sizes[0] != sizes[1] or sizes[2] != sizes[3]:
            return "limit bets must be equal in the first two and in the last two rounds"
    return None


def _ante(game: Game) -> int:
    """What every seat can have posted as an ante, so that the least bet is the largest blind."""
    ante = 0 if game.is_limit else max(game.blinds) - game.big_blind
    return ante if 0 <= ante <= min(game.blinds) else 0


def _signed_blinds(game: Game) -> tuple[int, ...] | None:
    """The blinds beside the ante; negative where a seat has posted the big blind out of turn.

    None if no seat can have the big blind, so that the first player is the one of the game.
    """
    ante, first = _ante(game), game.first_players[0]
    blinds = [posted - ante for posted in game.blinds]
    for back in range(1, game.players + 1):
        big = (first - back) % game.players
        signed = [
            -blind if (blind, seat) > (blinds[big], big) else blind
            for seat, blind in enumerate(blinds)
        ]
        if game.blinds[big] == game.stacks[big]:
            signed[big] = max(blinds)  # what a seat without the chips for it should have posted
        found = tuple(signed)
        plays_first = opener(game.blinds, ante, found, game.stacks) == first
        if plays_first and -min(found) <= max(found):
            return found
    return None


def _amount(chips: Chips, unit: Fraction) -> str:
    if chips == UNLIMITED_STACK:
        return "inf"
    amount = Fraction(chips) * unit
    return f"{Decimal(amount.numerator) / Decimal(amount.denominator):f}"


def _quoted(name: str) -> str:
    if _PLAIN.match(name):
        return f"'{name}'"
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")


def _actions(state: State, unit: Fraction) -> Iterator[str]:
    """The dealing, betting and showing of a finished hand as PHH actions."""
    game, deal = state.game, state.deal
    if deal is None:
        raise DoyleError("PHH: the cards of the hand are not known")
    hole = ["".join(CARD_NAMES[card] for card in cards) or "????" for cards in deal.hole]
    for seat, cards in enumerate(hole):
        yield f"d dh p{seat + 1} {cards}"
    walked = State.start(game)
    dealt = 0
    before_round = _ante(game)
    last_round = max(r for r, actions in enumerate(state.betting) if actions or r == 0)
    for round_, actions in enumerate(state.betting):
        if game.board_ends[round_] > dealt:
            board = deal.board[dealt : game.board_ends[round_]]
            dealt = game.board_ends[round_]
            yield "d db " + "".join(CARD_NAMES[card] for card in board)
        for action in actions:
            player = f"p{walked.actor + 1}"
            if action > CALL:
                yield f"{player} cbr {_amount(action - before_round, unit)}"
            elif action == FOLD or not is_passed_over(walked):
                yield f"{player} {'f' if action == FOLD else 'cc'}"
            walked = walked.apply(action)
        before_round = walked.largest
        if round_ == last_round and state.is_showdown:
            # An all-in shows the hands before the rest of the board is dealt.
            for seat, cards in enumerate(hole):
                if not state.folded[seat]:
                    yield f"p{seat + 1} sm {cards}"
