"""Hands per second of a match between two trivial Python agents, beside PokerKit.

Both play the same deals of no-limit Hold'em to the showdown on one core: `always-call` against
itself, eight actions a hand, the most that agents who never raise can make. Ours is a whole match,
with its dealer, views, time limits and payoffs; PokerKit's is its own automated state machine.
Seconds are those of the processor, since one core is meant and others may be busy.
"""

from __future__ import annotations

import time
from typing import Any

from doyle.cards import format_cards
from doyle.games import Game
from doyle.matches import Dealer, as_deal, play_match

GAME = "holdem-nl-200bb"
SEED = 1
TARGET_HANDS_PER_SECOND = 5000
DEALS = 4000
PEER_HANDS = 300
LARGE_DEAL = 500_000


def hands_per_second(agents: list[str], deals: int = DEALS) -> float:
    """Hands a second of a duplicate match in this process."""
    game = Game.named(GAME)
    play_match(game, agents, hands=100, seed=SEED)
    start = time.process_time()
    play_match(game, agents, hands=deals, seed=SEED)
    return 2 * deals / (time.process_time() - start)


def deals_per_second() -> float:
    """Deals a second of the dealer alone."""
    dealer = Dealer(Game.named(GAME), seed=SEED)
    start = time.process_time()
    dealer.draw(LARGE_DEAL)
    return LARGE_DEAL / (time.process_time() - start)


def pokerkit_hands_per_second(hands: int = PEER_HANDS) -> float:
    """Hands a second of PokerKit over the same deals, everybody checking and calling."""
    from pokerkit import Automation, NoLimitTexasHoldem

    automations = (
        Automation.ANTE_POSTING,
        Automation.BET_COLLECTION,
        Automation.BLIND_OR_STRADDLE_POSTING,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
        Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING,
        Automation.CHIPS_PULLING,
    )
    game = Game.named(GAME)
    deals = [as_deal(game, row) for row in Dealer(game, seed=SEED).draw(hands)]
    start = time.process_time()
    for deal in deals:
        state = NoLimitTexasHoldem.create_state(
            automations, True, 0, (50, 100), 100, (20_000, 20_000), 2
        )
        for cards in deal.hole:
            state.deal_hole(format_cards(cards))
        board = format_cards(deal.board)
        for street in ("", board[:6], board[6:8], board[8:]):
            if street:
                state.burn_card("??")
                state.deal_board(street)
            state.check_or_call()
            state.check_or_call()
        assert not state.status
    return hands / (time.process_time() - start)


def measurements() -> list[dict[str, Any]]:
    """The figures of this benchmark, each beside what it is compared with."""
    peer = pokerkit_hands_per_second()
    calls = hands_per_second(["always-call", "always-call"])
    raises = hands_per_second(["always-raise", "always-call"], deals=500)
    folds = hands_per_second(["always-fold", "always-all-in"])
    return [
        _row("match, always-call twice", calls, peer, "PokerKit, same deals and actions"),
        _row(
            "match, always-raise and always-call", raises, None, "a raise and a call in every round"
        ),
        _row("match, always-fold and always-all-in", folds, None, "1.5 actions a hand"),
        {
            "name": "deals",
            "ours": deals_per_second(),
            "other": None,
            "unit": "deals/s",
            "ratio": None,
            "target": None,
            "note": "the dealer alone",
        },
    ]


def _row(name: str, ours: float, other: float | None, note: str) -> dict[str, Any]:
    return {
        "name": name,
        "ours": ours,
        "other": other,
        "unit": "hands/s",
        "ratio": None if other is None else ours / other,
        "target": f">= {TARGET_HANDS_PER_SECOND} hands/s",
        "note": note,
    }


if __name__ == "__main__":
    for row in measurements():
        beside = "" if row["other"] is None else f", {row['ratio']:.1f} times {row['other']:,.0f}"
        print(f"{row['name']}: {row['ours']:,.0f} {row['unit']}{beside} ({row['note']})")
