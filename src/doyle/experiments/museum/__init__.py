"""The museum: the papers' agents rebuilt, and their winnings against each other.

The agents play in two leagues: at 500 big blinds the agents of 2007 and 2008, which were made for
these stacks; at 200 big blinds all of them, the earlier ones with their betting and cards solved
again at these stacks. The laboratory makes the agents and remembers every finished match and
measurement, so that a run resumes where the last one stopped and other experiments use the same
results.

In reading order:

`exhibits`  the players of each league, by scale
`leagues`   `run_museum`: the leagues, pair by pair, with the local best response of each agent
`page`      the result as one HTML page: cross-tables, heat maps, both winner rules
"""

from doyle.experiments.museum.exhibits import LEAGUES, SCALES, LeaguePlan, Scale, plans
from doyle.experiments.museum.leagues import MuseumLeague, MuseumResult, run_museum

__all__ = [
    "LEAGUES",
    "SCALES",
    "LeaguePlan",
    "MuseumLeague",
    "MuseumResult",
    "Scale",
    "plans",
    "run_museum",
]
