"""Decision time of the strategy agent, and hands per second of matches between two of them.

The agent is `default` at small scale (built first if it is not there: about half a minute). A
decision includes translation, bucketing and the draw; deals and bets are new to it. The other column
is the same decision by an agent that has been asked nothing before. A policy is asked for probabilities
and the actor's reach at every decision of many hands in turn, several times over: `one action later`
counts the decisions after the first of a round, whose board has been seen, and takes the fastest of the
sweeps; rows of the strategy are no longer kept when a state comes again, readings of bets are. Seconds
are those of the processor, since one core is meant and others may be busy.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from statistics import median, quantiles
from typing import Any, TypeVar

from doyle.agents import Random
from doyle.agents.named_strategy import required_strategy
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.workers import Workers
from doyle.building import load_or_build_strategy
from doyle.games import Agent, Game, Policy, State, View
from doyle.matches import Dealer, as_deal, play_match

AGENT = "default-small"
POLICY = "default-small:translation=rand-pshar"
SEED = 1
DEALS = 400
COPIES = 200
SWEEPS = 5
MATCH_DEALS = 2000
TARGET_MILLISECONDS = 2.0
TARGET_STEP_MILLISECONDS = 0.1
TARGET_HANDS_PER_SECOND = 1000

T = TypeVar("T")


def made() -> StrategyAgent:
    load_or_build_strategy(AGENT)
    return required_strategy(AGENT, purpose="play").agent()


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


def milliseconds(work: Callable[[T], object], asked: list[T]) -> list[float]:
    times = []
    for question in asked:
        start = time.process_time_ns()
        work(question)
        times.append((time.process_time_ns() - start) / 1e6)
    return times


def hands_per_second(first: str, second: str) -> float:
    """Hands a second of a duplicate match in this process."""
    game = made().game
    play_match(game, [first, second], hands=20, seed=SEED + 1, workers=Workers(1), method="plain")
    start = time.process_time()
    play_match(
        game, [first, second], hands=MATCH_DEALS, seed=SEED, workers=Workers(1), method="plain"
    )
    return 2 * MATCH_DEALS / (time.process_time() - start)


def measurements() -> list[dict[str, Any]]:
    """The figures of this benchmark, each beside what it is compared with."""
    playing = made()
    rows = [
        *_decisions("itself", playing, playing),
        *_decisions("random bets", playing, Random()),
        *_policies("itself", playing, playing),
        *_policies("random bets", playing, Random()),
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
    """Decisions of an agent that has seen none of them before."""
    asked = list(views(playing, opponent, playing.game, deals=DEALS, seed=SEED))
    fresh = made()
    fresh.act(asked[0])
    ours = milliseconds(fresh.act, asked)
    # A copy keeps nothing of what the agent has been asked.
    copies = [(copy.copy(fresh), view) for view in asked[:COPIES]]
    alone = milliseconds(lambda pair: pair[0].act(pair[1]), copies)
    note = f"{len(asked)} decisions, 99th percentile {quantiles(ours, n=100)[-1]:.2g} ms"
    return [_row(f"decision against {name}, median", median(ours), median(alone), note=note)]


def _policies(name: str, playing: StrategyAgent, opponent: Agent) -> list[dict[str, Any]]:
    """Probabilities and reach of all hands at every decision of a hand, one after the other."""
    policy = required_strategy(POLICY, purpose="play").agent()
    states = list(_states(playing, opponent, deals=DEALS, seed=SEED))
    sweeps = [milliseconds(lambda state: _asked(policy, state), states) for _ in range(SWEEPS)]
    later = [number for number, state in enumerate(states) if state.betting[-1]]
    unseen = median(sweeps[0][number] for number in later)
    fastest = [min(sweep[number] for sweep in sweeps) for number in later]
    tenth = quantiles(fastest, n=10)[-1]
    note = f"{len(later)} states, 90th percentile {tenth:.2g} ms, first sweep {unseen:.2g} ms"
    row = _row(f"policy one action later, {name}, median", median(fastest), None, note=note)
    return [row | {"target": f"< {TARGET_STEP_MILLISECONDS:g} ms"}]


def _states(agent: Agent, opponent: Agent, *, deals: int, seed: int) -> Iterator[State]:
    """Every decision of some hands, of both seats, in order."""
    game = agent.game  # type: ignore[attr-defined]
    for number, row in enumerate(Dealer(game, seed=seed).draw(deals)):
        for seat in range(2):
            state = State.start(game, as_deal(game, row))
            while state.actor >= 0:
                yield state
                view = state.view(state.actor, dice_key=b"%d %d %d" % (seed, number, seat))
                state = state.apply((agent if state.actor == seat else opponent).act(view))


def _asked(policy: Policy, state: State) -> None:
    policy.probabilities(state)
    policy.reach(state, state.actor)


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
