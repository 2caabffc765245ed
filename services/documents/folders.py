"""Files below the folders of ASOF_FOLDERS: what the agent may take in by path, and nothing else."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from services.core.config import Settings, listed
from services.core.errors import BadInput

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
_MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of the settings, as they are named and as they are, and the largest file in bytes.

    `own` is the app's data folder, of which nothing is read: keys and passwords lie there.
    """

    roots: tuple[tuple[Path, Path], ...]
    largest: int
    own: Path

    @classmethod
    def of(cls, settings: Settings) -> "Folders":
        """Those of the settings. Raises `BadInput` where there are none."""
        named = [Path(name).expanduser() for name in listed(settings.folders)]
        if not named:
            raise BadInput(
                "Asof cannot open files by path: the settings allow no folder.",
                "List the allowed folders in ASOF_FOLDERS.",
            )
        roots = tuple((one.absolute(), one.resolve()) for one in named)
        return cls(roots, settings.max_file_mb * _MEGABYTE, settings.folder)

    def find(self, path: str) -> Path:
        """The full path of a regular file below one of the folders, no link on the way.

        A path that does not begin at the top is looked for in each folder. Raises `BadInput` for anything else.
        """
        return self._opened(path, read=False)[0]

    def read(self, path: str) -> tuple[Path, bytes]:
        """The full path of a file, and its content. Raises `BadInput` as `find` does."""
        return self._opened(path, read=True)

    def _opened(self, path: str, *, read: bool) -> tuple[Path, bytes]:
        asked = Path(path)
        if not path.strip() or "\0" in path or ".." in asked.parts:
            raise BadInput(f"path: “{path}” is not a file.", "Give the full path, without “..”.")
        for root, parts in self._places(asked):
            try:
                with _descriptor(root, parts, self.own, path) as opened:
                    return root.joinpath(*parts), self._content(opened, path, read=read)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise BadInput(
                    f"path: Asof cannot read “{path}”.", "Choose a file that Asof has access to, not a link."
                ) from error
        raise BadInput(
            f"path: “{path}” is outside the folders that Asof may read.",
            "Add the folder of the file to ASOF_FOLDERS.",
        )

    def _places(self, asked: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
        for named, resolved in self.roots:
            if not asked.is_absolute():
                yield resolved, asked.parts
                continue
            for root in dict.fromkeys((named, resolved)):
                with suppress(ValueError):
                    yield resolved, asked.relative_to(root).parts

    def _content(self, opened: int, path: str, *, read: bool) -> bytes:
        status = os.fstat(opened)
        if not stat.S_ISREG(status.st_mode):
            raise BadInput(
                f"path: “{path}” is not a file.",
                "Give the path of one file; to ingest a folder, use the command ingest.",
            )
        if status.st_size > self.largest:
            raise BadInput(
                f"path: “{path}” is larger than {self.largest // _MEGABYTE} MB.",
                "To allow larger files, raise ASOF_MAX_FILE_MB.",
            )
        if not read:
            return b""
        with os.fdopen(os.dup(opened), "rb") as file:
            return file.read(self.largest)


@contextmanager
def _descriptor(root: Path, parts: tuple[str, ...], own: Path, path: str) -> Iterator[int]:
    """A file below `root`, opened name by name, so that no link is followed, whoever exchanges one meanwhile."""
    if not parts:
        raise IsADirectoryError
    closed = own.stat() if own.exists() else None
    at = os.open(root, _FLAGS | os.O_DIRECTORY)
    try:
        for number, name in enumerate(parts, 1):
            if closed is not None and os.path.samestat(os.fstat(at), closed):
                raise BadInput(f"path: “{path}” is part of Asof's own data.", "Choose another file.")
            more = os.O_NONBLOCK if number == len(parts) else os.O_DIRECTORY
            below = os.open(name, _FLAGS | more, dir_fd=at)
            os.close(at)
            at = below
        yield at
    finally:
        os.close(at)
