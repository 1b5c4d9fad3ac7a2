"""Hand categories: what a hand is, and what it may become with the cards to come.

The paper's 284 categories stood on a page that is gone. Ours are the product of 32 made hands, told
apart by what the hole cards add to the board, and of flush and straight draws where they matter: 296
in all, in `data/hand_categories.csv` with the meaning of each.

A flush draw has four cards of a suit, one or two of them own (*nut* with the highest that is out), or
three on the flop with both own (*backdoor*). A straight draw is *open* if cards of two or more ranks
would complete a straight that needs a hole card, else a *gutshot*. Made straights have flush draws only, better
hands none, and there are no draws on the river.
"""

from __future__ import annotations

import csv
from functools import cache, lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from doyle.agents.case_bases.features import _category_kernels as kernels
from doyle.cards.cards import HOLES

CATEGORY_COUNT = 296


@cache
def _rows() -> tuple[dict[str, str], ...]:
    path = resources.files("doyle.agents.case_bases.features") / "data" / "hand_categories.csv"
    return tuple(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


@cache
def _numbers() -> NDArray[np.int16]:
    """int16[made hands, flush draws, straight draws]: the category, -1 where there is none."""
    made = list(dict.fromkeys(row["made"] for row in _rows()))
    flush = list(dict.fromkeys(row["flush_draw"] for row in _rows()))
    straight = list(dict.fromkeys(row["straight_draw"] for row in _rows()))
    numbers = np.full((len(made), len(flush), len(straight)), -1, np.int16)
    for row in _rows():
        place = (
            made.index(row["made"]),
            flush.index(row["flush_draw"]),
            straight.index(row["straight_draw"]),
        )
        numbers[place] = int(row["number"])
    return numbers


def category_name(number: int) -> str:
    """A category in words.

    >>> category_name(0), category_name(13)
    ('no pair', 'no pair, flush draw nut, straight draw gutshot')
    """
    row = _rows()[number]
    draws = [
        f"{kind} draw {row[f'{kind}_draw']}"
        for kind in ("flush", "straight")
        if row[f"{kind}_draw"] != "none"
    ]
    return ", ".join([row["made"], *draws])


def categories_of_deals(
    holes: NDArray[np.int64], boards: NDArray[np.int64], out: NDArray[np.int16]
) -> None:
    """Write the categories of holes[n, 2] on boards[n, 5] after the flop into out[n, 1:4]."""
    kernels.deal_categories(holes, boards, _numbers(), out)


@lru_cache(1 << 9)
def categories_on(board: tuple[int, ...]) -> NDArray[np.int16]:
    """The category of every hole on a board; of those that share a card, 0."""
    out = np.zeros(len(HOLES), np.int16)
    kernels.board_categories(HOLES, np.array(board, np.int64), len(board), _numbers(), out)
    return out
