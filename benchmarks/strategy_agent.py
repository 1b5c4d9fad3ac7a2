"""Decision time of the strategy agent, and hands per second of matches between two of them.

The agent is `default` at small scale (built first if it is not there: about half a minute). A
decision includes translation, bucketing and the draw; deals and bets are new to it. The other column
is the same decision by an agent that has been asked nothing before. Policies are asked at every state
of a hand in turn, about probabilities and the actor's reach: `one step later` counts the states after
the first of a round, whose board is known. Seconds are those of the processor, since one core is meant
and others may be busy.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from itertools import groupby
from statistics import median, quantiles
from typing import Any, TypeVar

from doyle.agents import Random
from doyle.agents.options import strategy_agent
from doyle.agents.strategy_agent import StrategyAgent
from doyle.games import Agent, Game, Policy, State, View
from doyle.matches import Dealer, as_deal, play_match
from doyle.workers import Workers

AGENT = "default-small"
POLICY = "default-small:translation=rand-pshar"
SEED = 1
DEALS = 400
COPIES = 200
MATCH_DEALS = 2000
TARGET_MILLISECONDS = 2.0
TARGET_STEP_MILLISECONDS = 0.1
TARGET_HANDS_PER_SECOND = 1000

T = TypeVar("T")


def made() -> StrategyAgent:
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
    """Probabilities and reach of all hands at every state of a hand, one after the other."""
    fresh = strategy_agent(POLICY)
    assert fresh is not None
    hands = [
        list(states)
        for _, states in groupby(
            _states(playing, opponent, deals=DEALS, seed=SEED), key=lambda entry: entry[0]
        )
    ]
    rest, first = [], []
    for number, hand in enumerate(hands):
        times = milliseconds(lambda state: _asked(fresh, state), [state for _, state in hand])
        for (_, state), time_ in zip(hand, times, strict=True):
            if number:  # the first hand compiles and loads
                (rest if state.betting[-1] else first).append(time_)
    note = f"{len(rest)} states, 90th percentile {quantiles(rest, n=10)[-1]:.2g} ms"
    return [
        _row(f"policy against {name}, one step later, median", median(rest), None, note=note)
        | {"target": f"< {TARGET_STEP_MILLISECONDS:g} ms"},
        _row(f"policy against {name}, new board, median", median(first), None, note=""),
    ]


def _states(
    agent: Agent, opponent: Agent, *, deals: int, seed: int
) -> Iterator[tuple[tuple[int, int], State]]:
    """Every decision of some hands, of both seats, with the number of the hand."""
    game = agent.game  # type: ignore[attr-defined]
    for number, row in enumerate(Dealer(game, seed=seed).draw(deals)):
        for seat in range(2):
            state = State.start(game, as_deal(game, row))
            while state.actor >= 0:
                yield (number, seat), state
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
