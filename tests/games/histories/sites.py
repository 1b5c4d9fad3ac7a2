"""Hands played by PokerKit and written by it as PHH, the way online sites' hands come.

Two to seven seats, cents or chips, stacks from less than a blind to 200 big blinds, antes, straddles,
blinds posted out of turn. Only PokerKit decides what is legal and who wins.
"""

from __future__ import annotations

import random
import re
import warnings
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pokerkit
from pokerkit import HandHistory

_MANUAL = (
    "HOLE_DEALING",
    "BOARD_DEALING",
    "CARD_BURNING",
    "HOLE_CARDS_SHOWING_OR_MUCKING",
)
_AUTOMATIONS = tuple(one for one in pokerkit.Automation if one.name not in _MANUAL)


def _exact_shares(pot: Any, shares: int) -> tuple[Any, int]:
    return Fraction(pot) / shares, 0


@dataclass(frozen=True)
class Played:
    """A finished hand: PokerKit's own history of it, and what each seat won in the file's unit."""

    history: HandHistory
    payoffs: tuple[Fraction, ...]

    @property
    def text(self) -> str:
        return str(self.history.dumps())


def play_hand(seed: int, *, limit: bool = False) -> Played:
    """A random hand, the same for a seed."""
    rng = random.Random(seed)
    game, stacks, unit = _draw_game(rng, limit=limit)
    state = game(stacks, len(stacks))
    deck = [repr(card) for card in pokerkit.Deck.STANDARD]
    rng.shuffle(deck)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while state.status:
            _step(state, deck, rng, unit)
        history = HandHistory.from_game_state(game, state)
    _write_decimals(history)
    return Played(history, tuple(map(Fraction, state.payoffs)))


def _write_decimals(history: HandHistory) -> None:
    """Turn the fractions that the hand was played with into what a file holds."""
    for name in ("antes", "blinds_or_straddles", "starting_stacks"):
        setattr(history, name, [decimal(amount) for amount in getattr(history, name)])
    for name in ("min_bet", "small_bet", "big_bet"):
        if getattr(history, name) is not None:
            setattr(history, name, decimal(getattr(history, name)))
    history.actions = [
        re.sub(r"(?<=cbr )\S+", lambda match: str(decimal(Fraction(match[0]))), action)
        for action in history.actions
    ]


def decimal(amount: Fraction) -> Decimal:
    return Decimal(amount.numerator) / Decimal(amount.denominator)


def _draw_game(rng: random.Random, *, limit: bool) -> tuple[Any, list[Any], Any]:
    players = rng.randint(2, 7)
    unit = Fraction(1, 100) if rng.random() < 0.7 else Fraction(1)
    small, big = rng.choice([(25, 50), (50, 100), (5, 10), (100, 200), (1, 2)])
    blinds = [small, big] + [0] * (players - 2)
    if players >= 4 and rng.random() < 0.3:
        blinds[rng.randint(2, players - 1)] = rng.choice([2 * big, -big, -big])
    ante = rng.choice([0, 0, big // 4, big // 2, big, 2 * big + 1])
    if rng.random() < 0.05:
        blinds, ante = [0] * players, max(ante, 1)
    least = max(ante, 1)
    stacks = [
        least + rng.randint(1, rng.choice([3, 20, 200]) * big) + 10 * big * limit
        for _ in range(players)
    ]
    options: dict[str, Any] = {
        "automations": _AUTOMATIONS,
        "ante_trimming_status": False,
        "raw_antes": [ante * unit] * players,
        "raw_blinds_or_straddles": [blind * unit for blind in blinds],
        "divmod": _exact_shares,
    }
    game: Any
    if limit:
        game = pokerkit.FixedLimitTexasHoldem(
            **options, small_bet=big * unit, big_bet=2 * big * unit
        )
    else:
        game = pokerkit.NoLimitTexasHoldem(**options, min_bet=big * unit)
    return game, [stack * unit for stack in stacks], big * unit


def _step(state: Any, deck: list[str], rng: random.Random, big: Any) -> None:
    if state.can_deal_hole():
        state.deal_hole(deck.pop() + deck.pop())
    elif state.can_burn_card():
        state.burn_card("??")
    elif state.can_deal_board():
        state.deal_board("".join(deck.pop() for _ in range(state.board_dealing_count)))
    elif state.can_show_or_muck_hole_cards():
        state.show_or_muck_hole_cards()
    else:
        draw = rng.random()
        if draw < 0.12 and state.checking_or_calling_amount > 0:
            state.fold()
        elif draw < 0.6 or not state.can_complete_bet_or_raise_to():
            state.check_or_call()
        else:
            low = state.min_completion_betting_or_raising_to_amount
            high = state.max_completion_betting_or_raising_to_amount
            total = rng.choice([low, low, high, low + rng.randint(0, 4) * big])
            state.complete_bet_or_raise_to(min(total, high))


def hidden(played: Played, *, shown: frozenset[int] = frozenset(), **results: Any) -> str:
    """The hand's text with the cards of all seats but those `shown` not known, and other results."""
    history = HandHistory.loads(played.text)
    actions = []
    for action in history.actions:
        words = action.split()
        if words[:2] == ["d", "dh"]:
            words[3] = "????"
        elif len(words) == 3 and words[1] == "sm" and int(words[0][1:]) - 1 not in shown:
            words[2] = "????"
        actions.append(" ".join(words))
    history.actions = actions
    for name, values in results.items():
        setattr(history, name, values)
    return str(history.dumps())


def _exact(text: str) -> Any:
    return float(text) if text == "inf" else Fraction(text)


def replayed(text: str) -> tuple[Fraction, ...]:
    """What PokerKit itself makes of a PHH hand."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        history = HandHistory.loads(text, parse_value=_exact, divmod=_exact_shares)
        history.parse_value = _exact
        *_, last = history.state_actions
    return tuple(map(Fraction, last[0].payoffs))
