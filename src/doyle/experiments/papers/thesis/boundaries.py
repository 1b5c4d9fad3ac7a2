"""Schnizlein (2009), table 4.1: the speed of estimating an opponent's translation boundary.

The opponent is the second player of Leduc's fcpa equilibrium, solved here: its answers to an opening
pot bet and to an opening all-in, over all its cards, are the two mixes to distinguish. Twenty bets
lie evenly between the two; a run fails if it ends at another boundary or is not confident by 500
hands. The thesis explored a Hold'em agent, so its values are shown beside ours without comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from doyle.abstractions.betting import BettingModel
from doyle.base.statistics import Estimate
from doyle.experiments.papers.cell import measured
from doyle.experiments.papers.full_game import SolvedAbstraction, solve
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, Section, printed
from doyle.games import Game
from doyle.strategy.translation.boundary import Method, explore

BETS = 20
TRIALS = 100
_MOST_HANDS = 500
_OTHER = "another opponent"


def answers_of(solved: SolvedAbstraction, bet: int) -> tuple[float, float, float]:
    """How often the second player folds, calls and raises against an opening bet, over its cards."""
    node = solved.betting.child(0, bet)
    table = solved.profile.probabilities(node).mean(axis=0)
    return float(table[0]), float(table[1]), float(table[2:].sum())


def average(values: Sequence[float]) -> Estimate:
    """The mean over random runs; runs that are all equal leave its interval unknown.

    >>> average([0.0, 0.0, 0.0]).ci95 is None
    True
    """
    found = Estimate.of_strata(np.asarray(values, np.float64))
    return found if found.ci95 else replace(found, ci95=None)


def trials(
    mixes: tuple[tuple[float, float, float], ...], share: float, *, method: Method, seed: int
) -> dict[str, Estimate]:
    """A hundred explorations of a boundary at `share` of the way from the pot bet to all-in."""
    places = np.arange(BETS) / (BETS - 1)
    boundary = int((places <= share).sum())
    hands, errors, distances, stalls = [], [], [], []
    for trial in range(TRIALS):
        rng = np.random.default_rng((seed, trial, boundary))

        def respond(bet: int, rng: np.random.Generator = rng) -> int:
            return int(rng.choice(3, p=mixes[0] if bet < boundary else mixes[1]))

        found = explore(respond, bets=BETS, method=method, most_hands=_MOST_HANDS, rng=rng)
        errors.append(not found.confident or found.boundary != boundary)
        stalls.append(not found.confident)
        hands.append(found.hands)
        distances.append(abs(found.boundary - boundary) / (BETS - 1))
    return {
        "Average Iteration": average(hands),
        "Error Rate": Estimate.of_share(errors),
        "Average Error": average(distances),
        "stalled": Estimate.of_share(stalls),
    }


Mix = tuple[float, float, float]
"""How often an opponent folds, calls and raises."""


def table_4_1(options: Options) -> Result:
    """Against the second player of Leduc's equilibrium."""
    solved = solve(Game.named("leduc-nl12"), BettingModel.parse("fcpa"), target=1e-3)
    pot, all_in = (action for action in solved.betting.actions_of(0).tolist() if action > 1)
    return explored_table(
        (answers_of(solved, pot), answers_of(solved, all_in)),
        options,
        other=_OTHER,
        note="Not comparable: the published opponent was a Hold'em agent (5.5.5.5) "
        "whose answers are not known, and hands and errors depend on how different they are.",
    )


def explored_table(
    answers: tuple[Mix, Mix],
    options: Options,
    *,
    other: str | None,
    note: str,
) -> Result:
    """The estimator that cannot stall beside the printed values, and algorithm 1 as printed.

    `answers` are the opponent's to an opening bet of the pot and to an all-in; `other` says why it is not the
    published one, None if it is built from its description.
    """
    table = printed("thesis/table4.1")
    mixes = tuple(
        (fold / total, call / total, raised / total)
        for fold, call, raised in answers
        for total in (fold + call + raised,)
    )
    ours, literal = {}, {}
    for column in options.each(table.columns, "boundaries"):
        share = float(column)
        ours[column] = trials(mixes, share, method="bayesian", seed=options.seed)
        literal[column] = trials(mixes, share, method="printed", seed=options.seed)
    cells = tuple(
        measured(
            row, column, ours[column][row], table.text(row, column), unsigned=True,
            other=other, rebuilt=other is None,
        )
        for row in table.row_names
        for column in table.columns
    )  # fmt: skip
    printed_algorithm = Section(
        "Algorithm 1 as printed, same opponent",
        ("measure", *table.columns),
        tuple(
            (row, *(literal[column][row].mean for column in table.columns))
            for row in (*table.row_names, "stalled")
        ),
    )
    shown = Section(
        "The opponent's answers",
        ("to", "fold", "call", "raise"),
        (("pot", *mixes[0]), ("all-in", *mixes[1])),
    )
    return Result(
        cells,
        sections=(printed_algorithm, shown),
        notes=(
            note,
            "Algorithm 1 stalls when all answers to the bet it asks for have been equal.",
        ),
    )
