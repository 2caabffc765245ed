"""What was read for an answer, as its message keeps it: facts and passages by the numbers that cite them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from services.accounts import Message
from services.core.json_documents import read_fact
from services.core.models import Fact


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One record that was read; `fact` as the answer knew it, None for a passage of a document."""

    n: int
    id: str
    title: str
    text: str
    cited: bool
    fact: Fact | None = None


def retrieved(message: Message) -> tuple[Retrieved, ...]:
    """Everything that was read for an answer, what it cites first."""
    return retrieved_of(message.sources)


def retrieved_of(sources: Iterable[Mapping[str, Any]]) -> tuple[Retrieved, ...]:
    """Return the records of kept sources."""
    return tuple(_read(source) for source in sources if "n" in (source.get("metadata") or {}))


def facts_of(found: tuple[Retrieved, ...]) -> tuple[Fact, ...]:
    """The facts among what was read."""
    return tuple(one.fact for one in found if one.fact is not None)


def _read(source: Mapping[str, Any]) -> Retrieved:
    metadata = source["metadata"]
    fact = read_fact(metadata["fact"]) if metadata.get("fact") else None
    return Retrieved(metadata["n"], metadata["id"], source["file_name"], source["text"], metadata["cited"], fact)
