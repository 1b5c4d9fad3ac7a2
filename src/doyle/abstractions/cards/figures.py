"""Figures of an abstraction: the preflop grid, and how mass is spread over each round's buckets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from doyle.abstractions.cards.abstraction import CardAbstraction
from doyle.abstractions.cards.strength.inspection import ROUND_NAMES, grid_label, preflop_grid
from doyle.base.artifacts.files import replacing
from doyle.base.errors import DoyleError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(abstraction: CardAbstraction, path: Path) -> None:
    """Write the figure to `path`, as PNG or SVG by its suffix; equal input gives equal bytes."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in ("png", "svg"):
        raise DoyleError(f"{path}: a figure is written as .png or .svg")
    import matplotlib
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 7), layout="constrained")
    left, right = np.asarray(figure.subfigures(1, 2, width_ratios=(1.1, 1)), object)
    figure.suptitle(abstraction.spec)
    _draw_grid(abstraction, left.subplots())
    for round, axes in enumerate(right.subplots(4, 1)):
        _draw_masses(abstraction, round, axes)
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    with (
        matplotlib.rc_context({"svg.hashsalt": "doyle"}),
        replacing(path, "wb") as stream,
    ):
        figure.savefig(stream, format=kind, metadata=metadata)


def _draw_grid(abstraction: CardAbstraction, axes: Axes) -> None:
    grid = np.array(preflop_grid(abstraction))
    axes.imshow(grid, cmap="viridis")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_title("preflop buckets (suited above the diagonal)")
    middle = (int(grid.min()) + int(grid.max())) / 2
    for row in range(13):
        for column in range(13):
            bucket = int(grid[row, column])
            axes.text(
                column,
                row,
                f"{grid_label(row, column)}\n{bucket}",
                ha="center",
                va="center",
                fontsize=6,
                color="black" if bucket > middle else "white",
            )


def _draw_masses(abstraction: CardAbstraction, round: int, axes: Axes) -> None:
    """A histogram of the masses of buckets, as multiples of an equal share."""
    masses = abstraction.masses(round)
    axes.hist(masses * len(masses), bins=40, color="#3b6ea5")
    axes.axvline(1.0, color="black", linewidth=0.8)
    axes.set_ylabel("buckets", fontsize=8)
    axes.set_title(f"{ROUND_NAMES[round]}: mass of its {len(masses):,} buckets", fontsize=9)
    axes.tick_params(labelsize=7)
    if round == len(ROUND_NAMES) - 1:
        axes.set_xlabel("multiples of an equal share", fontsize=8)
