"""What a local best response wins from several agents, on the same hands, in pairs with the first.

`python -m benchmarks._lbr_table --hands 4000 --seed 5 default default:purification=full strong` makes the
tables of docs/lab/measuring.md and default-agent.md. Agents are at 200 big blinds and must be built;
`--museum` adds the small exhibits of the museum's league, which are built first if they are missing.
"""

from __future__ import annotations

import argparse

from benchmarks._default_search import GAME, row
from doyle.base.workers import parse_workers
from doyle.experiments.laboratory import built_agent
from doyle.experiments.museum.exhibits import LEAGUES, preset_text
from doyle.measuring.local_best_response.run import LbrResult, run_lbr

NOT_POLICIES = ("hyperborean09-br",)
"""Exhibits that remember: a local best response has nothing to ask them."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("agents", nargs="*", metavar="AGENT")
    parser.add_argument("--museum", action="store_true", help="also all exhibits at 200 big blinds")
    parser.add_argument("--actions", default="56")
    parser.add_argument("--rounds", default="all")
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", default=None)
    chosen = parser.parse_args()
    first: LbrResult | None = None
    print("| agent | LBR wins, mbb/h | beside the first | by first raise |\n|---|---|---|---|")
    for agent in [*chosen.agents, *(_exhibits() if chosen.museum else ())]:
        result = run_lbr(
            GAME,
            agent,
            actions=chosen.actions,
            rounds=chosen.rounds,
            hands=chosen.hands,
            seed=chosen.seed,
            workers=parse_workers(chosen.workers),
        )
        print(row(agent, result, first), flush=True)
        first = first or result


def _exhibits() -> list[str]:
    names = [name for name in LEAGUES[GAME.name] if name not in NOT_POLICIES]
    return [built_agent(preset_text(name, GAME.name)) for name in names]


if __name__ == "__main__":
    main()
