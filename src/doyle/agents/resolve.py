"""From the text of an AGENT to the agent: the one resolver.

A text is tried by each of `RESOLVERS` in turn; the first that recognises it makes the agent. The
baselines and scripted agents come first, then agents that other packages offer as entry points of
the group `doyle.agents`: the name of the entry point is the agent's text, and it loads a callable
that takes the `Game` and returns an `Agent`, and agents from a file (`./agent.py:Class`). Then come
searching agents over any policy (`search:AGENT`), exploiters, which name whom they exploit (`+-:AGENT`), coaches of two strategies, case-based agents (presets, snapshots and folders
of case bases), and last strategies: presets, descriptions and built folders.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import cast

from doyle.agents.agent_file import agent_file
from doyle.agents.baselines import AlwaysAllIn, AlwaysCall, AlwaysFold, AlwaysRaise, Random
from doyle.agents.expected_value import ExpectedValue
from doyle.agents.exploiters.pokeminn import PokeMinnByValue
from doyle.agents.scripted import PokeMinn, small_bettors, street_bettors
from doyle.errors import DoyleError
from doyle.games import Agent, Game

Factory = Callable[[Game], Agent]
Resolver = Callable[[str, Game], Agent | None]

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
    "+-": "bets large with good hands and small with the others, in sizes read as the same bet",
    "-+": "the reverse of +-",
    "+1-1": "bets one chip more with good hands and one less with the others",
    "-1+1": "the reverse of +1-1",
    "AllDown": "always bets small",
    "naivePA": "a large pot bet, then a small all-in bet, whatever it holds; then checks and calls",
    "naivePA-fold": "the same, and then checks and folds",
}
"""Exploiters of a strategy agent by name, and what they do."""


ADAPTIVE = {
    "safe-exploiter": "responds to a model, never risking more than it has won in expectation",
    "best-equilibrium": "the equilibrium that does best against a model of the opponent",
    "model-response": "a best response to a model of the opponent, whatever it may lose",
}
"""Agents that model the opponent in games with a small deck, by name, and what they do."""


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
"""Cover-set players by name, and what they do."""


SEARCH = "search"
"""`search:AGENT` plays AGENT and solves the rest of the hand from some street on."""

STARTER = "starter"
"""The agent that comes with the package, see `doyle.agents.starter`."""

OWN_NAMES = (*BASELINES, *SCRIPTED, *ADAPTIVE, *COVERS, STARTER)
"""Names that stand for an agent of this package which is no strategy of the user's."""


def resolve_agent(text: str, game: Game | str) -> Agent:
    """The agent that `text` stands for, ready to play a game or the game of that name.

    >>> resolve_agent("always-call", "kuhn").name
    'always-call'
    """
    game = Game.of(game)
    for resolver in RESOLVERS:
        agent = resolver(text, game)
        if agent is not None:
            return agent
    raise _unknown(text)


def check_agent_text(text: str, game: Game) -> None:
    """Refuse a text that stands for no agent of the game; nothing is loaded or built for it.

    >>> check_agent_text("always-call", Game.named("kuhn"))
    """
    if not text.strip():
        raise DoyleError("an agent's name is empty")
    blueprint, options = split_search(text)
    if blueprint is not None:
        from doyle.agents.search.settings import check_search_game, parse_settings

        parse_settings(text, options)
        check_search_game(text, game)
        check_agent_text(blueprint, game)
        if is_foreign(blueprint):
            raise DoyleError(f"agent {text!r}: {blueprint!r} is not an agent of this package")
        return
    own_file = None if split_exploiter(text)[0] or split_coach(text)[0] else agent_file(text)
    if own_file is not None:
        own_file.checked_name()
    if text in OWN_NAMES or is_foreign(text):
        return
    from doyle.agents.cases.named import named_cases
    from doyle.agents.options import names_a_strategy

    kind, *pair = split_coach(text)
    if kind:
        for part in pair:
            if not part or not names_a_strategy(part, game):
                raise DoyleError(
                    f"agent {text!r}: {part!r} names no strategy; write {kind}:FIRST{THEN}SECOND"
                )
        return
    technique, tested = split_exploiter(text)
    if technique:
        if not tested or not names_a_strategy(tested, game):
            raise DoyleError(f"agent {text!r}: {tested!r} names no strategy; exploiters need one")
        return
    cases = named_cases(text)
    if cases is not None:
        cases.check_game(game)
    elif not names_a_strategy(text, game):
        raise _unknown(text)


