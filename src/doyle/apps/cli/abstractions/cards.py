"""`doyle cards`: build card abstractions, look at them, compare them, find a hand's bucket."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from doyle.abstractions.cards import BOARD_CARDS, Atlas, CardAbstraction, Notation, build
from doyle.abstractions.cards.registry import NAMED, built, describe, find_maker
from doyle.abstractions.cards.strength.inspection import (
    ROUND_NAMES,
    compare_round,
    examples,
    hand_values,
    preflop_grid,
)
from doyle.apps.cli.common import AsJson, Seed, WorkersText, output, progress_bar, say_written
from doyle.apps.cli.options import check_file
from doyle.base.artifacts import Store
from doyle.base.display import Text
from doyle.base.errors import DoyleError
from doyle.base.workers import parse_workers
from doyle.cards import format_cards, parse_cards

cards_app = typer.Typer(
    help="Build card abstractions, look at them, find a hand's bucket.", no_args_is_help=True
)

Spec = Annotated[
    str,
    typer.Argument(
        metavar="SPEC",
        help="The thesis's notation (ir169.64.8.8) or a name (potential-8-12-4-4); see `cards list`.",
    ),
]


def register(app: typer.Typer) -> None:
    app.add_typer(cards_app, name="cards")


def _built(spec: str, seed: int, workers: str | None) -> CardAbstraction:
    with progress_bar() as progress:
        return build(spec, seed=seed, workers=parse_workers(workers), progress=progress)


@cards_app.command("build")
def cards_build(
    spec: Spec, seed: Seed = 0, workers: WorkersText = None, as_json: AsJson = False
) -> None:
    """Build an abstraction into the cache, unless it is there."""
    abstraction = _built(spec, seed, workers)
    artifact = Store().find(describe(spec, seed=seed))
    assert artifact is not None
    document = {
        "spec": abstraction.spec,
        "folder": str(artifact.folder),
        "bytes": artifact.size(),
        "sequences": list(abstraction.tables.counts),
    }

    def text() -> Text:
        counts = " ".join(f"{count:,}" for count in abstraction.tables.counts)
        yield f"{abstraction.spec}: {counts} buckets, {artifact.size() / 2**20:.1f} MiB"
        yield str(artifact.folder)

    output(document, as_json=as_json, text=text)


@cards_app.command("list")
def cards_list(as_json: AsJson = False) -> None:
    """List published abstractions and those in the cache."""
    stored = {str(item.parameters["spec"]): item for item in built()}
    named = [
        {"spec": name, "source": source, "built": describe(name).parameters["spec"] in stored}
        for name, source in NAMED
    ]
    others: list[dict[str, Any]] = [
        {
            "spec": spec,
            "sequences": item.metadata["counts"],
            "bytes": item.size(),
            "seed": item.parameters["seed"],
        }
        for spec, item in sorted(stored.items())
    ]

    def text() -> Text:
        width = max(len(name) for name, _ in NAMED)
        for entry in named:
            mark = "*" if entry["built"] else " "
            yield f"{mark} {entry['spec']:<{width}}  {entry['source']}"
        yield "\nin the cache (*):"
        for item in others:
            yield f"  {item['bytes'] / 2**20:8.1f} MiB  {item['spec']}"

    output({"named": named, "cached": others}, as_json=as_json, text=text)


@cards_app.command("show")
def cards_show(
    spec: Spec,
    examples: Annotated[int, typer.Option(min=0, max=20, help="Example hands per bucket.")] = 2,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the preflop grid (png, svg).")
    ] = None,
    seed: Seed = 0,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Show sizes, the mass of each bucket, example hands and the preflop grid."""
    check_file("--plot", plot, suffixes=(".png", ".svg"))
    abstraction = _built(spec, seed, workers)
    rounds = [_round_document(abstraction, round, examples, seed) for round in range(4)]
    grid = preflop_grid(abstraction)
    document = {
        "spec": abstraction.spec,
        "rounds": rounds,
        "preflop_grid": grid,
        "figure": None if plot is None else str(plot),
    }
    if plot is not None:
        from doyle.abstractions.cards.strength.inspection import draw

        draw(abstraction, plot)
        say_written(plot)

    def text() -> Text:
        yield abstraction.spec
        for row in rounds:
            yield from _echo_round(row)
        yield "\npreflop buckets (suited above the diagonal)"
        yield from _grid_lines(grid)

    output(document, as_json=as_json, text=text)


def _round_document(
    abstraction: CardAbstraction, round: int, each: int, seed: int
) -> dict[str, Any]:
    masses = abstraction.masses(round)
    found = examples(abstraction, round, each=each, seed=seed) if each else {}
    sequences = abstraction.bucket_count(round)
    return {
        "round": round,
        "round_name": ROUND_NAMES[round],
        "buckets": _own_buckets(abstraction, round),
        "sequence_count": sequences,
        "recall": abstraction.parents(round) is not None,
        "empty": int((masses == 0).sum()),
        "masses": [float(mass) for mass in masses],
        "examples": {str(bucket): hands for bucket, hands in found.items()},
    }


