"""`starter`: its buckets against an independent count and the card abstraction, its files, its play."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from doyle.abstractions.betting import BettingTree
from doyle.agents import resolve_agent
from doyle.agents.starter import STARTER_GAMES
from doyle.agents.starter.agent import STRATEGIES, _buckets
from doyle.agents.starter.buckets import CARDS, interval_of
from doyle.agents.starter.files import (
    FOLDER,
    LARGEST_FILE,
    read_arrays,
    read_strategy,
    write_strategy,
)
from doyle.agents.starter.strength import river_points, river_ranks, squared_points
from doyle.base.errors import DoyleError
from doyle.cards import HOLES, hole_index, parse_cards, rank_hand
from doyle.games import Game
from doyle.testing import check_agent, check_policy


@pytest.mark.parametrize("board", ["Ks7h4d2cJs", "AsKsQsJs2d", "7c7d7h7s2c", "2h3h4h5h6h"])
def test_points_are_those_of_a_plain_count(board: str) -> None:
    cards = parse_cards(board)
    points, ranks = river_points(cards), river_ranks(cards)
    rest = [card for card in range(52) if card not in cards]
    for hole in list(itertools.combinations(rest, 2))[::97]:
        own = rank_hand((*hole, *cards))
        assert ranks[hole_index(*hole)] == own
        others = [card for card in rest if card not in hole]
        met = [rank_hand((*other, *cards)) for other in itertools.combinations(others, 2)]
        plain = sum(2 * (own > rank) + (own == rank) for rank in met)
        assert points[hole_index(*hole)] == plain
    assert (points[np.isin(HOLES, cards).any(axis=1)] == -1).all()


def test_a_turn_is_the_sum_of_its_rivers() -> None:
    board = parse_cards("Ks7h4d2c")
    hole = parse_cards("QsJs")
    place = hole_index(*hole)
    rivers = [card for card in range(52) if card not in (*board, *hole)]
    plain = sum(int(river_points((*board, card))[place]) ** 2 for card in rivers)
    sums = squared_points(board)
    assert sums[place] == plain
    assert interval_of(np.array([-1, 0, 46 * 1980**2]), rivers=46).tolist() == [-1, 0, 49]


@pytest.mark.slow
def test_buckets_are_those_of_the_card_abstraction() -> None:
    from doyle.abstractions.cards.registry import build

    abstraction, buckets = build(CARDS), _buckets()
    rng = np.random.default_rng(5)
    for _ in range(60):
        cards = tuple(int(card) for card in rng.permutation(52)[:5])
        for count in (0, 3, 4, 5):
            board = cards[:count]
            assert (abstraction.buckets(board) == buckets.buckets(board)).all()


def test_files_are_small_and_hold_the_trees_of_their_models(tmp_path: Path) -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.npz")) <= LARGEST_FILE
    for game, name in STRATEGIES.items():
        strategy = read_strategy(FOLDER / name)
        tree = BettingTree.build(strategy.tree.model, game)
        assert strategy.info.cards == CARDS
        for field in ("kind", "actor", "action", "children", "spent"):
            assert (getattr(tree, field) == getattr(strategy.tree, field)).all()
        assert strategy.bucket_counts == (169, 50, 50, 50)
        write_strategy(tmp_path / name, strategy)  # a byte for each probability survives
        again = read_strategy(tmp_path / name)
        for one, other in zip(strategy.tables, again.tables, strict=True):
            rows = [table.astype(int) for table in (one, other)]
            assert np.abs(rows[0] - rows[1]).max() <= 1


def test_a_broken_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.npz"
    path.write_bytes(b"not an archive")
    with pytest.raises(DoyleError, match=r"broken\.npz"):
        read_arrays(path)


@pytest.mark.parametrize("game", STARTER_GAMES)
def test_it_keeps_the_contracts(game: str) -> None:
    agent = resolve_agent("starter", game)
    check_agent(agent, Game.named(game), hands=6)
    check_policy(agent, Game.named(game), hands=3)  # type: ignore[arg-type]


def test_other_games_are_refused() -> None:
    with pytest.raises(DoyleError, match="starter"):
        resolve_agent("starter", "kuhn")


def test_nothing_is_compiled_for_it(tmp_path: Path) -> None:
    code = (
        "import doyle.base._numba, numba.core.dispatcher as d\n"
        "def refuse(*a, **k): raise SystemExit('compiled')\n"
        "d.Dispatcher.compile = refuse\n"
        "from doyle.agents import resolve_agent\n"
        "from doyle.games import State, Deal\n"
        "for game in ('holdem-nl-200bb', 'holdem-limit-2p', 'holdem-limit-3p'):\n"
        "    agent = resolve_agent('starter', game)\n"
        "    deal = Deal(((0, 1), (2, 3), (4, 5))[:3 if '3p' in game else 2], (10, 20, 30, 40, 50))\n"
        "    state = State.start(game, deal)\n"
        "    while not state.is_over:\n"
        "        state = state.apply(state.nearest_legal(min(agent.act(state.view(state.actor)) or 1, 1)))\n"
    )
    environment = {"DOYLE_CACHE": str(tmp_path), "PATH": ""}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, timeout=120)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.slow
def test_it_wins_from_one_that_never_folds() -> None:
    """Not strong, but no fool; over duplicate deals, with an interval above 0."""
    import doyle

    result = doyle.play_match("holdem-nl-200bb", ["starter", "always-call"], hands=400, seed=1)
    won = result.mbb_per_hand(0)
    assert won.mean - won.ci95 > 0
