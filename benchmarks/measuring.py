"""Speed of the instruments: local best response and exact-hands evaluation, one core.

The agents are small builds of presets (built first if they are not there: about two minutes). Seconds
are those of the processor, since one core is meant and others may be busy. Beside ours stand plain
twins of tests/reference, or the path for policies that nothing is known about.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from tests.reference import local_best_response as plain

from doyle.agents.named_strategy import required_strategy
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.workers import Workers
from doyle.building import load_or_build_strategy
from doyle.cards import HOLES
from doyle.games import CALL, Deal, Game, State
from doyle.games.histories import read_hands
from doyle.matches import play_match
from doyle.measuring.exact_hands.evaluators import PolicyEvaluator
from doyle.measuring.exact_hands.run import drawn_board, run_exact_hands
from doyle.measuring.local_best_response.response import Holding, LocalBestResponse, raises
from doyle.measuring.local_best_response.run import run_lbr
from doyle.measuring.variance_reduction.log_run import run_hands

GAME = "holdem-nl-200bb"
AGENT = "pot-and-all-in-small"
OPPONENT = "hyperborean07-small@holdem-nl-200bb"
SEED = 1
BOARDS = 100
LOGGED = "default-small"
EVALUATED = 1500
"""Hands of its log against `ev`."""
TARGET_BOARDS = 20
LBR = (("fcpa", "late", 400, 400), ("fcpa", "all", 400, None), ("56", "all", 80, 40))
"""(actions, rounds, hands, target of hands a second)."""


def agent(text: str) -> StrategyAgent:
    load_or_build_strategy(text)
    return required_strategy(text, purpose="play").agent()


def seconds(work: Callable[[], object], *, times: int = 1) -> float:
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


def local_best_responses() -> list[dict[str, Any]]:
    """Hands a second, and what the interval would be after a minute on two such cores."""
    policy, game = agent(AGENT), Game.named(GAME)
    run_lbr(game, policy, actions="fcpa", hands=50, seed=SEED + 1)
    rows = []
    for actions, rounds, hands, target in LBR:
        start = time.process_time()
        result = run_lbr(game, policy, actions=actions, rounds=rounds, hands=hands, seed=SEED)
        rate = hands / (time.process_time() - start)
        assert result.ci95 is not None
        after = result.ci95 * (hands / (120 * rate)) ** 0.5
        rows.append(
            {
                "name": f"LBR {actions}, rounds {rounds}, {AGENT}",
                "ours": rate,
                "other": target,
                "unit": "hands/s",
                "ratio": None if target is None else rate / target,
                "target": "" if target is None else f">= {target} hands/s",
                "note": f"one core; two for a minute: +-{after:.0f} mbb/h",
            }
        )
    return rows


def one_decision() -> dict[str, Any]:
    """A turn decision against the whole range, beside the plain twin's, which must agree."""
    policy, game = agent(AGENT), Game.named(GAME)
    board, hole = (3, 17, 22, 40, 51), (30, 44)
    state = State.start(game, Deal(((), ()), board))
    for _ in range(4):
        state = state.apply(CALL)
    state = state.apply(CALL)
    reach = policy.reach(state.public(), 0)
    possible = Holding(game, hole, board).possible(state.round)
    range_ = {
        tuple(HOLES[place].tolist()): float(reach[place])
        for place in np.flatnonzero(possible * reach)
    }
    options = raises("fcpa", state)
    responder = LocalBestResponse(game, policy, "fcpa")
    chosen = responder.choose(state, reach, Holding(game, hole, board))
    ours = seconds(lambda: responder.choose(state, reach, Holding(game, hole, board)), times=200)
    found: list[int] = []
    other = seconds(lambda: found.append(plain.choose(game, policy, state, hole, range_, options)))
    assert found == [chosen]
    return {
        "name": "LBR, one turn decision, fcpa",
        "ours": ours * 1e3,
        "other": other * 1e3,
        "unit": "ms",
        "ratio": other / ours,
        "target": "",
        "note": "the plain twin's time over ours",
    }


def exact_hands() -> list[dict[str, Any]]:
    """Boards a second in both seatings, and plain hands that they are worth."""
    first, second, game = agent(AGENT), agent(OPPONENT), Game.named(GAME)
    run_exact_hands(game, [first, second], boards=2, seed=SEED + 1)
    start = time.process_time()
    result = run_exact_hands(game, [first, second], boards=BOARDS, seed=SEED)
    ours = BOARDS / (time.process_time() - start)
    generic = PolicyEvaluator(game, (first, second))
    other = 0.5 / seconds(lambda: generic.outcome(drawn_board(game, SEED, 0)), times=2)
    play_match(game, [first, second], hands=20, seed=SEED, workers=Workers(1), method="plain")
    start = time.process_time()
    play_match(game, [first, second], hands=1000, seed=SEED, workers=Workers(1), method="plain")
    dealt = 2000 / (time.process_time() - start)
    worth = (result.plain_hands_per_board or 0.0) * ours
    return [
        {
            "name": "exact hands, fcpa agents, both seatings",
            "ours": ours,
            "other": other,
            "unit": "boards/s",
            "ratio": ours / other,
            "target": f">= {TARGET_BOARDS} boards/s",
            "note": f"beside the path for any policies; joint histories {result.histories:,}",
        },
        {
            "name": "exact hands, in plain hands of equal variance",
            "ours": worth,
            "other": dealt,
            "unit": "hands/s",
            "ratio": worth / dealt,
            "target": "",
            "note": "beside hands that are dealt and played",
        },
    ]


def evaluated_log() -> dict[str, Any]:
    """AIVAT of a played match, by milliseconds a hand, with the plans that its hands share."""
    game, known = Game.named(GAME), agent(LOGGED)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "match.log"
        play_match(game, [LOGGED, "ev"], hands=EVALUATED // 2, seed=SEED, log=log)
        hands = list(read_hands(log, game))
    run_hands(game, hands, {LOGGED: known})  # kernels are loaded, and the tables of cards
    known = agent(LOGGED)
    each = seconds(lambda: run_hands(game, hands, {LOGGED: known})) / EVALUATED
    return {
        "name": f"AIVAT of {EVALUATED:,} hands, {LOGGED} against ev",
        "ours": 1e3 * each,
        "other": None,
        "unit": "ms a hand",
        "ratio": None,
        "target": "",
        "note": "the agent is new, nothing of it is kept from other hands",
    }


def measurements() -> Iterator[dict[str, Any]]:
    """The figures of this benchmark, each beside what it is compared with."""
    yield from local_best_responses()
    yield one_decision()
    yield from exact_hands()
    yield evaluated_log()
