"""The grid of starting hands against counting hand by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from doyle.abstractions.betting import BettingModel, BettingTree
from doyle.agents import resolve_agent
from doyle.base.display import ABSENT, INK, Cell, Share, colours_of, grid_html
from doyle.base.errors import DoyleError
from doyle.cards import HOLES
from doyle.cards.ranges import hand_name
from doyle.games import Deal, Game, Policy, State
from doyle.games.histories import parse_betting
from doyle.measuring.reports.pages import bucket_figure, grid_figure, save_figure
from doyle.strategy import PlaceView, TableStrategy, uniform_tables
from doyle.strategy.place import meeting_weights


def view(
    history: str,
    seat: int,
    names: tuple[str, ...],
    shares: np.ndarray,
    reach: np.ndarray | None = None,
) -> PlaceView:
    """A place of Hold'em before the flop; `shares` [1326, actions]."""
    reach = np.ones(len(HOLES)) if reach is None else reach
    actions = tuple(range(len(names)))
    live = np.ones(len(HOLES), bool)
    return PlaceView(history, (), seat, actions, names, HOLES, live, reach, reach, shares)


@pytest.fixture(scope="module")
def strategy() -> TableStrategy:
    """Random probabilities with a bucket for each of the 1,326 hands before the flop."""
    tree = BettingTree.build(BettingModel.parse("fca"), Game.named("holdem-nl-20bb"))
    tables = [np.array(table) for table in uniform_tables(tree, (1326, 2, 2, 2))]
    generator = np.random.default_rng(3)
    share = generator.random((1326, 1))
    tables[0][:, :3] = np.hstack((share, (1 - share) / 2, (1 - share) / 2))
    return TableStrategy(tree, tables)


