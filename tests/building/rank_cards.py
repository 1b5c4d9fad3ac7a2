"""Buckets that need no atlas: a hand is its highest rank, whatever the board."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from doyle.abstractions.cards import registry
from doyle.agents import named_strategy
from doyle.cards import HOLES


class RankCards:
    """Thirteen buckets in every round; nothing is remembered."""

    spec = "ir169.ir50.ir50.50"

    def bucket_count(self, round: int) -> int:
        return 13

    def parents(self, round: int) -> None:
        return None

    def deal_buckets(self, holes: npt.NDArray[Any], boards: npt.NDArray[Any]) -> Any:
        highest = (holes // 4).max(axis=2).astype(np.int32)
        return np.repeat(highest[:, :, None], 4, axis=2)

    def buckets(self, board: tuple[int, ...]) -> npt.NDArray[np.int32]:
        result: npt.NDArray[np.int32] = (HOLES // 4).max(axis=1).astype(np.int32)
        result[np.isin(HOLES, board).any(axis=1)] = -1
        return result


def use_rank_cards(patch: pytest.MonkeyPatch | None = None) -> None:
    """Let every build use these buckets, for a test or for a process that is only for one."""

    def build(*_: Any, **__: Any) -> RankCards:
        return RankCards()

    if patch is not None:
        patch.setattr(registry, "build", build)
        patch.setattr(named_strategy, "build_abstraction", build)
    else:
        registry.build = build  # type: ignore[assignment]
        named_strategy.build_abstraction = build  # type: ignore[assignment]
