"""Files that people name on a terminal."""

import codecs
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from services.core.errors import BadInput
from services.core.json_documents import Json
from services.documents.file_types import FILE_ENDINGS


def read(path: Path) -> bytes:
    """Return a file's content. Raises `BadInput` when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"Asof cannot read {path}: {error.strerror}.") from error


@contextmanager
def replaced(path: Path) -> Iterator[Callable[[str], None]]:
    """Open a file before the work, so that nothing is done when it cannot be written; what is given fills it.

    What it held stays when the work fails. Raises `BadInput` when it cannot be written.
    """
    new = not path.exists()
    try:
        file = path.open("ab")
    except OSError as error:
        raise BadInput(f"Asof could not write {path}: {error.strerror}.") from error

    def fill(text: str) -> None:
        try:
            if file.seekable():
                file.truncate(0)
            file.write(text.encode())
            file.flush()
        except OSError as error:
            hint = "Asof imported the good rows; your file still contains the bad ones."
            raise BadInput(f"Asof could not write {path}: {error.strerror}.", hint) from error

    with file:
        try:
            yield fill
        except BaseException:
            if new:
                path.unlink()
            raise


def lines_of(name: str) -> list[bytes]:
    """Return the lines of a file, `-` being stdin; an empty one keeps its place, but for those at the end."""
    content = sys.stdin.buffer.read() if name == "-" else read(Path(name))
    return content.removeprefix(codecs.BOM_UTF8).rstrip().split(b"\n") if content.strip() else []


def files_of(path: Path) -> list[Json]:
    """Return the file at a path, or those of a folder that can be read, each under the path as it was given."""
    if not path.is_dir():
        return [_given(path)]
    files = sorted(file for file in path.rglob("*") if file.is_file() and file.suffix.lower() in FILE_ENDINGS)
    if not files:
        raise BadInput(
            f"{path} contains no files that Asof can read.", f"Supported file types: {', '.join(FILE_ENDINGS)}."
        )
    return [_given(file) for file in files]


def _given(path: Path) -> Json:
    """Return a file under its path, with bytes that are no UTF-8 spelled out: no document's id could hold them."""
    return {"path": os.fsencode(path).decode(errors="backslashreplace"), "content": read(path)}