def _own_buckets(abstraction: CardAbstraction, round: int) -> int:
    """Buckets that a round adds: the notation's N, or the most children of one bucket."""
    if find_maker(abstraction.spec) is None:
        return Notation.parse(abstraction.spec).rounds[round].buckets
    parents = abstraction.parents(round)
    return abstraction.bucket_count(round) if parents is None else int(np.bincount(parents).max())


def _echo_round(row: dict[str, Any], most: int = 12) -> Text:
    count = len(row["masses"])
    yield (
        f"\n{row['round_name']}: {row['buckets']:,} buckets, {row['sequence_count']:,} sequences"
        + (f", {row['empty']} empty" if row["empty"] else "")
    )
    step = max(1, -(-count // most))
    for bucket in range(0, count, step):
        hands = "   ".join(row["examples"].get(str(bucket), []))
        yield f"  {bucket:>7}  {100 * row['masses'][bucket]:9.5f}%  {hands}"
    if step > 1:
        yield f"  (every {step:,}th bucket; --json has all)"


def _grid_lines(grid: list[list[int]]) -> list[str]:
    ranks = "AKQJT98765432"
    width = max(4, len(str(max(max(line) for line in grid))) + 1)
    lines = ["  " + "".join(f"{rank:>{width}}" for rank in ranks)]
    for rank, line in zip(ranks, grid, strict=True):
        lines.append(f"{rank} " + "".join(f"{bucket:>{width}}" for bucket in line))
    return lines


@cards_app.command("compare")
def cards_compare(
    first: Annotated[str, typer.Argument(metavar="A")],
    second: Annotated[str, typer.Argument(metavar="B")],
    boards: Annotated[
        int, typer.Option(min=1, max=100_000, help="Boards to compare on, per round.")
    ] = 1000,
    seed: Seed = 0,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Compare how two abstractions divide the same hands, round by round."""
    left, right = _built(first, seed, workers), _built(second, seed, workers)
    rows: list[dict[str, Any]] = []
    for round in range(4):
        found = compare_round(left, right, round, boards=boards, seed=seed)
        rows.append(
            {
                "round": round,
                "round_name": ROUND_NAMES[round],
                "sequences": [left.bucket_count(round), right.bucket_count(round)],
                "bits": list(found.bits),
                "shared_bits": found.shared_bits,
                "first_refines_second": found.refines,
                "second_refines_first": found.is_refined_by,
                "hands": found.hands,
            }
        )
    document = {"first": left.spec, "second": right.spec, "rounds": rows}

    def text() -> Text:
        yield f"A {left.spec}\nB {right.spec}"
        yield f"{'':>8}{'buckets A':>12}{'B':>10}{'bits A':>9}{'B':>9}{'shared':>9}"
        for row in rows:
            a, b = row["sequences"]
            first_bits, second_bits = row["bits"]
            note = " A refines B" if row["first_refines_second"] else ""
            note += " B refines A" if row["second_refines_first"] else ""
            yield (
                f"{row['round_name']:>8}{a:>12,}{b:>10,}{first_bits:>9.3f}{second_bits:>9.3f}"
                f"{row['shared_bits']:>9.3f}{note}"
            )

    output(document, as_json=as_json, text=text)


@cards_app.command("bucket")
def cards_bucket(
    spec: Spec,
    hole: Annotated[str, typer.Option(metavar="CARDS", help="Hole cards, as AsKd.")],
    board: Annotated[
        str, typer.Option(metavar="CARDS", help="0, 3, 4 or 5 cards, flop first.")
    ] = "",
    seed: Seed = 0,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Find a hand's bucket, its strength on this board (hs), and E[HS], E[HS^2] over run-outs."""
    own, shared = parse_cards(hole, what="--hole"), parse_cards(board, what="--board")
    if len(own) != 2:
        raise DoyleError(f"--hole {hole!r}: expected two cards, found {len(own)}")
    if len(shared) not in BOARD_CARDS:
        raise DoyleError(f"--board {board!r}: expected 0, 3, 4 or 5 cards, found {len(shared)}")
    if set(own) & set(shared):
        twice = format_cards(sorted(set(own) & set(shared)))
        raise DoyleError(f"--board {board!r}: {twice} is among the hole cards too")
    round = BOARD_CARDS.index(len(shared))
    abstraction = _built(spec, seed, workers)
    with progress_bar() as progress:
        atlas = Atlas(workers=parse_workers(workers), progress=progress)
        values = hand_values(own, shared, atlas=atlas)
    document = {
        "spec": abstraction.spec,
        "hole": format_cards(own),
        "board": format_cards(shared),
        "round": round,
        "round_name": ROUND_NAMES[round],
        "bucket": abstraction.bucket(round, own, shared),
        "buckets": abstraction.bucket_count(round),
        "hs": values.hs,
        "ehs": values.ehs,
        "ehs2": values.ehs2,
    }

    def text() -> Text:
        place = f"{document['hole']} {document['board']}".strip()
        yield (
            f"{place}: {document['round_name']} bucket {document['bucket']} of {document['buckets']:,}"
        )
        yield f"hs {values.hs:.6f}   E[HS] {values.ehs:.6f}   E[HS^2] {values.ehs2:.6f}"

    output(document, as_json=as_json, text=text)
