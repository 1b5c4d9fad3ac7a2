"""The kinds of agents: one record for each, tried in order on the text of an agent.

A kind recognises a text (`read`) and answers all queries that precede the agent: whether it
plays a game, its own game, required builds, and all inputs of its play, for `identity`.
It also makes the agent. A new kind is a class here, listed in `KINDS`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from doyle.agents.agent_file import AgentFile, agent_file
from doyle.agents.baselines import AlwaysAllIn, AlwaysCall, AlwaysFold, AlwaysRaise, Random
from doyle.agents.expected_value import ExpectedValue
from doyle.agents.exploiters.pokeminn import PokeMinnByValue
from doyle.agents.scripted import PokeMinn, small_bettors, street_bettors
from doyle.base.artifacts.files import is_folder
from doyle.base.errors import DoyleError
from doyle.games import Agent, Game, Policy, remembers

if TYPE_CHECKING:
    from doyle.agents.cases.named import NamedCases
    from doyle.agents.strategy_agent import StrategyAgent

Factory = Callable[[Game], Agent]

ENTRY_POINT_GROUP = "doyle.agents"

BASELINES: dict[str, Factory] = {
    "always-fold": lambda game: AlwaysFold(),
    "always-call": lambda game: AlwaysCall(),
    "always-raise": lambda game: AlwaysRaise(),
    "always-all-in": lambda game: AlwaysAllIn(),
    "random": lambda game: Random(),
    "ev": ExpectedValue,
}

SCRIPTED: dict[str, Factory] = {
    "pokeminn-144": lambda game: PokeMinn(),
    "pokeminn": PokeMinnByValue,
    **small_bettors(),
    **street_bettors(),
}

EXPLOITERS = {
    "size-tell": "bets large with good hands and small with the others, in sizes read as the same bet",
    "reverse-size-tell": "the reverse of size-tell",
    "one-chip-tell": "bets one chip more with good hands and one less with the others",
    "reverse-one-chip-tell": "the reverse of one-chip-tell",
    "AllDown": "always bets small",
    "naivePA": "a large pot bet, then a small all-in bet, whatever it holds; then checks and calls",
    "naivePA-fold": "the same, and then checks and folds",
}
"""Exploiters of a strategy agent by name, with descriptions."""

ADAPTIVE = {
    "safe-exploiter": "responds to a model, never risking more than it has won in expectation",
    "best-equilibrium": "the equilibrium that does best against a model of the opponent",
    "model-response": "a best response to a model of the opponent, whatever it may lose",
}
"""Agents that model the opponent in games with a small deck, by name, with descriptions."""

EXPLORER = "explorer"
"""`explorer:AGENT` explores how the opponent reads bets, with AGENT as its base strategy."""

EXPLORING_PRESET = "hyperborean09-br"
"""The preset that is the base strategy of such a player: its name alone means the player."""

DEVIATIONS = "dbbr"
"""`dbbr:AGENT` plays AGENT and then best responses to how the opponent deviates from it, in limit."""

COACHES = {
    "defensive-coach": "a first strategy until the opponent makes a bet that only the second has",
    "defensive-coach-returns": "the same, and the first again after the second has answered that bet",
    "defensive-coach-untrained": "defensive-coach whose second plays its actions alike with hands that it seldom brings there",
    "full-coach": "defensive-coach, and the second also wherever it would make such a bet itself",
    "full-coach-calls": "full-coach whose first strategy calls after bets that it would not have made",
    "full-coach-stays": "full-coach that stays with the second once it has played",
}
"""Coaches of two strategies by name, `NAME:FIRST:then:SECOND`, and when they switch."""

THEN = ":then:"

COVERS = {
    "full-cover": "switches over all 172 games of the thesis's cover set of 12-chip Leduc",
    "sub-cover": "switches over the thesis's 15 hand-picked games of that set",
}
"""Cover-set players by name, with descriptions."""

SEARCH = "search"
"""`search:AGENT` plays AGENT and solves the rest of the hand from some street on."""

STARTER = "starter"
"""The agent that comes with the package, see `doyle.agents.starter`."""

OWN_NAMES = (*BASELINES, *SCRIPTED, *ADAPTIVE, *COVERS, STARTER)
"""Names of this package's agents, which are not strategies of the user."""


