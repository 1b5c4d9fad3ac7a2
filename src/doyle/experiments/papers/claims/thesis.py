"""Claims of Schnizlein's thesis about its played tables, and about the Leduc tables by
equilibrium."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from doyle.base.statistics import Estimate
from doyle.experiments.papers.claims.deciding import Claim, Numbers, View, alike

_FIXES = ("CisC", "EC", "AA", "EC,CisC", "AA,CisC", "AA,EC", "All")
_MODELS = ("fchpda", "fcpda", "fchda", "fchpa", "fcha", "fcpa", "fcda", "fca")
_OFF = "fcpa.8.8.8.8 (Off)"
_ON = ("fcpa.8.8.8.8 (On)", "Hyperborean (On)")
_KINDS = ("Basic", "GEA", "OC", "GEA.OC")
_VALUES = tuple(f"{value}-{kind}" for value in ("Money", "DIVAT") for kind in _KINDS)
_SHARES = ("0.1", "0.3", "0.5", "0.7", "0.9")
_SMALL = 10.0
"""mb/h within which values count as the same for the paper's claims."""
_THIRDS = 0.1
"""How far from two thirds a ratio may be that is "roughly" so."""


def _single(view: View) -> Iterator[tuple[Estimate, Estimate]]:
    """The deviation of single and of duplicate hands in every match."""
    for row in view.rows("Std"):
        yield view(row, "Std"), view(row, "Duplicate Std")


def _wins(row: str, *columns: str) -> Numbers:
    return lambda view: [view(row, column) for column in columns]


def _less(row: str, column: str, than: str) -> Numbers:
    """That a row wins less in one column than in the other."""
    return lambda view: [view(row, than) - view(row, column)]


def _abstract_against_real(abstract: str) -> Numbers:
    """That `+-` and its variants win more from real translation, in the tables of one game."""
    return lambda view: [view("+-", "Hard") - view("+-", "Hard", table=abstract)]


def _reduced_by_more_options(view: View) -> list[Estimate]:
    return [
        view(f"{value}-Basic", column) - view(f"{value}-GEA.OC", column)
        for column in (*_ON, _OFF)
        for value in ("Money", "DIVAT")
    ]


_BY_HARD_AND_SOFT = (
    Claim("+- wins less from soft translation than from hard", _less("+-", "Soft", "Hard")),
    Claim("soft ND improves on soft against +-", _less("+-", "Soft ND", "Soft")),
    Claim("soft does not beat the inverse player -+ by as much as hard", _less("-+", "Hard", "Soft")),
    Claim("+1-1 wins less from soft than from hard", _less("+1-1", "Soft", "Hard")),
)  # fmt: skip


def _leduc_soft(view: View) -> list[Estimate]:
    return [
        view(model, f"Hard-{seat}") - view(model, f"Soft-{seat}")
        for model in _MODELS
        for seat in ("P1", "P2")
    ]


def _leduc_real(view: View) -> list[Estimate]:
    return [
        view(model, f"{mode}-{seat}") - view(model, f"{mode}-{seat}", table="thesis/table4.4")
        for model in _MODELS
        for mode in ("Hard", "Soft", "SoftND")
        for seat in ("P1", "P2")
    ]


