"""What `import doyle` promises: names, signatures, types that checkers see, and a light start."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import doyle

SIGNATURES = {
    "abstraction": "(name: 'str', *, seed: 'int' = 0, workers: 'int | None' = None, "
    "progress: 'Progress | None' = None) -> 'CardAbstraction'",
    "build": "(agent: 'str | Path' = 'default', *, scale: \"Literal['full', 'small']\" = 'full', "
    "seconds: 'float | None' = None, iterations: 'int | None' = None, seed: 'int | None' = None, "
    "shards: 'int' = 0, merge: 'int' = 0, report: 'str | Path | None' = None, hands: 'int' = 10000, "
    "workers: 'int | None' = None, progress: 'Progress | None' = None) -> 'LoadedAgent'",
    "equity": "(holdings: 'Sequence[Holding]', board: 'str | Sequence[Card]' = (), *, "
    "workers: 'Workers | None' = None, progress: 'Progress | None' = None) -> 'Equity'",
    "exploitability": "(agent: 'str | Path | LoadedAgent | SolveResult | Policy', *, "
    "game: 'Game | str | Path | None' = None, cards: \"Literal['abstract', 'full']\" = 'abstract', "
    "workers: 'int | None' = None, progress: 'Progress | None' = None) -> 'Exploitability'",
    "load": "(agent: 'str | Path', *, build: 'bool' = False) -> 'LoadedAgent'",
    "mapping": "(name: 'str') -> 'Mapping'",
    "parse_cards": "(text: 'str', *, what: 'str' = 'cards') -> 'tuple[Card, ...]'",
    "play_match": "(game: 'Game | str | Path', agents: 'Sequence[str | Agent]', *, hands: 'int', "
    "seed: 'int' = 0, chance: 'Chance | None' = None, duplicate: 'bool' = True, "
    "workers: 'Workers | int | None' = None, log: 'Path | None' = None, "
    "results: 'Path | None' = None, time_limit: 'float' = 10.0, method: 'Method' = 'auto', "
    "progress: 'Progress | None' = None, say: 'Callable[[str], None] | None' = None) "
    "-> 'MatchResult'",
    "rank_hand": "(cards: 'Sequence[Card]') -> 'int'",
    "read_hands": "(path: 'str | Path', game: 'Game | str | Path | None' = None) "
    "-> 'Iterator[Hand]'",
    "resolve_agent": "(text: 'str', game: 'Game | str') -> 'Agent'",
    "solve": "(game: 'Game | str | Path', *, solver: 'str' = 'dcfr', betting: 'str | None' = None, "
    "cards: 'str | None' = None, target: 'float | None' = None, seconds: 'float | None' = None, "
    "iterations: 'int | None' = None, seed: 'int' = 0, workers: 'int' = 1, "
    "report: 'Callable[[Point], None] | None' = None, progress: 'Progress | None' = None) "
    "-> 'SolveResult'",
    "spot": "(board: 'str | State', ranges: 'tuple[RangeLike | Range, RangeLike | Range]', *, "
    "pot: 'int | None' = None, stacks: 'int | tuple[int, int] | None' = None, betting: 'str' = 'fchpa', big_blind: 'int' = 1, "
    "target_percent: 'float | None' = None, seconds: 'float | None' = None, "
    "iterations: 'int | None' = None, locks: 'Sequence[Lock | str]' = (), solver: 'str' = 'dcfr-delayed', "
    "workers: 'int' = 1, start: 'SpotResult | None' = None, "
    "checkpoint: 'Path | None' = None, resume: 'bool' = False, "
    "report: 'Callable[[Point], None] | None' = None) -> 'SpotResult'",
    "translate": "(size: 'float', between: 'tuple[float, float]', *, "
    "mapping: 'str' = 'rand-pshar') -> 'TranslatedBet'",
}

CLASSES = {
    "LoadedAgent": {"act", "at", "cards", "game", "history", "name", "probabilities", "reach",
                    "strategy", "tables", "translation"},
    "MatchResult": {"chips_per_hand", "document", "hands", "mbb_per_hand", "names", "total_chips"},
    "PlaceView": {"actions", "frequencies", "names", "probabilities", "reach", "values"},
    "Range": {"hands", "parse", "share", "weights"},
    "SolveResult": {"agent", "exploitability", "game", "history", "iterations", "measurement",
                    "profile", "seconds", "solver", "strategy", "value"},
    "TranslatedBet": {"lower", "mapping", "median", "probability_of_lower",
                      "probability_of_upper", "size", "upper"},
}  # fmt: skip

OTHERS = {"BettingModel", "BettingTree", "DoyleError", "Game", "State", "View", "__version__"}


def test_the_public_names_are_these_and_resolve() -> None:
    assert set(doyle.__all__) == {*SIGNATURES, *CLASSES, *OTHERS}
    assert sorted(doyle.__all__) == dir(doyle)
    for name in doyle.__all__:
        assert getattr(doyle, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'solver'"):
        doyle.solver  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_are_these(name: str) -> None:
    found = str(inspect.signature(getattr(doyle, name)))
    start = found.find("<function")
    if start >= 0:  # a default that is a function
        found = found[:start] + "..." + found[found.index(">", found.index("at 0x", start)) + 1 :]
    assert found == SIGNATURES[name]


@pytest.mark.parametrize("name", CLASSES)
def test_classes_have_these_public_members(name: str) -> None:
    kind = getattr(doyle, name)
    fields = set(getattr(kind, "__dataclass_fields__", ()))
    members = {one for one in {*dir(kind), *fields} if not one.startswith("_")}
    assert members >= CLASSES[name]


SNIPPET = """
import doyle

