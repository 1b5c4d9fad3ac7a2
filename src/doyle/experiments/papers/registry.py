"""The papers' tables and figures by name, each with the function that computes it.

Names are those of the contracts: `ijcai2013/table1`, `thesis/table4.4`, `tartanian5/figure2`. The
functions are named, not imported, so that listing costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module

from doyle.errors import DoyleError, FieldError
from doyle.experiments.papers.result import Result
from doyle.workers import Progress, Workers

SCALES = ("small", "published")


@dataclass(frozen=True)
class Options:
    """What every computation may use; results depend on `seed`, and those of experiments on the rest.

    `scale` is `small`, a few minutes for all, or `published`, the paper's numbers of hands; `hands`
    replaces the deals of a match.
    """

    seed: int = 0
    scale: str = "small"
    hands: int | None = None
    workers: Workers = field(default_factory=Workers)
    progress: Progress | None = None


@dataclass(frozen=True)
class Entry:
    """One table or figure."""

    name: str
    title: str
    place: str
    is_experiment: bool = False
    """Whether it takes a scale and a number of hands."""

    def run(self, options: Options) -> Result:
        """Compute it now."""
        if options.scale not in SCALES:
            raise FieldError("scale", f"expected {' or '.join(SCALES)}", value=options.scale)
        for name in ("scale", "hands"):
            if not self.is_experiment and getattr(options, name) != getattr(Options, name):
                raise FieldError(name, f"{self.name} is computed, not played: leave it out")
        module, _, function = self.place.partition(":")
        compute: Callable[[Options], Result] = getattr(
            import_module(f"doyle.experiments.papers.{module}"), function
        )
        return compute(options)


ENTRIES: tuple[Entry, ...] = (
    Entry(
        "ijcai2013/table1", "Effect of increasing A (B = 1, x = 0.25)", "ijcai2013.tables:table1"
    ),
    Entry("ijcai2013/table2", "Clairvoyance game, pot and all-in", "ijcai2013.tables:table2"),
    Entry("ijcai2013/table3", "No-limit Kuhn, pot and all-in", "ijcai2013.tables:table3"),
    Entry("ijcai2013/table4", "No-limit Kuhn, 0.4 pot and all-in", "ijcai2013.tables:table4"),
    Entry("ijcai2013/table5", "No-limit Kuhn, best single bet size", "ijcai2013.tables:table5"),
    Entry("ijcai2013/table6", "No-limit Leduc, 12 chips, fcpa", "ijcai2013.leduc:table6"),
    Entry(
        "ijcai2013/table7", "Mappings against the entrants of 2012", "ijcai2013.competition:table_7"
    ),
    Entry(
        "ijcai2013/table7-in-kind",
        "Mappings against our museum and exploiters",
        "ijcai2013.in_kind:in_kind",
        True,
    ),
    Entry("ijcai2013/figure1", "Randomised mappings, A = 0.01, B = 1", "ijcai2013.tables:figure1"),
    Entry("ijcai2013/figure2", "Randomised mappings, A = 1, B = 4", "ijcai2013.tables:figure2"),
    Entry(
        "ijcai2013/desiderata",
        "Which mapping has which property",
        "ijcai2013.desiderata:desiderata",
    ),
    Entry(
        "ijcai2013/appendixA",
        "Table 2 at the other extreme equilibrium",
        "ijcai2013.tables:appendix_a",
    ),
    Entry(
        "ijcai2013/footnote5",
        "How the mappings rank at both extremes",
        "ijcai2013.tables:footnote5",
    ),
    Entry(
        "ijcai2013/footnote6",
        "Table 3 if the Jack may fold to a check",
        "ijcai2013.tables:footnote6",
    ),
    Entry(
        "ijcai2013/uniqueness",
        "Every equilibrium of Kuhn bets 0.4 pot",
        "ijcai2013.uniqueness:uniqueness",
    ),
    Entry("tartanian/table1", "2007 no-limit competition", "cross_tables:tartanian_table_1"),
    Entry(
        "tartanian5/figure2",
        "Randomised mappings, A = 0.01, B = 1",
        "ijcai2013.tables:tartanian5_figure2",
    ),
    Entry(
        "tartanian5/figure3",
        "Randomised mappings, A = 1, B = 4",
        "ijcai2013.tables:tartanian5_figure3",
    ),
    Entry(
        "tartanian5/sizes",
        "Three sizes of abstraction",
        "tartanian5.sizes:size_experiment",
        True,
    ),
    Entry(
        "tartanian5/exploitability",
        "Exploitability within abstractions",
        "tartanian5.sizes:exploitabilities",
        True,
    ),
    Entry(
        "tartanian5/purification",
        "None, a threshold and full purification",
        "tartanian5.purification:purification",
        True,
    ),
    Entry(
        "tartanian5/river-solving",
        "Rivers looked up and rivers solved",
        "tartanian5.river_solving:river_solving",
        True,
    ),
    Entry("thesis/table1.1", "2007 no-limit competition", "cross_tables:thesis_table_1_1"),
    Entry(
        "thesis/table2.1",
        "Money: noise of single and duplicate hands",
        "thesis.evaluation:table_2_1",
    ),
    Entry(
        "thesis/table2.2",
        "DIVAT: noise of single and duplicate hands",
        "thesis.evaluation:table_2_2",
    ),
    Entry("thesis/table2.3", "Importance sampling: noise of a hand", "thesis.evaluation:table_2_3"),
    Entry(
        "thesis/section2.3.1",
        "Finer abstractions of Leduc, more exploitable",
        "thesis.refinement:section_2_3_1",
    ),
    Entry(
        "thesis/section3.2",
        "Size ratios of abstractions",
        "thesis.holdem.size_ratios:section_3_2",
    ),
    Entry(
        "thesis/table3.1",
        "Cards against betting at 100bb",
        "thesis.holdem.trade_offs:table_3_1",
        True,
    ),
    Entry(
        "thesis/table3.2",
        "Cards against betting at equal size, 200bb",
        "thesis.holdem.trade_offs:table_3_2",
        True,
    ),
    Entry(
        "thesis/table3.3",
        "What is remembered at 500bb",
        "thesis.holdem.trade_offs:table_3_3",
        True,
    ),
    Entry("thesis/table3.4", "Translation fixes, Leduc row", "thesis.leduc:table_3_4"),
    Entry("thesis/table3.5", "Real and abstract translation, Leduc row", "thesis.leduc:table_3_5"),
    Entry("thesis/table4.1", "Learning a translation boundary", "thesis.boundaries:table_4_1"),
    Entry(
        "thesis/table3.4-holdem",
        "Translation fixes, Hold'em rows",
        "thesis.holdem.fixes:table_3_4",
        True,
    ),
    Entry(
        "thesis/table3.5-holdem",
        "Real and abstract translation, Hold'em rows",
        "thesis.holdem.fixes:table_3_5",
        True,
    ),
    Entry(
        "thesis/section3.3.3",
        "The ten-pot bet against exploiters",
        "thesis.holdem.fixes:ten_pot_bet",
        True,
    ),
    Entry(
        "thesis/table4.1-holdem",
        "Learning a boundary of a Hold'em agent",
        "thesis.holdem.boundary:table_4_1",
        True,
    ),
    Entry(
        "tartanian/section7",
        "PokeMinn against absolute and relative rounding",
        "thesis.holdem.pokeminn:section_7",
        True,
    ),
    Entry(
        "thesis/table4.2",
        "Translations at 500bb, abstract",
        "thesis.holdem.exploited:table_4_2",
        True,
    ),
    Entry(
        "thesis/table4.3",
        "Translations at 100bb, abstract",
        "thesis.holdem.exploited:table_4_3",
        True,
    ),
    Entry(
        "thesis/table4.5",
        "Translations at 500bb, real",
        "thesis.holdem.exploited:table_4_5",
        True,
    ),
    Entry(
        "thesis/table4.6",
        "Translations at 100bb, real",
        "thesis.holdem.exploited:table_4_6",
        True,
    ),
    Entry("thesis/table4.4", "Leduc players, abstract translation", "thesis.leduc:table_4_4"),
    Entry("thesis/table4.7", "Leduc players, real translation", "thesis.leduc:table_4_7"),
    Entry("thesis/table5.1", "Cover players in Leduc", "thesis.cover_player:table_5_1"),
    Entry(
        "thesis/table5.2",
        "Coaches at 200bb",
        "thesis.holdem.coaches:table_5_2",
        True,
    ),
    Entry("thesis/table6.1", "2008 no-limit competition", "cross_tables:thesis_table_6_1"),
    Entry("thesis/table6.2", "2009 no-limit competition", "cross_tables:thesis_table_6_2"),
    Entry("thesis/tableA1", "Full cover set: 172 games", "thesis.cover_games:table_a1"),
    Entry("thesis/tableA2", "Sub cover set: 15 games", "thesis.cover_games:table_a2"),
    Entry(
        "thesis/section5.3", "Switching equilibria in Kuhn poker", "thesis.switching:kuhn_switching"
    ),
    Entry(
        "thesis/section6.1.2",
        "Hyperborean-BR in the 2009 competition, in kind",
        "thesis.bankroll:section_6_1_2",
        True,
    ),
    Entry(
        "tartanian5/safe-exploitation",
        "Safe exploitation in Kuhn and Leduc",
        "tartanian5.safe_exploitation:safe_exploitation",
        True,
    ),
    Entry("tartanian5/dbbr", "DBBR in limit Hold'em, weak opponents", "tartanian5.dbbr:dbbr", True),
    Entry("sartre/table2", "Cases merged and single, by round", "sartre.merging:table_2", True),
    Entry(
        "sartre/figure2", "Strength features, less and less cases", "sartre.usage:figure_2", True
    ),
    Entry("sartre/table3", "Re-use policies against each other", "sartre.reuse:table_3", True),
    Entry("sartre/imitation", "How well an expert is imitated", "sartre.imitation:imitation", True),
    Entry("sartre/exploitation", "Local best responses", "sartre.exploitation:exploitation", True),
    Entry("sartre/table15", "Three players, switching", "sartre.switching:table_15", True),
    Entry(
        "sartre/evolution-limit",
        "Sartre 2009 to 2011 in one league",
        "sartre.evolution:limit_evolution",
        True,
    ),
    Entry(
        "sartre/evolution-no-limit",
        "Sartre 2010 and 2011 in one league",
        "sartre.evolution:no_limit_evolution",
        True,
    ),
    Entry("sartre/table6", "2009 limit competition, ranks and sums", "sartre.competitions:table_6"),
    Entry("sartre/table7", "2010 limit competition, ranks and sums", "sartre.competitions:table_7"),
    Entry("sartre/table8", "2011 limit competition, ranks and sums", "sartre.competitions:table_8"),
    Entry("sartre/table12", "2010 no-limit competition", "sartre.competitions:table_12"),
    Entry("sartre/table13", "2011 no-limit competition", "sartre.competitions:table_13"),
    Entry("sartre/table16", "2011 three-player competition", "sartre.competitions:table_16"),
    Entry("beyond/bet-sizes-kuhn", "Best bet sizes in no-limit Kuhn", "bet_sizes:kuhn_sizes"),
    Entry("beyond/bet-sizes-leduc", "Best bet sizes in no-limit Leduc", "bet_sizes:leduc_sizes"),
    Entry(
        "beyond/bet-sizes-holdem",
        "Sizes to bet and to know in Hold'em",
        "holdem_bet_sizes:holdem_sizes",
        True,
    ),
    Entry(
        "beyond/bet-sizes-exploiters",
        "Sizes to bet and to know in Hold'em, by exploiters",
        "holdem_bet_sizes:exploited_sizes",
        True,
    ),
    Entry(
        "beyond/search-guards",
        "Subgames solved again, by guard",
        "subgames.guards:search_guards",
        True,
    ),
    Entry(
        "beyond/search-iterations",
        "Subgames solved again, by iterations of a solve",
        "subgames.guards:search_iterations",
    ),
    Entry(
        "beyond/nested-solving",
        "Bets outside the tree: translation and nested solving",
        "subgames.nested:nested_solving",
    ),
)


def find(name: str) -> Entry:
    """The entry of that name; the error names one that looks like it."""
    names = [entry.name for entry in ENTRIES]
    if name in names:
        return ENTRIES[names.index(name)]
    paper, _, number = name.partition("/")
    asked = [f"{paper}/{kind}{number}" for kind in ("table", "figure")]
    alike = [one for one in asked if one in names]
    if not alike and not any(one.startswith(f"{name}/") for one in names):
        alike = get_close_matches(name, names, n=1)
    hint = f"did you mean {alike[0]}?" if alike else "see `doyle papers list`"
    raise DoyleError(f"papers: no table or figure named {name!r}; {hint}")
