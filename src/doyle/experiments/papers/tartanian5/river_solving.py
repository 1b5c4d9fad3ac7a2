"""River solving, which the paper names as ongoing research, tried with Tartanian5 as it was.

The agent as it played, and the same agent that solves every river again with both ranges as it has them
there (`search:`). Both play alike before the river, so they meet the same rivers, and a best responder of
the river that knows every hand of theirs is measured against each.
"""

from __future__ import annotations

from doyle.base.statistics import Estimate
from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.claims.tartanian import AS_PLAYED, RIVERS_SOLVED, SOLVED_GAIN
from doyle.experiments.papers.opponents import GAME, museum_agent, solved_note
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result
from doyle.games import Game
from doyle.measuring.late_response import LateResponseResult, run_late_response

AGENT = "tartanian5"
ACTIONS = ("fcpa", "18")
_HANDS = {"small": 400, "published": 4_000}


def river_solving(options: Options) -> Result:
    """Winnings of a best response of the river, rivers looked up and rivers solved."""
    base = museum_agent(AGENT, options)
    hands = options.hands or _HANDS[options.scale]
    cells = []
    for actions in ACTIONS:
        played, solved = (
            run_late_response(
                Game.named(GAME), text,
                actions=actions, hands=hands, seed=options.seed,
                workers=options.workers, progress=options.progress,
            )
            for text in (base, f"search:{base}")
        )  # fmt: skip
        cells += [_won(AS_PLAYED, played), _won(RIVERS_SOLVED, solved), _apart(played, solved)]
    return Result(
        cells,
        notes=(
            f"{hands:,} hands of self-play, mbb/h; the responder sees its own cards alone, knows the agent, and raises "
            "by pot and all-in (fcpa) or first by 18 sizes. Both agents have the same hands.",
            "Rivers are solved with half the pot, pot and all-in, 100 iterations, no guard: the defaults of `search:`.",
            solved_note(options),
        ),
    )


def _won(row: str, found: LateResponseResult) -> Cell:
    return Cell(
        row, found.actions, None, found.mbb_per_hand, ci95=found.ci95, sampled=True, unsigned=True,
        reason=f"{int(found.reached.sum()):,} of {found.hands:,} hands come to the river",
    )  # fmt: skip


def _apart(played: LateResponseResult, solved: LateResponseResult) -> Cell:
    """How much less is won from the solved rivers, hand by hand."""
    values = (played.values - solved.values) * 1000.0 / played.game.big_blind
    won = Estimate.of_strata(values)
    return Cell(SOLVED_GAIN, played.actions, None, float(won.mean), ci95=won.ci95, sampled=True)
