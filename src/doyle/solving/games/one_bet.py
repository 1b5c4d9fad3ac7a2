"""The one-bet games of IJCAI 2013, which have no definition file: `clairvoyance:n=10`.

**Clairvoyance**: one seat knows whether it wins, the other only sees the bet.

Seat 0 holds a winning or a losing hand, each with probability 1/2; both seats put in 0.50, so the
pot is 1. Seat 0 bets any allowed amount x of its stack n, 0 being a check; seat 1 calls or folds.
In equilibrium seat 0 bets n with every winning hand and with n/(1+n) of the losing ones, seat 1
calls x with probability 1/(1+x), and the value for seat 0 is n / (2(1+n)).
Source: Ganzfried and Sandholm, IJCAI 2013, sections 3.1 and 6 and appendix A, after Ankenman and
Chen 2006.

**No-limit Kuhn poker**: one card each of Jack, Queen and King, one bet of any allowed size.
Both seats put in 0.50; seat 0 checks or bets up to its stack n; seat 1 calls or folds. After a
check seat 1 cannot bet; in the variant it may fold there (which never helps it).
Source: the same paper, section 3.2 and footnotes 1 and 6.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from doyle.abstractions.betting import LabelledTree, TreeBuilder
from doyle.base.errors import DoyleError
from doyle.solving.games import BlockMatrix, MatrixGame, PrivateStates

ONE_BET_GAMES = ("clairvoyance", "nolimit-kuhn")
ANTE = 0.5
STEP = 0.1
MOST_SIZES = 1_000_000


def bet_sizes(stack: float, step: float = STEP) -> tuple[float, ...]:
    """Every multiple of `step` above zero up to the stack.

    >>> bet_sizes(0.3)
    (0.1, 0.2, 0.3)
    """
    if not 0 < stack <= 1e6 or not 0 < step <= stack:
        raise DoyleError(f"stack {stack:g} and step {step:g}: expected 0 < step <= stack <= 1e6")
    count = round(stack / step)
    if count > MOST_SIZES:
        raise DoyleError(
            f"stack {stack:g} has {count:,} multiples of the step {step:g}; at most "
            f"{MOST_SIZES:,} sizes are possible"
        )
    if abs(count * step - stack) > 1e-9 * stack:
        raise DoyleError(f"stack {stack:g} is not a multiple of the step {step:g}")
    return tuple(round(step * number, 10) for number in range(1, count + 1))


def clairvoyance(stack: float, sizes: Sequence[float] | None = None) -> MatrixGame:
    """The game with this stack; bets in steps of 0.1 unless `sizes` lists the allowed ones.

    >>> clairvoyance(1.0).information_sets()
    (2, 10)
    """
    # Seat 0's states are win and lose; seat 1 has one.
    states = PrivateStates(
        parents=(np.zeros(2, np.int64), np.zeros(1, np.int64)),
        joint=BlockMatrix.of([np.array([[0.5], [0.5]])]),
        showdown=BlockMatrix.of([np.array([[0.5], [-0.5]])]),
    )
    tree = one_bet_tree(bet_sizes(stack) if sizes is None else sizes)
    return MatrixGame(f"clairvoyance:n={stack:g}", tree, (states,))


def nolimit_kuhn(
    stack: float, sizes: Sequence[float] | None = None, *, fold_after_check: bool = False
) -> MatrixGame:
    """The game with this stack; bets in steps of 0.1 unless `sizes` lists the allowed ones.

    >>> nolimit_kuhn(1.0).information_sets()
    (3, 30)
    """
    # States are the cards: 0 Jack, 1 Queen, 2 King.
    joint = (1 - np.eye(3)) / 6
    result = joint * np.sign(np.arange(3)[:, None] - np.arange(3)[None, :])
    states = PrivateStates(
        parents=(np.zeros(3, np.int64), np.zeros(3, np.int64)),
        joint=BlockMatrix.of([joint]),
        showdown=BlockMatrix.of([result]),
    )
    tree = one_bet_tree(
        bet_sizes(stack) if sizes is None else sizes, answers_check=fold_after_check
    )
    variant = ",fold" if fold_after_check else ""
    return MatrixGame(f"nolimit-kuhn:n={stack:g}{variant}", tree, (states,))


def one_bet_tree(
    sizes: Sequence[float], *, answers_check: bool = False, ante: float = ANTE
) -> LabelledTree:
    """Seat 0 checks or bets one of `sizes`; seat 1 calls or folds.

    After a check the hands are shown, unless seat 1 `answers_check`: then it may fold there too.
    """
    bad = [size for size in sizes if not 0 < size < float("inf")]
    if bad or len(set(sizes)) != len(sizes):
        raise DoyleError(f"bet sizes must be different positive numbers, not {list(sizes)}")
    tree = TreeBuilder()
    root = tree.decision(-1, round=0, actor=0)

    def answer(node: int, stake: float) -> None:
        tree.fold(node, round=0, amount=ante)
        tree.showdown(node, round=0, amount=stake)

    if answers_check:
        answer(tree.decision(root, round=0, actor=1, label="c"), ante)
    else:
        tree.showdown(root, round=0, amount=ante)
    for size in sizes:
        answer(tree.decision(root, round=0, actor=1, label=f"r{size:g}"), ante + size)
    return tree.finish()


def is_one_bet_game(name: str) -> bool:
    """Whether a text names one of these games."""
    return name.partition(":")[0] in ONE_BET_GAMES


def one_bet_game(name: str, betting: str | None = None, cards: str | None = None) -> MatrixGame:
    """The game of a text, NAME:n=STACK with `step=0.1` or `bets=1+10` for the sizes.

    In no-limit Kuhn poker `fold` lets seat 1 fold after a check.
    """
    head, _, options = name.partition(":")
    if betting is not None:
        raise DoyleError(
            f"{head}: takes no betting model; write the sizes as {head}:n=10,bets=1+10"
        )
    if cards is not None:
        raise DoyleError(f"{head}: takes no card abstraction")
    stack: float | None = None
    step: float | None = None
    sizes: Sequence[float] | None = None
    fold = False
    given: set[str] = set()
    for option in filter(None, options.split(",")):
        key, _, value = option.partition("=")
        if key in given:
            raise DoyleError(f"{name}: {key!r} is given twice; {_form(head)}")
        given.add(key)
        if key == "n":
            stack = _number(name, option, value)
        elif key == "step":
            step = _number(name, option, value)
        elif key == "bets":
            sizes = [_number(name, option, part) for part in value.split("+")]
        elif option == "fold" and head == "nolimit-kuhn":
            fold = True
        else:
            raise DoyleError(f"{name}: {option!r} is not an option; {_form(head)}")
    if stack is None:
        raise DoyleError(f"{name}: no stack is given; {_form(head)}")
    if sizes is not None and (step is not None or max(sizes) > stack):
        raise DoyleError(f"{name}: bets must be at most the stack, and go without a step")
    if step is not None:
        sizes = bet_sizes(stack, step)
    if head == "clairvoyance":
        return clairvoyance(stack, sizes)
    return nolimit_kuhn(stack, sizes, fold_after_check=fold)


def _number(name: str, option: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= 1e6:
        raise DoyleError(f"{name}: {option!r} needs a number above 0, at most 1e6")
    return value


def _form(head: str) -> str:
    extra = "[,fold]" if head == "nolimit-kuhn" else ""
    return f"expected {head}:n=STACK[,step=STEP or ,bets=A+B]{extra}"
