"""Convergence: exploitability against iterations and time, as CSV and as a plot.

If exploitability is not known throughout, the bound on the regret replaces it, under its own name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from doyle.base.artifacts.files import replacing, write_text
from doyle.base.errors import DoyleError
from doyle.strategy import Point


def write_csv(path: Path, histories: Mapping[str, Sequence[Point]]) -> None:
    """One row per measurement: iteration, seconds, exploitability (or regret_bound).

    Of several solvers each row begins with the solver, and the last column is named `measured`
    where they know different things.
    """
    found = {name: measured(history) for name, history in histories.items()}
    kinds = {kind for kind, _ in found.values()}
    several = len(histories) > 1
    head = f"iteration,seconds,{kinds.pop() if len(kinds) == 1 else 'measured'}"
    rows = [f"solver,{head}" if several else head]
    for name, history in histories.items():
        start = f"{name}," if several else ""
        rows += [
            f"{start}{point.iteration},{point.seconds:.6f},{value!r}"
            for point, value in zip(history, found[name][1], strict=True)
        ]
    write_text(path, "\n".join(rows) + "\n")


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
    """The file format implied by the name of a plot."""
    kind = path.suffix.removeprefix(".").lower()
    if kind not in ("png", "svg", "pdf"):
        raise DoyleError(f"{path}: a plot is written as .png, .svg or .pdf")
    return kind


def draw(
    path: Path,
    histories: Mapping[str, Sequence[Point]],
    *,
    title: str = "",
    over: str = "seconds",
) -> None:
    """Exploitability (or the regret bound) over seconds or iterations, a line per history.

    Both axes are logarithmic.
    """
    from matplotlib.figure import Figure

    kind = check_plot_name(path)
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    measures: list[str] = []
    for name, history in histories.items():
        measure, values = measured(history)
        measures += [] if measure in measures else [measure]
        along = [point.seconds if over == "seconds" else point.iteration for point in history]
        # A logarithmic axis has no place for zero.
        shown = [(x, y) for x, y in zip(along, values, strict=True) if x > 0 and y > 0]
        # One that ends at its first measurement would be an invisible line.
        marker = "o" if len(shown) == 1 else ""
        axes.plot([x for x, _ in shown], [y for _, y in shown], label=name, marker=marker)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("seconds of solving" if over == "seconds" else "iterations")
    axes.set_ylabel(f"{' or '.join(measures).replace('_', ' ')} (chips per hand)")
    axes.set_title(title)
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend()
    with replacing(path, "wb") as stream:
        figure.savefig(stream, format=kind)
