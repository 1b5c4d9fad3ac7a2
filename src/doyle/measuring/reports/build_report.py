"""The last two stages of a build: opponents that are not built yet, and the report card on its page."""

from __future__ import annotations

import logging
from contextlib import nullcontext
from pathlib import Path

from doyle.base.display import duration
from doyle.base.workers import Progress, Workers
from doyle.base.workers.local import available_cores
from doyle.building import BuildResult, is_built, load_or_build_strategy, named_build
from doyle.measuring.reports.build_section import BuildSection, Hints
from doyle.measuring.reports.report_card import (
    PRESETS,
    Budget,
    ReportCard,
    preflop_grids,
    report_card,
)
from doyle.measuring.reports.report_card_page import write_report_card

logger = logging.getLogger(__name__)


def report_build(
    result: BuildResult,
    text: str,
    page: Path,
    *,
    name: str,
    hands: int,
    hints: Hints | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> ReportCard:
    """Measure a build by matches of `deals` deals, and write its page; 0 skips measuring.

    `text` is the agent that is measured, `name` that of its card. Opponents of the default agent are
    built first.
    """
    game = result.description.rules
    if hands and result.description.name.partition("@")[0] in ("default", "default-small"):
        with result.stage("opponents"):
            for preset in PRESETS:
                _build(f"{preset}@{game.name}", progress)
    with result.stage("report card") if hands else nullcontext():
        budget = Budget.of(hands)
        card = report_card(text, game, name=name, budget=budget, workers=workers, progress=progress)
    tree = result.strategy().tree
    known = hints or Hints()
    section = BuildSection(result.info, tree.game, str(tree.model), known, result.stages)
    write_report_card(page, card, preflop_grids(text), build=section)
    return card


def _build(text: str, progress: Progress | None) -> None:
    description = named_build(text)
    if description is None or is_built(description):
        return
    logger.info(f"building {text} first: {duration(description.seconds.value)} of solving")
    load_or_build_strategy(text, workers=Workers(available_cores()), progress=progress)
