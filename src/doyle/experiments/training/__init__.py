"""Training: logs made by play, for case bases to learn from.

Case-based agents learn from records of play. Here presets make such records: an expert against
others, several experts, or the winners of a league. A log is an artifact, named by its players
(their strategies' contents included), by the deals and by the seed, so it is made once; it is
written part by part and an interrupted one is resumed.

In reading order:

`logs`          logs of any agents as artifacts: `make_log`
`lessons`       experts (named, or the winners of a league), and case bases of their decisions
`presets`       snapshots trained: bases in the folder that an agent is made from
"""

from doyle.experiments.training.lessons import Lesson, league_winners
from doyle.experiments.training.logs import LogRequest, TrainingLog, make_log

__all__ = [
    "Lesson",
    "LogRequest",
    "TrainingLog",
    "league_winners",
    "make_log",
]
