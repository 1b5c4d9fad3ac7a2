"""Writing files whole: to a temporary name beside the target, flushed, then renamed.

Space is taken before it is used: a file that will be written through a memory map is reserved
first, because a disk that is full then ends the process (SIGBUS) instead of raising an error.

A lock between processes, released by the operating system when its holder dies.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from doyle.base.errors import DoyleError

if TYPE_CHECKING:
    import numpy.typing as npt


_BLOCK = 1 << 22


@contextmanager
def replacing(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a temporary file that replaces `path` if the block ends without an error."""
    if path.exists() and not path.is_file():
        # Not even a device: renaming onto it would take its place.
        raise OSError(errno.EINVAL, "is a folder or a device, not a file", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        error.filename = str(path)  # what the caller knows it by
        raise
    temporary = Path(name)
    try:
        encoding = None if "b" in mode else "utf-8"
        with os.fdopen(handle, mode, encoding=encoding) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename in (None, name):
            reason = error.strerror or str(error)
            raise OSError(error.errno, reason, str(path)) from error  # what the caller knows it by
        raise


def path_of(text: str | Path, *, what: str) -> Path:
    """The path of a user's text; a name that no file can have is an error about `what`.

    >>> path_of("x" * 300, what="agent")
    Traceback (most recent call last):
    ...
    doyle.base.errors.DoyleError: agent 'xxxxxxx...xxxxxxx': File name too long
    """
    path = Path(text)
    try:
        path.lstat()
    except OSError as error:
        if error.errno in (errno.ENAMETOOLONG, errno.ELOOP):
            raise DoyleError(f"{what} {str(text)!r}: {error.strerror}") from None
    except ValueError as error:  # such as a null
        raise DoyleError(f"{what} {str(text)!r}: {error}") from None
    return path


def is_folder(text: str) -> bool:
    """Whether a text is the path of a folder; no text is an error."""
    return os.path.isdir(text)  # noqa: PTH112  (a `Path` refuses invalid file names)


def is_no_folder(path: Path) -> bool:
    """Whether a non-folder occupies the path: a file, a device, a dangling link."""
    path_of(path, what="folder")
    return not path.is_dir() and (path.is_symlink() or path.exists())


def write_text(path: Path, text: str) -> None:
    """Replace `path` with `text`, whole or not at all."""
    with replacing(path) as stream:
        stream.write(text)


def write_json(path: Path, document: Any) -> None:
    """Replace `path` with `document` as JSON, whole or not at all."""
    write_text(path, json.dumps(document, indent=1, sort_keys=True) + "\n")


def reserve(path: Path, size: int) -> None:
    """Make `path` a file of `size` bytes for which the disk has room; its content stays.

    Raises an OSError that names the file and the bytes; a file that did not exist before is removed
    again.
    """
    new = not path.exists()
    try:
        with _needing(path, size), path.open("wb" if new else "rb+") as stream:
            _allocate(stream.fileno(), size)
            written = os.fstat(stream.fileno()).st_size
            stream.seek(written)
            for start in range(written, size, _BLOCK):
                stream.write(bytes(min(_BLOCK, size - start)))
            stream.truncate(size)
    except BaseException:
        if new:
            path.unlink(missing_ok=True)
        raise


def write_array(path: Path, values: npt.NDArray[Any], dtype: npt.DTypeLike) -> None:
    """Write the values as raw `dtype`, through the file, in blocks."""
    import numpy as np

    kind = np.dtype(dtype)
    flat = values.reshape(-1)
    each = max(1, _BLOCK // kind.itemsize)
    with _needing(path, flat.size * kind.itemsize), path.open("wb") as stream:
        for start in range(0, flat.size, each):
            stream.write(np.ascontiguousarray(flat[start : start + each], kind).data.cast("B"))
        stream.flush()
        os.fsync(stream.fileno())


def _allocate(handle: int, size: int) -> None:
    """Let the file system reserve the space, and make the file as long, where it can."""
    if not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(handle, 0, size)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.EOPNOTSUPP, errno.ENOSYS, errno.ENODEV):
            raise


@contextmanager
def _needing(path: Path, size: int) -> Iterator[None]:
    """Let an error of the disk name the file and how much it was to hold."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OSError(error.errno, f"{reason} ({size:,} bytes are needed)", str(path)) from error


def checksum(path: Path) -> str:
    """The BLAKE2b digest of a file's bytes."""
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def locked(path: Path, *, on_wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold an exclusive lock on `path` for the length of the block, waiting for it if needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        waited = False
        while not _try_lock(handle):
            if not waited and on_wait is not None:
                on_wait()
            waited = True
            time.sleep(0.1)
        try:
            yield
        finally:
            _unlock(handle)
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:  # held by another; any other error would never go away
            return False
        return True

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)