CLAIMS: Mapping[str, tuple[Claim, ...]] = {
    "thesis/table2.1": (
        Claim(
            "duplicate hands deviate less than single ones, whatever the match",
            lambda view: [single - twice for single, twice in _single(view)],
        ),
        Claim(
            "the duplicate deviation is roughly two thirds of the single one (within 0.1)",
            lambda view: [
                alike(twice, single * (2 / 3), within=_THIRDS * float(single.mean))
                for single, twice in _single(view)
            ],
        ),
    ),
    "thesis/table2.2": (
        Claim(
            "DIVAT reduces the deviation of single hands",
            lambda view: [
                view(row, "Std", table="thesis/table2.1") - view(row, "Std")
                for row in view.rows("Std")
            ],
        ),
        Claim(
            "the reduction is small: at most 25% (printed 10 to 20%)",
            lambda view: [
                view(row, "Std") - view(row, "Std", table="thesis/table2.1") * 0.75
                for row in view.rows("Std")
            ],
        ),
    ),
    "thesis/table2.3": (
        Claim("the deviation falls as more options are turned on", _reduced_by_more_options),
        Claim(
            "off-policy evaluations are noisier than on-policy ones",
            lambda view: [view(row, _OFF) - view(row, on) for row in _VALUES for on in _ON],
        ),
        Claim(
            "much noisier: at least twice (printed 3.8 to 9.4 times)",
            lambda view: [view(row, _OFF) - view(row, on) * 2.0 for row in _VALUES for on in _ON],
        ),
    ),
    "thesis/table3.1": (
        Claim("the half-pot bet helps: (1) beats (3)", _wins("(1)", "(3)")),
        Claim("finer cards help: (2) beats (3)", _wins("(2)", "(3)")),
        Claim("the bet is worth at least as much as finer cards: (1) beats (2)", _wins("(1)", "(2)")),
        Claim(
            "(1) wins more from (3) than (2) does",
            lambda view: [view("(1)", "(3)") - view("(2)", "(3)")],
        ),
    ),
    "thesis/table3.2": (
        Claim("(1) performs best: it beats both others", _wins("(1)", "(2)", "(3)")),
        Claim("(3) plays as well as (2): it loses at most 10 mb/h", lambda view: [view("(3)", "(2)") - -_SMALL]),
    ),
    "thesis/table3.3": (
        Claim("the best strategy is (1): it beats all others",
              _wins("(1)", "(2)", "(3)", "(4)", "(5)", "(6)")),
        Claim("(1) keeps pace with (2): it does not lose to it", _wins("(1)", "(2)")),
        Claim("strict dominance of (3) over (4) over (6)",
              lambda view: [view("(3)", "(4)"), view("(4)", "(6)"), view("(3)", "(6)")]),
        Claim("(3) and (4) outperform (5)", lambda view: [view("(3)", "(5)"), view("(4)", "(5)")]),
        Claim("(3) performs the best of (3) to (6)", _wins("(3)", "(4)", "(5)", "(6)")),
    ),
    "thesis/table3.4": (
        Claim("CisC reduces exploitability by more than half",
              lambda view: [view("Leduc BR", "Unfixed") * 0.5 - view("Leduc BR", "CisC")]),
        Claim("AA alone has no effect",
              lambda view: [alike(view("Leduc BR", "AA"), view("Leduc BR", "Unfixed"), within=1.0)]),
        Claim("AA improves CisC, and EC",
              lambda view: [view("Leduc BR", fix) - view("Leduc BR", f"AA,{fix}") for fix in ("CisC", "EC")]),
        Claim("EC improves the unfixed translation", _less("Leduc BR", "EC", "Unfixed")),
        Claim("EC makes CisC worse, with AA and without",
              lambda view: [view("Leduc BR", "EC,CisC") - view("Leduc BR", "CisC"),
                            view("Leduc BR", "All") - view("Leduc BR", "AA,CisC")]),
        Claim("all fixes together reduce exploitability by about half (0.4 to 0.6)",
              lambda view: [view("Leduc BR", "Unfixed") * 0.6 - view("Leduc BR", "All"),
                            view("Leduc BR", "All") - view("Leduc BR", "Unfixed") * 0.4]),
    ),
    "thesis/table3.5": (
        Claim("real translation is more exploitable than abstract", _less("Leduc BR", "Abstract", "Real")),
    ),
    "thesis/table3.4-holdem": (
        Claim("almost all changes make +- win more (all but one)",
              lambda view: [view("+-", fix) - view("+-", "Unfixed") for fix in _FIXES], exceptions=1),
        Claim("CisC takes most of what AllDown wins",
              lambda view: [view("AllDown", "Unfixed") * 0.5 - view("AllDown", "CisC")]),
        Claim("no fix has a significant effect on naivePA (within a tenth)",
              lambda view: [alike(view("naivePA", fix), view("naivePA", "Unfixed"),
                                  within=0.1 * abs(float(view("naivePA", "Unfixed").mean))) for fix in _FIXES]),
    ),
    "thesis/table3.5-holdem": (
        Claim("real translation is more exploitable than abstract",
              lambda view: [view(row, "Real") - view(row, "Abstract") for row in ("fcpta vs +-", "fcpa vs +-")]),
    ),
    "thesis/section3.3.3": (
        Claim("the ten-pot bet takes away most of what naivePA wins",
              lambda view: [view("naivePA", "fcpa") * 0.5 - view("naivePA", "fcpta")]),
        Claim("the ten-pot bet helps against +-", _less("+-", "fcpta", "fcpa")),
    ),
    **{
        name: (
            Claim("convergence is quick: within 250 of 500 hands on average",
                  lambda view: [250.0 - view("Average Iteration", share) for share in _SHARES]),
            Claim("accuracy is high: at most one run in ten fails",
                  lambda view: [0.1 - view("Error Rate", share) for share in _SHARES]),
        )
        for name in ("thesis/table4.1", "thesis/table4.1-holdem")
    },
    "thesis/table4.2": (
        Claim("naivePA beats hard translation", _wins("naivePA", "Hard")),
        Claim("naivePA beats soft translation too", _wins("naivePA", "Soft")),
        Claim("but by less than hard", _less("naivePA", "Soft", "Hard")),
        Claim("soft ND makes naivePA lose", lambda view: [-view("naivePA", "Soft ND")]),
        *_BY_HARD_AND_SOFT,
        Claim("soft does not beat the inverse player -1+1 by as much as hard", _less("-1+1", "Hard", "Soft")),
        Claim("soft ND performs very closely to soft against +1-1 and -1+1 (within 10 mb/h)",
              lambda view: [alike(view(row, "Soft ND"), view(row, "Soft"), within=_SMALL)
                            for row in ("+1-1", "-1+1")]),
        Claim("soft does slightly worse than hard against fc75pa and fc125pa",
              lambda view: [view(row, "Soft") - view(row, "Hard") for row in ("fc75pa", "fc125pa")]),
    ),
    "thesis/table4.3": (
        Claim("naivePA beats hard translation", _wins("naivePA", "Hard")),
        Claim("soft translation turns its win into a loss", lambda view: [-view("naivePA", "Soft")]),
        Claim("+- wins less from soft translation than from hard", _less("+-", "Soft", "Hard")),
        Claim("soft ND loses more than soft to -1+1 and fc125pa",
              lambda view: [view(row, "Soft ND") - view(row, "Soft") for row in ("-1+1", "fc125pa")]),
    ),
    "thesis/table4.4": (
        Claim("soft is less exploitable than hard, but for one", _leduc_soft, exceptions=1),
        Claim("soft ND rarely performs better than soft",
              lambda view: [view(model, f"SoftND-{seat}") - view(model, f"Soft-{seat}") - -1e-9
                            for model in _MODELS for seat in ("P1", "P2")]),
        Claim("soft ND makes fcha more exploitable than hard",
              lambda view: [view("fcha", f"SoftND-{seat}") - view("fcha", f"Hard-{seat}")
                            for seat in ("P1", "P2")]),
    ),
    "thesis/table4.5": (
        Claim("naivePA wins less from hard than with abstract translation",
              lambda view: [view("naivePA", "Hard", table="thesis/table4.2") - view("naivePA", "Hard")]),
        Claim("naivePA loses to soft translation", lambda view: [-view("naivePA", "Soft")]),
        Claim("+- wins more than with abstract translation", _abstract_against_real("thesis/table4.2")),
        *_BY_HARD_AND_SOFT,
    ),
    "thesis/table4.6": (
        Claim("naivePA wins less from hard than with abstract translation",
              lambda view: [view("naivePA", "Hard", table="thesis/table4.3") - view("naivePA", "Hard")]),
        Claim("naivePA loses to soft translation", lambda view: [-view("naivePA", "Soft")]),
        Claim("+- wins more than with abstract translation", _abstract_against_real("thesis/table4.3")),
        *_BY_HARD_AND_SOFT,
    ),
    "thesis/table4.7": (
        Claim("soft is less exploitable than hard in every situation", _leduc_soft),
        Claim("real translation is more exploitable than abstract, but for 7 of 48 as in print", _leduc_real, exceptions=7),
    ),
    "thesis/table5.1": (
        Claim("fcpa with abstract and soft translation outperforms the full cover",
              lambda view: [view("Full Cover", "Average") - view("fcpa (abstract,soft)", "Average")]),
        Claim("the sub cover outperforms the full cover",
              lambda view: [view("Full Cover", "Average") - view("Sub Cover", "Average")]),
        Claim("the sub cover performs best of all",
              lambda view: [view(row, "Average") - view("Sub Cover", "Average")
                            for row in view.rows("Average") if row not in ("Sub Cover", "Equilibrium")]),
    ),
    "thesis/table5.2": (
        Claim("the Defensive Coach loses to (2)", lambda view: [-view("Defensive Coach", "(2)")]),
        Claim("it loses more to (2) than (1) does", lambda view: [view("(1)", "(2)") - view("Defensive Coach", "(2)")]),
        Claim("the Full Coach does much better against (2) than the Defensive Coach",
              lambda view: [view("Full Coach", "(2)") - view("Defensive Coach", "(2)")]),
        Claim("the Full Coach still loses to (2)", lambda view: [-view("Full Coach", "(2)")]),
        Claim("the Full Coach does worse against (1) than against (2)",
              lambda view: [view("Full Coach", "(2)") - view("Full Coach", "(1)")]),
    ),
    "thesis/section6.1.2": (
        Claim("the bankroll agent defeats both Tartanians",
              lambda view: [view("tartanian", "sb/h"), view("tartanian2", "sb/h")]),
        Claim("by more than a player loses that folds every hand (0.75)",
              lambda view: [view(name, "sb/h") - 0.75 for name in ("tartanian", "tartanian2")]),
        Claim("the equilibrium agent defeats the bankroll agent", lambda view: [-view("hyperborean09-eqm", "sb/h")]),
    ),
}  # fmt: skip
