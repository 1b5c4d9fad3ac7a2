"""From blocks of log lines to decisions: a compiled reader, and the plain one where it is needed.

Every line is checked: the betting by the rules, the cards against each other, the chips against the
showdown. What the compiled reader does not take, the plain reader does, and errors are its own.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doyle.agents.case_bases.architecture import Architecture
from doyle.agents.case_bases.domains import ALL_IN, ROUND_MARK, domain_of
from doyle.agents.case_bases.features.bets import pot_shares
from doyle.agents.case_bases.features.hands import HandFeatures
from doyle.agents.case_bases.learning import _log_kernels as kernels
from doyle.agents.case_bases.learning._log_kernels import Names
from doyle.agents.case_bases.learning.decisions import Decisions, hand_decisions, unseen_seats
from doyle.base.errors import DoyleError
from doyle.cards.ranking import rank_tables
from doyle.games import Game
from doyle.games.histories import Hand, Score, parse_score_line, parse_state_line
from doyle.games.histories.lines import Chips

_NAMES = 64


@dataclass(frozen=True)
class Block:
    """Whole lines of a file, the first of which has number `line`."""

    path: Path
    line: int
    text: bytes


@dataclass
class Reading:
    """What a block held: decisions of the wanted players, and sums over all hands.

    `unseen` counts decisions of wanted players that were passed over because their cards are hidden.
    `scores` are the SCORE lines, each with where it stands.
    """

    decisions: Decisions
    hands: int = 0
    unseen: int = 0
    totals: dict[str, Chips] = field(default_factory=dict)
    played: dict[str, int] = field(default_factory=dict)
    scores: list[tuple[str, Score]] = field(default_factory=list)

    def add_hand(self, names: tuple[str, ...], payoffs: tuple[Chips, ...]) -> None:
        self.hands += 1
        for name, chips in zip(names, payoffs, strict=True):
            self.totals[name] = self.totals.get(name, 0) + chips
            self.played[name] = self.played.get(name, 0) + 1


class LogReader:
    """Reads blocks of ACPC logs of one game for one architecture.

    `players` are those whose decisions are wanted; none given stands for everybody.
    """

    def __init__(
        self,
        game: Game,
        architecture: Architecture,
        features: HandFeatures,
        *,
        players: Collection[str] = (),
        skip_unseen: bool = False,
    ) -> None:
        domain = domain_of(game)
        if domain.name != architecture.domain:
            raise DoyleError(
                f"game {game.name} is of the domain {domain.name}, not {architecture.domain}"
            )
        self.game = game
        self.architecture = architecture
        self.features = features
        self.players = frozenset(players)
        self.skip_unseen = skip_unseen
        self._rules = _rules(game, architecture)
        self._tables = rank_tables(7)

    def read(self, block: Block) -> Reading:
        """All of a block; the first line that cannot be read raises an error that names it."""
        text = np.frombuffer(block.text, np.uint8)
        letters = self.architecture.letters
        children = np.zeros((1 << 14, len(letters) + 1), np.int32)
        trie = np.ones(1, np.int64)
        names = Names(np.zeros(_NAMES, np.int64), np.zeros(_NAMES, np.int64))
        name_count = np.zeros(1, np.int64)
        counts, position = np.zeros(4, np.int64), 0
        hands_parts: list[kernels.Hands] = []
        made_parts: list[kernels.Made] = []
        left_parts: list[NDArray[np.int64]] = []
        earlier = 0
        while position < len(text):
            if trie[0] + 2 * kernels.MOST_ACTIONS_OF_A_HAND > len(children):
                children = np.concatenate([children, np.zeros_like(children)])
            rest = len(text) - position
            hands, made = _room(rest // 32 + 16, rest // 5 + 1024)
            left = np.empty((rest // 32 + 16, 3), np.int64)
            counts[1:] = 0
            position = kernels.read_lines(
                text, position, self._rules, self._tables, children, trie,
                hands, made, names, name_count, counts, left,
            )  # fmt: skip
            hands_parts.append(kernels.Hands(*(array[: counts[1]] for array in hands)))
            made.hand[: counts[2]] += earlier
            made_parts.append(kernels.Made(*(array[: counts[2]] for array in made)))
            left_parts.append(left[: counts[3]])
            earlier += int(counts[1])
        known = [
            block.text[start : start + length].decode("ascii")
            for start, length in zip(
                names.start[: name_count[0]].tolist(),
                names.length[: name_count[0]].tolist(),
                strict=True,
            )
        ]
        hands = kernels.Hands(*(_joined(parts) for parts in zip(*hands_parts, strict=True)))
        made = kernels.Made(*(_joined(parts) for parts in zip(*made_parts, strict=True)))
        reading = self._of_compiled(
            block, hands, made, known, _texts(children, int(trie[0]), letters)
        )
        if any(len(part) for part in left_parts):
            self._read_plainly(block, np.concatenate(left_parts), reading)
        return reading

    def _of_compiled(
        self,
        block: Block,
        hands: kernels.Hands,
        made: kernels.Made,
        known: list[str],
        texts: list[str],
    ) -> Reading:
        """The wanted decisions of what the compiled reader read."""
        players = self.game.players
        name = hands.name[:, :players]
        for_player = np.array([not self.players or text in self.players for text in known], bool)
        wanted = for_player[name] if known else np.zeros(name.shape, bool)
        unseen = wanted & (hands.hole[:, :players, 0] < 0)
        hidden = unseen[made.hand, made.seat]
        if hidden.any() and not self.skip_unseen:
            first = hands.line[made.hand[np.argmax(hidden)]]
            raise _unseen_error(f"{block.path}, line {block.line + int(first)}")
        chosen = wanted[made.hand, made.seat] & ~hidden
        # Features belong to a hand and a seat, not to each of their decisions.
        pairs = made.hand[chosen].astype(np.int64) * players + made.seat[chosen]
        used, place = np.unique(pairs, return_inverse=True)
        hole = hands.hole[used // players, used % players]
        feature, texture = self.features.of_deals(hole, hands.board[used // players])
        round_ = made.round[chosen].astype(np.int64)
        nodes, sequence = np.unique(made.node[chosen], return_inverse=True)
        has_commitment = self.architecture.has_commitment
        decisions = Decisions(
            tuple(texts[node] for node in nodes.tolist()),
            round_,
            sequence.astype(np.int64),
            feature[place, round_].astype(np.int64),
            np.where(round_ > 0, texture[place, round_], 0).astype(np.int64),
            np.where((round_ > 0) & has_commitment, made.commitment[chosen], 0).astype(np.int64),
            made.letter[chosen].astype(np.int64),
            hands.payoff[made.hand[chosen], made.seat[chosen]].astype(np.float64),
        )
        totals = np.zeros(len(known), np.int64)
        np.add.at(totals, name.reshape(-1), hands.payoff[:, :players].reshape(-1))
        played = np.bincount(name.reshape(-1), minlength=len(known))
        return Reading(
            decisions,
            hands=len(hands.line),
            unseen=int(hidden.sum()),
            totals=dict(zip(known, totals.tolist(), strict=True)),
            played=dict(zip(known, played.tolist(), strict=True)),
        )

    def _read_plainly(self, block: Block, lines: NDArray[np.int64], reading: Reading) -> None:
        """Add the lines that the compiled reader left to what it read."""
        parts = [reading.decisions]
        for number, start, end in lines.tolist():
            where = f"{block.path}, line {block.line + number}"
            try:
                line = block.text[start:end].decode("utf-8")
            except UnicodeDecodeError as error:
                raise DoyleError(f"{where}: not UTF-8 text at byte {error.start + 1}") from None
            if line.startswith("SCORE"):
                reading.scores.append((where, parse_score_line(line, what=where)))
                continue
            hand = parse_state_line(self.game, line, what=where)
            parts.append(self.of_hand(hand, reading, where=where))
        reading.decisions = Decisions.joined(parts)

    def of_hand(self, hand: Hand, reading: Reading, *, where: str) -> Decisions:
        """The wanted decisions of one hand, whose sums are added to `reading`."""
        if not hand.players:
            raise DoyleError(f"{where}: the hand names no players")
        if not hand.state.is_over:
            raise DoyleError(f"{where}: the hand is not over")
        wanted = [
            seat
            for seat, name in enumerate(hand.players)
            if not self.players or name in self.players
        ]
        unseen = unseen_seats(hand, wanted)
        if unseen and not self.skip_unseen:
            raise _unseen_error(where)
        payoffs = hand.payoffs or hand.state.payoffs()
        reading.add_hand(hand.players, payoffs)
        for seat in unseen:
            reading.unseen += _decisions_of(hand, seat)
        seats = [seat for seat in wanted if seat not in unseen]
        return hand_decisions(hand, seats, self.architecture, self.features)


def _unseen_error(where: str) -> DoyleError:
    return DoyleError(
        f"{where}: the player's hole cards are not shown, so the decision has no features; skipping "
        "such decisions leaves out most folds and biases the cases"
    )


def _decisions_of(hand: Hand, seat: int) -> int:
    from doyle.games.policies import decisions_of

    return sum(1 for _ in decisions_of(hand.state, seat))


def _rules(game: Game, architecture: Architecture) -> kernels.Rules:
    def array(values: tuple[int, ...], count: int) -> NDArray[np.int64]:
        return np.array([*values, *(0,) * (count - len(values))], np.int64)

    letters = architecture.letters
    return kernels.Rules(
        players=game.players,
        is_limit=int(game.is_limit),
        big_blind=game.big_blind,
        blinds=array(game.blinds, game.players),
        stacks=array(game.stacks, game.players),
        raise_sizes=array(game.raise_sizes, game.rounds),
        first_players=array(game.first_players, game.rounds),
        max_raises=array(game.max_raises, game.rounds),
        shares=pot_shares(letters),
        has_all_in=int(letters.endswith(ALL_IN)),
        letters=len(letters),
        commitment_classes=architecture.commitment_classes,
    )


def _room(hands: int, decisions: int) -> tuple[kernels.Hands, kernels.Made]:
    """Empty output for so many hands and decisions."""
    return (
        kernels.Hands(
            line=np.empty(hands, np.int64),
            hole=np.empty((hands, 3, 2), np.int8),
            board=np.empty((hands, 5), np.int8),
            board_count=np.empty(hands, np.int8),
            payoff=np.zeros((hands, 3), np.int64),
            name=np.empty((hands, 3), np.int16),
        ),
        kernels.Made(
            hand=np.empty(decisions, np.int32),
            seat=np.empty(decisions, np.int8),
            round=np.empty(decisions, np.int8),
            node=np.empty(decisions, np.int32),
            letter=np.empty(decisions, np.int8),
            commitment=np.empty(decisions, np.int8),
        ),
    )


def _joined(parts: tuple[NDArray[Any], ...]) -> NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _texts(children: NDArray[np.int32], size: int, letters: str) -> list[str]:
    """The text of every node of a trie; a node is numbered after the one it follows."""
    signs = letters + ROUND_MARK
    texts = [""] * size
    parent, letter = np.nonzero(children[:size])
    child = children[parent, letter]
    order = np.argsort(child)
    for after, before, sign in zip(
        child[order].tolist(), parent[order].tolist(), letter[order].tolist(), strict=True
    ):
        texts[after] = texts[before] + signs[sign]
    return texts
