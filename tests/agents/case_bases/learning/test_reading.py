"""The compiled reader of log lines against the plain one, in the three games."""

from __future__ import annotations

from pathlib import Path

import pytest

from doyle.agents.case_bases import Architecture
from doyle.agents.case_bases.domains import default_game, domain_named
from doyle.agents.case_bases.features.hands import HandFeatures
from doyle.agents.case_bases.learning.decisions import Decisions, hand_decisions
from doyle.agents.case_bases.learning.reading import Block, LogReader, Reading
from doyle.base.errors import DoyleError
from doyle.games import Game
from doyle.games.histories import format_state_line, parse_state_line
from tests.agents.case_bases.random_logs import random_hands
from tests.agents.case_bases.synthetic import CATEGORIES

PATH = Path("match.log")


def reader_of(
    domain: str, *, players: tuple[str, ...] = (), skip_unseen: bool = False
) -> LogReader:
    architecture = CATEGORIES[domain]
    game = default_game(domain_named(domain))
    features = HandFeatures(architecture)
    return LogReader(game, architecture, features, players=players, skip_unseen=skip_unseen)


def read_text(reader: LogReader, text: str) -> Reading:
    return reader.read(Block(PATH, 1, text.encode()))


def rows(decisions: Decisions) -> list[tuple[object, ...]]:
    """Decisions as tuples, in any order of sequences."""
    return sorted(
        zip(
            (decisions.sequences[number] for number in decisions.sequence.tolist()),
            decisions.round.tolist(),
            decisions.hand.tolist(),
            decisions.texture.tolist(),
            decisions.commitment.tolist(),
            decisions.letter.tolist(),
            decisions.outcome.tolist(),
            strict=True,
        )
    )


@pytest.mark.parametrize("domain", list(CATEGORIES))
@pytest.mark.parametrize("players", [(), ("Ann",)])
def test_both_readers_agree(domain: str, players: tuple[str, ...]) -> None:
    reader = reader_of(domain, players=players)
    hands = random_hands(reader.game, 400, 11)
    text = "".join(format_state_line(hand) + "\n" for hand in hands)
    found = read_text(reader, "# a comment\n\n" + text.replace("\n", "\r\n", 3))
    expected = []
    for hand in hands:
        seats = [n for n, name in enumerate(hand.players) if not players or name in players]
        expected.append(hand_decisions(hand, seats, reader.architecture, reader.features))
    assert rows(found.decisions) == rows(Decisions.joined(expected))
    assert found.hands == len(hands)
    assert sum(found.totals.values()) == 0
    assert found.played == {name: len(hands) for name in found.played}


@pytest.mark.parametrize("letters", ["fcqhipdvt", "fcpa", "fca", "fchpdvta"])
def test_bets_are_read_as_equation_3_says(letters: str) -> None:
    plain = CATEGORIES["no-limit"]
    architecture = Architecture(**{**plain.document(), "letters": letters})
    for name in ("holdem-nl-200bb", "holdem-nl-20bb"):
        game = Game.named(name)
        reader = LogReader(game, architecture, HandFeatures(architecture))
        hands = random_hands(game, 300, 12)
        found = read_text(reader, "".join(format_state_line(hand) + "\n" for hand in hands))
        expected = [hand_decisions(h, (0, 1), architecture, reader.features) for h in hands]
        assert rows(found.decisions) == rows(Decisions.joined(expected))


@pytest.mark.parametrize("domain", list(CATEGORIES))
def test_every_cut_or_changed_line_is_read_alike(domain: str) -> None:
    """What the plain reader refuses is refused, what it takes is taken with the same decisions."""
    reader = reader_of(domain)
    line = format_state_line(random_hands(reader.game, 30, 13)[-1])
    variants = [line[:cut] for cut in range(len(line))]
    for place in range(len(line)):
        variants += [line[:place] + sign + line[place + 1 :] for sign in "c:|/9A#"]
    for variant in variants:
        if not variant or variant.startswith("#"):
            continue
        try:
            hand = parse_state_line(reader.game, variant, what="x")
            expected = rows(reader.of_hand(hand, Reading(Decisions.joined(())), where="x"))
        except DoyleError:
            with pytest.raises(DoyleError, match=r"match\.log, line 1"):
                read_text(reader, variant + "\n")
        else:
            assert rows(read_text(reader, variant + "\n").decisions) == expected, variant


def test_errors_name_the_line() -> None:
    reader = reader_of("limit")
    good = format_state_line(random_hands(reader.game, 1, 1)[0])
    with pytest.raises(DoyleError, match=r"match\.log, line 3.*expected an action"):
        read_text(reader, f"{good}\n# comment\nSTATE:1:x:AsKs|QdQh:5|-5:Ann|Bob\n")
    with pytest.raises(DoyleError, match=r"match\.log, line 2.*no players"):
        read_text(reader, f"{good}\nSTATE:1:f:AsKs|QdQh\n")
    with pytest.raises(DoyleError, match=r"match\.log, line 1: not UTF-8"):
        reader.read(Block(PATH, 1, b"STATE:0:f:AsKs|QdQh:5|-5:\xff|Bob\n"))


def test_split_pots() -> None:
    reader = reader_of("limit-3p")
    # Everybody plays the board; the big blind folds on the flop after both others have bet more.
    whole = "STATE:0:ccc/rcc/ccc/ccc:2c3d|2d3h|2h3s/AsKsQs/Js/Ts:0|0|0:Ann|Bob|Cy\n"
    assert read_text(reader, whole).decisions.outcome.tolist() == [0.0] * 12
    folds = "STATE:1:ccc/rfc/cc/cc:2c3d|2d3h|2h3s/AsKsQs/Js/Ts:5|-10|5:Ann|Bob|Cy\n"
    assert sorted(set(read_text(reader, folds).decisions.outcome.tolist())) == [-10.0, 5.0]


def test_unseen_cards_are_refused_or_counted() -> None:
    lines = "STATE:0:rf:|QdQh:-10|10:Ann|Bob\nSTATE:1:cc/rf:AsKs|/2c3c4c:10|-10:Ann|Bob\n"
    with pytest.raises(DoyleError, match=r"match\.log, line 1.*biases"):
        read_text(reader_of("limit"), lines)
    with pytest.raises(DoyleError, match=r"match\.log, line 2.*biases"):
        read_text(reader_of("limit", players=("Bob",)), lines)
    found = read_text(reader_of("limit", skip_unseen=True), lines)
    assert found.hands == 2
    assert found.unseen == 3  # Ann's fold; Bob's call and fold
    assert len(found.decisions) == 3


def test_logs_of_another_game_are_refused() -> None:
    limit = format_state_line(random_hands(Game.named("holdem-limit-2p"), 3, 2)[2])
    with pytest.raises(DoyleError, match=r"match\.log, line 1"):
        read_text(reader_of("limit-3p"), limit + "\n")
    with pytest.raises(DoyleError, match="domain"):
        LogReader(
            Game.named("holdem-limit-2p"),
            CATEGORIES["no-limit"],
            HandFeatures(CATEGORIES["no-limit"]),
        )
