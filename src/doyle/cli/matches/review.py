"""`doyle review`: what each decision of a player loses against an agent's strategy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from doyle.cli.common import AsJson, Seed, WorkersText, output, progress_bar, say, say_written
from doyle.cli.measurements.lbr import game_of_agent
from doyle.cli.missing import BuildMissing
from doyle.cli.paths import check_file
from doyle.errors import DoyleError, FieldError
from doyle.reviewing import Review, ReviewOptions, SpotLimits, read_hand_file, review_hands
from doyle.reviewing.records import Group
from doyle.workers import parse_workers

SPOTS = ("none", "river", "late")


def register(app: typer.Typer) -> None:
    app.command()(review)


def review(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A .phh or .phhs file, an ACPC log (.log), or a folder of them."
        ),
    ],
    agent: Annotated[
        str, typer.Option("--agent", metavar="AGENT", help="The agent that judges.")
    ] = "default",
    player: Annotated[
        str | None,
        typer.Option(
            "--player", metavar="NAME", help="Whose decisions (default: who plays every hand)."
        ),
    ] = None,
    game_name: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="The game (default: the agent's)."),
    ] = None,
    hands: Annotated[
        int | None, typer.Option("--hands", min=1, help="Only so many hands from the first.")
    ] = None,
    boards: Annotated[
        int,
        typer.Option(
            "--boards", min=8, max=100_000, help="Boards drawn for a decision before the turn."
        ),
    ] = 128,
    spots: Annotated[
        str,
        typer.Option(
            "--spots",
            metavar="none|river|late",
            help="Which decisions the spot solver checks in no-limit Hold'em: none, those of the "
            "river, or of turn and river.",
        ),
    ] = "late",
    spot_betting: Annotated[
        str | None,
        typer.Option(
            "--spot-betting",
            metavar="MODEL",
            help="Bets of the spot solver (default: fcpa on the turn, fchpa on the river).",
        ),
    ] = None,
    spot_iterations: Annotated[
        int, typer.Option("--spot-iterations", min=1, help="Most iterations of one solve.")
    ] = 200,
    spot_target: Annotated[
        float,
        typer.Option(
            "--spot-target", min=0.001, help="Exploitability to solve to, in % of the pot."
        ),
    ] = 0.5,
    html: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE.html", help="Write a page of the review."),
    ] = None,
    seed: Seed = 0,
    build: BuildMissing = False,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Review a player's hands: the agent's probabilities and the loss of each decision in mbb.

    The loss is what the agent's own choice would have won more on average, against the agent's range and
    play for the other seat.
    """
    if spots not in SPOTS:
        raise FieldError("spots", f"expected {', '.join(SPOTS)}", value=spots)
    if not source.exists():  # said before the agent is looked for, which may not be built
        raise DoyleError(f"{source}: no such file")
    check_file("--output", html)
    shared = parse_workers(workers)
    game = game_of_agent(agent, game_name, build=build)
    found = read_hand_file(source, game, most_hands=hands)
    for reason, count in found.refused.items():
        say(f"{source}: {count:,} hands left out: {reason}")
    limits = SpotLimits(
        river_betting=spot_betting or "fchpa",
        turn_betting=spot_betting or "fcpa",
        target_percent=spot_target,
        iterations=spot_iterations,
        first_round=3 if spots == "river" else 2,
    )
    options = ReviewOptions(boards=boards, seed=seed, spots=None if spots == "none" else limits)
    with progress_bar() as progress:
        result = review_hands(
            game,
            agent,
            found.hands,
            found.player(player),
            options=options,
            refused=found.refused,
            workers=shared,
            progress=progress,
        )
    if html is not None:
        from doyle.reports.review_page import write_review

        write_review(html, result)
        say_written(html)
    output(result.document(), as_json=as_json, text=lambda: _show(result))


def _show(result: Review) -> None:
    typer.echo(f"{'player':<10}{result.player} by {result.agent} in {result.game.name}")
    typer.echo(f"{'hands':<10}{len(result.reviewed):,} with {len(result.decisions):,} decisions")
    total, per_hand = result.total, result.loss_mbb_per_hand
    if per_hand is not None:
        typer.echo(f"{'loss':<10}{_loss(total)} mbb, {per_hand:.1f} mbb/h")
    typer.echo(f"{'to best':<10}{total.loss_to_best_mbb:.1f} mbb")
    for title, groups in (("street", result.by_street()), ("action", result.by_size())):
        typer.echo(f"\n{title:<28}{'decisions':>10}{'loss mbb':>20}{'spot solver':>18}")
        for group in groups:
            solver = f"{group.solver_loss_mbb:.1f}" if group.solver_decisions else ""
            typer.echo(f"{group.name:<28}{group.decisions:>10,}{_loss(group):>20}{solver:>18}")
    worst = result.worst()
    if worst:
        typer.echo("\nworst hands")
    for hand in worst:
        decision = max(hand.decisions, key=lambda one: one.loss_mbb)
        typer.echo(
            f"{hand.loss_mbb:>10.1f} mbb  hand {hand.number} {hand.hole} {hand.board or '-'}: "
            f"{decision.taken} on the {decision.street} after {decision.betting!r}; "
            f"worth most: {decision.best}"
        )


def _loss(group: Group) -> str:
    interval = f" ± {group.loss.ci95:.1f}" if group.loss.ci95 else ""
    return f"{group.loss_mbb:.1f}{interval}"
