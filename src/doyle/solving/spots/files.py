"""Spot files: a folder with the average strategy of both seats and everything needed to walk it.

A file cannot be solved further: the spot is rebuilt from the manifest, whose fields and array sizes
are checked because a manifest is editable text.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from doyle.base.artifacts import Artifact, Builder, Checkpoints, Description
from doyle.base.errors import DoyleError
from doyle.solving.run import Run
from doyle.solving.spots.locks import Lock
from doyle.solving.spots.result import SpotResult
from doyle.solving.spots.solve import prepare
from doyle.solving.spots.spot import Spot
from doyle.solving.vector import ValueBounds

VERSION = 4
"""Since 4 `dcfr` is the published one, and the usual solver of spots is `dcfr-delayed`."""
KIND = "spot"


def save_spot(result: SpotResult, folder: Path) -> Path:
    """Write a result as the newest snapshot under `folder`; returns the snapshot's folder."""
    solver = result.solver

    def build(builder: Builder) -> None:
        for seat, table in enumerate(solver.averages):
            builder.put(f"average{seat}", table)
        builder.metadata.update(
            {
                "spot": result.spot.document(),
                "locks": [lock.document() for lock in result.locks],
                "solver": result.method,
                "precision": result.precision,
                "iterations": solver.iteration,
                "seconds": result.run.seconds,
                "expected": result.measurement.expected,
                "best_responses": list(result.measurement.best_responses),
                "history": [point.document() for point in result.history],
            }
        )

    description = Description(KIND, VERSION, {"step": solver.iteration})
    return Checkpoints(folder).save(solver.iteration, description, build).folder


def load_spot(folder: Path) -> SpotResult:
    """The result in `folder`: a snapshot itself, or the newest of the snapshots under it."""
    if (folder / "manifest.json").is_file():
        artifact: Artifact | None = Artifact(folder)
        assert artifact is not None
        artifact.check_once()
    else:
        artifact = Checkpoints(folder).latest() if folder.is_dir() else None
    if artifact is None:
        raise DoyleError(f"{folder}: no solved spot here (no manifest.json, no finished snapshot)")
    path = artifact.folder / "manifest.json"
    if artifact.manifest["kind"] != KIND:
        raise DoyleError(f"{path}: field 'kind' is {artifact.manifest['kind']!r}, not {KIND!r}")
    if artifact.manifest["maker_version"] != VERSION:
        raise DoyleError(f"{path}: written by another version of doyle; solve the spot again")
    spot = _spot(artifact, path)
    locks = [Lock.of_document(one, f"{path}: field 'metadata.locks'") for one in _locks(artifact)]
    method, precision = str(artifact.detail("solver")), str(artifact.detail("precision"))
    solver, checked = prepare(spot, locks=locks, method=method, precision=precision)
    for seat, table in enumerate(solver.averages):
        saved = artifact.array(f"average{seat}")
        if saved.shape != table.shape or saved.dtype != table.dtype:
            raise DoyleError(
                f"{path}: array 'average{seat}' does not fit the spot in field 'metadata.spot'"
            )
        if not np.isfinite(saved).all():
            raise DoyleError(f"{path}: array 'average{seat}' holds numbers that are not finite")
        table[...] = saved
    numbers = _numbers(artifact)
    run = Run(solver)
    solver.iteration, run.seconds = int(numbers["iterations"]), numbers["seconds"]
    measurement = ValueBounds(numbers["expected"], (numbers["first"], numbers["second"]))
    return SpotResult(spot, checked, run, measurement, method, precision)


def _spot(artifact: Artifact, path: Path) -> Spot:
    try:
        return Spot.of_document(artifact.detail("spot"))
    except (KeyError, TypeError, ValueError, IndexError, OverflowError):
        raise artifact.damaged("metadata.spot") from None
    except DoyleError as error:
        raise DoyleError(f"{path}: field 'metadata.spot': {error}") from None


def _locks(artifact: Artifact) -> list[Any]:
    locks = artifact.detail("locks")
    if not isinstance(locks, list):
        raise artifact.damaged("metadata.locks")
    return locks


def _numbers(artifact: Artifact) -> dict[str, float]:
    names = ("iterations", "seconds", "expected")
    found = {name: artifact.detail(name) for name in names}
    responses = artifact.detail("best_responses")
    try:
        found["first"], found["second"] = responses
        numbers = {name: float(value) for name, value in found.items()}
    except (TypeError, ValueError, OverflowError):
        raise artifact.damaged("metadata.best_responses") from None
    for name, number in numbers.items():
        if not math.isfinite(number):
            raise artifact.damaged(f"metadata.{name}")
    return numbers
