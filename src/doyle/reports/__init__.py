"""What people look at: strategy grids, convergence curves and the report of a build."""

from doyle.reports.build_report import write_build_report
from doyle.reports.grid import StrategyGrid, strategy_grid

__all__ = ["StrategyGrid", "strategy_grid", "write_build_report"]
