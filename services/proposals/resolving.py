"""What the names of drafts stand for: an entity of the graph where that is certain, else a new one, with guesses."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from services.core.draft_records import Draft
from services.core.errors import BadInput
from services.core.models import Entity
from services.core.precision import stored_end
from services.language.names import name_key
from services.proposals.graph_snapshot import GraphSnapshot
from services.proposals.name_likeness import is_part, likeness, same_type
from services.proposals.proposal_records import Candidate, EntityChoice, Resolved
from services.tables.cells import can_be_a_type, check_stated
from services.writing.import_plan import identity

Name = tuple[str, str]
"""A name with its type, as drafts give them."""

SAME = "the same name and type"
SAME_BUT_SPELLING = "the same name except for case, spaces or full stops"
FORMER = "former name of this entity, before a merge"
CHOSEN = "chosen by you"
LONGER = "longer name with these words"
_TAKEN = "matched to this entity by the extractor"
_MOST_OTHERS = 6


def one_spelling(drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts with each name as it is spelled first, where only case, spaces or full stops differ."""
    first: dict[str, str] = {}
    spelled = []
    for draft in drafts:
        source = first.setdefault(name_key(draft.source), draft.source)
        target = first.setdefault(name_key(draft.target), draft.target)
        spelled.append(replace(draft, source=source, target=target))
    return spelled


def storable(draft: Draft) -> Draft:
    """The draft with what a graph can hold: no NUL, no half characters, and no type that cannot be a label."""
    types = [type_ if can_be_a_type(type_) else "" for type_ in map(_clean, (draft.source_type, draft.target_type))]
    return replace(
        draft,
        source=_clean(draft.source),
        relation=_clean(draft.relation),
        target=_clean(draft.target),
        fact=_clean(draft.fact),
        source_type=types[0],
        target_type=types[1],
    )


def check_draft(draft: Draft) -> None:
    """Raise `BadInput` for a fact without a name, a relation or a value, and for an end that is not after its start."""
    check_stated(draft.source, draft.relation, draft.target)
    end = stored_end(draft.valid_at, draft.invalid_at, draft.invalid_at_precision)
    if draft.valid_at and end and end <= draft.valid_at:
        raise BadInput(
            "The end must be after the start.", "Choose a later end: the first day on which the fact no longer holds."
        )


def is_whole(draft: Draft) -> bool:
    """True for a draft with both names and a relation."""
    return bool(draft.source and draft.relation and draft.target)


def _clean(text: str) -> str:
    return text.replace("\0", "").encode("utf-8", "ignore").decode().strip()


def resolved_names(
    drafts: Iterable[Draft], choices: Iterable[EntityChoice], snapshot: GraphSnapshot
) -> Mapping[Name, Resolved]:
    """What each name of the drafts stands for."""
    took: dict[Name, set[str]] = {}
    for draft in drafts:
        took.setdefault((draft.source, draft.source_type), set()).update(filter(None, [draft.same_source]))
        took.setdefault((draft.target, draft.target_type), set()).update(filter(None, [draft.same_target]))
    chosen = {(choice.name, choice.type): choice for choice in choices}
    found = {name: _resolved(_Asked(*name, uuids), chosen.get(name), snapshot) for name, uuids in took.items()}
    return {name: _as_typed(one, found) for name, one in found.items()}


@dataclass(frozen=True, slots=True)
class _Asked:
    """A name, and the entities that the extractor took it for."""

    name: str
    type: str
    took: set[str]


def _resolved(asked: _Asked, choice: EntityChoice | None, snapshot: GraphSnapshot) -> Resolved:
    certain, why = _certain(asked, snapshot)
    entity, reason = (None, CHOSEN) if choice else (certain, why)
    if choice and choice.uuid:
        entity = snapshot.entity(choice.uuid)
        if entity is None:
            entity, reason = certain, why
    others = _others(asked, entity, snapshot)
    if certain is None:
        others = (*others, *_longer(asked, (entity, *(other.entity for other in others)), snapshot))[:_MOST_OTHERS]
    if entity is not None:
        return Resolved(asked.name, asked.type, entity.uuid, reason, others, entity)
    return Resolved(asked.name, asked.type, None, reason, others, new_uuid=_new_uuid(asked, choice, snapshot))


