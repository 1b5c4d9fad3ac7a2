"""Games by name, as commands take them: `kuhn`, a game file, `clairvoyance:n=10`.

The two games of IJCAI 2013 have no game definition; they are written NAME:n=STACK, with `step=0.1`
or `bets=1+10` for the sizes and, for no-limit Kuhn, `fold` to let seat 1 fold after a check.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from doyle.betting import BettingModel
from doyle.errors import DoyleError
from doyle.games import Game
from doyle.solving.games import MatrixGame
from doyle.solving.games.holdem import abstract_holdem, check_cards
from doyle.solving.games.one_bet import bet_sizes, clairvoyance, nolimit_kuhn
from doyle.solving.games.small_games import check_size, small_game, solvable_tree
from doyle.workers import Progress

ONE_BET_GAMES = ("clairvoyance", "nolimit-kuhn")


def named_game(
    name: Game | str,
    betting: str | None = None,
    *,
    cards: str | None = None,
    progress: Progress | None = None,
) -> MatrixGame:
    """The game a command means; all legal bets unless a betting model is given.

    >>> named_game("kuhn").information_sets()
    (6, 6)
    >>> named_game("clairvoyance:n=2,bets=1+2").information_sets()
    (2, 2)
    """
    head, _, options = ("", "", "") if isinstance(name, Game) else name.partition(":")
    if head in ONE_BET_GAMES:
        if betting is not None:
            raise DoyleError(
                f"{head}: takes no betting model; write the sizes as {head}:n=10,bets=1+10"
            )
        if cards is not None:
            raise DoyleError(f"{head}: takes no card abstraction")
        return _one_bet_game(str(name), head, options)
    game = Game.of(name)
    # What needs no time is refused before the tree is made.
    if cards is None:
        check_size(game)
    else:
        check_cards(game, cards)
    tree = solvable_tree(BettingModel.named("full" if betting is None else betting), game)
    if cards is not None:
        return abstract_holdem(game, tree, cards, progress=progress)
    return small_game(game, tree)


def _one_bet_game(name: str, head: str, options: str) -> MatrixGame:
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
