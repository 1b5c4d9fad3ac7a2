"""Points of a response curve: the winnings of responses to one opponent, and their possible losses.

*Gain* is a response's winnings against the opponent, *loss* its loss to its own nemesis beyond the
value of the game; both are means over the two seats. The *bound* of a restricted Nash response is p
/ (1 - p) times its gain over an equilibrium: an equilibrium strategy x* of the game earns p u(x*) +
(1 - p) v against an opponent who plays as modelled with probability p, the response earns no less,
and so v - worst case <= p / (1 - p) (u - u(x*)).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from doyle.base.artifacts.files import replacing, write_text
from doyle.base.display import Shown, Text
from doyle.base.statistics import Estimate
from doyle.games import Game
from doyle.strategy import TableStrategy


@dataclass(frozen=True, eq=False)
class ResponsePoint:
    """One response; chips per hand."""

    strategy: TableStrategy
    gain: Estimate
    share: float | None = None
    """The assumed probability that the opponent plays as modelled; None if a loss was stated."""
    loss_bound: float | None = None
    """The loss that was stated."""
    loss: Estimate | None = None
    """None if not measured."""
    bound: float | None = None
    """The theoretical bound on the loss; None at a share of 1."""

    def row(self, unit: float) -> dict[str, float | None]:
        """The numbers in `unit` chips."""
        loss = self.loss
        amounts = {
            "loss_bound_mbb_per_hand": self.loss_bound,
            "gain_mbb_per_hand": float(self.gain.mean),
            "gain_ci95": self.gain.ci95,
            "loss_mbb_per_hand": None if loss is None else float(loss.mean),
            "loss_ci95": None if loss is None else loss.ci95,
            "bound_mbb_per_hand": self.bound,
        }
        scaled = {name: None if v is None else v / unit for name, v in amounts.items()}
        return {"share": self.share, **scaled}


@dataclass(frozen=True, eq=False)
class ResponseCurve(Shown):
    """Responses to one opponent; `equilibrium` is an equilibrium's winnings against it, chips per
    hand."""

    game: Game
    opponent: str
    method: str
    equilibrium: Estimate
    points: tuple[ResponsePoint, ...]

    @property
    def _unit(self) -> float:
        return self.game.big_blind / 1000.0

    def document(self) -> dict[str, Any]:
        """In thousandths of a big blind per hand."""
        equilibrium = self.equilibrium.in_mbb(self.game.big_blind)
        return {
            "game": self.game.name,
            "opponent": self.opponent,
            "method": self.method,
            "equilibrium_mbb_per_hand": float(equilibrium.mean),
            "equilibrium_ci95": equilibrium.ci95,
            "responses": [point.row(self._unit) for point in self.points],
        }

    def text(self) -> Text:
        """The equilibrium's result, and a line for each response."""

        def amount(won: Estimate | None) -> str:
            return "-" if won is None else f"{won.scaled(1 / self._unit):.1f}"

        yield f"opponent    {self.opponent} in {self.game.name}, by {self.method}"
        solved = " (sampled as long as each response)" if self.method == "sampling" else ""
        yield f"equilibrium wins {amount(self.equilibrium)} mbb/h{solved}"
        yield f"{'asked':<18}{'wins mbb/h':>20}{'loses mbb/h':>20}{'loses at most mbb/h':>22}"
        for point in self.points:
            asked = "stated loss" if point.share is None else f"share {point.share:g}"
            most = None if point.bound is None else Estimate.exact(point.bound)
            wins, loses = amount(point.gain), amount(point.loss)
            yield f"{asked:<18}{wins:>20}{loses:>20}{amount(most):>22}"

    def write_csv(self, path: Path) -> None:
        """One line for each response."""
        rows = [point.row(self._unit) for point in self.points]
        names = list(rows[0]) if rows else []
        lines = [",".join("" if row[n] is None else repr(row[n]) for n in names) for row in rows]
        write_text(path, "\n".join([",".join(names), *lines]) + "\n")

    def _dot(self, loss: Estimate, gain: Estimate) -> tuple[float, float]:
        return float(loss.mean) / self._unit, float(gain.mean) / self._unit

    def _labels(self) -> dict[tuple[float, float], str]:
        """The requested share or bound at each dot, (loss, gain) in thousandths of a big blind."""
        labels: dict[tuple[float, float], str] = {}
        for kind, field in (("share", "share"), ("stated loss", "loss_bound")):
            asked: dict[tuple[float, float], list[str]] = {}
            for point in self.points:
                stated = getattr(point, field)
                if point.loss is not None and stated is not None:
                    loss, gain = self._dot(point.loss, point.gain)
                    where = round(loss, 1), round(gain, 1)
                    asked.setdefault(where, []).append(f"{stated:g}")
            for where, texts in asked.items():
                before = f"{labels[where]}; " if where in labels else ""
                labels[where] = f"{before}{kind} {', '.join(texts)}"
        return labels

    def draw(self, path: Path) -> None:
        """Gain over loss, one dot for each response."""
        from matplotlib.figure import Figure

        known = sorted(
            self._dot(point.loss, point.gain) for point in self.points if point.loss is not None
        )
        figure = Figure(figsize=(7, 4.5), layout="constrained")
        axes = figure.add_subplot()
        axes.plot([loss for loss, _ in known], [gain for _, gain in known], "o-", color="C0")
        _, equilibrium = self._dot(self.equilibrium, self.equilibrium)
        axes.axhline(equilibrium, color="C7", linestyle=":", label="equilibrium")
        for (loss, gain), text in self._labels().items():
            right = loss > (known[0][0] + known[-1][0]) / 2
            axes.annotate(
                text,
                (loss, gain),
                xytext=(-6 if right else 6, -14),
                textcoords="offset points",
                horizontalalignment="right" if right else "left",
            )
        axes.margins(x=0.12, y=0.1)
        axes.set_title(f"Responses to {self.opponent} in {self.game.name}")
        axes.set_xlabel("given away to the best opponent, beyond the game's value (mbb/h)")
        axes.set_ylabel(f"won from {self.opponent} (mbb/h)")
        axes.legend()
        with replacing(path, "wb") as stream:
            figure.savefig(stream, format=path.suffix[1:])
