"""Case bases trained on lessons: built once from the logs of their experts, then read.

A trained base is kept in the cache folder under a digest of the logs, of whom was watched and of what a
base of its architecture holds; points that only say how a base is asked do not count.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from doyle.artifacts import Description, Store
from doyle.artifacts.locks import locked
from doyle.cases import Architecture, CaseBase, build_case_base
from doyle.games import Game
from doyle.paths import cache_folder
from doyle.training.experts import Lesson
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
    folder = _folder() / digest
    with locked(_folder() / "locks" / digest):
        if not folder.is_dir():
            base = CaseBase.empty(architecture, Game.named(lesson.game))
            training: dict[str, object] = {}
            for one in watched:
                part = build_case_base(
                    list(one.log.paths), architecture, game=Game.named(lesson.game),
                    players=list(one.experts), workers=workers, progress=progress,
                )  # fmt: skip
                base = base.merged(part)
            training = {"players": list(lesson.experts), "lesson": asdict(lesson)}
            CaseBase(base.architecture, base.game, base.rounds, training).save(folder)
    return CaseBase.load(folder).with_points(**architecture.document())


def _folder() -> Path:
    return cache_folder() / "case_bases" / "trained"
