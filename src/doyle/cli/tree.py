"""`doyle tree`: the size of the tree a betting model spans, and the tree as BML."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doyle.cli.common import AsJson, output

if TYPE_CHECKING:
    from doyle.betting import BettingTree


def register(app: typer.Typer) -> None:
    app.command()(tree)


def tree(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="Letters (fcpa, fchpta/h, fc75pa, sartre:fcqhipdvta, fcpa@3), or tartanian, "
            "tartanian-2007, tartanian5, limit, full.",
        ),
    ],
    game: Annotated[
        str, typer.Option("--game", metavar="GAME", help="A name or a definition file.")
    ],
    bml: Annotated[
        Path | None, typer.Option("--bml", metavar="FILE", help="Write the tree as BML to FILE.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Count the decisions and leaves a betting model spans, by round."""
    from doyle.betting import BettingModel, BettingTree
    from doyle.games import Game

    rules = Game.named(game)
    built = BettingTree.build(BettingModel.parse(model), rules)
    counts = built.counts()
    readings = _cap_readings(built)
    document = {
        "model": str(built.model),
        "game": rules.name,
        "decisions": list(counts.decisions),
        "fold_leaves": list(counts.fold_leaves),
        "showdown_leaves": list(counts.showdown_leaves),
        "sequences": [int(total) for total in built.sequence_starts[:, -1]],
        "nodes": built.node_count,
        "bml": None if bml is None else str(bml),
        "cap_readings": readings,
    }
    if bml is not None:
        from doyle.betting.bml import write_bml

        write_bml(built, bml)

    def text() -> None:
        typer.echo(f"{document['model']} in {document['game']}")
        typer.echo(f"{'round':>8}{'decisions':>14}{'fold leaves':>14}{'showdowns':>14}")
        rows = zip(counts.decisions, counts.fold_leaves, counts.showdown_leaves, strict=True)
        totals = [0, 0, 0]
        for number, row in enumerate(rows, start=1):
            typer.echo(f"{number:>8}" + "".join(f"{count:>14,}" for count in row))
            totals = [total + count for total, count in zip(totals, row, strict=True)]
        typer.echo(f"{'all':>8}" + "".join(f"{count:>14,}" for count in totals))
        sequences = ", ".join(
            f"seat {seat}: {n:,}" for seat, n in enumerate(built.sequence_starts[:, -1])
        )
        typer.echo(f"sequences: {sequences} (without the empty one)")
        for reading in readings:
            typer.echo(
                f"{reading['decisions']:>12,} decisions when the cap {reading['cap']}; "
                f"any number of bets: {reading['growth_without_cap']:+.1%}"
            )
        if built.model.name.startswith("tartanian") and readings:
            typer.echo("Gilpin et al. 2008, footnote 4: any number of bets costs 15% more")
        if bml is not None:
            typer.echo(f"written: {bml}")

    output(document, as_json=as_json, text=text)


def _cap_readings(tree: BettingTree) -> list[dict[str, Any]]:
    """A cap on bets may stop all-ins too or not; the sizes of both, and what lifting it adds."""
    from doyle.betting import BettingTree

    model = tree.model
    if model.raise_cap is None or not model.all_in:
        return []

    def decisions(cap: int | None, *, stops_all_in: bool) -> int:
        changed = model.with_cap(cap, stops_all_in=stops_all_in)
        return BettingTree.build(changed, tree.game).decision_count

    free = decisions(None, stops_all_in=True)
    return [
        {"cap": text, "decisions": count, "growth_without_cap": free / count - 1}
        for text, count in (
            ("stops all-ins too", decisions(model.raise_cap, stops_all_in=True)),
            ("lets all-ins pass", decisions(model.raise_cap, stops_all_in=False)),
        )
    ]
