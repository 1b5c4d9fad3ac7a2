"""Decision time of the strategy agent, and hands per second of matches between two of them.

The agent is `default` at small scale (built first if it is not there: about half a minute). A
decision includes translation, bucketing and the draw; deals and bets are new to it. The other column
is the same decision by the definition, with nothing remembered. Seconds are those of the processor,
since one core is meant and others may be busy.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median, quantiles
from typing import Any

from doyle.agents import Random
from doyle.agents.options import strategy_agent
from doyle.agents.strategy_agent import StrategyAgent
from doyle.building import load_or_build_strategy
from doyle.games import Agent, Game, State, View
from doyle.matches import Dealer, as_deal, play_match
from doyle.workers import Workers

AGENT = "default-small"
SEED = 1
DEALS = 400
MATCH_DEALS = 2000
TARGET_MILLISECONDS = 2.0
TARGET_HANDS_PER_SECOND = 1000


def made() -> StrategyAgent:
    load_or_build_strategy(AGENT)
    agent = strategy_agent(AGENT)
    assert agent is not None
    return agent


def views(agent: Agent, opponent: Agent, game: Game, *, deals: int, seed: int) -> Iterator[View]:
    """The decisions of `agent` over some deals, in both seats."""
    for number, row in enumerate(Dealer(game, seed=seed).draw(deals)):
        deal = as_deal(game, row)
        for seat in range(2):
            state = State.start(game, deal)
            while state.actor >= 0:
                view = state.view(state.actor, dice_key=b"%d %d %d" % (seed, number, seat))
                if state.actor == seat:
                    yield view
                state = state.apply((agent if state.actor == seat else opponent).act(view))


def milliseconds(work: Callable[[View], object], asked: list[View]) -> list[float]:
    times = []
    for view in asked:
        start = time.process_time_ns()
        work(view)
        times.append((time.process_time_ns() - start) / 1e6)
    return times


def hands_per_second(first: str, second: str) -> float:
    """Hands a second of a duplicate match in this process."""
    game = made().game
    play_match(game, [first, second], hands=20, seed=SEED + 1, workers=Workers(1))
    start = time.process_time()
    play_match(game, [first, second], hands=MATCH_DEALS, seed=SEED, workers=Workers(1))
    return 2 * MATCH_DEALS / (time.process_time() - start)


def measurements() -> list[dict[str, Any]]:
    """The figures of this benchmark, each beside what it is compared with."""
    playing = made()
    rows = [
        *_decisions("itself", playing, playing),
        *_decisions("random bets", playing, Random()),
    ]
    for first, second in ((AGENT, AGENT), (AGENT, "random")):
        rate = hands_per_second(first, second)
        rows.append(
            {
                "name": f"match, {first} and {second}",
                "ours": rate,
                "other": None,
                "unit": "hands/s",
                "ratio": rate / TARGET_HANDS_PER_SECOND,
                "target": f">= {TARGET_HANDS_PER_SECOND} hands/s",
                "note": "one core; ratio to the target",
            }
        )
    return rows


def _decisions(name: str, playing: StrategyAgent, opponent: Agent) -> list[dict[str, Any]]:
    """Decisions and policies of an agent that has seen none of them before."""
    asked = list(views(playing, opponent, playing.game, deals=DEALS, seed=SEED))
    fresh = made()
    fresh.act(asked[0])
    ours = milliseconds(fresh.act, asked)
    plain = milliseconds(lambda view: _by_definition(fresh, view), asked[:200])
    policy = milliseconds(lambda view: fresh.probabilities(view.state), asked[:200])
    note = f"{len(asked)} decisions, 99th percentile {quantiles(ours, n=100)[-1]:.2g} ms"
    return [
        _row(f"decision against {name}, median", median(ours), median(plain), note=note),
        _row(f"policy of 1,326 hands against {name}, median", median(policy), None, note=""),
    ]


def _by_definition(agent: StrategyAgent, view: View) -> object:
    # Who defends looks at all hands together.
    alone = agent.translation.defend == "never"
    player, beliefs = agent.read(view.state, hole=view.hole if alone else None)
    return player.probabilities(beliefs, view.state)


def _row(name: str, ours: float, other: float | None, *, note: str) -> dict[str, Any]:
    return {
        "name": name,
        "ours": ours,
        "other": other,
        "unit": "ms",
        "ratio": None if other is None else ours / other,
        "target": f"< {TARGET_MILLISECONDS:g} ms",
        "note": note,
    }


if __name__ == "__main__":
    for row in measurements():
        print(
            f"{row['name']}: {row['ours']:.3g} {row['unit']} (target {row['target']}) {row['note']}"
        )
