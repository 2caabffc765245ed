"""One spelling for relations that read the same, so that what people type meets what readers write."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from services.context import OpenWorkspace
from services.extraction.extractors import schema_of
from services.tables.mapping import TableMapping


def known_relation(typed: str, known: Iterable[str], schema: Iterable[str] = ()) -> str:
    """The relation that is meant: the `known` one that reads the same, else the one of `schema`.

    Case, underscores, hyphens and spaces make no other relation. One that nobody has is spelled in upper snake case
    where most of the known ones are, or there are none, and else as it was typed.
    """
    typed, graphs = typed.strip(), list(known)
    if typed in graphs:
        return typed
    face = _face(typed)
    same = (name for name in (*graphs, *schema) if _face(name) == face)
    found = next(same, None) if face else typed
    if found is not None:
        return found
    in_upper = sum(name == upper_snake(name) for name in graphs)
    return upper_snake(typed) if 2 * in_upper >= len(graphs) else typed


@lru_cache(maxsize=4096)
def upper_snake(name: str) -> str:
    """The name as "WORKS_FOR" is spelled."""
    words = re.sub(r"(?<=[a-z\d])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[\s_-]+", "_", words).strip("_").upper()


def _face(name: str) -> str:
    """What is left of a name that every spelling of it has."""
    return upper_snake(name).replace("_", "")


def relations_of(workspace: OpenWorkspace) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The relations of a workspace's graph, the most frequent first, and those of its schema."""
    held = workspace.mirror.relations()
    schema = schema_of(workspace).relations
    return tuple(one.name for one in held), tuple(kind.name for kind in schema)


def offered_relations(workspace: OpenWorkspace) -> tuple[str, ...]:
    """What a field for a relation offers: those of the graph, then those of the schema that read otherwise."""
    known, schema = relations_of(workspace)
    faces = {_face(name) for name in known}
    return (*known, *(name for name in schema if _face(name) not in faces))


def as_known(workspace: OpenWorkspace, mapping: TableMapping) -> TableMapping:
    """The mapping with the relations that it names itself as the workspace has them; cells stay as they are."""
    known, schema = relations_of(workspace)
    relations = {column: known_relation(name, known, schema) for column, name in mapping.relations.items()}
    return replace(mapping, relation=known_relation(mapping.relation, known, schema), relations=relations)