@dataclass(frozen=True)
class AgentKind(ABC):
    """The text of an agent of one kind."""

    text: str
    is_foreign: ClassVar[bool] = False
    """Whether it is an agent of others, which plays in a process of its own and is never loaded here."""
    forms: ClassVar[dict[str, str]] = {}
    """The forms of its texts with their meanings, unless they are plain names."""

    @classmethod
    @abstractmethod
    def read(cls, text: str) -> AgentKind | None:
        """The text parsed as this kind; None for other texts. Nothing is loaded or built."""

    def check(self, game: Game) -> None:
        """Refuse a text that names no agent of the game; nothing is loaded or built."""
        own = self.own_game()
        if own is not None and own != game:
            raise DoyleError(
                f"agent {self.text!r} plays {own.name}, not {game.name}: stacks, blinds or bets differ"
            )

    @abstractmethod
    def make(self, game: Game) -> Agent:
        """The agent, ready to play the game."""

    @abstractmethod
    def content(self, game: Game) -> dict[str, Any]:
        """Everything besides the code of this package that decides how it plays, as JSON."""

    def own_game(self) -> Game | None:
        """The game of the agent; None if it plays any game."""
        return None

    def needs(self) -> Iterator[FromStrategy | FromCases]:
        """The strategies and case bases that must be built first."""
        yield from ()


class Bundled(AgentKind):
    """An agent of this package that needs no build."""

    @classmethod
    def read(cls, text: str) -> Bundled | None:
        return cls(text) if text in OWN_NAMES else None

    def make(self, game: Game) -> Agent:
        factory = BASELINES.get(self.text) or SCRIPTED.get(self.text)
        if factory is not None:
            return factory(game)
        if self.text in ADAPTIVE:
            from doyle.agents.adaptive.safe import SafeExploiter

            return SafeExploiter(game, name=self.text)
        if self.text in COVERS:
            from doyle.agents.switching.cover_agent import cover_agent

            return cover_agent(self.text, game)
        from doyle.agents.starter import STARTER_GAMES, starter_agent

        agent = starter_agent(game)
        if agent is None:
            games = ", ".join(STARTER_GAMES)
            raise DoyleError(
                f"agent {self.text!r}: plays {games}, not {game.name}; build one for it"
            )
        return agent

    def content(self, game: Game) -> dict[str, Any]:
        return {"agent": self.text}


@dataclass(frozen=True)
class Searching(AgentKind):
    """`search:AGENT`, with the options of the search separated from those of the agent."""

    blueprint: str
    options: str
    forms: ClassVar[dict[str, str]] = {
        f"{SEARCH}:AGENT": "plays AGENT and solves rivers (`rounds=turn`: turns too) while it plays"
    }

    @classmethod
    def read(cls, text: str) -> Searching | None:
        """
        >>> Searching.read("search:default:guard=resolve,purification=full").blueprint
        'default:purification=full'
        """
        kind, colon, rest = text.partition(":")
        if kind != SEARCH:
            return None
        if not colon or not rest:
            raise DoyleError(f"agent {text!r}: names no agent to search from; write {SEARCH}:AGENT")
        from doyle.agents.search.settings import split_options

        return cls(text, *split_options(rest))

    def check(self, game: Game) -> None:
        from doyle.agents.search.settings import check_search_game, parse_settings

        parse_settings(self.text, self.options)
        check_search_game(self.text, game)
        below = read_agent(self.blueprint)
        below.check(game)
        if below.is_foreign:
            raise DoyleError(
                f"agent {self.text!r}: {self.blueprint!r} is not an agent of this package"
            )

    def make(self, game: Game) -> Agent:
        self.check(game)
        from doyle.agents.search.agent import SearchAgent
        from doyle.agents.search.settings import LIMITED, parse_settings

        settings = parse_settings(self.text, self.options)
        blueprint = read_agent(self.blueprint).make(game)
        if not isinstance(blueprint, Policy) or remembers(blueprint):
            raise DoyleError(
                f"agent {self.text!r}: {blueprint.name} has no probabilities and reach to search from"
            )
        name = f"{SEARCH}:{blueprint.name}" + (f":{self.options}" if self.options else "")
        return SearchAgent(
            name,
            blueprint,
            game,
            settings,
            models=settings.models(),
            first_round=settings.first_round,
            limited=LIMITED,
        )

    def content(self, game: Game) -> dict[str, Any]:
        from doyle.agents.search.settings import parse_settings

        settings = asdict(parse_settings(self.text, self.options))
        return {"search": settings, "blueprint": read_agent(self.blueprint).content(game)}

    def own_game(self) -> Game | None:
        from doyle.agents.search.settings import check_search_game, parse_settings

        parse_settings(self.text, self.options)
        below = find_agent(self.blueprint)
        game = None if below is None else below.own_game()
        if game is not None:
            check_search_game(self.text, game)
        return game

    def needs(self) -> Iterator[FromStrategy | FromCases]:
        self.own_game()  # refuses unsupported games before anything is built
        below = find_agent(self.blueprint)
        if below is not None:
            yield from below.needs()


