"""Matches and leagues: agents over dealt hands, results with intervals, and who wins."""

from doyle.matches.apart import Apart
from doyle.matches.chance import Chance
from doyle.matches.dealing import Dealer, KeyedDealer, as_deal
from doyle.matches.league import LeagueResult, play_league
from doyle.matches.match import Match, MatchResult, play_match, play_matches
from doyle.matches.statistics import Estimate
from doyle.matches.winners import from_matrix, instant_runoff, total_bankroll

__all__ = [
    "Apart",
    "Chance",
    "Dealer",
    "Estimate",
    "KeyedDealer",
    "LeagueResult",
    "Match",
    "MatchResult",
    "as_deal",
    "from_matrix",
    "instant_runoff",
    "play_league",
    "play_match",
    "play_matches",
    "total_bankroll",
]
