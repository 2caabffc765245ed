"""Digests of files, by which weights that other people's packages bring are known to be the ones that were tested."""

import hashlib
import importlib.util
import json
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from services.core.config import settings
from services.core.durable_files import replace_file
from services.core.errors import AsofError

_Entry = list[int | str]
"""A file's size, the time of its last change in nanoseconds, and its digest."""

_KEPT = "digests.json"
_lock = threading.Lock()


def sha256_of(paths: Sequence[Path]) -> list[str]:
    """Return the SHA-256 of each file; nothing for one that is not there.

    A file is read once for each size and time of change that it has: the digests are kept in the data folder, where
    there is one, since reading 80 MB again at each start would take longer than answering a question.
    """
    kept_at = settings().folder / _KEPT
    with _lock:
        known = _read(kept_at)
        found = {str(path): _entry(path, known.get(str(path))) for path in paths}
        if not found.items() <= known.items():
            _write(kept_at, known | found)
    return [str(digest) for _, _, digest in found.values()]


def package_folder(package: str, recorded: Path, refused: type[AsofError]) -> Path:
    """Return where a package is installed, without importing it: only its data is wanted.

    `recorded` lists digests of its files as `sha256sum` does. Raises `refused` where one of them is another or missing,
    and `ModuleNotFoundError`.
    """
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"{package} is not installed. Run `make run` to install it.")
    folder = Path(found.origin).parent
    lines = [line.split("  ", 1) for line in recorded.read_text().splitlines()]
    paths = [folder / name for _, name in lines]
    for path, (digest, _), now in zip(paths, lines, sha256_of(paths), strict=True):
        if digest != now:
            raise refused(
                f"Asof did not load {path}: the file differs from the version tested with Asof.",
                "Reinstall: `make clean`, then `make run`.",
            )
    return folder


def _entry(path: Path, known: _Entry | None) -> _Entry:
    try:
        state = path.stat()
        if known is not None and known[:2] == [state.st_size, state.st_mtime_ns]:
            return known
        with path.open("rb") as file:
            return [state.st_size, state.st_mtime_ns, hashlib.file_digest(file, "sha256").hexdigest()]
    except OSError:
        return [0, 0, ""]


def _read(path: Path) -> dict[str, _Entry]:
    try:
        return dict(json.loads(path.read_text()))
    except (OSError, ValueError, TypeError):
        return {}


def _write(path: Path, digests: dict[str, _Entry]) -> None:
    """Keep the digests where the data folder can be written; without them the files are read again."""
    if path.parent.is_dir():
        with suppress(OSError):
            replace_file(path, json.dumps(digests).encode())
