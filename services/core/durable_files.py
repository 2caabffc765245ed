"""Files that are replaced whole or not at all, and are on the disk once that is done."""

import os
from pathlib import Path


def replace_file(path: Path, content: bytes) -> None:
    """Put `content` in the place of a file; readers, and whoever starts after a power failure, find the old or the new.

    Raises `OSError`, and leaves nothing then. Two threads of one process must not replace the same file at once.
    """
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        fresh.write_bytes(content)
        flush(fresh)
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
    flush(path.parent)


def flush(path: Path) -> None:
    """Have a file, or what a folder lists, on the disk."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
