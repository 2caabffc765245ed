"""Changelogs in the form of keepachangelog.com: each entry is a fact of its version, from the version's date on."""

import re
from collections.abc import Iterator
from typing import Any

_VERSION = re.compile(r"##\s+\[?v?([^\]\s]+)\]?(?:\([^)]*\))?\s*[-–—(]*\s*(\d{4}-\d{2}-\d{2})?.*")
_KIND = re.compile(r"###\s+(.+?)\s*")
_ENTRY = re.compile(r"[-*+]\s+(.+)")
_LONGEST_NAME = 120


def changelog_records(text: str) -> list[dict[str, Any]]:
    """Return a record for each entry: the version, what kind of change it is, and the entry itself."""
    return list(_records(text))


def _records(text: str) -> Iterator[dict[str, Any]]:
    version, day, kind = "", None, "CHANGED"
    for line in _whole_lines(text):
        if found := _VERSION.fullmatch(line):
            version, day, kind = found[1], found[2], "CHANGED"
        elif found := _KIND.fullmatch(line):
            kind = re.sub(r"\W+", "_", found[1].upper()).strip("_")
        elif version and (found := _ENTRY.fullmatch(line)):
            yield {
                "source": f"Version {version}",
                "source_type": "Version",
                "relation": kind,
                "target": _name(found[1]),
                "target_type": "Change",
                "fact": found[1],
                "valid_at": day,
            }


def _whole_lines(text: str) -> Iterator[str]:
    """The lines, each entry with the indented lines that go on with it."""
    kept = ""
    for line in text.splitlines():
        if kept and line.startswith(("  ", "\t")) and line.strip():
            kept += f" {line.strip()}"
            continue
        if kept:
            yield kept
        kept = line.strip()
    if kept:
        yield kept


def _name(entry: str) -> str:
    """The beginning of an entry, whole words of it."""
    if len(entry) <= _LONGEST_NAME:
        return entry
    return entry[:_LONGEST_NAME].rpartition(" ")[0] + " …"
