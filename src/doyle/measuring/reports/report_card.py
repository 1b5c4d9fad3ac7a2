"""`ReportCard`: the instruments' results for one agent, and one sentence of advice.

A card of the benchmark is the same card by a frozen protocol (`measuring.reports.benchmark.score_card`), with the answers to
its probe.

Exploitability is shown if it can be computed exactly without hours of work: recorded with the
strategy, cheap to compute, or finished in the cache. A local best response bounds it from below if the
agent is a policy. Matches are against players that need no build, and published presets that are built
already; of three players the opponent has all other seats. Two policies whose joint histories are few are evaluated over all pairs of hands
(`exact-hands`); the others play duplicate matches (`duplicate`): against `random`, which bets every
size, and `ev`, whose sizes follow the board, there are too many histories in no-limit Hold'em.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from doyle.abstractions.cards import CardAbstraction
from doyle.agents.named_strategy import NamedStrategy, named_strategy
from doyle.agents.registry import SEARCH, Exploiting, FromStrategy, find_agent
from doyle.agents.resolve import resolve_agent
from doyle.agents.search import SearchAgent
from doyle.agents.search.settings import can_search
from doyle.agents.strategy_agent import StrategyAgent
from doyle.base.artifacts import Store
from doyle.base.display import Shown, Text
from doyle.base.statistics import NORMAL_95, Estimate
from doyle.base.workers import Progress, Workers
from doyle.building import is_built, named_build
from doyle.games import Agent, Game, Policy, bundled_names
from doyle.games.policies import CardBlind
from doyle.matches import MatchResult, play_match
from doyle.matches.match import DEFAULT_TIME_LIMIT
from doyle.measuring.exact_hands.evaluators import PlanEvaluator, evaluator
from doyle.measuring.exact_hands.run import run_exact_hands
from doyle.measuring.late_response import run_late_response
from doyle.measuring.local_best_response.response import default_actions
from doyle.measuring.local_best_response.run import run_lbr
from doyle.measuring.reports.advice import Advice
from doyle.measuring.reports.benchmark.probes import HEADS, ProbeResult, size_name
from doyle.measuring.runs import MOST_ENUMERATED, count_boards
from doyle.measuring.strategies import known_all_cards, measure
from doyle.solving.games.holdem import imperfect_recall_reason, pairs_description
from doyle.solving.games.small_games import SmallDeckBuckets
from doyle.strategy import PlaceView

OPPONENTS = ("always-fold", "always-call", "always-raise", "always-all-in", "random", "ev")
PRESETS = ("tartanian-small", "hyperborean07-small")
"""Opponents in Hold'em if they are built."""


@dataclass(frozen=True)
class LbrRow:
    """Winnings of a local best response against the agent, in thousandths of a big blind a hand."""

    actions: str
    rounds: str
    won: Estimate

    @property
    def label(self) -> str:
        """Actions and rounds as text.

        >>> LbrRow("56", "all", Estimate(0.0, None)).label
        '56 sizes, all rounds'
        >>> LbrRow("fcpa", "late", Estimate(0.0, None)).label
        'fcpa, turn and river'
        """
        actions = {"56": "56 sizes", "all": "all actions"}.get(self.actions, self.actions)
        return f"{actions}, {'turn and river' if self.rounds == 'late' else 'all rounds'}"

    def document(self) -> dict[str, Any]:
        return {"actions": self.actions, "rounds": self.rounds, **self.won.document()}


@dataclass(frozen=True)
class LateRow:
    """Winnings of an exact response from the river on against the agent, or against it with
    search."""

    agent: str
    actions: str
    searches: bool
    won: Estimate

    @property
    def label(self) -> str:
        """The responder as text.

        >>> LateRow("search:a", "fcpa", True, Estimate(0.0, None)).label
        'fcpa, river, with search'
        """
        actions = {"18": "18 sizes"}.get(self.actions, self.actions)
        return f"{actions}, river{', with search' if self.searches else ''}"

    def document(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "actions": self.actions,
            "searches": self.searches,
            **self.won.document(),
        }


@dataclass(frozen=True)
class OpponentRow:
    """The agent's winnings against an opponent."""

    opponent: str
    won: Estimate
    method: str
    """`exact-hands` or `duplicate`."""
    note: str | None = None
    """That the agent forfeited or acted illegally."""

    @property
    def method_and_note(self) -> str:
        return self.method if self.note is None else f"{self.method}; {self.note}"

    def document(self) -> dict[str, Any]:
        return {
            "opponent": self.opponent,
            **self.won.document(),
            "method": self.method,
            **({} if self.note is None else {"note": self.note}),
        }


