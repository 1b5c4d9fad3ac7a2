"""Workers: ordered results, the same whatever their number, and no item lost."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from pathlib import Path

import pytest

from doyle.base.errors import DoyleError
from doyle.base.workers import Workers, map_items, map_threads, parse_workers


def later_for_small(number: int) -> int:
    time.sleep(0.02 * (5 - number) / 5)
    return number * number


def fail_on_three(number: int) -> int:
    if number == 3:
        raise DoyleError("item 3 is bad")
    return number


def die_once(path: str) -> str:
    marker = Path(path)
    if not marker.exists():
        marker.write_text("was here")
        os.kill(os.getpid(), signal.SIGKILL)
    return "survived"


def always_die(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("mapping", [map_items, map_threads])
def test_results_are_ordered(mapping, count: int) -> None:  # type: ignore[no-untyped-def]
    seen: list[tuple[str, int, int]] = []
    results = mapping(
        later_for_small,
        range(5),
        workers=Workers(count),
        progress=lambda *event: seen.append(event),
        label="squares",
    )
    assert list(results) == [0, 1, 4, 9, 16]
    assert seen == [("squares", done, 5) for done in range(1, 6)]


@pytest.mark.parametrize("count", [1, 2])
def test_an_error_in_an_item_reaches_the_caller(count: int) -> None:
    with pytest.raises(DoyleError, match="item 3"):
        list(map_items(fail_on_three, range(6), workers=Workers(count)))


def test_an_item_lost_with_its_worker_is_run_again(tmp_path: Path) -> None:
    markers = [str(tmp_path / name) for name in ("a", "b")]
    assert list(map_items(die_once, markers, workers=Workers(2))) == ["survived", "survived"]


def test_workers_that_keep_dying_are_reported() -> None:
    with pytest.raises(DoyleError, match="keep dying"):
        list(map_items(always_die, range(4), workers=Workers(2), label="doomed"))


def mark(folder: str, number: int) -> int:
    (Path(folder) / str(number)).touch()
    time.sleep(0.02)
    return number


def test_closing_early_cancels_the_rest(tmp_path: Path) -> None:
    items = 1000
    results = map_items(partial(mark, str(tmp_path)), range(items), workers=Workers(2))
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]
    begun = len(list(tmp_path.iterdir()))
    time.sleep(0.2)  # ten items long
    assert len(list(tmp_path.iterdir())) == begun < items / 2


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", "", "99999", "ray:host", "²"])
def test_bad_worker_texts_are_refused(text: str) -> None:
    with pytest.raises(DoyleError, match=r"^workers "):
        parse_workers(text)


def test_worker_texts() -> None:
    assert parse_workers("7") == Workers(7)
    assert parse_workers(None).count >= 1
