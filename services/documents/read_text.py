"""What reading a file gives, and what it may cost."""

from dataclasses import dataclass
from datetime import datetime

from services.documents.file_types import Format

MEGABYTE = 1 << 20
MOST_FILES = 200
"""So many files may be given at a time."""
MOST_ATTACHMENTS = 20
"""So many of what is attached to a message are read, those of attached messages included."""


def not_read(number: int, what: str) -> list[str]:
    """Return the note that so many things in a file were not read, where there were any."""
    return [f"Asof did not read {number:,} {what}{'s' if number > 1 else ''}."] if number else []


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """What one file may cost: its size in bytes, the seconds it takes with its attachments, and memory in megabytes.

    Memory is held to on Linux alone; macOS has no limit that a process can set itself.
    """

    file_bytes: int = 50 * MEGABYTE
    seconds: float = 60.0
    memory_mb: int = 1024

    @classmethod
    def up_to(cls, megabytes: int) -> "ReadLimits":
        """The usual limits for files up to this size, as the settings have it."""
        return cls(file_bytes=megabytes * MEGABYTE)


USUAL = ReadLimits()


@dataclass(frozen=True, slots=True)
class ReadText:
    """The text of a file or page, as it is kept and its lines are counted.

    `kind` is what it was (`PDF`, `DOCX`, `e-mail`…), `format` what `text` is in. `parts` are the attachments of a
    message. `notes` are lines for the reader: what was taken for something else, or left out, and why.
    `reference_time` is when the file says that it was written or sent, in UTC.
    """

    name: str
    kind: str
    text: str
    format: Format
    title: str = ""
    author: str = ""
    reference_time: datetime | None = None
    parts: tuple["ReadText", ...] = ()
    notes: tuple[str, ...] = ()
