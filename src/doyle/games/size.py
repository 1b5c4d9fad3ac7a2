"""How large a game is: exact counts of game states and information sets.

A *game state* is a betting sequence at which a seat must act together with all cards dealt so far;
an *information set* is the same with only the cards that the acting seat sees. Cards are those
of the deck as they are (no suit is renamed), hole cards and the cards of one round are sets, rounds
keep their order. These are the definitions of Johanson, "Measuring the Size of Large No-Limit Poker
Games" (2013). Finished hands are not game states; they are counted beside them. His figures have no
limit to the actions of a round, so no-limit games are also counted without it. The canonical information sets count hands that differ by renaming suits once.

The betting sequences are counted by dynamic programming (`doyle.games.sequences`), the deals by
binomials, and everything in Python integers: all digits are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from doyle.base.errors import DoyleError
from doyle.base.workers import Progress
from doyle.cards.suits.relabelling import orbit_counts
from doyle.games.game import Game
from doyle.games.sequences import (
    RoundCounts,
    count_by_partitions,
    count_sequences,
    has_two_equal_stacks,
)


@dataclass(frozen=True)
class GameSize:
    """Exact counts for one game; `rounds` has the betting sequences they are made of."""

    rounds: tuple[RoundCounts, ...]
    game_states: int
    finished_states: int
    information_sets: int
    canonical_information_sets: int
    information_set_actions: int


def measure(game: Game, progress: Progress | None = None) -> GameSize:
    """Count a game under its rules.

    >>> size = measure(Game.named("kuhn"))
    >>> size.game_states, size.finished_states, size.information_sets
    (24, 30, 12)
    """
    return _with_deals(game, count_sequences(game, progress))


def measure_without_action_limit(game: Game, progress: Progress | None = None) -> GameSize | None:
    """Count a game whose rounds may have any number of actions, if partitions can count it.

    >>> size = measure_without_action_limit(Game.named("leduc-nl12"))
    >>> size == measure(Game.named("leduc-nl12"))
    True
    """
    if not has_two_equal_stacks(game):
        return None
    endless = 2 * max(game.stacks) + 2
    try:
        return _with_deals(game, count_by_partitions(game, progress, actions_per_round=endless))
    except DoyleError:
        return None  # too many raises fit into the stacks


def _with_deals(game: Game, rounds: tuple[RoundCounts, ...]) -> GameSize:
    states = finished = sets = canonical = actions = 0
    for round_, counts in enumerate(rounds):
        seen = seen_deals(game, round_)
        states += counts.decisions * full_deals(game, round_)
        finished += counts.folds * full_deals(game, round_)
        # Hands that go to the showdown see the whole board, also from an all-in before the end.
        finished += counts.showdowns * full_deals(game, game.rounds - 1)
        sets += counts.decisions * seen
        canonical += counts.decisions * canonical_deals(game, round_)
        actions += counts.actions * seen
    return GameSize(
        rounds=rounds,
        game_states=states,
        finished_states=finished,
        information_sets=sets,
        canonical_information_sets=canonical,
        information_set_actions=actions,
    )


def full_deals(game: Game, round_: int) -> int:
    """Ways to deal all hole cards and the board as far as `round_`."""
    return _ways(game, [game.hole_cards] * game.players + list(game.board_cards[: round_ + 1]))


def seen_deals(game: Game, round_: int) -> int:
    """Ways to deal one seat's hole cards and the board as far as `round_`."""
    return _ways(game, [game.hole_cards, *game.board_cards[: round_ + 1]])


def _ways(game: Game, groups: list[int]) -> int:
    left = len(game.deck)
    ways = 1
    for size in groups:
        ways *= comb(left, size)
        left -= size
    return ways


def canonical_deals(game: Game, round_: int) -> int:
    """One seat's hole cards and the board up to renaming of suits, by Burnside's lemma.

    >>> [canonical_deals(Game.named("holdem-nl-200bb"), round_) for round_ in range(4)]
    [169, 1286792, 55190538, 2428287420]
    """
    groups = [game.hole_cards, *game.board_cards[: round_ + 1]]
    return orbit_counts(game.ranks, game.suits, groups)[-1]