solved = doyle.solve("leduc")
reveal_type(solved.value)
reveal_type(solved.agent.at("r").frequencies)
reveal_type(doyle.load("default"))
reveal_type(doyle.spot("Ks7h4d2cJs", ("AA", "KK"), pot=2, stacks=2).root.frequencies)
reveal_type(doyle.exploitability(solved).total)
reveal_type(doyle.play_match("kuhn", ["random", solved.agent], hands=1).mbb_per_hand(0))
reveal_type(doyle.equity(["AA", doyle.Range.parse("KK")]).equities)
reveal_type([hand.state for hand in doyle.read_hands("a.log")])
reveal_type(doyle.translate(1, (0.5, 2)).probability_of_lower)
reveal_type(doyle.abstraction("8.8.8.8").bucket(0, (1, 2)))
doyle.solve(3)
doyle.nothing
"""

REVEALED = [
    "float | None",
    "numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.float64]]",
    "doyle.apps.front.loaded.LoadedAgent",
    "numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.float64]]",
    "float",
    "doyle.base.statistics.Estimate",
    "tuple[float, ...]",
    "list[doyle.games.state.State]",
    "float",
    "int",
]


def test_a_type_checker_sees_the_names_and_refuses_others(tmp_path: Path) -> None:
    (tmp_path / "snippet.py").write_text(SNIPPET)
    # With the project's own settings and cache; the modules of doyle are then read from there.
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--follow-imports=silent"]
    run = subprocess.run(
        [*command, str(tmp_path / "snippet.py")],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[3],
        check=False,
    )
    lines = [line.partition(": ")[2] for line in run.stdout.splitlines()]
    revealed = [line.partition('"')[2][:-1] for line in lines if "Revealed type" in line]
    assert [_short(one) for one in revealed] == [_short(one) for one in REVEALED], run.stdout
    problems = [line for line in lines if line.startswith("error")]
    assert len(problems) == 2, run.stdout
    assert 'Argument 1 to "solve"' in problems[0]
    assert 'Module has no attribute "nothing"' in problems[1]


def _short(revealed: str) -> str:
    """Without the words that versions of mypy and NumPy write differently."""
    return revealed.replace("builtins.", "").replace("*", "").partition("numpy.dtype")[0]


def test_import_doyle_loads_nothing_heavy() -> None:
    code = "import sys, doyle; print(sorted({'numpy', 'numba', 'typing_extensions'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
