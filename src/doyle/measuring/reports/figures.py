"""Figures: convergence curves and strategy grids, drawn by Matplotlib."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from doyle.base.artifacts.files import replacing
from doyle.base.display import ABSENT, INK, colours_of, share_text
from doyle.base.errors import DoyleError
from doyle.cards.grid import hand_name
from doyle.strategy import PlaceView, Point

FORMATS = (".png", ".svg", ".pdf")

LEGEND_COLUMNS = 3
"""Actions in a line of a grid's legend: more are wider than the figure."""


def _figure(width: float, height: float) -> Any:
    # The object interface needs no display and leaves no global state behind.
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def save_figure(figure: Any, path: Path) -> None:
    """Write a figure in the format of the path's suffix."""
    if path.suffix not in FORMATS:
        raise DoyleError(f"{path}: figures are written as {', '.join(FORMATS)}")
    with replacing(path, "wb") as stream:
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(stream, format=path.suffix[1:], dpi=150, metadata=metadata)


def convergence_points(history: Sequence[Point]) -> tuple[str, list[tuple[float, float]]]:
    """What the solve measured and its (seconds, value) that logarithmic axes can show.

    >>> convergence_points([Point(10, 1.0, 0.5)])
    ('exploitability', [(1.0, 0.5)])
    """
    name = history[-1].measure[0] if history else "exploitability"
    points = [(point.seconds, getattr(point, name)) for point in history]
    shown = [(seconds, value) for seconds, value in points if value is not None]
    return name, [point for point in shown if all(0 < part < math.inf for part in point)]


def convergence_figure(name: str, points: list[tuple[float, float]]) -> Any:
    """What the solve measured against time: exploitability, or its bound by regrets."""
    figure = _figure(7.5, 3.2)
    axes = figure.add_subplot()
    axes.loglog(*zip(*points, strict=True), color="#b83b3b", linewidth=1.8)
    axes.set_xlabel("seconds of solving")
    axes.set_ylabel(f"{name.replace('_', ' ')}, chips per hand")
    axes.grid(visible=True, which="both", alpha=0.25)
    return figure


def convergence_svg(history: Sequence[Point]) -> str:
    """The convergence curve as inline SVG; a sentence when there is nothing to draw."""
    name, points = convergence_points(history)
    if len(points) < 2:
        return "<p class=quiet>Too short a solve to draw a curve.</p>"
    buffer = io.BytesIO()
    convergence_figure(name, points).savefig(buffer, format="svg", metadata={"Date": None})
    text = buffer.getvalue().decode()
    return text[text.index("<svg") :]


def grid_figure(grid: PlaceView) -> Any:
    """The 13x13 grid, each cell divided by the probabilities of its actions."""
    from matplotlib.patches import Patch, Rectangle

    figure = _figure(7, 7.4)
    axes = figure.add_subplot()
    axes.set_facecolor(ABSENT)
    colours = colours_of(grid.names)
    for row in range(13):
        for column in range(13):
            left = 0.0
            for colour, share in zip(colours, grid.cells[row, column], strict=True):
                axes.add_patch(Rectangle((column + left, 12 - row), share, 1, color=colour, lw=0))
                left += float(share)
            axes.text(
                column + 0.5, 12.5 - row, hand_name(row, column), ha="center", va="center",
                color=INK, fontsize=8,
            )  # fmt: skip
    for line in range(14):
        axes.axhline(line, color="white", lw=0.8)
        axes.axvline(line, color="white", lw=0.8)
    axes.set(xlim=(0, 13), ylim=(0, 13), xticks=[], yticks=[], aspect="equal")
    shown = [
        f"{name} {share_text(float(part))}"
        for name, part in zip(grid.names, grid.frequencies, strict=True)
    ]
    patches = [Patch(color=colour) for colour in colours]
    figure.legend(
        patches,
        shown,
        loc="outside lower center",
        ncols=min(len(shown), LEGEND_COLUMNS),
        frameon=False,
    )
    axes.set_title(grid.title)
    return figure


def bucket_figure(shares: np.ndarray, actions: tuple[str, ...], title: str) -> Any:
    """Stacked bars of action probabilities by bucket."""
    figure = _figure(8, 3.2)
    axes = figure.add_subplot()
    bottom = np.zeros(len(shares))
    colours = colours_of(actions)
    for place, action in enumerate(actions):
        axes.bar(
            np.arange(len(shares)), shares[:, place], bottom=bottom, width=1.0,
            color=colours[place], label=action,
        )  # fmt: skip
        bottom += shares[:, place]
    axes.set(xlim=(-0.5, len(shares) - 0.5), ylim=(0, 1), xlabel="bucket", title=title)
    figure.legend(loc="outside right center", frameon=False)
    return figure
