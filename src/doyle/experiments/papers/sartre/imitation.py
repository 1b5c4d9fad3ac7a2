"""How well an imitator plays like its expert: on hands that it has never seen, and against it.

Agreement is the mean probability of the expert's actions under the imitator. An expert that mixes
does not fully agree with itself either, so its own agreement is shown beside: the most that a
perfect copy would reach.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from doyle.agents.case_bases import Architecture
from doyle.agents.case_bases.imitation import held_out_agreement
from doyle.agents.named_strategy import named_strategy
from doyle.base.statistics import Estimate
from doyle.experiments.papers.cell import Cell, measured
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.sartre.merging import ROUNDS
from doyle.experiments.papers.sartre.setting import EXPERT, GAME, Setting
from doyle.experiments.papers.table import Result
from doyle.experiments.training import Lesson
from doyle.games.policies import policy_row

HELD_OUT_SEED = 777
ACTIONS = {"f": "fold", "c": "call", "r": "raise"}
Floats = npt.NDArray[np.float64]


def imitation(options: Options) -> Result:
    """Agreement by round on held-out hands, frequencies, and head-to-head results."""
    setting = Setting(options, 10_000, 72_000, 20_000, 9_000)
    base = setting.base(Architecture(domain="limit"))
    held_out = held_out_lesson(setting)
    (watched,) = held_out.logs(workers=options.workers, progress=options.progress)
    cells: list[Cell] = []
    decisions = 0
    for policy in ("probabilistic", "max-frequency"):
        found = held_out_agreement(
            base.with_points(reuse=policy), watched.log.paths, players=watched.experts
        )
        decisions = sum(one.decisions for one in found)
        for name, one in zip(ROUNDS, found, strict=True):
            cells.append(measured(f"{policy}: {name}", "agreement", one.share))
            if policy == "probabilistic":
                for letter, action in ACTIONS.items():
                    share, copied = one.expert.get(letter, 0.0), one.imitator.get(letter, 0.0)
                    error = (share * (1 - share) / one.decisions) ** 0.5
                    apart = Estimate.of_error(copied - share, error, one.decisions)
                    cells.append(measured(f"{name}: {action}", "imitator less expert", apart))
    for name, values in zip(ROUNDS, own_agreement(held_out), strict=True):
        own = Estimate.of_strata(values)
        cells.append(measured(f"the expert itself: {name}", "agreement", own))
    expert = setting.expert(EXPERT)
    for policy in ("max-frequency", "probabilistic", "best-outcome"):
        player = setting.imitator(policy, base.with_points(reuse=policy))
        cells.append(measured(policy, "wins from its expert", setting.won(player, expert)))
    outside = [
        cell.row
        for cell in cells
        if cell.column == "imitator less expert" and abs(float(cell.ours)) > (cell.ci95 or 0.0)
    ]
    return Result(
        cells,
        notes=(
            f"Trained on {base.decisions:,} decisions of {EXPERT}; held out are other deals of "
            f"another seed, {decisions:,} decisions. {setting.deals:,} duplicate deals a match.",
            "Agreement is the probability given to what the expert did; the expert, who mixes, does not "
            "agree with itself for certain either.",
            "Frequencies outside their interval: " + (", ".join(outside) or "none") + ".",
            "Intervals are 95%; decisions of one hand are taken to be independent.",
            setting.note(EXPERT),
        ),
    )


def held_out_lesson(setting: Setting) -> Lesson:
    """Hands of the expert against itself that no base of the setting was trained on."""
    setting.build(EXPERT)
    deals = min(2_000, max(500, setting.training_deals // 10))
    return Lesson(GAME, (EXPERT,), deals=deals, seed=HELD_OUT_SEED + setting.options.seed)


def own_agreement(lesson: Lesson) -> list[Floats]:
    """By round, the probability of the expert's actions under its own mixed strategy."""
    (expert,) = lesson.experts
    strategy = named_strategy(expert)
    assert strategy is not None
    cards, tree = strategy.bucketing, strategy.tables.tree
    found: list[list[float]] = [[] for _ in ROUNDS]
    for one in lesson.logs():
        for hand in one.log.read():
            assert hand.state.deal is not None
            node = 0
            for round_, actions in enumerate(hand.state.betting):
                board = hand.state.deal.board[: tree.game.board_ends[round_]]
                buckets = cards.buckets(board) if actions else None
                for action in actions:
                    seat = int(tree.actor[node])
                    child = tree.child(node, action)
                    if buckets is not None and hand.players[seat] in one.experts:
                        place = policy_row(tree.game, hand.state.deal.hole[seat])
                        row = strategy.played.probabilities(node, buckets[[place]])[0]
                        below = tree.children_of(node).tolist()
                        found[round_].append(float(row[below.index(child)]))
                    node = child
    return [np.array(values) for values in found]
