"""Schnizlein (2009), table 4.1: how fast an opponent's translation boundary can be learnt.

The opponent is the second player of Leduc's fcpa equilibrium, solved here: its answers to an opening
pot bet and to an opening all-in, over all its cards, are the two mixes to tell apart. Twenty bets lie
evenly between the two; a run fails if it ends at another boundary or is not confident by 500 hands.
The thesis explored a Hold'em agent, so its values stand beside ours and are not compared with them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from doyle.games import Game
from doyle.measuring.intervals import NORMAL_95, student_95
from doyle.papers.full_game import SolvedAbstraction, solve
from doyle.papers.registry import Options
from doyle.papers.result import Cell, Result, Section, printed
from doyle.translation.boundary import Method, explore

BETS = 20
TRIALS = 100
_MOST_HANDS = 500
_OTHER = "another opponent"


def answers_of(solved: SolvedAbstraction, bet: int) -> tuple[float, float, float]:
    """How often the second player folds, calls and raises against an opening bet, over its cards."""
    node = solved.betting.child(0, bet)
    table = solved.profile.probabilities(node).mean(axis=0)
    return float(table[0]), float(table[1]), float(table[2:].sum())


class Average(NamedTuple):
    """A mean over random runs, with half the width of its 95% interval; None if the runs do not tell it."""

    mean: float
    ci95: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> Average:
        """Student's interval, which runs that are all equal do not tell.

        >>> Average.of([0.0, 0.0, 0.0])
        Average(mean=0.0, ci95=None)
        """
        spread = float(np.std(values, ddof=1)) / math.sqrt(len(values))
        width = student_95(len(values) - 1) * spread
        return cls(float(np.mean(values)), width if spread > 0 else None)

    @classmethod
    def of_share(cls, values: Sequence[bool]) -> Average:
        """Wilson's interval, which says how many of 0 in 100 there may be; its longer half.

        >>> mean, width = Average.of_share([False] * 100)
        >>> mean, round(width or 0, 3)
        (0.0, 0.037)
        """
        share, n, z = sum(values) / len(values), len(values), NORMAL_95
        centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
        half = z * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
        return cls(share, max(centre + half - share, share - centre + half))


def trials(
    mixes: tuple[tuple[float, float, float], ...], share: float, *, method: Method, seed: int
) -> dict[str, Average]:
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
        "Average Iteration": Average.of(hands),
        "Error Rate": Average.of_share(errors),
        "Average Error": Average.of(distances),
        "stalled": Average.of_share(stalls),
    }


Mix = tuple[float, float, float]
"""How often an opponent folds, calls and raises."""


def table_4_1(options: Options) -> Result:
    """Against the second player of Leduc's equilibrium."""
    solved = solve(Game.named("leduc-nl12"), "fcpa", target=1e-3)
    pot, all_in = (action for action in solved.betting.actions_of(0).tolist() if action > 1)
    return explored_table(
        "thesis/table4.1",
        "Learning a translation boundary within 500 hands",
        (answers_of(solved, pot), answers_of(solved, all_in)),
        options,
        other=_OTHER,
        note="Not comparable: the published opponent was a Hold'em agent (5.5.5.5) "
        "whose answers are not known, and hands and errors depend on how different they are.",
    )


def explored_table(
    name: str,
    title: str,
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
    for done, column in enumerate(table.columns):
        share = float(column)
        ours[column] = trials(mixes, share, method="bayesian", seed=options.seed)
        literal[column] = trials(mixes, share, method="printed", seed=options.seed)
        if options.progress is not None:
            options.progress("boundaries", done + 1, len(table.columns))
    cells = tuple(
        Cell(
            row, column, table.text(row, column), ours[column][row].mean,
            ci95=ours[column][row].ci95, sampled=True, unsigned=True,
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
        name,
        title,
        "Schnizlein, State Translation in No-Limit Poker (2009)",
        cells,
        sections=(printed_algorithm, shown),
        notes=(
            note,
            "Algorithm 1 stalls when all answers to the bet it asks for have been equal.",
        ),
    )
