"""Writing files whole: to a temporary name beside the target, flushed, then renamed."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any


@contextmanager
def replacing(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a temporary file that takes the place of `path` if the block ends without an error."""
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
            error.filename, error.filename2 = str(path), None
        raise


def write_text(path: Path, text: str) -> None:
    """Replace `path` with `text`, whole or not at all."""
    with replacing(path) as stream:
        stream.write(text)


def write_json(path: Path, document: Any) -> None:
    """Replace `path` with `document` as JSON, whole or not at all."""
    write_text(path, json.dumps(document, indent=1, sort_keys=True) + "\n")


def checksum(path: Path) -> str:
    """The BLAKE2b digest of a file's bytes."""
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as stream:
        while block := stream.read(1 << 22):
            digest.update(block)
    return digest.hexdigest()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
