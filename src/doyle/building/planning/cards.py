"""What the strength atlas and a card abstraction take.

Their sizes are fixed: boards and hands up to suits. Times are processor seconds of one core measured
on 2026-11-17, in units of the time of a river board there, so that they follow the speed of another
machine; those of clusterings are rougher than those of percentiles.
"""

from __future__ import annotations

from dataclasses import dataclass

from doyle.abstractions.cards import registry
from doyle.abstractions.cards.notation import Notation
from doyle.abstractions.cards.strength.atlas import BINS, VERSION
from doyle.base.artifacts import Description, Store
from doyle.building.planning.calibration import Speeds
from doyle.building.planning.plan import PROCESS_BYTES, Capacity, Stage
from doyle.cards.cards import HOLE_COUNT
from doyle.cards.suits.boards import HANDS

FLOPS, TURNS, RIVERS, FLOP_TURNS = 1755, 16_432, 134_459, 63_193
STRENGTHS = 1981
_BOARD_SECONDS = 14.5e-6
"""A river board where the times below were measured."""
_SPEED_UP = 0.8
"""What a further core adds: checksums and some passes are made by one."""
_CODES = TURNS * HOLE_COUNT * 4
"""Buckets of the turn while they are made; a pass over them holds several arrays of that size."""


@dataclass(frozen=True)
class _Part:
    """A part of the atlas: its name and number in the store, its bytes and processor seconds."""

    name: str
    number: int
    size: int
    seconds: float


RIVER = _Part("river", 0, 2 * RIVERS * HOLE_COUNT, 3.2)
_SUMS = {
    1: (
        _Part("turn", 1, 8 * TURNS * HOLE_COUNT, 2.6),
        _Part("flop", 1, 8 * FLOPS * HOLE_COUNT, 0.4),
        _Part("preflop", 1, 16 * HOLE_COUNT, 0.1),
    ),
    3: (
        _Part("turn", 3, 8 * TURNS * HOLE_COUNT, 1.9),
        _Part("flop", 3, 8 * FLOPS * HOLE_COUNT, 0.4),
    ),
}
_HISTOGRAMS = (
    _Part("turn-histograms", BINS, BINS * HANDS[2], 6.0),
    _Part("flop-histograms", BINS, 2 * BINS * HANDS[1], 4.0),
)


@dataclass(frozen=True)
class CardsSize:
    """What is known of a card abstraction before it is built.

    `buckets` is None where only building tells them. `mapped` are the bytes that a solver which
    samples reads all over: tables of the abstraction, and exact strengths where the river goes by
    those. `memory` is beside that of the process.
    """

    spec: str
    buckets: tuple[int, ...] | None
    disk: int
    mapped: int
    memory: int
    seconds: float
    parts: tuple[_Part, ...]

    @classmethod
    def of(cls, spec: str) -> CardsSize:
        if registry.find_maker(spec) is None:
            return _of_notation(Notation.parse(spec))
        return _of_clustering(spec)

    def stages(self, speeds: Speeds, capacity: Capacity, store: Store) -> list[Stage]:
        """The atlas and the abstraction, each done if it is in the store."""
        factor = speeds.board / _BOARD_SECONDS
        cores = 1.0 + _SPEED_UP * (capacity.workers / capacity.machines - 1.0)
        made = store.find(registry.describe(self.spec)) is not None
        missing = [part for part in self.parts if not made and not _is_stored(part, store)]
        atlas = sum(part.size for part in missing)
        opened = RIVER.size + max((part.size for part in missing), default=0)
        writing = 0.0 if made else self.disk / speeds.disk
        return [
            Stage(
                "atlas",
                factor * sum(part.seconds for part in missing) / cores + atlas / speeds.disk,
                int(speeds.solve_bytes) + opened if missing else 0,
                atlas,
                done=not missing,
                disk_seconds=atlas / speeds.disk,
            ),
            Stage(
                "cards",
                0.0 if made else factor * self.seconds / cores + writing,
                0 if made else int(speeds.solve_bytes) + self.memory,
                0 if made else self.disk,
                done=made,
                disk_seconds=writing,
            ),
        ]


def _is_stored(part: _Part, store: Store) -> bool:
    parameters = {"part": part.name, "number": part.number}
    return store.find(Description("atlas", VERSION, parameters)) is not None


def _of_notation(notation: Notation) -> CardsSize:
    counts, kinds = notation.bucket_totals, set()
    powers = set()
    for place, round in enumerate(notation.rounds):
        for part in round.parts:
            kinds.add(part.kind)
            if part.has_metric and place < 3 and not (place == 0 and notation.is_lossless_preflop):
                powers.add(1 if part.power < 3 else 3)
            if part.kind == "public":
                powers.add(1)
    clusters = kinds & {"emd", "pa", "ochs"}
    by_sequence = notation.memories[2] > 1 or any(
        part.kind == "public" for part in notation.rounds[2].parts
    )
    each = 2 if max(counts) < 1 << 16 else 4
    turn = each * (FLOP_TURNS if by_sequence else TURNS) * HOLE_COUNT
    table_river = notation.rounds[3].parts[0].kind == "ochs"
    river = each * (RIVERS * HOLE_COUNT if table_river else notation.memories[3] * STRENGTHS)
    disk = each * HOLE_COUNT * (1 + FLOPS) + turn + river + 8 * sum(counts)
    parts = (RIVER, *(part for power in sorted(powers) for part in _SUMS[power]))
    seconds = 12.0 if by_sequence else 1.8
    codes = 2.5 * _CODES * FLOP_TURNS / TURNS if by_sequence else 4.7 * _CODES
    if clusters:
        parts += _HISTOGRAMS
        seconds += 36.0 * sum(
            part.kind in clusters for round in notation.rounds for part in round.parts
        )
    if "public" in kinds:
        seconds += 10.0
    opened = sum(part.size for part in parts)
    rules = 16 * notation.memories[3] * STRENGTHS
    return CardsSize(
        spec=str(notation),
        buckets=tuple(counts),
        disk=disk,
        mapped=disk + (0 if table_river else RIVER.size),
        memory=int(opened + codes + rules),
        seconds=seconds,
        parts=parts,
    )


_CLUSTERING_SECONDS = {"potential": 110.0, "gs3": 110.0, "gs2": 12.0, "gs1": 300.0}
_CLUSTERING_MEMORY = 1.75 * 2**30


def _of_clustering(spec: str) -> CardsSize:
    method = spec.partition("-")[0]
    buckets = None
    if method != "gs1":
        from doyle.abstractions.cards.methods.topdown.division import Sizes

        buckets = Sizes.parse(spec).totals
    each = 2 if buckets is not None and max(buckets) < 1 << 16 else 4
    rules = each * STRENGTHS * (buckets[2] if buckets is not None else 1)
    disk = each * HOLE_COUNT * (1 + FLOPS + FLOP_TURNS) + rules
    return CardsSize(
        spec=spec,
        buckets=buckets,
        disk=disk,
        mapped=disk + RIVER.size,
        memory=int(_CLUSTERING_MEMORY) - PROCESS_BYTES + 4 * rules,
        seconds=_CLUSTERING_SECONDS[method],
        parts=(RIVER, *_SUMS[1], *_HISTOGRAMS),
    )
