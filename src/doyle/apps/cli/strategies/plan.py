"""`doyle plan`: memory, disk and time of a build or a spot, estimated before it runs."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from doyle.apps.cli.common import AsJson, output, progress_bar, say
from doyle.apps.cli.strategies.build import Scale, described
from doyle.apps.cli.strategies.spot import read_percent, spot_of_options
from doyle.base.display import Text, duration, gibibytes
from doyle.base.errors import DoyleError
from doyle.building import plan_build
from doyle.building.planning import Capacity, Plan, plan_spot, speeds_of_this_machine
from doyle.solving.spots import Spot, load_spot


def register(app: typer.Typer) -> None:
    app.command()(plan)


def plan(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="PRESET|AGENT.toml|SPOT",
            help="A preset, a .toml description or the folder of a saved spot; without it, a spot "
            "by --board, --ranges, --pot and --stacks.",
        ),
    ] = None,
    scale: Scale = "full",
    minutes: Annotated[float | None, typer.Option(min=0.01, help="Minutes of solving.")] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, help="Iterations of solving instead.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="P%", help="Exploitability of a spot in percent of the pot."),
    ] = None,
    hands: Annotated[
        int, typer.Option(min=0, help="Deals of each match of the report card; 0 skips measuring.")
    ] = 10_000,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=65_536, help="Workers of all machines (default: all cores)."),
    ] = None,
    machines: Annotated[
        int, typer.Option(min=1, max=4096, help="Machines like this one, joined by Ray.")
    ] = 1,
    merge: Annotated[
        int,
        typer.Option(min=0, help="Iterations of a shard between two merges on several machines."),
    ] = 0,
    memory: Annotated[
        float | None,
        typer.Option(metavar="GB", help="Memory of each machine (default: that of this one)."),
    ] = None,
    board: Annotated[
        str | None, typer.Option(metavar="CARDS", help="The board of a spot, such as Ks7h4d2c.")
    ] = None,
    ranges: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="RANGE RANGE", help="The ranges of both seats; @FILE reads one."),
    ] = None,
    pot: Annotated[int | None, typer.Option(metavar="CHIPS", help="Chips in the pot.")] = None,
    stacks: Annotated[
        str | None, typer.Option(metavar="CHIPS[,CHIPS]", help="Chips behind.")
    ] = None,
    betting: Annotated[str, typer.Option(metavar="MODEL", help="Betting model.")] = "fchpa",
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Measure the speeds of this machine again.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Predict memory, disk and time of each stage of a build or a spot; nothing is built.

    Times are those of an idle machine, from speeds that are measured once and kept.
    """
    if minutes is not None and not math.isfinite(60.0 * minutes):
        raise DoyleError(f"--minutes {minutes}: expected a finite number from 0.01")
    if minutes is not None and iterations is not None:
        raise DoyleError("--minutes, --iterations: give one of the two")
    spot = _spot(name, board, ranges, pot, stacks, betting)
    if spot is None and target is not None:
        raise DoyleError("--target: for spots; builds are bounded by --minutes or --iterations")
    if memory is not None and not 0 < memory < 1e9:
        raise DoyleError(f"--memory {memory:g}: expected a number of GB above 0")
    capacity = Capacity.here(workers=workers, machines=machines)
    if memory is not None:
        capacity = Capacity(
            int(memory * 1e9), capacity.disk_bytes, capacity.workers, capacity.machines
        )
    description = None if spot is not None else described(name or "default", scale)
    target_percent = read_percent(target)  # before anything is measured
    with progress_bar() as progress:
        speeds = speeds_of_this_machine(again=calibrate, progress=progress)
    seconds = None if minutes is None else 60.0 * minutes
    if spot is not None:
        found = plan_spot(
            spot,
            speeds,
            capacity,
            target_percent=target_percent,
            seconds=seconds,
            iterations=iterations,
        )
    else:
        assert description is not None
        found = plan_build(
            description,
            speeds,
            capacity,
            seconds=seconds,
            iterations=iterations,
            hands=hands,
            merge=merge,
        )
    output(found.document(), as_json=as_json, text=lambda: _print(found))


def _spot(
    name: str | None,
    board: str | None,
    ranges: tuple[str, str] | None,
    pot: int | None,
    stacks: str | None,
    betting: str,
) -> Spot | None:
    given = {"--board": board, "--ranges": ranges, "--pot": pot, "--stacks": stacks}
    asked = next((option for option, value in given.items() if value is not None), None)
    if name is not None and asked is not None:
        raise DoyleError(f"plan: {asked} describes a spot, and {name!r} is named already")
    if name is not None and Path(name).is_dir():
        return load_spot(Path(name)).spot
    if name is not None or asked is None:
        return None
    return spot_of_options(board, ranges, pot, stacks, betting, 1, isomorphism=True)


def _print(plan: Plan) -> Text:
    yield f"{'stage':<18} {'memory':>10} {'disk':>10} {'time':>14}"
    for stage in plan.stages:
        time = "in the cache" if stage.done else duration(stage.seconds)
        sizes = (gibibytes(stage.memory_bytes), gibibytes(stage.disk_bytes))
        yield f"{stage.name:<18} {sizes[0]:>10} {sizes[1]:>10} {time:>14}  {stage.note}"
    whole = (gibibytes(plan.memory_bytes), gibibytes(plan.disk_bytes), duration(plan.seconds))
    least = "" if plan.exact else " (at least)"
    yield f"{'in all' + least:<18} {whole[0]:>10} {whole[1]:>10} {whole[2]:>14}"
    there = plan.capacity
    yield (
        f"{plan.name} {'fits' if plan.fits else 'does not fit'}: each machine has "
        f"{gibibytes(there.memory_bytes)} of memory, and {gibibytes(there.disk_bytes)} of disk are free"
    )
    if not plan.fits and plan.shrink:
        say(plan.shrink[0])
