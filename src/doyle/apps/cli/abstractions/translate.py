"""`doyle translate`: one bet through one mapping."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from doyle.apps.cli.common import AsJson, output
from doyle.base.display import Text
from doyle.base.errors import DoyleError
from doyle.strategy.translation.mappings import mapping as find


def register(app: typer.Typer) -> None:
    app.command()(translate)


def translate(
    mapping: Annotated[
        str, typer.Option(help="Such as det-arith, rand-geo-2, rand-pshar, or BELOW~POTS~ABOVE.")
    ],
    a: Annotated[float, typer.Option(help="The known bet below, in pots.")],
    b: Annotated[float, typer.Option(help="The known bet above, in pots.")],
    x: Annotated[float, typer.Option(help="The bet seen, in pots.")],
    as_json: AsJson = False,
) -> None:
    """Show how a bet between two known bets is read."""
    entry = find(mapping)
    for name, size in (("--a", a), ("--b", b), ("--x", x)):
        if not math.isfinite(size):
            raise DoyleError(f"translate {name}: expected a number of pots, not {size}")
    probability = float(entry.probability(a, b, x))
    median = float(entry.median(a, b))
    document = {
        "mapping": entry.name,
        "a": a,
        "b": b,
        "x": x,
        "probability_of_a": probability,
        "median": median,
    }

    def text() -> Text:
        yield f"{entry.title}: a bet of {x:g} pots between {a:g} and {b:g}"
        yield f"  read as {a:g} with probability {probability:.6g}"
        yield f"  read as {b:g} with probability {1 - probability:.6g}"
        yield f"  median {median:.6g}"

    output(document, as_json=as_json, text=text)
