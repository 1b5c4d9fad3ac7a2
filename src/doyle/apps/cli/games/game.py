"""`doyle game`: the games that can be played, their rules and their size."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doyle.apps.cli.common import AsJson, output, progress_bar
from doyle.base.display import Text
from doyle.games import UNLIMITED_STACK, Game, bundled_names

if TYPE_CHECKING:
    from doyle.games.sequences import GameSize

game_app = typer.Typer(help="List the games, show their rules and size.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(game_app, name="game")


@game_app.command("list")
def game_list(as_json: AsJson = False) -> None:
    """List the games that come with doyle."""
    games = [Game.named(name) for name in bundled_names()]

    def text() -> Text:
        width = max(len(game.name) for game in games)
        for game in games:
            yield f"{game.name:<{width}}  {_summary(game)}"

    output({"games": [_rules(game) for game in games]}, as_json=as_json, text=text)


@game_app.command("show")
def game_show(
    name: Annotated[str, typer.Argument(metavar="GAME", help="A bundled name or a file.")],
    size: Annotated[
        bool, typer.Option("--size", help="Count states and information sets.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show a game as an ACPC definition; with --size, exact counts of all its digits."""
    game = Game.named(name)
    document = _rules(game)
    measured: GameSize | None = None
    unlimited: GameSize | None = None
    if size:
        from doyle.games.sequences import measure, measure_without_action_limit

        with progress_bar() as progress:
            measured = measure(game, progress)
            unlimited = measure_without_action_limit(game, progress)
        document["size"] = _size(measured)
        if unlimited is not None:
            document["size"]["without_action_limit"] = _size(unlimited)

    def text() -> Text:
        yield game.to_text().rstrip("\n")
        if measured is not None:
            yield from _print_size(measured)
        if measured is not None and unlimited is not None:
            yield "\nwithout the limit of 64 actions a round, as papers count:"
            yield f"{'game states':<18}{_power(unlimited.game_states):>12}"
            yield f"{'information sets':<18}{_power(unlimited.information_sets):>12}"

    output(document, as_json=as_json, text=text)


def _summary(game: Game) -> str:
    chips = max(game.stacks)
    stacks = "" if chips == UNLIMITED_STACK else f", {chips} chips"
    posted = sorted(blind for blind in game.blinds if blind)
    if len(posted) == game.players and posted[0] == posted[-1]:
        blinds = f"antes {posted[0]}"
    else:
        blinds = f"blinds {'/'.join(map(str, posted))}"
    rounds = "1 round" if game.rounds == 1 else f"{game.rounds} rounds"
    betting = "limit" if game.is_limit else "no-limit"
    return f"{game.players} players, {betting}, {rounds}, {blinds}{stacks}"


def _rules(game: Game) -> dict[str, Any]:
    rules = asdict(game)
    # `players` and `rounds` are lists everywhere else.
    counts = {f"{name}_count": rules.pop(f"{name}s") for name in ("player", "round")}
    return {"name": rules.pop("name"), **counts, **rules, "definition": game.to_text()}


def _size(size: GameSize) -> dict[str, Any]:
    return {
        "game_states": size.game_states,
        "finished_states": size.finished_states,
        "information_sets": size.information_sets,
        "canonical_information_sets": size.canonical_information_sets,
        "information_set_actions": size.information_set_actions,
        "rounds": [
            {
                "decision_count": counts.decisions,
                "action_count": counts.actions,
                "fold_count": counts.folds,
                "showdown_count": counts.showdowns,
            }
            for counts in size.rounds
        ],
    }


def _print_size(size: GameSize) -> Text:
    rows = (
        ("game states", size.game_states, "betting x all cards dealt, a seat to act"),
        ("finished states", size.finished_states, "betting x all cards dealt, hand over"),
        ("information sets", size.information_sets, "betting x the cards the actor sees"),
        ("  canonical", size.canonical_information_sets, "the same, suits renamed"),
        ("actions", size.information_set_actions, "over all information sets"),
    )
    yield ""
    for label, count, meaning in rows:
        yield f"{label:<18}{_power(count):>12}  {meaning}"
        yield f"{'':<18}{count}"


def _power(count: int) -> str:
    """A count with three digits and its power of ten."""
    return f"{count:,}" if count < 10**9 else f"{Decimal(count):.2e}".replace("e+", "e")
