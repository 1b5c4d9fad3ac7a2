"""`doyle shrink`: how far a game's signals can be merged."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from doyle.cli.common import AsJson, output


def register(app: typer.Typer) -> None:
    app.command()(shrink)


def shrink(
    game: Annotated[str, typer.Argument(help="A bundled game or a game definition file.")],
    threshold: Annotated[
        float, typer.Option(help="Merge signals whose results differ by at most this share.")
    ] = 0.0,
    relation: Annotated[
        str | None, typer.Option(help="lossless (default), matching (the paper's) or suits.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Merge the signals of a game by GameShrink and count the classes of each round."""
    from doyle.card_abstraction.gameshrink import shrink as merge
    from doyle.games import Game

    rules = Game.named(game)
    chosen = merge(rules, threshold, relation=relation)  # type: ignore[arg-type]
    relations = {
        name: list(merge(rules, relation=name).counts) for name in ("suits", "lossless", "matching")
    }
    rounds: list[dict[str, Any]] = [
        {
            "round": number,
            "deals": int(level.weight.sum()),
            "signals": len(level),
            "classes": chosen.counts[number],
        }
        for number, level in enumerate(chosen.tree.rounds)
    ]
    document = {
        "game": rules.name,
        "relation": chosen.relation,
        "threshold": threshold,
        "rounds": rounds,
        "relations": relations,
    }

    def text() -> None:
        typer.echo(f"{rules.name}: {chosen.relation}, threshold {threshold:g}")
        typer.echo("round         deals  up to suits      classes")
        for row in rounds:
            typer.echo(
                f"{row['round']:>5}{row['deals']:>14,}{row['signals']:>13,}{row['classes']:>13,}"
            )
        typer.echo()
        typer.echo("A deal is a seat's hole cards and the board cards of each round so far.")
        for name, explanation in _EXPLANATIONS.items():
            counts = " / ".join(f"{count:,}" for count in relations[name])
            typer.echo(f"{name:<9} {counts:<22} {explanation}")

    output(document, as_json=as_json, text=text)


_EXPLANATIONS = {
    "suits": "equal up to a relabelling of suits",
    "lossless": "meet the same classes of opponents with the same results",
    "matching": "beat, tie and lose to equally many hands on matched boards (Gilpin, Sandholm 2007)",
}