@dataclass(frozen=True)
class Exploiting(AgentKind):
    """`TECHNIQUE:AGENT`: a player made to exploit, or to start from, the strategy that AGENT names."""

    technique: str
    tested: str
    forms: ClassVar[dict[str, str]] = {
        **{f"{name}:AGENT": what for name, what in EXPLOITERS.items()},
        f"{EXPLORER}:AGENT": "explores how the opponent reads bets, then exploits it if that should "
        f"pay; {EXPLORING_PRESET} is one",
        f"{DEVIATIONS}:AGENT": "limit: AGENT's equilibrium, then best responses to how the opponent "
        "deviates from it",
    }

    @classmethod
    def read(cls, text: str) -> Exploiting | None:
        """
        >>> Exploiting.read("size-tell:default:translation=det-geo").tested
        'default:translation=det-geo'
        >>> Exploiting.read("hyperborean09-br-small").technique
        'explorer'
        """
        technique, colon, tested = text.partition(":")
        if colon and technique in (*EXPLOITERS, EXPLORER, DEVIATIONS):
            return cls(text, technique, tested)
        explores = not colon and re.fullmatch(rf"{EXPLORING_PRESET}(-small)?(@.+)?", text)
        return cls(text, EXPLORER, text) if explores else None

    def check(self, game: Game) -> None:
        self._strategy().check(game)

    def make(self, game: Game) -> Agent:
        tested = self._strategy().make(game)
        name = f"{self.technique}:{tested.name}"
        if self.technique == EXPLORER:
            from doyle.agents.adaptive.boundary_exploiter import BoundaryExploiter

            own = self.tested if self.tested.startswith(EXPLORING_PRESET) else name
            return BoundaryExploiter(own, tested)
        if self.technique == DEVIATIONS:
            from doyle.agents.adaptive.deviations import DeviationResponder

            return DeviationResponder(name, tested)
        from doyle.agents.exploiters.naive import NaivePotAllIn
        from doyle.agents.exploiters.sized import SIZES, Exploiter

        if self.technique in SIZES:
            return Exploiter(name, tested, SIZES[self.technique])
        return NaivePotAllIn(name, tested, folds=self.technique == "naivePA-fold")

    def content(self, game: Game) -> dict[str, Any]:
        return {"exploiter": self.technique, "exploits": FromStrategy(self.tested).content(game)}

    def own_game(self) -> Game | None:
        return FromStrategy(self.tested).own_game()

    def needs(self) -> Iterator[FromStrategy | FromCases]:
        yield FromStrategy(self.tested)

    def _strategy(self) -> FromStrategy:
        found = FromStrategy.read(self.tested)
        if found is None:
            raise DoyleError(
                f"agent {self.text!r}: {self.tested!r} names no strategy; exploiters need one"
            )
        return found


