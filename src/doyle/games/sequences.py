"""Betting sequences of a game, counted exactly by round.

Two ways, which agree wherever both apply. The general one merges sequences after which the same
betting can follow, and plays `State` itself. It is too slow for deep no-limit stacks, where two
players with equal stacks are counted by partitions: raises within a round never get smaller (but
for a last all-in), so the ways to raise by x chips in k raises are the partitions of x into k parts
of at least the big blind, and going from one round to the next is a product of power series.

How large a game is: exact counts of game states and information sets.

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
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from itertools import accumulate
from math import comb

from doyle.base.errors import DoyleError
from doyle.base.workers import Progress
from doyle.cards.suits.relabelling import orbit_counts
from doyle.games.game import UNLIMITED_RAISES, Game
from doyle.games.state import MAX_ACTIONS_PER_ROUND, State

_MAX_STEPS = 100_000
_MAX_PARTITION_STEPS = 10_000_000


@dataclass(frozen=True)
class RoundCounts:
    """Betting sequences that reach a decision or an end in one round."""

    decisions: int
    """Sequences after which a seat must act."""
    actions: int
    """Legal actions, summed over the decisions."""
    folds: int
    """Sequences that end in this round because all but one seat folded."""
    showdowns: int
    """Sequences whose last action is in this round and which end in a showdown."""


def count_sequences(
    game: Game,
    progress: Progress | None = None,
    *,
    actions_per_round: int = MAX_ACTIONS_PER_ROUND,
) -> tuple[RoundCounts, ...]:
    """The counts of each round, by the way that suits the game.

    >>> count_sequences(Game.named("kuhn"))
    (RoundCounts(decisions=4, actions=8, folds=2, showdowns=3),)
    """
    if has_two_equal_stacks(game):
        return count_by_partitions(game, progress, actions_per_round=actions_per_round)
    return count_by_merging(game, progress)


def count_by_merging(game: Game, progress: Progress | None = None) -> tuple[RoundCounts, ...]:
    """Counts for any game, action by action, over all states that differ in what can follow."""
    totals = [[0, 0, 0, 0] for _ in range(game.rounds)]
    future = _Future(game)
    layer = {future.key(State.start(game)): (State.start(game), 1)}
    steps = 0
    while layer:
        following: dict[tuple[object, ...], tuple[State, int]] = {}
        for state, count in layer.values():
            if state.is_over:
                continue
            width = _action_count(state)
            steps += width
            if steps > _MAX_STEPS:
                raise _too_large(game)
            totals[state.round][0] += count
            totals[state.round][1] += count * width
            for action in state.legal_actions():
                after = state.apply(action)
                if after.is_over:
                    totals[state.round][3 if after.is_showdown else 2] += count
                    continue
                key = future.key(after)
                known = following.get(key)
                following[key] = (after, count if known is None else known[1] + count)
        layer = following
        if progress is not None:
            progress("merging betting sequences", steps, _MAX_STEPS)
    return tuple(RoundCounts(*row) for row in totals)


def _action_count(state: State) -> int:
    """How many legal actions there are, without a list of them."""
    raises = state.max_raise_to - state.min_raise_to + 1 if state.max_raise_to else 0
    return (2 if state.can_fold else 1) + raises


class _Future:
    """Everything that the further betting of a game depends on.

    Of each seat it matters whether it has folded, is all-in or owes something; amounts other than
    the largest bet and the least raise do not, and no amount does in a limit game whose stacks
    cannot run out. The number of actions matters only where a round may come to its limit of them.
    """

    def __init__(self, game: Game) -> None:
        self.stacks = game.stacks
        self.fixed = False
        if game.is_limit:
            sizes = zip(game.max_raises, game.raise_sizes, strict=True)
            deepest = game.big_blind + sum(
                min(raises, MAX_ACTIONS_PER_ROUND) * size for raises, size in sizes
            )
            self.fixed = deepest < min(game.stacks)
        longest = game.players * (max(game.max_raises) + 2)
        self.counts_actions = longest > MAX_ACTIONS_PER_ROUND

    def key(self, state: State) -> tuple[object, ...]:
        largest, folded = state.largest, state.folded
        owing = tuple(
            not out and chips < min(largest, stack)
            for chips, stack, out in zip(state.spent, self.stacks, folded, strict=True)
        )
        actions = len(state.betting[-1]) if self.counts_actions else 0
        standing = (state.round, state.actor, folded, owing, state._raises, state._waiting, actions)
        if self.fixed:
            return standing
        out_of_chips = tuple(
            chips >= stack for chips, stack in zip(state.spent, self.stacks, strict=True)
        )
        return (*standing, out_of_chips, largest, state._least)


def _too_large(game: Game) -> DoyleError:
    """Why a game is not counted, and what to make smaller."""
    what = f"game {game.name}: too large to count with {game.players} players, {game.rounds} rounds"
    if game.is_limit:
        return DoyleError(
            f"{what}, up to {max(game.max_raises)} raises a round; make one of the three smaller"
        )
    return DoyleError(
        f"{what}, stacks of {max(game.stacks):,}: no-limit games other than for two players with "
        "equal stacks must have small stacks"
    )


def has_two_equal_stacks(game: Game) -> bool:
    """Whether partitions count the game: no-limit, two equal stacks, the small blind first."""
    return (
        game.betting == "nolimit"
        and game.players == 2
        and not game.min_bet
        and game.stacks[0] == game.stacks[1] > game.big_blind
        and game.blinds[game.first_players[0]] == min(game.blinds)
    )


def count_by_partitions(
    game: Game,
    progress: Progress | None = None,
    *,
    actions_per_round: int = MAX_ACTIONS_PER_ROUND,
) -> tuple[RoundCounts, ...]:
    """Counts for two equal stacks without limit, whatever their size."""
    room = game.stacks[0] - game.big_blind
    caps = [_raise_cap(game, round_, actions_per_round) for round_ in range(game.rounds)]
    steps = min(max(caps), room // game.big_blind) * room
    if steps > _MAX_PARTITION_STEPS:
        raise DoyleError(
            f"game {game.name}: too large to count: stacks of {game.stacks[0]:,} chips; take smaller "
            "stacks, or larger blinds"
        )
    ways = _ways_to_raise(game.big_blind, room, caps)
    reached = [1] + [0] * (room - 1)  # sequences that begin the round with x raised in all so far
    counts = []
    for round_ in range(game.rounds):
        if progress is not None:
            progress("counting rounds", round_, game.rounds)
        # A check before the first raise takes one of the actions that a round has room for.
        cap = caps[round_]
        after_check = min(cap, actions_per_round - 2)
        calls = [a + b for a, b in zip(ways[cap], ways[after_check], strict=True)]
        # Sequences that can be raised once more: one way each to go all-in.
        all_ins = [a + b for a, b in zip(ways[cap - 1], ways[after_check - 1], strict=True)]
        # Decisions to open and to answer a check are the ways to raise by nothing.
        decisions = _weighted(reached, [c + a for c, a in zip(calls, all_ins, strict=True)])
        called_all_in = _weighted(reached, all_ins)
        begun = sum(reached)
        facing = decisions - 2 * begun
        calls[0] -= 1  # without a raise it takes both seats to end the round
        owing = round_ == 0 and game.blinds[0] != game.blinds[1]
        folds = facing + (begun if owing else 0)
        last = round_ + 1 == game.rounds
        counts.append(
            RoundCounts(
                decisions=decisions,
                actions=decisions + folds + facing,
                folds=folds,
                showdowns=called_all_in + (_weighted(reached, calls) if last else 0),
            )
        )
        if not last:
            reached = _product(reached, calls)
    return tuple(counts)


def _raise_cap(game: Game, round_: int, actions_per_round: int) -> int:
    """Raises that a round has room for; the default of the definition stands for any number."""
    cap = game.max_raises[round_]
    return actions_per_round - 1 if cap == UNLIMITED_RAISES else min(cap, actions_per_round - 1)


def _ways_to_raise(least: int, room: int, caps: list[int]) -> dict[int, list[int]]:
    """Ways to raise by x < room chips in at most k raises, for every k that a round asks for."""
    wanted = {cap - fewer for cap in caps for fewer in (0, 1, 2)}
    exactly = [1] + [0] * (room - 1)
    total = exactly[:]
    found = {-2: [0] * room, -1: [0] * room}
    for k in range(max(wanted) + 1):
        if k and k * least < room:
            previous, exactly = exactly, [0] * room
            for x in range(k * least, room):
                # The first raise is the least one, or all raises can be one chip smaller.
                exactly[x] = previous[x - least] + exactly[x - k]
                total[x] += exactly[x]
        if k in wanted:
            found[k] = total[:]
    return found


def _weighted(reached: list[int], ways: list[int]) -> int:
    """The sum over x of reached[x] times all ways to raise by less than the chips left then."""
    below = list(accumulate(ways))
    return sum(count * below[-1 - x] for x, count in enumerate(reached) if count)


def _product(left: list[int], right: list[int]) -> list[int]:
    """The first coefficients of a product of two power series, exactly.

    The coefficients are written side by side as the digits of one long number each: `decimal`
    multiplies such numbers by number-theoretic transforms.
    """
    size = len(left)
    width = len(str(max(left) * max(right) * size))
    context = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
    numbers = [
        Decimal("".join(str(value).zfill(width) for value in reversed(series)))
        for series in (left, right)
    ]
    digits = str(context.multiply(*numbers)).zfill(2 * size * width)
    end = len(digits)
    return [int(digits[end - (x + 1) * width : end - x * width]) for x in range(size)]


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
