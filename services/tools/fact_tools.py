"""Tools that ask for facts: by meaning, by an entity's history, by what holds at an instant."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated

from pydantic import Field

from services.core import clock, date_wording, time_rule
from services.core.errors import BadInput
from services.core.json_documents import Json, fact_document, instants_document, spelled
from services.core.models import Fact, Instants
from services.language.names import of_name
from services.queries.facts_at import Name, of_relation
from services.retrieval.hits import label
from services.retrieval.query import Query
from services.tools import wording
from services.tools.mirror_fallback import (
    MOST_LISTED,
    as_known,
    facts_about,
    from_mirror,
    marked,
    no_entity,
    nothing,
    or_fallback,
    read_instant,
)
from services.tools.tool import Context, ToolResult

MOST_RELATIONSHIPS = 20
"""So many facts a search by meaning gives; an entity's own are all given."""

_SEARCHED = 3 * MOST_RELATIONSHIPS
"""So many are looked at, since records that were found to be wrong are left out."""

_UNDATED = "undated: no start date recorded"
_UNAVAILABLE = "Graph database is currently unavailable. Try search_knowledge instead."
_Entity = Annotated[Name, Field(description="Name of the entity as the graph writes it, e.g. 'PEP 484'.")]


@from_mirror(_UNAVAILABLE)
def search_knowledge_graph(
    context: Context,
    query: Annotated[Name, Field(description="What to look for, in plain words.")],
    entity_name: Annotated[Name | None, Field(description="Only facts with this entity on either side.")] = None,
    relationship_type: Annotated[Name | None, Field(description="Only facts of this relation.")] = None,
) -> ToolResult:
    """Search the knowledge graph for entity RELATIONSHIPS and connections, by meaning.

    Use this for questions about what entities relate to, depend on, or interact with, when the exact relation or name
    is not known. NOT for document text: use search_knowledge. NOT for everything that holds on a date: use facts_at.
    NOT for how one entity changed: use get_entity_history.
    """
    relations = _relations(context, relationship_type)
    if relationship_type and not relations:
        return _none_of_relation(context, relationship_type)
    (facts, looked_at, nearest), at, mirror_of = _searched(context, query, relations), context.at, None
    if entity_name:
        history, mirror_of = facts_about(context, entity_name)
        facts, looked_at, nearest = _of_entity(context, history, facts, relations), len(history), ""
    else:
        facts = facts[:MOST_RELATIONSHIPS]
    about = f" for '{entity_name}'" if entity_name else ""
    asked = {
        "query": query,
        "entity_name": entity_name,
        "relationship_type": relationship_type,
        **instants_document(at),
    }
    labelled = [{**fact_document(fact), "label": label(fact, at)} for fact in facts]
    result = ToolResult(
        {**asked, "total": len(facts), "looked_at": looked_at, "facts": labelled},
        tuple(wording.fact_item(fact, wording.relation_line(fact)) for fact in facts),
        len(facts),
        heading=f"Looked at {wording.counted(looked_at, 'fact')}{about}.{nearest and f'\n{nearest}'}",
        message=f"No relationships found{about} in the knowledge graph. Searching documents may help.",
        truncation="{total} total relationships found. Ask to narrow by type or relationship.",
        summary=wording.counted(len(facts), "fact"),
        rows=wording.rows(facts),
        is_whole=entity_name is not None,
    )
    return marked(result, mirror_of)


def _searched(context: Context, query: str, relations: Sequence[str]) -> tuple[list[Fact], int, str]:
    """Recorded facts by hybrid search, best first; with `as_of` those that hold then. And how many were compared, and
    what stands above them where none fits."""
    asked = Query(query, ("fact",), _SEARCHED, context.as_of, context.known_at, relations=tuple(relations))
    found, known_at = context.workspace.search(asked), context.at.known_at
    facts = [hit.fact for hit in found.hits if hit.fact is not None and time_rule.recorded(hit.fact, known_at)]
    return facts, found.looked_at, found.heading


