"""Matches and leagues: agents over dealt hands, results with intervals, and rankings.

In a duplicate match every deal is played in every seating, and the mean over its seatings is one
observation. All chance comes from one secret: from a seed, or sealed and revealed afterwards. Agents
see keys from which they can compute neither the cards nor each other's dice. Results never depend on
the number of workers.

In reading order:

`match`          `play_match`, `Match` and `MatchResult`, which carries its interval
`chance`         the secret and its derived randomness: dice, and deals as from a key or by the ACPC
    dealer
`play`           hands played in sequence, and the rules for agents that fail
`seats`          agents prepared, in this process or in isolation
`apart`          agents in a process of their own; `agent_process` is the other side
`log`            the log of a match in the format of the ACPC dealer
`league`         a match at every table, and a cross-table
`winners`        total bankroll and instant run-off
`sequential`     matches played until the better player is decided, by an interval that is valid at
    any time
`running`        batches in order, by kernels or hand by hand
`tally`          progress counts of long batches
`fast`           hands of policies played by kernels, the same as through `act`
`phased`         many matches of an agent that decides between runs of hands, by kernels
`results`        every hand kept on disk, and exported
`network`        the ACPC protocol: our agents at other dealers, other bots at ours
"""

from doyle.matches.apart import Apart
from doyle.matches.chance import Chance, Dealer, KeyedDealer, as_deal
from doyle.matches.league import LeagueResult, play_league
from doyle.matches.match import Match, MatchResult, play_match, play_matches
from doyle.matches.winners import from_matrix, instant_runoff, total_bankroll

__all__ = [
    "Apart",
    "Chance",
    "Dealer",
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
