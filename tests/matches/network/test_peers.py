"""Whole matches with the independent peer: at our dealer beside our client, and as our dealer."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from doyle.games import Game
from doyle.games.histories import Score, read_log
from tests.matches.network.matches import Running, deal, our_client
from tests.matches.network.peer import RULES, Betting, PeerClient, PeerDealer, split_cards

HANDS = [pytest.param(60, id="60"), pytest.param(3000, id="3000", marks=pytest.mark.slow)]
GAMES = list(RULES)


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("name", GAMES)
def test_a_peer_and_our_client_at_our_dealer(name: str, hands: int, tmp_path: Path) -> None:
    game, rules = Game.named(name), RULES[name]
    log, own_log = tmp_path / "dealer.log", tmp_path / "client.log"
    peers = [PeerClient(rules, seed=7, seat=seat) for seat in range(1, rules.players)]
    clients = [our_client("random", game, log=own_log), *(peer.play for peer in peers)]
    dealt, running = deal(game, clients, hands=hands, log=log)
    ours, *_ = [client.result() for client in running]
    assert dealt.deviations.total == 0
    assert dealt.failure is None
    assert dealt.result is not None
    assert dealt.result.forfeits == ()
    assert dealt.result.illegal_actions == (0,) * rules.players
    assert dealt.score is not None
    assert [peer.hands for peer in peers] == [hands] * len(peers)
    assert (ours.hands, ours.illegal_actions, ours.interrupted) == (hands, 0, False)
    assert dealt.score.totals == (ours.chips, *(peer.total for peer in peers))
    assert _peer_totals(rules_of=name, log=log) == list(dealt.score.totals)
    scores = [item for path in (log, own_log) for item in read_log(path, game) if _is_score(item)]
    assert _rounded(scores[0]) == _rounded(scores[1])


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("name", GAMES)
def test_our_clients_at_a_peer_dealer(name: str, hands: int) -> None:
    game, rules = Game.named(name), RULES[name]
    dealer = PeerDealer(rules, hands=hands, seed=3)
    agents = ["random", "always-raise", "random"][: rules.players]
    running = [
        Running(our_client(agent, game), port)
        for agent, port in zip(agents, dealer.ports, strict=True)
    ]
    dealer.play()
    played = [client.result() for client in running]
    assert [match.hands for match in played] == [hands] * rules.players
    assert [match.chips for match in played] == dealer.totals
    assert sum(dealer.totals) == 0
    assert not any(match.interrupted or match.illegal_actions for match in played)


def test_all_in_before_the_river_shows_the_whole_board(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    game = Game.named("holdem-nl-200bb")
    clients = [our_client(agent, game) for agent in ("always-call", "always-all-in")]
    deal(game, clients, hands=2, log=log, names=["caller", "pusher"])
    first = next(line for line in log.read_text().splitlines() if line.startswith("STATE:0:"))
    assert first.startswith("STATE:0:r20000c///:")
    assert len(first.split(":")[3].partition("/")[2].replace("/", "")) == 10
    assert first.endswith(":caller|pusher")


def _is_score(item: object) -> bool:
    return isinstance(item, Score)


def _rounded(score: object) -> list[float]:
    assert isinstance(score, Score)
    return sorted(round(float(total), 4) for total in score.totals)


def _peer_totals(*, rules_of: str, log: Path) -> list[Fraction]:
    """What each player won by the peer's own reading of our log."""
    rules = RULES[rules_of]
    totals: dict[str, Fraction] = {}
    hands = 0
    for line in log.read_text().splitlines():
        if not line.startswith("STATE:"):
            continue
        _, number, betting, cards, chips, players = line.split(":")
        assert int(number) == hands
        hole, *boards = cards.split("/")
        end = Betting(rules).replay(betting)
        board = [card for part in boards for card in split_cards(part)]
        payoffs = end.payoffs([split_cards(part) for part in hole.split("|")], board)
        for payoff, text, player in zip(payoffs, chips.split("|"), players.split("|"), strict=True):
            assert abs(payoff - Fraction(text)) < Fraction(1, 10**6)
            totals[player] = totals.get(player, Fraction(0)) + payoff
        names = [f"player{(seat + hands) % rules.players + 1}" for seat in range(rules.players)]
        assert players.split("|") == names
        hands += 1
    return [totals[name] for name in sorted(totals)]
