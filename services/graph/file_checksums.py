"""The embedded database's files: their checksums are recorded while it runs, and compared before it starts again.

Each file has checksums up to several lengths. The database itself loads a file that ends early without a word, and one
in which bytes changed may load wrongly or bring it down: so such a file is cut where a checksum last fits. What
has none yet is cut off where the database does not start with it.
"""

import fcntl
import json
import os
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from services.core import clock
from services.core.durable_files import replace_file
from services.core.log import logger

_HOME, _MANIFEST, _CHECKSUMS, _DAMAGE = "appendonlydir", "appendonly.aof.manifest", "seal.json", "damage.json"
_MARKS = 64
"""So many lengths of a file are remembered, the last ones closest together."""
_PIECE = 1 << 20
_NAMED = re.compile(r"file (\S+) seq \d+ type ([bih])(?: .*)?")
_REPLACED = "h"
"""The kind of files that a shorter one replaced: the database is about to delete them."""
_log = logger(__name__)

type Marks = list[list[int]]
"""Lengths of a file in ascending order, each with the checksum of the file up to there."""


@dataclass
class _Checksums:
    manifest: str = ""
    marks: dict[str, Marks] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Damage:
    copy: str
    settled: frozenset[str]


def record_checksums(folder: Path) -> None:
    """Flush the files that the manifest needs to the disk, and remember how long they are and what is in them."""
    before = _recorded(folder) or _Checksums()
    now = _Checksums(_manifest(folder))
    for name in _needed(now.manifest):
        try:
            now.marks[name] = _marked(folder / _HOME / name, before.marks.get(name, []))
        except FileNotFoundError:
            continue  # replaced by a shorter one
    if now.marks and now != before:
        _write(folder / _CHECKSUMS, {"manifest": now.manifest, "marks": now.marks})


def trim_checksums(folder: Path) -> None:
    """Forget lengths that files no longer have: the database drops a torn last write when it loads them."""
    if known := _recorded(folder):
        sizes = {path.name: path.stat().st_size for path in (folder / _HOME).glob("appendonly.aof.*.*")}
        fitting = {
            name: [mark for mark in marks if mark[0] <= sizes.get(name, 0)] for name, marks in known.marks.items()
        }
        if fitting != known.marks:
            _write(folder / _CHECKSUMS, {"manifest": known.manifest, "marks": fitting})


def repair(folder: Path, program: str) -> bool:
    """Cut files that do not fit their checksums, for a database that is not running; True where something was wrong.

    A copy is kept. The database renews its files now and then, so only those count that its manifest needs. What has no
    checksums yet is looked at by the database's own tool, which `program` is, too.
    """
    known = _recorded(folder)
    if known is None:
        return fix(folder, program)
    fits = _fits(folder, known)
    needed = _needed(_manifest(folder) if fits else known.manifest)
    recorded = {name: known.marks[name] for name in needed if name in known.marks}
    good = {name: _good_length(folder / _HOME / name, marks) for name, marks in recorded.items()}
    broken = [name for name, marks in recorded.items() if marks and good[name] < marks[-1][0]]
    if fits and not broken:
        return len(recorded) < len(needed) and fix(folder, program)
    _keep_copy(folder)
    last = needed[-1] if needed else ""
    if set(broken) - {last} or not (folder / _HOME / last).is_file():
        start_over(folder)
        return True
    if not fits:
        replace_file(folder / _HOME / _MANIFEST, known.manifest.encode())
    if broken:
        os.truncate(folder / _HOME / last, good[last])
    (folder / _CHECKSUMS).unlink()
    return True


def fix(folder: Path, program: str) -> bool:
    """Have the database's own tool look at the files and cut what it cannot read; True where it did."""
    manifest = folder / _HOME / _MANIFEST
    if not manifest.exists() or _check(program, manifest):
        return False
    _keep_copy(folder)
    _check(program, "--fix", manifest)
    return True


def cut_unrecorded(folder: Path) -> bool:
    """Cut off what has no checksum yet, for a database that it may have brought down; True where there was such.

    A copy is kept.
    """
    known = _recorded(folder) or _Checksums()
    lengths = {folder / _HOME / name: marks[-1][0] for name, marks in known.marks.items() if marks}
    longer = {path: length for path, length in lengths.items() if path.exists() and path.stat().st_size > length}
    if longer:
        _keep_copy(folder)
    for path, length in longer.items():
        os.truncate(path, length)
    return bool(longer)


def start_over(folder: Path) -> None:
    """Have the database start empty: what its files hold cannot be loaded, and a copy of them was kept."""
    shutil.rmtree(folder / _HOME, ignore_errors=True)
    (folder / _CHECKSUMS).unlink(missing_ok=True)


