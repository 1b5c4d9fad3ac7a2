"""Text files that may be compressed (`.gz`, `.xz`), read and written line by line."""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, NamedTuple, TextIO

from doyle.base.artifacts.files import replacing
from doyle.base.errors import DoyleError

_MAX_LINE = 1 << 20


def kind_of(path: Path) -> str:
    """The suffix that names the format, below one of compression.

    >>> kind_of(Path("match.log.xz")), kind_of(Path("hands.phhs"))
    ('.log', '.phhs')
    """
    name = path.name
    for compression in (".gz", ".xz"):
        name = name.removesuffix(compression)
    return Path(name).suffix


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a text file without their ends, one at a time."""
    number = 0
    try:
        with _open_binary(path) as stream:
            while raw := stream.readline(_MAX_LINE):
                number += 1
                if len(raw) == _MAX_LINE:
                    raise DoyleError(f"{path}, line {number}: the line is too long")
                yield raw.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        at = error.start + 1
        raise DoyleError(f"{path}, line {number}: not UTF-8 text at byte {at}") from None
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise _unread(path, number, error) from None


class TextBlock(NamedTuple):
    """Whole lines of a file: the number of the first, the bytes, and how much of the file was read."""

    line: int
    text: bytes
    bytes_read: int


def read_blocks(path: Path, *, size: int = 1 << 22) -> Iterator[TextBlock]:
    """The bytes of a text file in blocks of whole lines; `bytes_read` counts as the file is stored."""
    number, rest = 1, b""
    try:
        _refuse_pipes(path)
        with path.open("rb") as stored, _unpacked(path, stored) as stream:
            while raw := stream.read(size):
                whole, mark, last = raw.rpartition(b"\n")
                block, rest = (rest + whole + mark, last) if mark else (b"", rest + last)
                if len(rest) >= _MAX_LINE:
                    at = number + block.count(b"\n")
                    raise DoyleError(f"{path}, line {at}: the line is too long")
                if block:
                    yield TextBlock(number, block, stored.tell())
                    number += block.count(b"\n")
            if rest:
                yield TextBlock(number, rest, stored.tell())
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise _unread(path, number - 1, error) from None


def _unread(path: Path, lines: int, error: Exception) -> DoyleError:
    """What to say of a file that could be read up to some line."""
    if isinstance(error, FileNotFoundError):
        return DoyleError(f"{path}: no such file")
    reason = getattr(error, "strerror", None) or error
    return DoyleError(f"{path}{f', after line {lines}' if lines else ''}: cannot be read: {reason}")


def _unpacked(path: Path, stored: IO[bytes]) -> Any:
    """The stream that unpacks `stored`, by the suffix of `path`."""
    if path.suffix == ".gz":
        return gzip.GzipFile(fileobj=stored)
    if path.suffix == ".xz":
        return lzma.LZMAFile(stored)
    return nullcontext(stored)


def _refuse_pipes(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise DoyleError(f"{path}: is not a regular file")  # a pipe would be waited for


def _open_binary(path: Path) -> Any:
    _refuse_pipes(path)
    if path.suffix == ".gz":
        return gzip.open(path, "rb")
    if path.suffix == ".xz":
        return lzma.open(path, "rb")
    return path.open("rb")


@contextmanager
def writing(path: Path) -> Iterator[TextIO]:
    """A text stream that takes the place of `path` when the block ends without an error."""
    try:
        with replacing(path, "wb") as raw, _packed(path, raw) as stream:
            text = TextIOWrapper(stream, encoding="utf-8", newline="\n")
            try:
                yield text
            finally:
                text.detach()
    except OSError as error:
        raise DoyleError(f"{path}: cannot be written: {error.strerror or error}") from None


def _packed(path: Path, raw: IO[bytes]) -> Any:
    """The stream that compresses into `raw`, by the suffix of `path`; the same bytes each time."""
    if path.suffix == ".gz":
        return gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)
    if path.suffix == ".xz":
        return lzma.open(raw, "wb")
    return nullcontext(raw)
