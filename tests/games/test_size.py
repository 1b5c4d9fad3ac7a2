"""Counts of states and information sets: by brute force where that is possible, and as published."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations

import pytest

from doyle.base.errors import DoyleError
from doyle.games import Game, State
from doyle.games.sequences import (
    canonical_deals,
    count_by_merging,
    count_by_partitions,
    count_sequences,
    full_deals,
    has_two_equal_stacks,
    measure,
    measure_without_action_limit,
    seen_deals,
)
from tests.abstractions.betting.too_large import TOO_LARGE

HOLDEM = Game.named("holdem-nl-100bb")


def holdem(stack: int, big: int = 2, small: int = 1) -> Game:
    return replace(HOLDEM, stacks=(stack, stack), blinds=(big, small))


def walk(state: State, totals: list[list[int]]) -> None:
    """Count (decisions, actions, folds, showdowns) by round, one sequence at a time."""
    if state.is_over:
        last = max((r for r, actions in enumerate(state.betting) if actions), default=0)
        totals[last][3 if state.is_showdown else 2] += 1
        return
    actions = state.legal_actions()
    totals[state.round][0] += 1
    totals[state.round][1] += len(actions)
    for action in actions:
        walk(state.apply(action), totals)


def brute(game: Game) -> list[tuple[int, ...]]:
    totals = [[0, 0, 0, 0] for _ in range(game.rounds)]
    walk(State.start(game), totals)
    return [tuple(row) for row in totals]


def as_rows(counts: tuple[object, ...]) -> list[tuple[int, ...]]:
    return [(c.decisions, c.actions, c.folds, c.showdowns) for c in counts]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "game",
    [
        Game.named("kuhn"),
        Game.named("leduc"),
        Game.named("leduc-nl12"),
        Game.named("rhode-island"),
        holdem(5),
        holdem(6),
        holdem(7),
        holdem(8, big=3),
        replace(holdem(6), max_raises=(1, 2, 0, 1)),
        replace(holdem(9), rounds=2, board_cards=(0, 3), first_players=(1, 0), max_raises=(3, 255)),
        replace(Game.named("leduc-nl12"), stacks=(7, 5)),
        replace(Game.named("leduc-nl12"), players=3, stacks=(4, 4, 4), blinds=(1, 1, 0), suits=3),
    ],
    ids=lambda game: f"{game.name}-{game.stacks[0]}-{game.max_raises[0]}-{game.players}",
)
def test_every_sequence_one_by_one(game: Game) -> None:
    expected = brute(game)
    assert as_rows(count_by_merging(game)) == expected
    assert as_rows(count_sequences(game)) == expected
    if has_two_equal_stacks(game):
        assert as_rows(count_by_partitions(game)) == expected


@pytest.mark.parametrize("game", [holdem(24), holdem(30, big=3, small=3), holdem(60, big=10)])
def test_partitions_agree_with_merging(game: Game) -> None:
    assert count_by_partitions(game) == count_by_merging(game)


def test_partitions_keep_to_the_action_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doyle.games.state.MAX_ACTIONS_PER_ROUND", 7)
    game = holdem(14, big=1)
    limited = count_by_partitions(game, actions_per_round=7)
    assert limited == count_by_merging(game)
    assert limited != count_by_partitions(game, actions_per_round=8)


def test_deals_one_by_one() -> None:
    leduc = Game.named("leduc")
    assert full_deals(leduc, 1) == len(list(permutations(leduc.deck, 3)))
    assert seen_deals(leduc, 1) == len(list(permutations(leduc.deck, 2)))
    small = replace(
        HOLDEM, ranks=3, rounds=2, board_cards=(0, 3), first_players=(1, 0), max_raises=()
    )
    orbits = set()
    for hole in combinations(small.deck, 2):
        for board in combinations([card for card in small.deck if card not in hole], 3):
            orbits.add(
                min(
                    tuple(
                        tuple(sorted(c // 4 * 4 + suits[c % 4] for c in part))
                        for part in (hole, board)
                    )
                    for suits in permutations(range(4))
                )
            )
    assert canonical_deals(small, 1) == len(orbits)


def test_known_small_games() -> None:
    kuhn = measure(Game.named("kuhn"))
    assert (kuhn.game_states, kuhn.information_sets, kuhn.finished_states) == (24, 12, 30)
    # Leduc has 936 information sets over cards, 288 over ranks (Southey et al. 2005).
    assert measure(Game.named("leduc")).information_sets == 936


def test_limit_holdem_as_published() -> None:
    size = measure(Game.named("holdem-limit-2p"))
    assert [counts.decisions for counts in size.rounds] == [8, 70, 630, 5670]
    # Johanson (2013), table 1: 3.162e17 game states, 3.194e14 information sets, 1.380e13 canonical.
    assert f"{size.game_states:.3e}" == "3.162e+17"
    assert f"{size.information_sets:.3e}" == "3.194e+14"
    assert f"{size.canonical_information_sets:.3e}" == "1.380e+13"


def test_doyles_game_as_published() -> None:
    # Johanson (2013): 7.16e75 game states, 7.23e72 information sets, without an action limit.
    # The 10^71 of earlier papers is an estimate.
    unlimited = measure_without_action_limit(Game.named("doyle-500bb"))
    assert unlimited is not None
    assert f"{unlimited.game_states:.2e}" == "7.16e+75"
    assert f"{unlimited.information_sets:.2e}" == "7.23e+72"
    deep = replace(HOLDEM, stacks=(20_000, 20_000))
    assert measure_without_action_limit(deep) is None
    limited = measure(Game.named("doyle-500bb"))
    assert limited.game_states < unlimited.game_states


def test_the_competition_game_to_its_last_digit() -> None:
    # Johanson (2013), "Measuring the Size of Large No-Limit Poker Games".
    published = (
        "631143875439997536762421500982349491523134755009560867161754754138543071866492234040692467"
        "854187671526019435023155654264055463548134458792123919483147215176128484600"
    )
    unlimited = measure_without_action_limit(Game.named("holdem-nl-200bb"))
    assert unlimited is not None
    assert str(unlimited.game_states) == published


def test_what_cannot_be_counted_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doyle.games.sequences._MAX_STEPS", 25_000)
    game = replace(HOLDEM, stacks=(20_000, 19_999))
    with pytest.raises(DoyleError, match="too large to count"):
        measure(game)
    assert measure_without_action_limit(game) is None
    endless = Game.named("holdem-nl-200bb").to_text().replace("stack = 20000 20000\n", "")
    with pytest.raises(DoyleError, match="too large to count: stacks of 2,147,483,647 chips"):
        measure(Game.parse(endless))


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_game_too_large_to_count_is_refused_before_long(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either all digits come out, or one line names what to make smaller, after few states."""
    game = Game.parse(TOO_LARGE[name][1])
    steps = 0
    apply = State.apply

    def counted(state: State, action: int) -> State:
        nonlocal steps
        steps += 1
        return apply(state, action)

    monkeypatch.setattr(State, "apply", counted)
    try:
        assert measure(game).game_states > 10**9
    except DoyleError as error:
        line = str(error)
        assert "too large to count" in line
        assert any(word in line for word in ("players", "rounds", "raises", "stacks"))
    assert steps <= 100_000


def test_merging_depends_on_what_the_further_betting_depends_on() -> None:
    """Seats that fold, owe or are all-in with different amounts: the same as one by one."""
    game = replace(
        Game.named("holdem-limit-3p"),
        rounds=2,
        board_cards=(0, 3),
        raise_sizes=(10, 10),
        first_players=(2, 0),
        max_raises=(2, 2),
        stacks=(25, 40, 33),
    )
    assert as_rows(count_by_merging(game)) == brute(game)
    deep = replace(game, stacks=(10_000,) * 3)
    assert as_rows(count_by_merging(deep)) == brute(deep)
