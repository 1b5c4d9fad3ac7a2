"""The rules and the histories: actions and lines a second of one core, beside the peers.

The same random hands of two-player limit Hold'em are played by `State` and by OpenSpiel's compiled
universal_poker, each called from Python; then written to a log and to PHH and read back. Seconds
are those of the processor, since one core is meant and others may be busy.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from doyle.games import CALL, FOLD, Deal, Game, State
from doyle.games.histories import Hand, read_hands, read_phh, write_log, write_phh
from doyle.games.sequences import measure

GAME = "holdem-limit-2p"
SEED = 1
HANDS = 2000


def measurements() -> list[dict[str, Any]]:
    """The figures of this benchmark, each beside what it is compared with."""
    game = Game.named(GAME)
    hands = [_random_hand(game, number) for number in range(HANDS)]
    actions = sum(hand.state.action_count for hand in hands)
    rows = [
        _row("rules: actions", "actions/s", actions, lambda: _replay(game, hands))
        | {"note": "legal actions and next state at every step, then the payoffs"}
    ]
    peer = _open_spiel(game, hands)
    if peer is not None:
        rows[0] |= {"other": actions / peer, "ratio": rows[0]["ours"] * peer / actions}
        rows[0]["note"] += "; OpenSpiel universal_poker (C++)"
    with tempfile.TemporaryDirectory() as name:
        log, phhs = Path(name) / "hands.log", Path(name) / "hands.phhs"
        rows += [
            _row("log: hands written", "hands/s", HANDS, lambda: write_log(log, hands)),
            _row(
                "log: hands read and checked",
                "hands/s",
                HANDS,
                lambda: _drain(read_hands(log, game)),
            ),
            _row("PHH: hands written", "hands/s", HANDS, lambda: write_phh(phhs, hands)),
            _row("PHH: hands read", "hands/s", HANDS, lambda: _drain(read_phh(phhs, game)))
            | {"note": "fields parsed by PokerKit"},
        ]
    competition = Game.named("holdem-nl-200bb")
    counted = _row("game states of holdem-nl-200bb", "counts/s", 1, lambda: measure(competition))
    return [*rows, counted | {"note": "165 digits, exact"}]


def _random_hand(game: Game, number: int) -> Hand:
    rng = np.random.default_rng((SEED, number))
    cards = [int(card) for card in rng.permutation(52)[:9]]
    deal = Deal((tuple(cards[:2]), tuple(cards[2:4])), tuple(cards[4:]))
    state = State.start(game, deal)
    while not state.is_over:
        draw = rng.random()
        if draw < 0.1 and state.can_fold:
            action = FOLD
        else:
            action = state.max_raise_to if draw > 0.6 and state.max_raise_to else CALL
        state = state.apply(action)
    shown = state.with_deal(Deal(deal.hole, state.board))
    return Hand(number, shown, ("Ann", "Bob"), shown.payoffs())


def _replay(game: Game, hands: list[Hand]) -> None:
    for hand in hands:
        state = State.start(game, hand.state.deal)
        for actions in hand.state.betting:
            for action in actions:
                state.legal_actions()
                state = state.apply(action)
        state.payoffs()


def _open_spiel(game: Game, hands: list[Hand]) -> float | None:
    """Seconds that OpenSpiel takes for the same, or None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    parameters = {
        "betting": "limit",
        "numPlayers": 2,
        "numRounds": 4,
        "blind": "10 5",
        "firstPlayer": "2 1 1 1",
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
        "stack": " ".join(map(str, game.stacks)),
        "raiseSize": "10 10 20 20",
        "maxRaises": "3 4 4 4",
    }
    peer = pyspiel.load_game("universal_poker", parameters)
    start = time.process_time()
    for hand in hands:
        deal = hand.state.deal
        assert deal is not None
        cards = iter((*deal.hole[0], *deal.hole[1], *deal.board))
        state = peer.new_initial_state()
        for action in (action for actions in hand.state.betting for action in actions):
            while state.is_chance_node():
                state.apply_action(next(cards))
            state.legal_actions()
            state.apply_action(min(action, 2))
        state.returns()
    return time.process_time() - start


def _drain(items: Any) -> None:
    for _ in items:
        pass


def _row(name: str, unit: str, count: int, work: Callable[[], Any]) -> dict[str, Any]:
    start = time.process_time()
    work()
    seconds = time.process_time() - start
    return {
        "name": name,
        "ours": count / seconds,
        "other": None,
        "unit": unit,
        "ratio": None,
        "target": None,
        "note": "",
    }


if __name__ == "__main__":
    for row in measurements():
        beside = "" if row["other"] is None else f" ({row['ratio']:.2f} times {row['other']:,.0f})"
        print(f"{row['name']}: {row['ours']:,.3g} {row['unit']}{beside} {row['note']}")
