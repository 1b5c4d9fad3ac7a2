"""The output of `doyle spot`: the result, one decision, its figure, and the line of progress."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from doyle.apps.cli.common import say_written
from doyle.base.display import percent_text

if TYPE_CHECKING:
    from doyle.solving.spots import Spot, SpotResult
    from doyle.strategy import PlaceView


def hand_document(result: SpotResult, hole: tuple[int, ...]) -> dict[str, Any]:
    """The play of one hand at the start of the spot; only its name if it is not in the range."""
    from doyle.cards import format_cards

    name = format_cards(sorted(hole, reverse=True))
    return {"cards": name, **result.root.by_hand().get(name, {})}


def draw(decision: PlaceView, path: Path | None) -> None:
    if path is None:
        return
    from doyle.measuring.reports.pages import grid_figure, save_figure

    save_figure(grid_figure(decision), path)
    say_written(path)


def print_result(result: SpotResult, document: dict[str, Any]) -> None:
    from doyle.cards import format_cards

    percent = document["exploitability_percent_of_pot"]
    typer.echo(f"{'board':<16}{format_cards(result.spot.board)}")
    typer.echo(f"{'value':<16}{result.value:.4f} chips for seat 0")
    typer.echo(f"{'pot shares':<16}" + ", ".join(f"{one:.4f}" for one in document["pot_shares"]))
    typer.echo(f"{'exploitability':<16}{percent_text(percent)} of the pot")
    typer.echo(f"{'iterations':<16}{document['iterations']:,}")
    typer.echo(f"{'seconds':<16}{document['seconds']:.3f}")
    typer.echo(f"{'memory':<16}{document['memory_bytes'] / 1e6:.1f} MB of tables")
    if "hand" in document:
        _print_hand(document["hand"], result.root)
    print_decision(result.root)


def _print_hand(hand: dict[str, Any], decision: PlaceView) -> None:
    if "frequencies" not in hand:
        typer.echo(f"{'hand':<16}{hand['cards']}: not in the range of seat {decision.seat}")
        return
    shares = zip(decision.names, hand["frequencies"], strict=True)
    plays = ", ".join(f"{name} {100 * share:.1f}%" for name, share in shares)
    value, equity = _number(hand["value"], 0), _number(hand["equity"], 0, 3)
    typer.echo(f"{'hand':<16}{hand['cards']}: {plays}; value {value}, equity {equity}")


def print_decision(decision: PlaceView) -> None:
    where = f"after {decision.history!r}" if decision.history else "first to act"
    typer.echo(f"\n{where}, seat {decision.seat}")
    for name, share, value in zip(
        decision.names, decision.frequencies, decision.values, strict=True
    ):
        typer.echo(f"  {name:<14}{100 * share:6.1f}%  value {value:10.3f}")
    names = "".join(f"{name:>12}" for name in decision.names)
    typer.echo(f"\n{'class':<7}{'value':>10}{'equity':>8}{names}")
    for name, row in decision.by_class().items():
        shares = "".join(f"{100 * share:11.1f}%" for share in row["frequencies"])
        typer.echo(f"{name:<7}{_number(row['value'])}{_number(row['equity'], 8, 3)}{shares}")


def _number(value: Any, width: int = 10, digits: int = 2) -> str:
    return " " * (width - 1) + "-" if value is None else f"{value:{width}.{digits}f}"


class SpotDisplay:
    """The live line of exploitability on stderr; quiet in a pipe."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(stderr=True)

    def __enter__(self) -> SpotDisplay:
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._console.print()

    def begin(self, given: Spot, precision: str) -> None:
        """Report the tables' memory, before they are allocated."""
        from doyle.solving.spots.solve import memory_needed
        from doyle.solving.vector.solver import PRECISIONS

        if self._console.is_terminal and precision in PRECISIONS:
            megabytes = memory_needed(given.outline(), precision) / 1e6
            self._console.print(
                f"spot: the tables take about {megabytes:,.1f} MB", highlight=False, markup=False
            )

    def show(self, point: Any, pot: int) -> None:
        if self._console.is_terminal:
            percent = 100 * point.exploitability / pot
            self._console.print(
                f"spot: iteration {point.iteration:,}, {point.seconds:.1f} s, exploitability "
                f"{percent_text(percent)} of the pot",
                end="\r",
                highlight=False,
                markup=False,
            )
