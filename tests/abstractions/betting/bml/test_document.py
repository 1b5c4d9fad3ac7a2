"""BML files: the paper's listing, the round trip, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.abstractions.betting.bml.document import bml_lines, document_of, write_bml
from doyle.abstractions.betting.bml.reader import parse_bml, read_bml
from doyle.base.errors import DoyleError
from doyle.games import Game


def text_of(model: str, game: str) -> str:
    tree = BettingTree.build(BettingModel.parse(model), Game.named(game))
    return "".join(bml_lines(document_of(tree)))


KUHN = text_of("limit", "kuhn")
LEDUC = text_of("limit", "leduc")


@pytest.mark.parametrize(
    ("model", "game"),
    [
        ("limit", "kuhn"),
        ("limit", "leduc"),
        ("full", "leduc-nl12"),
        ("tartanian5", "holdem-nl-100bb"),
    ],
)
def test_round_trip(model: str, game: str, tmp_path: Path) -> None:
    tree = BettingTree.build(BettingModel.parse(model), Game.named(game))
    path = tmp_path / "tree.bml"
    write_bml(tree, path)
    assert read_bml(path) == document_of(tree)


def test_listing_1_of_the_tartanian_paper() -> None:
    """Every line of the listing, sequence numbers included, appears in our file for fcpa at 500bb.

    So the published file has no cap on bets: with the cap of three the numbers would be smaller.
    """
    listing = """
        <decision player='2' sequence='' parent='-1'>
        <action name='F' number='0' />
        <action name='C' number='1' />
        <action name='R1' number='2' />
        <action name='A' number='3' />
        <decision player='1' sequence='C' parent='-1'>
        <action name='k' number='0' />
        <action name='r1' number='1' />
        <action name='a' number='2' />
        <decision player='2' sequence='Ca' parent='1'>
        <action name='F' number='19' />
        <action name='C' number='20' />
        <decision player='1' sequence='A' parent='-1'>
        <action name='f' number='32' />
        <action name='c' number='33' />
        <leaf seq1='2' seq2='19' type='fold' sequence='CaF' payoff='2.0' />
        <leaf seq1='2' seq2='20' type='showdown' sequence='CaC' potshare='1000.0' />
        <leaf seq1='32' seq2='3' type='fold' sequence='Af' payoff='-2.0' />
        <leaf seq1='33' seq2='3' type='showdown' sequence='Ac' potshare='1000.0' />
    """
    lines = [line.strip() for line in text_of("tartanian-2007", "doyle-500bb").splitlines()]
    place = 0
    for line in filter(None, (line.strip() for line in listing.splitlines())):
        # The lines stand in the paper's order, decisions before leaves.
        assert line in lines[place:]
        place = lines.index(line, place) + 1
    for capped in ("tartanian-2007@3", "tartanian-2007@3+a", "tartanian@any"):
        decision = _decision(text_of(capped, "doyle-500bb"), "Ca")
        assert "<action name='F' number='19' />" not in decision


def _decision(text: str, sequence: str) -> str:
    found = re.search(rf"<decision [^>]*sequence='{sequence}'.*?</decision>", text, re.DOTALL)
    assert found is not None
    return found.group()


BOMB = """<?xml version='1.0'?>
<!DOCTYPE bml [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>
<bml name='&b;'></bml>"""
EXTERNAL = """<!DOCTYPE bml [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>
<bml name='x'>&x;</bml>"""


@pytest.mark.parametrize(
    "text", [BOMB, EXTERNAL, "<!DOCTYPE bml SYSTEM 'http://host/x.dtd'><bml/>"]
)
def test_document_types_and_entities_are_refused(text: str) -> None:
    with pytest.raises(DoyleError, match="document types and entities are not allowed"):
        parse_bml(text)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("<round number='1'>", "<round number='2'>", "round 2 where round 1 was expected"),
        ("sequence='kR1' parent='0'", "sequence='kR1' parent='1'", "decision 'kR1': parent 1, but player 1"),
        ("name='K' number='0'", "name='K' number='7'", r"leaf 'kK': seq2 is 0; the path has 7"),
        ("name='K' number='0'", "name='K' number='1'", "number 1 of action 'R1' is already used in"),
        ("name='K' number='0'", "name='K' number='x'", "action 'K': number 'x' is not a whole number"),
        ("name='K' number='0'", "name='k' number='0'", "action 'k'; player 2 has F C K R1"),
        ("name='K'", "name='R1'", "action 'R1' is there twice"),
        ("name='K' number='0'", "name='K'", "action 'K': number is missing"),
        ("player='2' sequence='k'", "player='3' sequence='k'", "decision 'k': player '3'"),
        ("sequence='kR1f' payoff='-1.0'", "sequence='kR1f' payoff='1.0'", "wrong sign"),
        ("payoff='-1.0'", "payoff='nan'", "leaf 'kR1f': payoff 'nan' is not a number"),
        ("payoff='-1.0'", "potshare='1.0'", "leaf 'kR1f': payoff is missing"),
        ("payoff='-1.0'", "payoff='-9.0'", "leaf 'kR1f': payoff -9, but by leaf 'kK' player 1 has put in 1"),
        ("sequence='kK' potshare='1.0'", "sequence='kK' potshare='0'", "potshare 0 is not above 0"),
        ("type='fold' sequence='kR1f' payoff='-1.0'", "type='showdown' sequence='kR1f' potshare='1'",
         "leaf 'kR1f': type showdown, but its last action is 'f'"),
        ("type='fold'", "type='draw'", "type 'draw'; expected fold or showdown"),
        ("sequence='r1C'", "sequence='r1K'", "leaf 'r1K': no action of a decision leads to it"),
        ("sequence='r1C'", "sequence='r1F'", "leaf 'r1F' is there twice"),
        ("<leaves>", "<leafs>", "unknown element <leafs>"),
        ("<leaves>", "<leaves x='1'>", "takes no attributes"),
        ("<decisions>", "<decisions>hello", "unexpected text 'hello'"),
        ("seq1='1' seq2='3'", "seq1='1' seq2='3' colour='red'", "unknown attribute 'colour'"),
        ("<bml name='limit kuhn'>", "<round number='1'>", "must be inside <bml>"),
        ("</bml>", "", "not well-formed XML"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(old: str, new: str, problem: str) -> None:
    assert old.replace("'limit kuhn'", '"limit kuhn"') in KUHN or old in KUHN
    text = KUHN.replace('"limit kuhn"', "'limit kuhn'").replace(old, new, 1)
    with pytest.raises(DoyleError, match=problem) as error:
        parse_bml(text, "kuhn.bml")
    assert re.match(r"kuhn\.bml line \d+: ", str(error.value))


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


OPEN_FOLD = "sequence='kK' potshare='1.0' />"


@pytest.mark.parametrize("encoding", ["foo", "utf-7", "idna"])
def test_unknown_encodings_are_refused_in_one_line(encoding: str) -> None:
    with pytest.raises(DoyleError, match=r"kuhn\.bml line 1: .*UTF-8"):
        parse_bml(f"<?xml version='1.0' encoding='{encoding}'?>\n{KUHN}", "kuhn.bml")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ([("payoff='-1.0'", "payoff='-0.0'")], "leaf 'kR1f': payoff -0, but by leaf 'kK' player 1"),
        ([("payoff='-1.0'", "payoff='-1e300'")], "payoff -1e\\+300 is more than 2,147,483,647 chips"),
        ([("sequence='r1C' potshare='2.0'", "sequence='r1C' potshare='1.0'")],
         "leaf 'r1C': potshare 1 is not above 1, which was put in before"),
        ([("sequence='r1F' payoff='1.0'", "sequence='r1F' payoff='2.0'")],
         "leaf 'r1F': payoff 2, but by leaf 'kK' player 2 has put in 1"),
        ([("<decision player='1' sequence='kR1' parent='0'>",
           "<decision player='2' sequence='kR1' parent='1'>"),
          ("name='f' number='2'", "name='F' number='12'"), ("name='c' number='3'", "name='C' number='13'")],
         "decision 'kR1': player 2 acts twice in a row"),
        ([("name='K' number='0'", "name='C' number='0'"), ("sequence='kK'", "sequence='kC'")],
         "leaf 'kC': potshare 1 is not above 1, which was put in before .leaf 'r1F'."),
        ([("name='f' number='2'", "name='k' number='2'"), ("sequence='kR1f'", "sequence='kR1k'")],
         "decision 'kR1': both 'c' .call. and 'k' .check."),
        ([("name='K' number='0' />", "name='K' number='0' /><action name='F' number='9' />"),
          (OPEN_FOLD, OPEN_FOLD + "<leaf seq1='0' seq2='9' type='fold' sequence='kF' payoff='1' />")],
         "decision 'k': action 'F', but there is no bet to fold to"),
    ],
)  # fmt: skip
def test_impossible_betting_is_refused(changes: list[tuple[str, str]], problem: str) -> None:
    with pytest.raises(DoyleError, match=problem):
        parse_bml(changed(KUHN, *changes), "kuhn.bml")


RAISE_LEAF = """<bml name='x'><round number='1'><decisions>
<decision player='1' sequence='' parent='-1'><action name='k' number='0' /><action name='r1' number='1' />
</decision><decision player='2' sequence='k' parent='-1'><action name='K' number='0' /></decision>
</decisions><leaves>
<leaf seq1='0' seq2='0' type='showdown' sequence='kK' potshare='1' />
<leaf seq1='1' seq2='-1' type='showdown' sequence='r1' potshare='2' />
</leaves></round></bml>"""


def test_a_raise_is_no_showdown() -> None:
    with pytest.raises(DoyleError, match="line 6: leaf 'r1': a showdown, but action 'r1' must be"):
        parse_bml(RAISE_LEAF)


def test_an_open_fold_in_a_later_round_is_named() -> None:
    numbers = [int(n) for n in re.findall(r"number='(\d+)'", LEDUC)]
    new = str(max(numbers) + 1)
    place = LEDUC.index("sequence='kK/'")
    last = re.search(r"seq2='(\d+)' type='showdown' sequence='kK/kK'", LEDUC)
    assert last is not None
    parent = re.search(r"sequence='kK/k' parent='(\d+)'", LEDUC)
    assert parent is not None
    end = LEDUC.index("</decision>", place)
    text = LEDUC[:end] + f"<action name='f' number='{new}' />" + LEDUC[end:]
    leaf = f"<leaf seq1='{new}' seq2='{parent[1]}' type='fold' sequence='kK/f' payoff='-1.0' />"
    text = text[: text.rindex("</leaves>")] + leaf + text[text.rindex("</leaves>") :]
    with pytest.raises(
        DoyleError, match="decision 'kK/': action 'f', but there is no bet to fold to"
    ):
        parse_bml(text)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (r"(type='showdown' sequence='Ac' potshare=)'1000.0'", r"\1'900.0'",
         "leaf 'Ac': potshare 900 after no more betting, but others put in 1000"),
        (r"(type='showdown' sequence='Ac' potshare=)'1000.0'", r"\1'1e6'",
         "potshare 1000 after .*, but others put in 1e\\+06"),
    ],
)  # fmt: skip
def test_all_ins_are_for_one_stack(old: str, new: str, problem: str) -> None:
    text, count = re.subn(old, new, text_of("fca", "doyle-500bb"), count=1)
    assert count == 1
    with pytest.raises(DoyleError, match=problem):
        parse_bml(text)


ODD = [
    {"stack": "300 700"},
    {"stack": "100 500"},
    {"stack": "2 2"},
    {"blind": "0 2"},
    {"blind": "2 2"},
    {"firstPlayer": "1 1 2 2"},
    {"firstPlayer": "1 1 1 1"},
]


@pytest.mark.parametrize("change", ODD, ids=str)
def test_trees_of_unusual_games_are_read_back(change: dict[str, str]) -> None:
    text = Game.named("holdem-nl-20bb").to_text()
    for key, value in change.items():
        text, count = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", text)
        assert count == 1
    tree = BettingTree.build(BettingModel.parse("fcpa@2"), Game.parse(text, name="odd"))
    document = document_of(tree)
    assert parse_bml("".join(bml_lines(document))) == document


def test_missing_branch_is_named() -> None:
    leaf = "      <leaf seq1='0' seq2='0' type='showdown' sequence='kK' potshare='1.0' />\n"
    with pytest.raises(DoyleError, match="decision 'k': action 'K' leads to no decision or leaf"):
        parse_bml(KUHN.replace(leaf, ""))


def test_rounds_are_checked() -> None:
    moved = LEDUC.replace("sequence='kK/'", "sequence='kK'", 1)
    with pytest.raises(DoyleError, match="decision 'kK' is in round 2; its sequence ends in 1"):
        parse_bml(moved)
    with pytest.raises(DoyleError, match="the first decision must have the empty sequence"):
        parse_bml("<bml name='x'><round number='1'><decisions/><leaves/></round></bml>")
    numbers = re.findall(r"sequence='kK/' parent='\d+'>\s*<action name='k' number='(\d+)'", LEDUC)
    text = LEDUC.replace(
        f"<action name='k' number='{numbers[0]}' />", "<action name='k' number='x' />"
    )
    with pytest.raises(DoyleError, match="decision 'kK/', action 'k': number 'x'"):
        parse_bml(text)


def test_later_rounds_have_later_numbers() -> None:
    start = LEDUC.index("sequence='kK/'")
    text = LEDUC[:start] + re.sub(
        r"name='k' number='\d+'", "name='k' number='2'", LEDUC[start:], count=1
    )
    with pytest.raises(DoyleError, match=r"already used|is not above"):
        parse_bml(text)


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(DoyleError, match=r"cannot read .*nothing\.bml"):
        read_bml(tmp_path / "nothing.bml")
    tree = BettingTree.build(BettingModel.parse("limit"), Game.named("kuhn"))
    with pytest.raises(DoyleError, match="cannot write"):
        write_bml(tree, Path("/proc/nowhere/tree.bml"))