def own_game(text: str) -> Game | None:
    """The game that a strategy was made for; None for agents that play any. Nothing is built.

    >>> own_game("random") is None
    True
    """
    if text in OWN_NAMES or is_foreign(text):
        return None
    blueprint, options = split_search(text)
    if blueprint is not None:
        from doyle.agents.search.settings import check_search_game, parse_settings

        parse_settings(text, options)
        game = own_game(blueprint)
        if game is not None:
            check_search_game(text, game)
        return game
    from doyle.agents.cases.named import named_cases
    from doyle.agents.options import game_of_strategy

    kind, first, _ = split_coach(text)
    if kind:
        return game_of_strategy(first)
    technique, tested = split_exploiter(text)
    cases = None if technique else named_cases(text)
    return game_of_strategy(tested) if cases is None else cases.game


def split_exploiter(text: str) -> tuple[str, str]:
    """The name of an exploiter and the text of the agent it exploits; "" for any other agent.

    >>> split_exploiter("+-:default:translation=det-geo"), split_exploiter("default")
    (('+-', 'default:translation=det-geo'), ('', 'default'))
    >>> split_exploiter("hyperborean09-br-small")
    ('explorer', 'hyperborean09-br-small')
    """
    technique, colon, tested = text.partition(":")
    if colon and technique in (*EXPLOITERS, EXPLORER, DEVIATIONS):
        return technique, tested
    explores = not colon and re.fullmatch(rf"{EXPLORING_PRESET}(-small)?(@.+)?", text)
    return (EXPLORER, text) if explores else ("", text)


def split_coach(text: str) -> tuple[str, str, str]:
    """The name of a coach and the texts of its two strategies; "" for any other agent.

    >>> split_coach("full-coach:a:then:b:threshold=0.2"), split_coach("default")
    (('full-coach', 'a', 'b:threshold=0.2'), ('', 'default', ''))
    """
    kind, colon, pair = text.partition(":")
    if not colon or kind not in COACHES:
        return "", text, ""
    first, _, second = pair.partition(THEN)
    return kind, first, second


def split_search(text: str) -> tuple[str | None, str]:
    """The blueprint of a searching agent and its search options; None for any other agent.

    >>> split_search("search:default:guard=resolve,purification=full")
    ('default:purification=full', 'guard=resolve')
    >>> split_search("default")
    (None, '')
    """
    kind, colon, rest = text.partition(":")
    if kind != SEARCH:
        return None, ""
    if not colon or not rest:
        raise DoyleError(f"agent {text!r}: names no agent to search from; write {SEARCH}:AGENT")
    from doyle.agents.search.settings import split_options

    return split_options(rest)


def _unknown(text: str) -> DoyleError:
    name, colon, _ = text.partition(":")
    if colon and name in OWN_NAMES:
        return DoyleError(f"agent {text!r}: {name!r} takes nothing after its name")
    if text.endswith(".toml") or "/" in text:
        path = Path(text)
        known = "no agent is made from such a file; see `doyle agents list`"
        missing = "there is no such file or folder"
        return DoyleError(f"agent {text!r}: {known if path.exists() else missing}")
    close = get_close_matches(text, agent_names(), n=1)
    hint = f"did you mean {close[0]!r}?" if close else "`doyle agents list` names all"
    return DoyleError(f"agent {text!r}: no such agent; {hint}")


def agent_names() -> list[str]:
    """The names that stand for an agent: baselines, scripts, what other packages offer, presets."""
    from doyle.building import preset_names
    from doyle.cases.snapshot import preset_names as case_preset_names

    offered = sorted(point.name for point in entry_points(group=ENTRY_POINT_GROUP))
    ours = list(OWN_NAMES)
    others = [*offered, *preset_names(), *case_preset_names()]
    return [*ours, *(name for name in others if name not in ours)]


