"""The setting of the two-player limit experiments: experts, training, and compiled matches.

Experts are presets at small scale, built when they are missing; logs and case bases are kept in the
cache, so an experiment that was interrupted resumes where it stopped. Matches are duplicate, in small
bets per hand; kernels play tens of thousands of deals in seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from doyle.agents import resolve_agent
from doyle.agents.case_bases import Architecture, CaseBase
from doyle.agents.cases import CaseBasedAgent, VotingAgent
from doyle.agents.cases.agent import LetterAgent
from doyle.base.statistics import Estimate
from doyle.building import load_or_build_strategy
from doyle.experiments.papers.registry import Options
from doyle.experiments.training import Lesson
from doyle.games import Agent, Game
from doyle.matches import MatchResult, play_match

GAME = "holdem-limit-2p"
EXPERT = "limit-2p-small"
OPPONENT = "gs2-limit-small"
"""Not the expert: it replaces Fell Omen 2, which is no longer public."""

CATEGORIES = Architecture(
    domain="limit",
    strength="categories",
    strength_metric="all-or-nothing",
    betting_metric="all-or-nothing",
    texture_metric="all-or-nothing",
    solution="vector",
    retrieve=0,
    reuse="max-frequency",
)
"""The first agent: all-or-nothing on every feature, and a call if no case is retrieved."""


@dataclass(frozen=True)
class Setting:
    """An experiment's options, with its experts and how many deals it learns from and plays."""

    options: Options
    small_training: int
    published_training: int
    small_deals: int
    published_deals: int

    @property
    def training_deals(self) -> int:
        is_small = self.options.scale == "small"
        return self.small_training if is_small else self.published_training

    @property
    def deals(self) -> int:
        is_small = self.options.scale == "small"
        return self.options.hands or (self.small_deals if is_small else self.published_deals)

    @property
    def game(self) -> Game:
        return Game.named(GAME)

    def lesson(self, *experts: str, seed: int = 0) -> Lesson:
        """The lesson of the experts, which play themselves and each other."""
        for expert in experts:
            self.build(expert)
        return Lesson(
            GAME, experts, deals=self.training_deals, seed=1000 * self.options.seed + seed
        )

    def build(self, agent: str) -> None:
        """Build a preset if it is missing."""
        load_or_build_strategy(
            agent.partition(":")[0], workers=self.options.workers, progress=self.options.progress
        )

    def note(self, *agents: str) -> str:
        """How far the named builds are solved: results depend on it."""
        found = {name: load_or_build_strategy(name).info.iterations or 0 for name in agents}
        return (
            "Builds: " + ", ".join(f"{name} of {n:,} iterations" for name, n in found.items()) + "."
        )

    def base(self, architecture: Architecture, *experts: str, seed: int = 0) -> CaseBase:
        """The case base of some experts, by default of the usual one."""
        lesson = self.lesson(*(experts or (EXPERT,)), seed=seed)
        options = self.options
        return lesson.base(architecture, workers=options.workers, progress=options.progress)

    def imitator(self, name: str, bases: CaseBase | Sequence[CaseBase]) -> LetterAgent:
        """The agent of a case base, or of several that vote."""
        if isinstance(bases, CaseBase):
            return CaseBasedAgent(name, bases)
        members = [CaseBasedAgent(base.name, base) for base in bases]
        return members[0] if len(members) == 1 else VotingAgent(name, members)

    def expert(self, agent: str) -> Agent:
        """A preset as an agent."""
        self.build(agent)
        return resolve_agent(agent, self.game)

    def match(self, first: Agent, second: Agent, *, seed: int = 0) -> MatchResult:
        """A match of two agents; those of one seed have the same deals."""
        return play_match(
            self.game, [first, second], hands=self.deals, workers=self.options.workers,
            seed=1000 * self.options.seed + seed,
        )  # fmt: skip

    def won(self, first: Agent, second: Agent, *, seed: int = 0) -> Estimate:
        """The first one's winnings per hand, in small bets."""
        return self.match(first, second, seed=seed).small_bets_per_hand(0)
