"""What people look at: strategy grids, convergence curves and pages of builds and spots.

Pages are single HTML files that need nothing else and are written whole. What is shown was computed
elsewhere; `builds` and `report_card` also measure and play, because reports have matches in them.

In reading order:

`grid`          `StrategyGrid`: the 13x13 grid of a decision
`figures`       curves and grids by Matplotlib
`build_report`  the page of a build
`builds`        what is known of a build: matches, facts, advice, and its report
`report_card`   what every instrument says of an agent; `advice` says it in a sentence, and
                `report_card_page` is its page
`spot_report`   the page of a solved spot

Notebooks do not come here: results show themselves by `doyle.display`.
"""

from doyle.reports.build_report import write_build_report
from doyle.reports.grid import StrategyGrid, strategy_grid

__all__ = ["StrategyGrid", "strategy_grid", "write_build_report"]
