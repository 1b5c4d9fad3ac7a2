"""Convergence: exploitability against iterations and time, as CSV and as a plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from doyle.artifacts.files import replacing, write_text
from doyle.errors import DoyleError
from doyle.solving.solver import Point


def write_csv(path: Path, history: Sequence[Point]) -> None:
    """One row per measurement: iteration, seconds, exploitability."""
    rows = [f"{p.iteration},{p.seconds:.6f},{p.exploitability!r}" for p in history]
    write_text(path, "\n".join(["iteration,seconds,exploitability", *rows]) + "\n")


def draw(path: Path, histories: Mapping[str, Sequence[Point]]) -> None:
    """Exploitability against seconds, both logarithmic, one line per history."""
    from matplotlib.figure import Figure

    kind = path.suffix.removeprefix(".").lower()
    if kind not in ("png", "svg", "pdf"):
        raise DoyleError(f"{path}: a plot is written as .png, .svg or .pdf")
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for name, history in histories.items():
        shown = [point for point in history if point.exploitability > 0 and point.seconds > 0]
        axes.plot([p.seconds for p in shown], [p.exploitability for p in shown], label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("seconds")
    axes.set_ylabel("exploitability (chips per hand)")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend()
    with replacing(path, "wb") as stream:
        figure.savefig(stream, format=kind)
