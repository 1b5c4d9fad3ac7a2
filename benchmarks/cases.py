"""Case bases: building from a million limit hands, decisions and policies on a large base.

Hands are of random play, which spreads over more betting sequences than any expert's does: 50,000 of
them, each written with every relabelling of suits that fits into a million lines. Building is also
measured by the processor, since cores may be shared. Memory is compared between a process that builds
from a quarter of the hands and one that builds from all of them, at the peak: what the process allocated
(Linux only), and in all, with the pages of card tables that were read from mapped files, which are at
most the tables and may be dropped by the system at any time. The plain reader is the one that
checks a log line by line. Decisions and policies are new to the agent, whose cards and readings are
not kept.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from doyle.agents.case_bases import Architecture, CaseBase
from doyle.agents.case_bases.domains import default_game, domain_named
from doyle.agents.cases import CaseBasedAgent
from doyle.games import CALL, FOLD, Game, State
from doyle.games.histories import Hand, format_state_line, read_hands
from doyle.matches import Dealer, as_deal

SEED = 1
HANDS = 1_000_000
DIFFERENT_HANDS = 50_000
PLAIN_HANDS = 2_000
SECONDS = 180.0
DECISION_MILLISECONDS = 5.0
POLICY_MILLISECONDS = 50.0
ARCHITECTURES = {
    "limit": Architecture(domain="limit"),
    "no-limit": Architecture(domain="no-limit", betting_metric="sizes"),
}

_BUILD = """
import json, resource, sys, threading, time
from pathlib import Path
from doyle.agents.case_bases import Architecture, build_case_base
from doyle.games import Game
from doyle.base.workers import Workers

