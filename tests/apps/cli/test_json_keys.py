"""The documents of `--json`: a key means the same kind of value in all of them, with its unit.

Every command that has the option is run on a cheap input; a new one must be added here.
"""

from __future__ import annotations

import io
import json
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import typer

import doyle.experiments.museum
from doyle.apps.cli import main
from doyle.apps.cli.app import TOPICS, command_tree
from doyle.apps.web.dealing import SealedDeck
from doyle.building.planning import Speeds, calibration
from doyle.experiments.museum import LeaguePlan
from doyle.games import Game
from doyle.matches import Chance
from doyle.matches.network import Dealer
from tests.agents.case_bases.random_logs import write_random_log
from tests.apps.cli.strategies.test_build import TEXT as TINY
from tests.building.rank_cards import use_rank_cards
from tests.matches.network.matches import Running
from tests.matches.network.peer import RULES, PeerClient

CASES = """
name = "mine"
game = "holdem-limit-2p"
features = { strength = "categories" }
similarity = { strength_metric = "all-or-nothing" }
training = { experts = ["ev"] }
"""
MATCH = "match leduc ev random --hands 60 --log match.log --results hands --workers 1"
SPOT = "--board Ks7h4d2c3s --ranges QQ+ 22+ --pot 200 --stacks 800"

COMMANDS = (
    "doctor",
    "game list",
    "game show leduc --size",
    "equity AsKs QhQd",
    "rank AsKsQsJsTs",
    "agents list",
    "match kuhn random always-call --hands 50 --workers 1",
    MATCH,
    "match leduc ev random --exact-hands",
    "match kuhn always-raise always-fold --until-decided --hands 100 --workers 1",
    "league kuhn random always-call always-raise --hands 20 --results league --workers 1",
    "museum --hands 20 --lbr-hands 4 --workers 1",
    "museum --hands 20 --lbr-hands 4 --workers 1 --minutes 0",
    "results show hands",
    "results show league",
    "results export hands hands.parquet",
    "convert limit.log limit.phhs",
    "verify hand.json",
    "tree fca --game holdem-nl-20bb --compile --buckets 3",
    "translate --mapping rand-pshar --a 1 --b 3 --x 1.5",
    "shrink leduc",
    "solve kuhn --save kuhn",
    "solve leduc --iterations 10 --solver cfr+,dcfr",
    "solve leduc --iterations 100 --solver external --workers 1",
    "strategy show kuhn",
    "exploitability kuhn",
    "lbr kuhn",
    "late-response starter --hands 2",
    "explain search:starter --state MATCHSTATE:0:0:cr300c/cc/cc/:AsKd|/Kh7s4d/2c/Jd",
    "exploit always-call --game kuhn --share 0.5 --loss-bound 0.5",
    f"spot {SPOT} --target 5% --save spot",
    "spot show spot",
    "evaluate match.log --agent random --agent ev",
    "evaluate match.log --method divat",
    "evaluate match.log --method importance --agent random",
    "review match.log --agent random --game leduc --player ev --workers 1",
    "report always-call --game kuhn",
    "benchmark always-call --game leduc-nl12 --hands 60",
    "build tiny.toml --iterations 1 --hands 0 --workers 1",
    "build list",
    "plan tiny.toml",
    f"plan {SPOT}",
    "strategy show tiny.toml",
    "explain tiny.toml --state MATCHSTATE:1:0::|AsKd",
    "cases build cases.toml limit.log --player Ann --save base --workers 1",
    "cases show base",
    "cases query base --state MATCHSTATE:1:0:rc/c:|AsKd/2c7dAh",
    "explain base --state MATCHSTATE:1:0:rc/c:|AsKd/2c7dAh",
    "cases similarity limit rc cc",
    "cases agreement base other.log --player Ann --workers 1",
    "papers ijcai2013/table1",
    "papers ijcai2013/table4",
    "papers list",
    "papers page --results league",
    "cards list",
    "cache list",
    "cache check",
    "cache clear",
)
CARDS = (
    "cards build ir169.ir10.ir10.10",
    "cards show ir169.ir10.ir10.10",
    "cards compare 5.5.5.5 ir169.ir10.ir10.10 --boards 20",
    "cards bucket ir169.ir10.ir10.10 --hole AsKd",
    "cards list",
)
"""What needs the atlas of all hands."""

