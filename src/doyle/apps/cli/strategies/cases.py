"""`doyle cases`: case bases from logs, their contents, and their answers to situations."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from doyle.agents.case_bases import Architecture, CaseBase, domain_named
from doyle.agents.case_bases.imitation import Agreement, held_out_agreement
from doyle.agents.case_bases.inspection import summary
from doyle.agents.case_bases.similarity import betting_similarity
from doyle.agents.case_bases.snapshot import Snapshot, load_snapshot, preset_folder
from doyle.agents.cases.explanation import cases_text, explain_cases
from doyle.agents.cases.named import MEMBERS, SMALL, named_cases
from doyle.apps.cli.common import AsJson, WorkersText, output, progress_bar, say
from doyle.apps.cli.missing import train_preset
from doyle.apps.cli.options import MatchStateText, given_path
from doyle.base.display import Text, TextTable
from doyle.base.errors import DoyleError
from doyle.base.workers import Workers, parse_workers
from doyle.games import Game
from doyle.games.histories import parse_matchstate
from doyle.games.histories.files import kind_of, read_lines
from doyle.games.histories.logs import game_of_log

Players = Annotated[
    list[str] | None,
    typer.Option("--player", metavar="NAME", help="Player whose decisions count; repeatable."),
]
CasesText = Annotated[str, typer.Argument(metavar="AGENT", help="A preset or a case-base folder.")]
Logs = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[LOG]...", help="ACPC logs or PHH files, packed or not."),
]


def register(app: typer.Typer) -> None:
    topic = typer.Typer(
        help="Case bases: build them from logs, inspect and query them.", no_args_is_help=True
    )
    topic.command()(build)
    topic.command()(show)
    topic.command()(query)
    topic.command()(similarity)
    topic.command()(agreement)
    app.add_typer(topic, name="cases")


def build(
    snapshot: Annotated[
        str, typer.Argument(metavar="SNAPSHOT", help="A preset such as sartre-2010, or a .toml.")
    ],
    logs: Logs = None,
    players: Players = None,
    winners: Annotated[
        int, typer.Option(min=0, help="Train on this many players with the most winnings per hand.")
    ] = 0,
    everybody: Annotated[
        bool, typer.Option("--everybody", help="Learn from all players of the logs.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(
            parser=given_path, metavar="FOLDER", help="Where to write (default: in the cache)."
        ),
    ] = None,
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="The game, if the logs do not name it.")
    ] = None,
    skip_unseen: Annotated[
        bool,
        typer.Option("--skip-unseen", help="Pass over decisions with hole cards that are hidden."),
    ] = False,
    scale: Annotated[
        str, typer.Option(metavar="full|small", help="Of logs that are made for a preset.")
    ] = "full",
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Build a case base from logs; without logs, from hands that the preset's experts play.

    Several --player options make one base of all of them. An interrupted build resumes when it is
    run again.
    """
    chosen, crew = load_snapshot(snapshot), parse_workers(workers)
    if not logs:
        _refuse_without_logs(players, winners=winners, everybody=everybody, out=save)
        train_preset(chosen, scale=scale, workers=crew)
        _output_all(_bases_of(chosen, scale), as_json=as_json)
        return
    if sum((bool(players), bool(winners), everybody)) != 1:
        raise typer.BadParameter("give --player, --winners or --everybody: whose decisions count")
    _check_logs(logs)
    rules = _game_of(logs, game, chosen.name, Game.named(chosen.game.value))
    if winners:
        from doyle.agents.case_bases.learning.construction import winners as best

        players = list(best(logs, winners, game=rules, workers=crew))
        say(f"learning from {', '.join(players)}")
    base = _build_from_logs(
        chosen, logs, players or [], out=save, game=rules, skip_unseen=skip_unseen, workers=crew
    )
    unseen = base.training["unseen_decisions"]
    if unseen:
        say(
            f"{unseen:,} decisions with hidden cards were skipped: cards are mostly hidden when a "
            "player folds, so the base folds less than its player"
        )
    if base.training["logs_without_score"]:
        say(
            f"{_counted(base.training['logs_without_score'], 'log has', 'logs have')} no SCORE line at the "
            "end: missing hands cannot be detected"
        )
    _output_all([base], as_json=as_json)


