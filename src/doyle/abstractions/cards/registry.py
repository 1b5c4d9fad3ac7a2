"""Names of card abstractions: the thesis's notation, or `method-...` for clusterings.

A clustering module lists its makers in `MAKERS: dict[str, Maker]`, by the text that their names begin
with. A name without a maker is read as notation, so that its errors point at a character.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

from doyle.abstractions.cards.abstraction import BucketTables, CardAbstraction
from doyle.abstractions.cards.methods.recall import build_notation
from doyle.abstractions.cards.notation import Notation
from doyle.abstractions.cards.strength.atlas import Atlas
from doyle.base.artifacts import Artifact, Builder, Description, Stages, Store
from doyle.base.workers import Progress, Workers
from doyle.base.workers.memory import one_blas_thread

KIND = "cards"
VERSION = 1

METHODS = ("potential", "gs1", "gs2", "gs3")
"""Modules of this package that may have makers; they are imported when a name asks for them."""

NAMED = (
    ("5.5.5.5", "thesis section 4.5: the agent whose boundaries were explored"),
    ("8.8.8.8", "thesis table 3.3: 8s, perfect recall"),
    ("12.12.12.12", "thesis table 3.3: 12s, perfect recall"),
    ("ir169.64.8.8", "thesis tables 3.1, 3.3: lossless preflop, forgotten"),
    ("ir169.ir64.ir512.4096", "thesis table 3.3: nothing remembered"),
    ("ir169.72hs2x2hs.12.12", "thesis tables 3.1, 3.3: 12s, the 2008 competition"),
    (
        "ir169.ir72hs2x3hs.ir72hs3x3hs.216",
        "thesis section 6.1.2: the 2009 equilibrium agent; hs3 assumed",
    ),
    (
        "ir169.dir-pub20x36hs2x5hs-pub20x1.dir-pub3x20hs2x3hs-pub3x1.60",
        "thesis section 6.1.2: the 2009 bankroll agent's base, remembers public buckets",
    ),
    (
        "ir169.dir-pub20x75hs2x36hs-pub20x1.dir-pub3x50hs2x18hs-pub3x1.900",
        "thesis table 3.2: the largest with public buckets",
    ),
    ("ir169.dir-pub20x205-pub20x1.dir-pub3x68-pub3x1.68", "thesis table 3.3: public buckets"),
    ("ir169.iru20hs.iru20hs.u20hs", "Sartre: 20 even intervals of E[HS] after the flop"),
    ("ir169.iru50hs2.iru50hs2.u50hs2", "Sartre: 50 even intervals of E[HS^2] after the flop"),
    ("ir169.ir200.ir200.200", "200 percentiles on each round after the flop, nothing remembered"),
    ("ir169.iremd200.iremd200.ochs200", "distributions of strength; opponent-cluster strength"),
    ("potential-10-150-750-3750", "Tartanian (2007): potential-aware, totals per round"),
    ("potential-12-25-6-6", "Tartanian4: potential-aware, mean branching factors"),
    ("potential-8-12-4-4", "Tartanian5: potential-aware, mean branching factors"),
    ("potential-8-4-3-3", "the smallest that Tartanian5 was compared with, mean branching factors"),
    ("potential-fixed-8-12-4-4", "the same sizes, every bucket with exactly as many children"),
    ("gs1-0.4", "GS1: lossy GameShrink, hands merge that differ by 40% of the opponents"),
    ("gs3-8-12-4-4", "the same sizes, potential-aware as published: a pass for every bucket"),
)
"""Published and useful abstractions: (name, where it is from)."""


class Maker(Protocol):
    """Builds the tables of a named clustering, stage by stage; the atlas carries workers and progress."""

    def __call__(
        self, name: str, *, atlas: Atlas, seed: int, stages: Stages | None = None
    ) -> BucketTables: ...


def find_maker(name: str) -> Maker | None:
    """The maker whose prefix the name begins with; None for notation."""
    method = next((method for method in METHODS if name.startswith(f"{method}-")), None)
    if method is None or find_spec(f"doyle.abstractions.cards.methods.topdown.{method}") is None:
        return None
    makers: dict[str, Maker] = import_module(
        f"doyle.abstractions.cards.methods.topdown.{method}"
    ).MAKERS
    prefixes = sorted((prefix for prefix in makers if name.startswith(prefix)), key=len)
    return makers[prefixes[-1]] if prefixes else None


def describe(spec: str, *, seed: int = 0) -> Description:
    """What identifies a built abstraction: its name in full, and the seed if chance plays a part.

    >>> describe("potential-8-12-4-4").parameters["spec"]
    'potential-8-96-384-1536'
    """
    if find_maker(spec) is not None:
        return Description(KIND, VERSION, {"spec": _whole_name(spec), "seed": seed})
    notation = Notation.parse(spec)
    has_chance = any(part.has_chance for round in notation.rounds for part in round.parts)
    return Description(KIND, VERSION, {"spec": str(notation), "seed": seed if has_chance else 0})


def _whole_name(spec: str) -> str:
    """The one name of a clustering: by totals, or with the threshold of its merging."""
    if spec.startswith("gs1-"):
        from doyle.abstractions.cards.methods.topdown.gs1 import Threshold

        return str(Threshold.parse(spec))
    from doyle.abstractions.cards.methods.topdown.division import Sizes

    return str(Sizes.parse(spec))


def bucket_counts(spec: str) -> tuple[int, ...] | None:
    """The buckets of each round as far as the name tells them: those of notation, None of others.

    >>> bucket_counts("ir169.64.8.8")
    (169, 64, 512, 4096)
    """
    return None if find_maker(spec) is not None else Notation.parse(spec).bucket_totals


def kept_name(spec: str) -> str:
    """The name by which files keep what was solved with these cards: clusterings by their totals.

    A file that names one by branching factors is older than their present meaning: then every bucket
    had exactly as many children (now `fixed`).

    >>> kept_name("gs2-8-12-4-4"), kept_name("ir169.64.8.8")
    ('gs2-8-96-384-1536', 'ir169.64.8.8')
    """
    return spec if find_maker(spec) is None else str(describe(spec).parameters["spec"])


def build(
    spec: str,
    *,
    seed: int = 0,
    store: Store | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> CardAbstraction:
    """The card abstraction of this name, built if it is not in the store."""
    store = store or Store()
    atlas = Atlas(store=store, workers=workers, progress=progress)
    description = describe(spec, seed=seed)
    artifact = store.get(description, lambda builder: make(builder, description, atlas=atlas))
    return CardAbstraction(description.parameters["spec"], BucketTables.load(artifact), atlas)


def make(builder: Builder, description: Description, *, atlas: Atlas) -> None:
    """Fill the builder with the described abstraction, resuming from the stages that it kept."""
    spec, seed = description.parameters["spec"], description.parameters["seed"]

    def say_kept(stage: str) -> None:
        if atlas.progress is not None:
            atlas.progress(f"{stage}, kept", 1, 1)

    stages = Stages(builder.folder / "stages", on_kept=say_kept)
    maker = find_maker(spec)
    with one_blas_thread():
        if maker is None:
            tables = build_notation(Notation.parse(spec), atlas=atlas, seed=seed, stages=stages)
        else:
            tables = maker(spec, atlas=atlas, seed=seed, stages=stages)
    tables.save(builder)


def built(store: Store | None = None) -> list[Artifact]:
    """The abstractions that are in the store."""
    return [item for item in store or Store() if item.manifest["kind"] == KIND]
