"""A case base: remembered decisions of one player or several, one table of cases for each round.

A case is a set of feature values with raw counts: how often each action was taken, and what the hands
won in all, in chips (section 5.2.3). Counts are never normalised, so that bases can be merged and go on
learning. Cases are in the order of their sequence's text, then hand, texture and commitment, so the
same decisions give the same bytes in whatever order they were read.

The single representation keeps one entry for every decision: `members` are their letters and
outcomes, case by case, in the order in which they were read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.agents.case_bases.architecture import Architecture
from doyle.agents.case_bases.learning.decisions import Decisions
from doyle.base.artifacts import Artifact, Builder, Description
from doyle.base.artifacts.files import is_no_folder
from doyle.base.errors import DoyleError
from doyle.games import Game

Members = tuple[NDArray[np.int8], NDArray[np.float64]]
"""The letter and the outcome of every decision, case by case."""

KIND, VERSION = "case-base", 1
ROUNDS = 4
MOST_VALUES = 1 << 12
"""A power of two above the sizes of the hand, texture and commitment features."""


@dataclass(frozen=True, eq=False)
class RoundCases:
    """The cases of one round: features, counts[n, letters] and outcomes[n, letters] (sums of chips).

    `members` of the single representation: (letter, outcome) of every decision, case by case.
    """

    sequences: tuple[str, ...]
    sequence: NDArray[np.int32]
    hand: NDArray[np.int16]
    texture: NDArray[np.int16]
    commitment: NDArray[np.int16]
    counts: NDArray[np.int64]
    outcomes: NDArray[np.float64]
    members: Members | None = None

    def __len__(self) -> int:
        return len(self.sequence)

    @cached_property
    def support(self) -> NDArray[np.int64]:
        """Decisions behind each case."""
        return np.asarray(self.counts.sum(axis=1))

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the cases of each sequence begin, and the number of cases at the end."""
        places = np.arange(len(self.sequences) + 1)
        return np.searchsorted(self.sequence, places).astype(np.int64)

    @cached_property
    def member_starts(self) -> NDArray[np.int64]:
        """Where the members of each case begin, and their number at the end."""
        return np.concatenate([[0], np.cumsum(self.support)])

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each sequence."""
        return {text: place for place, text in enumerate(self.sequences)}

    @property
    def decisions(self) -> int:
        return int(self.counts.sum())

    @classmethod
    def empty(cls, letters: int, *, single: bool = False) -> RoundCases:
        none = np.empty(0, np.int16)
        members = (np.empty(0, np.int8), np.empty(0)) if single else None
        counts, outcomes = np.empty((0, letters), np.int64), np.empty((0, letters))
        return cls((), np.empty(0, np.int32), none, none, none, counts, outcomes, members)

    @classmethod
    def of(cls, decisions: Decisions, round_: int, letters: int, *, single: bool) -> RoundCases:
        """The decisions of one round, merged into cases."""
        chosen = np.flatnonzero(decisions.round == round_)
        if not len(chosen):
            return cls.empty(letters, single=single)
        order = sorted(
            set(decisions.sequence[chosen].tolist()), key=decisions.sequences.__getitem__
        )
        place = np.zeros(len(decisions.sequences), np.int64)
        place[order] = np.arange(len(order))
        keys = _keys(
            place[decisions.sequence[chosen]],
            decisions.hand[chosen],
            decisions.texture[chosen],
            decisions.commitment[chosen],
        )
        unique, case = np.unique(keys, return_inverse=True)
        letter, outcome = decisions.letter[chosen], decisions.outcome[chosen]
        cell = case * letters + letter
        size = len(unique) * letters
        members = None
        if single:
            by_case = np.argsort(case, kind="stable")
            members = (letter[by_case].astype(np.int8), outcome[by_case])
        return _of_keys(
            tuple(decisions.sequences[number] for number in order),
            unique,
            np.bincount(cell, minlength=size).reshape(-1, letters),
            np.bincount(cell, outcome, size).astype(np.float64).reshape(-1, letters),
            members,
        )

    def merged(self, other: RoundCases) -> RoundCases:
        """The cases of both; counts and outcomes of equal cases are added, members follow in order."""
        if not len(other):
            return self
        if not len(self):
            return other
        texts = sorted({*self.sequences, *other.sequences})
        number = {text: place for place, text in enumerate(texts)}
        keys = []
        for part in (self, other):
            place = np.array([number[text] for text in part.sequences], np.int64)
            keys.append(_keys(place[part.sequence], part.hand, part.texture, part.commitment))
        unique = np.union1d(*keys)
        places = [np.searchsorted(unique, part_keys) for part_keys in keys]
        shape = (len(unique), self.counts.shape[1])
        counts, outcomes = np.zeros(shape, np.int64), np.zeros(shape)
        for part, place in zip((self, other), places, strict=True):
            counts[place] += part.counts
            outcomes[place] += part.outcomes
        members = None
        if self.members is not None and other.members is not None:
            case = np.concatenate(
                [np.repeat(places[0], self.support), np.repeat(places[1], other.support)]
            )
            by_case = np.argsort(case, kind="stable")
            members = (
                np.concatenate([self.members[0], other.members[0]])[by_case],
                np.concatenate([self.members[1], other.members[1]])[by_case],
            )
        return _of_keys(tuple(texts), unique, counts, outcomes, members)


def _keys(
    sequence: NDArray[Any], hand: NDArray[Any], texture: NDArray[Any], commitment: NDArray[Any]
) -> NDArray[np.int64]:
    """One number for each case that orders as sequence, hand, texture, commitment."""
    key = sequence.astype(np.int64)
    for values in (hand, texture, commitment):
        key = key * MOST_VALUES + values
    return key


def _of_keys(
    sequences: tuple[str, ...],
    keys: NDArray[np.int64],
    counts: NDArray[np.int64],
    outcomes: NDArray[np.float64],
    members: Members | None,
) -> RoundCases:
    """The cases whose features the keys are."""
    hand, texture, commitment = (
        (keys // MOST_VALUES**power % MOST_VALUES).astype(np.int16) for power in (2, 1, 0)
    )
    sequence = (keys // MOST_VALUES**3).astype(np.int32)
    return RoundCases(sequences, sequence, hand, texture, commitment, counts, outcomes, members)


@dataclass(frozen=True, eq=False)
class CaseBase:
    """Cases by round, the architecture they were made for, and where they come from.

    `training` says which players and how many hands and decisions; `folder` is where it was loaded
    from.
    """

    architecture: Architecture
    game: Game
    rounds: tuple[RoundCases, ...]
    training: dict[str, Any] = field(default_factory=dict)
    folder: Path | None = None

    @property
    def name(self) -> str:
        """A name for the base: that of its folder, else of its players."""
        if self.folder is not None:
            return self.folder.name
        players = self.training.get("players") or ["cases"]
        return "+".join(map(str, players))

    @property
    def cases(self) -> int:
        return sum(map(len, self.rounds))

    @property
    def decisions(self) -> int:
        return sum(cases.decisions for cases in self.rounds)

    @classmethod
    def empty(cls, architecture: Architecture, game: Game) -> CaseBase:
        """A base without cases, which may still learn."""
        single = architecture.solution == "single"
        none = RoundCases.empty(len(architecture.letters), single=single)
        return cls(architecture, game, (none,) * ROUNDS)

    @classmethod
    def of(cls, architecture: Architecture, game: Game, decisions: Decisions) -> CaseBase:
        """The base that some decisions make."""
        single = architecture.solution == "single"
        letters = len(architecture.letters)
        rounds = tuple(
            RoundCases.of(decisions, round_, letters, single=single) for round_ in range(ROUNDS)
        )
        return cls(architecture, game, rounds)

    def merged(self, other: CaseBase) -> CaseBase:
        """The cases of both bases, which must have the same representation and game."""
        if self.architecture.representation() != other.architecture.representation():
            raise DoyleError("case bases of different features or solutions cannot be merged")
        if self.game != other.game:
            raise DoyleError(f"case bases of {self.game.name} and {other.game.name} differ in game")
        pairs = zip(self.rounds, other.rounds, strict=True)
        return replace(self, rounds=tuple(ours.merged(theirs) for ours, theirs in pairs))

    def with_points(self, **points: Any) -> CaseBase:
        """The same cases, asked in another way; points that decide what is stored cannot change."""
        architecture = self.architecture.with_points(**points)
        kept, wanted = self.architecture.representation(), architecture.representation()
        for name, value in kept.items():
            if wanted[name] != value:
                raise DoyleError(f"case base {self.name}: was built with {name} {value!r}")
        return replace(self, architecture=architecture)

    def part(self, share: float, *, seed: int) -> CaseBase:
        """A base with a random share of the cases of each round (figure 2: case-base usage)."""
        rng = np.random.default_rng(seed)
        rounds = []
        for cases in self.rounds:
            size = len(cases)
            kept = np.zeros(size, bool)
            kept[rng.permutation(size)[: round(share * size)]] = True
            rounds.append(_chosen(cases, kept))
        return replace(self, rounds=tuple(rounds), folder=None)

    def save(self, folder: Path) -> None:
        """Write the base as `folder`, which must not be there yet, whole or not at all."""
        import shutil
        import tempfile

        if folder.exists() or is_no_folder(folder):
            raise DoyleError(f"{folder}: is there already")
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        temporary.chmod(0o755)
        try:
            builder = Builder(temporary)
            self.put(builder)
            builder.seal(Description(KIND, VERSION, self.architecture.document()))
            temporary.rename(folder)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise

    def put(self, builder: Builder) -> None:
        """Write all arrays and what the manifest says of them."""
        for number, cases in enumerate(self.rounds):
            text = "\n".join(cases.sequences).encode()
            builder.put(f"round{number}_sequences", np.frombuffer(text, np.uint8))
            for name in ("sequence", "hand", "texture", "commitment", "counts", "outcomes"):
                builder.put(f"round{number}_{name}", getattr(cases, name))
            if cases.members is not None:
                builder.put(f"round{number}_letters", cases.members[0])
                builder.put(f"round{number}_member_outcomes", cases.members[1])
        builder.metadata.update(
            game=self.game.name,
            game_definition=self.game.to_text(),
            cases=[len(cases) for cases in self.rounds],
            decisions=[cases.decisions for cases in self.rounds],
            training=self.training,
        )

    @classmethod
    def load(cls, folder: Path) -> CaseBase:
        """The base in `folder`, checked."""
        artifact = Artifact(folder)
        path = folder / "manifest.json"
        if artifact.manifest["kind"] != KIND:
            raise DoyleError(f"{path}: field 'kind' is {artifact.manifest['kind']!r}, not {KIND!r}")
        artifact.check_once()
        try:
            architecture = Architecture.of(artifact.parameters)
        except (DoyleError, TypeError) as error:
            raise DoyleError(f"{path}: field 'parameters': {error}") from None
        return cls.of_artifact(artifact, architecture)

    @classmethod
    def of_artifact(cls, artifact: Artifact, architecture: Architecture) -> CaseBase:
        """The base whose arrays an open artifact holds."""
        path = artifact.folder / "manifest.json"
        try:
            game = Game.parse(str(artifact.detail("game_definition")), str(artifact.detail("game")))
        except DoyleError as error:
            raise DoyleError(f"{path}: field 'metadata.game_definition': {error}") from None
        rounds = tuple(_read_round(artifact, number, architecture) for number in range(ROUNDS))
        training = artifact.detail("training")
        if not isinstance(training, dict):
            raise artifact.damaged("metadata.training")
        return cls(architecture, game, rounds, training, artifact.folder)


def is_case_base(folder: Path) -> bool:
    """Whether a folder holds a case base, by its manifest."""
    try:
        return bool(Artifact(folder).manifest["kind"] == KIND)
    except (DoyleError, OSError):
        return False


def _chosen(cases: RoundCases, kept: NDArray[np.bool_]) -> RoundCases:
    """Some cases of a round, with the sequences that they need."""
    used = np.unique(cases.sequence[kept])
    members = cases.members
    if members is not None:
        of_member = np.repeat(kept, cases.support)
        members = (members[0][of_member], members[1][of_member])
    return replace(
        cases,
        sequences=tuple(cases.sequences[number] for number in used.tolist()),
        sequence=np.searchsorted(used, cases.sequence[kept]).astype(np.int32),
        members=members,
        **{name: getattr(cases, name)[kept] for name in (*_COLUMNS, "counts", "outcomes")},
    )


def _read_round(artifact: Artifact, number: int, architecture: Architecture) -> RoundCases:
    """One round's arrays; shapes and ranges are checked, since anybody may edit a file."""
    name = f"round{number}"
    text = np.asarray(artifact.array(f"{name}_sequences"))
    if text.dtype != np.uint8 or text.ndim != 1:
        raise artifact.damaged(f"arrays.{name}_sequences")
    sequence = _array(artifact, f"{name}_sequence", np.int32, 1)
    size, letters = len(sequence), len(architecture.letters)
    sequences = tuple(text.tobytes().decode("ascii", "replace").split("\n")) if size else ()
    columns = [_array(artifact, f"{name}_{c}", np.int16, 1) for c in _COLUMNS]
    counts = _array(artifact, f"{name}_counts", np.int64, 2)
    outcomes = _array(artifact, f"{name}_outcomes", np.float64, 2)
    fits = counts.shape == outcomes.shape == (size, letters)
    fits &= all(len(column) == size for column in columns)
    if size:
        fits = fits and 0 <= int(sequence.min()) <= int(sequence.max()) < len(sequences)
        fits = fits and bool((np.diff(sequence) >= 0).all())
        fits = fits and all(0 <= column.min() <= column.max() < MOST_VALUES for column in columns)
        fits = fits and bool((counts >= 0).all()) and bool((counts.sum(axis=1) > 0).all())
    members = None
    if architecture.solution == "single":
        letter = _array(artifact, f"{name}_letters", np.int8, 1)
        outcome = _array(artifact, f"{name}_member_outcomes", np.float64, 1)
        fits = fits and len(letter) == len(outcome) == int(counts.sum())
        members = (letter, outcome)
    if not fits:
        raise artifact.damaged(f"arrays.{name}_*")
    hand, texture, commitment = columns
    return RoundCases(sequences, sequence, hand, texture, commitment, counts, outcomes, members)


_COLUMNS: Sequence[str] = ("hand", "texture", "commitment")


def _array(artifact: Artifact, name: str, kind: Any, dimensions: int) -> NDArray[Any]:
    # Plain views: Numba takes much longer to recognise a subclass such as memmap.
    found = np.asarray(artifact.array(name))
    if found.dtype != np.dtype(kind) or found.ndim != dimensions:
        raise artifact.damaged(f"arrays.{name}")
    return found
