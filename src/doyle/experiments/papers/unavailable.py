"""What the papers report and nobody can compute again, with the reason.

`doyle papers list` names these beside the tables that there are.
"""

from __future__ import annotations

from typing import NamedTuple


class Unavailable(NamedTuple):
    """A part of a paper that cannot be had, why, and what stands in its place."""

    name: str
    where: str
    reason: str
    instead: str


UNAVAILABLE = (
    Unavailable(
        "BluffBot 2.0, 3.0 and 4",
        "tartanian/table1, thesis/table1.1, 6.1, 6.2, 2.1 to 2.3",
        "its program is not public, and none of the five papers describes it",
        "the printed results are recomputed from their cells; aggrobot plays in its place in 2.1 to 2.3",
    ),
    Unavailable(
        "SlideRule, Gomel1, Gomel2, Milano, Manitoba1, Manitoba2",
        "tartanian/table1, thesis/table1.1",
        "their programs are not public, and none of the five papers describes them",
        "the printed results are recomputed from their cells",
    ),
    Unavailable(
        "PokeMinn",
        "tartanian/table1, thesis/table1.1",
        "its program is not public; the papers describe two of its bets and that it computes expected values",
        "pokeminn and pokeminn-144, assumed from that description",
    ),
    Unavailable(
        "Ballarat",
        "thesis/table6.1, 2.1, 2.2",
        "its program is not public, and none of the five papers describes it",
        "ev in 2.1 and 2.2; 6.1 is recomputed from its cells",
    ),
    Unavailable(
        "Tartanian3 and Tartanian3RM",
        "thesis/table6.2",
        "none of the five papers describes the Tartanians of 2009",
        "tartanian and tartanian2 as opponents of the exploiters",
    ),
    Unavailable(
        "azure.sky, dcubot, hugh, hyperborean, little.rock, lucky7.12, neo.poker.lab, sartre, "
        "spewy.louie, uni.mb.poker",
        "ijcai2013/table7",
        "the entrants of 2012 are not public",
        "ijcai2013/table7-in-kind: the agents of the museum, and exploiters",
    ),
    Unavailable(
        "the competitions' hands",
        "sartre/table6, 7, 8, 12, 13, 16",
        "only ranks and averages are printed, so no cross-table can be recomputed",
        "sums, places and intervals of what is printed",
    ),
    Unavailable(
        "Fell Omen 2, dpp, akuma",
        "sartre/figure2, sartre/table15",
        "not public any more",
        "fixed agents of ours that are not the expert",
    ),
    Unavailable(
        "people",
        "sartre section 5.4.4; thesis section 6.2.1",
        "matches against people cannot be repeated, and the no-limit one was only planned",
        "nothing",
    ),
    Unavailable(
        "the papers' clusters and strategies",
        "tartanian, tartanian5, thesis",
        "no abstraction or strategy file was published; Tartanian5 was solved on 64 cores of a "
        "supercomputer",
        "the same methods from their descriptions, with what is assumed tagged in the presets",
    ),
)
