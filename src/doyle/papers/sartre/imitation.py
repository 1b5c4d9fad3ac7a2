"""How well an imitator plays like its expert: on hands that it has never seen, and against it.

Agreement is the mean probability that the imitator gives to what the expert did. An expert who mixes
does not agree with itself for certain either, so its own agreement stands beside: the most that a
perfect copy would reach.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from doyle.agents.named_strategy import named_strategy
from doyle.cases import Architecture
from doyle.cases.imitation import held_out_agreement
from doyle.games.policies import policy_row
from doyle.matches.statistics import NORMAL_95
from doyle.papers.registry import Options
from doyle.papers.result import Result, Section
from doyle.papers.sartre.competitions import SOURCE
from doyle.papers.sartre.merging import ROUNDS
from doyle.papers.sartre.setting import EXPERT, GAME, Setting
from doyle.training import Lesson

HELD_OUT_SEED = 777
ACTIONS = {"f": "fold", "c": "call", "r": "raise"}
Floats = npt.NDArray[np.float64]


def imitation(options: Options) -> Result:
    """Agreement by round on held-out hands, frequencies, and head-to-head results."""
    setting = Setting(options, 10_000, 72_000, 20_000, 9_000)
    base = setting.base(Architecture(domain="limit"))
    held_out = held_out_lesson(setting)
    (watched,) = held_out.logs(workers=options.workers, progress=options.progress)
    agreement: list[tuple[object, ...]] = []
    frequencies: list[tuple[object, ...]] = []
    decisions = 0
    for policy in ("probabilistic", "max-frequency"):
        found = held_out_agreement(
            base.with_points(reuse=policy), watched.log.paths, players=watched.experts
        )
        decisions = sum(one.decisions for one in found)
        for name, one in zip(ROUNDS, found, strict=True):
            agreement.append((policy, name, one.decisions, f"{one.share:.4f} ± {one.ci95:.4f}"))
            if policy == "probabilistic":
                for letter, action in ACTIONS.items():
                    share = one.expert.get(letter, 0.0)
                    width = NORMAL_95 * (share * (1 - share) / one.decisions) ** 0.5
                    copied = one.imitator.get(letter, 0.0)
                    frequencies.append((name, action, f"{share:.4f} ± {width:.4f}", copied))
    own = own_agreement(held_out)
    agreement += [
        ("the expert itself", name, len(own[number]), _interval(own[number]))
        for number, name in enumerate(ROUNDS)
    ]
    expert = setting.expert(EXPERT)
    head_to_head = [
        (
            policy,
            f"{setting.match(setting.imitator(policy, base.with_points(reuse=policy)), expert):.4f}",
        )
        for policy in ("max-frequency", "probabilistic", "best-outcome")
    ]
    return Result(
        "sartre/imitation",
        "An imitator beside its expert, on hands that it was not trained on",
        f"{SOURCE}, section 5.2.6: imitators are expected to do as well as their expert",
        sections=(
            Section(
                "Probability given to what the expert did",
                ("policy", "round", "decisions", "agreement"),
                tuple(agreement),
            ),
            Section(
                "Frequencies at the expert's decisions (probabilistic)",
                ("round", "action", "expert", "imitator"),
                tuple(frequencies),
            ),
            Section(
                "What the imitator wins from its expert, small bets per hand",
                ("policy", "won"),
                tuple(head_to_head),
            ),
        ),
        notes=(
            f"Trained on {base.decisions:,} decisions of {EXPERT}; held out are other deals of "
            f"another seed, {decisions:,} decisions. {setting.deals:,} duplicate deals a match.",
            "Intervals are 95%; decisions of one hand are taken to be independent.",
        ),
    )


def held_out_lesson(setting: Setting) -> Lesson:
    """Hands of the expert against itself that no base of the setting was trained on."""
    setting.build(EXPERT)
    deals = max(500, setting.training_deals // 10)
    return Lesson(GAME, (EXPERT,), deals=deals, seed=HELD_OUT_SEED + setting.options.seed)


def own_agreement(lesson: Lesson) -> list[Floats]:
    """By round, the probability that the expert itself gives to what it did: it mixes."""
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


def _interval(values: npt.NDArray[np.floating]) -> str:
    width = NORMAL_95 * float(values.std(ddof=1)) / len(values) ** 0.5
    return f"{float(values.mean()):.4f} ± {width:.4f}"
