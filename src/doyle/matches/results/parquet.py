"""Hands as a Parquet file, which databases and data frames read.

One row per hand: `table` (of a league), `deal`, `seating`, for each seat its player and the chips it won
(`player0`, `won0`, ...), `actions`, `showdown`, and if wanted the cards (`hole0`, ..., `board`).
`pyarrow` is needed, the extra `parquet`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from doyle.base.artifacts.files import replacing
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress
from doyle.cards import DECK_SIZE, format_card
from doyle.matches.play import seatings
from doyle.matches.results.hands import MatchHands
from doyle.matches.results.rows import HandRows

_LETTERS = np.array([list(format_card(card).encode()) for card in range(DECK_SIZE)], np.uint8)


def write_parquet(
    tables: Sequence[MatchHands],
    path: Path,
    *,
    cards: bool = False,
    progress: Progress | None = None,
) -> int:
    """Write the hands of all tables, block by block; returns how many."""
    try:
        import pyarrow as arrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise DoyleError("Parquet needs pyarrow: pip install 'doyle[parquet]'") from None
    players = {hands.game.players for hands in tables}
    if len(players) != 1:
        raise DoyleError("the tables have different numbers of players")
    total, written = sum(map(len, tables)), 0
    writer = None
    with replacing(path, "wb") as stream:
        for number, hands in enumerate(tables):
            for rows in hands.blocks():
                table = arrow.table(_columns(arrow, number, hands, rows, cards=cards))
                if writer is None:
                    writer = ParquetWriter(stream, table.schema, compression="zstd")
                writer.write_table(table)
                written += len(rows)
                if progress is not None:
                    progress("hands", written, total)
        if writer is not None:
            writer.close()
    return written


def _columns(
    arrow: Any, number: int, hands: MatchHands, rows: HandRows, *, cards: bool
) -> dict[str, Any]:
    players = hands.game.players
    order = np.array(seatings(players))[rows.seating]
    found: dict[str, Any] = {
        "table": np.full(len(rows), number, np.int32),
        "deal": rows.deal,
        "seating": rows.seating,
    }
    for seat in range(players):
        names = arrow.DictionaryArray.from_arrays(
            order[:, seat].astype(np.int32), arrow.array(list(hands.names), arrow.string())
        )
        found[f"player{seat}"] = names.cast(arrow.string())
        # Whole chips with two players, who split a pot evenly; parts of chips with more.
        won = rows.won[:, seat]
        found[f"won{seat}"] = won // hands.unit if players == 2 else won / hands.unit
    found["actions"] = rows.actions
    found["showdown"] = rows.showdown
    if cards:
        dealt = hands.cards[rows.deal]
        size = hands.game.hole_cards
        for seat in range(players):
            found[f"hole{seat}"] = _texts(arrow, dealt[:, seat * size : (seat + 1) * size])
        found["board"] = _texts(arrow, dealt[:, players * size :])
    return {name: arrow.array(values) for name, values in found.items()}


def _texts(arrow: Any, cards: npt.NDArray[np.uint8]) -> Any:
    """Cards [hands, k] as texts such as `AsKd`."""
    width = 2 * cards.shape[1]
    if width == 0:
        return arrow.array([""] * len(cards))
    letters = np.ascontiguousarray(_LETTERS[cards]).reshape(len(cards), width)
    return arrow.array(letters.view(f"S{width}").reshape(-1)).cast(arrow.string())
