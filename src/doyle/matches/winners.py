"""The rankings of a league: the two winner rules of the ACPC.

*Total bankroll* ranks players by their total winnings, so it rewards beating weak opponents.
*Bankroll instant run-off* (Tartanian 2008, section 7) removes the player with the lowest bankroll,
counts again among the rest, and so on, so it rewards not losing to the strong. When no more players
are left than sit at a table, the run-off ends and those are ranked by their bankroll at that table.

Results are what the players of each table won there per hand, so the rules apply as well to a
printed cross-table (`from_matrix`), which need not be antisymmetric. Players with exactly equal
bankrolls share a place: they leave a run-off together, and are listed in the order of entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Number = int | float | Fraction

CrossTable = Mapping[tuple[str, ...], tuple[Number, ...]]
"""For each table the names of its players and their winnings per hand, in the same order."""


@dataclass(frozen=True)
class Elimination:
    """One step of a run-off: the bankrolls of the remaining players, and the eliminated one."""

    bankrolls: tuple[tuple[str, Fraction], ...]
    leaving: tuple[str, ...]


@dataclass(frozen=True)
class Ranking:
    """Places, best first; a place with several names is a tie."""

    places: tuple[tuple[str, ...], ...]
    bankrolls: tuple[tuple[str, Fraction], ...]
    eliminations: tuple[Elimination, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names, best first."""
        return tuple(name for place in self.places for name in place)

    @property
    def ties(self) -> tuple[tuple[str, ...], ...]:
        """The places that several players share."""
        return tuple(place for place in self.places if len(place) > 1)


def from_matrix(names: Sequence[str], matrix: Sequence[Sequence[Number | None]]) -> CrossTable:
    """The results of a two-player cross-table: winnings of the row player from the column player.

    >>> from_matrix(["a", "b"], [[None, 2], [-2, None]])
    {('a', 'b'): (2, -2)}
    """
    tables: dict[tuple[str, ...], tuple[Number, ...]] = {}
    for row, first in enumerate(names):
        for column in range(row + 1, len(names)):
            won, lost = matrix[row][column], matrix[column][row]
            if won is None or lost is None:
                raise ValueError(f"the cross-table has no result of {first} and {names[column]}")
            tables[first, names[column]] = (won, lost)
    return tables


def bankrolls(tables: CrossTable, *, among: Sequence[str]) -> dict[str, Fraction]:
    """Mean winnings per hand of each player over the tables whose players are all in `among`.

    >>> totals = bankrolls({("a", "b"): (3, -3), ("a", "c"): (-1, 1), ("b", "c"): (1, -1)}, among="abc")
    >>> {name: str(total) for name, total in totals.items()}
    {'a': '1', 'b': '-1', 'c': '0'}
    """
    results: dict[str, list[Fraction]] = {name: [] for name in among}
    for players, winnings in tables.items():
        if all(player in results for player in players):
            for player, won in zip(players, winnings, strict=True):
                results[player].append(Fraction(won))
    return {
        name: sum(values, Fraction(0)) / max(len(values), 1) for name, values in results.items()
    }


def total_bankroll(tables: CrossTable) -> Ranking:
    """Rank by total winnings over all tables."""
    totals = bankrolls(tables, among=_names(tables))
    return Ranking(places=_places(totals), bankrolls=tuple(totals.items()))


def instant_runoff(tables: CrossTable) -> Ranking:
    """Rank by removing the player with the lowest bankroll again and again."""
    remaining = list(_names(tables))
    seats = len(next(iter(tables)))
    last_places: list[tuple[str, ...]] = []
    eliminations: list[Elimination] = []
    while len(remaining) > seats:
        current = bankrolls(tables, among=remaining)
        leaving = _places(current)[-1]
        if len(remaining) - len(leaving) < seats:
            break  # a tie leaves too few for a table: the others keep their current ranking
        eliminations.append(Elimination(bankrolls=tuple(current.items()), leaving=leaving))
        last_places.append(leaving)
        remaining = [name for name in remaining if name not in leaving]
    final = bankrolls(tables, among=remaining)
    return Ranking(
        places=(*_places(final), *reversed(last_places)),
        bankrolls=tuple(final.items()),
        eliminations=tuple(eliminations),
    )


def _names(tables: CrossTable) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name for players in tables for name in players))
    if not names:
        raise ValueError("a ranking needs at least one table")
    return names


def _places(totals: Mapping[str, Fraction]) -> tuple[tuple[str, ...], ...]:
    values = sorted(set(totals.values()), reverse=True)
    return tuple(tuple(name for name in totals if totals[name] == value) for value in values)