@dataclass(frozen=True)
class Coached(AgentKind):
    """`COACH:FIRST:then:SECOND`: a coach of two strategies."""

    kind: str
    pair: tuple[str, str]
    forms: ClassVar[dict[str, str]] = {
        f"{name}:FIRST{THEN}SECOND": what for name, what in COACHES.items()
    }

    @classmethod
    def read(cls, text: str) -> Coached | None:
        """
        >>> Coached.read("full-coach:a:then:b:threshold=0.2").pair
        ('a', 'b:threshold=0.2')
        """
        kind, colon, pair = text.partition(":")
        if not colon or kind not in COACHES:
            return None
        first, _, second = pair.partition(THEN)
        return cls(text, kind, (first, second))

    def check(self, game: Game) -> None:
        for strategy in self._strategies():
            strategy.check(game)

    def make(self, game: Game) -> Agent:
        from doyle.agents.switching.coach import READINGS

        first, second = (strategy.make(game) for strategy in self._strategies())
        return READINGS[self.kind](f"{self.kind}:{first.name}{THEN}{second.name}", first, second)

    def content(self, game: Game) -> dict[str, Any]:
        first, second = (FromStrategy(part).content(game) for part in self.pair)
        return {"coach": self.kind, "first": first, "second": second}

    def own_game(self) -> Game | None:
        return FromStrategy(self.pair[0]).own_game()

    def needs(self) -> Iterator[FromStrategy | FromCases]:
        yield from map(FromStrategy, self.pair)

    def _strategies(self) -> list[FromStrategy]:
        found = [FromStrategy.read(part) for part in self.pair]
        for part, strategy in zip(self.pair, found, strict=True):
            if strategy is None:
                raise DoyleError(
                    f"agent {self.text!r}: {part!r} names no strategy; "
                    f"write {self.kind}:FIRST{THEN}SECOND"
                )
        return [strategy for strategy in found if strategy is not None]


@dataclass(frozen=True)
class Offered(AgentKind):
    """An agent that another package offers: an entry point that makes it for a game."""

    is_foreign: ClassVar[bool] = True
    point: EntryPoint

    @classmethod
    def read(cls, text: str) -> Offered | None:
        points = entry_points(group=ENTRY_POINT_GROUP)
        return next((cls(text, point) for point in points if point.name == text), None)

    def make(self, game: Game) -> Agent:
        point = self.point
        try:
            agent = point.load()(game)
            fits = isinstance(agent, Agent) and isinstance(agent.name, str)
        except DoyleError:
            raise
        except Exception as error:
            # Another package's code: any exception is reported, with its origin.
            problem = f"{type(error).__name__}: {error}"
            raise DoyleError(f"agent {point.name!r} ({point.value}): {problem}") from error
        if not fits:
            raise DoyleError(
                f"agent {point.name!r} ({point.value}): gave a {type(agent).__name__}, "
                "which has no `name` and `act(view)`"
            )
        return cast(Agent, agent)

    def content(self, game: Game) -> dict[str, Any]:
        from doyle.agents.identity import package_digest

        return {"agent": self.point.value, "source": package_digest(self.point)}


@dataclass(frozen=True)
class FromFile(AgentKind):
    """An agent from a file of one's own: `./agent.py:Class`."""

    is_foreign: ClassVar[bool] = True
    file: AgentFile
    forms: ClassVar[dict[str, str]] = {
        "FILE.py:CLASS": "your own agent from a file, in a process of its own"
    }

    @classmethod
    def read(cls, text: str) -> FromFile | None:
        found = agent_file(text)
        return None if found is None else cls(text, found)

    def check(self, game: Game) -> None:
        self.file.checked_name()

    def make(self, game: Game) -> Agent:
        return self.file.load(game)

    def content(self, game: Game) -> dict[str, Any]:
        from doyle.agents.identity import file_digest

        return {"agent": self.file.name, "source": file_digest(self.file.path)}


@dataclass(frozen=True)
class FromCases(AgentKind):
    """A case-based agent: a preset, a snapshot or a folder of case bases, with options."""

    named: NamedCases = field(repr=False)
    forms: ClassVar[dict[str, str]] = {
        "NAME:reuse=R,retrieve=K,retain=own": "a case base with other settings; retain=own: it learns on"
    }

    @classmethod
    def read(cls, text: str) -> FromCases | None:
        from doyle.agents.cases.named import named_cases

        named = named_cases(text)
        return None if named is None else cls(text, named)

    def make(self, game: Game) -> Agent:
        self.check(game)
        return self.named.agent()

    def content(self, game: Game) -> dict[str, Any]:
        from doyle.agents.cases.named import NoCaseBaseError
        from doyle.agents.identity import sources_digest

        named = self.named
        if not named.is_built:
            raise NoCaseBaseError(self.text)
        retain = None if named.retain is None else str(named.retain)
        options = {name: str(value) for name, value in sorted(named.options.items())}
        manifests = sorted(named.folder.rglob("manifest.json"))
        return {"cases": sources_digest(manifests), "options": options, "retain": retain}

    def own_game(self) -> Game | None:
        return self.named.game

    def needs(self) -> Iterator[FromStrategy | FromCases]:
        yield self


