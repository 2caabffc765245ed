"""Which query is asked, and the form of its inputs; asking puts both into the address."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components import state
from components.memory.memory_view import MemoryView, inputs_of
from services.memory import MEMORY_QUERIES, SEVERITIES, MemoryInput, MemoryQuery

_QUERY = "memory_query"
_LABELS = {
    "partner_id": "Partner",
    "keywords": "Keywords",
    "term": "Component, or words from the description",
    "issue_type": "Issue type",
    "context_similar_to": "Situation",
    "emotion_type": "Emotion",
    "situation_type": "Situation",
    "min_success_rate": "Minimum success rate",
    "filename": "File name or part of its path",
    "include_dependencies": "Include dependencies in both directions",
    "context": "Problem",
    "constraint_type": "Type",
    "min_severity": "Minimum severity",
    "citizen": "Citizen",
    "limit": "Maximum results",
}
_EXAMPLES = {
    "partner_id": "Nicolas",
    "keywords": "race condition, bug",
    "term": "stimulus_integrator",
    "issue_type": "bug",
    "context_similar_to": "bug recurrence",
    "emotion_type": "frustration",
    "situation_type": "concurrency",
    "filename": "stimulus_integrator.py",
    "context": "race condition",
    "constraint_type": "deadline",
}
_LEFT_OUT, _MOST = "Optional", 1000


def query_form(view: MemoryView, citizens: Sequence[str]) -> None:
    """Draw the choice of a query and the form of its inputs."""
    names = list(MEMORY_QUERIES)
    name = st.selectbox(
        "Query",
        names,
        index=names.index(view.query) if view.query in names else 0,
        format_func=lambda one: MEMORY_QUERIES[one].title,
        key=_QUERY,
        persist_state="session",
    )
    query = MEMORY_QUERIES[name]
    given = view.given if view.query == name else {}
    with st.form("memory_form", border=True):
        for one in query.inputs:
            _field(query, one, given.get(one.name, one.default), citizens)
        st.form_submit_button("Ask", type="primary", key="memory_ask", on_click=_ask, args=(query, tuple(citizens)))


def _key(query: MemoryQuery, one: MemoryInput) -> str:
    return f"{query.name}_{one.name}"


def _field(query: MemoryQuery, one: MemoryInput, value: Any, citizens: Sequence[str]) -> None:
    """A widget for one input, with the value of the address where it has one."""
    key, label = _key(query, one), _LABELS[one.name]
    match one.kind:
        case "limit":
            st.number_input(label, 1, _MOST, value if _is_limit(value) else one.default, key=key)
        case "rate":
            st.number_input(label, 0.0, 1.0, float(value) if _is_rate(value) else one.default, 0.05, key=key)
        case "flag":
            st.checkbox(label, bool(value), key=key)
        case "severity":
            st.selectbox(label, SEVERITIES, index=SEVERITIES.index(value) if value in SEVERITIES else 0, key=key)
        case "citizen":
            if len(citizens) > 1:
                index = citizens.index(value) if value in citizens else 0
                st.selectbox(label, citizens, index=index, key=key)
        case _:
            text = ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
            example = f"{_EXAMPLES[one.name]}" if one.is_required else f"{_LEFT_OUT}, such as {_EXAMPLES[one.name]}"
            st.text_input(label, text, key=key, placeholder=example)


def _is_limit(value: Any) -> bool:
    """False for what an address gives that no field could show."""
    return isinstance(value, int) and 1 <= value <= _MOST


def _is_rate(value: Any) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1


def _ask(query: MemoryQuery, citizens: Sequence[str]) -> None:
    """Put the query into the address, which the page then answers."""
    given = {one.name: _given(query, one) for one in query.inputs}
    asked = {one.name: given[one.name] for one in query.inputs if given[one.name] not in (None, one.default)}
    if len(citizens) < 2:
        asked.pop("citizen", None)
    state.update(MemoryView, query=query.name, inputs=inputs_of(asked))


def _given(query: MemoryQuery, one: MemoryInput) -> Any:
    value = state.remembered(_key(query, one))
    if one.kind == "words":
        return [word.strip() for word in str(value or "").split(",") if word.strip()] or None
    return value.strip() or None if isinstance(value, str) else value