def _counted(count: int, one: str, several: str) -> str:
    return f"{count:,} {one if count == 1 else several}"


def _bases_of(snapshot: Snapshot, scale: str) -> list[CaseBase]:
    named = named_cases(snapshot.name + (SMALL if scale == "small" else ""))
    assert named is not None
    return named.bases()


def _refuse_without_logs(
    players: list[str] | None, *, winners: int, everybody: bool, out: Path | None
) -> None:
    given = {"--player": players, "--winners": winners, "--everybody": everybody, "--save": out}
    for option, value in given.items():
        if value:
            raise typer.BadParameter(f"{option} requires logs")


def _check_logs(logs: list[Path]) -> None:
    for path in logs:
        if not path.is_file():
            problem = "is a folder" if path.is_dir() else "no such file"
            raise DoyleError(f"{path}: {problem}; expected an ACPC log or a PHH file")
    filled = [path for path in logs if _has_hands(path)]  # every one is looked at
    if not filled:
        raise DoyleError(f"{', '.join(map(str, logs))}: no hands")


def _has_hands(path: Path) -> bool:
    """Whether a log begins with a hand, seen before tables of all hands are made; of PHH it is taken so."""
    if kind_of(path) in (".phh", ".phhs"):
        return True
    first = next((line for line in read_lines(path) if line and not line.startswith("#")), None)
    if first is not None and not first.startswith(("STATE", "SCORE")):
        raise DoyleError(f"{path}: no ACPC log; expected a line such as STATE:0:...")
    return first is not None and first.startswith("STATE")


def _game_of(logs: list[Path], game: str | None, learner: str, own: Game) -> Game:
    """The game given, else the one that the first log names, else the learner's own."""
    if game is not None:
        return Game.named(game)
    for path in logs:
        try:
            named = game_of_log(path)
        except DoyleError:
            continue
        if named.players != own.players or named.is_limit != own.is_limit:
            raise DoyleError(f"{path}: a log of {named.name}, but {learner} learns from {own.name}")
        return named
    return own


def _build_from_logs(
    snapshot: Snapshot,
    logs: list[Path],
    players: list[str],
    *,
    out: Path | None,
    game: Game,
    skip_unseen: bool,
    workers: Workers,
) -> CaseBase:
    from doyle.agents.case_bases.learning.construction import build_to_folder

    name = "+".join(players) or "everybody"
    plain = "".join(sign if sign.isalnum() or sign in "+-_." else "_" for sign in name)
    folder = out or preset_folder(snapshot.name) / MEMBERS / plain
    with progress_bar() as progress:
        return build_to_folder(
            logs,
            snapshot.architecture,
            folder,
            game=game,
            players=players,
            skip_unseen=skip_unseen,
            workers=workers,
            progress=progress,
        )


def show(
    agent: CasesText,
    as_json: AsJson = False,
) -> None:
    """Show the contents of case bases: origin, points, and sizes by round."""
    _output_all(_cases_of(agent).bases(), as_json=as_json)


def query(
    agent: CasesText,
    state: MatchStateText,
    as_json: AsJson = False,
) -> None:
    """Show the cases that a situation retrieves, their similarity by feature, and the resulting
    play."""
    player = _cases_of(agent).agent()
    seen = parse_matchstate(player.game, state, what="--state")
    document = explain_cases(player, seen.state.view(seen.seat))
    output(document, as_json=as_json, text=lambda: cases_text(document))


