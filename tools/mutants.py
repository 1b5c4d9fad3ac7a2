"""Mutation run: python tools/mutants.py [--count N] [--seed S] [--json]

A mutant is the package with one small change in one module: a comparison, an operator, a constant
or a truth value. The tests listed for its module in `AREAS` either fail (killed) or pass (survived).
Mutants are drawn by seed, in turn from every area, and tried in a copy of the tree in build/mutants,
at the lowest priority and with a limit in processor time. build/mutants/decided.json keeps the
verdicts: a second run resumes. A verdict is kept as long as the module is the same, and that of a
survivor as long as its tests are the same too.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "mutants"
TREE = FOLDER / "tree"
DECIDED = FOLDER / "decided.json"
COPIED = ("src", "tests", "tools", "pyproject.toml")
LONGEST_WAIT = 900.0
"""Wall seconds after which a mutant that uses no processor time is stopped."""

SLOWEST_TESTS = 600
"""Seconds of processor time for the tests of an area without a mutant, compilation included."""
TIMES_LONGER, LEAST_SECONDS = 3, 30
"""A mutant is out of time after so many times what its tests took without it, and these seconds."""


@dataclass(frozen=True)
class Area:
    """Modules below src/doyle, the tests that exercise them, and their share of the sample."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    share: int = 4


AREAS: dict[str, Area] = {
    "rules": Area(
        ("games/state.py", "games/payoffs.py"),
        (
            "games/test_state.py",
            "perft/test_games.py",
            "contracts/test_playthroughs.py",
            "properties/test_rules.py",
        ),
    ),
    "evaluator": Area(
        ("cards/ranking.py", "cards/_ranking_kernels.py"),
        ("cards/test_ranking.py", "cards/test_evaluation.py"),
        3,
    ),
    "translation": Area(
        (
            "strategy/translation/steps.py",
            "strategy/translation/mappings.py",
            "strategy/translation/walk.py",
        ),
        (
            "strategy/translation/test_mappings.py",
            "strategy/translation/test_steps.py",
            "strategy/translation/test_sampling.py",
            "strategy/translation/test_names.py",
            "strategy/translation/test_defence.py",
            "strategy/translation/test_walk.py",
            "contracts/test_translations.py",
            "agents/test_strategy_agent.py",
        ),
    ),
    "solvers": Area(("solving/solvers.py", "solving/methods/cfr.py"), ("solving/test_cfr.py",), 3),
    "vector kernels": Area(
        ("solving/vector/_kernels.py",),
        (
            "solving/test_vector_solver.py",
            "solving/test_live_hands.py",
            "solving/test_card_states.py",
            "solving/test_solved_games.py",
        ),
        1,
    ),
    "sampling kernels": Area(
        ("solving/sampling/_sampling_kernels.py",),
        ("solving/test_sampling.py", "solving/test_sampling_seats.py", "solving/test_walks.py"),
        1,
    ),
    "local best response": Area(
        ("measuring/local_best_response/response.py",), ("measuring/local_best_response",), 3
    ),
    "AIVAT": Area(
        ("measuring/variance_reduction/aivat.py",),
        (
            "measuring/variance_reduction/test_planned_hands.py",
            "measuring/variance_reduction/test_aivat.py",
        ),
        3,
    ),
    "cases": Area(
        ("agents/case_bases/similarity.py", "agents/case_bases/reuse.py"),
        (
            "agents/case_bases/test_reuse.py",
            "agents/case_bases/test_similarity.py",
            "agents/case_bases/test_retrieval.py",
        ),
    ),
    "protocol": Area(("matches/network/protocol.py",), ("matches/network/test_protocol.py",), 3),
    "artifacts": Area(
        ("base/artifacts/store.py", "base/artifacts/files.py", "base/artifacts/checkpoints.py"),
        ("base/artifacts",),
        3,
    ),
}

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
NAMES = {"min": "max", "max": "min", "all": "any", "any": "all", "argmax": "argmin"}


