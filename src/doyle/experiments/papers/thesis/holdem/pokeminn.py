"""PokeMinn against Tartanian: absolute and relative rounding (Gilpin, Sandholm and Sorensen 2008, section 7).

Tartanian's absolute rounding read PokeMinn's raise to 144 chips as a bet of the pot, called, and folded to the
all-in that followed; it lost 42 big blinds a hand. The authors expect relative rounding to handle this; no
number is printed for it. Two readings of PokeMinn play: `pokeminn` makes its two bets with hands that are ahead of a
random one, `pokeminn-144` with every hand and folds to an all-in. Values are big blinds per hand, over all hands.
"""

from __future__ import annotations

from itertools import product

from doyle.experiments.papers.cell import Cell, measured
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, printed
from doyle.experiments.papers.thesis.holdem.players import (
    boards_of,
    played_as,
    player_game,
    won,
)

TESTED = "tartanian"
BOARDS = {"pokeminn": 200, "pokeminn-144": 60}
LEAST_STAKE = {"pokeminn": 0.1, "pokeminn-144": 0.0}
"""Chips a hand below which a history is sampled; `pokeminn` is queried history by history."""
_OTHER = "of PokeMinn only two bets are known"
REASONS = {
    "pokeminn": "A bet that is called and then folded to wins 72 big blinds, so 42 a hand take the trick on 58% of "
    "all hands or more; half of them are ahead of a random hand. How PokeMinn chose its hands is not printed.",
}


def section_7(options: Options) -> Result:
    """Both roundings of one solution against both readings of PokeMinn."""
    table, cells, game = printed(options.name), list[Cell](), player_game(TESTED)
    for row, column in options.each(product(BOARDS, table.columns)):
        tested, boards = played_as(TESTED, column, options), boards_of(options, BOARDS[row])
        found = won(game, row, tested, options, boards=boards, least_stake=LEAST_STAKE[row])
        cells.append(
            measured(
                row, column, found.scaled(1 / 1000), table.text("pokeminn", column),
                other=_OTHER, reason=REASONS.get(row), more={"boards": found.count},
            )
        )  # fmt: skip
    return Result(
        cells,
        notes=(
            "PokeMinn cannot be had. Of its play only the two bets are published; `pokeminn-144` makes "
            "them with every hand.",
            "At published scale Tartanian is solved for an hour on 2 cores, after ten minutes for counting pairs "
            "of buckets.",
        ),
    )
