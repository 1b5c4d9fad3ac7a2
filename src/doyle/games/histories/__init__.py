"""Hand histories: betting strings, protocol lines, ACPC logs and PHH files.

Reading and printing are inverse to each other: what was read prints as the same bytes, but for
comments. Every error names the file, the line and the character. Files may be compressed (`.gz`,
`.xz`) and are read line by line, so their length does not matter.

In reading order:

`betting`     betting strings such as `cr200c/cr600f`
`lines`       MATCHSTATE, STATE and SCORE lines; `Hand`
`logs`        ACPC logs, checked against the rules; which game a log was played in
`phh`         the Poker Hand History format: fields and stakes, replay and results, text
`convert`     from one format to another, with a count of what was refused
`files`       text files, compressed or not
"""

from __future__ import annotations

from doyle.games.histories.betting import format_action, format_betting, parse_betting
from doyle.games.histories.lines import (
    Hand,
    MatchState,
    Score,
    format_chips,
    format_matchstate,
    format_score_line,
    format_state_line,
    parse_matchstate,
    parse_score_line,
    parse_state_line,
)
from doyle.games.histories.logs import read_hands, read_log, write_log
from doyle.games.histories.phh import RefusedHand, format_phh, parse_phh, read_phh, write_phh

__all__ = [
    "Hand",
    "MatchState",
    "RefusedHand",
    "Score",
    "format_action",
    "format_betting",
    "format_chips",
    "format_matchstate",
    "format_phh",
    "format_score_line",
    "format_state_line",
    "parse_betting",
    "parse_matchstate",
    "parse_phh",
    "parse_score_line",
    "parse_state_line",
    "read_hands",
    "read_log",
    "read_phh",
    "write_log",
    "write_phh",
]
