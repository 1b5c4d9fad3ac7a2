"""Beyond the papers: which bet sizes a translated player should know.

Table 5 of IJCAI 2013 finds the least exploitable single size in no-limit Kuhn. Here the same is
searched for several sizes, one after the other (each the best addition to those already chosen), in
Kuhn and in no-limit Leduc, and for mappings that differ by interval.
"""

from __future__ import annotations

from fractions import Fraction

from doyle.abstractions.betting import BetSize, BettingModel
from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.full_game import FullGame, solve
from doyle.experiments.papers.ijcai2013.leduc import GAME
from doyle.experiments.papers.ijcai2013.one_street import (
    KUHN,
    best_response,
    bets_in_doubles,
    kuhn_defence,
    kuhn_value,
)
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Curve, Figure, Result
from doyle.games import Game
from doyle.strategy.translation import Mapping, mapping
from doyle.strategy.translation.named_translations import pot_fractions

KUHN_STACK = 10
KUHN_SIZES = 3
LEDUC_SIZES = 2
LEDUC_GRID = tuple(Fraction(quarters, 4) for quarters in (2, 3, 4, 5, 6, 8, 10, 12, 16))
SEARCHED = ("rand-pshar", "rand-arith", "rand-geo-2", "rand-arith~1~rand-pshar")


def kuhn_gives_away(entry: Mapping, stack: int, tenths: tuple[int, ...]) -> float:
    """Exploitability in no-limit Kuhn of a defender whose tree has these sizes and all-in."""
    sizes = tuple(size * 0.1 for size in tenths)
    defence = kuhn_defence(float(stack), sizes)
    best = best_response(KUHN, defence, mapping=entry, bets=bets_in_doubles(stack))
    return float(best - kuhn_value(stack))


def kuhn_sizes(options: Options) -> Result:
    """The best sizes for several mappings in no-limit Kuhn, one after the other."""
    cells, curves = [], []
    grid = range(1, 10 * KUHN_STACK)
    for entry in map(mapping, SEARCHED):
        chosen: tuple[int, ...] = ()
        for number in range(1, KUHN_SIZES + 1):
            values = {size: kuhn_gives_away(entry, KUHN_STACK, (*chosen, size)) for size in grid}
            best = min(values, key=lambda size: values[size])
            chosen = (*chosen, best)
            more = {"exploitability_of_ours": values[best]}
            cells.append(Cell(entry.title, f"size {number} (pots)", None, best / 10, more=more))
            if number == 1:
                curves.append(
                    Curve(entry.title, tuple(s / 10 for s in grid), tuple(values.values()))
                )
    figure = Figure(
        "beyond-kuhn-bet-sizes",
        f"No-limit Kuhn, stack {KUHN_STACK}: one known size",
        "known bet (pots)",
        "exploitability (pots per hand)",
        tuple(curves),
        logarithmic_x=True,
    )
    return Result(cells, figures=(figure,))


def leduc_gives_away(full: FullGame, entry: Mapping, sizes: tuple[Fraction, ...]) -> float:
    """Mean exploitability in no-limit Leduc of a player whose tree has these sizes and all-in."""
    bets = tuple(BetSize(str(size), size) for size in sorted(set(sizes)))
    model = BettingModel(bets=bets)
    solved = solve(full.small.tree.game, model, target=1e-3, iterations=20_000)
    translation = pot_fractions(entry)
    return sum(full.best_response(seat, solved, translation) for seat in (0, 1)) / 2


def leduc_sizes(options: Options) -> Result:
    """The best sizes for randomised pseudo-harmonic and arithmetic in no-limit Leduc."""
    full = FullGame.of(Game.named(GAME))
    cells, curves = [], []
    searched = ("rand-pshar", "rand-arith~1~rand-pshar")
    for entry in options.each(map(mapping, searched), "mappings"):
        chosen: tuple[Fraction, ...] = ()
        for number in range(1, LEDUC_SIZES + 1):
            values = {size: leduc_gives_away(full, entry, (*chosen, size)) for size in LEDUC_GRID}
            best = min(values, key=lambda size: values[size])
            chosen = (*chosen, best)
            more = {"exploitability_of_ours": values[best]}
            cells.append(Cell(entry.title, f"size {number} (pots)", None, float(best), more=more))
            label = f"{entry.title}, size {number}"
            curves.append(Curve(label, tuple(map(float, values)), tuple(values.values())))
    figure = Figure(
        "beyond-leduc-bet-sizes",
        "No-limit Leduc, 12 chips: known sizes chosen one after the other",
        "known bet (pots)",
        "exploitability (antes per hand)",
        tuple(curves),
    )
    return Result(cells, figures=(figure,))
