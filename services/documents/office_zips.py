"""Office files are ZIPs of XML: looked through before a parser unpacks them."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Literal

from services.core.errors import BadInput
from services.documents.read_text import not_read

Package = Literal["docx", "pptx", "xlsx"]
_MOST_ENTRIES = 20_000
_MOST_UNPACKED = 512 << 20
_SMALL = 32 << 20
"""Below this nothing is a bomb, however well it was packed."""
_MOST_TIMES = 100
"""So many times their size files of ordinary tables and texts unpack to at most."""
_MOST_CELLS = 500_000
_PIECE = 1 << 16
_OVERLAP = 16
"""Longer than anything that is looked for, so that nothing hides between two pieces."""
_DECLARATIONS = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_CELL = re.compile(rb"<(?:\w+:)?c[ >/]")
_XML = (".xml", ".rels", ".vml")
_NESTED = (".zip", ".docx", ".pptx", ".xlsx", ".docm", ".pptm", ".xlsm", ".jar", ".7z", ".rar", ".gz")
_FOLDERS: dict[str, Package] = {"word/": "docx", "ppt/": "pptx", "xl/": "xlsx"}
_ENCRYPTED = 0x1
_AGAIN = "Open the file in the application that created it, then save the file again."


def checked(content: bytes) -> tuple[Package, list[str]]:
    """What is packed in the ZIP, and notes on what of it is not read.

    Raises `BadInput` when it is no Office file, is encrypted or damaged, or would unpack to more than is sound: by
    what it declares and by what comes out, which is read through once.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            entries = package.infolist()
            _check_sizes(entries, len(content))
            kind = _kind(package.namelist())
            _check_parts(package, entries)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, UnicodeError, ValueError, OSError) as fault:
        raise BadInput("This file is damaged: Asof cannot unpack it.", _AGAIN) from fault
    return kind, not_read(sum(entry.filename.lower().endswith(_NESTED) for entry in entries), "embedded file")


def _check_sizes(entries: list[zipfile.ZipInfo], packed: int) -> None:
    if len(entries) > _MOST_ENTRIES:
        raise BadInput(f"This archive contains {len(entries):,} files; the limit is {_MOST_ENTRIES:,}.", _AGAIN)
    if any(entry.flag_bits & _ENCRYPTED for entry in entries):
        raise BadInput("This file is encrypted.", "Save the file without a password.")
    unpacked = sum(entry.file_size for entry in entries)
    most = min(_MOST_UNPACKED, max(_SMALL, _MOST_TIMES * packed))
    if unpacked > most:
        raise BadInput(
            f"This file would unpack from {packed / 1e6:,.1f} to {unpacked / 1e6:,.0f} MB; "
            f"the limit is {most / 1e6:,.0f} MB.",
            "Split the file.",
        )


def _kind(names: list[str]) -> Package:
    if any(name.startswith(("/", "\\")) or ".." in name.replace("\\", "/").split("/") for name in names):
        raise BadInput("This archive would unpack files outside its own folder.", _AGAIN)
    if "[Content_Types].xml" in names:
        for folder, kind in _FOLDERS.items():
            if any(name.startswith(folder) for name in names):
                return kind
    raise BadInput("This is an archive. Asof cannot read it.", "Unpack the archive and add its files.")


def _check_parts(package: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> None:
    """Unpack each part once: declarations are refused, and the cells of sheets counted."""
    cells = 0
    for entry in entries:
        is_xml = entry.filename.lower().endswith(_XML)
        is_sheet = entry.filename.startswith("xl/worksheets/")
        for piece in _pieces(package, entry):
            if is_xml and _DECLARATIONS.search(piece.replace(b"\0", b"")):
                raise BadInput("This file declares XML entities. Asof does not allow them in Office files.", _AGAIN)
            if is_sheet:
                cells += len(_CELL.findall(piece[:-_OVERLAP])) if len(piece) > _OVERLAP else 0
        if cells > _MOST_CELLS:
            raise BadInput(f"These sheets have more than {_MOST_CELLS:,} cells.", "Import the sheets as tables.")


def _pieces(package: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """An entry's bytes in pieces, each opened by the end of the one before."""
    end = b""
    with package.open(entry) as part:
        while piece := part.read(_PIECE):
            yield end + piece
            end = piece[-_OVERLAP:]
