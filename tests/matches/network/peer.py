"""An independent peer: rules, protocol, client and dealer over plain sockets, without doyle.

Written from the protocol's description for these tests alone. It knows just enough of poker to tell
whose turn it is, which actions are legal and who wins, and it checks every line it is sent.
"""

from __future__ import annotations

import random
import socket
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "cdhs"


@dataclass(frozen=True)
class Rules:
    """A game: amounts are totals over the hand; positions count from 0."""

    players: int
    blinds: tuple[int, ...]
    first: tuple[int, ...]
    board: tuple[int, ...]
    hole: int
    stack: int = 10**9
    sizes: tuple[int, ...] = ()
    """Raise sizes by round; empty in no-limit games."""
    most_raises: tuple[int, ...] = ()
    deck: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)


RULES = {
    "kuhn": Rules(
        2, (1, 1), (0,), (0,), 1, sizes=(1,), most_raises=(1,), deck=("Qs", "Ks", "As")
    ),
    "holdem-limit-2p": Rules(
        2, (10, 5), (1, 0, 0, 0), (0, 3, 1, 1), 2,
        sizes=(10, 10, 20, 20), most_raises=(3, 4, 4, 4),
    ),
    "holdem-limit-3p": Rules(
        3, (5, 10, 0), (2, 0, 0, 0), (0, 3, 1, 1), 2,
        sizes=(10, 10, 20, 20), most_raises=(3, 4, 4, 4),
    ),
    "holdem-nl-200bb": Rules(2, (100, 50), (1, 0, 0, 0), (0, 3, 1, 1), 2, stack=20000),
}  # fmt: skip


