"""Finer abstractions that are more exploitable (Schnizlein 2009, section 2.3.1), exactly, in Leduc Hold'em.

Section 2.3.1 states a result of Waugh et al.: if one abstraction strictly refines another, its equilibrium can
still be more exploitable in the whole game. Here every card abstraction of a family is solved in limit Leduc: a
player knows the class of its card, later that of the board's card, and perhaps whether the two make a pair. An
abstract game has many equilibria, which differ in the whole game, so two numbers are computed by linear
programs: the exploitability of its *least* exploitable equilibrium, and of the one that the program finds
first. A refinement that has the larger least number is more exploitable whichever equilibria are compared with
that best one of the coarser.

If only one seat is abstracted and the other plays the whole game, refining never hurts; the same programs
check that for every pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix

from doyle.experiments.papers.cell import Cell
from doyle.experiments.papers.equilibria import FACE, PlanProgram, gains
from doyle.experiments.papers.registry import Options
from doyle.experiments.papers.table import Result, Section
from doyle.games import Game
from doyle.solving.games import BlockMatrix, PrivateStates
from doyle.solving.games.matrix_game import Ints
from doyle.solving.games.small_games import bucket_game, small_game
from doyle.solving.methods.lp import constraints
from doyle.solving.methods.sequence_form import SequenceForm

GAME = "leduc"
PARTITIONS = {"JQK": (0, 0, 0), "J.QK": (0, 1, 1), "JQ.K": (0, 0, 1), "J.Q.K": (0, 1, 2)}
"""Classes of ranks: by rank the number of its class."""
RISE = 1e-6
"""Chips: differences up to this are rounding of linear programs."""
_RANKS = 3


@dataclass(frozen=True)
class Abstraction:
    """A player's information on its card and on the board's card, and whether it distinguishes a
    pair."""

    hole: str
    board: str
    pairs: bool

    def __str__(self) -> str:
        return f"{self.hole}/{self.board}{'+pair' if self.pairs else ''}"

    def buckets(self) -> tuple[Ints, Ints]:
        """The bucket of every private state in both rounds; states of the second are board by board."""
        holes, boards = PARTITIONS[self.hole], PARTITIONS[self.board]
        keys = [
            (holes[hole], boards[board], self.pairs and hole == board)
            for board, hole in product(range(_RANKS), repeat=2)
        ]
        numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
        return np.array(holes), np.array([numbers[key] for key in keys])

    def refines(self, other: Abstraction) -> bool:
        """Whether it is a strict refinement of the other."""
        finer, coarser = self.buckets(), other.buckets()
        determined = all(
            len(set(zip(mine.tolist(), theirs.tolist(), strict=True))) == len(set(mine.tolist()))
            for mine, theirs in zip(finer, coarser, strict=True)
        )
        return determined and self.size > other.size

    @property
    def size(self) -> int:
        """Buckets of both rounds."""
        return sum(len(set(one.tolist())) for one in self.buckets())


def family() -> tuple[Abstraction, ...]:
    """Every abstraction that is compared, the coarsest first."""
    found = [
        Abstraction(hole, board, pairs)
        for hole, board, pairs in product(PARTITIONS, PARTITIONS, (False, True))
    ]
    return tuple(sorted(dict.fromkeys(found), key=lambda one: (one.size, str(one))))


@dataclass(frozen=True)
class AbstractGame:
    """The whole game, the game in which both seats see buckets, and how plans are carried over."""

    whole: SequenceForm
    form: SequenceForm
    buckets: tuple[Ints, Ints]

    @classmethod
    def of(cls, whole: SequenceForm, abstraction: Abstraction) -> AbstractGame:
        """Leduc over the buckets of an abstraction, which both seats have."""
        small = small_game(Game.named(GAME))
        buckets = abstraction.buckets()
        rounds = [
            _merged(states, own, buckets[n - 1] if n else None)
            for n, (states, own) in enumerate(zip(small.cards.rounds, buckets, strict=True))
        ]
        game = bucket_game(f"leduc {abstraction}", small.tree, tuple(rounds))
        return cls(whole, SequenceForm(game), buckets)

    def lifted(self, seat: int) -> csr_matrix:
        """The matrix that makes a plan of the whole game from one over buckets."""
        tree = self.form.game.tree
        rows, columns = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
        for node in tree.decisions[tree.actor[tree.decisions] == seat].tolist():
            own = self.buckets[int(tree.round[node])]
            actions = int(tree.child_count[node])
            count = int(own.max()) + 1
            rows.append(np.arange(actions * len(own)) + self.whole.at(node).start)
            columns.append(
                (np.arange(actions)[:, None] * count + own).ravel() + self.form.at(node).start
            )
        row, column = np.concatenate(rows), np.concatenate(columns)
        shape = (self.whole.sizes[seat], self.form.sizes[seat])
        return coo_matrix((np.ones(len(row)), (row, column)), shape=shape).tocsr()

    def guaranteed(self, seat: int) -> tuple[float, float, float]:
        """The guaranteed value of a seat in the whole game: the program's first equilibrium of the
        abstract game, its best one, and the best plan over buckets at all."""
        lift = self.lifted(seat)
        won = gains(self.form, seat), gains(self.whole, seat) @ lift
        answers = [constraints(form, 1 - seat) for form in (self.form, self.whole)]
        # Against an opponent with buckets, and one with full information.
        program = PlanProgram(self.form, seat, *zip(won, answers, strict=True))
        first = program.solve(program.against(0))
        value = float(-first.fun)
        within = program.solve(program.against(1), least=value - FACE)
        behaviour = self.form.behaviour(seat, program.plan(first))
        realised = np.asarray(lift @ self.form.realise(seat, behaviour))
        worth = -self.whole.best_response(1 - seat, realised)[0]
        return worth, float(-within.fun), float(-program.solve(program.against(1)).fun)


def _merged(states: PrivateStates, buckets: Ints, before: Ints | None) -> PrivateStates:
    """The private states of a round after those of one bucket are merged, for both seats."""
    count = int(buckets.max()) + 1
    merge = np.zeros((len(buckets), count))
    merge[np.arange(len(buckets)), buckets] = 1.0
    parents = np.zeros(count, np.int64)
    if before is not None:
        parents[buckets] = before[states.parents[0]]
    return PrivateStates(
        (parents, parents),
        *(
            BlockMatrix.of([merge.T @ matrix.dense() @ merge])
            for matrix in (states.joint, states.showdown)
        ),
    )


@dataclass(frozen=True)
class Measured:
    """Of an abstraction, chips per hand, the mean of both seats."""

    abstraction: Abstraction
    first: float
    """Of the equilibrium that the linear program finds."""
    least: float
    """Of the least exploitable equilibrium of the abstract game."""
    one_sided: float
    """Of the plans that are best when the opponent sees everything."""


def exploitability(whole: SequenceForm, abstraction: Abstraction) -> Measured:
    """Solve the abstract game and measure its equilibria in the whole game."""
    game = AbstractGame.of(whole, abstraction)
    both = np.array([game.guaranteed(seat) for seat in (0, 1)])
    # Linear programs are solved to about 1e-9: without this the whole game shows as -0.
    first, least, one_sided = (np.round(-both.sum(axis=0) / 2, 8) + 0.0).tolist()
    return Measured(abstraction, first, least, one_sided)


def refinements(found: list[Measured]) -> list[tuple[Measured, Measured]]:
    """All pairs (coarser, finer)."""
    return [
        (coarse, fine)
        for coarse, fine in permutations(found, 2)
        if fine.abstraction.refines(coarse.abstraction)
    ]


def rises(found: list[Measured]) -> Iterator[tuple[Measured, Measured]]:
    """Pairs in which the finer is more exploitable by both numbers, the largest rise first."""
    pairs = [
        (coarse, fine)
        for coarse, fine in refinements(found)
        if min(fine.least, fine.first) > max(coarse.least, coarse.first) + RISE
    ]
    yield from sorted(pairs, key=lambda pair: pair[0].least - pair[1].least)


def section_2_3_1(options: Options) -> Result:
    """Every abstraction of the family, and the refinements that are more exploitable."""
    whole = SequenceForm(small_game(Game.named(GAME)))
    found = [exploitability(whole, abstraction) for abstraction in options.each(family())]
    pairs, worse = refinements(found), list(rises(found))
    one_sided = [pair for pair in pairs if pair[1].one_sided > pair[0].one_sided + RISE]
    cells = [
        Cell("a refinement can be more exploitable", "both seats abstracted", "yes", _said(worse)),
        Cell("a refinement can be more exploitable", "one seat abstracted", None, _said(one_sided)),
    ]
    for coarse, fine in worse:
        row = f"{coarse.abstraction} to {fine.abstraction}"
        for label, one in (("coarser", coarse), ("finer", fine)):
            cells.append(Cell(row, f"{label}, least", None, one.least))
            cells.append(Cell(row, f"{label}, first found", None, one.first))
    by_least = sum(fine.least > coarse.least + RISE for coarse, fine in pairs)
    return Result(
        cells,
        sections=(
            Section(
                "Abstractions (card/board): exploitability of equilibria, and if the opponent sees everything",
                ("abstraction", "buckets", "first found", "least", "one seat abstracted"),
                tuple(
                    (
                        str(one.abstraction),
                        one.abstraction.size,
                        one.first,
                        one.least,
                        one.one_sided,
                    )
                    for one in found
                ),
            ),
        ),
        notes=(
            f"Refinements compared: {len(pairs)}. More exploitable by their least exploitable equilibria: {by_least}. "
            f"By both numbers at once (the rows above): {len(worse)}.",
            f"More exploitable if only one seat is abstracted: {len(one_sided)}.",
        ),
    )


def _said(pairs: list[tuple[Measured, Measured]]) -> str:
    return "yes" if pairs else "no"
