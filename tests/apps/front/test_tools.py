"""Spots, hand histories, translation and ranges through the front door."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import doyle
from doyle.cards import HOLE_COUNT, parse_range
from doyle.games.histories import format_phh, write_phh

RIVER = {"board": "Ks7h4d2cJs", "ranges": ("AA,66", "KK,QQ"), "pot": 200, "stacks": 200}


def test_a_spot_is_solved_and_shown() -> None:
    solved = doyle.spot(**RIVER, target_percent=0.1)  # type: ignore[arg-type]
    assert solved.exploitability_percent_of_pot <= 0.1
    ranges = (doyle.Range.parse("AA,66"), doyle.Range.parse("KK,QQ"))
    again = doyle.spot(**{**RIVER, "ranges": ranges}, target_percent=0.1)  # type: ignore[arg-type]
    assert again.value == solved.value
    for page in (solved._repr_html_(), solved.root._repr_html_()):
        ElementTree.fromstring(f"<div>{page}</div>")
    assert solved.root._repr_html_().count("<td") == 169


def test_bad_spots_are_one_line() -> None:
    with pytest.raises(doyle.DoyleError, match="at character"):
        doyle.spot("Ks7h4d2cJs", ("AA,6x", "KK"), pot=200, stacks=200)


def test_hands_of_logs_and_of_phh_files_are_read(tmp_path: Path) -> None:
    log = tmp_path / "match.log.gz"
    doyle.play_match("holdem-nl-200bb", ["random", "always-call"], hands=20, seed=2, log=log)
    hands = list(doyle.read_hands(log))
    assert len(hands) == 40
    assert sum(sum(hand.payoffs) for hand in hands) == 0
    write_phh(tmp_path / "match.phhs", hands)
    again = list(doyle.read_hands(str(tmp_path / "match.phhs")))
    assert [hand.state.betting for hand in again] == [hand.state.betting for hand in hands]
    one = tmp_path / "one.phh"
    one.write_text(format_phh(hands[0]))
    assert len(list(doyle.read_hands(one, "holdem-nl-200bb"))) == 1


def test_a_log_whose_head_names_no_game_needs_one(tmp_path: Path) -> None:
    log = tmp_path / "bare.log"
    log.write_text("STATE:0:cc:As|Qs:1|-1:Ann|Bob\n")
    with pytest.raises(doyle.DoyleError, match=r"bare\.log"):
        next(iter(doyle.read_hands(log)))
    assert next(iter(doyle.read_hands(log, "kuhn"))).players == ("Ann", "Bob")


def test_translate_gives_the_printed_probability() -> None:
    # IJCAI 2013, section 6.1: f(x) = (B - x)(1 + A) / ((B - A)(1 + x)).
    read = doyle.translate(0.7, (0.5, 1.0))
    assert read.probability_of_lower == pytest.approx(0.3 * 1.5 / (0.5 * 1.7))
    assert read.probability_of_lower + read.probability_of_upper == 1
    ElementTree.fromstring(read._repr_html_())


@pytest.mark.parametrize("bet", [(2.0, (0.5, 1.0)), (float("nan"), (0.5, 1.0)), (0.7, (1.0, 0.5))])
def test_bets_outside_are_refused(bet: tuple[float, tuple[float, float]]) -> None:
    with pytest.raises(doyle.DoyleError, match=r"need 0 <= A|expected numbers"):
        doyle.translate(*bet)


def test_ranges_are_values_that_show_themselves() -> None:
    held = doyle.Range.parse("QQ+,AKs:0.5")
    assert held == doyle.Range(parse_range("QQ+,AKs:0.5"))
    assert hash(held) == hash(doyle.Range.parse(str(held)))
    assert len(held) == HOLE_COUNT
    assert np.asarray(held).sum() == held.hands == 20
    page = held._repr_html_()
    ElementTree.fromstring(page)
    assert "AKs: held 50%" in page
    assert doyle.equity([held, "22"]).equities == doyle.equity([held.weights, "22"]).equities
    with pytest.raises(ValueError, match="read-only"):
        held.weights[0] = 1
    with pytest.raises(doyle.DoyleError, match="from 0 to 1"):
        doyle.Range(np.full(HOLE_COUNT, 2.0))
