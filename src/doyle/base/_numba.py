"""The `kernel` decorator and its compiled-code cache; with `_vectors` the only imports of Numba.

Compiled code is kept in doyle's cache folder under a digest of the module's source and of every
kernel module it imports, because Numba by itself does not notice a change in a callee's module, and
under nothing else: every copy of the package with the same sources shares it. The
files carry checksums: damaged or unreadable files are compiled again.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, TypeVar, cast

import numba
from llvmlite import ir
from numba.core import caching, cgutils, event
from numba.core.registry import cpu_target
from numba.extending import intrinsic
from numpy.typing import NDArray

from doyle.base.paths import cache_folder

F = TypeVar("F", bound=Callable[..., Any])
Array: TypeAlias = NDArray[Any]
"""An array in the signature of a kernel, which Numba types; docstrings have shapes and types."""

FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}

_MARK = b"K1"
"""Of files with a checksum; Numba's own files begin with pickle's mark."""

_digests: dict[str, str] = {}


def kernel(function: F) -> F:
    """Compile `function` with the house flags: no Python objects, no GIL, cached, no fastmath.

    Division by zero follows NumPy (inf, nan), not Python: the test for zero that would raise keeps
    loops from being vectorised.
    """
    return _compiled(function, FLAGS)


def plain_kernel(function: F) -> F:
    """A `kernel` that makes no array, slices included, and leaves reference counts alone.

    Numba counts references to every array of every structure at each call; for structures of tens of
    arrays that costs as much as the work on a small board. The caller holds the arrays meanwhile.
    """
    return _compiled(function, {**FLAGS, "_nrt": False})


def inlined_kernel(function: F) -> F:
    """A `plain_kernel` that becomes part of each kernel that calls it.

    A call passes every field of every array of its structures through memory; on a small board that
    costs as much as a tenth of the work.
    """
    return _compiled(function, {**FLAGS, "_nrt": False, "forceinline": True})


def _compiled(function: F, flags: dict[str, Any]) -> F:
    compiled = numba.njit(**flags)(function)
    if hasattr(compiled, "_compile_for_args"):  # not if Numba's compilation is disabled
        compiled._cache = _KernelCache(function)
        compiled._compile_for_args = _clock.around(compiled._compile_for_args)
    return cast(F, compiled)


class _KernelFiles(caching.IndexDataCacheFile):  # type: ignore[misc]
    """The index and code files of one kernel, each with a checksum in front.

    Numba names code files by number, and two processes may choose the same number for different
    argument types; so a code file also holds the key it belongs to.
    """

    def save(self, key: Any, data: Any) -> None:
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        found = super().load(key)
        return found[1] if found is not None and found[0] == key else None

    def _load_index(self) -> dict[Any, str]:
        try:
            version, stamp, overloads = _checked(self._index_path)
        except (OSError, _Damaged):
            return {}
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        try:
            return _checked(self._data_path(name))
        except _Damaged:
            return None

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _write(self, path: str, content: Any) -> None:
        data = self._dump(content)
        with self._open_for_write(path) as stream:
            stream.write(_seal(data) + data)


class _ContentLocator(caching._CacheLocator):  # type: ignore[misc]
    """The folder of a kernel's code, by content alone.

    Numba's own locators add the path of the source file, so that two copies of the package would
    not share their code. The folder is created only when code is saved.
    """

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file  # read by Numba for its warnings
        self._digest = _digest(function)
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _ContentLocator:
        return cls(py_func, py_file)

    def get_cache_path(self) -> str:
        own = os.environ.get("NUMBA_CACHE_DIR")
        return str((Path(own) if own else cache_folder() / "numba") / self._digest)

    def get_source_stamp(self) -> str:
        return self._digest

    def get_disambiguator(self) -> str:
        return str(self._line)


class _KernelCacheParts(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Numba's way to keep compiled functions, in folders by content."""

    _locator_classes: ClassVar[list[type]] = [_ContentLocator]


class _KernelCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of a function over `_KernelFiles`; without a usable folder it is disabled."""

    _impl_class = _KernelCacheParts

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        implementation = self._impl
        self._cache_file = _KernelFiles(
            cache_path=self._cache_path,
            filename_base=implementation.filename_base,
            source_stamp=implementation.locator.get_source_stamp(),
        )

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            super().save_overload(signature, data)
        except OSError:
            return  # a full or read-only disk: compiled again next time


class _Damaged(Exception):
    """A file of compiled code that does not match its checksum."""


def _seal(data: bytes) -> bytes:
    """The header of the data: a mark of this format and the checksum."""
    return _MARK + hashlib.blake2b(data, digest_size=16).digest()


def _checked(path: str) -> Any:
    """The content of a file of `_KernelFiles`; only bytes that match their checksum are
    unpickled."""
    content = Path(path).read_bytes() if Path(path).is_file() else b""
    start = len(_MARK) + 16
    if content[:start] != _seal(content[start:]):
        raise _Damaged(path)
    return pickle.loads(content[start:])


def is_damaged(content: bytes) -> bool:
    """Whether a file of compiled code does not match its checksum; Numba's own files have no
    checksum."""
    start = len(_MARK) + 16
    return content[:start] != _seal(content[start:]) and content[:1] != b"\x80"


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


class _CompilationClock:
    """Seconds of compiling or loading kernels, with callees counted once."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth = 0
        self._started = 0.0
        self._lock = threading.Lock()

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with its time counted."""

        def timed(*arguments: Any, **options: Any) -> Any:
            with self._lock:
                if self._depth == 0:
                    self._started = time.perf_counter()
                self._depth += 1
            try:
                return function(*arguments, **options)
            finally:
                with self._lock:
                    self._depth -= 1
                    if self._depth == 0:
                        self.seconds += time.perf_counter() - self._started

        return timed


class _CompilationNotice(event.Listener):  # type: ignore[misc]
    """Logs once per process that kernels are being compiled."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: Any) -> None:
        if not self.said and not os.environ.get("DOYLE_QUIET"):
            self.said = True
            notice = "compiling kernels (first use only, kept in the cache)"
            logging.getLogger(__name__).info(notice)

    def on_end(self, event: Any) -> None:
        pass


_clock = _CompilationClock()


def compile_seconds() -> float:
    """How long this process has compiled kernels, or loaded compiled ones, so far."""
    return _clock.seconds


def _set_up_target() -> None:
    """Let Numba set up its target now, without SciPy's linear algebra.

    Numba imports scipy.linalg only to see whether BLAS calls could be compiled. No kernel uses
    BLAS, and the import takes as long as half of Numba's own, in every command.
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
