"""The Cypher that both databases run. Values are parameters; only names of the schema stand in the text."""

from collections.abc import Iterable

from services.graph.dialect import Dialect
from services.graph.records import EMBEDDING, ESCAPE, FACT_DATES


def node(dialect: Dialect, variable: str, label: str, key: str) -> str:
    """The pattern of a node of the workspace that the property `key` finds.

    The group must not be a property in it: Neo4j may take the index on groups for every row.
    """
    return f"({variable}:{label} {{{key}}}{dialect.guard(variable)})"


def every_node(dialect: Dialect, workspace: str, variable: str, label: str) -> str:
    """The pattern of all nodes of the workspace."""
    return f"({variable}:{label}{dialect.scope(variable, workspace)})"


def edge(dialect: Dialect, variable: str, key: str) -> str:
    """The pattern of a fact's edge of the workspace that the property `key` finds."""
    return f"[{variable}:RELATES_TO {{{key}}}{dialect.guard(variable)}]"


def every_edge(dialect: Dialect, workspace: str, variable: str) -> str:
    """The pattern of all facts' edges of the workspace."""
    return f"[{variable}:RELATES_TO{dialect.scope(variable, workspace)}]"


def fact(dialect: Dialect, key: str) -> str:
    """A fact `e` from `s` to `t`. With labelled ends FalkorDB would start from all nodes, not from the index on `e`."""
    return f"(s)-{edge(dialect, 'e', key)}->(t)"


def every_fact(dialect: Dialect, workspace: str) -> str:
    """All facts of the workspace, each as `e` from `s` to `t`."""
    return f"(s)-{every_edge(dialect, workspace, 'e')}->(t)"


def labels(dialect: Dialect, names: Iterable[str]) -> str:
    """Labels as they stand behind a node's variable, each once and in the order given."""
    return "".join(f":{dialect.quoted(name)}" for name in dict.fromkeys(names))


def relabel(dialect: Dialect, more: Iterable[str], less: Iterable[str]) -> str:
    """What gives the node `n` more labels, and takes others away."""
    new, gone = labels(dialect, sorted(more)), labels(dialect, sorted(less))
    return (f"SET n{new} " if new else "") + (f"REMOVE n{gone}" if gone else "")


def record_id(variable: str, kind: str = "node") -> str:
    """What a record is known by: its uuid, or one made of the database's own id where other programs gave it none."""
    given = f"{variable}.uuid"
    return f"CASE WHEN {given} = toStringOrNull({given}) THEN {given} ELSE '{kind}:' + toString(id({variable})) END"


def _attributes(variable: str) -> str:
    """The properties that `records.attributes` may want, without the embeddings, which are long."""
    embedding = f"(k ENDS WITH '{EMBEDDING}' AND NOT k STARTS WITH '{ESCAPE}')"
    return f"[k IN keys({variable}) WHERE NOT (k IN $columns OR {embedding}) | [k, {variable}[k]]]"


def date_as_text(expression: str) -> str:
    """As text from both databases: it is faster to read than Neo4j's own dates, and most of it was read before."""
    return f"toStringOrNull({expression})"


_DATES = ", ".join(date_as_text(f"e.{name}") for name in FACT_DATES)

ENTITY = (
    f"RETURN {record_id('n')}, n.name, n.summary, {date_as_text('n.created_at')}, labels(n), n.labels,"
    f" {_attributes('n')}"
)

_FACT = (
    f"{record_id('s')}, s.name, {record_id('t')}, t.name, {record_id('e', 'edge')}, e.name, e.fact, e.episodes,"
    f" e.ended_by, {_DATES}, {_attributes('e')}"
)
FACT = f"RETURN {_FACT}"
TOUCHING_FACTS = f"WITH DISTINCT e, startNode(e) AS s, endNode(e) AS t RETURN collect([id(e), {_FACT}])"
"""All in one row: Neo4j's driver takes longer for a row than for what is in it."""

EPISODE = (
    f"OPTIONAL MATCH (p)-[:MENTIONS]->(n:Entity) WITH p, collect({record_id('n')}) AS mentioned"
    f" RETURN {record_id('p')}, p.name, p.content, p.source, p.source_description, {date_as_text('p.valid_at')},"
    f" {date_as_text('p.created_at')}, mentioned"
)