@dataclass(frozen=True)
class Budget:
    """The sample sizes of each run."""

    hands: int = 2000
    """Of a local best response."""
    deals: int = 10_000
    """Deals of a duplicate match; 0 plays no match, and reports the other results."""
    boards: int = 400
    """Of an exact-hands evaluation."""
    seed: int = 0

    @classmethod
    def of(cls, deals: int, *, seed: int = 0) -> Budget:
        """With as many deals, and the rest in proportion.

        >>> Budget.of(10_000) == Budget()
        True
        """
        return cls(hands=max(4, deals // 5), deals=deals, boards=max(2, deals // 25), seed=seed)


@dataclass(frozen=True)
class ReportCard(Shown):
    """All that was measured of an agent; numbers in thousandths of a big blind per hand."""

    agent: str
    game: Game
    budget: Budget
    abstract: float | None
    betting_tree: float | None
    lbr: tuple[LbrRow, ...]
    matches: tuple[OpponentRow, ...]
    late: tuple[LateRow, ...] = ()
    version: int | None = None
    """Version of the benchmark protocol of the measurement; None in a report."""
    reference: str | None = None
    """The digest of the benchmark's reference strategy, where it was played."""
    probes: ProbeResult | None = None

    @property
    def title(self) -> str:
        return "report card" if self.version is None else f"benchmark version {self.version}"

    @property
    def advice(self) -> Advice:
        """The agent's strength, and how to improve it."""
        return Advice.of(
            self.game,
            exact=self.betting_tree,
            lbr={(row.actions, row.rounds): row.won for row in self.lbr},
            matches={row.opponent: row.won for row in self.matches},
            late=[row.won for row in self.late if not row.searches],
        )

    @property
    def is_measured(self) -> bool:
        """Whether anything was played; a build may be reported without."""
        return bool(self.lbr or self.matches)

    @property
    def leaks(self) -> list[float]:
        """The bets, in pots, that any two cards make with profit beyond doubt.

        With 95% for all sizes together: each has a fair share of the doubt.
        """
        rows = () if self.probes is None else self.probes.answers
        each = NormalDist().inv_cdf(1.0 - 0.025 / max(len(rows), 1)) / NORMAL_95
        return [
            row.pots
            for row in rows
            if row.bluff is not None
            and row.bluff.ci95 is not None
            and row.bluff.mean > each * row.bluff.ci95
        ]

    @property
    def sentence(self) -> str:
        """The agent's strength, and how to improve it; for the benchmark, its leaks."""
        if self.version is None:
            return self.advice.sentence
        leaks = ", ".join(map(size_name, self.leaks))
        return self.advice.how_good + (
            f"; bets of {leaks} win with any two cards." if leaks else "."
        )

    def document(self) -> dict[str, Any]:
        """The card as one JSON document."""
        if self.version is not None:
            return {
                "benchmark": "doyle",
                "version": self.version,
                "agent": self.agent,
                "game": self.game.name,
                "seed": self.budget.seed,
                "hands": self.budget.deals,
                "boards": self.budget.boards,
                "lbr_hands": self.budget.hands,
                "reference_digest": self.reference,
                "matches": [row.document() for row in self.matches],
                "lbr": [row.document() for row in self.lbr],
                "probes": None if self.probes is None else self.probes.document(),
            }
        return {
            "agent": self.agent,
            "game": self.game.name,
            "seed": self.budget.seed,
            "advice": self.advice.sentence if self.is_measured else None,
            "abstract_exploitability_mbb": self.abstract,
            "betting_tree_exploitability_mbb": self.betting_tree,
            "lbr": [row.document() for row in self.lbr],
            "late_responses": [row.document() for row in self.late],
            "matches": [row.document() for row in self.matches],
        }

    def text(self) -> Text:
        """The card in lines."""
        yield f"{self.title}: {self.agent} in {self.game.name}, all numbers in mbb/h with 95% intervals"
        if self.is_measured:
            yield self.sentence
        if self.version is None:
            for name, known in self.exploitability():
                yield f"  exploitability {name:<35} {known}"
        for row in self.lbr:
            yield f"  local best response, {row.label:<22} wins {amount(row.won)}"
        for late in self.late:
            yield f"  exact response, {late.label:<27} wins {amount(late.won)}"
        for match in self.matches:
            yield f"  against {match.opponent:<36} {amount(match.won):>20}  {match.method_and_note}"
        if self.probes is None:
            return
        yield "answers to bets after the first round (a bluff loses whenever it is not folded to):"
        for cells in (HEADS, *self.probes.cells()):
            yield f"  {cells[0]:<10}{''.join(f'{cell:>9}' for cell in cells[1:5])}  {cells[5]}"
        yield self.probes.sentence

    def exploitability(self) -> list[tuple[str, str]]:
        """Exploitability by the game it is in."""
        return [
            (name, "not known" if value is None else f"{value:,.2f} mbb/h")
            for name, value in (
                ("in the abstract game", self.abstract),
                ("in its betting tree over all cards", self.betting_tree),
            )
        ]


def amount(won: Estimate) -> str:
    """A result with its interval.

    >>> amount(Estimate(-1234.4, 20.0)), amount(Estimate.exact(3.25))
    ('-1,234 ± 20', '+3.2')
    """
    return f"{won:+,.{1 if abs(float(won.mean)) < 100 else 0}f}"


def report_card(
    agent: str,
    game: Game,
    *,
    name: str | None = None,
    budget: Budget | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> ReportCard:
    """Measure an agent, given by its text, in a game; nothing is built. `name` is shown for it."""
    chosen = budget or Budget()
    abstract, betting_tree = _exploitability(agent, game, workers, progress)
    if chosen.deals == 0:
        return ReportCard(name or agent, game, chosen, abstract, betting_tree, (), ())
    player = resolve_agent(agent, game)
    lbr = lbr_rows(agent, player, game, chosen, workers=workers, progress=progress)
    late = late_rows(agent, player, game, chosen, workers=workers, progress=progress)
    matches = [
        against(agent, player, opponent, game, chosen, workers=workers, progress=progress)
        for opponent in opponents_of(name or agent, game)
    ]
    return ReportCard(
        name or agent, game, chosen, abstract, betting_tree, lbr, tuple(matches), late
    )


def opponents_of(agent: str, game: Game) -> list[str]:
    """The baselines and, in no-limit games that presets play, the built presets; without the agent
    itself."""
    fits = game.is_holdem and not game.is_limit and game.players == 2
    known = game.name in bundled_names()
    presets = [f"{name}@{game.name}" for name in PRESETS] if fits and known else []
    built = []
    for name in presets:
        description = named_build(name)
        if description is not None and description.game.value == game.name:
            built += [name] if is_built(description) else []
    return [name for name in (*OPPONENTS, *built) if name != agent]


def lbr_rows(
    agent: str,
    player: Agent,
    game: Game,
    budget: Budget,
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> tuple[LbrRow, ...]:
    """Winnings of local best responses against a policy of two players; () for other agents."""
    if game.players != 2 or not isinstance(player, Policy):
        return ()
    rows = []
    for actions, rounds in _responders(game):
        found = run_lbr(
            game,
            agent,
            actions=actions,
            rounds=rounds,
            hands=budget.hands,
            seed=budget.seed,
            workers=workers,
            progress=progress,
        )
        rows.append(LbrRow(actions, rounds, found.won))
    return tuple(rows)


def late_rows(
    agent: str,
    player: Agent,
    game: Game,
    budget: Budget,
    *,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> tuple[LateRow, ...]:
    """Winnings of exact responses from the river on, also against the agent with search; a quarter
    of the hands.

    For strategies and searching agents of no-limit Hold'em for two; () for other agents.
    """
    searches = isinstance(player, SearchAgent)
    if not (searches or isinstance(player, StrategyAgent)) or not can_search(game):
        return ()
    chosen = [(agent, "fcpa"), (agent, "18")]
    if not searches:
        chosen.append((f"{SEARCH}:{agent}", "fcpa"))
    rows = []
    for text, actions in chosen:
        found = run_late_response(
            game,
            text,
            actions=actions,
            hands=max(2, budget.hands // 4),
            seed=budget.seed,
            workers=workers,
            progress=progress,
        )
        added = text != agent
        rows.append(LateRow(text, actions, added, found.won))
    return tuple(rows)


def _responders(game: Game) -> tuple[tuple[str, str], ...]:
    """Action sets and rounds of local best responses."""
    if game.is_holdem and not game.is_limit:
        return ("fcpa", "late"), ("fcpa", "all"), ("56", "late"), ("56", "all")
    return ((default_actions(game), "all"),)


def against(
    agent: str | Agent,
    player: Agent,
    opponent: str,
    game: Game,
    budget: Budget,
    *,
    name: str | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> OpponentRow:
    """Winnings of an agent, `player` as text or object; `name` is shown for the opponent.

    With more than two players the opponent has all the other seats.
    """
    shown = name or opponent
    if isinstance(agent, str) and _few_histories(player, resolve_agent(opponent, game), game):
        exact = run_exact_hands(
            game,
            [agent, opponent],
            boards=budget.boards,
            seed=budget.seed,
            workers=workers,
            progress=progress,
        )
        return OpponentRow(shown, exact.won, "exact-hands")
    played = play_match(
        game,
        [agent, *(opponent for _ in range(game.players - 1))],
        hands=budget.deals,
        seed=budget.seed,
        time_limit=time_limit,
        workers=workers,
        progress=progress,
    )
    return OpponentRow(shown, played.mbb_per_hand(0), "duplicate", _conduct(played))


def _conduct(played: MatchResult) -> str | None:
    """The first player's forfeits and illegal actions."""
    for forfeit in played.forfeits:
        if forfeit.player == 0:
            return f"forfeited from hand {forfeit.hand:,} on: {forfeit.reason}"
    illegal = played.illegal_actions[0]
    return f"{illegal:,} illegal actions were clamped or became calls" if illegal else None


def _few_histories(first: Agent, second: Agent, game: Game) -> bool:
    """Whether the joint histories of two policies can be walked board after board."""
    if game.players != 2 or not (isinstance(first, Policy) and isinstance(second, Policy)):
        return False
    if count_boards(game) <= MOST_ENUMERATED:
        return True
    if isinstance(first, StrategyAgent) and isinstance(second, StrategyAgent):
        both = evaluator(game, (first, second)), evaluator(game, (second, first))
        return all(isinstance(one, PlanEvaluator) for one in both)
    return isinstance(first, CardBlind | StrategyAgent) and isinstance(
        second, CardBlind | StrategyAgent
    )


def _exploitability(
    agent: str, game: Game, workers: Workers | None, progress: Progress | None
) -> tuple[float | None, float | None]:
    """In the abstract game and over all cards in the betting tree, where that is known."""
    named = strategy_of_agent(agent)
    if named is None or game.players != 2:
        return None, None
    unit = 1000.0 / game.big_blind
    cards = named.bucketing
    if isinstance(cards, SmallDeckBuckets):  # measured whole
        found = measure(named, workers=workers, progress=progress)
        whole = None if found.found is None else found.found.total * unit
        return (whole if found.translation is None else None), whole
    full = known_all_cards(named)
    known = None if full is None or full.exploitability is None else full.exploitability.total
    abstract = _abstract(named, cards, workers, progress)
    return (
        None if abstract is None else abstract * unit,
        None if known is None else known * unit,
    )


def _abstract(
    named: NamedStrategy,
    cards: CardAbstraction,
    workers: Workers | None,
    progress: Progress | None,
) -> float | None:
    """Chips per hand in the abstract game: as recorded, or computed if its pairs are counted."""
    info = named.tables.info
    if imperfect_recall_reason(cards) is not None:
        return None
    if not named.options:
        record = info.exploitability_as_played
        if record is None and named.purification == "none":
            record = info.exploitability
        if record is not None:
            return record.total
    if Store().find(pairs_description(cards)) is None:
        return None
    found = measure(named, workers=workers, progress=progress).found
    return None if found is None else found.total


def preflop_grids(agent: str) -> list[PlaceView]:
    """The play of a Hold'em strategy at its first decisions; empty for other agents."""
    named = strategy_of_agent(agent)
    if named is None or isinstance(named.bucketing, SmallDeckBuckets):
        return []
    tree, buckets = named.tables.tree, named.bucketing.buckets(())
    first = tree.decisions[tree.round[tree.decisions] == 0][:2]
    return [PlaceView.of_strategy(named.played, buckets, int(node)) for node in first]


def strategy_of_agent(agent: str) -> NamedStrategy | None:
    """The strategy that the agent of this text plays, if it is one of ours."""
    found = find_agent(agent)
    return named_strategy(agent) if isinstance(found, FromStrategy | Exploiting) else None
