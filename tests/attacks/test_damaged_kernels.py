"""Damaged files of compiled kernels are compiled again; only intact bytes are ever unpickled."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from doyle.base._numba import is_damaged

SOURCE = """
from doyle.base._numba import kernel

@kernel
def twice(x):
    return 2 * x
"""

OWNED = b"cposix\nsystem\n(S'echo owned > %s'\ntR."


def flip(content: bytes) -> bytes:
    changed = bytearray(content)
    changed[len(changed) // 2] ^= 1
    return bytes(changed)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "flip": flip,
    "text": lambda content: b"not code",
    "pickle": lambda content: OWNED % b"owned",
}


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[Path]]:
    """Load the kernel anew and call it; gives the files that keep its code."""
    monkeypatch.setenv("DOYLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("DOYLE_QUIET", "1")
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    name = f"small_kernel_{abs(hash(str(tmp_path)))}"
    (tmp_path / f"{name}.py").write_text(SOURCE)

    def load() -> list[Path]:
        sys.modules.pop(name, None)
        module = importlib.import_module(name)
        assert module.twice(21) == 42
        load.hits = sum(module.twice.stats.cache_hits.values())  # type: ignore[attr-defined]
        return sorted((tmp_path / "cache").rglob("*.nb?"))

    return load


@pytest.mark.parametrize("damage", list(DAMAGES.values()), ids=list(DAMAGES))
@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_damaged_code_is_compiled_again(
    damage: Callable[[bytes], bytes], suffix: str, compiled: Callable[[], list[Path]]
) -> None:
    files = compiled()
    assert {path.suffix for path in files} == {".nbi", ".nbc"}
    assert not any(is_damaged(path.read_bytes()) for path in files)
    (path,) = (path for path in files if path.suffix == suffix)
    path.write_bytes(damage(path.read_bytes()))
    assert is_damaged(path.read_bytes())
    assert compiled() == files
    assert compiled.hits == 0  # type: ignore[attr-defined]
    assert not is_damaged(path.read_bytes())
    compiled()
    assert compiled.hits == 1  # type: ignore[attr-defined]
    assert not Path("owned").exists()


def test_without_a_folder_for_code_kernels_still_run(
    compiled: Callable[[], list[Path]], tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("not a folder")
    assert compiled() == []