NETWORK = ("acpc dealer", "acpc play")

MAPS = {
    *("cross_table", "mbb_per_hand_by_player", "mbb_per_hand_at_showdown", "by_hand", "by_class"),
    *("by_street_and_size", "refused", "not_reviewed", "by_feature", "features", "counts"),
    *("mean_outcomes", "action_vector", "probabilities", "action_counts", "expert", "imitator"),
    *("words", "scores", "signs_of_not_comparable", "packages", "examples", "failed"),
}
"""Keys of a mapping from names that are data (of players, hands, letters, packages) to values."""


OWN = "parameters"
"""What an artifact of the cache was made from, in the words of its maker."""


def keys(document: Any, place: str = "", *, named: bool = True) -> Iterator[tuple[str, str, str]]:
    """Every key, the kind of its value and the key above; what is null has no kind."""
    if isinstance(document, list):
        for entry in document:
            yield from keys(entry, place)
    elif isinstance(document, dict):
        for key, value in document.items():
            own = key if named else f"{place}[]"
            if value is not None:
                number = isinstance(value, int | float) and not isinstance(value, bool)
                yield own, "number" if number else type(value).__name__, place
            if key != OWN:
                is_map = key in MAPS or own == "cross_table[]"
                yield from keys(value, own, named=not is_map)


def is_setting(command: str, key: str, place: str) -> bool:
    """What a local best or late response may do and when, as given: texts by contract; lists elsewhere."""
    own = command.startswith(("lbr ", "late-response ")) or place in ("lbr", "late_responses")
    return key in ("actions", "rounds") and own


def is_cell(command: str, key: str) -> bool:
    """A cell of a published table holds what that table has there: numbers or words."""
    return command.startswith("papers ") and key == "ours"


def called(*words: str) -> Any:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([*words, "--json"])
    assert code == 0, (words, err.getvalue())
    return json.loads(out.getvalue())


def peer(seat: int) -> Any:
    """A client that waits until there is a dealer, as clients of a competition do."""

    def play(port: int) -> None:
        for _ in range(600):
            try:
                PeerClient(RULES["kuhn"], seed=seat, seat=seat).play(port)
                return
            except ConnectionRefusedError:
                threading.Event().wait(0.05)

    return play


def of_network() -> Iterator[tuple[str, Any]]:
    """A match at our dealer, and one that our client plays."""
    from tests.matches.network.test_command import free_ports

    ports = free_ports(2)
    clients = [Running(peer(seat), port) for seat, port in enumerate(ports)]
    words = ["--hands", "20", "--ports", *map(str, ports)]
    yield "acpc dealer", called("acpc", "dealer", "kuhn", *words)
    for client in clients:
        client.result()
    table = Dealer(Game.named("kuhn"), hands=20, chance=Chance.repeatable(1), ports=[0, 0])

    def deal(port: int) -> None:
        with table:
            table.play()

    first, second = table.__enter__().ports
    others = [Running(deal, 0), Running(peer(1), second)]
    played = called("acpc", "play", "random", "127.0.0.1", str(first), "--game", "kuhn")
    yield "acpc play", played
    for other in others:
        other.result()


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Any]]:
    """What every command prints, by its line."""
    folder = tmp_path_factory.mktemp("json")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("DOYLE_CACHE", str(folder / "cache"))
        patch.setattr(calibration, "measure_speeds", lambda **_: Speeds())
        plan = LeaguePlan("kuhn", ("always-call", "always-raise", "always-fold"))
        patch.setattr(doyle.experiments.museum, "plans", lambda *_, **__: (plan,))
        use_rank_cards(patch)
        Path("tiny.toml").write_text(TINY)
        Path("cases.toml").write_text(CASES)
        limit = Game.named("holdem-limit-2p")
        for seed, name in enumerate(("limit.log", "other.log"), start=1):
            write_random_log(Path(name), limit, 60, seed)
        deck = SealedDeck(bytes(range(32)), "AsKd2c")
        hand = {"commitment": deck.commitment, "salt": deck.salt.hex(), "deck": "AsKd2c"}
        Path("hand.json").write_text(json.dumps(hand))
        found = {command: called(*command.split()) for command in COMMANDS}
        found |= dict(of_network())
        yield found


