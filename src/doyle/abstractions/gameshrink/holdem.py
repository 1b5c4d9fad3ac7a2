"""GameShrink for Hold'em with any deck, up to the full one, and its place in the artifact store.

`shrinking` compares listed signals and stays the definition; here the same classes are found by
counting (`suits`), by hashes of multisets (`matching`) and by hashes of meetings (`lossless`).
Results depend on the deck and the boards only, so all Hold'em games of one deck share them.
"""

from __future__ import annotations

from doyle.abstractions.gameshrink.holdem_classes import (
    Below,
    BelowMatching,
    BelowSuits,
    HoldemClasses,
    HoldemSignals,
    ListedClasses,
    list_matching,
    list_suits,
)
from doyle.abstractions.gameshrink.holdem_lossless import BelowLossless, Refinement, build_lossless
from doyle.abstractions.gameshrink.holdem_lossy import BelowLossy, LossyMerging, LossyTask
from doyle.abstractions.gameshrink.isomorphism_classes import stored_kinds
from doyle.abstractions.gameshrink.shrinking import Relation, SignalClasses, chosen_relation, shrink
from doyle.abstractions.gameshrink.signals import can_list
from doyle.base.artifacts import Builder, Description, Store
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers
from doyle.cards.suits.boards import Deck
from doyle.games import Game

VERSION = 1


def deals_like_holdem(game: Game) -> bool:
    """Whether a game deals two hole cards, then three board cards, then single ones up to five."""
    return game.hole_cards == 2 and game.board_ends in ((0, 3), (0, 3, 4), (0, 3, 4, 5))


def signals_of(game: Game) -> HoldemSignals:
    """What the signals of a Hold'em game depend on."""
    if not deals_like_holdem(game):
        raise DoyleError(
            f"{game.name}: not a Hold'em game (2 hole cards; 0, 3, 1 and 1 board cards)"
        )
    return HoldemSignals(Deck(game.ranks, game.suits), game.board_ends)


def describe(signals: HoldemSignals, relation: str, threshold: float) -> Description:
    """The name in the store of one way to merge these signals."""
    parameters = {**signals.parameters, "relation": relation, "threshold": threshold}
    return Description("shrink", VERSION, parameters)


def stored_counts(signals: HoldemSignals, *, store: Store | None = None) -> dict[str, list[int]]:
    """The classes per round of the relations without a threshold that are in the store."""
    found = {}
    for relation in ("suits", "lossless", "matching"):
        artifact = (store or Store()).find(describe(signals, relation, 0.0))
        if artifact is not None:
            found[relation] = [int(count) for count in artifact.metadata["counts"]]
    return found


def shrink_game(
    game: Game,
    threshold: float = 0.0,
    *,
    relation: str | None = None,
    store: Store | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> SignalClasses | HoldemClasses:
    """Merge the signals of any game: listed one by one if they are few, else those of Hold'em.

    >>> shrink_game(Game.named("leduc"), relation="matching").counts
    (3, 7)
    """
    chosen = chosen_relation(threshold, relation)
    if can_list(game) or not deals_like_holdem(game):
        return shrink(game, threshold, relation=chosen, progress=progress)
    return shrink_holdem(
        signals_of(game), threshold, relation=chosen, store=store, workers=workers,
        progress=progress,
    )  # fmt: skip


def shrink_holdem(
    signals: HoldemSignals,
    threshold: float = 0.0,
    *,
    relation: Relation,
    store: Store | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> HoldemClasses:
    """Merge the signals of Hold'em, or read the merged ones from the store."""
    store, workers = store or Store(), workers or Workers()
    description = describe(signals, relation, threshold)
    deck, ends = signals.deck, signals.ends
    below: Below
    if relation == "suits":
        artifact = store.get(description, lambda builder: list_suits(signals).save(builder))
        below = BelowSuits(deck)
    elif relation == "lossless":

        def build(builder: Builder) -> None:
            tree = stored_kinds(deck, ends, store=store, workers=workers, progress=progress)
            build_lossless(signals, tree, builder, store=store, workers=workers, progress=progress)

        artifact = store.get(description, build)
        below = BelowLossless(signals, Refinement.load(artifact))
    else:
        tree = stored_kinds(deck, ends, store=store, workers=workers, progress=progress)
        if threshold == 0.0:
            artifact = store.get(
                description, lambda builder: list_matching(signals, tree).save(builder)
            )
            below = BelowMatching(tree)
        else:
            merging = LossyMerging(tree, threshold)
            artifact = store.get(
                description,
                lambda builder: LossyTask(signals, merging, builder, workers, progress).build(),
            )
            below = BelowLossy.load(artifact, merging)
    return HoldemClasses(signals, relation, threshold, ListedClasses.load(artifact), below)
