"""Hands per second of matches: of trivial Python agents beside PokerKit, of policies by kernels.

Both play the same deals of no-limit Hold'em to the showdown on one core: `always-call` against
itself, eight actions a hand, the most that agents who never raise can make. Ours is a whole match,
with its dealer, views, time limits and payoffs; PokerKit's is its own automated state machine. Matches
by kernels are whole matches too, with the translation of every new history and everything but the
compilation; beside them the same pair hand by hand, in turns. They need `default` at small scale, which is
built first if it is not there.
Seconds are those of the processor, since one core is meant and others may be busy.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

from doyle.building import load_or_build_strategy
from doyle.cards import format_cards
from doyle.games import Game
from doyle.matches import Apart, Chance, Dealer, KeyedDealer, as_deal, play_match
from doyle.matches.chance import DrawsDeals, secret_of_seed

GAME = "holdem-nl-200bb"
SEED = 1
TARGET_HANDS_PER_SECOND = 5000
DEALS = 4000
PEER_HANDS = 300
LARGE_DEAL = 500_000
LEAST_SECONDS_OF_A_TRY = 0.05
AGENT = "default-small"
FAST_PAIRS = {
    "two strategies": (f"{AGENT}:translation=rand-pshar", f"{AGENT}:translation=rand-geo-2"),
    "bets outside the tree": (f"{AGENT}:translation=polaris-soft", "street-bettor-0.33"),
    "ev, new bets all the time": (f"{AGENT}:translation=rand-pshar", "ev"),
}
FAST_DEALS = 50_000
PLAIN_DEALS = 1000
TARGET_FAST = 20_000


def hands_per_second(
    agents: list[Any], deals: int = DEALS, *, clock: Callable[[], float] = time.process_time
) -> float:
    """Hands a second of a duplicate match in this process."""
    game = Game.named(GAME)
    play_match(game, agents, hands=100, seed=SEED, method="plain")
    start = clock()
    play_match(game, agents, hands=deals, seed=SEED, method="plain")
    return 2 * deals / (clock() - start)


def fast_and_plain(agents: list[Any]) -> tuple[float, float]:
    """Hands a second of a match by kernels and hand by hand, the medians of three turns."""
    game = Game.named(GAME)
    play_match(game, agents, hands=200, seed=SEED, method="fast")  # kernels are compiled
    speeds: dict[str, list[float]] = {"fast": [], "plain": []}
    for turn in range(3):
        for method, deals in (("fast", FAST_DEALS), ("plain", PLAIN_DEALS)):
            start = time.process_time()
            play_match(game, agents, hands=deals, seed=SEED + turn, method=method)  # type: ignore[arg-type]
            speeds[method].append(2 * deals / (time.process_time() - start))
    return median(speeds["fast"]), median(speeds["plain"])


def fast_rows() -> list[dict[str, Any]]:
    load_or_build_strategy(AGENT)
    rows = []
    for name, agents in FAST_PAIRS.items():
        fast, plain = fast_and_plain(list(agents))
        note = f"{FAST_DEALS:,} deals by kernels, beside hand by hand"
        row = _row(f"match by kernels, {name}", fast, plain, note)
        rows.append(row | {"target": f">= {TARGET_FAST:,} hands/s"})
    return rows


def seconds_of_a_try() -> float:
    """Processor seconds from a seed to the keys of its match, the least of five tries."""
    tries = []
    for seed in range(5):
        secret_of_seed.cache_clear()
        start = time.process_time()
        Chance.repeatable(seed).dice(Game.named(GAME))
        tries.append(time.process_time() - start)
    return min(tries)


def deals_per_second(dealer: DrawsDeals) -> float:
    """Deals a second of a dealer alone."""
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
    agents = [Apart("always-call"), "always-call"]
    apart = hands_per_second(agents, deals=2000, clock=time.perf_counter)
    inside = hands_per_second(["always-call", "always-call"], clock=time.perf_counter)
    return [
        *fast_rows(),
        _row("match, always-call twice", calls, peer, "PokerKit, same deals and actions"),
        _row(
            "match, always-raise and always-call", raises, None, "a raise and a call in every round"
        ),
        _row("match, always-fold and always-all-in", folds, None, "1.5 actions a hand"),
        {
            "name": "match, always-call apart and always-call",
            "ours": apart,
            "other": inside,
            "unit": "hands/s",
            "ratio": apart / inside,
            "target": None,
            "note": "one agent in a process of its own, against both inside; by the clock",
        },
        {
            "name": "deals",
            "ours": deals_per_second(KeyedDealer(Game.named(GAME), key=bytes(32))),
            "other": deals_per_second(Dealer(Game.named(GAME), seed=SEED)),
            "unit": "deals/s",
            "ratio": None,
            "target": None,
            "note": "from a key, beside the ACPC dealer's deals",
        },
        {
            "name": "one try of a seed",
            "ours": seconds_of_a_try(),
            "other": LEAST_SECONDS_OF_A_TRY,
            "unit": "s",
            "ratio": seconds_of_a_try() / LEAST_SECONDS_OF_A_TRY,
            "target": ">= 1",
            "note": "what searching a repeatable match costs, processor seconds",
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
