"""The Cypher that both databases run. Values are parameters; only names of the schema stand in the text."""

from services.graph.dialect import Dialect
from services.graph.records import FACT_DATES


def node(dialect: Dialect, variable: str, label: str, key: str = "") -> str:
    """A node pattern that stays inside the workspace; `key` is a property that finds the node, or nothing for all."""
    return f"({variable}:{label} {_inside(dialect, variable, key)})"


def edge(dialect: Dialect, variable: str, key: str = "") -> str:
    """A fact's edge pattern that stays inside the workspace; `key` as for `node`."""
    return f"[{variable}:RELATES_TO {_inside(dialect, variable, key)}]"


def _inside(dialect: Dialect, variable: str, key: str) -> str:
    """With a key, the group must not be a property in the pattern: Neo4j may take the index on groups for every row."""
    return f"{{{key}}}{dialect.guard(variable)}" if key else dialect.scope


def fact(dialect: Dialect, key: str = "") -> str:
    """A fact `e` from `s` to `t`. With labelled ends FalkorDB would start from all nodes, not from the index on `e`."""
    return f"(s)-{edge(dialect, 'e', key)}->(t)"


def _attributes(variable: str) -> str:
    """The properties that `records.attributes` may want, without the embeddings, which are long."""
    return f"[k IN keys({variable}) WHERE NOT (k IN $columns OR k ENDS WITH 'embedding') | [k, {variable}[k]]]"


_DATES = ", ".join(f"toString(e.{name})" for name in FACT_DATES)
"""As text from both databases: it is faster to read than Neo4j's own dates, and most of it was read before."""

ENTITY = f"RETURN n.uuid, n.name, n.summary, toString(n.created_at), labels(n), n.labels, {_attributes('n')}"

_FACT = f"e.uuid, e.name, e.fact, e.episodes, e.ended_by, {_DATES}"
FACT = f"RETURN s.uuid, s.name, t.uuid, t.name, {_FACT}, {_attributes('e')}"
TOUCHING_FACT = (
    f"RETURN startNode(e).uuid, startNode(e).name, endNode(e).uuid, endNode(e).name, {_FACT}, {_attributes('e')}"
)

EPISODE = (
    "OPTIONAL MATCH (p)-[:MENTIONS]->(n:Entity) RETURN p.uuid, p.name, p.content, p.source, p.source_description,"
    " toString(p.valid_at), toString(p.created_at), collect(n.uuid)"
)

ENTITY_PRINT = "RETURN n.uuid, toString(n.created_at), n.name, size(n.summary), size(keys(n)), labels(n)"
FACT_PRINT = (
    f"RETURN e.uuid, {_DATES}, s.uuid, t.uuid, e.name, e.ended_by, size(e.fact), size(e.episodes), size(keys(e))"
)
EPISODE_PRINT = (
    "RETURN p.uuid, toString(p.valid_at), toString(p.created_at), p.name, p.source, size(p.content),"
    " size(p.source_description)"
)