def damage(folder: Path, workspace: str = "") -> str | None:
    """The folder with a copy of the files that were found damaged, until the workspace is settled, or all of them."""
    known = _damage(folder)
    return None if known is None or workspace in known.settled else known.copy


def settle_damage(folder: Path, copy: str, settled: Iterable[str], everywhere: Iterable[str]) -> None:
    """Remember the workspaces that were compared since; once they are all, no damage is spoken of. The copy stays."""
    with _alone(folder):
        known = _damage(folder)
        if known is None or known.copy != copy:
            return  # damaged again
        done = known.settled.union(settled)
        if done.issuperset(everywhere):
            (folder / _DAMAGE).unlink()
        else:
            _write(folder / _DAMAGE, {"copy": copy, "settled": sorted(done)})


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep everybody else from changing what is known of damage."""
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _damage(folder: Path) -> _Damage | None:
    try:
        document = json.loads((folder / _DAMAGE).read_text())
        return _Damage(str(document["copy"]), frozenset(document.get("settled", ())))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def _check(program: str, *words: str | Path) -> bool:
    """True where the tool, which the server is under another name, finds nothing wrong."""
    done = subprocess.run(
        ["redis-check-aof", *map(str, words)], executable=program, input=b"y\n", capture_output=True, check=False
    )
    return done.returncode == 0


def _keep_copy(folder: Path) -> None:
    """Keep a copy and say so; where there is no room for one, leave nothing of it, since every start tries again."""
    copy = folder / f"damaged-{clock.now():%Y%m%d-%H%M%S-%f}"
    part = copy.with_suffix(".part")
    for left in folder.glob("damaged-*.part"):
        shutil.rmtree(left)
    try:
        if (folder / _HOME).exists():
            shutil.copytree(folder / _HOME, part)
            part.rename(copy)
        with _alone(folder):
            _write(folder / _DAMAGE, {"copy": str(copy)})
    except OSError:
        shutil.rmtree(part, ignore_errors=True)
        shutil.rmtree(copy, ignore_errors=True)
        raise
    _log.warning(
        "Some files of the graph are damaged. Asof kept a copy. To restore the missing records, run `cli.py recover`.",
        copy=str(copy),
    )


def _fits(folder: Path, known: _Checksums) -> bool:
    """True where the manifest needs files that are there, and leaves out none that it needed before and still is.

    A file that was replaced is gone before the manifest leaves it out.
    """
    named, home = _named(_manifest(folder)), folder / _HOME
    before = {name for name in _needed(known.manifest) if (home / name).exists()}
    return named is not None and before <= named.keys() and all((home / name).exists() for name in _those(named))


def _needed(manifest: str) -> list[str]:
    """The files that a manifest needs, in order; none of one that cannot be read."""
    return _those(_named(manifest) or {})


def _those(named: Mapping[str, str]) -> list[str]:
    return [name for name, kind in named.items() if kind != _REPLACED]


def _named(manifest: str) -> dict[str, str] | None:
    """The kinds of the files that a manifest names, in order; None for one that cannot be read."""
    lines = [_NAMED.fullmatch(line) for line in manifest.splitlines()]
    if not lines or not manifest.endswith("\n"):
        return None
    named = {line[1]: line[2] for line in lines if line}
    return named if len(named) == len(lines) else None


def _manifest(folder: Path) -> str:
    try:
        return (folder / _HOME / _MANIFEST).read_text(errors="replace")
    except FileNotFoundError:
        return ""


def _marked(path: Path, marks: Marks) -> Marks:
    """The marks with one for all that the file holds, which is on the disk then."""
    length, crc = marks[-1] if marks else (0, 0)
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size <= length:
            return marks
        os.fsync(file.fileno())
        file.seek(length)
        return [*(marks[::2] if len(marks) >= _MARKS else marks), [size, _crc(file, size - length, crc)]]


def _good_length(path: Path, marks: Marks) -> int:
    """The length up to which nothing speaks against the file: all of one that was only cut."""
    good, crc = 0, 0
    if path.exists():
        size = path.stat().st_size
        with path.open("rb") as file:
            for length, recorded in marks:
                if size < length:
                    return size
                crc = _crc(file, length - good, crc)
                if crc != recorded:
                    break
                good = length
    return good


def _crc(file: BinaryIO, count: int, crc: int) -> int:
    while count > 0 and (piece := file.read(min(count, _PIECE))):
        crc = zlib.crc32(piece, crc)
        count -= len(piece)
    return crc


def _recorded(folder: Path) -> _Checksums | None:
    try:
        return _Checksums(**json.loads((folder / _CHECKSUMS).read_text()))
    except (OSError, ValueError, TypeError):
        return None


def _write(path: Path, document: dict[str, object]) -> None:
    replace_file(path, json.dumps(document).encode())
