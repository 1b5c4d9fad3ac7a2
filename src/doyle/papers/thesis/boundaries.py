"""Schnizlein (2009), table 4.1: how fast an opponent's translation boundary can be learnt.

The opponent is the second player of Leduc's fcpa equilibrium, solved here: its answers to an opening
pot bet and to an opening all-in, over all its cards, are the two mixes to tell apart. Twenty bets lie
evenly between the two; a run fails if it ends at another boundary or is not confident by 500 hands.
The thesis explored a Hold'em agent, so its values stand beside ours and are not compared with them.
"""

from __future__ import annotations

import numpy as np

from doyle.games import Game
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


def trials(
    mixes: tuple[tuple[float, float, float], ...], share: float, *, method: Method, seed: int
) -> dict[str, float]:
    """A hundred explorations of a boundary at `share` of the way from the pot bet to all-in."""
    places = np.arange(BETS) / (BETS - 1)
    boundary = int((places <= share).sum())
    hands, errors, distances, stalls = [], 0, [], 0
    for trial in range(TRIALS):
        rng = np.random.default_rng((seed, trial, boundary))

        def respond(bet: int, rng: np.random.Generator = rng) -> int:
            return int(rng.choice(3, p=mixes[0] if bet < boundary else mixes[1]))

        found = explore(respond, bets=BETS, method=method, most_hands=_MOST_HANDS, rng=rng)
        wrong = not found.confident or found.boundary != boundary
        errors += wrong
        stalls += not found.confident
        hands.append(found.hands)
        distances.append(abs(found.boundary - boundary) / (BETS - 1))
    return {
        "Average Iteration": float(np.mean(hands)),
        "Error Rate": errors / TRIALS,
        "Average Error": float(np.mean(distances)),
        "stalled": stalls / TRIALS,
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
        note="No cell counts as agreeing or not: the published opponent was a Hold'em agent (5.5.5.5) "
        "whose answers are not known, and hands and errors depend on how different they are.",
    )


def explored_table(
    name: str, title: str, answers: tuple[Mix, Mix], options: Options, *, other: str, note: str
) -> Result:
    """The estimator that cannot stall beside the printed values, and algorithm 1 as printed.

    `answers` are the opponent's to an opening bet of the pot and to an all-in.
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
        Cell(row, column, table.text(row, column), ours[column][row], other=other)
        for row in table.row_names
        for column in table.columns
    )
    printed_algorithm = Section(
        "Algorithm 1 as printed, same opponent",
        ("measure", *table.columns),
        tuple(
            (row, *(literal[column][row] for column in table.columns))
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
