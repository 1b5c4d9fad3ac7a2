"""What small bets win from an agent, and how often it calls them with its worst hands.

`python -m benchmarks.small_bets [--hands 20000] [--seed 1] [--workers N] [--json]` plays an agent
with two translations, `--before` and `--after`, against the same opponents on the same deals, and
gives the paired difference per deal with its 95% interval. Opponents are scripted bettors of 0.1,
0.33 and 0.6 pots on the river and on every street, and others that must not gain (`--opponents`).
Then it asks the policy on sampled boards how much of the worst 15% of the agent's range at a river
bet of half the pot calls it, and how much raises. As a topic of `python -m benchmarks` it is a short version of it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from doyle.agents.equity import equities
from doyle.agents.named_strategy import required_strategy, split_text
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.errors import DoyleError
from doyle.base.statistics import Estimate
from doyle.base.workers import Workers, parse_workers
from doyle.building import load_or_build_strategy
from doyle.games import CALL, FOLD, Deal, Game, State
from doyle.matches import Dealer, as_deal, play_match

AGENT = "default"
BEFORE = "rand-pshar"
AFTER = "rand-pshar+defend"
BETTORS = ("river-bettor-0.1", "river-bettor-0.33", "river-bettor-0.6")
OTHERS = ("street-bettor-0.33", "ev", "always-raise", "random", "pokeminn-144")
SHORT_HANDS = 1000

WORST = 0.15
BET_POTS = 0.5
BOARDS = 100
LINES: dict[str, tuple[int, ...]] = {
    "cc/cc/cc/": (1, 1, 1, 1, 1, 1),
    "r300c/cc/cc/": (300, 1, 1, 1, 1, 1),
    "r300c/cr900c/cc/": (300, 1, 1, 900, 1, 1, 1),
}
"""Betting before the river, at blinds of 50/100."""


def agent_text(agent: str, translation: str) -> str:
    """The text of an agent with another translation, whatever options it has."""
    return f"{agent}{',' if ':' in agent else ':'}translation={translation}"


def paired(
    agent: str, opponent: str, *, before: str, after: str, hands: int, seed: int, workers: Workers
) -> dict[str, Any]:
    """What two translations of one agent win from an opponent on the same deals, in mbb/h."""
    game = made(agent_text(agent, before)).game
    # The opponent `default` is the agent as it was.
    facing = agent_text(agent, before) if opponent == agent else opponent
    first, second = (
        play_match(game, [agent_text(agent, name), facing], hands=hands, seed=seed, workers=workers)
        for name in (before, after)
    )
    per_deal = second.units[:, 0] - first.units[:, 0]
    difference = Estimate.of(per_deal, unit=first.unit).in_mbb(game.big_blind)
    return {
        "opponent": facing,
        "hands": hands,
        "seed": seed,
        "before": first.mbb_per_hand(0).document(),
        "after": second.mbb_per_hand(0).document(),
        "difference": difference.document(),
    }


def made(text: str) -> StrategyAgent:
    load_or_build_strategy(split_text(text)[0])
    return required_strategy(text, purpose="play").agent()


def worst_hands(agent: StrategyAgent, *, boards: int = BOARDS, seed: int = 1) -> dict[str, Any]:
    """Of the worst hands that face a river bet, the shares that call and raise, by betting."""
    deals = [as_deal(agent.game, row) for row in Dealer(agent.game, seed=seed).draw(boards)]
    found: dict[str, dict[str, float]] = {}
    for line, actions in LINES.items():
        for who, checks in (("first", ()), ("last", (CALL,))):
            shares = [
                _worst_kept(agent, river_bet(agent.game, deal.board, (*actions, *checks)))
                for deal in deals
            ]
            calls, raises = np.mean(shares, axis=0).tolist()
            found[f"{line} the bettor acts {who}"] = {"calls": calls, "raises": raises}
    return found


def river_bet(game: Game, board: tuple[int, ...], actions: Sequence[int]) -> State:
    """The state after the opponent's bet of half the pot."""
    state = State.start(game, Deal(((),) * game.players, board))
    for action in actions:
        state = state.apply(action)
    return state.apply(state.nearest_legal(state.largest + round(BET_POTS * state.pot)))


def _worst_kept(agent: StrategyAgent, state: State) -> tuple[float, float]:
    """How much of the worst hands of the range calls and raises, as shares."""
    possible = agent.bucketing.buckets(state.board) >= 0
    range_ = agent.reach(state, state.actor) * possible
    actions, shares = agent.probabilities(state)
    calls = shares[:, actions.index(CALL)]
    folds = shares[:, actions.index(FOLD)]
    worst_first = np.argsort(equities(agent.game, state.board), kind="stable")
    weights = range_[worst_first] / range_.sum()
    before = np.cumsum(weights) - weights
    weights = np.clip(WORST - before, 0.0, weights)
    weights /= weights.sum()
    called, folded = weights @ calls[worst_first], weights @ folds[worst_first]
    return float(called), float(1 - called - folded)


def measurements() -> Iterator[dict[str, Any]]:
    """The short version, in the form of the other benchmarks."""
    for opponent in BETTORS:
        row = paired(
            AGENT,
            opponent,
            before=BEFORE,
            after=AFTER,
            hands=SHORT_HANDS,
            seed=1,
            workers=parse_workers(None),
        )
        yield {
            "name": f"{AGENT} against {opponent}, {AFTER} and {BEFORE}",
            "ours": row["after"]["mbb_per_hand"],
            "other": row["before"]["mbb_per_hand"],
            "unit": "mbb/h",
            "ratio": None,
            "target": "more",
            "note": f"{SHORT_HANDS} deals, paired difference {_show(row['difference'])}",
        }


def _show(figures: dict[str, float | None]) -> str:
    return f"{figures['mbb_per_hand']:+.0f} ± {figures['ci95'] or 0:.0f}"


def _column(kept: dict[str, Any], line: str) -> Iterator[dict[str, float]]:
    return (by_line[line] for by_line in kept.values())


def main(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    workers = parse_workers(options.workers)
    rows = []
    for opponent in options.opponents:
        rows.append(
            paired(
                options.agent,
                opponent,
                before=options.before,
                after=options.after,
                hands=options.hands,
                seed=options.seed,
                workers=workers,
            )
        )
        if not options.json:
            before, after, difference = (
                _show(rows[-1][key]) for key in ("before", "after", "difference")
            )
            print(f"{opponent:<22} {before:>16} {after:>16} {difference:>16} mbb/h", flush=True)
    kept = {
        name: worst_hands(made(agent_text(options.agent, name)), seed=options.seed)
        for name in (options.before, options.after)
    }
    if options.json:
        chosen = {key: getattr(options, key) for key in ("agent", "before", "after")}
        print(json.dumps({**chosen, "matches": rows, "worst_hands": kept}, indent=2))
        return 0
    print(f"of the worst {WORST:.0%} of its hands, facing a river bet of {BET_POTS:g} pot, it")
    for line in kept[options.before]:
        texts = (f"calls {k['calls']:6.1%} raises {k['raises']:6.1%}" for k in _column(kept, line))
        print(f"   {line:<42} {'  now '.join(texts)}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.small_bets")
    parser.add_argument("--agent", default=AGENT)
    parser.add_argument("--before", default=BEFORE, metavar="TRANSLATION")
    parser.add_argument("--after", default=AFTER, metavar="TRANSLATION")
    parser.add_argument("--opponents", nargs="*", default=[*BETTORS, *OTHERS, AGENT])
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", default=None)
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except DoyleError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        sys.exit(2)
