"""The `kernel` decorator and its compiled-code cache; with `_vectors` the only imports of Numba.

Compiled code is kept in doyle's cache folder under a digest of the module's source and of every
kernel module it imports, because Numba by itself does not notice a change in a callee's module.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite import ir
from numba.core import cgutils, event
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from doyle.paths import cache_folder

F = TypeVar("F", bound=Callable[..., Any])

FLAGS = {"nogil": True, "cache": True, "error_model": "numpy"}

_digests: dict[str, str] = {}


def kernel(function: F) -> F:
    """Compile `function` with the house flags: no Python objects, no GIL, cached, no fastmath.

    Division by zero follows NumPy (inf, nan), not Python: the test for zero that would raise keeps
    loops from being vectorised.
    """
    previous = numba.config.CACHE_DIR
    if not os.environ.get("NUMBA_CACHE_DIR"):
        numba.config.CACHE_DIR = str(cache_folder() / "numba" / _digest(function))
    try:
        return cast(F, numba.njit(**FLAGS)(function))
    finally:
        numba.config.CACHE_DIR = previous


def include_in_digests(name: str) -> None:
    """Let compiled code of kernels that use the module `name` depend on its source."""
    _digest_of(name)


def _digest(function: Callable[..., Any]) -> str:
    return _digest_of(function.__module__)


def _digest_of(name: str) -> str:
    if name not in _digests:
        module = sys.modules[name]
        content = hashlib.blake2b(digest_size=8)
        content.update(Path(str(module.__file__)).read_bytes())
        content.update(f"{numba.__version__} {FLAGS}".encode())
        callees = {_home(value) for value in vars(module).values()} - {name}
        for callee in sorted(home for home in callees if home in _digests):
            content.update(_digests[callee].encode())
        _digests[name] = f"{name.removeprefix('doyle.')}-{content.hexdigest()}"
    return _digests[name]


def _home(value: Any) -> str:
    """The module a global comes from: a module's own name, or where a function was defined."""
    name = getattr(value, "__module__", None) or getattr(value, "__name__", None)
    return name if isinstance(name, str) else ""


def _hint(*, write: bool) -> Callable[..., Any]:
    """A kernel's call `hint(array, index)`: the processor's instruction to fetch that entry's line."""

    @intrinsic  # type: ignore[untyped-decorator]
    def hint(context: Any, array: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            start = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
            entry = builder.bitcast(builder.gep(start, [arguments[1]]), byte)
            kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
            instruction = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            # Read or write, keep in all caches, data (not code).
            builder.call(instruction, [entry, word(int(write)), word(3), word(1)])
            return context.get_dummy_value()

        return numba.types.none(array, index), generate

    return cast(Callable[..., Any], hint)


will_read = _hint(write=False)
"""`will_read(array, index)` in a kernel: entry `index` of a contiguous array is read soon."""
will_write = _hint(write=True)
"""The same for an entry that is changed soon: other cores lose it at once, not at the change."""


class _CompilationNotice(event.Listener):  # type: ignore[misc]
    """Says once per process, on stderr, that kernels are being compiled."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: Any) -> None:
        if not self.said and not os.environ.get("DOYLE_QUIET"):
            self.said = True
            print("doyle: compiling kernels (first use only, kept in the cache)", file=sys.stderr)

    def on_end(self, event: Any) -> None:
        pass


def _set_up_target() -> None:
    """Let Numba set up its target now, without SciPy's linear algebra.

    Numba imports scipy.linalg only to see whether BLAS calls could be compiled. No kernel makes
    any, and the import takes as long as half of Numba's own, in every command.
    """
    hidden = "scipy.linalg"
    if hidden in sys.modules:
        return
    sys.modules[hidden] = None  # type: ignore[assignment]
    try:
        cpu_target.typing_context.refresh()
        cpu_target.target_context.refresh()
    finally:
        del sys.modules[hidden]


event.register("numba:compile", _CompilationNotice())
_set_up_target()
