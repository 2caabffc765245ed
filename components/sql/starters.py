"""Queries to begin with, over this workspace's own tables."""

from collections.abc import Sequence

import streamlit as st

from components.shell import Opened
from components.sql import query
from services.sql import SqlDatabase

_RELATIONS = """SELECT relation, count(*) AS facts
FROM facts_as_of(:as_of, :known_at)
GROUP BY relation
ORDER BY facts DESC"""
_YEARS = """SELECT year(valid_at) AS year, count(*) AS facts
FROM facts
WHERE created_at <= :known_at
GROUP BY year
ORDER BY year"""
_BUSIEST = """SELECT source, count(*) AS facts
FROM facts_as_of(:as_of, :known_at)
GROUP BY source
ORDER BY facts DESC
LIMIT 20"""


def starters(opened: Opened, databases: Sequence[SqlDatabase]) -> None:
    """Offer three queries, each of which runs with a click."""
    st.html('<div class="a-muted">Write a query, or start from one of these:</div>')
    offered = {"Facts by relation": _RELATIONS, "Facts that started each year": _YEARS, **_third(databases)}
    with st.container(horizontal=True, gap="small", key="sql_starters"):
        for number, (label, sql) in enumerate(offered.items()):
            st.button(label, key=f"sql_starter_{number}", on_click=query.write_and_run, args=(opened, sql))


def _third(databases: Sequence[SqlDatabase]) -> dict[str, str]:
    tables = [(one.name, table.name) for one in databases if one.kind == "files" for table in one.tables]
    if not tables:
        return {"Entities with the most facts": _BUSIEST}
    database, table = tables[0]
    return {f"Columns of {table} at a glance": f'SUMMARIZE {database}."{table}"'}