def _of_entity(context: Context, about: Sequence[Fact], found: Sequence[Fact], relations: Sequence[str]) -> list[Fact]:
    """All facts of an entity that fit, those that the search found first, in its order."""
    at = context.at
    fitting = [
        fact
        for fact in about
        if time_rule.recorded(fact, at.known_at)
        and (context.as_of is None or time_rule.true_at(fact, at))
        and (not relations or fact.relation in relations)
    ]
    place = {fact.uuid: number for number, fact in enumerate(found)}
    newest = wording.newest_first(as_known(context, fitting))
    return sorted(newest, key=lambda fact: place.get(fact.uuid, len(place)))


def _relations(context: Context, relation: str | None) -> list[str]:
    """The relations of that name, as the graph writes them."""
    if relation is None:
        return []
    return of_name((counted.name for counted in context.mirror.relations(context.known_at)), relation, str)


def _none_of_relation(context: Context, relation: str) -> ToolResult:
    known = [counted.name for counted in context.mirror.relations(context.known_at)]
    message = f"The graph has no relation “{relation}”." + (f" Available: {wording.names(known)}." if known else "")
    document: Json = {"relation": relation, **instants_document(context.at), "total": 0, "facts": [], "undated": []}
    return nothing(document, message)


@or_fallback("Graph database is currently unavailable.")
def get_entity_history(
    context: Context,
    entity_name: _Entity,
    since: Annotated[str | None, Field(description="ISO date: only what was recorded from then on.")] = None,
    reference_time: Annotated[str | None, Field(description="ISO date: a snapshot of what held then.")] = None,
) -> ToolResult:
    """Get the temporal change history of ONE entity in the knowledge graph: each of its facts, past ones too.

    Use this for how an entity has CHANGED OVER TIME, what came before or after, when something began or ended, its
    first or last value, or what it looked like at a date (reference_time). Requires an entity name. NOT for what
    several entities have in common or who has a value: use facts_at. NOT for what changed in the whole graph: use
    get_change_history, or compare_times for two dates.
    """
    since_at = None if since is None else read_instant("since", since)
    at_reference = None if reference_time is None else read_instant("reference_time", reference_time)
    history, mirror_of = facts_about(context, entity_name)
    at = Instants(at_reference or context.at.as_of, context.at.known_at)
    chosen = [f for f in history if _in_history(f, at, context, snapshot=at_reference is not None)]
    if since_at is not None:
        chosen = [fact for fact in chosen if fact.created_at is not None and fact.created_at >= since_at]
    facts = sorted(
        as_known(context, chosen),
        key=lambda f: (f.created_at or clock.EARLIEST, f.valid_at or clock.EARLIEST, f.uuid),
        reverse=True,
    )
    documents = [{**fact_document(fact), "status": wording.status(fact, at)} for fact in facts]
    asked = {
        "entity": entity_name,
        "since": spelled(since_at),
        "reference_time": spelled(at_reference),
        **instants_document(at),
    }
    return marked(
        ToolResult(
            {**asked, "total": len(facts), "facts": documents},
            tuple(wording.fact_item(fact, wording.history_line(fact, at)) for fact in facts),
            len(facts),
            message=f"No history found for entity '{entity_name}'.",
            truncation="{total} facts in all. Narrow the call by since or reference_time.",
            summary=wording.counted(len(facts), "fact"),
            rows=wording.rows(facts),
        ),
        mirror_of,
    )


def _in_history(fact: Fact, at: Instants, context: Context, *, snapshot: bool) -> bool:
    """A snapshot is what holds then. What begins after `as_of` has not happened for a history as of then."""
    if snapshot:
        return time_rule.true_at(fact, at)
    begun = context.as_of is None or fact.valid_at is None or fact.valid_at <= context.as_of
    return begun and time_rule.recorded(fact, at.known_at)


