"""What a question calls by its very name: entities, and facts that say just what it asks."""

from collections.abc import Callable, Sequence, Set
from dataclasses import replace

from services.core.models import Entity
from services.language.names import fold
from services.language.person_names import spellings
from services.language.relation_names import relation_words
from services.mirror.mirror import Mirror
from services.mirror.search_rows import Keys
from services.retrieval.hits import Hit
from services.retrieval.index import Scored
from services.retrieval.items import without_addresses
from services.retrieval.tokens import stems

_MOST_WORDS = 5
"""So many words a name has at the most, and so many that tell a question for one fact."""
_MOST_CALLED = 3
"""A name that more entities share tells none of them from the others."""

Restricted = Callable[[Keys], list[Scored]]
"""Scores the items of a kind that have these keys, as far as they may be found."""


def entities_called(mirror: Mirror, question: str, restricted: Restricted) -> list[Scored]:
    """Return the entities whose name a question is, best first; failing that, the few whose name holds it."""
    text = fold(question).strip(" ?!.,;:\"'")
    if not text or len(text.split()) > _MOST_WORDS:
        return []
    called = mirror.entities_called(spellings(text))
    chosen = [uuid for uuid, is_whole in called if is_whole] or [uuid for uuid, _ in called]
    if not 0 < len(chosen) <= _MOST_CALLED:
        return []
    return [replace(one, coverage=1.0) for one in restricted(mirror.keys(chosen))]


def facts_asked(mirror: Mirror, question: str, about: Sequence[str], restricted: Restricted) -> list[Scored]:
    """Return the facts of the relation that a question names, of those of the entities `about` whose names or summaries
    hold its other words."""
    asked = set(stems(question))
    if not 1 < len(asked) <= _MOST_WORDS:
        return []
    by_relation = {one.name: set(stems(" ".join(relation_words(one.name)))) for one in mirror.relations()}
    named = {relation: words for relation, words in by_relation.items() if words and words < asked}
    entities = mirror.entities(about) if named else ()
    pairs = [(relation, uuid) for relation, words in named.items() for uuid in _meant(entities, asked - words, words)]
    return [replace(one, coverage=1.0) for one in restricted(mirror.keys_of_facts_on(pairs))] if pairs else []


def _meant(entities: Sequence[Entity], described: Set[str], relation: Set[str]) -> list[str]:
    """Return the entities that these words name, failing that those that they describe.

    One that is on the relation's words too is what the whole question is on: "type hints".
    """
    named = [one.uuid for one in entities if described <= set(stems(one.name))]
    held = {one.uuid: set(stems(f"{one.name} {one.summary}")) for one in entities}
    return named or [uuid for uuid, words in held.items() if described <= words and not relation <= words]


def addresses_last(hits: Sequence[Hit], question: str) -> tuple[Hit, ...]:
    """Return the hits, after the others those that match nothing but words within a web address."""
    if "://" in question:
        return tuple(hits)
    asked = set(stems(question))
    return tuple(sorted(hits, key=lambda hit: _is_address(hit, asked)))


def _is_address(hit: Hit, asked: Set[str]) -> bool:
    name = hit.entity.name if hit.entity else hit.text
    plain = without_addresses(name)
    return hit.kind != "chunk" and plain != name and asked.isdisjoint(stems(plain))