class Betting:
    """The betting of one hand, action by action."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.round = 0
        self.spent = list(rules.blinds)
        self.folded = [False] * rules.players
        self.text = ""
        self.raises = 0
        self.last_raise = max(rules.blinds)
        self.over = False
        self.queue = self._from(rules.first[0])

    @property
    def actor(self) -> int:
        return -1 if self.over else self.queue[0]

    def legal(self) -> list[str]:
        """Legal actions; in no-limit games the least, a middle and the largest raise."""
        actor, largest = self.queue[0], max(self.spent)
        actions = ["c"] + (["f"] if self.spent[actor] < largest else [])
        rules = self.rules
        others = [p for p in range(rules.players) if p != actor and self._able(p)]
        if rules.sizes:
            return actions + (["r"] if self.raises < rules.most_raises[self.round] else [])
        if largest < rules.stack and others:
            least = min(largest + self.last_raise, rules.stack)
            sizes = {least, (least + min(rules.stack, 3 * least)) // 2, rules.stack}
            actions += [f"r{size}" for size in sorted(sizes)]
        return actions

    def apply(self, action: str) -> None:
        rules, actor, largest = self.rules, self.queue.pop(0), max(self.spent)
        self.text += action
        if action == "f":
            self.folded[actor] = True
        elif action == "c":
            self.spent[actor] = min(largest, rules.stack)
        else:
            to = largest + rules.sizes[self.round] if rules.sizes else int(action[1:])
            self.last_raise = max(self.last_raise, to - largest)
            self.spent[actor] = to
            self.raises += 1
            self.queue = [p for p in self._from(actor + 1) if p != actor]
        if self.folded.count(False) == 1:
            self.over = True
        elif not self.queue:
            self._end_round()

    def replay(self, text: str) -> Betting:
        """Apply a betting string and check that it is printed the same."""
        position = 0
        while position < len(text):
            end = position + 1
            while end < len(text) and text[end].isdigit():
                end += 1
            if text[position] != "/":
                assert text[position:end][0] in "fcr", text
                self.apply(text[position:end])
            position = end
        assert self.text == text, (self.text, text)
        return self

    def payoffs(self, hole: list[list[str]], board: list[str]) -> list[Fraction]:
        """Chips won; no side pots, as stacks are equal."""
        left = [p for p in range(self.rules.players) if not self.folded[p]]
        if len(left) > 1:
            best = max(strength(hole[p] + board) for p in left)
            left = [p for p in left if strength(hole[p] + board) == best]
        share = Fraction(sum(self.spent), len(left))
        return [share * (p in left) - self.spent[p] for p in range(self.rules.players)]

    def _able(self, player: int) -> bool:
        return not self.folded[player] and self.spent[player] < self.rules.stack

    def _from(self, first: int) -> list[int]:
        players = self.rules.players
        order = [(first + step) % players for step in range(players)]
        return [player for player in order if self._able(player)]

    def _end_round(self) -> None:
        rounds = len(self.rules.board)
        able = self._from(0)
        while True:
            if self.round + 1 == rounds:
                self.over = True
                return
            self.round += 1
            self.text += "/"
            if len(able) > 1:
                break
        self.raises, self.last_raise = 0, max(self.rules.blinds)
        self.queue = self._from(self.rules.first[self.round])


def strength(cards: list[str]) -> tuple[int, ...]:
    """Larger is better: the best five of the cards, or the one card of a hand."""
    if len(cards) == 1:
        return (RANKS.index(cards[0][0]),)
    return max(_five(five) for five in combinations(cards, 5))


def _five(cards: tuple[str, ...]) -> tuple[int, ...]:
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    counts = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    shape = tuple(count for _, count in counts)
    order = tuple(rank for rank, _ in counts)
    flush = len({card[1] for card in cards}) == 1
    if order == (12, 3, 2, 1, 0):
        order = (3, 2, 1, 0, -1)
    straight = len(order) == 5 and order[0] - order[4] == 4
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    kind = kinds.get(shape, 0)
    if straight or flush:
        kind = 8 if straight and flush else 5 if flush else 4
    return (kind, *order)


def split_cards(text: str) -> list[str]:
    assert len(text) % 2 == 0, text
    return [text[place : place + 2] for place in range(0, len(text), 2)]


@dataclass
class Seen:
    """A MATCHSTATE line in parts."""

    position: int
    hand: int
    betting: Betting
    hole: list[list[str]]
    board: list[str]


def parse(rules: Rules, line: str) -> Seen:
    """Read a MATCHSTATE line and check its form."""
    header, position, hand, betting, cards = line.split(":")
    assert header == "MATCHSTATE", line
    hands, *boards = cards.split("/")
    hole = [split_cards(part) for part in hands.split("|")]
    seen = Seen(int(position), int(hand), Betting(rules).replay(betting), hole, [])
    assert len(hole) == rules.players, line
    assert len(boards) == seen.betting.round, line
    for number, part in enumerate(boards, start=1):
        assert len(part) == 2 * rules.board[number], line
        seen.board += split_cards(part)
    known = [card for part in [*hole, seen.board] for card in part]
    assert len(set(known)) == len(known), line
    assert len(hole[seen.position]) == rules.hole, line
    shown = seen.betting.over and seen.betting.folded.count(False) > 1
    for other, part in enumerate(hole):
        if other != seen.position:
            assert bool(part) == (shown and not seen.betting.folded[other]), line
    return seen


@dataclass
class PeerClient:
    """Plays by chance from a seed of its own, checking all it is told."""

    rules: Rules
    seed: int = 0
    seat: int = 0
    total: Fraction = field(default_factory=Fraction)
    hands: int = 0
    lines: int = 0

    def play(self, port: int) -> PeerClient:
        with socket.create_connection(("127.0.0.1", port)) as stream:
            stream.settimeout(120)
            stream.sendall(b"VERSION:2.0.0\r\n")
            last: Seen | None = None
            buffer = b""
            while block := stream.recv(65536):
                buffer += block
                *whole, buffer = buffer.split(b"\n")
                for raw in whole:
                    assert raw.endswith(b"\r"), raw
                    line = raw[:-1].decode("ascii")
                    seen = parse(self.rules, line)
                    self._check(seen, last)
                    last = seen
                    if seen.betting.actor == seen.position:
                        action = self.choose(seen)
                        stream.sendall(f"{line}:{action}\r\n".encode())
            assert buffer == b""
            assert last is None or last.betting.over
        return self

    def choose(self, seen: Seen) -> str:
        dice = random.Random(f"{self.seed}:{seen.hand}:{seen.position}:{seen.betting.text}")
        return dice.choice(seen.betting.legal())

    def _check(self, seen: Seen, last: Seen | None) -> None:
        """Each line follows the one before: one more action, or the next hand."""
        self.lines += 1
        assert seen.position == (self.seat - seen.hand) % self.rules.players
        if last is None or last.betting.over:
            assert seen.hand == (0 if last is None else last.hand + 1)
            assert seen.betting.text == ""
        else:
            assert seen.hand == last.hand
            assert seen.betting.text.startswith(last.betting.text)
            assert len(seen.betting.text) > len(last.betting.text)
            assert seen.hole[seen.position] == last.hole[last.position]
            assert seen.board[: len(last.board)] == last.board
        if seen.betting.over:
            self.hands += 1
            self.total += seen.betting.payoffs(seen.hole, seen.board)[seen.position]


@dataclass
class PeerDealer:
    """Deals hands of its own to clients, with lines cut and joined as networks do."""

    rules: Rules
    hands: int
    seed: int = 0
    totals: list[Fraction] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.totals = [Fraction(0)] * self.rules.players
        self._dice = random.Random(self.seed)
        self._listeners = [
            socket.create_server(("127.0.0.1", 0)) for _ in range(self.rules.players)
        ]
        self.ports = [listener.getsockname()[1] for listener in self._listeners]
        self._buffers = [b""] * self.rules.players

    def play(self) -> PeerDealer:
        self._clients = [listener.accept()[0] for listener in self._listeners]
        try:
            for seat, client in enumerate(self._clients):
                client.settimeout(120)
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                assert self._line(seat) == b"VERSION:2.0.0\r"
            for hand in range(self.hands):
                self._play_hand(hand)
        finally:
            for stream in [*self._clients, *self._listeners]:
                stream.close()
        return self

    def _play_hand(self, hand: int) -> None:
        rules, betting = self.rules, Betting(self.rules)
        deck = self._dice.sample(rules.deck, rules.players * rules.hole + sum(rules.board))
        hole = [deck[rules.hole * p : rules.hole * (p + 1)] for p in range(rules.players)]
        board = deck[rules.players * rules.hole :]
        while True:
            lines = [self._describe(p, hand, betting, hole, board) for p in range(rules.players)]
            for position, line in enumerate(lines):
                self._send((position + hand) % rules.players, line)
            if betting.over:
                break
            actor = betting.actor
            answer = self._line((actor + hand) % rules.players).decode("ascii")
            state, _, action = answer.rpartition(":")
            assert state == lines[actor], (state, lines[actor])
            assert action.endswith("\r")
            self._check(betting, action[:-1])
            betting.apply(action[:-1])
        payoffs = betting.payoffs(hole, board)
        for position in range(rules.players):
            self.totals[(position + hand) % rules.players] += payoffs[position]

    def _check(self, betting: Betting, action: str) -> None:
        legal = betting.legal()
        if action[0] != "r" or self.rules.sizes:
            assert action in legal, (action, legal)
        else:
            sizes = [int(other[1:]) for other in legal if other[0] == "r"]
            assert sizes
            assert min(sizes) <= int(action[1:]) <= max(sizes)

    def _describe(
        self, position: int, hand: int, betting: Betting, hole: list[list[str]], board: list[str]
    ) -> str:
        shown = betting.over and betting.folded.count(False) > 1
        parts = [
            "".join(cards) if p == position or (shown and not betting.folded[p]) else ""
            for p, cards in enumerate(hole)
        ]
        cards, start = "|".join(parts), 0
        for number in range(1, betting.round + 1):
            end = start + self.rules.board[number]
            cards += "/" + "".join(board[start:end])
            start = end
        return f"MATCHSTATE:{position}:{hand}:{betting.text}:{cards}"

    def _send(self, seat: int, line: str) -> None:
        """Send a line whole, behind a comment, or in two parts."""
        raw = line.encode() + b"\r\n"
        how = self._dice.randrange(8)
        client = self._clients[seat]
        if how == 0:
            client.sendall(b"# a comment\r\n;another\r\n" + raw)
        elif how == 1:
            cut = self._dice.randrange(1, len(raw))
            client.sendall(raw[:cut])
            client.sendall(raw[cut:])
        else:
            client.sendall(raw)

    def _line(self, seat: int) -> bytes:
        while b"\n" not in self._buffers[seat]:
            block = self._clients[seat].recv(65536)
            assert block, "the client has left"
            self._buffers[seat] += block
        line, _, self._buffers[seat] = self._buffers[seat].partition(b"\n")
        return line