@or_fallback(_UNAVAILABLE)
def facts_at(
    context: Context,
    entity: Annotated[Name | None, Field(description="Facts with this entity on either side.")] = None,
    relation: Annotated[Name | None, Field(description="Facts of this relation, e.g. 'WORKS_FOR'.")] = None,
    target: Annotated[Name | None, Field(description="Facts that lead to this entity or value.")] = None,
) -> ToolResult:
    """List exactly the facts that HOLD on the date of this answer, with their total.

    Use this for the value of something now or on a date (entity, relation), for who or what has a value (relation,
    target), and for HOW MANY. At least one input is needed. NOT for past values: use get_entity_history. NOT when
    the names are not known: use search_entities or search_knowledge_graph first.
    """
    if entity is None and relation is None and target is None:
        raise BadInput("entity: give an entity, a relation or a target.")
    asked = {"entity": entity, "relation": relation, "target": target, **instants_document(context.at)}
    name = entity if entity is not None else target
    if name is None:
        return _of_a_relation(context, relation=relation or "", asked=asked)
    history, mirror_of = facts_about(context, name)
    recorded = [fact for fact in history if time_rule.recorded(fact, context.at.known_at)]
    fitting = recorded if target is None else of_name(recorded, target, lambda fact: fact.target)
    fitting = list(of_relation(fitting, relation))
    at = context.at
    holding = wording.newest_first([fact for fact in fitting if time_rule.true_at(fact, at)])
    undated = [fact for fact in fitting if time_rule.undated(fact, at)]
    over = [fact for fact in fitting if date_wording.may_have_ended(fact, at)]
    found = _holding(context, asked, holding, undated, len(holding), over)
    if not found.items:
        found = replace(found, message=_why_none(context, recorded, fitting, name, relation, target))
    return marked(found, mirror_of)


@from_mirror(_UNAVAILABLE)
def _of_a_relation(context: Context, relation: str, asked: dict[str, str | None]) -> ToolResult:
    """Every fact of a relation that holds: asked of the mirror, since it concerns the whole graph."""
    relations, at = _relations(context, relation), context.at
    if not relations:
        return _none_of_relation(context, relation)
    pages = [context.mirror.facts_true(at, relation=name, limit=MOST_LISTED) for name in relations]
    undated = context.mirror.facts_undated(at, relations, MOST_LISTED) if any(p.undated for p in pages) else ()
    holding = wording.newest_first([fact for page in pages for fact in page.facts])
    over = context.mirror.facts_of_imprecise_end(at, relations, MOST_LISTED)
    found = _holding(context, asked, holding, undated, sum(page.total for page in pages), over)
    return replace(found, message=f"No fact with the relation “{relations[0]}” holds {wording.when(context.as_of)}.")


def _holding(
    context: Context,
    asked: dict[str, str | None],
    holding: Sequence[Fact],
    undated: Sequence[Fact],
    total: int,
    over: Sequence[Fact],
) -> ToolResult:
    """What holds, then what has no date, and what may have ended; only the first counts."""
    facts, others, ended = as_known(context, holding), as_known(context, undated), as_known(context, over)
    as_of = context.at.as_of
    items = [wording.fact_item(fact, _doubted(fact, as_of)) for fact in facts]
    items += [wording.fact_item(fact, f"{wording.relation_line(fact)} ({_UNDATED})") for fact in others]
    items += [wording.fact_item(fact, _doubted(fact, as_of)) for fact in ended]
    more = f", {len(others):,} undated" if others else ""
    more += f", {len(ended):,} that may have ended" if ended else ""
    document = {
        **asked,
        "total": total,
        "facts": [fact_document(fact) for fact in facts],
        "undated": [fact_document(fact) for fact in others],
        **({"may_have_ended": [fact_document(fact) for fact in ended]} if ended else {}),
    }
    return ToolResult(
        document,
        tuple(items),
        total,
        truncation=f"{{total}} facts hold in all{more}. Narrow the call by entity, relation or target.",
        summary=wording.counted(total, "fact") + more,
        rows=wording.rows(facts),
    )


def _why_none(
    context: Context,
    recorded: Sequence[Fact],
    fitting: Sequence[Fact],
    name: str,
    relation: str | None,
    target: str | None,
) -> str:
    """What to say where nothing holds: the name is not known, it has no such fact, or none at that instant."""
    if not recorded:
        return no_entity(context, name)
    if not fitting:
        known = list(dict.fromkeys(fact.relation for fact in recorded))
        asked = " ".join(filter(None, (relation, target and f"“{target}”")))
        return f"“{name}” has no fact {asked}. Its relations are: {wording.names(known)}."
    none = f"None of {len(fitting):,} such facts holds" if len(fitting) > 1 else "The only such fact does not hold"
    return f"{none} {wording.when(context.as_of)}."


def _doubted(fact: Fact, as_of: datetime) -> str:
    """The line of a fact, with what its dates leave open at an instant."""
    doubt = date_wording.doubt(fact, as_of)
    return f"{wording.relation_line(fact)} ({doubt})" if doubt else wording.relation_line(fact)
