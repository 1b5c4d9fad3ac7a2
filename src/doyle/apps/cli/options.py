"""Options and arguments shared by several commands, with their checks.

Where a command may write, checked before the work and not after it.

A file replaces an older one; folders on the way to it are made. A strategy folder may be
replaced by a newer strategy; a folder with a checkpoint is only resumed.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from doyle.agents.registry import OWN_NAMES
from doyle.agents.resolve import is_foreign, own_game
from doyle.apps.cli.missing import build_missing
from doyle.base.errors import DoyleError
from doyle.games import Game

if TYPE_CHECKING:
    from doyle.matches.chance import Chance
if TYPE_CHECKING:
    from doyle.base.artifacts import Checkpoints


FIGURES = (".png", ".svg", ".pdf")
"""Suffixes of files that figures are drawn in."""


def given_path(text: str) -> Path:
    """A path as an option's value; the empty text is refused."""
    if not text.strip():
        raise typer.BadParameter("empty; give a path")
    return Path(text)


def check_file(option: str, path: Path | None, *, suffixes: tuple[str, ...] = ()) -> None:
    """Refuse a path at which no file, or none of these suffixes, can be written."""
    if path is None:
        return
    from doyle.base.artifacts.files import path_of

    path_of(path, what=option)
    if path.is_dir():
        raise DoyleError(f"{option} {path}: is a folder; give the name of a file")
    if path.exists() and not path.is_file():
        raise DoyleError(f"{option} {path}: is not a regular file")
    if suffixes and path.suffix.lower() not in suffixes:
        raise DoyleError(f"{option} {path}: the name must end in {', '.join(suffixes)}")
    _try_writing(option, path)


def check_folder(option: str, path: Path | None) -> None:
    """Refuse a path at which there can be no folder to write in."""
    if path is None:
        return
    from doyle.base.artifacts.files import is_no_folder, path_of

    path_of(path, what=option)
    if is_no_folder(path):
        raise DoyleError(f"{option} {path}: is not a folder")
    _try_writing(option, path)


def check_save(path: Path | None, *, kind: str = "strategy") -> None:
    """Refuse a folder that a strategy, or another `kind` of result, must not be saved in."""
    if path is None:
        return
    snapshots = _snapshots("--save", path)
    others, found = snapshots.others(), snapshots.kind()
    if others or found not in (None, kind):
        holds = others[0] if others else found
        raise DoyleError(
            f"--save {path}: holds something else ({holds}); give a new folder, or one that holds "
            f"a saved {kind}, which is replaced"
        )
    _try_writing("--save", path)


def check_checkpoint(path: Path | None, *, resume: bool, save: Path | None = None) -> None:
    """Refuse to start in a folder whose solve would be lost, or in a folder of another solve."""
    if resume and path is None:
        raise DoyleError("--resume: needs --checkpoint FOLDER")
    if path is None:
        return
    if save is not None and save.absolute() == path.absolute():
        raise DoyleError(f"--save and --checkpoint: both {save}; give two folders")
    kind = _snapshots("--checkpoint", path).kind()
    if kind is not None and kind != "solver":
        raise DoyleError(f"--checkpoint {path}: holds a {kind}, not a checkpoint; give another")
    if kind is not None and not resume:
        raise DoyleError(
            f"--checkpoint {path}: holds the checkpoint of an earlier solve; give --resume to continue "
            "from it, or another folder"
        )
    _try_writing("--checkpoint", path)


def checkpoint_hint(path: Path | None) -> str:
    """How an interrupted solve resumes, if it has kept anything."""
    if path is None or _snapshots("--checkpoint", path).kind() is None:
        return ""
    return f"the same command with --resume resumes from the newest checkpoint in {path}"


def _snapshots(option: str, path: Path) -> Checkpoints:
    from doyle.base.artifacts import Checkpoints
    from doyle.base.artifacts.files import is_no_folder, path_of

    path_of(path, what=option)
    if is_no_folder(path):
        raise DoyleError(f"{option} {path}: is a file; give a folder")
    return Checkpoints(path)


def _try_writing(option: str, path: Path) -> None:
    """Write and remove a file in the nearest existing folder: permissions alone are not
    conclusive."""
    existing = path if path.is_dir() else path.parent
    while not existing.exists():
        if existing.is_symlink():
            raise DoyleError(f"{option} {path}: {existing} is a link that leads nowhere")
        existing = existing.parent
    try:
        with tempfile.NamedTemporaryFile(prefix=".doyle-", dir=existing):
            pass
    except OSError as error:
        raise DoyleError(
            f"{option} {path}: cannot be written in {existing} ({error.strerror})"
        ) from None


DEFAULT_GAME = "holdem-nl-200bb"

AgentText = Annotated[
    str, typer.Argument(metavar="AGENT", help="Any agent: see `doyle agents list`.")
]
PolicyText = Annotated[
    str, typer.Argument(metavar="AGENT", help="An agent that reports its probabilities.")
]
GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A bundled game or a definition file.")
]
GameOfAgent = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        help=f"A bundled game or a definition file (default: the agent's, or {DEFAULT_GAME}).",
    ),
]
GameOfHands = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help="The game (default: the one the file names)."),
]
MatchStateText = Annotated[
    str,
    typer.Option(
        "--state",
        metavar="MATCHSTATE",
        help="The view of the seat to act, such as 'MATCHSTATE:1:0:cr300:|AsKd'.",
    ),
]
Page = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE.html", parser=given_path, help="Write an HTML page too."
    ),
]
Log = Annotated[Path | None, typer.Option("--log", help="Write the hands as an ACPC log.")]
TimeLimit = Annotated[
    float,
    typer.Option("--time-limit", help="Seconds for one action; a slower agent forfeits the match."),
]
Sealed = Annotated[
    bool,
    typer.Option(
        "--sealed",
        help="Take cards and dice from the system's randomness; the result reveals the secret.",
    ),
]
Secret = Annotated[
    str | None,
    typer.Option(
        "--secret",
        metavar="HEX|LOG",
        help="Replay a sealed match: its secret, or the log that ends with it.",
    ),
]
DealsFrom = Annotated[
    str,
    typer.Option(
        "--deals",
        metavar="secret|acpc",
        help="acpc: the ACPC dealer's deals of the seed, which agents can search for.",
    ),
]


def game_of_agent(agent: str, game: str | None, *, build: bool) -> Game:
    """The game given, or that of the agent's strategy, or the default; the agent is built if need be."""
    if game is not None:
        chosen = Game.named(game)
        build_missing([agent], build=build, game=chosen)
        return chosen
    if agent not in OWN_NAMES and not is_foreign(agent):
        build_missing([agent], build=build)
        own = own_game(agent)
        if own is not None:
            return own
    chosen = Game.named(DEFAULT_GAME)
    build_missing([agent], build=build, game=chosen)  # reports errors of the text
    return chosen


def chosen_chance(seed: int, *, sealed: bool, secret: str | None, deals: str) -> Chance:
    """Where deals and dice come from, by --seed, --sealed, --secret and --deals."""
    from doyle.matches.chance import Chance  # for commands that play matches alone
    from doyle.matches.log import find_secret

    if deals not in ("secret", "acpc"):
        raise DoyleError(f"--deals {deals!r}: expected secret or acpc")
    if not sealed and secret is None:
        return Chance.repeatable(seed, deals="acpc" if deals == "acpc" else "secret")
    if deals == "acpc":
        raise DoyleError(
            "--deals acpc: the ACPC dealer's deals come from a seed, not from a secret"
        )
    return Chance.sealed(None if secret is None else find_secret(secret))