def kinds(documents: Mapping[str, Any]) -> dict[str, dict[str, list[str]]]:
    """By key and kind of value the commands that print it so."""
    seen: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for command, document in documents.items():
        for key, kind, place in keys(document):
            if not is_setting(command, key, place) and not is_cell(command, key):
                seen[key][kind].append(command)
    return {key: dict(found) for key, found in seen.items()}


def conflicts(documents: Mapping[str, Any]) -> dict[str, dict[str, list[str]]]:
    return {key: found for key, found in kinds(documents).items() if len(found) > 1}


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command that can be run, with the words that name it."""
    parts = getattr(command, "commands", {})
    for name, part in parts.items():
        yield from leaves(part, (*path, name))
    if path and (not parts or command.invoke_without_command):
        yield " ".join(path), command


def test_every_command_with_the_option_is_surveyed() -> None:
    root = typer.main.get_command(command_tree(TOPICS))
    named = dict(leaves(root))
    with_option = {
        name
        for name, command in named.items()
        if any("--json" in parameter.opts for parameter in command.params)
    }
    surveyed = set()
    for line in (*COMMANDS, *CARDS, *NETWORK):
        words = line.split()
        surveyed.add(max((n for n in named if n.split() == words[: len(n.split())]), key=len))
    assert with_option - surveyed == set()
    assert len(with_option) > 45
    assert set(named) - with_option == {"serve", "acpc script"}


def test_a_key_has_one_type(documents: Mapping[str, Any]) -> None:
    assert conflicts(documents) == {}


def test_a_key_of_two_types_would_be_found() -> None:
    documents = {"lbr kuhn": {"actions": "all"}, "a": {"actions": []}, "b": {"rows": [{"n": 1}]}}
    assert conflicts(documents) == {}
    assert set(conflicts(documents | {"c": {"n": "one"}})) == {"n"}
    assert set(conflicts(documents | {"d": {"by_hand": {"AA": 1, "KK": []}}})) == {"by_hand[]"}


@pytest.mark.slow
def test_card_abstractions_too(documents: Mapping[str, Any]) -> None:
    found = {command: called(*command.split()) for command in CARDS}
    assert conflicts(documents | found) == {}


def test_amounts_say_their_unit(documents: Mapping[str, Any]) -> None:
    amounts = ("gain", "loss", "lead", "wins", "bound", "equilibrium", "exploitability", "sd")
    units = ("mbb", "chips", "percent", "pots", "ci95", "reduction")
    bare = {
        key
        for key, found in kinds(documents).items()
        if "number" in found
        and any(word in key.split("_") for word in amounts)
        and not any(unit in key for unit in units)
    }
    # How many deals a hand loses, and games of one bet, which have no blinds.
    assert bare <= {"loss", "exploitability_of_ours"}


def test_kept_hands_say_of_a_match_what_the_match_said(documents: Mapping[str, Any]) -> None:
    (table,) = documents["results show hands"]["tables"]
    assert {key: table[key] for key in documents[MATCH]} == documents[MATCH]
    assert table["hands_played"] == documents["results show hands"]["hands_played"] == 120


def test_information_sets_are_counted_one_way(documents: Mapping[str, Any]) -> None:
    vector, sampled = (
        documents["solve leduc --iterations 10 --solver cfr+,dcfr"]["solves"][0],
        documents["solve leduc --iterations 100 --solver external --workers 1"],
    )
    assert vector["infosets"] == sampled["infosets"] == [144, 144]
    tiny = documents["build tiny.toml --iterations 1 --hands 0 --workers 1"]
    tree = documents["tree fca --game holdem-nl-20bb --compile --buckets 3"]
    by_seat = [13 * sum(rounds) for rounds in tree["decisions_by_seat"]]
    assert tiny["infosets"] == by_seat
