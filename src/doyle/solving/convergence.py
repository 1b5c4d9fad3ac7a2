"""Convergence: exploitability against iterations and time, as CSV and as a plot.

Where exploitability is not known throughout, the bound on the regret stands in, under its name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from doyle.artifacts.files import replacing, write_text
from doyle.errors import DoyleError
from doyle.solving.solver import Point


def write_csv(path: Path, history: Sequence[Point]) -> None:
    """One row per measurement: iteration, seconds, exploitability (or regret_bound)."""
    name, values = measured(history)
    rows = [
        f"{point.iteration},{point.seconds:.6f},{value!r}"
        for point, value in zip(history, values, strict=True)
    ]
    write_text(path, "\n".join([f"iteration,seconds,{name}", *rows]) + "\n")


def measured(history: Sequence[Point]) -> tuple[str, list[float]]:
    """The one measure that all points share: exploitability, or else the regret bound.

    >>> measured([Point(1, 0.1, 0.5, 2.0), Point(2, 0.2, float("nan"), 1.0)])
    ('regret_bound', [2.0, 1.0])
    """
    bounds = [point.regret_bound for point in history]
    known = [bound for bound in bounds if bound is not None]
    unknown = any(math.isnan(point.exploitability) for point in history)
    if unknown and len(known) == len(bounds):
        return "regret_bound", known
    return "exploitability", [point.exploitability for point in history]


def check_plot_name(path: Path) -> str:
    """The format that the name of a plot asks for."""
    kind = path.suffix.removeprefix(".").lower()
    if kind not in ("png", "svg", "pdf"):
        raise DoyleError(f"{path}: a plot is written as .png, .svg or .pdf")
    return kind


def draw(path: Path, histories: Mapping[str, Sequence[Point]]) -> None:
    """Exploitability (or the regret bound) against seconds, both logarithmic, a line per history."""
    from matplotlib.figure import Figure

    kind = check_plot_name(path)
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    measures: list[str] = []
    for name, history in histories.items():
        measure, values = measured(history)
        measures += [] if measure in measures else [measure]
        pairs = zip(history, values, strict=True)
        # A logarithmic axis has no place for zero.
        shown = [
            (point.seconds, value) for point, value in pairs if value > 0 and point.seconds > 0
        ]
        axes.plot([seconds for seconds, _ in shown], [value for _, value in shown], label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("seconds")
    axes.set_ylabel(f"{' or '.join(measures).replace('_', ' ')} (chips per hand)")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend()
    with replacing(path, "wb") as stream:
        figure.savefig(stream, format=kind)
