"""Pages: self-contained single HTML files, printable, written atomically.

Figures: convergence curves and strategy grids, drawn by Matplotlib.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from doyle.base.artifacts.files import replacing, write_text
from doyle.base.display import ABSENT, INK, colours_of, share_text
from doyle.base.errors import DoyleError
from doyle.cards.ranges import hand_name
from doyle.strategy import PlaceView, Point

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: 0; } h2 { margin-top: 2.2rem; font-size: 1.2rem; }
table { border-collapse: collapse; } td, th { padding: .25rem .7rem; text-align: left; }
th { border-bottom: 2px solid #999; } td { border-bottom: 1px solid #ddd; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.quiet { color: #666; } svg { max-width: 100%; height: auto; }
.verdict { font-size: 1.25rem; line-height: 1.45; border-left: .35rem solid #4a6fa5; padding: .6rem 1rem;
           background: #f4f6f9; border-radius: 0 .4rem .4rem 0; }
.tiles { display: flex; flex-wrap: wrap; gap: .7rem; margin: 1rem 0 1.6rem; }
.tile { background: #f5f5f2; border-radius: .5rem; padding: .5rem 1rem; }
.tile b { display: block; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.tile span { color: #666; font-size: .85rem; }
details { margin: .5rem 0; } summary { cursor: pointer; color: #345; }
"""


def write_page(path: Path, title: str, parts: list[str]) -> None:
    """Write parts of HTML as one self-contained page."""
    body = "\n".join(part for part in parts if part)
    write_text(
        path,
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title>"
        f'<meta name=viewport content="width=device-width"><style>{STYLE}</style>\n{body}\n</html>\n',
    )


def html_table(heads: list[str], rows: list[list[str]], title: str = "") -> str:
    """A table, under a heading if it has a title; empty without rows."""
    if not rows:
        return ""
    numeric = [all(_is_number(row[column]) for row in rows) for column in range(len(heads))]

    def cells(tag: str, values: list[str]) -> str:
        return "".join(
            f"<{tag}{' class=number' if number else ''}>{escape(value)}</{tag}>"
            for value, number in zip(values, numeric, strict=True)
        )

    head = f"<tr>{cells('th', heads)}</tr>" if any(heads) else ""
    lines = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    above = f"<h2>{escape(title)}</h2>" if title else ""
    return f"{above}<table>{head}{lines}</table>"


def tiles(found: Sequence[tuple[str, str]]) -> str:
    """Few large numbers, each over its meaning."""
    inner = "".join(
        f"<div class=tile><b>{escape(value)}</b><span>{escape(meaning)}</span></div>"
        for value, meaning in found
    )
    return f"<div class=tiles>{inner}</div>"


def _is_number(text: str) -> bool:
    try:
        float(text.split(" ")[0].replace(",", ""))
    except (ValueError, IndexError):
        return False
    return True


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
    """The measured quantity, and its points (seconds, value) that logarithmic axes can show.

    >>> convergence_points([Point(10, 1.0, 0.5)])
    ('exploitability', [(1.0, 0.5)])
    """
    name = history[-1].measure[0] if history else "exploitability"
    points = [(point.seconds, getattr(point, name)) for point in history]
    shown = [(seconds, value) for seconds, value in points if value is not None]
    return name, [point for point in shown if all(0 < part < math.inf for part in point)]


def convergence_figure(name: str, points: list[tuple[float, float]]) -> Any:
    """The solve's measurements against time: exploitability, or its bound by regrets."""
    figure = _figure(7.5, 3.2)
    axes = figure.add_subplot()
    axes.loglog(*zip(*points, strict=True), color="#b83b3b", linewidth=1.8)
    axes.set_xlabel("seconds of solving")
    axes.set_ylabel(f"{name.replace('_', ' ')}, chips per hand")
    axes.grid(visible=True, which="both", alpha=0.25)
    return figure


def convergence_svg(history: Sequence[Point]) -> str:
    """The convergence curve as inline SVG; a sentence if there are no points."""
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