class FromStrategy(AgentKind):
    """A strategy as it is played: a preset, a description or a folder, with options."""

    forms: ClassVar[dict[str, str]] = {
        "NAME-small": "a preset at small scale: seconds of solving, minutes with an empty cache",
        "NAME@GAME": "a preset's betting and cards in another game, also NAME-small@GAME",
        "NAME:translation=T,purification=P,threshold=X": "how a strategy is played",
        "FOLDER": "a build, a case base, or what `doyle solve` saved",
        "FILE.toml": "a build's description",
    }

    @classmethod
    def read(cls, text: str) -> FromStrategy | None:
        # Builds and abstractions are heavy to import; the kinds before do not wait for them.
        from doyle.building import strategy_folder

        name = split_text(text)[0]
        return None if not name or strategy_folder(name) is None else cls(text)

    def make(self, game: Game) -> StrategyAgent:
        from doyle.agents.named_strategy import required_strategy

        self.check(game)
        return required_strategy(self.text, purpose="play").agent()

    def content(self, game: Game) -> dict[str, Any]:
        from doyle.agents.named_strategy import required_strategy

        named = required_strategy(self.text, purpose="play")
        origin = named.tables.origin
        return {
            "tables": "" if origin is None else origin.digest,
            "cards": named.cards,
            "translation": named.translation_name,
            "played": named.played_document(),
        }

    def own_game(self) -> Game | None:
        from doyle.agents.named_strategy import checked_text
        from doyle.building import load_agent_strategy, named_build

        checked = checked_text(self.text)
        if checked is None:
            return None
        description = named_build(checked[0])
        if description is not None:
            return Game.named(description.game.value)
        return load_agent_strategy(checked[0]).tree.game

    def needs(self) -> Iterator[FromStrategy | FromCases]:
        yield self


LIGHT_KINDS: tuple[type[AgentKind], ...] = (
    Bundled,
    Searching,
    Exploiting,
    Coached,
    Offered,
    FromFile,
)
"""Kinds whose texts are recognised without loading the modules of builds."""

KINDS: tuple[type[AgentKind], ...] = (*LIGHT_KINDS, FromCases, FromStrategy)
"""Tried in order; each reads None from a text that it does not recognise."""


def find_agent(text: str, *, kinds: tuple[type[AgentKind], ...] = KINDS) -> AgentKind | None:
    """Parse the text of an agent; None if it names no agent."""
    for kind in kinds:
        found = kind.read(text)
        if found is not None:
            return found
    return None


def read_agent(text: str) -> AgentKind:
    """Parse the text of an agent; DoyleError if it names no agent.

    >>> read_agent("always-call")
    Bundled(text='always-call')
    """
    found = find_agent(text)
    if found is None:
        raise _unknown(text)
    return found


def split_text(text: str) -> tuple[str, str]:
    """The name and the options of an agent's text; a folder may have a colon in its name.

    >>> split_text("default:threshold=0.2")
    ('default', 'threshold=0.2')
    """
    name, _, rest = text.partition(":")
    return (text, "") if rest and is_folder(text) else (name, rest)


def explores(text: str) -> bool:
    """Whether a text names a player that explores its opponent's reading of bets."""
    found = Exploiting.read(text)
    return found is not None and found.technique == EXPLORER


def agent_names() -> list[str]:
    """The names of agents: baselines, scripts, agents of other packages, presets."""
    from doyle.agents.case_bases.snapshot import preset_names as case_preset_names
    from doyle.building import preset_names

    offered = sorted(point.name for point in entry_points(group=ENTRY_POINT_GROUP))
    ours = list(OWN_NAMES)
    others = [*offered, *preset_names(), *case_preset_names()]
    return [*ours, *(name for name in others if name not in ours)]


def _unknown(text: str) -> DoyleError:
    name, colon, _ = text.partition(":")
    if colon and name in OWN_NAMES:
        return DoyleError(f"agent {text!r}: {name!r} takes no options")
    if text.endswith(".toml") or "/" in text:
        path = Path(text)
        known = "no agent is made from such a file; see `doyle agents list`"
        missing = "there is no such file or folder"
        return DoyleError(f"agent {text!r}: {known if path.exists() else missing}")
    close = get_close_matches(text, agent_names(), n=1)
    hint = f"did you mean {close[0]!r}?" if close else "`doyle agents list` names all"
    return DoyleError(f"agent {text!r}: no such agent; {hint}")
