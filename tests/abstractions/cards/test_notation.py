"""The notation: every string of the thesis reads, prints and reads back; errors point."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doyle.abstractions.cards.notation import Notation, Part
from doyle.base.errors import ParseError

# Every card abstraction in the thesis (sections 2.3.2, 3.2, 3.3, 4.6, tables 3.1-3.3, 5.2, chapter
# 6), with its spelling in full and the bucket sequences of each round.
THESIS = [
    ("5.5.5.5", "5.5.5.5", (5, 25, 125, 625)),
    ("8.8.8.8", "8.8.8.8", (8, 64, 512, 4096)),
    ("12.12.12.12", "12.12.12.12", (12, 144, 1728, 20736)),
    ("ir169.64.8.8", "ir169.64.8.8", (169, 64, 512, 4096)),
    ("ir169.ir64.ir512.4096", "ir169.ir64.ir512.4096", (169, 64, 512, 4096)),
    ("ir169.72hs2x2hs.12.12", "ir169.72hs2x2hs.12.12", (169, 144, 1728, 20736)),
    (
        "ir169.ir72hs2x3hs.ir72hs3x3hs.216",
        "ir169.ir72hs2x3hs.ir72hs3x3hs.216",
        (169, 216, 216, 216),
    ),
    (
        "ir169.dir-pub20x36hs2x5hs-pub20x1.dir-pub3x20hs2x3hs-pub3x1.60",
        "ir169.dir-pub20x36hs2x5hs-pub20x1.dir-pub3x20hs2x3hs-pub3x1.60",
        (169, 3600, 3600, 3600),
    ),
    (
        "ir169.dir-pub20x36hs2x5hs-20x1.dir-pub3x20hs2x3hs-3x1.60",
        "ir169.dir-pub20x36hs2x5hs-pub20x1.dir-pub3x20hs2x3hs-pub3x1.60",
        (169, 3600, 3600, 3600),
    ),
    (
        "ir169.dir-pub20x75hs2x36hs-20x1.dir-pub3x50hs2x18hs-3x1.900",
        "ir169.dir-pub20x75hs2x36hs-pub20x1.dir-pub3x50hs2x18hs-pub3x1.900",
        (169, 54000, 54000, 54000),
    ),
    (
        "ir169.dir-pub20x205-20x1.pub3x68-3x1.68",
        "ir169.dir-pub20x205-pub20x1.dir-pub3x68-pub3x1.68",
        (169, 4100, 4080, 4080),
    ),
    (
        "ir169.pub20x75hs2x36hs.pub3x50hs2x18hs.900",
        "ir169.dir-pub20x75hs2x36hs-pub20x1.dir-pub3x50hs2x18hs-pub3x1.900",
        (169, 54000, 54000, 54000),
    ),
    (
        "ir169.pub20x36hs2x5hs.pub3x20hs2x3hs.60",
        "ir169.dir-pub20x36hs2x5hs-pub20x1.dir-pub3x20hs2x3hs-pub3x1.60",
        (169, 3600, 3600, 3600),
    ),
    ("8s", "8.8.8.8", (8, 64, 512, 4096)),
    ("12s", "12.12.12.12", (12, 144, 1728, 20736)),
]


@pytest.mark.parametrize(("text", "full", "sequences"), THESIS)
def test_thesis_strings(text: str, full: str, sequences: tuple[int, ...]) -> None:
    notation = Notation.parse(text)
    assert str(notation) == full
    assert Notation.parse(full) == notation
    assert notation.bucket_totals == sequences


def test_clusterings_are_parts_like_others() -> None:
    assert Notation.parse("8.ochs5x2.irochs6.8").bucket_totals == (8, 80, 480, 640)
    notation = Notation.parse("ir169.iremd200.iremd5x3hs.ochs200")
    assert str(notation) == "ir169.iremd200.iremd5x3hs.ochs200"
    assert notation.bucket_totals == (169, 200, 15, 200)


def test_metrics_default_to_hs2_and_to_hs_on_the_river() -> None:
    rounds = Notation.parse("u20.ir50hs.8hs3.6").rounds
    assert [round.parts[0] for round in rounds] == [
        Part("uniform", 20, "hs2"),
        Part("percentile", 50, "hs"),
        Part("percentile", 8, "hs3"),
        Part("percentile", 6, "hs"),
    ]


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("8.8.8", 5),
        ("8.8.8.8.8", 7),
        ("8.8.y.8", 4),
        ("ir169.64hs4.8.8", 10),
        ("08.8.8.8", 0),
        ("8.0.8.8", 2),
        ("200.8.8.8", 0),
        ("8.pub20x36-pub19x1.8.8", 11),
        ("8.pub20x36-20x1x1.8.8", 16),
        ("8.dir-pub20x36.8.8", 14),
        ("pub20.8.8.8", 0),
        ("8.8.8.pub20x3", 6),
        ("8.8.8.8 ", 7),
        ("8.99999999.8.8", 2),
        ("8..8.8", 2),
        ("8.pub2xpub3x5.8.8", 7),
        ("ochs5.8.8.8", 0),
        ("8.8.8.ochs5", 6),
        ("ir8.ir8.ir8.ochs5x2", 12),
        ("8.emd5hs.8.8", 6),
        ("8.8x.8.8", 4),
    ],
)
def test_errors_point_at_the_character(text: str, position: int) -> None:
    with pytest.raises(ParseError) as caught:
        Notation.parse(text)
    assert caught.value.position == position
    assert caught.value.pointer() == (f"{text}\n{' ' * position}^" if text else "")


_strength = st.builds(
    lambda uniform, count, metric: f"{uniform}{count}{metric}",
    st.sampled_from(["", "u"]),
    st.integers(1, 12),
    st.sampled_from(["", "hs", "hs2", "hs3"]),
)
_strength |= st.integers(1, 12).map("emd{}".format)
_nested = st.lists(_strength, min_size=1, max_size=2).map("x".join)


@st.composite
def _middle(draw: st.DrawFn) -> str:
    parts = draw(_nested)
    public = draw(st.integers(1, 20))
    return draw(
        st.sampled_from(
            [
                parts,
                f"ir{parts}",
                f"pub{public}x{parts}",
                f"dir-pub{public}x{parts}-pub{public}x1",
                f"dir-pub{public}x{parts}-1x{parts}",
                f"irpub{public}x{parts}",
            ]
        )
    )


@given(_nested, _middle(), _middle(), _nested)
def test_printing_and_reading_agree(first: str, second: str, third: str, fourth: str) -> None:
    notation = Notation.parse(f"{first}.{second}.{third}.{fourth}")
    assert Notation.parse(str(notation)) == notation
    assert str(Notation.parse(str(notation))) == str(notation)


@given(st.text(alphabet="0123456789.xhsirdpub-u ", max_size=20))
def test_any_text_reads_or_points_inside_itself(text: str) -> None:
    try:
        notation = Notation.parse(text)
    except ParseError as error:
        position = error.position
    else:
        position = 0
        assert Notation.parse(str(notation)) == notation
    assert 0 <= position <= len(text)
