"""Case bases trained on lessons: built once from the logs of their experts, then read.

A trained base is kept in the cache folder under a digest of the logs, of whom was watched and of what a
base of its architecture holds; points that only say how a base is asked do not count.
"""

from __future__ import annotations

from pathlib import Path

from doyle.artifacts import Description, Store
from doyle.artifacts.locks import locked
from doyle.cases import Architecture, CaseBase
from doyle.cases.learning.construction import build_to_folder
from doyle.experiments.training.experts import Lesson, WatchedLog
from doyle.games import Game
from doyle.paths import cache_folder
from doyle.workers import Progress, Workers

VERSION = 1


def trained_base(
    lesson: Lesson,
    architecture: Architecture,
    *,
    store: Store | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> CaseBase:
    """What the experts of a lesson did, as a case base; their logs are played if they are missing."""
    watched = lesson.logs(store=store, workers=workers, progress=progress)
    parameters = {
        "logs": [(one.log.artifact.folder.name, list(one.experts)) for one in watched],
        "representation": architecture.representation(),
    }
    digest = Description("trained-base", VERSION, parameters).digest
    folder = cache_folder() / "case_bases" / "trained" / digest
    base = base_in(folder, watched, architecture, workers=workers, progress=progress)
    return base.with_points(**architecture.document())


def base_in(
    folder: Path,
    watched: list[WatchedLog],
    architecture: Architecture,
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> CaseBase:
    """The base in `folder`, built from the experts' decisions in some logs if it is not there."""
    with locked(folder.parent / "locks" / folder.name):
        if folder.is_dir():
            return CaseBase.load(folder)
        return build_to_folder(
            [path for one in watched for path in one.log.paths],
            architecture,
            folder,
            game=Game.named(watched[0].log.game),
            players=sorted({name for one in watched for name in one.experts}),
            workers=workers,
            progress=progress,
        )
