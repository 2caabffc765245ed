"""What can be found: chunks, entities and facts as texts for words and for vectors, and how they hang together."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from services.language.relation_names import relation_words
from services.retrieval.name_index import names_of

Kind = Literal["chunk", "entity", "fact"]
KINDS: tuple[Kind, ...] = ("chunk", "entity", "fact")

FIELDS: dict[Kind, tuple[tuple[float, float], ...]] = {
    "chunk": ((1.0, 0.4), (2.0, 0.3), (1.0, 0.3), (3.0, 0.3), (0.3, 0.0)),
    "entity": ((2.0, 0.3), (1.0, 0.4), (0.5, 0.4)),
    "fact": ((1.0, 0.4), (0.5, 0.4), (0.5, 0.4)),
}
"""How much each field of an item weighs, and how strongly a long one is discounted, in the order of an item's `fields`:
a chunk's text, its document's title, the headings above its own, its own, and the messages around it."""

_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)

NEAR = 2
"""How many messages before one, and after it, tell what it is on."""


@dataclass(frozen=True, slots=True)
class SearchItem:
    """One thing that can be found.

    `fields` are its texts for words, as `FIELDS` weighs them. `embedded` are its texts for vectors, which count alike;
    `near` the messages around it, which together count as much as it does. `mentions` is the text whose names lead to
    others; `joins` are the entities of a fact. `signature` is a digest of what it was made of.
    """

    kind: Kind
    id: str
    text: str
    fields: tuple[str, ...]
    embedded: tuple[str, ...]
    near: tuple[str, ...] = ()
    title: str = ""
    heading: str = ""
    thread: str = ""
    mentions: str = ""
    joins: tuple[str, ...] = ()
    section_id: str = ""
    first: bool = True
    signature: int = 0


def chunk_item(
    id: str,
    text: str,
    *,
    title: str = "",
    path: Sequence[str] = (),
    thread: str = "",
    near: Sequence[str] = (),
    section_id: str = "",
    first: bool = True,
) -> SearchItem:
    """A chunk. `path` are the headings that it stands under, from the top; `near` the messages around it in its thread.

    Under headings its vector is the mean of those of the headings and of the text: a chunk may not say what it is on.
    `first` in its document tells of the whole.
    """
    parents, heading = " ".join(path[:-1]), path[-1] if path else ""
    embedded: tuple[str, ...] = (f"{title}. {text}" if title and not thread else text,)
    if path:
        embedded = (f"{title}: {' > '.join(path)}" if title else " > ".join(path), text)
    return SearchItem(
        "chunk",
        id,
        text,
        (text, title, parents, heading, "\n".join(near)),
        embedded,
        tuple(near),
        title,
        heading,
        thread,
        text,
        section_id=section_id,
        first=first,
    )


def entity_item(id: str, name: str, types: Iterable[str], summary: str) -> SearchItem:
    """An entity."""
    embedded = (f"{name}. {summary}" if summary else name,)
    return SearchItem(
        "entity", id, summary or name, (name, summary, " ".join(types)), embedded, title=name, mentions=summary
    )


def fact_item(id: str, text: str, source: str, relation: str, target: str, ends: tuple[str, str]) -> SearchItem:
    """A fact; `ends` are the uuids of its entities."""
    words = " ".join(relation_words(relation))
    sentence = text or f"{source} {words} {target}"
    return SearchItem("fact", id, sentence, (sentence, f"{source} {target}", words), (sentence,), joins=ends)


def without_addresses(text: str) -> str:
    """Return a text without the web addresses in it."""
    return _ADDRESS.sub(" ", text)


def text_key(text: str) -> str:
    """What a text's vector is kept under."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def item_names(items: Sequence[SearchItem]) -> Iterator[list[str]]:
    """What each item is about, in their order.

    A document is told by its first chunk.
    """
    for item in items:
        if item.kind == "entity":
            yield [item.title]
        elif item.kind == "fact" or not item.first:
            yield []
        else:
            yield names_of(item.title, item.text)