def test_a_cell_is_the_mean_over_its_hands(strategy: TableStrategy) -> None:
    buckets = np.arange(1326, dtype=np.int32)
    grid = PlaceView.of_strategy(strategy, buckets, 0)
    shares = strategy.probabilities(0, buckets)
    by_name: dict[str, list[np.ndarray]] = {}
    for (first, second), row in zip(HOLES.tolist(), shares, strict=True):
        high, low = sorted((first // 4, second // 4), reverse=True)
        kind = "" if high == low else "s" if first % 4 == second % 4 else "o"
        by_name.setdefault("23456789TJQKA"[high] + "23456789TJQKA"[low] + kind, []).append(row)
    assert {len(rows) for rows in by_name.values()} == {4, 6, 12}
    document = grid.grid_document()
    for row in range(13):
        for column in range(13):
            name = hand_name(row, column)
            expected = np.mean(by_name[name], axis=0)
            np.testing.assert_allclose(grid.cells[row, column], expected, atol=1e-6)
            np.testing.assert_allclose(
                document["by_class"][name]["frequencies"], expected, atol=2e-6
            )
    np.testing.assert_allclose(grid.frequencies, shares.mean(axis=0))
    assert grid.names == ("fold", "call", "all-in")
    assert document["seat"] == grid.seat == int(strategy.tree.actor[0])


def test_the_grid_is_for_decisions_before_the_flop(strategy: TableStrategy) -> None:
    tree = strategy.tree
    later = int(tree.decisions[tree.round[tree.decisions] == 1][0])
    for node in (later, int(tree.leaves[0])):
        with pytest.raises(DoyleError, match="before the flop"):
            PlaceView.of_strategy(strategy, np.arange(1326, dtype=np.int32), node)


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_figures_are_written_in_the_format_of_their_name(
    strategy: TableStrategy, tmp_path: Path, suffix: str
) -> None:
    begins = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[suffix]
    grid = PlaceView.of_strategy(strategy, np.arange(1326, dtype=np.int32), 0)
    figures = {
        "grid": grid_figure(grid),
        "buckets": bucket_figure(grid.cells[0], grid.names, "x"),
    }
    for name, figure in figures.items():
        save_figure(figure, tmp_path / f"{name}{suffix}")
        assert (tmp_path / f"{name}{suffix}").read_bytes().startswith(begins)
    with pytest.raises(DoyleError, match="figures are written as"):
        save_figure(figures["grid"], tmp_path / "grid.txt")


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG 2."""

    def luminance(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("raises", range(1, 13))
def test_text_is_legible_on_every_colour_of_a_grid(raises: int) -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    names = ["fold", "call", *(f"raise {100 * k}" for k in range(raises)), "all-in"]
    for colour in (*colours_of(names), ABSENT):
        assert contrast(INK, colour) >= 4.5
    html = grid_html("x", [[Cell("AA", [Share("fold", 1.0)])]], [Share("fold", 1.0)])
    assert html.count(f"color:{INK}") == 2
    assert "color:#fff" not in html


def test_the_text_on_a_figure_is_that_of_all_grids(strategy: TableStrategy) -> None:
    figure = grid_figure(PlaceView.of_strategy(strategy, np.arange(1326, dtype=np.int32), 0))
    assert {text.get_color() for text in figure.axes[0].texts} == {INK}


def test_a_legend_of_many_actions_is_inside_its_figure(strategy: TableStrategy) -> None:
    grid = PlaceView.of_strategy(strategy, np.arange(1326, dtype=np.int32), 0)
    names = ("fold", "call", *(f"raise {number}" for number in range(12000, 18000, 1000)), "all-in")
    many = view(grid.history, 0, names, np.full((len(HOLES), len(names)), 1 / len(names)))
    figure = grid_figure(many)
    figure.draw_without_rendering()
    shown = figure.legends[0].get_window_extent()
    assert shown.x0 >= 0
    assert shown.x1 <= figure.bbox.x1


def test_lines_show_one_action_for_each_hand() -> None:
    shares, reach = np.zeros((len(HOLES), 3)), np.zeros(len(HOLES))
    low, high = HOLES.T
    aces = (low // 4 == 12) & (high // 4 == 12)
    suited = (low // 4 == 11) & (high // 4 == 12) & (low % 4 == high % 4)
    shares[aces], reach[aces] = (
        (0.0, 0.0, 1.0),
        0.5,
    )  # aces get here half the time, and always raise
    shares[suited], reach[suited] = (0.25, 0.5, 0.25), 1.0
    grid = view("c", 0, ("fold", "call", "raise 400"), shares, reach)
    lines = grid.lines()
    assert lines[0].split()[:3] == ["f", "fold", "14.3%"]
    assert lines[4].startswith(" AA 1   AKs c50 AQs .")
    assert len(lines) == 3 + 1 + 13


@pytest.mark.parametrize(
    ("game", "model"), [("holdem-limit-2p", "fcp"), ("holdem-nl-20bb", "fchpa"), ("leduc", "fcp")]
)
def test_trees_and_states_name_actions_alike(game: str, model: str) -> None:
    root = State.start(game)
    tree = BettingTree.build(model if not root.game.is_limit else "limit", game)
    pending, seen = [(0, root)], set[str]()
    while pending and len(seen) < 400:
        node, state = pending.pop()
        if state.is_over:
            continue
        actions = tree.actions_of(node).tolist()
        names = tuple(state.action_name(action) for action in actions)
        assert tree.action_names(node) == names
        seen.update(names)
        below = actions[: 3 if len(state.betting) < 3 else 1]
        pending += [(tree.child(node, action), state.apply(action)) for action in below]
    assert ("all-in" in seen) is not root.game.is_limit
    assert any(name.startswith("raise ") for name in seen)


def test_a_place_of_a_policy_has_the_hands_that_the_board_leaves() -> None:
    state = parse_betting(Game.named("holdem-nl-20bb"), "cc", deal=Deal(((), ()), (0, 1, 2)))
    caller = resolve_agent("always-call", state.game)
    assert isinstance(caller, Policy)
    place = PlaceView.of_policy(caller, state)
    assert (place.history, place.seat, place.title) == ("cc/", 0, "after 'cc/' on 2c2d2h, seat 0")
    assert place.live.sum() == (place.weights > 0).sum() == 49 * 48 // 2
    assert dict(zip(place.names, place.frequencies.tolist(), strict=True))["check"] == 1.0
    met = PlaceView.of_policy(caller, state, meeting=True).weights[place.live]
    assert set(met.tolist()) == {47 * 46 / 2}
    assert place.by_class()["AKs"]["frequencies"] == place.document()["frequencies"]
    assert "2c2d" not in place.by_hand()


def test_a_limit_raise_is_a_raise_in_every_view() -> None:
    tree = BettingTree.build("limit", Game.named("holdem-limit-2p"))
    tables = uniform_tables(tree, (1, 1, 1, 1))
    place = PlaceView.of_strategy(TableStrategy(tree, list(tables)), np.zeros(1326, np.int32), 0)
    assert place.names == ("fold", "call", "raise 20")
    assert place.texts[-1] == "r20"


def test_meeting_is_the_weight_of_hands_without_a_common_card() -> None:
    reach = np.random.default_rng(1).random(len(HOLES))
    found = meeting_weights(reach)
    for hole in (0, 17, 700, 1325):
        apart = ~np.isin(HOLES, HOLES[hole]).any(axis=1)
        assert found[hole] == pytest.approx(reach[apart].sum())