log, out, domain, metric, warm = sys.argv[1:]
architecture = Architecture(domain=domain, betting_metric=metric)
game = Game.named("holdem-limit-2p" if domain == "limit" else "holdem-nl-200bb")
build_case_base([Path(warm)], architecture, game=game)
allocated, status, done = [0], Path("/proc/self/status"), threading.Event()
def watch():
    while status.exists() and not done.wait(0.02):
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        allocated.append(int(lines["RssAnon"].split()[0]))
watcher = threading.Thread(target=watch)
watcher.start()
start, used = time.perf_counter(), time.process_time()
base = build_case_base([Path(log)], architecture, game=game, workers=Workers(2))
seconds, processor = time.perf_counter() - start, time.process_time() - used
done.set()
watcher.join()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
base.save(Path(out))
print(json.dumps([seconds, processor, peak, base.cases, base.decisions, max(allocated)]))
"""


def random_action(state: State, rng: np.random.Generator) -> int:
    draw = rng.random()
    if draw < 0.08 and state.can_fold:
        return FOLD
    if draw < 0.6 or not state.max_raise_to:
        return CALL
    low, high = state.min_raise_to, state.max_raise_to
    return int(low + (high - low) * rng.random() ** 4)


def random_lines(game: Game, count: int, seed: int) -> list[str]:
    """Log lines of random play."""
    rng = np.random.default_rng(seed)
    lines = []
    for number, row in enumerate(Dealer(game, seed=seed).draw(count)):
        state = State.start(game, as_deal(game, row))
        while state.actor >= 0:
            state = state.apply(random_action(state, rng))
        lines.append(format_state_line(Hand(number, state, players=("Ann", "Bob"))) + "\n")
    return lines


def write_log(path: Path, lines: list[str], hands: int) -> None:
    """The lines again and again with other suits, until there are enough of them."""
    left = hands
    with path.open("w") as stream:
        for suits in permutations("cdhs"):
            renamed = str.maketrans("cdhs", "".join(suits))
            for line in lines[:left]:
                head, number, betting, cards, rest = line.split(":", 4)
                stream.write(f"{head}:{number}:{betting}:{cards.translate(renamed)}:{rest}")
            left -= len(lines[:left])
            if not left:
                return


def built(log: Path, warm: Path, out: Path, architecture: Architecture) -> list[float]:
    """Seconds, processor seconds, peak KiB, cases, decisions and KiB allocated at the peak, of a build
    in a process of its own."""
    arguments = [str(log), str(out), architecture.domain, architecture.betting_metric, str(warm)]
    done = subprocess.run(
        [sys.executable, "-c", _BUILD, *arguments], check=True, capture_output=True, text=True
    )
    return [float(value) for value in json.loads(done.stdout)]


def milliseconds(work: Callable[[State], object], states: list[State]) -> float:
    times = []
    for state in states:
        start = time.process_time_ns()
        work(state)
        times.append((time.process_time_ns() - start) / 1e6)
    return median(times)


def decisions(game: Game, count: int, seed: int) -> list[State]:
    """Decisions of random hands that nobody has seen."""
    rng = np.random.default_rng(seed)
    found: list[State] = []
    for row in Dealer(game, seed=seed).draw(count):
        state = State.start(game, as_deal(game, row))
        while state.actor >= 0:
            found.append(state)
            state = state.apply(random_action(state, rng))
    return found


def measurements() -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from build_rows(folder)
        for domain in ARCHITECTURES:
            yield from play_rows(folder / domain, domain)


def build_rows(folder: Path) -> Iterator[dict[str, Any]]:
    for domain, architecture in ARCHITECTURES.items():
        game = default_game(domain_named(domain))
        lines = random_lines(game, DIFFERENT_HANDS, SEED)
        warm, whole = folder / f"{domain}-warm.log", folder / f"{domain}.log"
        write_log(warm, lines, PLAIN_HANDS)
        hands = HANDS if domain == "limit" else HANDS // 4
        write_log(whole, lines, hands)
        start = time.process_time()
        plain = sum(1 for _ in read_hands(warm, game))
        plain_rate = plain / (time.process_time() - start)
        all_of_them = built(whole, warm, folder / domain, architecture)
        seconds, processor, _, cases, made, _ = all_of_them
        yield {
            "name": f"{domain}: build from {hands:,} hands, 2 threads, wall",
            "ours": seconds,
            "other": SECONDS * hands / HANDS,
            "unit": "s",
            "ratio": seconds / (SECONDS * hands / HANDS),
            "target": "< 1",
            "note": f"{made:,.0f} decisions, {cases:,.0f} cases",
        }
        yield {
            "name": f"{domain}: hands a processor second, plain reader",
            "ours": hands / processor,
            "other": plain_rate,
            "unit": "hands/s",
            "ratio": hands / processor / plain_rate,
        }
        quarter = folder / f"{domain}-quarter.log"
        write_log(quarter, lines, hands // 4)
        less = built(quarter, warm, folder / f"{domain}-quarter", architecture)
        for what, place in (("allocated", -1), ("with mapped tables", 2)):
            ours, other = all_of_them[place], less[place]
            if other:
                yield {
                    "name": f"{domain}: peak memory {what}, a quarter of the hands",
                    "ours": ours / 1024,
                    "other": other / 1024,
                    "unit": "MiB",
                    "ratio": ours / other,
                    "target": "about 1",
                }


def play_rows(folder: Path, domain: str) -> Iterator[dict[str, Any]]:
    agent = CaseBasedAgent(domain, CaseBase.load(folder))
    states = decisions(agent.game, 60, SEED + 1)
    for state in decisions(agent.game, 20, SEED + 2):  # compiles, and indexes every round
        agent.act(state.view(state.actor))

    def fresh(state: State) -> None:
        agent.features.of_board.cache_clear()
        agent.forget()

    def act(state: State) -> object:
        return agent.act(state.view(state.actor))

    def policy(state: State) -> object:
        return agent.probabilities(state)

    for what, work, most in (
        ("decision", act, DECISION_MILLISECONDS),
        ("policy of all hands", policy, POLICY_MILLISECONDS),
    ):
        times = []
        for state in states:
            fresh(state)
            times.append(milliseconds(work, [state]))
        yield {
            "name": f"{domain}: {what}, {agent.base.cases:,} cases",
            "ours": median(times),
            "other": most,
            "unit": "ms",
            "ratio": median(times) / most,
            "target": "< 1",
            "note": f"longest {max(times):.1f} ms",
        }