@dataclass(frozen=True)
class Mutant:
    """One change: bytes `start` to `end` of `module` replaced by `after`."""

    area: str
    module: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def key(self) -> str:
        """Name of the mutant and digest of the module's content."""
        content = (TREE / "src/doyle" / self.module).read_bytes()
        digest = hashlib.blake2b(content, digest_size=6).hexdigest()
        return f"{self.module}:{self.line}:{self.start}:{self.before} -> {self.after} [{digest}]"


def changed(node: ast.expr) -> ast.expr | None:
    """The expression with its one change; None for expressions that are left alone."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        ops = [COMPARISONS[type(node.ops[0])](), *node.ops[1:]]
        return ast.Compare(node.left, ops, node.comparators)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
    if isinstance(node, ast.BoolOp):
        return ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        return node.operand
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return ast.Constant(not node.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return ast.Constant(node.value + 1)
    if isinstance(node, ast.Name) and node.id in NAMES:
        return ast.Name(NAMES[node.id])
    if isinstance(node, ast.Attribute) and node.attr in NAMES:
        return ast.Attribute(node.value, NAMES[node.attr])
    return None


def expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Expressions that decide results: no annotations, decorators, messages or refusals' texts."""
    if isinstance(node, ast.JoinedStr | ast.Raise | ast.Import | ast.ImportFrom):
        return
    if isinstance(node, ast.expr):
        yield node
    skipped = {"annotation", "returns", "decorator_list", "type_comment"}
    for name, value in ast.iter_fields(node):
        if name in skipped:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from expressions(child)


def mutants_of(area: str, module: str) -> list[Mutant]:
    """All mutants of a module, in the order of its text."""
    content = (TREE / "src/doyle" / module).read_bytes()
    starts = [0]
    for text in content.splitlines(keepends=True):
        starts.append(starts[-1] + len(text))
    found = []
    for node in expressions(ast.parse(content)):
        after = changed(node)
        if after is None or node.end_lineno is None or node.end_col_offset is None:
            continue
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        text = ast.unparse(ast.fix_missing_locations(after))
        if not isinstance(after, ast.Constant | ast.Name | ast.Attribute):
            text = f"({text})"
        found.append(Mutant(area, module, node.lineno, start, end, ast.unparse(node), text))
    return found


def sample(count: int, seed: int) -> list[Mutant]:
    """`count` mutants drawn by seed, every area in turn by its share."""
    pools = {
        name: [mutant for module in area.modules for mutant in mutants_of(name, module)]
        for name, area in AREAS.items()
    }
    for name, pool in pools.items():
        # A generator for each area: a change of one module leaves the others' mutants as they are.
        random.Random(f"{seed} {name}").shuffle(pool)
    drawn: list[Mutant] = []
    while len(drawn) < count and any(pools.values()):
        for name, area in AREAS.items():
            drawn += [pools[name].pop() for _ in range(min(area.share, len(pools[name])))]
    return drawn[:count]


def copy_tree() -> None:
    """A fresh copy of the tree; times of files are kept, so that compiled kernels are reused."""
    shutil.rmtree(TREE, ignore_errors=True)
    TREE.mkdir(parents=True)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, TREE / name, ignore=ignored)
        else:
            shutil.copy2(source, TREE / name)


def tests_digest(area: str) -> str:
    """Digest of the tests of an area; a survivor is tried again after they change."""
    content = hashlib.blake2b(digest_size=6)
    for name in AREAS[area].tests:
        path = TREE / "tests" / name
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            content.update(file.read_bytes())
    return content.hexdigest()


