"""`abstraction`, `read_hands` and `translate`: single parts of the pipeline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from doyle.abstractions.cards import CardAbstraction
from doyle.abstractions.cards import build as build_abstraction
from doyle.base.display import table_html
from doyle.base.errors import DoyleError
from doyle.base.workers import Progress, Workers
from doyle.base.workers.local import available_cores
from doyle.games import Game
from doyle.games.histories import Hand, read_phh
from doyle.games.histories import read_hands as read_log_hands
from doyle.games.histories.files import kind_of
from doyle.games.histories.logs import game_of_log
from doyle.strategy.translation import mapping as find_mapping


def abstraction(
    name: str, *, seed: int = 0, workers: int | None = None, progress: Progress | None = None
) -> CardAbstraction:
    """The card abstraction of a name such as `8.8.8.8` or `ir169.ir200.ir200.200`.

    It is built in the cache if absent; the first one also builds the strength atlas, which takes a
    minute or two. The result never depends on the number of workers.
    """
    chosen = Workers(workers or available_cores())
    return build_abstraction(name, seed=seed, workers=chosen, progress=progress)


def read_hands(path: str | Path, game: Game | str | Path | None = None) -> Iterator[Hand]:
    """The hands of an ACPC log, or of a `.phh` or `.phhs` file, one at a time; `.gz` and `.xz` too.

    PHH files describe their own game, and the head of a log usually names it; otherwise give `game`.
    """
    file = Path(path)
    played = None if game is None else Game.of(game)
    if kind_of(file) in (".phh", ".phhs"):
        return read_phh(file, played)
    return read_log_hands(file, played or game_of_log(file))


@dataclass(frozen=True)
class TranslatedBet:
    """How a bet between two known ones is read, in pots."""

    mapping: str
    size: float
    lower: float
    upper: float
    probability_of_lower: float
    median: float
    """The size that is read as either with probability one half; deterministic: where it changes."""

    @property
    def probability_of_upper(self) -> float:
        return 1.0 - self.probability_of_lower

    def _repr_html_(self) -> str:
        rows = [
            [f"as {self.lower:g} pots", f"{self.probability_of_lower:.4f}"],
            [f"as {self.upper:g} pots", f"{self.probability_of_upper:.4f}"],
        ]
        return table_html(["", ""], rows, title=f"{self.size:g} pots, read by {self.mapping}")


def translate(
    size: float, between: tuple[float, float], *, mapping: str = "rand-pshar"
) -> TranslatedBet:
    """How a bet of `size` pots is read `between` two known bets.

    >>> translate(0.7, (0.5, 1.0)).probability_of_lower
    0.5294117647058825
    """
    lower, upper = between
    if not all(0 <= pots < float("inf") for pots in (size, lower, upper)):
        raise DoyleError(f"translate: expected numbers of pots, not {size} between {between}")
    found = find_mapping(mapping)
    return TranslatedBet(
        mapping=found.name,
        size=size,
        lower=lower,
        upper=upper,
        probability_of_lower=float(found.probability(lower, upper, size)),
        median=float(found.median(lower, upper)),
    )
