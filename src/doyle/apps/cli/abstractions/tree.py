"""`doyle tree`: the size of the tree a betting model spans or a BML file holds; BML, compiled."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.apps.cli.common import AsJson, Seed, output
from doyle.apps.cli.options import check_file, given_path
from doyle.base.display import Text
from doyle.base.errors import DoyleError
from doyle.games import Game

if TYPE_CHECKING:
    from doyle.abstractions.betting.bml.document import BmlDocument

TOLERANCE = 1e-12
"""How far the products of the program may be from the interpreter's, relative to the largest entry."""


def register(app: typer.Typer) -> None:
    app.command()(tree)


def tree(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="Letters (fcpa, fchpta/h, fc75pa, sartre:fcqhipdvta, fcpa@3), or tartanian[@3], "
            "tartanian-2007, tartanian5, limit, full; or FILE.bml. MODEL|MODEL is one for each seat; "
            "MODEL+HISTORY:rTOTAL adds one bet at one place (fcpa+c:r15).",
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="A name or a definition file; without it FILE.bml is counted as it stands.",
        ),
    ] = None,
    bml: Annotated[
        Path | None,
        typer.Option(metavar="FILE", parser=given_path, help="Write the tree as BML to FILE."),
    ] = None,
    compiled: Annotated[
        bool,
        typer.Option(
            "--compile",
            help="Make the solvers' program of the BML; compare both payoff products with the interpreter's.",
        ),
    ] = False,
    buckets: Annotated[
        int,
        typer.Option(min=1, max=1000, help="--compile: buckets of each round of the comparison."),
    ] = 8,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Count the decisions and leaves of a betting model or a BML file, by round and seat."""
    check_file("--bml", bml)
    found: BettingTree | BmlDocument
    if model.endswith(".bml") and game is None:
        document, found = _of_file(model)
    else:
        document, found = _of_model(model, game, as_bml=bml is not None or compiled)
    if bml is not None:
        from doyle.abstractions.betting.bml.document import write_bml

        write_bml(found, bml)
        document["bml"] = str(bml)
    if compiled:
        from doyle.abstractions.betting.bml.document import BmlDocument, document_of

        program = found if isinstance(found, BmlDocument) else document_of(found)
        document["compiled"] = _compare(program, buckets, seed)
    output(document, as_json=as_json, text=lambda: _print(document))
    if compiled and document["compiled"]["largest_difference"] > TOLERANCE:
        raise typer.Exit(1)


def _of_model(model: str, game: str | None, *, as_bml: bool) -> tuple[dict[str, Any], BettingTree]:
    from doyle.abstractions.betting.bml.document import LARGEST_DOCUMENT

    if game is None:
        raise DoyleError(f"tree {model}: give --game GAME, or a file whose name ends in .bml")
    rules = Game.named(game)
    most = LARGEST_DOCUMENT if as_bml else None
    built = BettingTree.build(BettingModel.named(model), rules, most_nodes=most)
    counts = built.counts()
    document = {
        "model": str(built.model),
        "game": rules.name,
        "decisions_by_round": list(counts.decisions),
        "decisions_by_seat": [_of_seat(built, seat) for seat in range(rules.players)],
        "fold_leaves": list(counts.fold_leaves),
        "showdown_leaves": list(counts.showdown_leaves),
        "sequences": [int(total) for total in built.sequence_starts[:, -1]],
        "nodes": built.node_count,
        "bml": None,
        "cap_readings": _cap_readings(built),
        "compiled": None,
    }
    return document, built


def _of_seat(tree: BettingTree, seat: int) -> list[int]:
    """The decisions of one seat by round."""
    rounds = tree.round[tree.decisions][tree.actor[tree.decisions] == seat].tolist()
    return [rounds.count(number) for number in range(tree.game.rounds)]


def _of_file(path: str) -> tuple[dict[str, Any], BmlDocument]:
    from doyle.abstractions.betting.bml.reader import read_bml

    found = read_bml(Path(path))

    def by_round(rounds: list[int]) -> list[int]:
        return [rounds.count(number) for number in range(found.rounds)]

    leaves = {
        kind: by_round([leaf.round for leaf in found.leaves if leaf.kind == kind])
        for kind in ("fold", "showdown")
    }
    document = {
        "model": found.name,
        "game": None,
        "decisions_by_round": by_round([decision.round for decision in found.decisions]),
        "decisions_by_seat": [
            by_round([one.round for one in found.decisions if one.player == player])
            for player in (1, 2)
        ],
        "fold_leaves": leaves["fold"],
        "showdown_leaves": leaves["showdown"],
        "sequences": [
            sum(len(one.actions) for one in found.decisions if one.player == player)
            for player in (1, 2)
        ],
        "nodes": len(found.decisions) + len(found.leaves),
        "bml": path,
        "cap_readings": [],
        "compiled": None,
    }
    return document, found


def _compare(document: BmlDocument, buckets: int, seed: int) -> dict[str, Any]:
    """Both products of random vectors, by the program that solvers run and by the interpreter."""
    from doyle.abstractions.betting.bml.interpreter import BmlInterpreter
    from doyle.solving.bml_program import BmlProgram, even_states

    rng = np.random.default_rng(seed)
    states = even_states(buckets=buckets, rounds=document.rounds, rng=rng)
    weights = [[one.joint.dense() for one in states], [one.showdown.dense() for one in states]]
    interpreter = BmlInterpreter(document, weights[0], weights[1])
    program = BmlProgram(document, states)
    x, y = (rng.random(layout.size) for layout in program.layouts)
    program.times(y)  # loads or compiles the kernels
    results, seconds = [], []
    for products in (program, interpreter):
        started = time.perf_counter()
        results.append((products.times(y), products.transposed_times(x)))
        seconds.append(time.perf_counter() - started)
    differences = [
        float(np.abs(ours - reference).max() / max(np.abs(reference).max(), 1e-300))
        for ours, reference in zip(*results, strict=True)
    ]
    return {
        "buckets": buckets,
        "seed": seed,
        "largest_difference": max(differences),
        "compiled_seconds": seconds[0],
        "interpreter_seconds": seconds[1],
    }


def _print(document: dict[str, Any]) -> Text:
    game = document["game"]
    yield (f"{document['model']} in {game}" if game else f"{document['bml']}: {document['model']}")
    yield f"{'round':>8}{'decisions':>14}{'fold leaves':>14}{'showdowns':>14}"
    columns = [document[key] for key in ("decisions_by_round", "fold_leaves", "showdown_leaves")]
    for number, row in enumerate(zip(*columns, strict=True), start=1):
        yield f"{number:>8}" + "".join(f"{count:>14,}" for count in row)
    yield f"{'all':>8}" + "".join(f"{sum(column):>14,}" for column in columns)
    first = 0 if game else 1
    who = "seat" if game else "player"
    sequences = ", ".join(
        f"{who} {number}: {count:,}" for number, count in enumerate(document["sequences"], first)
    )
    decisions = ", ".join(
        f"{who} {number}: {sum(count):,}"
        for number, count in enumerate(document["decisions_by_seat"], first)
    )
    yield f"decisions: {decisions}"
    yield f"sequences: {sequences} (without the empty one)"
    for reading in document["cap_readings"]:
        yield (
            f"{reading['decisions']:>12,} decisions when the cap {reading['cap']}; "
            f"any number of bets: {reading['growth_without_cap']:+.1%}"
        )
    if document["model"].startswith("tartanian") and document["cap_readings"]:
        yield "Gilpin et al. 2008, footnote 4: any number of bets costs 15% more"
    if document["bml"] is not None and game:
        yield f"written: {document['bml']}"
    compared = document["compiled"]
    if compared is not None:
        yield (
            f"compiled: both products with {compared['buckets']} buckets a round differ from the "
            f"interpreter's by at most {compared['largest_difference']:.1e} of the largest entry "
            f"({compared['compiled_seconds']:.3g} s, interpreter "
            f"{compared['interpreter_seconds']:.3g} s)"
        )


def _cap_readings(tree: BettingTree) -> list[dict[str, Any]]:
    """A cap on bets may or may not include all-ins; the sizes of both, and the growth without a
    cap."""
    model = tree.model
    if model.raise_cap is None or not model.all_in or model.second or model.added:
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
