"""Which files of an agent's memory depend on which. A file is named by its path, or by the end of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from services.core.memory_records import Properties
from services.graph.memory_store import FoundRecord, RecordFilter

MARK = "related_as"
"""Says of a related file whether the one that was asked for needs it, is needed by it, or both."""
_MARKS = {(True, False): "dependency", (False, True): "dependent", (True, True): "both"}


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file by the database's own id: what can name it, and the names of what it needs, folded."""

    own_id: int
    names: frozenset[str]
    needs: frozenset[str]


def code_file(found: FoundRecord) -> CodeFile:
    """Return a file of its record's path and dependencies."""
    return CodeFile(found.own_id, _names(found.properties.get("file_path")), _needs(found.properties))


def candidates(files: Iterable[CodeFile], asked: str, citizens: Mapping[str, tuple[str, ...]]) -> list[RecordFilter]:
    """Return what finds every file that these need, by its path, and every one that needs them, by its dependencies.

    More is found: names are looked for as parts of others.
    """
    given = list(files)
    needs = tuple(sorted({need for file in given for need in file.needs if need}))
    names = tuple(dict.fromkeys([asked.casefold(), *(min(file.names, key=len) for file in given if file.names)]))
    needed = [RecordFilter(citizens, ("file_path",), texts=needs)] if needs else []
    return [*needed, RecordFilter(citizens, listed=("dependencies",), texts=names)]


def related_to(primary: CodeFile, asked: str, files: Iterable[CodeFile]) -> dict[int, str]:
    """Return how files are related to one that was `asked` for, by their own ids; others are left out."""
    named = primary.names | {asked.casefold()}
    found: dict[int, str] = {}
    for file in files:
        ties = not primary.needs.isdisjoint(file.names), not named.isdisjoint(file.needs)
        if file.own_id != primary.own_id and any(ties):
            found[file.own_id] = _MARKS[ties]
    return found


def _names(path: Any) -> frozenset[str]:
    if not isinstance(path, str):
        return frozenset()
    parts = path.casefold().split("/")
    return frozenset(filter(None, ("/".join(parts[start:]) for start in range(len(parts)))))


def _needs(file: Properties) -> frozenset[str]:
    given: Any = file.get("dependencies")
    return (
        frozenset(one.casefold() for one in given if isinstance(one, str)) if isinstance(given, list) else frozenset()
    )