def is_foreign(text: str) -> bool:
    """Whether a text stands for an agent of others: one that another package offers, or a file.

    Such agents play in processes of their own, always. Nothing of them is loaded here.

    >>> is_foreign("always-call")
    False
    """
    if text in OWN_NAMES or split_exploiter(text)[0] or split_coach(text)[0]:
        return False
    if text.startswith(f"{SEARCH}:"):
        return False
    if agent_file(text) is not None:
        return True
    return any(point.name == text for point in entry_points(group=ENTRY_POINT_GROUP))


def _baseline(text: str, game: Game) -> Agent | None:
    factory = BASELINES.get(text) or SCRIPTED.get(text)
    return None if factory is None else factory(game)


def _adaptive(text: str, game: Game) -> Agent | None:
    if text not in ADAPTIVE:
        return None
    from doyle.agents.adaptive.safe import SafeExploiter

    return SafeExploiter(game, name=text)


def _entry_point(text: str, game: Game) -> Agent | None:
    for point in entry_points(group=ENTRY_POINT_GROUP):
        if point.name == text:
            return _load(point, game)
    return None


def _load(point: EntryPoint, game: Game) -> Agent:
    try:
        agent = point.load()(game)
        fits = isinstance(agent, Agent) and isinstance(agent.name, str)
    except DoyleError:
        raise
    except Exception as error:
        # Another package's code: whatever it raises is told to the user, with where it comes from.
        problem = f"{type(error).__name__}: {error}"
        raise DoyleError(f"agent {point.name!r} ({point.value}): {problem}") from error
    if not fits:
        raise DoyleError(
            f"agent {point.name!r} ({point.value}): gave a {type(agent).__name__}, "
            "which has no `name` and `act(view)`"
        )
    return cast(Agent, agent)


def _file(text: str, game: Game) -> Agent | None:
    own_file = agent_file(text)
    return None if own_file is None else own_file.load(game)


def _exploiter(text: str, game: Game) -> Agent | None:
    technique, tested = split_exploiter(text)
    if not technique:
        return None
    from doyle.agents.exploiters.by_name import exploiter

    return exploiter(technique, tested, game)


def _coach(text: str, game: Game) -> Agent | None:
    kind, first, second = split_coach(text)
    if not kind:
        return None
    from doyle.agents.switching.by_name import coach

    return coach(kind, first, second, game)


def _search(text: str, game: Game) -> Agent | None:
    blueprint, options = split_search(text)
    if blueprint is None:
        return None
    check_agent_text(text, game)
    from doyle.agents.search.by_name import searching_agent

    return searching_agent(text, options, resolve_agent(blueprint, game), game)


def _cover(text: str, game: Game) -> Agent | None:
    if text not in COVERS:
        return None
    from doyle.agents.switching.cover_agent import cover_agent

    return cover_agent(text, game)


def _strategy(text: str, game: Game) -> Agent | None:
    # Builds and abstractions are heavy to import; baselines must not wait for them.
    from doyle.agents.options import strategy_agent

    return strategy_agent(text, game)


def _cases(text: str, game: Game) -> Agent | None:
    from doyle.agents.cases.named import case_agent

    return case_agent(text, game)


def _starter(text: str, game: Game) -> Agent | None:
    """The agent that comes with the package; it needs nothing built or compiled."""
    if text != STARTER:
        return None
    from doyle.agents.starter import STARTER_GAMES, starter_agent

    agent = starter_agent(game)
    if agent is None:
        raise DoyleError(
            f"agent {text!r}: plays {', '.join(STARTER_GAMES)}, not {game.name}; build one for it"
        )
    return agent


RESOLVERS: list[Resolver] = [
    _baseline,
    _starter,
    _adaptive,
    _search,
    _exploiter,
    _coach,
    _cover,
    _entry_point,
    _file,
    _cases,
    _strategy,
]
"""Tried in order; each returns None for a text that it does not recognise."""
