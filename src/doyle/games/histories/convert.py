"""From one format of hand histories to another, hand by hand, with a count of what was refused.

Hands of a `.phhs` file and files of a folder stand for themselves: one that cannot be read is counted
by its reason, and the others are converted. A single log or `.phh` file is one thing: it is converted
whole or not at all. In a folder a log is read up to its first damaged line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from doyle.base.errors import DoyleError, ParseError
from doyle.base.workers import Progress
from doyle.games import Game, bundled_names
from doyle.games.histories.files import kind_of, writing
from doyle.games.histories.lines import Chips, Hand, format_score_line, format_state_line
from doyle.games.histories.logs import Totals, game_of_log, read_hands
from doyle.games.histories.phh import format_phh, parse_phh, phh_problem, sections

_PHH = (".phh", ".phhs")
_LOG = (".log",)


@dataclass
class Refused:
    """Hands refused for one reason, and what was said of the first."""

    hands: int
    example: str


@dataclass
class Conversion:
    """What was read: hands by their number, those refused by reason, and what the players won.

    `game` is that of the first hand, and of all if `one_game`. A `strict` conversion refuses nothing:
    it ends with the first error.
    """

    strict: bool
    files: int = 0
    hands: int = 0
    refused: dict[str, Refused] = field(default_factory=dict)
    game: Game | None = None
    one_game: bool = True
    totals: Totals = field(default_factory=Totals)

    @property
    def refused_hands(self) -> int:
        return sum(refused.hands for refused in self.refused.values())

    @property
    def players(self) -> dict[str, Chips]:
        """What each player won in all hands; nothing if they are not of one game."""
        return self.totals.by_player if self.one_game else {}

    def reasons(self) -> list[tuple[str, Refused]]:
        """The reasons of refusal, the most frequent first."""
        return sorted(self.refused.items(), key=lambda entry: (-entry[1].hands, entry[0]))

    def add(self, hand: Hand) -> None:
        self.hands += 1
        self.game = self.game or hand.state.game
        if self.one_game and hand.state.game != self.game:
            self.one_game, self.totals = False, Totals()
        if self.one_game:
            self.totals.add(hand)

    def refuse(self, error: DoyleError) -> None:
        """Count a hand, or the rest of a log, that is left out."""
        if self.strict:
            raise error
        reason = getattr(error, "reason", None)
        if reason is None:
            reason = "log: a damaged line" if isinstance(error, ParseError) else "cannot be read"
        self.refused.setdefault(reason, Refused(0, str(error))).hands += 1


def convert(
    source: Path,
    target: Path | None = None,
    *,
    game: Game | None = None,
    progress: Progress | None = None,
) -> Conversion:
    """Convert a file, or all files of a folder, to a log or to PHH by the suffix of `target`.

    Without a target the hands are read and counted. DoyleError if no hand could be read.
    """
    _check_paths(source, target)
    result = Conversion(strict=source.is_file() and kind_of(source) != ".phhs")
    hands = _hands(source, target, game, result, progress)
    if target is None:
        for hand in hands:
            result.add(hand)
        _require_hands(source, result)
        return result
    texts = _texts(target, hands, result)
    first = next(texts, "")  # before anything is opened for writing
    _require_hands(source, result)
    with writing(target) as stream:
        stream.write(first)
        stream.writelines(texts)
    return result


def _require_hands(source: Path, result: Conversion) -> None:
    if result.hands:
        return
    if not result.refused:
        raise DoyleError(f"{source}: no hands")
    first = next(iter(result.refused.values()))
    count = result.refused_hands
    raise DoyleError(first.example + (f" (and {count - 1} more refused)" if count > 1 else ""))


def _check_paths(source: Path, target: Path | None) -> None:
    for path in (source, target):
        if path is None or (path is source and path.is_dir()):
            continue
        if kind_of(path) not in (*_PHH, *_LOG):
            raise DoyleError(f"{path}: the suffix must be .log, .phh or .phhs (then .gz or .xz)")
    if not source.exists():
        raise DoyleError(f"{source}: no such file or folder")
    if target is not None and source.resolve() == target.resolve():
        raise DoyleError(f"{target}: cannot be converted onto itself")


def hands_of(source: Path, game: Game | None, result: Conversion) -> Iterator[Hand]:
    """The hands of a file or folder, PHH hands in the game of their own fields.

    `game` is that of logs which do not name theirs. What is refused is counted in `result`.
    """
    _check_paths(source, None)
    return _hands(source, None, game, result, None, own_games=True)


def _hands(
    source: Path,
    target: Path | None,
    game: Game | None,
    result: Conversion,
    progress: Progress | None,
    *,
    own_games: bool = False,
) -> Iterator[Hand]:
    """The hands of a file or folder; those refused are counted in `result`."""
    folder = source.is_dir()
    files = _files(source, target) if folder else [source]
    for index, path in enumerate(files):
        if progress is not None and folder:
            progress("files read", index, len(files))
        result.files += 1
        try:
            if kind_of(path) in _LOG:
                yield from _log_hands(path, target, game)
            else:
                yield from _phh_hands(path, None if own_games else game, result)
        except DoyleError as error:
            result.refuse(error)
    if progress is not None and folder:
        progress("files read", len(files), len(files))


def _files(folder: Path, target: Path | None) -> list[Path]:
    """The logs and PHH files under a folder, in order, without the one that is written."""
    skipped = None if target is None else target.resolve()
    return sorted(
        path
        for path in folder.rglob("*")
        if kind_of(path) in (*_PHH, *_LOG)
        and not path.name.startswith(".")
        and path.is_file()
        and path.resolve() != skipped
    )


def _log_hands(path: Path, target: Path | None, game: Game | None) -> Iterator[Hand]:
    game = game or game_of_log(path)
    if target is not None and kind_of(target) in _PHH and (problem := phh_problem(game)):
        raise DoyleError(f"{path}: {game.name} as PHH: {problem}")
    return read_hands(path, game)


def _phh_hands(path: Path, game: Game | None, result: Conversion) -> Iterator[Hand]:
    for where, text in sections(path):
        try:
            hand = parse_phh(text, game, where=where)
        except DoyleError as error:
            result.refuse(error)
        else:
            yield hand


def _texts(target: Path, hands: Iterator[Hand], result: Conversion) -> Iterator[str]:
    """What to write; hands that the format cannot hold are refused."""
    if kind_of(target) in _LOG:
        return _log_texts(hands, result)
    return _phh_texts(target, hands, result)


def _phh_texts(target: Path, hands: Iterator[Hand], result: Conversion) -> Iterator[str]:
    for hand in hands:
        try:
            text = format_phh(hand)
        except DoyleError as error:
            result.refuse(error)
            continue
        result.add(hand)
        if kind_of(target) == ".phhs":
            yield f"[{result.hands}]\n{text}\n"
        elif result.hands > 1:
            raise DoyleError(f"{target}: a .phh file holds one hand; use .phhs for several")
        else:
            yield text


class _OfAnotherGame(DoyleError):
    reason = "another game than that of the hands before"


def _log_texts(hands: Iterator[Hand], result: Conversion) -> Iterator[str]:
    for hand in hands:
        named = _with_names(hand)
        try:
            if result.game is not None and hand.state.game != result.game:
                raise _OfAnotherGame(f"hand {hand.number}: other stacks or blinds than the first")
            line = format_state_line(named)
        except DoyleError as error:
            result.refuse(error)
            continue
        head = "" if result.hands else _game_comment(hand.state.game)
        result.add(named)
        yield f"{head}{line}\n"
    if result.totals.by_player:
        yield format_score_line(result.totals.score()) + "\n"


def _game_comment(game: Game) -> str:
    """The comment by which a log of a bundled game is read again."""
    names = [name for name in bundled_names() if Game.named(name) == game]
    return f"# game {names[0]}\n" if names else ""


def _with_names(hand: Hand) -> Hand:
    """The hand with a name for every seat, without which a log does not hold what was won."""
    if hand.players and all(hand.players):
        return hand
    names = hand.players or ("",) * hand.state.game.players
    return replace(
        hand, players=tuple(name or f"p{seat}" for seat, name in enumerate(names, start=1))
    )
