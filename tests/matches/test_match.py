"""Matches: results known in advance, logs, and independence of the number of workers."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doyle.agents import Random
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers
from doyle.games import CALL, Action, Game, State, View, bundled_names
from doyle.games.histories import Hand, Score, read_log
from doyle.matches import Chance, Dealer, as_deal, play_match
from doyle.matches.match import Match, distinct_names
from doyle.matches.play import HandRunner, rotation, seatings

HOLDEM = Game.named("holdem-nl-200bb")


def test_folding_loses_three_quarters_of_a_big_blind() -> None:
    result = play_match(HOLDEM, ["always-fold", "always-all-in"], hands=1000, seed=1)
    assert result.mbb_per_hand(0).mean == -750
    assert result.mbb_per_hand(0).ci95 == 0
    assert result.small_bets_per_hand(1).mean == Fraction(3, 4)


def test_equal_agents_are_equal_in_a_duplicate_match() -> None:
    for agent in ("always-call", "always-all-in", "random"):
        result = play_match(HOLDEM, [agent, agent], hands=200, seed=2)
        assert not result.units.any()
        assert result.names == (agent, f"{agent}#2")


@pytest.mark.parametrize("name", bundled_names())
def test_chips_are_conserved_in_every_game(name: str) -> None:
    game = Game.named(name)
    agents = ["random", "always-call", "always-raise"][: game.players]
    result = play_match(game, agents, hands=40, seed=4)
    assert not result.units.sum(axis=1).any()
    assert result.illegal_actions == (0,) * game.players
    assert result.forfeits == ()


def test_three_players_play_each_deal_in_six_seatings() -> None:
    game = Game.named("holdem-limit-3p")
    assert len(seatings(3)) == 6
    result = play_match(game, ["random", "random", "always-raise"], hands=30, seed=5)
    assert result.seatings_per_deal == 6
    assert not result.units.sum(axis=1).any()
    equal = play_match(game, ["always-raise"] * 3, hands=30, seed=5)
    assert not equal.units.any()
    assert equal.names == ("always-raise", "always-raise#2", "always-raise#3")


def test_more_players_rotate() -> None:
    lines = Game.named("holdem-limit-3p").to_text()
    game = Game.parse(
        lines.replace("numPlayers = 3", "numPlayers = 4").replace(
            "blind = 5 10 0", "blind = 5 10 0 0"
        )
    )
    result = play_match(game, ["always-raise", "random", "always-call", "always-fold"], hands=20)
    assert result.seatings_per_deal == 4
    assert not result.units.sum(axis=1).any()
    for seat in range(4):
        assert sorted(seating[seat] for seating in seatings(4)) == [0, 1, 2, 3]


def test_small_bets_are_the_ante_in_leduc() -> None:
    result = play_match(Game.named("leduc"), ["always-fold", "always-raise"], hands=10)
    assert result.small_bets_per_hand(0).mean == -1


@pytest.mark.parametrize("agents", [["random", "always-raise"], ["random", "random"]])
def test_logs_do_not_depend_on_the_number_of_workers(agents: list[str], tmp_path: Path) -> None:
    logs = []
    results = []
    for count in (1, 2):
        path = tmp_path / f"{count}.log"
        results.append(
            play_match(HOLDEM, agents, hands=200, seed=9, log=path, workers=Workers(count))
        )
        logs.append(path.read_bytes())
    assert logs[0] == logs[1]
    assert np.array_equal(results[0].units, results[1].units)
    assert results[0].document() == results[1].document()


def test_the_log_can_be_read_and_adds_up(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    game = Game.named("holdem-limit-3p")
    result = play_match(game, ["random", "always-call", "random"], hands=70, seed=6, log=path)
    *hands, score = read_log(path, game, check=True)
    assert isinstance(score, Score)
    assert len(hands) == 70 * 6
    assert score.players == ("random", "always-call", "random#2")
    totals = dict.fromkeys(result.names, Fraction(0))
    for number, hand in enumerate(hands):
        assert isinstance(hand, Hand)
        assert hand.number == number
        for name, chips in zip(hand.players, hand.payoffs, strict=True):
            totals[name] += chips
    assert tuple(totals.values()) == result.total_chips
    first = path.read_text().splitlines()[0]
    expected = "# name/game/hands/seed random.always-call.random#2 holdem-limit-3p 70 6"
    assert first == expected


def test_without_duplicates_seats_rotate_as_at_the_dealer(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    result = play_match(
        HOLDEM, ["always-call", "always-raise"], hands=100, seed=8, duplicate=False, log=path
    )
    hands = [hand for hand in read_log(path, HOLDEM) if isinstance(hand, Hand)]
    assert len(hands) == result.hands == 100
    assert hands[0].players == ("always-call", "always-raise")
    assert hands[1].players == ("always-raise", "always-call")
    assert [rotation(3, deal) for deal in range(4)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]


def test_the_observation_is_the_mean_over_the_seatings_of_a_deal() -> None:
    both = play_match(HOLDEM, ["random", "always-call"], hands=60, seed=3)
    chips = both.units[:, 0] / both.unit
    error = chips.std(ddof=1) / np.sqrt(60)
    assert float(both.chips_per_hand(0).mean) == pytest.approx(chips.mean())
    assert both.chips_per_hand(0).ci95 == pytest.approx(2.000995 * error, rel=1e-5)  # Student


def test_duplicates_narrow_the_interval() -> None:
    agents = ["always-all-in", "always-call"]
    paired = play_match(HOLDEM, agents, hands=300, seed=3).mbb_per_hand(0)
    single = play_match(HOLDEM, agents, hands=600, seed=3, duplicate=False).mbb_per_hand(0)
    assert paired.ci95 is not None
    assert single.ci95 is not None
    assert paired.ci95 < single.ci95 / 2


def test_a_longer_match_begins_with_the_shorter_one() -> None:
    short = play_match(HOLDEM, ["random", "random"], hands=70, seed=12)
    long = play_match(HOLDEM, ["random", "random"], hands=140, seed=12)
    assert np.array_equal(long.units[:70], short.units)


class Watching:
    """Plays at random and checks that its view is exactly what the state shows its seat."""

    name = "watching"

    def __init__(self, deals: dict[bytes, list[int]]) -> None:
        self.deals = deals
        self.seen = 0

    def act(self, view: View) -> Action:
        row = self.deals[view.dice_key]
        game = view.state.game
        whole = view.state.with_deal(as_deal(game, list(row)))
        assert view == whole.view(view.seat, dice_key=view.dice_key)
        assert view.state.deal is not None
        assert not any(view.state.deal.hole)
        assert len(view.board) == game.board_ends[view.state.round]
        self.seen += 1
        legal = [CALL, *([view.state.min_raise_to] if view.state.max_raise_to else [])]
        return legal[view.rng().integers(len(legal))]


@pytest.mark.parametrize("name", bundled_names())
def test_agents_see_what_their_seat_may_see(name: str) -> None:
    game = Game.named(name)
    chance = Chance.repeatable(21)
    agent = Watching(
        {
            chance.dice(game).hand_key(position, deal=number, seating=0): row
            for number, row in enumerate(chance.dealer(game).draw(30).tolist())
            for position in range(game.players)
        }
    )
    result = play_match(game, [agent] * game.players, hands=30, seed=21)
    assert result.forfeits == ()
    assert agent.seen >= 60


@given(seed=st.integers(0, 1000))
@settings(max_examples=20)
def test_hands_end_in_states_with_their_deal(seed: int) -> None:
    game = Game.named("leduc-nl12")
    deal = as_deal(game, Dealer(game, seed=seed).draw(1)[0])
    table = HandRunner(game, [Random(), Random()], time_limit=5.0)
    end = table.play(deal, (0, 1), dice_keys=[bytes([seed % 251, seat]) for seat in (0, 1)])
    assert end.is_over
    assert end.deal == deal
    replayed = State.start(game, deal)
    for actions in end.betting:
        for action in actions:
            replayed = replayed.apply(action)
    assert replayed == end


def test_names_are_made_distinct() -> None:
    assert distinct_names(["a", "a", "b", "a"]) == ("a", "a#2", "b", "a#3")
    assert distinct_names(["a#2", "a", "a"]) == ("a#2", "a", "a#3")


@pytest.mark.parametrize(
    ("agents", "hands", "limit", "problem"),
    [
        (("always-call",), 10, 1.0, "needs 2 agents, not 1"),
        (("always-call", "always-fold"), 0, 1.0, "needs 1 to 100,000,000 deals, not 0"),
        (("always-call", "always-fold"), 1, 0.0, "must be above 0"),
        (("always-call", "nobody"), 1, 1.0, "no such agent"),
    ],
)
def test_bad_matches_are_refused(
    agents: tuple[str, ...], hands: int, limit: float, problem: str
) -> None:
    with pytest.raises(DoyleError, match=problem):
        play_match(HOLDEM, agents, hands=hands, time_limit=limit)


def test_batches_do_not_depend_on_anything_but_the_match() -> None:
    chance = Chance.repeatable(1)
    match = Match(HOLDEM, ("random", "random"), hands=200, chance=chance)
    deals = np.concatenate([batch.deals for batch in match.batches()])
    assert np.array_equal(deals, chance.dealer(HOLDEM).draw(200))