def run_tests(area: str, *, seconds: int) -> str:
    """The verdict of the tests of an area on the copy: killed, survived, out of time, or broken."""

    def restrict() -> None:
        os.nice(19)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))

    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-x", "-p", "no:cacheprovider"]
    command += ["-m", "not slow and not browser", *(f"tests/{name}" for name in AREAS[area].tests)]
    cache = os.environ.get("DOYLE_CACHE", str(FOLDER / "cache"))
    settings = {"PYTHONPATH": str(TREE / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment = {**os.environ, **settings, "DOYLE_CACHE": cache}
    with subprocess.Popen(
        command,
        cwd=TREE,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=restrict,
        start_new_session=True,
    ) as process:
        try:
            code = process.wait(LONGEST_WAIT)
        except subprocess.TimeoutExpired:
            code = -signal.SIGXCPU
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    if code in (0, 1, 2):
        return "survived" if code == 0 else "killed"
    return "broken" if code in (3, 4, 5) else "out of time" if code == -signal.SIGXCPU else "killed"


def verdict(mutant: Mutant, *, seconds: int) -> str:
    """What the tests make of one mutant; the copy is as before afterwards."""
    path = TREE / "src/doyle" / mutant.module
    original, times = path.read_bytes(), path.stat()
    path.write_bytes(original[: mutant.start] + mutant.after.encode() + original[mutant.end :])
    try:
        return run_tests(mutant.area, seconds=seconds)
    finally:
        path.write_bytes(original)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def limit(area: str) -> int:
    """Seconds of processor time for a mutant of an area, from those of its tests without one."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run_tests(area, seconds=SLOWEST_TESTS) != "survived":
        raise SystemExit(f"{area}: its tests fail without a mutant")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    print(f"{area}: {used:.0f} s without a mutant", file=sys.stderr, flush=True)
    return LEAST_SECONDS + round(TIMES_LONGER * used)


def load_decided() -> dict[str, dict[str, str]]:
    """Verdicts of earlier runs."""
    return json.loads(DECIDED.read_text()) if DECIDED.is_file() else {}


def keep(decided: dict[str, dict[str, str]]) -> None:
    """Write the verdicts under another name and rename."""
    fresh = DECIDED.with_suffix(".new")
    fresh.write_text(json.dumps(decided, indent=1, sort_keys=True))
    fresh.replace(DECIDED)


def is_decided(mutant: Mutant, decided: dict[str, dict[str, str]]) -> bool:
    """Whether a kept verdict still holds."""
    known = decided.get(mutant.key())
    if known is None or known["verdict"] == "broken":
        return False
    return known["verdict"] != "survived" or known["tests"] == tests_digest(mutant.area)


def summary(drawn: list[Mutant], decided: dict[str, dict[str, str]]) -> dict[str, object]:
    """Score and survivors of the sample, by area."""
    rows = [(m, decided[m.key()]["verdict"]) for m in drawn if m.key() in decided]
    judged = [(m, v) for m, v in rows if v != "broken"]
    survivors = [f"{m.module}:{m.line}: {m.before} -> {m.after}" for m, v in judged if v[0] == "s"]
    areas = {
        name: [
            sum(v != "survived" for m, v in judged if m.area == name),
            sum(m.area == name for m, _ in judged),
        ]
        for name in AREAS
    }
    killed = len(judged) - len(survivors)
    return {
        "sampled": len(drawn),
        "decided": len(judged),
        "killed": killed,
        "score": killed / len(judged) if judged else None,
        "areas": areas,
        "survivors": survivors,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Mutation run over the modules of AREAS.")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=AREAS, help="try the sample's mutants of one area")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    copy_tree()
    drawn = sample(options.count, options.seed)
    if options.only:
        drawn = [mutant for mutant in drawn if mutant.area == options.only]
    decided = load_decided()
    todo = [mutant for mutant in drawn if not is_decided(mutant, decided)]
    limits = {area: limit(area) for area in dict.fromkeys(mutant.area for mutant in todo)}
    for number, mutant in enumerate(todo, start=1):
        found = verdict(mutant, seconds=limits[mutant.area])
        decided[mutant.key()] = {"verdict": found, "tests": tests_digest(mutant.area)}
        keep(decided)
        where = f"{mutant.module}:{mutant.line}: {mutant.before} -> {mutant.after}"
        print(f"{number}/{len(todo)} {found}: {where}", file=sys.stderr, flush=True)
    report = summary(drawn, decided)
    if options.json:
        print(json.dumps(report, indent=1))
        return
    print(f"{report['killed']} of {report['decided']} mutants killed")
    for name, (killed, count) in report["areas"].items():  # type: ignore[attr-defined]
        print(f"  {name}: {killed} of {count}")
    print("survivors:", *report["survivors"], sep="\n  ")  # type: ignore[misc]


if __name__ == "__main__":
    main()
