"""How well an imitator plays like its expert: on hands that it has never seen, and against it.

Agreement is the mean probability that the imitator gives to what the expert did. An expert who mixes
does not agree with itself for certain either, so its own agreement stands beside: the most that a
perfect copy would reach.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from doyle.agents.named_strategy import named_strategy
from doyle.cases import Architecture, CaseBase, Query, Retriever
from doyle.cases.features.hands import HandFeatures
from doyle.cases.learning.decisions import Decisions
from doyle.cases.learning.reading import Block, LogReader
from doyle.cases.reuse import decide
from doyle.games import Game
from doyle.games.policies import policy_row
from doyle.histories.files import read_blocks
from doyle.matches.statistics import NORMAL_95
from doyle.papers.registry import Options
from doyle.papers.result import Result, Section
from doyle.papers.sartre.competitions import SOURCE
from doyle.papers.sartre.merging import ROUNDS
from doyle.papers.sartre.setting import EXPERT, GAME, Setting
from doyle.training import Lesson

HELD_OUT_SEED = 777
Floats = npt.NDArray[np.float64]


def imitation(options: Options) -> Result:
    """Agreement by round on held-out hands, frequencies, and head-to-head results."""
    setting = Setting(options, 10_000, 72_000, 20_000, 9_000)
    base = setting.base(Architecture(domain="limit"))
    held_out = Lesson(GAME, (EXPERT,), deals=max(500, setting.training_deals // 10),
                      seed=HELD_OUT_SEED + options.seed)  # fmt: skip
    decisions = Decisions.joined(_decisions(held_out, base))
    agreement, frequencies = [], []
    for policy in ("probabilistic", "max-frequency"):
        shares = answers(base.with_points(reuse=policy), decisions)
        given = shares[np.arange(len(decisions)), decisions.letter]
        for number, name in enumerate(ROUNDS):
            here = decisions.round == number
            agreement.append((policy, name, int(here.sum()), _interval(given[here])))
            if policy == "probabilistic":
                for place, action in enumerate(("fold", "call", "raise")):
                    difference = shares[here, place] - (decisions.letter[here] == place)
                    frequencies.append(
                        (
                            name,
                            action,
                            float((decisions.letter[here] == place).mean()),
                            float(shares[here, place].mean()),
                            _interval(difference),
                        )
                    )
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
                "Probability that the imitator gives to what the expert did",
                ("policy", "round", "decisions", "agreement"),
                tuple(agreement),
            ),
            Section(
                "Frequencies at the expert's decisions (probabilistic)",
                ("round", "action", "expert", "imitator", "difference"),
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
            f"another seed, {len(decisions):,} decisions. {setting.deals:,} duplicate deals a match.",
            "Intervals are 95%; decisions of one hand are taken to be independent.",
        ),
    )


def answers(base: CaseBase, decisions: Decisions) -> Floats:
    """What the base would play at each decision: [decisions, letters]."""
    retriever = Retriever(base)
    columns = (decisions.round, decisions.sequence, decisions.hand, decisions.texture)
    keys, place = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    rows = np.empty((len(keys), len(base.architecture.letters)))
    for number, (round_, sequence, hand, texture) in enumerate(keys.tolist()):
        found = retriever.retrieve(Query(round_, decisions.sequences[sequence], hand, texture))
        rows[number] = decide(found.counts, found.outcomes, base.architecture.reuse)
    return rows[place.reshape(-1)]


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


def _decisions(lesson: Lesson, base: CaseBase) -> Iterator[Decisions]:
    architecture = base.architecture
    features = HandFeatures(architecture)
    for one in lesson.logs():
        reader = LogReader(Game.named(GAME), architecture, features, players=list(one.experts))
        for path in one.log.paths:
            for block in read_blocks(path):
                yield reader.read(Block(path, block.line, block.text)).decisions


def _interval(values: npt.NDArray[np.floating]) -> str:
    width = NORMAL_95 * float(values.std(ddof=1)) / len(values) ** 0.5
    return f"{float(values.mean()):.4f} ± {width:.4f}"
