"""The page of a solved spot: its value, the first decisions as grids, and the classes of each."""

from __future__ import annotations

from html import escape
from pathlib import Path

from doyle.cards import format_cards, format_range
from doyle.reports.build_report import html_table, write_page
from doyle.reports.figures import convergence_svg
from doyle.reports.grid import StrategyGrid, range_grid
from doyle.spots import Decision, SpotResult


def decision_grid(decision: Decision) -> StrategyGrid:
    """The 13x13 grid of a decision."""
    return range_grid(
        decision.history,
        decision.seat,
        decision.actions,
        decision.cards,
        decision.probabilities,
        weights=decision.weights,
        reach=decision.reach,
    )


def write_spot_report(path: Path, result: SpotResult) -> None:
    """Write the page: the spot, how far it is solved, the first decision and the answers to it."""
    spot = result.spot
    decisions = [result.root, *_answers(result)]
    facts = [
        ["first to act", format_range(spot.ranges[0])],
        ["second", format_range(spot.ranges[1])],
        ["pot, stacks", f"{spot.pot}; {spot.stacks[0]}, {spot.stacks[1]} behind"],
        ["betting", str(spot.model)],
        ["locks", ", ".join(lock.text for lock in result.locks) or "none"],
        ["value for the first", f"{result.value:.4f} chips"],
        ["exploitability", f"{result.exploitability_percent_of_pot:.3g}% of the pot"],
        ["iterations", f"{result.solver.iteration:,} in {result.run.seconds:.2f} s"],
    ]
    parts = [
        f"<h1>{escape(format_cards(spot.board))}</h1>",
        html_table(["", ""], facts, "The spot"),
        "<h2>The first decisions</h2>",
        *(decision_grid(decision).html() for decision in decisions),
        *(_classes(decision) for decision in decisions),
        "<h2>Convergence</h2>",
        convergence_svg(result.history),
    ]
    write_page(path, f"spot {format_cards(spot.board)}", parts)


def _answers(result: SpotResult) -> list[Decision]:
    """What the other seat does after each action that the first seat takes at least rarely."""
    root = result.root
    often = [
        text for text, share in zip(root.texts, root.frequencies, strict=True) if share >= 0.001
    ]
    return [result.at(text) for text in often]


def _classes(decision: Decision) -> str:
    rows = []
    for name, row in decision.by_class().items():
        shares = [f"{100 * share:.1f}" for share in row["frequencies"]]
        rows.append([name, f"{row['value']:.2f}", f"{row['equity']:.3f}", *shares])
    where = f"After {decision.history!r}" if decision.history else "First to act"
    heads = ["class", "value", "equity", *(f"{action} %" for action in decision.actions)]
    return html_table(heads, rows, f"{where}: by class")
