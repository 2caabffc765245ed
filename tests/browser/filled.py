"""Data folders as commands leave them: the commands run once for all processes of the tests, and others get copies."""

import fcntl
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from tests.browser.server import run_command

NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class FilledFolders:
    """What commands left, by the commands, in a folder that all processes share."""

    kept: Path

    @contextmanager
    def copy(self, *commands: Sequence[str], settings: Mapping[str, str] = NO_SETTINGS) -> Iterator[Path]:
        """A data folder of its own with what these commands, one after the other, leave in one."""
        home = Path(tempfile.mkdtemp(prefix="asof-"))
        try:
            yield self.copy_to(home, *commands, settings=settings)
        finally:
            shutil.rmtree(home, ignore_errors=True)

    def copy_to(self, home: Path, *commands: Sequence[str], settings: Mapping[str, str] = NO_SETTINGS) -> Path:
        """Put into a data folder what these commands leave in one; returns it."""
        return _copied(self._filled(commands, settings), home)

    def _filled(self, commands: Sequence[Sequence[str]], settings: Mapping[str, str]) -> Path:
        name = sha256(repr((commands, sorted(settings.items()))).encode()).hexdigest()[:16]
        folder, part = self.kept / name, self.kept / f"{name}.part"
        self.kept.mkdir(exist_ok=True)
        with (self.kept / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                self._fill(part, commands, settings)
                part.rename(folder)
        return folder

    def _fill(self, part: Path, commands: Sequence[Sequence[str]], settings: Mapping[str, str]) -> None:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(mode=0o700)
        *before, last = commands
        if before:
            _copied(self._filled(tuple(before), settings), part)
        run_command(part, last, settings)


def _copied(filled: Path, home: Path) -> Path:
    return Path(shutil.copytree(filled, home, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.sock")))
