"""Abstract Hold'em as a public game: buckets of a perfect-recall card abstraction.

The joint probabilities of the two seats' river buckets, and who wins, are counted exactly over all
deals of the full deck: every (flop, turn card) up to suits, every river, all pairs of hands without
a common card. Earlier rounds follow by adding up over child buckets, which also makes their
showdown matrices exact all-in equities. Counting goes by groups of flops; finished groups survive
an interruption. Fewer than all groups give a smaller game with the same buckets, quickly: the deals
whose flop is in these groups.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from doyle.abstractions.betting import BettingTree
from doyle.abstractions.cards import CardAbstraction
from doyle.abstractions.cards.registry import describe
from doyle.base.artifacts import Artifact, Builder, Checkpoints, Description, Store
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers, map_threads
from doyle.base.workers.local import available_cores
from doyle.cards import HOLES, rank_tables
from doyle.cards._strength_kernels import board_scratch
from doyle.cards.suits.boards import boards, flop_turns
from doyle.games import Game
from doyle.solving.games import BlockMatrix, MatrixGame, PrivateStates, _pair_kernels
from doyle.solving.games.small_games import bucket_game

VERSION = 1
GROUPS = 65
"""Groups of 27 flops each: what is lost at most when a count is interrupted."""
SINGLE_PRECISION_BUCKETS = 512
"""From this many river buckets on, matrices are kept in single precision, for speed."""

Counts = npt.NDArray[np.int64]


def abstract_holdem(
    betting: BettingTree,
    abstraction: CardAbstraction,
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> MatrixGame:
    """The abstract game of a betting tree and a card abstraction of perfect recall."""
    name = f"{betting.game.name} {betting.model} {abstraction.spec}"
    states = bucket_states(abstraction, workers=workers, progress=progress)
    return bucket_game(name, betting, states)


def imperfect_recall_reason(abstraction: CardAbstraction) -> str | None:
    """Why nothing is exploited in the abstract game; None with perfect recall."""
    forgetting = _first_forgetting(abstraction)
    if forgetting is None:
        return None
    return (
        f"{abstraction.spec} has imperfect recall (in round {forgetting + 1}), so that a best response in "
        "the abstract game is not well defined; a best response over all cards is"
    )


def _first_forgetting(abstraction: CardAbstraction) -> int | None:
    """The first round (0 is the first of a hand) whose buckets forget the round before, if any."""
    return next((round for round in (1, 2, 3) if abstraction.parents(round) is None), None)


def check_full_deck(game: Game) -> None:
    """Refuse a game whose hands card abstractions do not know."""
    if not game.is_holdem:
        raise DoyleError(f"{game.name}: card abstractions are for Texas Hold'em with the full deck")


def check_cards(game: Game, cards: str) -> None:
    """Refuse a game or the name of an abstraction before anything that takes long."""
    check_full_deck(game)
    describe(cards)


def bucket_states(
    abstraction: CardAbstraction,
    *,
    groups: int = GROUPS,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> tuple[PrivateStates, ...]:
    """Parents and matrices of every round, counted once and kept; over the first `groups` of flops."""
    forgetting = _first_forgetting(abstraction)
    if forgetting is not None:
        raise DoyleError(
            f"cards {abstraction.spec}: imperfect recall (in round {forgetting + 1}); these "
            "solvers need perfect recall, use pcs, external or pure"
        )
    artifact = count_bucket_pairs(abstraction, groups=groups, workers=workers, progress=progress)
    pairs, wins = np.asarray(artifact.array("pairs")), np.asarray(artifact.array("wins"))
    total = float(pairs.sum())
    kind = np.float32 if len(pairs) >= SINGLE_PRECISION_BUCKETS else np.float64
    weight, sign = pairs / total, (wins - wins.T) / total
    found: list[PrivateStates] = []
    for round in (3, 2, 1, 0):
        above = abstraction.parents(round) if round else np.zeros(len(weight), np.int64)
        up = np.asarray(above, np.int64)
        found.append(
            PrivateStates((up, up), *(BlockMatrix.of([m.astype(kind)]) for m in (weight, sign)))
        )
        if round:
            count = abstraction.bucket_count(round - 1)
            weight, sign = _summed(weight, up, count), _summed(sign, up, count)
    return tuple(reversed(found))


def _summed(matrix: npt.NDArray[Any], parents: npt.NDArray[np.int64], count: int) -> Any:
    """The matrix added up over rows and columns with the same parents."""
    size = len(parents)
    gather = csr_matrix((np.ones(size), (parents, np.arange(size))), shape=(count, size))
    return np.asarray((gather @ (gather @ matrix).T).T)


def pairs_description(abstraction: CardAbstraction, groups: int = GROUPS) -> Description:
    """What the counts of an abstraction are kept as."""
    parameters: dict[str, Any] = {
        "cards": abstraction.spec,
        "buckets": abstraction.bucket_count(3),
    }
    if groups < GROUPS:
        parameters["groups"] = groups
    return Description("bucket-pairs", VERSION, parameters)


def count_bucket_pairs(
    abstraction: CardAbstraction,
    *,
    groups: int = GROUPS,
    store: Store | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> Artifact:
    """Arrays `pairs` and `wins`, int64[river buckets, river buckets], over all deals.

    Or over those of the first `groups` groups of flops.
    """
    if not 1 <= groups <= GROUPS:
        raise ValueError(f"{groups} groups of flops: expected 1 to {GROUPS}")
    description = pairs_description(abstraction, groups)
    chosen = workers or Workers(available_cores())

    def work(builder: Builder) -> None:
        _count(builder, abstraction, groups, chosen, progress)

    return (store or Store()).get(description, work)


def _count(
    builder: Builder,
    abstraction: CardAbstraction,
    groups: int,
    workers: Workers,
    progress: Progress | None,
) -> None:
    """Count group by group; the sum over the groups that are done is kept as a snapshot."""
    size = abstraction.bucket_count(3)
    total = np.zeros((2, size, size), np.int64)
    kept = Checkpoints(builder.folder / "counted")
    found, done = kept.latest(), 0
    if found is not None:
        found.read_into("total", total)
        done = min(found.whole_number("groups"), groups)

    def keep(snapshot: Builder) -> None:
        snapshot.put("total", total)
        snapshot.metadata["groups"] = done

    for group in range(done, groups):
        total += count_group(abstraction, group, workers)
        done = group + 1
        kept.save(done, Description("counted-groups", VERSION), keep)
        if progress is not None:
            progress("pairs of buckets", done, groups)
    builder.put("pairs", total[0])
    builder.put("wins", total[1])


def count_group(abstraction: CardAbstraction, group: int, workers: Workers) -> Counts:
    """Counts [2, B, B] of pairs and wins over the flops whose number is `group` modulo GROUPS."""
    numbered = flop_turns()
    rows = np.flatnonzero(numbered.flop_row % GROUPS == group)
    flops = boards(3).boards[numbered.flop_row[rows]]
    turns = np.column_stack([flops, numbered.turn_card[rows]]).astype(np.int64)
    weights = numbered.weights[rows].astype(np.int64)
    size = abstraction.bucket_count(3)

    def share(part: npt.NDArray[np.int64]) -> Counts:
        counts = np.zeros((2, size, size), np.int64)
        _pair_kernels.count_pairs(
            rank_tables(7),
            abstraction.lookup,
            turns[part],
            weights[part],
            HOLES,
            board_scratch(),
            _pair_kernels.pair_scratch(size),
            counts[0],
            counts[1],
        )
        return counts

    parts = np.array_split(np.arange(len(rows)), workers.count)
    result = np.zeros((2, size, size), np.int64)
    for counts in map_threads(share, parts, workers=workers):
        result += counts
    return result