def _certain(asked: _Asked, snapshot: GraphSnapshot) -> tuple[Entity | None, str]:
    """The entity that a name is, with the reason."""
    everyone = snapshot.stored.entities
    alike = [e for e in everyone if name_key(e.name) == name_key(asked.name) and same_type(asked.type, e)]
    took = [entity for entity in map(snapshot.entity, sorted(asked.took)) if entity is not None]
    exact = [e for e in alike if e.name == asked.name]
    kept = snapshot.entity(snapshot.former.get(name_key(asked.name)))
    ways = (
        ([e for e in took if e in exact], SAME),
        ([e for e in exact if asked.type in e.types], SAME),
        (exact, SAME),
        ([e for e in took if e in alike], SAME_BUT_SPELLING),
        ([e for e in alike if asked.type in e.types], SAME_BUT_SPELLING),
        (alike, SAME_BUT_SPELLING),
        ([kept] if kept is not None and same_type(asked.type, kept) else [], FORMER),
        (
            _only_one_called_so(asked, snapshot),
            "the only entity of this name, but of another type",
        ),
        # a model takes strangers for one another: the names alone have to agree with what it says
        ([e for e in took if same_type(asked.type, e) and likeness(asked.name, asked.type, e)], _TAKEN),
    )
    return next(((found[0], reason) for found, reason in ways if found), (None, ""))


def _only_one_called_so(asked: _Asked, snapshot: GraphSnapshot) -> list[Entity]:
    """The entity of exactly that name, where the extractor's type is of another vocabulary than the graph's types."""
    if snapshot.types is None or asked.type in snapshot.types:
        return []
    called = [entity for entity in snapshot.stored.entities if entity.name == asked.name]
    return called if len(called) == 1 else []


def _others(asked: _Asked, taken: Entity | None, snapshot: GraphSnapshot) -> tuple[Candidate, ...]:
    """Weaker guesses, and what else has the same name."""
    found = []
    for entity in snapshot.stored.entities:
        if taken is not None and entity.uuid == taken.uuid:
            continue
        is_namesake = name_key(entity.name) == name_key(asked.name)
        reason = likeness(asked.name, asked.type, entity) or ("the same name" if is_namesake else "")
        if reason := reason or (_TAKEN if entity.uuid in asked.took else ""):
            found.append(Candidate(entity, reason))
    return tuple(found[:_MOST_OTHERS])


def _longer(asked: _Asked, named: Collection[Entity | None], snapshot: GraphSnapshot) -> Iterator[Candidate]:
    """Entities of which a name says a part, without those that are `named` already."""
    strange = snapshot.types is not None and asked.type not in snapshot.types
    for entity in snapshot.stored.entities:
        if entity not in named and (strange or same_type(asked.type, entity)) and is_part(asked.name, entity):
            yield Candidate(entity, LONGER)


def _new_uuid(asked: _Asked, choice: EntityChoice | None, snapshot: GraphSnapshot) -> str:
    """A uuid for an entity that is to be new, whatever the import would take its name for."""
    if choice is None:
        return ""
    return identity(snapshot.workspace, "entity", asked.name, asked.type, "another", snapshot.now)


def _as_typed(one: Resolved, found: Mapping[Name, Resolved]) -> Resolved:
    """A bare name is the entity that the same name with a type is in the same text."""
    if one.type or one.uuid or one.reason == CHOSEN:
        return one
    typed = next((other for (name, type_), other in found.items() if type_ and name == one.name), None)
    return one if typed is None else replace(typed, type="")
