"""`doyle verify`: whether a hand of the table was dealt from the deck that was committed to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from doyle.apps.cli.common import AsJson, output
from doyle.apps.web.dealing import check_commitment
from doyle.base.artifacts.documents import read_json
from doyle.base.errors import DoyleError


def register(app: typer.Typer) -> None:
    app.command()(verify)


def verify(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[HAND.json]",
            help="A hand as returned by the API, with its commitment, salt and deck.",
        ),
    ] = None,
    commitment: Annotated[
        str | None, typer.Option(metavar="HEX", help="As shown before the first bet.")
    ] = None,
    salt: Annotated[str | None, typer.Option(metavar="HEX", help="The 32 random bytes.")] = None,
    deck: Annotated[
        str | None, typer.Option(metavar="CARDS", help="All cards in their order.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check that SHA-256(salt + deck) is the commitment of a hand; exit 1 if it is not."""
    given = {"--commitment": commitment, "--salt": salt, "--deck": deck}
    if file is not None:
        if any(value is not None for value in given.values()):
            raise DoyleError("verify: give a file, or commitment, salt and deck")
        commitment, salt, deck = _read(file)
    elif missing := next((name for name, value in given.items() if value is None), None):
        raise DoyleError(f"verify: {missing} is missing (or give the file of a hand)")
    assert commitment is not None
    assert salt is not None
    assert deck is not None
    valid = check_commitment(commitment, salt=salt, deck=deck)
    words = "the deck is the one that was committed to" if valid else "NOT the deck committed to"
    output(
        {"valid": valid, "commitment": commitment},
        as_json=as_json,
        text=lambda: [words],
    )
    if not valid:
        raise typer.Exit(1)


def _read(file: Path) -> tuple[str, str, str]:
    """Commitment, salt and deck of a hand's document, or of one that has them at its top."""
    document: Any = read_json(file)
    hand = document.get("hand") or document if isinstance(document, dict) else {}
    reveal = hand.get("reveal") or hand
    found = (hand.get("commitment"), reveal.get("salt"), reveal.get("deck"))
    for name, value in zip(("commitment", "salt", "deck"), found, strict=True):
        if not isinstance(value, str):
            raise DoyleError(f"{file}: field {name!r} is missing; is the hand over?")
    return str(found[0]), str(found[1]), str(found[2])