def similarity(
    domain: Annotated[str, typer.Argument(metavar="DOMAIN", help="limit, no-limit or limit-3p.")],
    first: Annotated[str, typer.Argument(metavar="SEQ1", help="Such as crrc-crrrrc-cr.")],
    second: Annotated[str, typer.Argument(metavar="SEQ2", help="Such as rrc-rrrrc-cr.")],
    decay: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Alpha of equation 7 (no-limit).")
    ] = 0.05,
    as_json: AsJson = False,
) -> None:
    """Show how similar two betting sequences are, by the metric of their game."""
    chosen = domain_named(domain)
    points: dict[str, Any] = {"betting_metric": "stepped" if chosen.is_limit else "sizes"}
    architecture = Architecture(domain=domain, decay=decay, **points)
    value = round(betting_similarity(architecture, first, second), 12)
    document = {"domain": domain, "first": first, "second": second, "similarity": value}
    output(document, as_json=as_json, text=lambda: [f"{value:g}"])


def agreement(
    agent: CasesText,
    logs: Annotated[
        list[Path], typer.Argument(metavar="LOG...", help="Logs that it was not built from.")
    ],
    players: Players = None,
    workers: WorkersText = None,
    as_json: AsJson = False,
) -> None:
    """Show how often a base agrees with a player in unseen hands, by round."""
    if not players:
        raise typer.BadParameter("give --player: whose decisions are compared")
    _check_logs(logs)
    (base, *others) = _cases_of(agent).bases()
    if others:
        raise typer.BadParameter(f"{agent} has several bases; give the folder of one")
    _game_of(logs, None, agent, base.game)
    with progress_bar() as progress:
        found = held_out_agreement(
            base, logs, players=players, workers=parse_workers(workers), progress=progress
        )
    document = {"agent": agent, "rounds": [entry.document() for entry in found]}
    output(document, as_json=as_json, text=lambda: _agreement_text(found))


def _cases_of(agent: str) -> Any:
    named = named_cases(agent)
    if named is None:
        raise DoyleError(f"agent {agent!r}: no preset of case-based agents and no case base")
    return named


def _summary(base: CaseBase) -> dict[str, Any]:
    return {**summary(base), "folder": None if base.folder is None else str(base.folder)}


def _output_all(bases: list[CaseBase], *, as_json: bool) -> None:
    """Several bases or one: the document is the same."""
    documents = [_summary(base) for base in bases]
    output({"case_bases": documents}, as_json=as_json, text=lambda: chain(*map(_text, documents)))


def _text(document: dict[str, Any]) -> Text:
    training = document["training"]
    yield f"{document['name']}: {document['cases']:,} cases of {document['game']}"
    yield (
        f"from {document['decisions']:,} decisions of {', '.join(training.get('players', []))} "
        f"in {training.get('hands', 0):,} hands"
    )
    if document["folder"]:
        yield f"in {document['folder']}"
    rows = [
        [
            row["round_name"],
            f"{row['decisions']:,}",
            f"{row['cases']:,}",
            f"{row['decisions_per_case']:.1f}",
            f"{row['sequence_count']:,}",
            _shares({one: n / max(1, row["decisions"]) for one, n in row["action_counts"].items()}),
        ]
        for row in document["rounds"]
    ]
    heads = ["round", "decisions", "cases", "a case", "sequences", "actions"]
    yield TextTable(heads, rows, texts=(0, 5))


def _agreement_text(found: list[Agreement]) -> Text:
    rows = [
        [
            entry.round,
            f"{entry.decisions:,}",
            f"{entry.share:.3f}" if entry.decisions else "-",
            f"{entry.best:.3f}" if entry.decisions else "-",
            _shares(entry.expert),
            _shares(entry.imitator),
        ]
        for entry in found
    ]
    yield TextTable(["round", "decisions", "agreement", "at most", "expert", "imitator"], rows)
    yield "at most: what the expert's most frequent action in each situation would reach"


def _shares(shares: Mapping[str, float]) -> str:
    return "  ".join(f"{letter} {share:.1%}" for letter, share in shares.items())
