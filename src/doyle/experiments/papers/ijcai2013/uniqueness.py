"""Every equilibrium of no-limit Kuhn bets 0.4 of the pot (IJCAI 2013, section 9.2).

The game is a matrix game once the first player's bets are chosen per hand, and small as a linear
program: maximise the guaranteed value over betting probabilities, then, on the face of optimal
strategies, look for the most that any other bet can be made. If that is 0, 0.4 is the only
bet of every equilibrium.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.equilibria import OptimalPlans
from doyle.experiments.papers.ijcai2013.one_street import kuhn_gain, kuhn_value
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result
from doyle.solving.games.one_bet import nolimit_kuhn
from doyle.solving.methods.sequence_form import SequenceForm

_STACKS = (1, 3, 5, 10)


def uniqueness(options: Options) -> Result:
    """For several stacks: the value, the most another bet can be made, and the best bet exactly."""
    cells = []
    for stack in _STACKS:
        value, others = most_of_other_bets(stack)
        best = max((Fraction(i, 10) for i in range(1, 10 * stack + 1)), key=kuhn_gain)
        more = {
            "value": value,
            "value_exact": str(kuhn_value(stack, exact=True)),
            "most_of_other_bets": others,
        }
        cells.append(Cell(f"n={stack}", "bet used", "0.4", float(best), more=more))
    return Result(
        cells,
        notes=(
            "`most_of_other_bets` is the largest total probability, over hands, of bets other than "
            "0.4 pot in any optimal strategy (a linear program over the optimal face).",
        ),
    )


def most_of_other_bets(stack: int) -> tuple[float, float]:
    """The value of the game, and the maximal probability of other bets in an optimal strategy."""
    form = SequenceForm(nolimit_kuhn(stack))
    plans, others = OptimalPlans(form, 0), np.zeros(form.sizes[0])
    table = np.ones((3, 1 + 10 * stack))
    table[:, [0, 4]] = 0.0  # a check, and the bet of 0.4 pots
    form.put_table(0, table, others)
    return -plans.best, float(others @ plans.least(-others))
