"""The library that PDF is read with, unpacked once where nobody else can put another one in its place.

Kreuzberg carries it, and unpacks it at the first PDF below the folder for temporary files, under a name that everybody
knows: any user of the machine may have put a library of his there. And a sandboxed process cannot unpack anything.
"""

import functools
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from services.core.log import logger

log = logger(__name__)
_ROOT = Path(__file__).resolve().parents[2]
_PACKED = "kreuzberg"
_UNPACKED = "kreuzberg-pdfium"
_READ = "import sys; from services.documents.pdf import read_pdf; read_pdf(sys.stdin.buffer.read())"
_EMPTY = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
)
_PATIENCE = 60.0


@functools.cache
def temporary(environment: tuple[tuple[str, str], ...]) -> str:
    """What a reader is to take for the folder of temporary files: where the library is, and nothing else.

    Where it cannot be kept the folder is not there, and PDF is read by pypdf alone.
    """
    kept = _caches() / "asof" / f"{_PACKED}-{version(_PACKED)}"
    if not (kept / _UNPACKED).is_dir():
        try:
            _unpack(kept, dict(environment))
        except (OSError, subprocess.SubprocessError) as fault:
            log.warning("pdfium_not_unpacked", problem=str(fault))
    return str(kept)


def _caches() -> Path:
    """The user's folder of caches; one that cannot be where he has none."""
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").absolute()
    except RuntimeError:
        return Path(os.devnull)


def _unpack(kept: Path, environment: Mapping[str, str]) -> None:
    """Have an empty page read that is our own, beside where the library is to be, and put it there whole."""
    kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent) as fresh:
        subprocess.run(
            [sys.executable, "-E", "-s", "-B", "-c", _READ],
            cwd=_ROOT,
            env={**environment, "TMPDIR": fresh},
            input=_EMPTY,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
        kept.mkdir(mode=0o700, exist_ok=True)
        with suppress(FileExistsError):  # another process was as quick
            (Path(fresh) / _UNPACKED).rename(kept / _UNPACKED)
